//! First step of solving a table: legal positions, mates and stalemates.

use super::{Goal, NewlySolved, Solver};
use crate::value::Codes;
use rayon::prelude::*;

impl Solver {
    /// Sets the legal positions, marks mates as lost in 0 plies, and removes stalemates from the
    /// open positions.
    pub(super) fn begin(&mut self) {
        // Mates and stalemates depend only on legal moves, not on values.
        self.conversions.reset();
        let settled = self.settled.take();
        let rules = &self.rules;
        let slice = rules.space.slice();
        let places = rules.space.places;
        let [white, black] = &mut self.sides;
        (white.safe.par_chunks_mut(slice), black.safe.par_chunks_mut(slice))
            .into_par_iter()
            .enumerate()
            .for_each(|(set, (white, black))| {
                for word in 0..slice {
                    let legal = rules.legal(rules.men(set, word / places, word % places));
                    (white[word], black[word]) = (legal[0], legal[1]);
                }
            });
        for side in &mut self.sides {
            side.codes = Codes::new(side.safe.len() * 64);
            side.lost.fill(0);
            side.open.copy_from_slice(&side.safe);
        }
        self.legal =
            self.sides.iter().flat_map(|side| &side.safe).map(|word| u64::from(word.count_ones())).sum();
        self.known = 0;
        let found = [0, 1].map(|side| self.without_moves(side));
        self.settled = settled;
        for (side, found) in found.into_iter().enumerate() {
            self.apply(side, 0, &found);
        }
    }

    /// Returns the legal positions with `side` to move, as bitboards in the order of
    /// [`Space`](crate::space::Space).
    pub(super) fn legal_words(&self, side: usize) -> Vec<u64> {
        let space = &self.rules.space;
        let legal = |word: usize| {
            let (set, king, place) = space.parts(word);
            self.rules.legal(self.rules.men(set, king, place))[side]
        };
        (0..space.words()).into_par_iter().map(legal).collect()
    }

    /// Returns the mates with `side` to move as lost positions, and removes the stalemates from the
    /// open positions.
    fn without_moves(&mut self, side: usize) -> Vec<Vec<NewlySolved>> {
        let stuck = |candidates: u64, moves: u64| (0, candidates & !moves);
        let mut mated = self.slices(side, Goal::Safe, |_| true, 0..self.rules.space.places, stuck);
        let (slice, places) = (self.rules.space.slice(), self.rules.space.places);
        for (set, (open, found)) in self.sides[side].open.chunks_mut(slice).zip(&mut mated).enumerate() {
            for (word, _, stuck) in &mut *found {
                let word = *word as usize;
                let men = self.rules.men(set, word / places, word % places);
                let check = match side {
                    0 => self.rules.attacked_by_black(men),
                    _ => self.rules.attacked_by_white(men),
                };
                open[word] &= !*stuck | check;
                *stuck &= check;
            }
            found.retain(|(_, _, mated)| *mated != 0);
        }
        mated
    }
}
