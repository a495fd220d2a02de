//! Collector of all values, curves, boards, tables and warnings.

use super::facts::GameFacts;
use super::sample::Sample;
use crate::arms::Arm;
use crate::data::SampleId;
use crate::results::{
    Contrast, Curve, Estimate, FigureInfo, HeatMap, Measure, Measured, MetricInfo, Note, SampleTable,
    TableInfo, Unit, Warning,
};
use catapult_stats::{Evidence, Resampling, ratio, share};

/// Id of a table's row, and one cell per column. `None` is an empty cell.
pub(super) type TableRow = (String, Vec<Option<Estimate>>);

/// A metric of single games. Its value is the sum of all games' numerators over the sum of their
/// denominators.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerGame {
    /// Definition of the metric.
    pub info: MetricInfo,
    /// Returns the numerator and the denominator of a game.
    pub parts: fn(&GameFacts) -> (f64, f64),
}

/// Everything measured so far.
pub(super) struct Findings {
    /// Resampling from which intervals are computed.
    pub resampling: Resampling,
    measured: Measured,
}

impl Findings {
    pub(super) fn new(resampling: Resampling) -> Findings {
        Findings { resampling, measured: Measured::default() }
    }

    /// Adds the value of a metric for a sample, if there is one. Intervals are clipped to the range
    /// of the metric's unit.
    pub(super) fn add(
        &mut self,
        metric: &MetricInfo,
        sample: &SampleId,
        observations: usize,
        evidence: Option<Evidence>,
    ) {
        // Student's t interval may exceed the range of the metric.
        let bounds = match metric.unit {
            Unit::Share => [0.0, 1.0],
            Unit::Count | Unit::Plies | Unit::Nats => [0.0, f64::INFINITY],
            Unit::Elo | Unit::Pawns | Unit::Ratio => [f64::NEG_INFINITY, f64::INFINITY],
        };
        let measure = |evidence: Evidence| {
            Measure::new(metric.id, sample.clone(), observations as u64, evidence.within(bounds))
        };
        self.measured.measures.extend(evidence.map(measure));
    }

    /// Adds a metric of single games: the sum of numerators over the sum of denominators. `parts`
    /// returns both for a game.
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
            _ => ratio(&sample.games, &parts, &self.resampling),
        };
        self.add(metric, &sample.id, observations, evidence);
        if matches!(metric.unit, Unit::Count | Unit::Plies) {
            self.median(metric, &sample.id, sample.games.iter().map(parts));
        }
    }

    /// Adds the median over games to the last added value, if that value has this metric and
    /// sample. Nothing is added unless all denominators are 0 or 1. `parts` are numerators and
    /// denominators of the games.
    pub(super) fn median(
        &mut self,
        metric: &MetricInfo,
        sample: &SampleId,
        parts: impl Iterator<Item = (f64, f64)>,
    ) {
        let Some(last) = self.measured.measures.last_mut() else { return };
        let values: Vec<(f64, f64)> = parts.filter(|(_, games)| *games != 0.0).collect();
        if last.metric == metric.id && last.sample == *sample && values.iter().all(|(_, games)| *games == 1.0)
        {
            last.median = median(values.into_iter().map(|(value, _)| value).collect());
        }
    }

    /// Adds every metric of a list for a sample.
    pub(super) fn per_game(&mut self, sample: &Sample, metrics: &[PerGame]) {
        for metric in metrics {
            self.parts(&metric.info, sample, metric.parts);
        }
    }

    /// Adds a curve of a sample, unless it has no points. `series` is empty if the figure has one
    /// curve per sample.
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

    pub(super) fn heat_map(&mut self, map: HeatMap) {
        self.measured.heat_maps.push(map);
    }

    /// Adds a table of a sample, with notes on this sample.
    pub(super) fn table(
        &mut self,
        table: &TableInfo,
        sample: &SampleId,
        rows: Vec<TableRow>,
        notes: Vec<Note>,
    ) {
        let (table, sample) = (table.id.to_owned(), sample.clone());
        self.measured.tables.push(SampleTable { table, sample, rows, notes });
    }

    pub(super) fn warn(&mut self, warning: Warning) {
        self.measured.warnings.push(warning);
    }

    /// Returns the value of a metric for a sample, or `None` if it was not added.
    pub(super) fn value(&self, metric: &MetricInfo, sample: &SampleId) -> Option<Estimate> {
        let found = |measure: &&Measure| measure.metric == metric.id && measure.sample == *sample;
        self.measured.measures.iter().find(found).map(|measure| measure.estimate)
    }

    /// Adds each arm's differences from `control` and returns everything measured.
    pub(super) fn finish(mut self, control: impl Into<Arm>) -> Measured {
        self.measured.contrasts = self.contrasts(control.into());
        self.measured
    }

    /// Returns the difference of each value from the value of its [`partner`]. Values without a
    /// partner are left out.
    fn contrasts(&self, control: Arm) -> Vec<Contrast> {
        let against = |arm: &Measure| {
            let of_metric = self.measured.measures.iter().filter(|other| other.metric == arm.metric);
            let candidates = of_metric.map(|other| (&other.sample, other.networks.len(), other));
            Some(Contrast::between(arm, partner(&arm.sample, control, candidates)?))
        };
        self.measured.measures.iter().filter_map(against).collect()
    }
}

/// Returns the median of `values`, or `None` if there are none.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { (values[middle - 1] + upper) / 2.0 })
}

/// Returns the control's sample with which an arm's sample is compared, at the same checkpoint and
/// level.
///
/// A sample of the same agent is preferred, then a sample of the agent with the most networks.
/// `candidates` are samples, their numbers of networks, and the items to choose from. Returns
/// `None` for samples of the control.
pub(super) fn partner<'a, T>(
    arm: &SampleId,
    control: Arm,
    candidates: impl Iterator<Item = (&'a SampleId, usize, T)>,
) -> Option<T> {
    let level = |id: &SampleId| (id.checkpoint, id.simulations);
    let mut best: Option<((bool, usize), T)> = None;
    for (id, networks, item) in candidates {
        let rank = (id.agent == arm.agent, networks);
        let fits = arm.arm != control && id.arm == control && level(id) == level(arm);
        if fits && best.as_ref().is_none_or(|(before, _)| rank > *before) {
            best = Some((rank, item));
        }
    }
    best.map(|(_, item)| item)
}
