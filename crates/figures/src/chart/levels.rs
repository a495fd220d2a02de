//! Chart of a metric by search level (simulations per move), with one column per level. Several
//! series are side by side in each column.

use super::{Frame, Key, Look, Whiskers, legend, mark, shown};
use crate::scale::Scale;
use crate::svg::{Anchor, Drawing};
use crate::{Unit, format};
use catapult_stats::Estimate;

/// A column for one search level (simulations per move).
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Label below the column: simulations per move, with `early` if the networks are of an earlier
    /// checkpoint.
    pub label: String,
    /// True if lines connect the column's estimates to neighbouring columns. All such columns show
    /// the same checkpoint of the networks.
    pub joined: bool,
}

/// A series of estimates, one per column.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Colour and pattern of the line, and shape of the marks.
    pub look: Look,
    /// Name of the series in the legend.
    pub name: String,
    /// Estimates in the order of the columns. `None` if a level has no estimate. The flag is true if
    /// the page warns against the estimate. Such an estimate does not affect the range of the
    /// vertical axis, unless all are such.
    pub points: Vec<Option<(Estimate, bool)>>,
}

/// A chart of a metric by search level.
#[derive(Clone, PartialEq, Debug)]
pub struct Levels {
    /// Name of the vertical axis.
    pub axis: String,
    /// Unit of the vertical axis.
    pub unit: Unit,
    /// Columns, from the weakest level to the strongest.
    pub columns: Vec<Column>,
    /// Series, in the order of the legend.
    pub series: Vec<Series>,
    /// Value at which a horizontal reference line is drawn, such as 0.5 for an even score.
    pub baseline: Option<f64>,
}

const WIDTH: f64 = 470.0;
const PLOT: f64 = 210.0;

impl Levels {
    /// Returns the range `[low, high]` of the vertical axis.
    fn domain(&self) -> [f64; 2] {
        let points = self.series.iter().flat_map(|s| s.points.iter().flatten());
        let all_doubted = points.clone().all(|(_, is_doubted)| *is_doubted);
        let told = points.filter(|(_, is_doubted)| all_doubted || !is_doubted);
        shown(told.map(|(estimate, _)| estimate), self.baseline.as_slice(), self.unit.limits())
    }

    /// Draws the chart with its legend.
    pub fn draw(&self) -> Drawing {
        let keys: Vec<Key> = self.series.iter().map(|s| (Some(s.look), s.name.clone())).collect();
        let legend = legend(&keys, WIDTH);
        let names = ("simulations per move", self.axis.as_str());
        let frame = Frame::new(0.0, WIDTH - 6.0, (legend.height + 6.0, PLOT), names);
        let mut drawing = Drawing::new(WIDTH, frame.bottom());
        drawing.place((0.0, 0.0), &legend);
        let scale = Scale { domain: self.domain(), range: [frame.y[1], frame.y[0]] };
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
        // Lines connect consecutive levels with an estimate. A gap stays a gap.
        let mut run = Vec::new();
        for (i, point) in series.points.iter().enumerate() {
            match point {
                Some((estimate, _)) if self.columns[i].joined => {
                    run.push((x(i), scale.clamped(estimate.value).round()))
                }
                _ => drawing.polyline(&format!("{} hair", series.look.line()), &std::mem::take(&mut run)),
            }
        }
        drawing.polyline(&format!("{} hair", series.look.line()), &run);
        let mut whiskers = Whiskers::default();
        for (i, point) in series.points.iter().enumerate() {
            if let Some((estimate, _)) = point {
                whiskers.add(estimate, scale, |y, across| (x(i) + across, y));
            }
        }
        whiskers.draw(drawing, series.look.color());
        for (i, point) in series.points.iter().enumerate() {
            let Some((estimate, _)) = point else { continue };
            let at = |y: f64, across: f64| (x(i) + across, y);
            let name = format!("{} at {}", series.name, self.columns[i].label);
            let tip = format::tip(&name, estimate, self.unit);
            mark(drawing, series.look, (estimate.value, scale), at, &tip);
        }
    }
}
