//! Evaluators without a network, for tests, benchmarks and the first generation of self-play.

use crate::{Batch, EvaluationError, Evaluator, Value};
use catapult_rules::Position;

/// Expected plies left in every evaluation. [`HashRandom`] scales it by a factor from 0.5 to 1.5.
const MOVES_LEFT: f32 = 50.0;

/// An evaluator that returns the same for all positions: equal logits, and equal probabilities of
/// win, draw and loss.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<P: Position> Evaluator<P> for Uniform {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        let third = 1.0 / 3.0;
        batch.logits.clear();
        batch.logits.resize(batch.moves.len(), 0.0);
        batch.values.clear();
        batch.values.resize(batch.leaves.len(), Value { wdl: [third; 3], moves_left: MOVES_LEFT });
        Ok(())
    }
}

/// An evaluator by material. Q = P(win) - P(loss) is tanh(d / 400), with d the side to move's
/// material advantage in centipawns. P(draw) is 1 - |Q|. All logits are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl<P: Position> Evaluator<P> for Material {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        batch.logits.clear();
        batch.logits.resize(batch.moves.len(), 0.0);
        batch.values.clear();
        batch.values.extend(batch.leaves.iter().map(|leaf| {
            let us = leaf.position.side_to_move();
            let difference = leaf.position.material(us) - leaf.position.material(!us);
            let q = libm::tanhf(difference as f32 / 400.0);
            Value { wdl: [q.max(0.0), 1.0 - q.abs(), (-q).max(0.0)], moves_left: MOVES_LEFT }
        }));
        Ok(())
    }
}

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
