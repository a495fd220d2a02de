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
    /// The evaluation of a position by a network failed.
    #[error(transparent)]
    Evaluation(#[from] catapult_mcts::EvaluationError),
}
