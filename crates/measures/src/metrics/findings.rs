//! Collector of the values, curves, boards, tables and warnings that metrics add.

use super::facts::GameFacts;
use super::sample::Sample;
use crate::arms::Arm;
use crate::data::SampleId;
use crate::results::{
    Contrast, Curve, Estimate, FigureInfo, Measure, Measured, MetricInfo, Note, SampleTable, TableInfo, Unit,
};
use catapult_stats::{Evidence, Resampling, rate, ratio, share};
use std::cmp::Reverse;

/// A metric that is computed from single games. Its value is the sum of all games' numerators
/// divided by the sum of their denominators.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerGame {
    /// Definition of the metric.
    pub info: MetricInfo,
    /// Returns the numerator and the denominator of the metric for one game.
    pub parts: fn(&GameFacts) -> (f64, f64),
}

/// Collector of everything that has been measured so far.
pub(super) struct Findings {
    /// Settings of the resampling from which intervals are computed.
    pub resampling: Resampling,
    pub measured: Measured,
}

impl Findings {
    pub(super) fn new(resampling: Resampling) -> Findings {
        Findings { resampling, measured: Measured::default() }
    }

    /// Adds the value of a metric for a sample. Adds nothing if `evidence` is `None`. Intervals are
    /// clipped to the range of the metric's unit, which Student's t interval may exceed. Returns
    /// the added value.
    pub(super) fn add(
        &mut self,
        metric: &MetricInfo,
        sample: &SampleId,
        observations: usize,
        evidence: Option<Evidence>,
    ) -> Option<&mut Measure> {
        let evidence = evidence?.within(metric.unit.limits());
        let measure = Measure::new(metric.id, sample.clone(), observations as u64, evidence);
        self.measured.measures.push(measure);
        self.measured.measures.last_mut()
    }

    /// Adds a metric that is computed from single games: the sum of numerators divided by the sum
    /// of denominators. `parts` returns both for one game.
    pub(super) fn parts(
        &mut self,
        metric: &MetricInfo,
        sample: &Sample,
        parts: impl Fn(&GameFacts) -> (f64, f64),
    ) {
        let observations = sample.games.iter().filter(|game| parts(game).1 > 0.0).count();
        let evidence = match metric.unit {
            // Numerators do not exceed denominators, so Wilson's interval applies.
            Unit::Share => share(&sample.games, &parts),
            Unit::Count => rate(&sample.games, &parts, &self.resampling),
            _ => ratio(&sample.games, &parts, &self.resampling),
        };
        let measure = self.add(metric, &sample.id, observations, evidence);
        if let (Some(measure), Unit::Count | Unit::Plies) = (measure, metric.unit) {
            measure.median = median(sample.games.iter().map(parts));
        }
    }

    /// Adds all metrics in `metrics` for a sample.
    pub(super) fn per_game(&mut self, sample: &Sample, metrics: &[PerGame]) {
        for metric in metrics {
            self.parts(&metric.info, sample, metric.parts);
        }
    }

    /// Adds a curve of a sample. Adds nothing if `points` is empty. `series` is the curve's id,
    /// empty if the figure has one curve per sample.
    pub(super) fn curve(
        &mut self,
        figure: &FigureInfo,
        sample: &SampleId,
        series: &str,
        points: Vec<(f64, Estimate)>,
    ) {
        if !points.is_empty() {
            let (figure, series, sample) = (figure.id.to_owned(), series.to_owned(), sample.clone());
            self.measured.curves.push(Curve { figure, sample, series, points });
        }
    }

    /// Adds a table of a sample. `rows` are as in [`SampleTable::rows`]. `notes` are about this
    /// sample.
    pub(super) fn table(
        &mut self,
        table: &TableInfo,
        sample: &SampleId,
        rows: Vec<(String, Vec<Option<Estimate>>)>,
        notes: Vec<Note>,
    ) {
        let (table, sample) = (table.id.to_owned(), sample.clone());
        self.measured.tables.push(SampleTable { table, sample, rows, notes });
    }

    /// Adds the differences between each arm and `control`, and returns everything measured.
    pub(super) fn finish(mut self, control: impl Into<Arm>) -> Measured {
        self.measured.contrasts = self.contrasts(control.into());
        self.measured
    }

    /// Returns the difference between each arm's value and the control's value at the same
    /// checkpoint and search level. The control's value of the same agent is preferred, then of the
    /// agent with the most networks. Values that the control does not have are left out.
    fn contrasts(&self, control: Arm) -> Vec<Contrast> {
        let measures = &self.measured.measures;
        let against = |arm: &Measure| {
            let at = |it: &Measure| (it.sample.checkpoint, it.sample.simulations);
            let of_control = measures.iter().filter(|it| it.metric == arm.metric && it.sample.arm == control);
            let rank = |it: &&Measure| Reverse((it.sample.agent == arm.sample.agent, it.networks.len()));
            let partner = of_control.filter(|it| at(it) == at(arm)).min_by_key(rank)?;
            Some(Contrast::between(arm, partner))
        };
        measures.iter().filter(|arm| arm.sample.arm != control).filter_map(against).collect()
    }
}

/// Returns the median over games. `parts` yields a numerator and a denominator per game. Games with
/// denominator 0 are ignored. `None` if none are left, or if another denominator is not 1.
fn median(parts: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let counted = parts.filter(|(_, games)| *games != 0.0);
    let values: Option<Vec<f64>> = counted.map(|(value, games)| (games == 1.0).then_some(value)).collect();
    let mut values = values?;
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { (values[middle - 1] + upper) / 2.0 })
}
