//! Metrics of lead changes, comebacks, drama and late uncertainty. They use calibrated expected
//! scores and are compared with a fair gamble.

use super::calibration::{self, Path};
use super::findings::{Findings, median};
use super::sample::Sample;
use crate::rows::{figure, metrics};
use catapult_rules::Color;
use catapult_stats::{Clustered, martingale, ratio, share};

/// White leads if White's expected score is above 1 - `LEAD`. Black leads if it is below `LEAD`. In
/// between, neither side leads.
const LEAD: f64 = 0.4;
/// A side is behind if its expected score is at most this.
const BEHIND: f64 = 0.2;
/// A side has come back if its expected score is at least this.
const LEVEL: f64 = 0.5;
/// Share of a game's plies that count as late. The late plies are the last ones.
const LATE: f64 = 0.25;

metrics! {
    METRICS =
    LEAD_CHANGES: Comebacks Count "lead_changes", "lead changes";
        "Number of times that the lead passes from one side to the other in a game (Ludii's Lead Change, on calibrated \
         values). A side leads while its calibrated expected score is above 0.6. The result counts as the last value.";
    LEAD_CHANGES_FAIR: Comebacks Count "lead_changes_fair", "lead changes of a fair gamble";
        "The most lead changes that honest values can have on average with as many decisive games: 2 times the decisive \
         rate. This is Doob's upcrossing inequality between 0.4 and 0.6, from 0.5.";
    VALUE_COMEBACKS: Comebacks Share "value_comebacks", "comebacks by value";
        "Sides that reach an expected score of 1/2 again, draw or win, of those whose calibrated expected score had sunk to \
         0.2.";
    VALUE_COMEBACKS_EXCESS: Comebacks Ratio "value_comebacks_excess", "comebacks by value above a fair gamble's", neutral 0.0;
        "Comebacks by value less those of a fair gamble: the expected score p at which the side first is 0.2 or less, over \
         1/2. It is at most 0 for honest values, and below 0 if values jump.";
    DRAMA: Comebacks Share "drama", "drama";
        "Distance of the eventual winner's calibrated expected score below 1/2, or 0 if it is above (after Browne 2008 and \
         Ludii's Drama). Mean over the plies of decisive games.";
    DRAMA_FAIR: Comebacks Share "drama_fair", "drama of a fair gamble";
        "Drama of the same decisive games if every ply were won with the probability that its value says.";
    LATE_UNCERTAINTY: Comebacks Share "late_uncertainty", "late uncertainty";
        "1 - |2 p - 1| with the calibrated expected score p (after Browne 2008, Uncertainty Late). Mean over the last \
         quarter of each game's plies.";
}

figure! {
    FIGURE: Comebacks Share "comebacks-by-value", "Comebacks by value";
        "expected score to which a side had sunk", "share that came back to 1/2"; [curve "seen" "seen", reference "fair-gamble" "fair gamble"];
        "Sides whose calibrated expected score had sunk so low and that later stood at 1/2 again, drew or won. Beside it is \
         what a fair gamble gives: p / q for one that goes from p to q.";
}

pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let paths = calibration::paths(&sample.games);
    if paths.is_empty() {
        return;
    }
    calibration::measure(sample, &paths, findings);
    let resampling = findings.resampling;
    let of = |parts: &dyn Fn(&Path) -> (f64, f64)| ratio(&paths, parts, &resampling);
    let found = [
        (LEAD_CHANGES, of(&|path| (lead_changes(path), 1.0))),
        (LEAD_CHANGES_FAIR, of(&|path| (if path.winner.is_some() { 2.0 } else { 0.0 }, 1.0))),
        (VALUE_COMEBACKS, share(&paths, |path| comebacks(path, BEHIND))),
        (
            VALUE_COMEBACKS_EXCESS,
            of(&|path| {
                let ((seen, all), (fair, _)) = (comebacks(path, BEHIND), fair_comebacks(path, BEHIND));
                (seen - fair, all)
            }),
        ),
        (DRAMA, of(&drama)),
        (DRAMA_FAIR, of(&fair_drama)),
        (LATE_UNCERTAINTY, of(&late_uncertainty)),
    ];
    for (metric, evidence) in found {
        let measure = findings.add(&metric, &sample.id, paths.len(), evidence);
        if let Some(measure) = measure.filter(|_| metric.id == LEAD_CHANGES.id) {
            measure.median = median(paths.iter().map(|path| (lead_changes(path), 1.0)));
        }
    }
    curves(sample, &paths, findings);
}

