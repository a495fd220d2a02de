//! Tree search for any game, without input or output: Gumbel AlphaZero and PUCT.

mod evaluate;

pub use evaluate::{Batch, EvaluationError, Evaluator, Leaf, Value};
