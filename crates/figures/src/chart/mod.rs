//! Charts of plain numbers. They do not depend on the types of studies.

pub mod board;
pub mod curves;
pub mod forest;
pub mod levels;
pub mod scatter;
pub mod sides;
pub mod stacked;
mod whiskers;

use super::format;
use super::scale::{Scale, domain};
use super::svg::{Anchor, Drawing, px, width_of, wrapped};
use crate::Unit;
use catapult_stats::Estimate;
pub use whiskers::{Whiskers, mark, whiskers};

/// Fill of a series' marks and pattern of its lines. It distinguishes several series of one arm
/// (rule set).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fill {
    /// Filled marks, solid lines.
    Full,
    /// Hollow marks, dashed lines.
    Hollow,
    /// Hollow marks with a centre point, dotted lines.
    Pointed,
}

/// Colour, shape and fill of a series' marks. The first 40 arms (rule sets) differ in colour or
/// shape. The first five arms differ in shape, so they are distinguishable without colour. Looks
/// sort by arm, then by fill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Look {
    /// Index of the arm, which determines colour and shape.
    pub index: usize,
    /// Fill, which distinguishes several series of one arm.
    pub fill: Fill,
}

impl Look {
    /// Returns the index of the colour in the style sheet: 0 to 7.
    pub fn color(self) -> usize {
        self.index % 8
    }

    /// Draws a mark with its centre at (`x`, `y`). `tip` is the tooltip, or empty for none.
    pub fn mark(self, drawing: &mut Drawing, (x, y): (f64, f64), tip: &str) {
        let color = self.color();
        let class = if self.fill == Fill::Full { format!("f{color}") } else { format!("paper s{color} mid") };
        // Colours repeat after eight and shapes after five, so two of 40 series never look the
        // same.
        match self.index % 5 {
            0 => drawing.shape(&class, (x - 3.6, y), "a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z", tip),
            1 => drawing.shape(&class, (x - 3.3, y - 3.3), "h6.6v6.6h-6.6z", tip),
            2 => drawing.shape(&class, (x, y - 4.6), "l4.3 7.8h-8.6z", tip),
            3 => drawing.shape(&class, (x, y - 4.8), "l4.8 4.8-4.8 4.8-4.8-4.8z", tip),
            _ => drawing.shape(&class, (x - 4.3, y - 3.2), "h8.6l-4.3 7.8z", tip),
        }
        if self.fill == Fill::Pointed {
            drawing.circle(&format!("f{color}"), (x, y), 1.5, tip);
        }
    }

    /// Returns the classes, in the style sheet, of the series' lines.
    pub fn line(self) -> String {
        let kind = match self.fill {
            Fill::Full => "",
            Fill::Hollow => " dash",
            Fill::Pointed => " dots",
        };
        format!("s{} mid{kind}", self.color())
    }
}

/// An entry of a legend: the look of a series' mark, and the name. `None` draws a dotted line
/// instead, for curves without marks.
pub type Key = (Option<Look>, String);

/// Draws a legend that is at most `width` pixels wide. It has as many lines as necessary.
pub fn legend(keys: &[Key], width: f64) -> Drawing {
    let mut drawing = Drawing::new(width, 0.0);
    let (mut x, mut y) = (0.0, 8.0);
    for (look, name) in keys {
        let room = 16.0 + width_of(name, 12.0) + 14.0;
        if x > 0.0 && x + room > width {
            (x, y) = (0.0, y + 17.0);
        }
        match look {
            Some(look) => look.mark(&mut drawing, (x + 6.0, y), ""),
            None => drawing.line("mark mid dots", (x - 1.0, y), (x + 12.0, y)),
        }
        drawing.text("", (x + 15.0, y), Anchor::Start, name);
        x += room;
    }
    drawing.height = if keys.is_empty() { 0.0 } else { y + 12.0 };
    drawing
}

/// Rectangle in which a chart plots its values. The labels and names of the axes are outside it.
pub struct Frame {
    /// Left and right edge of the plot, in pixels.
    pub x: [f64; 2],
    /// Top and bottom edge of the plot, in pixels.
    pub y: [f64; 2],
    /// Lines of the vertical axis's name, outermost first.
    vertical_name: Vec<String>,
    /// Lines of the horizontal axis's name, from the top.
    horizontal_name: Vec<String>,
}

/// Font size and line height of the axes' names, in pixels.
const NAME: (f64, f64) = (12.0, 14.0);

impl Frame {
    /// Creates a frame, the rectangle of a plot. `names` are the names of the horizontal and the
    /// vertical axis. An empty name takes no space.
    ///
    /// All coordinates are in pixels. `left` is the left end of the vertical axis's name and
    /// labels, which are left of the frame. `right` is the right edge of the frame, `top` its top
    /// edge and `plot` its height.
    pub fn new(left: f64, right: f64, (top, plot): (f64, f64), names: (&str, &str)) -> Frame {
        let lines = |name: &str, room: f64| match name {
            "" => Vec::new(),
            name => wrapped(name, NAME.0, room),
        };
        let vertical_name = lines(names.1, plot);
        let left = left + 42.0 + NAME.1 * vertical_name.len() as f64;
        let horizontal_name = lines(names.0, right - left);
        Frame { x: [left, right], y: [top, top + plot], vertical_name, horizontal_name }
    }

