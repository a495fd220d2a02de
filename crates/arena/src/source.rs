//! Evaluators for games of any variant, for callers that are not compiled for each game.

use crate::spec::BuiltInEvaluator;
use catapult_encoding::{Encode, Layout, PolicyIndex};
use catapult_mcts::{Batch, EvaluationError, Evaluator, Value};
use catapult_network::{EvaluatorSettings, Network, NetworkError, NetworkEvaluator};
use catapult_rules::Variant;
use half::bf16;
use std::sync::Arc;

/// Choice of an evaluator.
#[derive(Clone)]
pub enum EvaluatorSource {
    /// An evaluator without a network.
    BuiltIn(BuiltInEvaluator),
    /// A network, which plain Rust evaluates.
    Network(Arc<Network>),
    /// A function that gets encoded positions.
    Function {
        /// Evaluates positions: returns one logit per move and one value per position.
        evaluate: EvaluateEncoded,
        /// Maximum number of positions per call.
        most: usize,
    },
}

/// Function that evaluates encoded positions. It returns one logit per move, in the order of
/// [`EncodedPositions::moves`], and one value per position.
pub type EvaluateEncoded =
    Arc<dyn Fn(EncodedPositions) -> Result<(Vec<f32>, Vec<Value>), EvaluationError> + Send + Sync>;

/// Positions with their legal moves, as the inputs of a network. They are from the view of the side
/// to move.
pub struct EncodedPositions {
    /// Variant of the positions.
    pub variant: Variant,
    /// Sizes of the arrays.
    pub layout: Layout,
    /// Input planes, `[positions, ranks, files, planes]` in row-major order.
    pub planes: Vec<bf16>,
    /// Globals, `[positions, globals]` in row-major order.
    pub globals: Vec<f32>,
    /// Policy indices of the legal moves of all positions.
    pub moves: Vec<PolicyIndex>,
    /// Position `i` has the moves from `offsets[i]` up to, not including, `offsets[i + 1]`.
    pub offsets: Vec<usize>,
    /// Returns the FENs of the positions.
    pub fens: Box<dyn Fn() -> Vec<String> + Send + Sync>,
}

impl EvaluatorSource {
    /// Creates an evaluator of positions of `variant`, whose type is `P`.
    ///
    /// # Errors
    /// The network has another layout than the variant.
    pub(crate) fn evaluator<P: Encode>(
        &self,
        variant: Variant,
    ) -> Result<Box<dyn Evaluator<P> + Send>, NetworkError> {
        Ok(match self {
            EvaluatorSource::BuiltIn(evaluator) => evaluator.make(),
            EvaluatorSource::Network(network) => {
                Box::new(NetworkEvaluator::<P>::new(network, EvaluatorSettings::default())?)
            }
            EvaluatorSource::Function { evaluate, most } => {
                Box::new(Encoded { variant, evaluate: evaluate.clone(), most: *most })
            }
        })
    }
}

/// A function of encoded positions as an evaluator.
struct Encoded {
    variant: Variant,
    evaluate: EvaluateEncoded,
    most: usize,
}

impl<P: Encode> Evaluator<P> for Encoded {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        batch.logits.resize(batch.moves.len(), 0.0);
        batch.values.resize(batch.leaves.len(), Value::default());
        let layout = P::LAYOUT;
        let mut values = batch.values.chunks_mut(self.most);
        for leaves in batch.leaves.chunks(self.most) {
            let size = layout.squares() * layout.planes;
            let mut planes = vec![bf16::ZERO; leaves.len() * size];
            let mut globals = vec![0.0; leaves.len() * layout.globals];
            let (mut moves, mut offsets) = (Vec::new(), vec![0]);
            for (row, leaf) in leaves.iter().enumerate() {
                let planes = &mut planes[row * size..][..size];
                let globals = &mut globals[row * layout.globals..][..layout.globals];
                leaf.position.encode(leaf.repetitions, false, planes, globals);
                let legal = batch.moves[leaf.range()].iter();
                moves.extend(legal.map(|mv| leaf.position.policy_index(*mv, false)));
                offsets.push(moves.len());
            }
            let positions: Vec<P> = leaves.iter().map(|leaf| leaf.position).collect();
            let fens = Box::new(move || positions.iter().map(P::to_string).collect());
            let variant = self.variant;
            let given = EncodedPositions { variant, layout, planes, globals, moves, offsets, fens };
            let (logits, found) = (self.evaluate)(given)?;
            let first = leaves.first().map_or(0, |leaf| leaf.range().start);
            batch.logits[first..first + logits.len()].copy_from_slice(&logits);
            // `values` has as many chunks as `leaves`.
            values.next().unwrap_or_default().copy_from_slice(&found);
        }
        Ok(())
    }
}
