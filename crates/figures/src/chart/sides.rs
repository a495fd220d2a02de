//! Chart of a metric for an arm and its control by search level, with one dot per network. A second
//! plot below shows the difference.

use super::{Frame, Key, Look, legend, mark, shown, whiskers};
use crate::scale::Scale;
use crate::svg::{Anchor, Drawing};
use crate::{Unit, format};
use catapult_stats::Estimate;

/// Estimate for one side (the arm or the control) at one search level.
#[derive(Clone, PartialEq, Debug)]
pub struct Side {
    /// Estimate over all networks that played this side.
    pub estimate: Estimate,
    /// Value and tooltip of each network that played this side.
    pub networks: Vec<(f64, String)>,
}

/// A column of the chart, for one search level (simulations per move).
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Label below the column, such as the search level.
    pub label: String,
    /// Estimates of the arm and of the control at this level. `None` if there is no estimate.
    pub sides: [Option<Side>; 2],
    /// Difference: the arm's value minus the control's.
    pub difference: Estimate,
    /// True if the difference is adjusted, for example to equally strong networks. It is drawn
    /// hollow.
    pub corrected: bool,
}

/// Chart of a claim for which the arm and its control have separate networks.
#[derive(Clone, PartialEq, Debug)]
pub struct Sides {
    /// Names of the upper vertical axis (the metric) and the lower one (the difference).
    pub axes: [String; 2],
    /// Unit of both vertical axes.
    pub unit: Unit,
    /// Look and name of the arm, then of the control. The control is missing if the arm is compared
    /// with a fixed value.
    pub keys: Vec<(Look, String)>,
    /// Fixed value that the arm is compared with, drawn as a horizontal line.
    pub fixed: Option<f64>,
    /// Smallest effect of interest, in `unit`. A pale band shows the smaller differences.
    pub smallest: f64,
    /// Columns from left to right: search levels, then the difference at equal strength if there is
    /// one.
    pub columns: Vec<Column>,
}

const WIDTH: f64 = 580.0;
const PLOTS: [f64; 2] = [190.0, 130.0];
const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

impl Sides {
    /// Draws the chart with its legend.
    pub fn draw(&self) -> Drawing {
        let keys: Vec<Key> = self.keys.iter().map(|(look, name)| (Some(*look), name.clone())).collect();
        let legend = legend(&keys, WIDTH);
        let upper = Frame::new(0.0, WIDTH - 8.0, (legend.height + 6.0, PLOTS[0]), ("", &self.axes[0]));
        let names = ("simulations per move", self.axes[1].as_str());
        let lower = Frame::new(0.0, WIDTH - 8.0, (upper.bottom() + 4.0, PLOTS[1]), names);
        // Both plots have the same left edge.
        let left = upper.x[0].max(lower.x[0]);
        let [upper, lower] = [upper, lower].map(|frame| Frame { x: [left, frame.x[1]], ..frame });
        let mut drawing = Drawing::new(WIDTH, lower.bottom());
        drawing.place((0.0, 0.0), &legend);
        self.values(&mut drawing, &upper);
        self.differences(&mut drawing, &lower);
        drawing
    }

    /// Returns a function that converts a column's index to the horizontal coordinate of the
    /// column's middle, in pixels.
    fn middles(&self, frame: &Frame) -> impl Fn(usize) -> f64 {
        let ([left, right], columns) = (frame.x, self.columns.len().max(1) as f64);
        move |column| left + (column as f64 + 0.5) * (right - left) / columns
    }

    fn values(&self, drawing: &mut Drawing, frame: &Frame) {
        let sides = || self.columns.iter().flat_map(|column| column.sides.iter().flatten());
        let mut also: Vec<f64> =
            sides().flat_map(|side| side.networks.iter().map(|(value, _)| *value)).collect();
        also.extend(self.fixed);
        let domain = shown(sides().map(|side| &side.estimate), &also, self.unit.limits());
        let scale = Scale { domain, range: [frame.y[1], frame.y[0]] };
        frame.vertical(drawing, &scale, self.unit);
        if let Some(fixed) = self.fixed {
            let y = scale.at(fixed);
            drawing.line("mark thin dash", (frame.x[0], y), (frame.x[1], y));
        }
        frame.base(drawing);
        let middle = self.middles(frame);
        for (i, column) in self.columns.iter().enumerate() {
            if column.sides.iter().any(Option::is_some) {
                drawing.text("", (middle(i), frame.y[1] + 10.0), Anchor::Middle, &column.label);
            }
            for (k, side) in column.sides.iter().enumerate() {
                let (Some(side), Some((look, name))) = (side, self.keys.get(k)) else { continue };
                let x = middle(i) + if self.keys.len() > 1 { [-20.0, 20.0][k] } else { 0.0 };
                for (n, (value, tip)) in side.networks.iter().enumerate() {
                    // Networks are side by side. A seed has the same place on both sides.
                    let aside = (n as f64 - (side.networks.len() as f64 - 1.0) / 2.0)
                        * (18.0 / side.networks.len() as f64).min(6.0);
                    let at = (x - 8.0 + aside, scale.clamped(*value));
                    drawing.circle(&format!("f{} faint", look.color()), at, 3.0, tip);
                }
                let at = |y: f64, across: f64| (x + 8.0 + across, y);
                whiskers(drawing, look.color(), &side.estimate, &scale, at);
                let tip = format::tip(&format!("{name} at {}", column.label), &side.estimate, self.unit);
                mark(drawing, *look, (side.estimate.value, &scale), at, &tip);
            }
        }
    }

    fn differences(&self, drawing: &mut Drawing, frame: &Frame) {
        let found = self.columns.iter().map(|column| &column.difference);
        let domain = shown(found, &[0.0, self.smallest, -self.smallest], ANY);
        let scale = Scale { domain, range: [frame.y[1], frame.y[0]] };
        if self.smallest > 0.0 {
            let [low, high] = [-self.smallest, self.smallest].map(|end| scale.clamped(end));
            let tip = format!("differences below {}", format::difference(self.smallest, self.unit));
            drawing.rect("band", (frame.x[0], high), (frame.x[1] - frame.x[0], low - high), &tip);
        }
        frame.vertical(drawing, &scale, self.unit);
        let zero = scale.at(0.0);
        drawing.line("mark thin", (frame.x[0], zero), (frame.x[1], zero));
        frame.base(drawing);
        let middle = self.middles(frame);
        for (i, column) in self.columns.iter().enumerate() {
            drawing.text("", (middle(i), frame.y[1] + 10.0), Anchor::Middle, &column.label);
            let Some((look, _)) = self.keys.first() else { continue };
            let look = if column.corrected { Look { fill: super::Fill::Hollow, ..*look } } else { *look };
            let found = &column.difference;
            let at = |y: f64, across: f64| (middle(i) + across, y);
            whiskers(drawing, look.color(), found, &scale, at);
            let tip = format::difference_tip(&column.label, found, self.unit);
            mark(drawing, look, (found.value, &scale), at, &tip);
        }
    }
}
