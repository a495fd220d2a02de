//! Charts of curves in panels that share both axes. Ribbons show the curves' intervals.

use super::{Frame, Key, Look, legend, shown};
use crate::scale::{Scale, domain};
use crate::svg::{Anchor, Drawing};
use crate::{Unit, format};
use catapult_stats::Estimate;

/// A curve with an estimate and its intervals at each point.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Colour and pattern of the line, and shape of the marks.
    pub look: Look,
    /// Name of the curve in the legend.
    pub name: String,
    /// True for a reference curve, such as the entropy of uniform play. It is dotted and has no
    /// marks. Its name is in the legend above all panels instead of the panel's legend.
    pub reference: bool,
    /// Points: the value on the horizontal axis, and the estimate on the vertical axis.
    pub points: Vec<(f64, Estimate)>,
}

/// A panel of a chart: curves in one frame, with a title and a legend.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// Title above the panel. An empty title takes no space.
    pub title: String,
    /// Curves of the panel, in the order of its legend.
    pub curves: Vec<Curve>,
}

/// A chart of panels that share both axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Curves {
    /// Name of the horizontal axis.
    pub x: String,
    /// Name of the vertical axis.
    pub y: String,
    /// Unit of the vertical axis.
    pub unit: Unit,
    /// Rows of at most three panels, from the top. Rows may have different lengths.
    pub rows: Vec<Vec<Panel>>,
}

impl Curves {
    /// Draws all panels with their legends.
    pub fn draw(&self) -> Drawing {
        let across = self.rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let (width, plot) = match across {
            1 => (560.0, 250.0),
            2 => (470.0, 220.0),
            _ => (313.0, 165.0),
        };
        let all = || self.rows.iter().flatten().flat_map(|p| &p.curves);
        let estimates = all().flat_map(|c| c.points.iter().map(|(_, estimate)| estimate));
        let vertical = shown(estimates, &[], self.unit.limits());
        let places = all().flat_map(|c| c.points.iter().map(|(x, _)| *x));
        let horizontal = domain(places, [], [f64::NEG_INFINITY, f64::INFINITY]);
        let mut references: Vec<&str> = Vec::new();
        for curve in all().filter(|curve| curve.reference) {
            if !references.contains(&curve.name.as_str()) {
                references.push(&curve.name);
            }
        }
        let keys: Vec<Key> = references.into_iter().map(|name| (None, name.to_owned())).collect();
        let key = legend(&keys, across as f64 * width);
        let mut drawing = Drawing::new(across as f64 * width, key.height);
        drawing.place((0.0, 0.0), &key);
        for row in &self.rows {
            // Plots of a row are aligned even if one has a longer legend.
            let legends = row.iter().map(|panel| panel.legend(width).height).fold(0.0, f64::max);
            let mut bottom = drawing.height;
            for (i, panel) in row.iter().enumerate() {
                let panel = self.panel(panel, (width, plot), legends, horizontal, vertical);
                drawing.place((i as f64 * width, drawing.height), &panel);
                bottom = f64::max(bottom, drawing.height + panel.height + 8.0);
            }
            drawing.height = bottom;
        }
        drawing
    }

    fn panel(
        &self,
        panel: &Panel,
        (width, plot): (f64, f64),
        legends: f64,
        x: [f64; 2],
        y: [f64; 2],
    ) -> Drawing {
        let head = if panel.title.is_empty() { 0.0 } else { 20.0 };
        let top = head + legends + 6.0;
        let frame = Frame::new(0.0, width - 14.0, (top, plot), (&self.x, &self.y));
        let mut drawing = Drawing::new(width, frame.bottom());
        if head > 0.0 {
            drawing.text("strong", (0.0, 8.0), Anchor::Start, &panel.title);
        }
        drawing.place((0.0, head), &panel.legend(width));
        let vertical = Scale { domain: y, range: [frame.y[1], frame.y[0]] };
        let horizontal = Scale { domain: x, range: frame.x };
        frame.vertical(&mut drawing, &vertical, self.unit);
        frame.horizontal(&mut drawing, &horizontal, Unit::Ratio);
        // Coordinates are whole pixels, as for all elements that occur by the thousand.
        let at = |x: f64, y: f64| (horizontal.at(x).round(), vertical.clamped(y).round());
        for curve in panel.curves.iter().filter(|c| !c.reference) {
            let color = curve.look.color();
            ribbon(&mut drawing, &format!("f{color} wide"), curve, at, |e| e.rule);
            ribbon(&mut drawing, &format!("f{color} ribbon"), curve, at, |e| Some(e.agents));
        }
        for curve in &panel.curves {
            let points: Vec<_> = curve.points.iter().map(|(x, e)| at(*x, e.value)).collect();
            let line =
                if curve.reference { format!("s{} mid dots", curve.look.color()) } else { curve.look.line() };
            drawing.polyline(&line, &points);
            // Marks distinguish the curves. More than a dozen would hide them.
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

impl Panel {
    fn legend(&self, width: f64) -> Drawing {
        let marked = self.curves.iter().filter(|curve| !curve.reference);
        let keys: Vec<Key> = marked.map(|curve| (Some(curve.look), curve.name.clone())).collect();
        legend(&keys, width - 20.0)
    }
}

/// Draws the area between the lower and upper ends of a curve's intervals. Points for which `ends`
/// returns `None` are skipped. `at` converts values on the axes to pixels.
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
