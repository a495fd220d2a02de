//! The figures that curves belong to.

use super::findings::Figure;
use crate::results::{Curve, FigureInfo};

const FIGURES: &[Figure] = &[
    super::openings::FIGURE,
    super::priors::FIGURE,
    super::comebacks::FIGURE,
    super::leads::FIGURE,
    super::calibration::FIGURE,
    super::thinking::FIGURE,
];

/// What is known of the figures that have curves.
pub(super) fn used(curves: &[Curve]) -> Vec<FigureInfo> {
    let has_curve = |figure: &&Figure| curves.iter().any(|curve| curve.figure == figure.id);
    let info = |figure: &Figure| {
        let Figure { id, title, x, y, unit, chapter, caption } = *figure;
        let [id, title, x, y, caption] = [id, title, x, y, caption].map(str::to_owned);
        FigureInfo { id, title, x, y, unit, chapter, caption }
    };
    FIGURES.iter().filter(has_curve).map(info).collect()
}
