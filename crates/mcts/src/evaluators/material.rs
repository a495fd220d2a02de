use super::MOVES_LEFT;
use crate::{Batch, EvaluationError, Evaluator, Value};
use catapult_rules::Position;

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
            let q = (difference as f32 / 400.0).tanh();
            Value { wdl: [q.max(0.0), 1.0 - q.abs(), (-q).max(0.0)], moves_left: MOVES_LEFT }
        }));
        Ok(())
    }
}
