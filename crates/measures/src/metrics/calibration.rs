//! Root values made honest: calibrated on other games, they are the expected score of the side to move.
//!
//! A calibrated value is a martingale: it wanders by itself, and what it does is told beside what a fair gamble would
//! do. Without calibration an evaluation that is too sure of itself makes comebacks of nothing.

use super::facts::GameFacts;
use super::findings::Findings;
use super::sample::Sample;
use crate::results::Estimate;
use crate::rows::{figure, metrics};
use catapult_rules::Color;
use catapult_stats::{Clustered, Isotonic, evidence, ratio};

/// Parts of the games; values of one are calibrated on the others.
const FOLDS: usize = 5;
/// Bins of predictions.
const BINS: usize = 10;

metrics! {
    METRICS =
    RAW_ERROR: Comebacks Share "calibration_error_raw", "calibration error of root values";
        "Root values are read as expected scores of the side to move and put into ten bins. The error is the distance \
         between a bin's mean value and mean result, mean over plies.";
    ERROR: Comebacks Share "calibration_error", "calibration error after calibration";
        "The calibration error of values that were calibrated on other games by isotonic regression. Comebacks, lead \
         changes and drama by value use these values.";
}

figure! {
    FIGURE: Comebacks Share "calibration", "What root values are worth";
        "root value, as expected score of the side to move", "score that came of it"; [reference "honest-values" "honest values"];
        "Honest values lie on the diagonal. All measures by value use values calibrated on other games.";
}

/// White's calibrated expected score along a game, at the plies that have a value, and at last its result.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Path {
    /// Ply by ply.
    pub white: Vec<f64>,
    /// White's score.
    pub result: f64,
    /// Who won.
    pub winner: Option<Color>,
}

impl Path {
    /// The expected score of a side along the game, the result last.
    pub(super) fn of(&self, side: Color) -> impl Iterator<Item = f64> {
        let view = move |white: f64| if side == Color::White { white } else { 1.0 - white };
        self.white.iter().copied().chain([self.result]).map(view)
    }
}

/// Value and result as the side to move sees them, ply by ply.
fn pairs(game: &GameFacts) -> Vec<(f64, f64)> {
    let pair = |value: f32, mover| {
        let white = f64::from(value);
        (if mover == Color::White { white } else { 1.0 - white }, game.score(mover))
    };
    game.plies.iter().filter_map(|ply| Some(pair(ply.value?, ply.mover))).collect()
}

/// The paths of all games, calibrated on the games of the other parts; none where there are none.
pub(super) fn paths(games: &Clustered<GameFacts>) -> Clustered<Path> {
    let fit = |others: &mut dyn Iterator<Item = &GameFacts>| Isotonic::fit(others.flat_map(pairs));
    let apply = |map: &Option<Isotonic>, game: &GameFacts| {
        let map = map.as_ref()?;
        let movers = game.plies.iter().filter(|ply| ply.value.is_some()).map(|ply| ply.mover);
        let white = pairs(game).into_iter().zip(movers).map(|((value, _), mover)| {
            let own = map.at(value);
            if mover == Color::White { own } else { 1.0 - own }
        });
        Some(Path { white: white.collect(), result: game.white_score(), winner: game.winner })
    };
    let paths = games.on_others(FOLDS, fit, apply);
    paths.filter_map(|path| path.clone().filter(|path| !path.white.is_empty()))
}

/// By bin: sums of predictions and results, and how many.
type Bins = [(f64, f64, f64); BINS];

fn bins(pairs: impl Iterator<Item = (f64, f64)>) -> Bins {
    let mut bins = Bins::default();
    for (predicted, result) in pairs {
        let bin = &mut bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
        *bin = (bin.0 + predicted, bin.1 + result, bin.2 + 1.0);
    }
    bins
}

/// What a game adds to the error: results less predictions of each bin, and how many there are in all.
type Off = ([f64; BINS], f64);

fn off(bins: &Bins) -> Off {
    (bins.map(|bin| bin.1 - bin.0), bins.iter().map(|bin| bin.2).sum())
}

/// Mean distance of predictions and results over bins.
fn error(games: &mut dyn Iterator<Item = &Off>) -> f64 {
    let (mut sums, mut all) = ([0.0; BINS], 0.0);
    for (off, count) in games {
        for (sum, off) in sums.iter_mut().zip(off) {
            *sum += off;
        }
        all += count;
    }
    sums.iter().map(|sum: &f64| sum.abs()).sum::<f64>() / all
}

pub(super) fn measure(sample: &Sample, paths: &Clustered<Path>, findings: &mut Findings) {
    let raw = sample.games.map(|game| bins(pairs(game).into_iter()));
    let calibrated = paths.map(|path| off(&bins(path.white.iter().map(|&white| (white, path.result)))));
    for (metric, games) in [(&RAW_ERROR, &raw.map(off)), (&ERROR, &calibrated)] {
        let evidence = evidence(games, error, &findings.resampling);
        findings.add(metric, &sample.id, games.len(), evidence);
    }
    let point = |bin: usize| {
        let predicted = ratio(&raw, |bins| (bins[bin].0, bins[bin].2), &findings.resampling)?;
        let result = ratio(&raw, |bins| (bins[bin].1, bins[bin].2), &findings.resampling)?;
        Some((predicted.estimate.value, result.estimate))
    };
    let points: Vec<(f64, Estimate)> = (0..BINS).filter_map(point).collect();
    let honest = points.iter().map(|&(value, _)| (value, Estimate { value, agents: [value; 2], rule: None }));
    findings.curve(&FIGURE, &sample.id, "honest-values", honest.collect());
    findings.curve(&FIGURE, &sample.id, "", points);
}