    /// Returns the vertical coordinate, in pixels, below the frame, the labels and the name of the
    /// horizontal axis.
    pub fn bottom(&self) -> f64 {
        self.y[1] + 23.0 + NAME.1 * self.horizontal_name.len() as f64
    }

    /// Draws the vertical axis: its line, grid lines and labels.
    pub fn vertical(&self, drawing: &mut Drawing, scale: &Scale, unit: Unit) {
        let (ticks, step) = scale.ticks(5);
        let line = |tick: &f64| format!("M{} {}H{}", px(self.x[0]), px(scale.at(*tick)), px(self.x[1]));
        drawing.path("grid", &ticks.iter().map(line).collect::<String>());
        for tick in ticks {
            let y = scale.at(tick);
            drawing.text("", (self.x[0] - 6.0, y), Anchor::End, &format::tick(tick, step, unit));
        }
        drawing.line("axis", (self.x[0], self.y[0]), (self.x[0], self.y[1]));
    }

    /// Draws the horizontal axis with grid lines and labels, and the names of both axes.
    pub fn horizontal(&self, drawing: &mut Drawing, scale: &Scale, unit: Unit) {
        let (ticks, step) = scale.ticks(6);
        let line = |tick: &f64| format!("M{} {}V{}", px(scale.at(*tick)), px(self.y[0]), px(self.y[1]));
        drawing.path("grid", &ticks.iter().map(line).collect::<String>());
        for tick in ticks {
            let x = scale.at(tick);
            drawing.text("", (x, self.y[1] + 10.0), Anchor::Middle, &format::tick(tick, step, unit));
        }
        self.base(drawing);
    }

    /// Draws the line of the horizontal axis and the names of both axes.
    pub fn base(&self, drawing: &mut Drawing) {
        drawing.line("axis", (self.x[0], self.y[1]), (self.x[1], self.y[1]));
        for (i, line) in self.vertical_name.iter().enumerate() {
            let x = self.x[0] - 31.0 - NAME.1 * (self.vertical_name.len() - i) as f64;
            drawing.upwards("dim", (x, (self.y[0] + self.y[1]) / 2.0), line);
        }
        for (i, line) in self.horizontal_name.iter().enumerate() {
            let y = self.y[1] + 26.0 + NAME.1 * i as f64;
            drawing.text("dim", ((self.x[0] + self.x[1]) / 2.0, y), Anchor::Middle, line);
        }
    }
}

/// Returns the range of an axis that shows `estimates` and all values in `also`. The range is
/// within `limits`.
///
/// Wide intervals are cut, so that they do not compress the other estimates:
///
/// * An interval for these networks ([`Estimate::agents`]) may be cut if it is more than six times
///   as wide as the median interval. If it also covers all other estimates, its own estimate may be
///   outside the range.
/// * An interval for other seeds ([`Estimate::rule`]) is cut if it ends far outside the other
///   values.
///
/// Charts draw arrows for values outside the range. Estimates that the page warns against should be
/// passed only if there are no other estimates.
pub fn shown<'a>(
    estimates: impl Iterator<Item = &'a Estimate> + Clone,
    also: &[f64],
    limits: [f64; 2],
) -> [f64; 2] {
    let half = |e: &Estimate| (e.agents[1] - e.agents[0]) / 2.0;
    // One estimate with a very wide interval would hide the others.
    let mut halves: Vec<f64> =
        estimates.clone().map(half).filter(|half| *half > 0.0 && half.is_finite()).collect();
    halves.sort_by(f64::total_cmp);
    let most = halves.get(halves.len() / 2).map_or(f64::INFINITY, |median| FAR * median);
    let held = || estimates.clone().filter(move |e| half(e) <= most);
    let [low, high] = held()
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], e| [low.min(e.value), high.max(e.value)]);
    // An estimate whose interval covers all the others does not determine the axis.
    let told = |e: &&Estimate| half(e) <= most || e.agents[0] > low || e.agents[1] < high;
    let values = estimates.clone().filter(told).map(|e| e.value);
    let core = values.chain(held().flat_map(|e| e.agents)).chain(also.iter().copied());
    let outer = held().flat_map(|e| e.rule.into_iter().flatten());
    domain(core, outer, limits)
}

/// An interval may be cut if it is wider than the median interval times this factor.
const FAR: f64 = 6.0;

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

    fn known(value: f64, half: f64) -> Estimate {
        Estimate { value, agents: [value - half, value + half], rule: None }
    }

    #[test]
    fn an_estimate_that_could_be_anything_does_not_set_the_axis() {
        let good = [known(1.0, 0.2), known(3.1, 0.3), known(4.8, 0.4)];
        let [low, high] = shown(good.iter(), &[], ANY);
        let with = [good[0], good[1], good[2], known(40.0, 60.0)];
        let [wide_low, wide_high] = shown(with.iter(), &[], ANY);
        assert_eq!([wide_low, wide_high], [low, high]);
        // A precise estimate is shown however far out it is.
        let with = [good[0], good[1], good[2], known(40.0, 1.0)];
        assert!(shown(with.iter(), &[], ANY)[1] > 40.0);
        // An imprecise estimate is shown too if it differs from all the others.
        let with = [known(0.0, 0.0), known(0.0, 0.0), known(2.0, 0.5)];
        assert!(shown(with.iter(), &[], ANY)[1] > 2.5);
    }
}
