//! The order in which rows are learned from.

use crate::Row;
use catapult_encoding::Encode;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Rows of a window, shuffled, from which batches are drawn.
#[derive(Clone, Debug, Default)]
pub struct Deck {
    numbers: Vec<u32>,
}

impl Deck {
    /// The numbers of the rows of the next batch, at most as many as there are rows; a deck that has too few left is shuffled anew. The
    /// window must be the same from call to call.
    pub fn draw<P>(&mut self, window: &[&Row<P>], batch_rows: usize, rng: &mut Pcg64Mcg) -> Vec<u32> {
        let rows = batch_rows.min(window.len());
        if self.numbers.len() < rows {
            // What is left of the deck would make a short batch; a new deck has those rows too.
            self.numbers.clear();
            while self.numbers.len() < rows {
                self.numbers.extend(deal(window, rng));
            }
        }
        self.numbers.drain(self.numbers.len() - rows..).collect()
    }
}

/// Whether a row is flipped left to right this time: every other one, by chance, whose rules allow it, if `mirror` says so.
pub fn flipped<P: Encode>(row: &Row<P>, mirror: bool, rng: &mut Pcg64Mcg) -> bool {
    mirror && rng.random_bool(0.5) && row.position.can_mirror()
}

/// All rows by number in a random order, each as often as its frequency says: the whole part of it, and once more by the chance of
/// the rest.
fn deal<P>(window: &[&Row<P>], rng: &mut Pcg64Mcg) -> Vec<u32> {
    let mut deck = Vec::with_capacity(window.len());
    for (number, row) in window.iter().enumerate() {
        let whole = row.frequency.floor();
        let rest = row.frequency - whole;
        // Nothing is drawn where all rows are alike.
        let once_more = rest > 0.0 && rng.random::<f32>() < rest;
        deck.extend(std::iter::repeat_n(number as u32, whole as usize + usize::from(once_more)));
    }
    deck.shuffle(rng);
    deck
}
