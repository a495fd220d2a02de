//! Curves of a run's losses over its generations.

use super::axis::generations;
use catapult_figures::chart::{Fill, Frame, Key, Look, legend};
use catapult_figures::scale::{Scale, domain};
use catapult_figures::svg::{Anchor, Drawing};
use catapult_figures::{Unit, format};

/// Curve: its name, the index of its colour, and its points. A point is a generation and the value
/// at the generation's end.
pub(super) type Curve<'a> = (&'a str, usize, Vec<(u32, f64)>);

/// Height of the plot in pixels.
const PLOT: f64 = 105.0;

/// Draws a panel with curves over the generations up to `last`, with values in nats. Two or more
/// curves get a legend.
pub(super) fn curves(last: u32, title: &str, width: f64, curves: &[Curve]) -> Drawing {
    let look = |color: usize| Look { index: color, fill: Fill::Full };
    let keys: Vec<Key> = match curves {
        [_] => Vec::new(),
        several => several.iter().map(|(name, color, _)| (Some(look(*color)), name.to_string())).collect(),
    };
    let keys = legend(&keys, width);
    let frame = Frame::new(0.0, width - 14.0, (20.0 + keys.height, PLOT), ("generation", ""));
    let mut drawing = Drawing::new(width, frame.bottom());
    drawing.text("strong", (0.0, 8.0), Anchor::Start, title);
    drawing.place((0.0, 18.0), &keys);
    let values = curves.iter().flat_map(|(_, _, points)| points.iter().map(|point| point.1));
    let vertical =
        Scale { domain: domain(values, [], [0.0, f64::INFINITY]), range: [frame.y[1], frame.y[0]] };
    frame.vertical(&mut drawing, &vertical, Unit::Ratio);
    let horizontal = generations(&mut drawing, &frame, [1, last]);
    for (name, color, points) in curves {
        let at = |point: &(u32, f64)| (horizontal.at(point.0.into()), vertical.clamped(point.1));
        let line: Vec<(f64, f64)> = points.iter().map(at).collect();
        drawing.polyline(&look(*color).line(), &line);
        for (place, (generation, value)) in line.into_iter().zip(points) {
            let tip = format!("{name}, generation {generation}: {}", format::number(*value, Unit::Nats));
            look(*color).mark(&mut drawing, place, &tip);
        }
    }
    drawing
}
