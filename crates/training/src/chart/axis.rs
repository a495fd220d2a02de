//! Horizontal axis of the panels of a run's chart.

use crate::report::GenerationReport;
use catapult_figures::chart::Frame;
use catapult_figures::scale::Scale;
use catapult_figures::svg::{Anchor, Drawing};
use catapult_figures::{Unit, format};

catapult_rules::named! {
    /// Quantity on the horizontal axis of a run's chart.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Over {
        /// Number of the generation.
        #[default]
        Generations = "generations",
        /// Number of positions that the network has evaluated in self-play so far.
        Evaluations = "evaluations",
        /// Time of self-play and training so far, in hours.
        Hours = "hours",
    }
    read as "axis"
}

/// Horizontal axis of a run's chart, with the position at which each generation ends.
pub(super) struct Axis {
    over: Over,
    pub(super) name: &'static str,
    /// Position on the axis at which each generation ends, by the generation's number from 0. The
    /// unit is `name`.
    ends: Vec<f64>,
}

impl Axis {
    /// Creates the axis from the reports of all generations, in order. The reports count
    /// evaluations and seconds only for the processes that finished the generations. The work of
    /// stopped processes is missing.
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

    /// Returns the position at which a generation ends. Generations without a report have the last
    /// position.
    pub(super) fn at(&self, generation: u32) -> f64 {
        self.ends.get(generation as usize).or(self.ends.last()).copied().unwrap_or(0.0)
    }

    /// Returns the positions on the axis of the left and right edge of a generation's bar.
    pub(super) fn span(&self, generation: u32) -> (f64, f64) {
        let end = self.at(generation);
        match self.over {
            Over::Generations => (end - 0.4, end + 0.4),
            Over::Evaluations | Over::Hours => (self.at(generation.saturating_sub(1)), end),
        }
    }

    /// Returns the scale that maps positions on the axis to pixels of a frame. If `with_untrained`
    /// is true, an axis of generations includes generation 0.
    pub(super) fn scale(&self, frame: &Frame, with_untrained: bool) -> Scale {
        let last = self.ends.last().copied().unwrap_or(0.0);
        let domain = match self.over {
            Over::Generations => [if with_untrained { -0.5 } else { 0.5 }, last.max(1.0) + 0.5],
            // Generations of resumed runs may have no cost. The axis needs a length all the same.
            Over::Evaluations | Over::Hours => {
                let room = 0.02 * last.max(1e-3);
                [-room, last + room]
            }
        };
        Scale { domain, range: frame.x }
    }

    /// Draws the numbers under a plot and the names of its axes.
    pub(super) fn draw(&self, drawing: &mut Drawing, frame: &Frame, scale: &Scale) {
        let (ticks, step) = scale.ticks(6);
        // No number lies before the start or between generations.
        let told = |tick: &f64| *tick >= 0.0 && (self.over != Over::Generations || tick.fract() == 0.0);
        for tick in ticks.into_iter().filter(told) {
            let text = format::tick(tick, step, Unit::Ratio);
            let text = if self.over == Over::Generations { format!("{tick:.0}") } else { text };
            drawing.text("", (scale.at(tick), frame.y[1] + 10.0), Anchor::Middle, &text);
        }
        frame.base(drawing);
    }
}