fn curves(sample: &Sample, paths: &Clustered<Path>, findings: &mut Findings) {
    let levels = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];
    let seen = levels.iter().filter_map(|&p| Some((p, share(paths, |path| comebacks(path, p))?.estimate)));
    let fair = levels.iter().filter_map(|&p| {
        Some((p, ratio(paths, |path| fair_comebacks(path, p), &findings.resampling)?.estimate))
    });
    let (seen, fair) = (seen.collect(), fair.collect());
    findings.curve(&FIGURE, &sample.id, "seen", seen);
    findings.curve(&FIGURE, &sample.id, "fair-gamble", fair);
}

fn lead_changes(path: &Path) -> f64 {
    let (mut leader, mut changes) = (None, 0.0);
    for white in path.of(Color::White) {
        let now = if white > 1.0 - LEAD {
            Color::White
        } else if white < LEAD {
            Color::Black
        } else {
            continue;
        };
        changes += f64::from(leader.is_some_and(|before| before != now));
        leader = Some(now);
    }
    changes
}

/// Returns the number of sides that come back to [`LEVEL`] after their expected score falls to `p`,
/// then the number of sides whose score falls to `p`.
fn comebacks(path: &Path, p: f64) -> (f64, f64) {
    sunk(path, p, |_, later| f64::from(later.into_iter().any(|score| score >= LEVEL)))
}

/// Returns the number of comebacks to [`LEVEL`] that fair gambles would have on average, then the
/// number of sides whose expected score falls to `p`. A gamble starts at the side's first score at
/// or below `p`.
fn fair_comebacks(path: &Path, p: f64) -> (f64, f64) {
    sunk(path, p, |first, _| martingale::reaches(first, LEVEL))
}

/// Returns the sum of `value` over the sides whose expected score falls to `p` before the end of
/// the game, then the number of these sides. `value` gets a side's first score at or below `p`, and
/// all later scores.
fn sunk(path: &Path, p: f64, value: impl Fn(f64, Vec<f64>) -> f64) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for side in Color::ALL {
        let mut scores = path.of(side);
        let first = scores.by_ref().take(path.white.len()).find(|&score| score <= p);
        if let Some(first) = first {
            sums = (sums.0 + value(first, scores.collect()), sums.1 + 1.0);
        }
    }
    sums
}

fn drama(path: &Path) -> (f64, f64) {
    let Some(winner) = path.winner else { return (0.0, 0.0) };
    let plies = path.white.len();
    (path.of(winner).take(plies).map(|score| (0.5 - score).max(0.0)).sum(), plies as f64)
}

/// Returns the sum over plies of the drama that a fair gamble has on average, then the number of
/// plies. Both are 0 for a game without a winner. The drama at a ply is the deficit of the side
/// behind, times that side's probability of winning.
fn fair_drama(path: &Path) -> (f64, f64) {
    let expected = |white: f64| {
        let behind = white.min(1.0 - white);
        behind * (0.5 - behind)
    };
    match path.winner {
        Some(_) => (path.white.iter().map(|&white| expected(white)).sum(), path.white.len() as f64),
        None => (0.0, 0.0),
    }
}

fn late_uncertainty(path: &Path) -> (f64, f64) {
    let late = (path.white.len() as f64 * LATE).ceil() as usize;
    let last = path.white.iter().rev().take(late);
    (last.map(|white| 1.0 - (2.0 * white - 1.0).abs()).sum::<f64>() / late as f64, 1.0)
}

#[cfg(test)]
#[path = "leads_tests.rs"]
mod tests;
