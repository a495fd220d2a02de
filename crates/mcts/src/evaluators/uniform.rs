use super::MOVES_LEFT;
use crate::{Batch, EvaluationError, Evaluator, Value};
use catapult_rules::Position;

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
