//! The figures that curves belong to.

use crate::results::{Curve, FigureInfo};

/// Figure, title, axes, caption.
type Figure = (&'static str, &'static str, &'static str, &'static str, &'static str);

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
    let has_curve = |figure: &&Figure| curves.iter().any(|curve| curve.figure == figure.0);
    let info = |&(id, title, x, y, caption): &Figure| FigureInfo {
        id: id.to_owned(),
        title: title.to_owned(),
        x: x.to_owned(),
        y: y.to_owned(),
        caption: caption.to_owned(),
    };
    FIGURES.iter().filter(has_curve).map(info).collect()
}
