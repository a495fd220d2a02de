//! Kinds of figures. Each takes plain numbers and looks, and knows nothing of studies.

pub mod board;
pub mod curves;
pub mod dots;
pub mod levels;
pub mod scatter;
pub mod stacked;

use super::format;
use super::scale::{Scale, domain};
use super::svg::{Anchor, Drawing, width_of};
use crate::results::{Estimate, Unit};

/// How a series looks: a colour and a shape, so that none is told by colour alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Its place in the order of arms: colour and shape follow from it.
    pub index: usize,
    /// A second series of the same arm: hollow marks and dashed lines.
    pub hollow: bool,
}

impl Look {
    /// The colour's number in the style sheet.
    pub fn color(self) -> usize {
        self.index % 8
    }

    /// The mark of the series, and what is said of it when it is pointed at.
    pub fn mark(self, drawing: &mut Drawing, (x, y): (f64, f64), tip: &str) {
        let color = self.color();
        let class = if self.hollow { format!("paper s{color} mid") } else { format!("f{color}") };
        let corners = |offsets: &[(f64, f64)]| -> Vec<(f64, f64)> {
            offsets.iter().map(|(dx, dy)| (x + dx, y + dy)).collect()
        };
        // Colours come round after eight, shapes after five: forty series before two look the same.
        match self.index % 5 {
            0 => drawing.circle(&class, (x, y), 3.6, tip),
            1 => drawing.rect(&class, (x - 3.3, y - 3.3), (6.6, 6.6), tip),
            2 => drawing.polygon(&class, &corners(&[(0.0, -4.6), (4.3, 3.2), (-4.3, 3.2)]), tip),
            3 => drawing.polygon(&class, &corners(&[(0.0, -4.8), (4.8, 0.0), (0.0, 4.8), (-4.8, 0.0)]), tip),
            _ => drawing.polygon(&class, &corners(&[(-4.3, -3.2), (4.3, -3.2), (0.0, 4.6)]), tip),
        }
    }

    /// The class of the line of the series.
    pub fn line(self) -> String {
        format!("s{} mid{}", self.color(), if self.hollow { " dash" } else { "" })
    }
}

/// A name in a legend.
#[derive(Clone, PartialEq, Debug)]
pub struct Key {
    look: Look,
    name: String,
    dashed: bool,
}

impl Key {
    /// A name beside its mark.
    pub fn mark(look: Look, name: &str) -> Key {
        Key { look, name: name.to_owned(), dashed: false }
    }

    /// A name beside a dashed line, for a curve without marks.
    pub fn dashed(look: Look, name: &str) -> Key {
        Key { dashed: true, ..Key::mark(look, name) }
    }
}

/// The names of all series, in as many lines as fit the width.
pub fn legend(keys: &[Key], width: f64) -> Drawing {
    let mut drawing = Drawing::new(width, 0.0);
    let (mut x, mut y) = (0.0, 8.0);
    for Key { look, name, dashed } in keys {
        let room = 16.0 + width_of(name, 11.5) + 14.0;
        if x > 0.0 && x + room > width {
            (x, y) = (0.0, y + 17.0);
        }
        if *dashed {
            let class = format!("s{} mid dash", look.color());
            drawing.line(&class, (x - 1.0, y), (x + 12.0, y));
        } else {
            look.mark(&mut drawing, (x + 6.0, y), "");
        }
        drawing.text("small", (x + 15.0, y), Anchor::Start, name);
        x += room;
    }
    drawing.height = if keys.is_empty() { 0.0 } else { y + 12.0 };
    drawing
}

/// The frame of a plot: where its values stand, in pixels.
pub struct Frame {
    /// Left and right.
    pub x: [f64; 2],
    /// Top and bottom.
    pub y: [f64; 2],
}

impl Frame {
    /// The vertical axis: faint lines, labels, and its name along it.
    pub fn vertical(&self, drawing: &mut Drawing, scale: &Scale, unit: Unit, name: &str) {
        let (ticks, step) = scale.ticks(5);
        for tick in ticks {
            let y = scale.at(tick);
            drawing.line("grid", (self.x[0], y), (self.x[1], y));
            drawing.text("small", (self.x[0] - 6.0, y), Anchor::End, &format::tick(tick, step, unit));
        }
        drawing.line("axis", (self.x[0], self.y[0]), (self.x[0], self.y[1]));
        if !name.is_empty() {
            drawing.upwards("small dim", (self.x[0] - 44.0, (self.y[0] + self.y[1]) / 2.0), name);
        }
    }

    /// The horizontal axis.
    pub fn horizontal(&self, drawing: &mut Drawing, scale: &Scale, unit: Unit, name: &str) {
        let (ticks, step) = scale.ticks(6);
        for tick in ticks {
            let x = scale.at(tick);
            drawing.line("grid", (x, self.y[0]), (x, self.y[1]));
            drawing.text("small", (x, self.y[1] + 10.0), Anchor::Middle, &format::tick(tick, step, unit));
        }
        drawing.line("axis", (self.x[0], self.y[1]), (self.x[1], self.y[1]));
        if !name.is_empty() {
            drawing.text(
                "small dim",
                ((self.x[0] + self.x[1]) / 2.0, self.y[1] + 26.0),
                Anchor::Middle,
                name,
            );
        }
    }
}

/// The limits of values of a unit.
pub fn limits(unit: Unit) -> [f64; 2] {
    match unit {
        Unit::Share => [0.0, 1.0],
        Unit::Plies | Unit::Nats => [0.0, f64::INFINITY],
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    }
}

/// A domain that shows these estimates, and these values too.
pub fn shown<'a>(
    estimates: impl Iterator<Item = &'a Estimate> + Clone,
    also: &[f64],
    limits: [f64; 2],
) -> [f64; 2] {
    let core = estimates.clone().flat_map(|e| [e.value, e.agents[0], e.agents[1]]);
    let outer = estimates.filter_map(|e| e.rule).flatten();
    domain(core.chain(also.iter().copied()), outer, limits)
}

/// Whiskers along an axis: thick for these agents, thin for the rule. An end outside the plot has no cap.
pub fn whiskers(
    drawing: &mut Drawing,
    color: usize,
    estimate: &Estimate,
    scale: &Scale,
    at: impl Fn(f64, f64) -> (f64, f64),
) {
    let mut bar = |ends: [f64; 2], class: &str, cap: f64| {
        if ends.iter().any(|end| end.is_nan()) {
            return;
        }
        let class = format!("s{color} {class}");
        let [low, high] = ends.map(|end| scale.clamped(end));
        drawing.line(&class, at(low, 0.0), at(high, 0.0));
        for (end, pixel) in [(ends[0], low), (ends[1], high)] {
            if cap > 0.0 && scale.holds(end) {
                drawing.line(&class, at(pixel, -cap), at(pixel, cap));
            }
        }
    };
    if let Some(rule) = estimate.rule {
        bar(rule, "thin", 2.5);
    }
    bar(estimate.agents, "thick", 0.0);
}
