//! Comebacks from a material deficit.
//!
//! A side is down by d while the balance, in what pieces are worth to these players, is d pawns or more against it at seven
//! positions in a row (six plies), the last of them quiet; exchanges under way do not count. What pieces are worth is
//! fitted on other games of the same arm and agent, all levels together, so that one scale serves a curve.

use super::facts::GameFacts;
use super::findings::Findings;
use super::piece_values::{is_sane, rows, terms, valued};
use super::quiet::{is_quiet, terms_at};
use super::sample::Sample;
use crate::data::{Checkpoint, SampleId};
use crate::games::Term;
use crate::results::{MetricInfo, Unit};
use crate::stats::{Clustered, share, tanh_regression};
use catapult_rules::{Color, Variant};
use std::collections::BTreeSet;

/// Plies that a deficit must last.
const HELD: usize = 6;
/// The deficit of the metrics, pawns.
const DEFICIT: f64 = 3.0;
/// Deficits of the curves.
const DEFICITS: [f64; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0];

const SCORE: MetricInfo = MetricInfo {
    id: "comeback_score",
    name: "score from three pawns down",
    unit: Unit::Share,
    definition: "Mean score of a side that was three pawns or more down in material for six plies, in the arm's own values as fitted \
                 on other games (conventional values where those make no sense; see the warnings).",
};
const WINS: MetricInfo = MetricInfo {
    id: "comeback_wins",
    name: "wins from three pawns down",
    unit: Unit::Share,
    definition: "Sides that won after having been three pawns or more down in material for six plies, of all that were (as in the score from \
                 three pawns down).",
};
const CONVENTIONAL_SCORE: MetricInfo = MetricInfo {
    id: "comeback_score_conventional",
    name: "score from three pawns down, conventional values",
    unit: Unit::Share,
    definition: "The score from three pawns down, in conventional values: pawn 1, knight and bishop 3, rook 5, queen 9, catapults nothing.",
};

pub(super) const METRICS: &[MetricInfo] = &[SCORE, WINS, CONVENTIONAL_SCORE];

pub(super) const FIGURE: (&str, &str, &str, &str, &str) = (
    "comebacks",
    "Comebacks from a material deficit",
    "deficit held for six plies, pawns",
    "of the sides that were so far down",
    "What became of sides that were down by so much material or more: their mean score, and the share that won.",
);

/// A game and how far down each side was at most.
struct Deficits<'a> {
    game: &'a GameFacts,
    simulations: u32,
    /// In pawns, White's first; by fitted values.
    fitted: [f64; 2],
    /// By conventional values.
    conventional: [f64; 2],
}

/// A game of a group.
struct Pooled<'a> {
    game: &'a GameFacts,
    simulations: u32,
}

pub(super) fn measure(samples: &[Sample], findings: &mut Findings) {
    let group = |id: &SampleId| (id.arm, id.agent.clone(), id.checkpoint);
    let groups: BTreeSet<(Variant, String, Checkpoint)> =
        samples.iter().map(|sample| group(&sample.id)).collect();
    for key in groups {
        let of_group: Vec<&Sample> = samples.iter().filter(|sample| group(&sample.id) == key).collect();
        measure_group(key, &of_group, findings);
    }
}

fn measure_group(
    (arm, agent, checkpoint): (Variant, String, Checkpoint),
    samples: &[&Sample],
    findings: &mut Findings,
) {
    let terms = terms(arm);
    let games = Clustered::new(samples.iter().flat_map(|sample| {
        let simulations = sample.id.simulations;
        let of_seed = move |seed| {
            let games = sample.games.only(seed);
            games.map(move |game| (seed, game.opening.clone(), Pooled { game, simulations }))
        };
        sample.games.seeds().flat_map(of_seed)
    }));
    let valued = valued(&terms, games.iter().map(|pooled| pooled.game));
    // Two parts: the values of each are those of the other.
    let fit = |others: &mut dyn Iterator<Item = &Pooled>| {
        let rows: Vec<_> = others.flat_map(|pooled| rows(pooled.game, &valued)).collect();
        pawns(&tanh_regression(&rows)?, &terms, &valued)
    };
    let both = games.on_others(2, fit, |values, pooled| {
        let conventional = most_down(pooled.game, |ply| f64::from(lead_at(pooled.game, ply)) / 100.0);
        let by_value =
            |values: &Vec<f64>| most_down(pooled.game, |ply| worth(values, terms_at(pooled.game, ply)));
        let fitted = values.as_ref().map(by_value);
        (pooled.game, pooled.simulations, fitted, conventional)
    });
    let is_fitted = both.iter().all(|(_, _, fitted, _)| fitted.is_some());
    if !is_fitted {
        findings.warn_of(
            format!("{arm} by {agent}, {checkpoint}"),
            "Piece values fitted on other games do not come out sane, so comebacks are told in conventional values (pawn 1, knight \
             and bishop 3, rook 5, queen 9)",
        );
    }
    let deficits = both.map(|&(game, simulations, fitted, conventional)| Deficits {
        game,
        simulations,
        fitted: fitted.filter(|_| is_fitted).unwrap_or(conventional),
        conventional,
    });
    for sample in samples {
        let of_level =
            deficits.filter_map(|game| (game.simulations == sample.id.simulations).then_some(game));
        measure_sample(&sample.id, &of_level, findings);
    }
}

