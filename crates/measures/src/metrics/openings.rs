//! Metrics of the variety of played openings: entropy of the search's improved policy.

use super::facts::{GameFacts, OPENING_PLIES};
use super::findings::{Findings, PerGame};
use super::sample::Sample;
use crate::rows::{figure, metrics, per_game};
use catapult_stats::ratio;

pub(super) const METRICS: &[PerGame] = per_game! {
    Openings Count "candidate_moves", "effective number of moves";
        "Exponential of the entropy of the improved policy, mean over all plies.";
        |game| {
            let entropies = game.plies.iter().filter_map(|ply| ply.entropy);
            entropies.fold((0.0, 0.0), |(sum, plies), entropy| (sum + f64::from(entropy).exp(), plies + 1.0))
        };
};

metrics! {
    FROM_LINES =
    PLAYED_ENTROPY: Openings Nats "opening_entropy_played", "opening entropy as played";
        "Entropy of the 20-ply lines that the search plays at temperature 1. It is the improved policy's entropy summed over \
         the first 20 plies, mean over games (chain rule). The games draw these plies from that policy.";
}

figure! {
    FIGURE: Openings Nats "opening-entropy", "Opening entropy";
        "plies from the start", "entropy of lines of this length, nats"; [curve "prior" "prior", curve "improved-policy" "improved policy", reference "uniform-play" "uniform play"];
        "Entropy of the lines of the first plies at temperature 1. The prior, the search's improved policy \
         and uniform play over the legal moves are compared. Lower entropy means fewer lines worth knowing, \
         or a more confident network.";
}

/// Adds the entropy of played openings. Adds nothing if fewer than 20 plies per game are drawn from
/// the improved policy.
pub(super) fn measure(sample: &Sample, sampled_plies: u32, findings: &mut Findings) {
    if (sampled_plies as usize) < OPENING_PLIES {
        return;
    }
    findings.parts(&PLAYED_ENTROPY, sample, |game| first_plies(game, OPENING_PLIES));
    let points = (1..=OPENING_PLIES).filter_map(|plies| {
        let evidence = ratio(&sample.games, |game| first_plies(game, plies), &findings.resampling)?;
        Some((plies as f64, evidence.estimate))
    });
    let points = points.collect();
    findings.curve(&FIGURE, &sample.id, "improved-policy", points);
}

/// Returns the sum of the entropies of the first `plies` plies of a game, in nats, and 1 (the
/// number of games). Both are 0 if one of these plies has no entropy.
fn first_plies(game: &GameFacts, plies: usize) -> (f64, f64) {
    let entropies: Option<Vec<f32>> = game.plies.iter().take(plies).map(|ply| ply.entropy).collect();
    entropies.map_or((0.0, 0.0), |all| (all.into_iter().map(f64::from).sum(), 1.0))
}
