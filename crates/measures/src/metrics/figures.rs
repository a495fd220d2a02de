//! The figures that curves belong to.

use crate::results::FigureInfo;

/// Every figure of curves, in the order in which they are read.
pub const FIGURES: &[FigureInfo] = &[
    super::openings::FIGURE,
    super::priors::FIGURE,
    super::comebacks::FIGURE,
    super::leads::FIGURE,
    super::calibration::FIGURE,
    super::thinking::FIGURE,
];

/// A figure by its id.
pub fn figure(id: &str) -> Option<&'static FigureInfo> {
    FIGURES.iter().find(|figure| figure.id == id)
}
