//! Calibration of root values (values of the search at its root), read as expected scores of the
//! side to move.

use super::facts::GameFacts;
use super::findings::Findings;
use super::sample::Sample;
use crate::results::Estimate;
use crate::rows::{figure, metrics};
use catapult_rules::Color;
use catapult_stats::{evidence, ratio};

/// Number of equally wide bins of predicted scores from 0 to 1.
const BINS: usize = 10;

metrics! {
    METRICS =
    RAW_ERROR: Comebacks Share "calibration_error_raw", "calibration error of root values";
        "Root values are read as expected scores of the side to move and put into ten bins. The error is the distance \
         between a bin's mean value and mean result, mean over plies.";
}

figure! {
    FIGURE: Comebacks Share "calibration", "Calibration of root values";
        "root value, as expected score of the side to move", "observed score"; [reference "honest-values" "perfect calibration"];
        "Calibrated values lie on the diagonal.";
}

/// Sum of predicted scores, sum of results and number of predictions, for each bin of predicted
/// scores.
type Bins = [(f64, f64, f64); BINS];

/// Returns the bins of a game's plies that have a root value. Scores are of the side to move.
fn bins(game: &GameFacts) -> Bins {
    let mut bins = Bins::default();
    for ply in &game.plies {
        let Some(white) = ply.value.map(f64::from) else { continue };
        let predicted = if ply.mover == Color::White { white } else { 1.0 - white };
        let bin = &mut bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
        *bin = (bin.0 + predicted, bin.1 + game.score(ply.mover), bin.2 + 1.0);
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

pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let raw = sample.games.map(bins);
    let evidence = evidence(&raw.map(off), error, &findings.resampling);
    findings.add(&RAW_ERROR, &sample.id, raw.len(), evidence);
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

#[cfg(test)]
mod tests {
    use super::super::testing::{found, record, value};
    use super::*;
    use catapult_records::GameRecord;

    #[test]
    fn values_are_held_against_the_results_of_their_movers() {
        // Win, draw and loss of the side to move: expected scores of .25 and .875.
        let (low, high) = ([0.25, 0.0, 0.75], [0.75, 0.25, 0.0]);
        let game = |values, moves| GameRecord { values, ..record("chess", "", moves) };
        // Black wins, then White. Values of later plies were not recorded.
        let games = vec![
            game(vec![low, high], "f2f3 e7e5 g2g4 d8h4"),
            game(vec![high, low], "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"),
        ];
        let measured = found("chess", games, measure);
        // Two values are .25 too high, and two in another bin are .125 too low.
        assert_eq!(value(&measured.measures, "calibration_error_raw"), (2.0 * 0.25 + 2.0 * 0.125) / 4.0);
        let curve = measured.curves.iter().find(|curve| curve.series.is_empty()).unwrap();
        let points: Vec<(f64, f64)> = curve.points.iter().map(|(x, y)| (*x, y.value)).collect();
        assert_eq!(points, [(0.25, 0.0), (0.875, 1.0)]);
    }
}
