use super::MOVES_LEFT;
use crate::{Batch, EvaluationError, Evaluator, Value};
use catapult_rules::Position;

/// An evaluator that returns pseudo-random numbers, from a hash of the position and a seed. It
/// replaces an untrained network in tests, at almost no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashRandom {
    /// Seed of the hash. Different seeds give different evaluations.
    pub seed: u64,
}

/// Hashes `x` with the finaliser of splitmix64. Every bit of the result depends on every bit of
/// `x`.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Maps `x` to a pseudo-random number in [0, 1).
fn unit(x: u64) -> f32 {
    (mix(x) >> 40) as f32 / (1u64 << 24) as f32
}

impl<P: Position> Evaluator<P> for HashRandom {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        batch.logits.clear();
        batch.values.clear();
        for leaf in &batch.leaves {
            let key = mix(leaf.position.key() ^ mix(self.seed));
            let moves = &batch.moves[leaf.range()];
            batch.logits.extend(moves.iter().map(|mv| 3.0 * unit(key ^ mv.bits() as u64)));
            let draw = unit(key ^ 1 << 62) * 0.5;
            let q = (1.0 - draw) * (2.0 * unit(key ^ 1 << 63) - 1.0);
            let wdl = [(1.0 - draw + q) / 2.0, draw, (1.0 - draw - q) / 2.0];
            batch.values.push(Value { wdl, moves_left: MOVES_LEFT * (0.5 + unit(key)) });
        }
        Ok(())
    }
}
