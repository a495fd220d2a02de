//! What can go wrong, by name.

use crate::data::Cell;

/// Why a quantity could not be computed.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The games of a cell can't be used.
    #[error("{cell}: {reason}")]
    Cell {
        /// The cell.
        cell: Box<Cell>,
        /// Game and ply, and what is wrong.
        reason: String,
    },
    /// A quantity that can't be computed from what there is.
    #[error("{what}: {reason}")]
    Measure {
        /// The metric, figure or statistic.
        what: String,
        /// Why.
        reason: String,
    },
    /// A network or search gave no evaluation.
    #[error(transparent)]
    Evaluation(#[from] catapult_mcts::EvaluationError),
}

impl MeasureError {
    /// Names what can't be computed.
    pub fn measure(what: impl Into<String>, reason: impl ToString) -> MeasureError {
        MeasureError::Measure { what: what.into(), reason: reason.to_string() }
    }
}
