//! A metric at each search level: a column a level, the series side by side in it.

use super::{Frame, Key, Look, Whiskers, legend, limits, mark, shown};
use crate::Unit;
use crate::format;
use crate::scale::Scale;
use crate::svg::{Anchor, Drawing};
use catapult_stats::Estimate;

/// A column: its label, and whether lines lead to the next one (levels of the same checkpoint).
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Simulations a move, with `early` where it is an earlier checkpoint.
    pub label: String,
    /// Whether it belongs to the curve.
    pub joined: bool,
}

/// One series: its look, its name, and an estimate a column where there is one.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// How it looks.
    pub look: Look,
    /// Its name.
    pub name: String,
    /// As many as columns.
    pub points: Vec<Option<Estimate>>,
    /// Columns at which the page tells not to rely on it: they do not set the axis.
    pub doubted: Vec<usize>,
}

impl Series {
    /// The estimates that may be relied on.
    fn told(&self) -> impl Iterator<Item = &Estimate> + Clone {
        let relied = self.points.iter().enumerate().filter(|(i, _)| !self.doubted.contains(i));
        relied.filter_map(|(_, point)| point.as_ref())
    }
}

/// A metric over levels.
#[derive(Clone, PartialEq, Debug)]
pub struct Levels {
    /// The name of the vertical axis.
    pub axis: String,
    /// In what it is measured.
    pub unit: Unit,
    /// The columns, weakest first.
    pub columns: Vec<Column>,
    /// The series, in the order of the legend.
    pub series: Vec<Series>,
    /// A value that means something, e.g. an even score.
    pub baseline: Option<f64>,
    /// The range of the vertical axis, where several charts share one.
    pub domain: Option<[f64; 2]>,
}

const WIDTH: f64 = 470.0;
const PLOT: f64 = 210.0;

impl Levels {
    /// The range that shows everything in these charts.
    pub fn domain_of<'a>(charts: impl Iterator<Item = &'a Levels> + Clone) -> [f64; 2] {
        let unit = charts.clone().next().map_or(Unit::Ratio, |chart| chart.unit);
        let baselines: Vec<f64> = charts.clone().filter_map(|chart| chart.baseline).collect();
        let told = charts.clone().flat_map(|c| c.series.iter().flat_map(Series::told));
        let any = charts.flat_map(|c| c.series.iter().flat_map(|s| s.points.iter().flatten()));
        if told.clone().next().is_some() {
            shown(told, &baselines, limits(unit))
        } else {
            shown(any, &baselines, limits(unit))
        }
    }

    /// Draws it.
    pub fn draw(&self) -> Drawing {
        let keys: Vec<Key> = self.series.iter().map(|s| Key::mark(s.look, &s.name)).collect();
        let legend = legend(&keys, WIDTH);
        let names = ("simulations a move", self.axis.as_str());
        let frame = Frame::new(0.0, WIDTH - 6.0, (legend.height + 6.0, PLOT), names);
        let mut drawing = Drawing::new(WIDTH, frame.bottom());
        drawing.place((0.0, 0.0), &legend);
        let domain = self.domain.unwrap_or_else(|| Levels::domain_of(std::iter::once(self)));
        let scale = Scale { domain, range: [frame.y[1], frame.y[0]] };
        frame.vertical(&mut drawing, &scale, self.unit);
        if let Some(baseline) = self.baseline {
            let y = scale.at(baseline);
            drawing.line("mark hair dash", (frame.x[0], y), (frame.x[1], y));
        }
        frame.base(&mut drawing);
        let column_width = (frame.x[1] - frame.x[0]) / self.columns.len().max(1) as f64;
        for (i, column) in self.columns.iter().enumerate() {
            let middle = frame.x[0] + (i as f64 + 0.5) * column_width;
            drawing.text("", (middle, frame.y[1] + 10.0), Anchor::Middle, &column.label);
            if i > 0 && self.columns[i - 1].joined != column.joined {
                let x = middle - column_width / 2.0;
                drawing.line("axis dots", (x, frame.y[0]), (x, frame.y[1]));
            }
        }
        let step = (0.8 * column_width / self.series.len().max(1) as f64).min(14.0);
        for (k, series) in self.series.iter().enumerate() {
            let shift = (k as f64 - (self.series.len() as f64 - 1.0) / 2.0) * step;
            let x = |column: usize| (frame.x[0] + (column as f64 + 0.5) * column_width + shift).round();
            self.series(&mut drawing, series, &scale, x);
        }
        drawing
    }

    fn series(&self, drawing: &mut Drawing, series: &Series, scale: &Scale, x: impl Fn(usize) -> f64) {
        // Lines lead through the levels that were played; a gap stays a gap.
        let mut run = Vec::new();
        for (i, point) in series.points.iter().enumerate() {
            match point {
                Some(estimate) if self.columns[i].joined => {
                    run.push((x(i), scale.clamped(estimate.value).round()))
                }
                _ => drawing.polyline(&format!("{} hair", series.look.line()), &std::mem::take(&mut run)),
            }
        }
        drawing.polyline(&format!("{} hair", series.look.line()), &run);
        let mut whiskers = Whiskers::default();
        for (i, point) in series.points.iter().enumerate() {
            if let Some(estimate) = point {
                whiskers.add(estimate, scale, |y, across| (x(i) + across, y));
            }
        }
        whiskers.draw(drawing, series.look.color());
        for (i, point) in series.points.iter().enumerate() {
            let Some(estimate) = point else { continue };
            let at = |y: f64, across: f64| (x(i) + across, y);
            let name = format!("{} at {}", series.name, self.columns[i].label);
            let tip = format::tip(&name, estimate, self.unit);
            mark(drawing, series.look, (estimate.value, scale), at, &tip);
        }
    }
}
