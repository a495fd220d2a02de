//! Curves with ribbons; more than three are told apart in a panel for each, beside the control's.

use super::{Frame, Key, Look, legend, limits, shown};
use crate::report::format;
use crate::report::scale::{Scale, domain};
use crate::report::svg::{Anchor, Drawing};
use crate::results::{Estimate, Unit};

/// One curve.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// How it looks.
    pub look: Look,
    /// Its name in the legend.
    pub name: String,
    /// What it is held against, such as a fair martingale: dashed and without marks.
    pub reference: bool,
    /// Along the axis.
    pub points: Vec<(f64, Estimate)>,
}

/// Curves that share a frame.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// What stands above it; may be empty.
    pub title: String,
    /// Its curves.
    pub curves: Vec<Curve>,
}

/// Panels that share both axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Curves {
    /// The name of the horizontal axis.
    pub x: String,
    /// The name of the vertical axis.
    pub y: String,
    /// In what the vertical axis is measured, where it is known.
    pub unit: Unit,
    /// The panels.
    pub panels: Vec<Panel>,
}

impl Curves {
    /// Draws the panels in rows of at most three.
    pub fn draw(&self) -> Drawing {
        let across = self.panels.len().clamp(1, 3);
        let (width, plot) = match across {
            1 => (560.0, 250.0),
            2 => (460.0, 210.0),
            _ => (312.0, 165.0),
        };
        let all = || self.panels.iter().flat_map(|p| &p.curves);
        let estimates = all().flat_map(|c| c.points.iter().map(|(_, estimate)| estimate));
        let vertical = shown(estimates, &[], limits(self.unit));
        let horizontal = domain(
            all().flat_map(|c| c.points.iter().map(|(x, _)| *x)),
            [],
            [f64::NEG_INFINITY, f64::INFINITY],
        );
        let panels: Vec<Drawing> =
            self.panels.iter().map(|panel| self.panel(panel, width, plot, horizontal, vertical)).collect();
        let mut drawing = Drawing::new(across as f64 * width, 0.0);
        for row in panels.chunks(across) {
            for (i, panel) in row.iter().enumerate() {
                drawing.place((i as f64 * width, drawing.height), panel);
            }
            drawing.height += row.iter().map(|p| p.height).fold(0.0, f64::max) + 6.0;
        }
        drawing
    }

    fn panel(&self, panel: &Panel, width: f64, plot: f64, x: [f64; 2], y: [f64; 2]) -> Drawing {
        let keys: Vec<Key> = panel.curves.iter().map(key).collect();
        let legend = legend(&keys, width - 20.0);
        let head = if panel.title.is_empty() { 0.0 } else { 18.0 };
        let top = head + legend.height + 6.0;
        let frame = Frame { x: [58.0, width - 14.0], y: [top, top + plot] };
        let mut drawing = Drawing::new(width, frame.y[1] + 36.0);
        if head > 0.0 {
            drawing.text("strong", (0.0, 8.0), Anchor::Start, &panel.title);
        }
        drawing.place((0.0, head), &legend);
        let vertical = Scale { domain: y, range: [frame.y[1], frame.y[0]] };
        let horizontal = Scale { domain: x, range: frame.x };
        frame.vertical(&mut drawing, &vertical, self.unit, &self.y);
        frame.horizontal(&mut drawing, &horizontal, Unit::Ratio, &self.x);
        let at = |x: f64, y: f64| (horizontal.at(x), vertical.clamped(y));
        for curve in panel.curves.iter().filter(|c| !c.reference) {
            let color = curve.look.color();
            ribbon(&mut drawing, &format!("f{color} wide"), curve, at, |e| e.rule);
            ribbon(&mut drawing, &format!("f{color} ribbon"), curve, at, |e| Some(e.agents));
        }
        for curve in &panel.curves {
            let points: Vec<_> = curve.points.iter().map(|(x, e)| at(*x, e.value)).collect();
            let dash = if curve.reference { " dash" } else { "" };
            drawing.polyline(&format!("{}{dash}", curve.look.line()), &points);
            // Marks tell the curves apart; more than a dozen would hide them.
            let every = curve.points.len().div_ceil(12).max(1);
            for (i, (x, estimate)) in curve.points.iter().enumerate() {
                if !curve.reference && i % every == 0 {
                    let name = format!("{} at {}", curve.name, format::number(*x, Unit::Ratio));
                    let tip = format::tip(&name, estimate, self.unit);
                    curve.look.mark(&mut drawing, at(*x, estimate.value), &tip);
                }
            }
        }
        drawing
    }
}

fn key(curve: &Curve) -> Key {
    let key = if curve.reference { Key::dashed } else { Key::mark };
    key(curve.look, &curve.name)
}

/// The area between the ends of the intervals, where there are any.
fn ribbon(
    drawing: &mut Drawing,
    class: &str,
    curve: &Curve,
    at: impl Fn(f64, f64) -> (f64, f64),
    ends: impl Fn(&Estimate) -> Option<[f64; 2]>,
) {
    let held: Vec<(f64, [f64; 2])> =
        curve.points.iter().filter_map(|(x, e)| Some((*x, ends(e)?))).filter(|(_, [l, h])| l <= h).collect();
    let mut outline: Vec<_> = held.iter().map(|(x, [low, _])| at(*x, *low)).collect();
    outline.extend(held.iter().rev().map(|(x, [_, high])| at(*x, *high)));
    if held.len() > 1 {
        drawing.polygon(class, &outline, "");
    }
}
