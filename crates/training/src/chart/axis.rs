//! Horizontal axis of the panels of a run's chart.

use catapult_figures::chart::Frame;
use catapult_figures::scale::Scale;
use catapult_figures::svg::{Anchor, Drawing};

/// Draws the numbers of the generations under a plot, and the names of its axes. Returns the scale
/// that maps the generations `first` to `last` to pixels of the frame.
pub(super) fn generations(drawing: &mut Drawing, frame: &Frame, [first, last]: [u32; 2]) -> Scale {
    let domain = [f64::from(first) - 0.5, f64::from(last.max(1)) + 0.5];
    let scale = Scale { domain, range: frame.x };
    // No number lies between generations.
    for tick in scale.ticks(6).0.into_iter().filter(|tick| tick.fract() == 0.0) {
        drawing.text("", (scale.at(tick), frame.y[1] + 10.0), Anchor::Middle, &format!("{tick:.0}"));
    }
    frame.base(drawing);
    scale
}
