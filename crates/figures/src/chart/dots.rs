//! Charts of estimates in groups, on one horizontal axis. Each estimate has its own line.

use super::{Frame, Look, mark, shown, whiskers};
use crate::scale::Scale;
use crate::svg::{Anchor, Drawing, width_of};
use crate::{Unit, format};
use catapult_stats::Estimate;

/// An estimate, drawn on a line of its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Dot {
    /// Colour and shape of the mark.
    pub look: Look,
    /// Name to the left of the estimate. Empty if a legend shows the name.
    pub name: String,
    /// The estimate and its intervals.
    pub estimate: Estimate,
    /// True if the page warns against relying on the estimate. The estimate then does not affect
    /// the range of the axis.
    pub doubted: bool,
}

/// A chart of estimates in groups.
#[derive(Clone, PartialEq, Debug)]
pub struct Dots {
    /// Name of the horizontal axis.
    pub axis: String,
    /// Unit of the horizontal axis.
    pub unit: Unit,
    /// True if the estimates are differences. Their numbers are then printed with a sign.
    pub differences: bool,
    /// Value at which a vertical reference line is drawn, such as 0 for differences.
    pub zero: Option<f64>,
    /// Range `[low, high]` shown as a pale band, such as differences that are too small to matter.
    pub band: Option<[f64; 2]>,
    /// True if each line ends with the text of the estimate and its interval.
    pub numbers: bool,
    /// Groups from the top: the group's name and its estimates.
    pub groups: Vec<(String, Vec<Dot>)>,
    /// Width of the chart in pixels.
    pub width: f64,
}

impl Dots {
    /// Draws the chart. It has no legend.
    pub fn draw(&self) -> Drawing {
        let dots = || self.groups.iter().flat_map(|(_, dots)| dots);
        let named = dots().any(|dot| !dot.name.is_empty());
        let longest = |names: &mut dyn Iterator<Item = &String>, size: f64| {
            names.map(|name| width_of(name, size)).fold(0.0, f64::max)
        };
        let group_width = longest(&mut self.groups.iter().map(|(name, _)| name), 12.0);
        let name_width = longest(&mut dots().map(|dot| &dot.name), 12.0);
        let left = group_width + name_width + if named && group_width > 0.0 { 26.0 } else { 14.0 };
        let numbers = dots().map(|dot| width_of(&self.number(&dot.estimate), 12.0)).fold(0.0, f64::max);
        let right = if self.numbers { numbers + 14.0 } else { 12.0 };
        let line = if named { 19.0 } else { 10.0 };
        let gap = 10.0;
        let height: f64 = self.groups.iter().map(|(_, dots)| dots.len() as f64 * line + gap).sum();
        // Rows have names of their own, so the vertical axis has none.
        let frame =
            Frame::new(left - 42.0, (self.width - right).max(left + 80.0), (4.0, height), (&self.axis, ""));
        let mut drawing = Drawing::new(self.width, frame.bottom());
        let also: Vec<f64> = self.zero.into_iter().chain(self.band.into_iter().flatten()).collect();
        let none_told = dots().all(|dot| dot.doubted);
        // If no estimate is reliable, the intervals for other seeds are the least reliable.
        let rule = |estimate: Estimate| if none_told { None } else { estimate.rule };
        let told = dots().filter(|dot| none_told || !dot.doubted);
        let told: Vec<Estimate> =
            told.map(|dot| Estimate { rule: rule(dot.estimate), ..dot.estimate }).collect();
        let domain = shown(told.iter(), &also, [f64::NEG_INFINITY, f64::INFINITY]);
        let scale = Scale { domain, range: frame.x };
        if let Some([low, high]) = self.band {
            let (low, high) = (scale.clamped(low), scale.clamped(high));
            drawing.rect("band", (low, frame.y[0]), (high - low, height), "");
        }
        frame.horizontal(&mut drawing, &scale, self.unit);
        if let Some(zero) = self.zero {
            let x = scale.at(zero);
            drawing.line("mark thin", (x, frame.y[0]), (x, frame.y[1]));
        }
        let mut y = frame.y[0] + gap / 2.0;
        for (i, (name, dots)) in self.groups.iter().enumerate() {
            let tall = dots.len() as f64 * line;
            drawing.text("", (0.0, y + tall.min(line) / 2.0), Anchor::Start, name);
            if i > 0 {
                drawing.line("grid", (0.0, y - gap / 2.0), (frame.x[1], y - gap / 2.0));
            }
            for dot in dots {
                self.dot(&mut drawing, dot, &scale, &frame, y + line / 2.0, name);
                y += line;
            }
            y += gap;
        }
        drawing
    }

    fn dot(&self, drawing: &mut Drawing, dot: &Dot, scale: &Scale, frame: &Frame, y: f64, group: &str) {
        let estimate = &dot.estimate;
        drawing.text("dim", (frame.x[0] - 10.0, y), Anchor::End, &dot.name);
        whiskers(drawing, dot.look.color(), estimate, scale, |x, across| (x, y + across));
        let name = [group, &dot.name].into_iter().filter(|n| !n.is_empty()).collect::<Vec<_>>().join(", ");
        let tip = if self.differences { format::difference_tip } else { format::tip };
        let tip = tip(&name, estimate, self.unit);
        mark(drawing, dot.look, (estimate.value, scale), |x, across| (x, y + across), &tip);
        if self.numbers {
            drawing.text("", (frame.x[1] + 10.0, y), Anchor::Start, &self.number(estimate));
        }
    }

    /// Returns the text at the end of a line: the estimate and its interval for these networks.
    fn number(&self, estimate: &Estimate) -> String {
        if self.differences {
            let ends = format::difference_interval(estimate.agents, self.unit);
            format!("{} {ends}", format::difference(estimate.value, self.unit))
        } else {
            let ends = format::interval(estimate.agents, self.unit);
            format!("{} {ends}", format::number(estimate.value, self.unit))
        }
    }
}
