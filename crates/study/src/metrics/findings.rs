//! Collects what is found.

use super::Measured;
use super::facts::GameFacts;
use super::sample::Sample;
use crate::data::SampleId;
use crate::results::{Contrast, Curve, Estimate, HeatMap, Measure, MetricInfo, SampleTable};
use crate::stats::{Evidence, Resampling, ratio, share};
use catapult_rules::Variant;

/// How a metric of games is put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Numerators are never above denominators: a share, with Wilson's interval.
    Share,
    /// Anything else: the bootstrap's.
    Ratio,
}

/// A metric that is a sum of numerators over a sum of denominators of games.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerGame {
    /// What it is.
    pub info: MetricInfo,
    /// How its interval is made.
    pub kind: Kind,
    /// Numerator and denominator of a game.
    pub parts: fn(&GameFacts) -> (f64, f64),
}

/// What has been found so far.
pub(super) struct Findings {
    /// How intervals are drawn.
    pub resampling: Resampling,
    measured: Measured,
}

impl Findings {
    pub fn new(resampling: Resampling) -> Findings {
        Findings { resampling, measured: Measured::default() }
    }

    /// Adds a value, if there is one.
    pub fn add(
        &mut self,
        metric: &MetricInfo,
        sample: &SampleId,
        observations: usize,
        evidence: Option<Evidence>,
    ) {
        let measure = |evidence| Measure::new(metric.id, sample.clone(), observations as u64, evidence);
        self.measured.measures.extend(evidence.map(measure));
    }

    /// Adds a sum of numerators over a sum of denominators.
    pub fn parts(
        &mut self,
        metric: &MetricInfo,
        kind: Kind,
        sample: &Sample,
        parts: impl Fn(&GameFacts) -> (f64, f64),
    ) {
        let observations = sample.games.iter().filter(|game| parts(game).1 > 0.0).count();
        let evidence = self.quotient(kind, sample, parts);
        self.add(metric, &sample.id, observations, evidence);
    }

    /// A sum of numerators over a sum of denominators that is not a metric: a cell of a table, a point of a curve.
    pub fn quotient(
        &self,
        kind: Kind,
        sample: &Sample,
        parts: impl Fn(&GameFacts) -> (f64, f64),
    ) -> Option<Evidence> {
        match kind {
            Kind::Share => share(&sample.games, parts),
            Kind::Ratio => ratio(&sample.games, parts, &self.resampling),
        }
    }

    /// Adds all metrics of a list.
    pub fn per_game(&mut self, sample: &Sample, metrics: &[PerGame]) {
        for metric in metrics {
            self.parts(&metric.info, metric.kind, sample, metric.parts);
        }
    }

    /// Adds a curve, if it has points.
    pub fn curve(&mut self, figure: &str, sample: &SampleId, series: &str, points: Vec<(f64, Estimate)>) {
        if !points.is_empty() {
            let (figure, series, sample) = (figure.to_owned(), series.to_owned(), sample.clone());
            self.measured.curves.push(Curve { figure, sample, series, points });
        }
    }

    pub fn heat_map(&mut self, map: HeatMap) {
        self.measured.heat_maps.push(map);
    }

    pub fn table(&mut self, table: SampleTable) {
        self.measured.tables.push(table);
    }

    /// Adds what the reader must know, once.
    pub fn warn(&mut self, warning: String) {
        if !self.measured.warnings.contains(&warning) {
            self.measured.warnings.push(warning);
        }
    }

    /// The value of a metric and sample, if it has been found.
    pub fn value(&self, metric: &MetricInfo, sample: &SampleId) -> Option<Estimate> {
        let found = |measure: &&Measure| measure.metric == metric.id && measure.sample == *sample;
        self.measured.measures.iter().find(found).map(|measure| measure.estimate)
    }

    /// Takes the differences from the control and gives everything.
    pub fn finish(mut self, control: Variant) -> Measured {
        self.measured.contrasts = self.contrasts(control);
        self.measured.figures = super::figures::used(&self.measured.curves);
        self.measured
    }

    /// Each value against that of the control at the same checkpoint and level: of the same networks if they played the
    /// control, too, else of the agent with most networks.
    fn contrasts(&self, control: Variant) -> Vec<Contrast> {
        let measures = &self.measured.measures;
        let against = |arm: &Measure| {
            let partner = |other: &&Measure| {
                let level = |measure: &Measure| (measure.sample.checkpoint, measure.sample.simulations);
                other.metric == arm.metric && other.sample.arm == control && level(other) == level(arm)
            };
            let rank = |other: &&Measure| (other.sample.agent == arm.sample.agent, other.networks.len());
            // The first of equals: `max_by_key` alone would take the last.
            let best = measures.iter().rev().filter(partner).max_by_key(rank)?;
            Some(Contrast::between(arm, best))
        };
        measures.iter().filter(|arm| arm.sample.arm != control).filter_map(against).collect()
    }
}
