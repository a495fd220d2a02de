//! Error of this crate.

use crate::data::Cell;

/// Defective games of a cell (one network in one arm at one search level).
#[derive(Debug, thiserror::Error)]
#[error("{cell}: {reason}")]
pub struct MeasureError {
    /// The cell with the defective games.
    pub cell: Box<Cell>,
    /// The game's number, the ply and the defect.
    pub reason: String,
}
