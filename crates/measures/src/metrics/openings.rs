//! How much is open in the first plies, as the games were played.

use super::facts::{GameFacts, OPENING_PLIES};
use super::findings::{Findings, Kind, PerGame};
use super::sample::Sample;
use crate::results::{Chapter, FigureInfo, MetricInfo, SeriesInfo, Unit};

pub(super) const METRICS: &[PerGame] = &[PerGame {
    info: MetricInfo {
        id: "candidate_moves",
        name: "effective number of moves",
        unit: Unit::Count,
        chapter: Chapter::Openings,
        neutral: None,
        definition: "Exponential of the entropy of the improved policy, mean over all plies.",
    },
    kind: Kind::Ratio,
    parts: |game| {
        let entropies = game.plies.iter().filter_map(|ply| ply.entropy);
        entropies.fold((0.0, 0.0), |(sum, plies), entropy| (sum + f64::from(entropy).exp(), plies + 1.0))
    },
}];

/// Entropy of the openings as played.
pub(super) const PLAYED_ENTROPY: MetricInfo = MetricInfo {
    id: "opening_entropy_played",
    name: "opening entropy as played",
    unit: Unit::Nats,
    chapter: Chapter::Openings,
    neutral: None,
    definition: "Entropy of the 20-ply lines that the search plays at temperature 1. It is the improved policy's \
                 entropy summed over the first 20 plies, mean over games (chain rule). The games draw these \
                 plies from that policy.",
};

pub(super) const FROM_LINES: &[MetricInfo] = &[PLAYED_ENTROPY];

pub(super) const FIGURE: FigureInfo = FigureInfo {
    id: "opening-entropy",
    title: "How open the opening is",
    x: "plies from the start",
    y: "entropy of lines so long, nats",
    unit: Unit::Nats,
    chapter: Chapter::Openings,
    series: &[
        SeriesInfo { id: "prior", name: "prior", is_reference: false },
        SeriesInfo { id: "improved-policy", name: "improved policy", is_reference: false },
        SeriesInfo { id: "uniform-play", name: "uniform play", is_reference: true },
    ],
    caption: "Entropy of the lines of the first plies at temperature 1. The prior, the search's improved policy \
              and uniform play over the legal moves are compared. Less entropy means fewer lines worth knowing, \
              or a network that is surer of itself.",
};

/// Needs all of the first 20 plies after a set-up drawn from the improved policy, else the lines are not drawn from it.
pub(super) fn measure(sample: &Sample, sampled_plies: u32, findings: &mut Findings) {
    if (sampled_plies as usize) < OPENING_PLIES {
        return;
    }
    findings.parts(&PLAYED_ENTROPY, Kind::Ratio, sample, |game| first_plies(game, OPENING_PLIES));
    let points = (1..=OPENING_PLIES).filter_map(|plies| {
        let evidence = findings.quotient(Kind::Ratio, sample, |game| first_plies(game, plies))?;
        Some((plies as f64, evidence.estimate))
    });
    let points = points.collect();
    findings.curve(&FIGURE, &sample.id, "improved-policy", points);
}

/// Entropy summed over the first plies; nothing where a ply has none.
fn first_plies(game: &GameFacts, plies: usize) -> (f64, f64) {
    let entropies: Option<Vec<f32>> = game.plies.iter().take(plies).map(|ply| ply.entropy).collect();
    entropies.map_or((0.0, 0.0), |all| (all.into_iter().map(f64::from).sum(), 1.0))
}
