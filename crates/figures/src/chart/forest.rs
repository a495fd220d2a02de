//! Forest plots: the effect within each network, the mean effect and reference estimates, on one
//! axis.

use super::{Frame, shown, whiskers};
use crate::scale::Scale;
use crate::svg::{Anchor, Drawing, width_of};
use crate::{Unit, format};
use catapult_stats::Estimate;

/// Kind of estimate in a row. It determines the mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Effect within one network, drawn as a disc.
    Network,
    /// Mean effect, on which the verdict is based, drawn as a wide diamond.
    Mean,
    /// Estimate that is shown for comparison, such as the effect at one search level, drawn as a
    /// square. Its interval does not affect the range of the axis.
    Beside,
}

/// A row of a forest plot, with one estimate.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Kind of the estimate, which determines its mark.
    pub kind: Kind,
    /// Name to the left of the estimate.
    pub name: String,
    /// The estimated difference and its 95 % intervals.
    pub estimate: Estimate,
}

/// A forest plot: rows in groups.
#[derive(Clone, PartialEq, Debug)]
pub struct Forest {
    /// Name of the horizontal axis.
    pub axis: String,
    /// Unit of the horizontal axis.
    pub unit: Unit,
    /// Index of the marks' colour in the style sheet, 0 to 7.
    pub color: usize,
    /// Smallest effect of interest, in `unit`. A pale band shows the smaller differences.
    pub smallest: f64,
    /// Groups from the top: the group's title and its rows.
    pub groups: Vec<(String, Vec<Row>)>,
}

const WIDTH: f64 = 580.0;
const LINE: f64 = 19.0;
const HEAD: f64 = 21.0;
/// Height of a row of kind [`Kind::Mean`], in pixels.
const MEAN: f64 = 26.0;

impl Row {
    fn height(&self) -> f64 {
        if self.kind == Kind::Mean { MEAN } else { LINE }
    }
}

impl Forest {
    /// Draws the plot.
    pub fn draw(&self) -> Drawing {
        let rows = || self.groups.iter().flat_map(|(_, rows)| rows);
        let names = rows().map(|row| width_of(&row.name, 12.0)).fold(0.0, f64::max) + 22.0;
        let numbers = rows().map(|row| width_of(&self.number(row), 12.0)).fold(0.0, f64::max) + 14.0;
        let height = HEAD * self.groups.len() as f64 + rows().map(Row::height).sum::<f64>();
        let right = (WIDTH - numbers).max(names + 120.0);
        let frame = Frame::new(names - 42.0, right, (4.0, height + 6.0), (&self.axis, ""));
        let mut drawing = Drawing::new(frame.x[1] + numbers, frame.bottom());
        // All values and the judged intervals set the axis. Other intervals are cut at its ends.
        let judged = rows().filter(|row| row.kind != Kind::Beside).map(|row| &row.estimate);
        let mean = rows().filter(|row| row.kind == Kind::Mean);
        let mut also: Vec<f64> =
            mean.flat_map(|row| row.estimate.rule.unwrap_or(row.estimate.agents)).collect();
        also.extend([0.0, self.smallest, -self.smallest]);
        also.extend(rows().map(|row| row.estimate.value));
        let scale =
            Scale { domain: shown(judged, &also, [f64::NEG_INFINITY, f64::INFINITY]), range: frame.x };
        if self.smallest > 0.0 {
            let [low, high] = [-self.smallest, self.smallest].map(|end| scale.clamped(end));
            let tip = format!("differences below {}", format::difference(self.smallest, self.unit));
            drawing.rect("band", (low, frame.y[0]), (high - low, height + 6.0), &tip);
        }
        frame.horizontal(&mut drawing, &scale, self.unit);
        let zero = scale.at(0.0);
        drawing.line("mark thin", (zero, frame.y[0]), (zero, frame.y[1]));
        let mut y = frame.y[0] + 2.0;
        for (head, rows) in &self.groups {
            drawing.text("strong halo", (0.0, y + HEAD / 2.0), Anchor::Start, head);
            y += HEAD;
            for row in rows {
                self.row(&mut drawing, row, &scale, &frame, y + row.height() / 2.0);
                y += row.height();
            }
        }
        drawing
    }

    fn row(&self, drawing: &mut Drawing, row: &Row, scale: &Scale, frame: &Frame, y: f64) {
        let estimate = &row.estimate;
        let class = if row.kind == Kind::Mean { "strong" } else { "dim" };
        drawing.text(class, (frame.x[0] - 10.0, y), Anchor::End, &row.name);
        whiskers(drawing, self.color, estimate, scale, |x, across| (x, y + across));
        let tip = format::difference_tip(&row.name, estimate, self.unit);
        let (x, fill) = (scale.clamped(estimate.value), format!("f{}", self.color));
        match row.kind {
            Kind::Network => drawing.circle(&fill, (x, y), 4.0, &tip),
            Kind::Mean => {
                let corners = [(x - 8.0, y), (x, y - 7.0), (x + 8.0, y), (x, y + 7.0)];
                drawing.polygon(&fill, &corners, &tip);
            }
            Kind::Beside => {
                let fill = format!("paper s{} mid", self.color);
                drawing.rect(&fill, (x - 3.5, y - 3.5), (7.0, 7.0), &tip);
            }
        }
        let class = if row.kind == Kind::Mean { "strong" } else { "" };
        drawing.text(class, (frame.x[1] + 10.0, y), Anchor::Start, &self.number(row));
    }

    /// Returns the text at the end of a row: the difference and its interval for other seeds. If
    /// that interval is missing, the interval for these networks replaces it.
    fn number(&self, row: &Row) -> String {
        let Estimate { value, agents, rule } = row.estimate;
        let ends = format::difference_interval(rule.unwrap_or(agents), self.unit);
        format!("{} {ends}", format::difference(value, self.unit))
    }
}
