//! Collects what is found.

use super::facts::GameFacts;
use super::sample::Sample;
use crate::data::SampleId;
use crate::results::{
    Chapter, Contrast, Curve, Estimate, HeatMap, Measure, Measured, MetricInfo, SampleTable, Unit,
};
use catapult_rules::Variant;
use catapult_stats::{Evidence, Resampling, ratio, share};

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

impl PerGame {
    /// With a value that favours neither side.
    pub(super) const fn with_neutral(mut self, value: f64) -> PerGame {
        self.info.neutral = Some(value);
        self
    }
}

/// A figure that curves belong to: what [`FigureInfo`](crate::results::FigureInfo) says of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figure {
    pub id: &'static str,
    pub title: &'static str,
    pub x: &'static str,
    pub y: &'static str,
    pub unit: Unit,
    pub chapter: Chapter,
    pub caption: &'static str,
}

/// What has been found so far.
pub(super) struct Findings {
    /// How intervals are drawn.
    pub resampling: Resampling,
    measured: Measured,
    /// Warnings that hold of several samples or networks, and of which.
    shared_warnings: Vec<(&'static str, Vec<String>)>,
}

impl Findings {
    pub(super) fn new(resampling: Resampling) -> Findings {
        Findings { resampling, measured: Measured::default(), shared_warnings: Vec::new() }
    }

    /// Adds a value, if there is one.
    pub(super) fn add(
        &mut self,
        metric: &MetricInfo,
        sample: &SampleId,
        observations: usize,
        evidence: Option<Evidence>,
    ) {
        // Student's interval knows no bounds.
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

    /// Adds a sum of numerators over a sum of denominators.
    pub(super) fn parts(
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
    pub(super) fn quotient(
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
    pub(super) fn per_game(&mut self, sample: &Sample, metrics: &[PerGame]) {
        for metric in metrics {
            self.parts(&metric.info, metric.kind, sample, metric.parts);
        }
    }

    /// Adds a curve, if it has points.
    pub(super) fn curve(
        &mut self,
        figure: &str,
        sample: &SampleId,
        series: &str,
        points: Vec<(f64, Estimate)>,
    ) {
        if !points.is_empty() {
            let (figure, series, sample) = (figure.to_owned(), series.to_owned(), sample.clone());
            self.measured.curves.push(Curve { figure, sample, series, points });
        }
    }

    pub(super) fn heat_map(&mut self, map: HeatMap) {
        self.measured.heat_maps.push(map);
    }

    pub(super) fn table(&mut self, table: SampleTable) {
        self.measured.tables.push(table);
    }

    /// Adds what the reader must know, once.
    pub(super) fn warn(&mut self, warning: String) {
        if !self.measured.warnings.contains(&warning) {
            self.measured.warnings.push(warning);
        }
    }

    /// Adds what the reader must know of one sample or network; it is told once for all of which it holds.
    pub(super) fn warn_of(&mut self, subject: String, warning: &'static str) {
        match self.shared_warnings.iter_mut().find(|(known, _)| *known == warning) {
            Some((_, subjects)) if subjects.contains(&subject) => {}
            Some((_, subjects)) => subjects.push(subject),
            None => self.shared_warnings.push((warning, vec![subject])),
        }
    }

    /// The value of a metric and sample, if it has been found.
    pub(super) fn value(&self, metric: &MetricInfo, sample: &SampleId) -> Option<Estimate> {
        let found = |measure: &&Measure| measure.metric == metric.id && measure.sample == *sample;
        self.measured.measures.iter().find(found).map(|measure| measure.estimate)
    }

    /// Takes the differences from the control and gives everything but the figures.
    pub(super) fn finish(mut self, control: Variant) -> Measured {
        for (warning, subjects) in std::mem::take(&mut self.shared_warnings) {
            self.warn(format!("{warning}: {}.", subjects.join("; ")));
        }
        self.measured.contrasts = self.contrasts(control);
        self.measured
    }

    /// Each value against that of its [`partner`].
    fn contrasts(&self, control: Variant) -> Vec<Contrast> {
        let against = |arm: &Measure| {
            let of_metric = self.measured.measures.iter().filter(|other| other.metric == arm.metric);
            let candidates = of_metric.map(|other| (&other.sample, other.networks.len(), other));
            Some(Contrast::between(arm, partner(&arm.sample, control, candidates)?))
        };
        self.measured.measures.iter().filter_map(against).collect()
    }
}

/// What a sample of an arm is held against, out of samples with their numbers of networks: the control's at the same
/// checkpoint and level, of the same agent if it played the control, too, else of the one with most networks. None for the
/// control itself.
pub(super) fn partner<'a, T>(
    arm: &SampleId,
    control: Variant,
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
