//! Charts of stacked bars: shares of parts that add up to one.

use crate::svg::{Anchor, Drawing, width_of};
use crate::{Unit, format};

/// A group of bars: the group's name, then each bar's name and the shares of its parts, 0 to 1.
pub type Group = (String, Vec<(String, Vec<f64>)>);

/// A chart of stacked bars, in groups.
#[derive(Clone, PartialEq, Debug)]
pub struct Stacked {
    /// Names of the parts, from left to right.
    pub parts: Vec<String>,
    /// Groups of bars, from the top.
    pub groups: Vec<Group>,
}

const WIDTH: f64 = 940.0;
const BAR: f64 = 16.0;

/// Style sheet classes of the parts, in order. The first class is for a part's fill, the second for
/// the text on it. The colours are from Okabe and Ito.
const FILLS: [(&str, &str); 9] = [
    ("f1", "onfill"),
    ("f6", "onpale"),
    ("f2", "onpale"),
    ("f5", "onfill"),
    ("f3", "onfill"),
    ("f4", "onpale"),
    ("f7", "onfill"),
    ("paired", "onpale"),
    ("void", "onpale"),
];

impl Stacked {
    /// Draws the chart with its legend. The legend omits parts that occur in no bar.
    pub fn draw(&self) -> Drawing {
        let mut drawing = Drawing::new(WIDTH, 0.0);
        let bars = || self.groups.iter().flat_map(|(_, bars)| bars);
        let happened = |part: usize| bars().any(|(_, shares)| shares.get(part).is_some_and(|s| *s > 0.0));
        let (mut x, mut y) = (0.0, 8.0);
        for (i, name) in self.parts.iter().enumerate().filter(|(i, _)| happened(*i)) {
            let room = 18.0 + width_of(name, 12.0) + 14.0;
            if x > 0.0 && x + room > WIDTH {
                (x, y) = (0.0, y + 17.0);
            }
            drawing.rect(FILLS[i % FILLS.len()].0, (x, y - 6.0), (12.0, 12.0), "");
            drawing.text("", (x + 17.0, y), Anchor::Start, name);
            x += room;
        }
        let widest = |names: &mut dyn Iterator<Item = &String>| {
            names.map(|name| width_of(name, 12.0)).fold(0.0, f64::max)
        };
        let group_width = widest(&mut self.groups.iter().map(|(name, _)| name));
        let left = group_width + widest(&mut bars().map(|(name, _)| name)) + 24.0;
        let right = WIDTH - 14.0;
        y += 18.0;
        let top = y;
        for (group, bars) in &self.groups {
            drawing.text("", (0.0, y + BAR / 2.0), Anchor::Start, group);
            for (name, shares) in bars {
                drawing.text("dim", (left - 8.0, y + BAR / 2.0), Anchor::End, name);
                let tip = format!("{group}, {name}");
                self.bar(&mut drawing, shares, [left, right], y, &tip);
                y += BAR + 2.0;
            }
            y += 8.0;
        }
        for tick in 0..=4 {
            let x = left + (right - left) * f64::from(tick) / 4.0;
            drawing.line("axis hair", (x, top), (x, y - 4.0));
            drawing.text("", (x, y + 6.0), Anchor::Middle, &(25 * tick).to_string());
        }
        drawing.text("dim", ((left + right) / 2.0, y + 20.0), Anchor::Middle, "% of games");
        drawing.height = y + 30.0;
        drawing
    }

    fn bar(&self, drawing: &mut Drawing, shares: &[f64], [left, right]: [f64; 2], y: f64, tip: &str) {
        let mut x = left;
        for (i, (share, part)) in shares.iter().zip(&self.parts).enumerate() {
            // Shares read from a file may be invalid, so bars are clipped to the frame.
            let width = (share.clamp(0.0, 1.0) * (right - left)).min(right - x);
            if !width.is_finite() || width <= 0.0 {
                continue;
            }
            let (fill, text) = FILLS[i % FILLS.len()];
            let number = format::number(*share, Unit::Share);
            drawing.rect(fill, (x, y), (width, BAR), &format!("{tip}: {part} {number} %"));
            if width > 34.0 {
                drawing.text(text, (x + width / 2.0, y + BAR / 2.0), Anchor::Middle, &number);
            }
            x += width;
        }
    }
}
