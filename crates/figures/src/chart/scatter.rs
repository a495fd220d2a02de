//! Scatter plots of two metrics, with fitted lines.

use super::{Frame, Key, Look, legend, shown, whiskers};
use crate::scale::Scale;
use crate::svg::Drawing;
use crate::{Unit, format};
use catapult_stats::Estimate;

/// A point of a scatter plot, with an interval in each direction.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Colour and shape of the mark.
    pub look: Look,
    /// Name of the point in the tooltip.
    pub name: String,
    /// Estimate on the horizontal axis.
    pub x: Estimate,
    /// Estimate on the vertical axis.
    pub y: Estimate,
}

/// A straight line y = intercept + slope x, drawn over a range of x.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Line {
    /// Colour and pattern of the line.
    pub look: Look,
    /// Value of y at x = 0.
    pub intercept: f64,
    /// Change of y per unit of x.
    pub slope: f64,
    /// Smallest and largest x of the drawn line.
    pub range: [f64; 2],
}

/// A scatter plot with lines and a legend.
#[derive(Clone, PartialEq, Debug)]
pub struct Scatter {
    /// Name of the horizontal axis.
    pub x: String,
    /// Unit of the horizontal axis.
    pub x_unit: Unit,
    /// Name of the vertical axis.
    pub y: String,
    /// Unit of the vertical axis.
    pub y_unit: Unit,
    /// Entries of the legend.
    pub keys: Vec<Key>,
    /// Points of the plot. The axes' ranges are chosen from them.
    pub points: Vec<Point>,
    /// Lines, drawn below the points. They end at the frame.
    pub lines: Vec<Line>,
}

const WIDTH: f64 = 640.0;
const PLOT: f64 = 330.0;

impl Scatter {
    /// Draws the chart with its legend.
    pub fn draw(&self) -> Drawing {
        let legend = legend(&self.keys, WIDTH);
        let top = legend.height + 6.0;
        let frame = Frame::new(0.0, WIDTH - 14.0, (top, PLOT), (&self.x, &self.y));
        let mut drawing = Drawing::new(WIDTH, frame.bottom());
        drawing.place((0.0, 0.0), &legend);
        let x_domain = shown(self.points.iter().map(|p| &p.x), &[], self.x_unit.limits());
        let y_domain = shown(self.points.iter().map(|p| &p.y), &[], self.y_unit.limits());
        let x = Scale { domain: x_domain, range: frame.x };
        let y = Scale { domain: y_domain, range: [frame.y[1], frame.y[0]] };
        frame.vertical(&mut drawing, &y, self.y_unit);
        frame.horizontal(&mut drawing, &x, self.x_unit);
        for line in &self.lines {
            // A line ends at the lower or upper edge of the frame instead of following it.
            let at = |x: f64| line.intercept + line.slope * x;
            let cut = |value: f64| {
                let inside = at(value).clamp(y_domain[0], y_domain[1]);
                if line.slope == 0.0 { value } else { (inside - line.intercept) / line.slope }
            };
            let [from, to] = line.range.map(cut);
            let ends = [from, to].map(|end| (x.at(end), y.clamped(at(end))));
            drawing.polyline(&line.look.line(), &ends);
        }
        for point in &self.points {
            let (px, py) = (x.clamped(point.x.value), y.clamped(point.y.value));
            let color = point.look.color();
            // Horizontally, only these networks' interval is shown, because strength is a
            // measurement and no claim about a rule. The whisker is thin, so it is passed as the
            // interval for other seeds.
            let across = Estimate { rule: Some(point.x.agents), agents: [f64::NAN; 2], ..point.x };
            whiskers(&mut drawing, color, &across, &x, |at, aside| (at, py + aside));
            whiskers(&mut drawing, color, &point.y, &y, |at, aside| (px + aside, at));
            let right = format::value(point.x.value, self.x_unit);
            let up = format::value(point.y.value, self.y_unit);
            let tip = format!("{}: {right}, {up}", point.name);
            point.look.mark(&mut drawing, (px, py), &tip);
        }
        drawing
    }
}