/// Values of all terms in pawns, 0 for those that are not valued; none if they make no sense.
fn pawns(weights: &[f64], terms: &[Term], valued: &[usize]) -> Option<Vec<f64>> {
    let mut values = vec![0.0; terms.len()];
    for (&term, weight) in valued.iter().zip(&weights[1..]) {
        values[term] = *weight;
    }
    let of = |name: &str| {
        let term = terms.iter().position(|term| term.name == name)?;
        valued.contains(&term).then(|| values[term])
    };
    if !is_sane(of) {
        return None;
    }
    let pawn = values[terms.iter().position(|term| term.is_pawn)?];
    Some(values.iter().map(|value| value / pawn).collect())
}

fn worth(values: &[f64], terms: &[i8]) -> f64 {
    values.iter().zip(terms).map(|(value, &count)| value * f64::from(count)).sum()
}

/// White's conventional material less Black's.
fn lead_at(game: &GameFacts, ply: usize) -> i32 {
    game.plies.get(ply).map_or(game.last_lead, |facts| facts.lead)
}

/// The most by which each side was down for [`HELD`] plies, White's first, given White's balance at a ply; 0 if it never was.
fn most_down(game: &GameFacts, balance: impl Fn(usize) -> f64) -> [f64; 2] {
    let balances: Vec<f64> = (0..game.plies.len()).map(balance).collect();
    let mut most = [0.0f64; 2];
    for (start, held) in balances.windows(HELD + 1).enumerate() {
        if is_quiet(game, start + HELD) {
            let least = |sign: f64| held.iter().map(|balance| sign * balance).fold(f64::INFINITY, f64::min);
            most = [most[0].max(least(-1.0)), most[1].max(least(1.0))];
        }
    }
    most
}

fn measure_sample(id: &SampleId, games: &Clustered<&Deficits>, findings: &mut Findings) {
    let fitted = |game: &Deficits| game.fitted;
    let conventional = |game: &Deficits| game.conventional;
    let score = |game: &GameFacts, side| game.score(side);
    let won = |game: &GameFacts, side| f64::from(u8::from(game.winner == Some(side)));
    let found = [
        (
            &SCORE,
            share(games, |game| parts(game, DEFICIT, fitted, score)),
            fitted as fn(&Deficits) -> [f64; 2],
        ),
        (&WINS, share(games, |game| parts(game, DEFICIT, fitted, won)), fitted),
        (&CONVENTIONAL_SCORE, share(games, |game| parts(game, DEFICIT, conventional, score)), conventional),
    ];
    for (metric, evidence, by) in found {
        let sides: usize =
            games.iter().map(|game| by(game).iter().filter(|&&down| down >= DEFICIT).count()).sum();
        findings.add(metric, id, sides, evidence);
    }
    for (series, value) in [("mean score", score as fn(&GameFacts, Color) -> f64), ("share of wins", won)] {
        let point = |deficit: f64| {
            Some((deficit, share(games, |game| parts(game, deficit, fitted, value))?.estimate))
        };
        findings.curve(FIGURE.0, id, series, DEFICITS.into_iter().filter_map(point).collect());
    }
}

/// A value summed over the sides of a game that were so far down, and how many were.
fn parts(
    game: &Deficits,
    deficit: f64,
    by: impl Fn(&Deficits) -> [f64; 2],
    value: impl Fn(&GameFacts, Color) -> f64,
) -> (f64, f64) {
    let down = by(game);
    let sides = Color::ALL.into_iter().filter(|&side| down[side as usize] >= deficit);
    sides.fold((0.0, 0.0), |sum, side| (sum.0 + value(game.game, side), sum.1 + 1.0))
}

#[cfg(test)]
#[path = "comebacks_tests.rs"]
mod tests;
