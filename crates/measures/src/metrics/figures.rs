//! List of all figures of curves.

use crate::results::FigureInfo;

/// Every figure of curves, in the order of the report.
pub const FIGURES: &[FigureInfo] = &[
    super::openings::FIGURE,
    super::priors::FIGURE,
    super::comebacks::FIGURE,
    super::leads::FIGURE,
    super::calibration::FIGURE,
    super::thinking::FIGURE,
];

/// Returns the figure with this id, or `None` if there is none.
pub fn figure(id: &str) -> Option<&'static FigureInfo> {
    FIGURES.iter().find(|figure| figure.id == id)
}
