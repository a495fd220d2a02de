//! Random order in which a run trains on its samples.

use crate::Row;
use catapult_encoding::Encode;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// A shuffled list of indices of training samples, from which batches are drawn.
#[derive(Clone, Debug, Default)]
pub struct Sampler {
    numbers: Vec<u32>,
}

impl Sampler {
    /// Draws a batch: `batch_rows` indices into `window`, or `window.len()` if that is less.
    ///
    /// If fewer indices are left than the batch needs, they are discarded and a new list is
    /// shuffled. All calls on one sampler must pass the same window. If every frequency is 0, all
    /// samples count alike.
    pub fn draw<P>(&mut self, window: &[&Row<P>], batch_rows: usize, rng: &mut Pcg64Mcg) -> Vec<u32> {
        let rows = batch_rows.min(window.len());
        if self.numbers.len() < rows {
            // The remaining indices would make a short batch. The new order contains those samples
            // too.
            self.numbers.clear();
            while self.numbers.len() < rows {
                self.numbers.extend(shuffled(window, rng));
            }
        }
        self.numbers.drain(self.numbers.len() - rows..).collect()
    }
}

/// Draws whether a training sample is mirrored. The probability is 1/2 if `mirror` is true and the
/// position allows mirroring ([`Encode::can_mirror`]), else 0.
pub fn flipped<P: Encode>(row: &Row<P>, mirror: bool, rng: &mut Pcg64Mcg) -> bool {
    mirror && rng.random_bool(0.5) && row.position.can_mirror()
}

/// Returns a new order: indices into `window` in random order. Each index occurs as often as the
/// integer part of its sample's frequency. The fractional part is the probability that it occurs
/// once more.
fn shuffled<P>(window: &[&Row<P>], rng: &mut Pcg64Mcg) -> Vec<u32> {
    let mut order = Vec::with_capacity(window.len());
    let has_frequencies = window.iter().any(|row| row.frequency > 0.0);
    for (number, row) in window.iter().enumerate() {
        // An empty order would never be enough for a batch.
        let frequency = if has_frequencies { row.frequency } else { 1.0 };
        let whole = frequency.floor();
        let rest = frequency - whole;
        // No random number is drawn for an integer frequency. Without surprise weighting, all
        // frequencies are 1.
        let once_more = rest > 0.0 && rng.random::<f32>() < rest;
        order.extend(std::iter::repeat_n(number as u32, whole as usize + usize::from(once_more)));
    }
    order.shuffle(rng);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn samples_without_any_frequency_are_drawn_alike() {
        let row = Row {
            position: (),
            repetitions: 0,
            moves: Box::default(),
            policy: Box::default(),
            wdl: [0.0; 3],
            value_weight: 1.0,
            frequency: 0.0,
            moves_left: None,
            future: Default::default(),
            future_weight: Default::default(),
        };
        let mut drawn = Sampler::default().draw(&[&row, &row], 2, &mut Pcg64Mcg::seed_from_u64(1));
        drawn.sort_unstable();
        assert_eq!(drawn, [0, 1]);
    }
}
