//! Errors of this crate.

use crate::data::Cell;

/// Error of a measurement.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The games of a cell cannot be used.
    #[error("{cell}: {reason}")]
    Cell {
        /// The cell with the defective games.
        cell: Box<Cell>,
        /// Game, ply and defect.
        reason: String,
    },
    /// A quantity cannot be computed from the input.
    #[error("{what}: {reason}")]
    Measure {
        /// Name of the metric, figure or statistic.
        what: String,
        /// The reason why it cannot be computed.
        reason: String,
    },
    /// An evaluation failed.
    #[error(transparent)]
    Evaluation(#[from] catapult_mcts::EvaluationError),
}

impl MeasureError {
    /// Creates a [`MeasureError::Measure`].
    pub fn measure(what: impl Into<String>, reason: impl ToString) -> MeasureError {
        MeasureError::Measure { what: what.into(), reason: reason.to_string() }
    }
}
