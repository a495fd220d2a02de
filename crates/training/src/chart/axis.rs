//! What a run is drawn over.

use super::*;
use std::fmt;
use std::str::FromStr;

/// What stands on the horizontal axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Over {
    /// Generations.
    #[default]
    Generations,
    /// Positions that the network has evaluated in self-play.
    Evaluations,
    /// Hours of playing and learning.
    Hours,
}

impl Over {
    /// All of them.
    pub const ALL: [Over; 3] = [Over::Generations, Over::Evaluations, Over::Hours];
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Over::Generations => "generations",
            Over::Evaluations => "evaluations",
            Over::Hours => "hours",
        })
    }
}

impl FromStr for Over {
    type Err = String;

    fn from_str(name: &str) -> Result<Over, String> {
        let names = Over::ALL.map(|over| over.to_string()).join(", ");
        let found = Over::ALL.into_iter().find(|over| over.to_string() == name);
        found.ok_or_else(|| format!("`{name}` is no axis; it is one of {names}"))
    }
}

/// The horizontal axis of a run: where each generation ends.
pub(super) struct Axis {
    over: Over,
    name: &'static str,
    /// By generation, from 0.
    ends: Vec<f64>,
}

impl Axis {
    /// The axis of reports in the order of their generations. Evaluations and seconds are those of the processes that finished the
    /// generations: what a kill has lost is not counted.
    pub(super) fn new(over: Over, reports: &[GenerationReport]) -> Axis {
        let cost = |report: &GenerationReport| {
            let games = report.games.as_ref();
            match over {
                Over::Generations => f64::from(u8::from(report.generation > 0)),
                Over::Evaluations => games.map_or(0.0, |games| games.evaluations as f64),
                Over::Hours => {
                    let learning = report.learning.as_ref().map_or(0.0, |learning| learning.seconds);
                    (games.map_or(0.0, |games| games.seconds) + learning) / 3600.0
                }
            }
        };
        let sums = reports.iter().scan(0.0, |sum, report| {
            *sum += cost(report);
            Some(*sum)
        });
        let mut ends: Vec<f64> = sums.collect();
        let last = ends.last().copied().unwrap_or(0.0);
        let (scale, name) = match over {
            Over::Generations => (1.0, "generation"),
            Over::Evaluations if last < 1e6 => (1e3, "thousand evaluations"),
            Over::Evaluations if last < 1e9 => (1e6, "million evaluations"),
            Over::Evaluations => (1e9, "thousand million evaluations"),
            Over::Hours if last < 1.0 => (1.0 / 60.0, "minutes of playing and learning"),
            Over::Hours => (1.0, "hours of playing and learning"),
        };
        ends.iter_mut().for_each(|end| *end /= scale);
        Axis { over, name, ends }
    }

    /// Where a generation ends.
    pub(super) fn at(&self, generation: u32) -> f64 {
        self.ends.get(generation as usize).or(self.ends.last()).copied().unwrap_or(0.0)
    }

    /// From where to where a generation's bar goes.
    pub(super) fn span(&self, generation: u32) -> (f64, f64) {
        let end = self.at(generation);
        match self.over {
            Over::Generations => (end - 0.4, end + 0.4),
            Over::Evaluations | Over::Hours => (self.at(generation.saturating_sub(1)), end),
        }
    }

    /// The axis, with room for generation 0 or not.
    pub(super) fn range(&self, with_untrained: bool) -> std::ops::Range<f64> {
        let last = self.ends.last().copied().unwrap_or(0.0);
        match self.over {
            Over::Generations => (if with_untrained { -0.5 } else { 0.5 })..last.max(1.0) + 0.5,
            // Resumed runs may have generations without a cost; an axis has a length all the same.
            Over::Evaluations | Over::Hours => {
                let room = 0.02 * last.max(1e-3);
                -room..last + room
            }
        }
    }
}

/// Both axes, the horizontal one named or not, and a few faint lines.
pub(super) fn axes(chart: &mut Chart, axis: &Axis, is_named: bool, lines: usize) -> Drawn {
    let number = |value: &f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let is_whole = axis.over == Over::Generations;
    let below = |x: &f64| match x {
        x if *x < 0.0 => String::new(),
        x if is_whole && x.fract() != 0.0 => String::new(),
        x => number(x),
    };
    let label = font(12, INK, HPos::Left);
    let most = if is_whole { axis.ends.len().saturating_sub(1).clamp(1, 10) } else { 8 };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .label_style(("sans-serif", 12).into_font().color(&INK))
        .axis_desc_style(label)
        .x_labels(most)
        .x_label_formatter(&below)
        .y_labels(lines)
        .y_label_formatter(&number)
        .x_desc(if is_named { axis.name } else { "" })
        .draw()?;
    Ok(())
}
