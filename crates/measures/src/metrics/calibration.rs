//! Calibration of root values (values of the search at its root). A calibrated value is the
//! expected score of the side to move. Each game is calibrated by a map fitted on other games.
//!
//! Along a game, a calibrated value is a martingale: it fluctuates even without errors. Its
//! fluctuations are therefore compared with a fair gamble. Without calibration, overconfident
//! evaluations would produce spurious comebacks.

use super::facts::GameFacts;
use super::findings::Findings;
use super::sample::Sample;
use crate::results::Estimate;
use crate::rows::{figure, metrics};
use catapult_rules::Color;
use catapult_stats::{Clustered, Isotonic, evidence, ratio};

/// Number of parts into which the games are divided. The values of each part are calibrated on the
/// games of all other parts.
const FOLDS: usize = 5;
/// Number of equally wide bins of predicted scores from 0 to 1.
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

/// White's calibrated expected score along a game, and the game's result.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Path {
    /// White's expected score at each ply that has a root value.
    pub white: Vec<f64>,
    /// White's score in the game: 1, 1/2 or 0.
    pub result: f64,
    /// The winner of the game. `None` if there is no winner.
    pub winner: Option<Color>,
}

impl Path {
    /// Yields the expected score of `side` at each ply that has a root value, then its score in the
    /// game.
    pub(super) fn of(&self, side: Color) -> impl Iterator<Item = f64> {
        let view = move |white: f64| if side == Color::White { white } else { 1.0 - white };
        self.white.iter().copied().chain([self.result]).map(view)
    }
}

/// Returns one pair per ply that has a root value: the uncalibrated expected score, then the final
/// score, both of the side to move.
fn pairs(game: &GameFacts) -> Vec<(f64, f64)> {
    let pair = |value: f32, mover| {
        let white = f64::from(value);
        (if mover == Color::White { white } else { 1.0 - white }, game.score(mover))
    };
    game.plies.iter().filter_map(|ply| Some(pair(ply.value?, ply.mover))).collect()
}

/// Returns the calibrated paths of all games that have root values. The games form five parts. The
/// values of each part are calibrated on the games of all other parts.
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

/// Sum of predicted scores, sum of results and number of predictions, for each bin of predicted
/// scores.
type Bins = [(f64, f64, f64); BINS];

fn bins(pairs: impl Iterator<Item = (f64, f64)>) -> Bins {
    let mut bins = Bins::default();
    for (predicted, result) in pairs {
        let bin = &mut bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
        *bin = (bin.0 + predicted, bin.1 + result, bin.2 + 1.0);
    }
    bins
}

/// A game's contribution to the calibration error: the sum of results minus the sum of predictions
/// per bin, then the number of predictions.
type Off = ([f64; BINS], f64);

fn off(bins: &Bins) -> Off {
    (bins.map(|bin| bin.1 - bin.0), bins.iter().map(|bin| bin.2).sum())
}

/// Returns the calibration error. It is the mean over bins of the distance between mean prediction
/// and mean result. Bins are weighted by their number of predictions.
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
