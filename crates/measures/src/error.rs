//! Errors of this crate.

use crate::data::Cell;

/// Error in the computation of metrics from the games of a study.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The games of a cell (one network in one arm at one search level) cannot be used.
    #[error("{cell}: {reason}")]
    Cell {
        /// The cell with the defective games.
        cell: Box<Cell>,
        /// The game's number, the ply and the defect.
        reason: String,
    },
    /// A metric, a figure or another statistic cannot be computed from the input.
    #[error("{what}: {reason}")]
    Measure {
        /// Name of the metric, figure or statistic.
        what: String,
        /// The reason why the metric, figure or statistic cannot be computed.
        reason: String,
    },
    /// The evaluation of a position by a network failed.
    #[error(transparent)]
    Evaluation(#[from] catapult_mcts::EvaluationError),
}

impl MeasureError {
    /// Creates a [`MeasureError::Measure`]. `what` is the name of the metric, figure or statistic.
    pub fn measure(what: impl Into<String>, reason: impl ToString) -> MeasureError {
        MeasureError::Measure { what: what.into(), reason: reason.to_string() }
    }
}
