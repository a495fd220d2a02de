//! Comebacks from a material deficit.
//!
//! A side is down by d if it is at least d pawns behind at seven consecutive positions (six plies).
//! The last of these positions must be quiet, so that exchanges in progress do not count. The main
//! metrics use conventional piece values, which are equal in every arm.
//!
//! Another metric uses piece values fitted on other games of the same arm, agent and checkpoint,
//! with all search levels pooled. It is reported for every arm or for none, so that all compared
//! arms use the same kind of values.

use super::facts::GameFacts;
use super::findings::Findings;
use super::fitted::{is_sane, rows, valued};
use super::quiet::{is_quiet, terms_at};
use super::sample::Sample;
use crate::arms::Arm;
use crate::data::{Checkpoint, SampleId};
use crate::games::{GameInfo, Term};
use crate::results::{MetricInfo, Warning};
use crate::rows::{figure, metrics};
use catapult_rules::{Color, Variant};
use catapult_stats::{Clustered, Loss, share, tanh_regression};
use std::collections::BTreeSet;

/// Number of plies that a deficit must last.
const HELD: usize = 6;
/// Minimum deficit, in pawns, of the sides that the metrics of comebacks count.
const DEFICIT: f64 = 3.0;
/// Minimum deficits, in pawns, at the points of the curves of comebacks.
const DEFICITS: [f64; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0];

metrics! {
    METRICS =
    SCORE: Comebacks Share "comeback_score", "score from three pawns down", noun "the score from three pawns down";
        "Mean score of a side that was three pawns or more down in material for six plies. Values are conventional: pawn 1, \
         knight and bishop 3, rook 5, queen 9, catapults 0. Pieces of other games have the values of the page of their \
         game.";
    WINS: Comebacks Share "comeback_wins", "wins from three pawns down";
        "Sides that won, of all sides that were three pawns or more down in material for six plies.";
    FITTED_SCORE: Comebacks Share "comeback_score_fitted", "score from three pawns down, fitted values";
        "The score from three pawns down, in piece values fitted by likelihood on other games of the same arm and agent. It \
         is measured only if the values of every arm, agent and checkpoint come in the known order.";
}

figure! {
    FIGURE: Comebacks Share "comebacks", "Comebacks from a material deficit";
        "deficit held for six plies, pawns", "of the sides that were so far down"; [curve "mean-score" "mean score", curve "wins" "share of wins"];
        "Mean score of sides that were down by so much material or more in conventional values, and the share that won.";
}

/// A game and the largest lasting deficit of each side in pawns, first White's, then Black's.
type Deficits<'a> = (&'a GameFacts, [f64; 2]);

/// A group of samples that share arm, agent and checkpoint.
type Group = (Arm, String, Checkpoint);

pub(super) fn measure(samples: &[Sample], findings: &mut Findings) {
    for sample in samples {
        let games = sample.games.map(|game| (game, most_down(game, |ply| lead_at(game, ply) / 100.0)));
        told(&sample.id, &games, findings);
    }
    let group = |id: &SampleId| (id.arm, id.agent.clone(), id.checkpoint);
    let groups: BTreeSet<Group> = samples.iter().map(|sample| group(&sample.id)).collect();
    let mut fitted = Vec::new();
    let mut insane = Vec::new();
    for key in groups {
        let of_group: Vec<&Sample> = samples.iter().filter(|sample| group(&sample.id) == key).collect();
        match by_fitted_values(key.0.rules, &of_group) {
            Some(found) => fitted.extend(found),
            None => insane.push(key),
        }
    }
    if !insane.is_empty() {
        return findings.warn(Warning::FittedValues { groups: insane });
    }
    for (id, games) in &fitted {
        score(&FITTED_SCORE, id, games, findings);
    }
}

/// A game of a group and its search level in simulations per move.
type Pooled<'a> = (&'a GameFacts, u32);

/// Returns the deficits of each sample of a group, by piece values that are fitted on other games
/// of the group. `None` if a fit fails or its values are not in the known order (`is_sane`).
fn by_fitted_values<'a>(
    arm: Variant,
    samples: &[&'a Sample],
) -> Option<Vec<(SampleId, Clustered<Deficits<'a>>)>> {
    let terms = GameInfo::of(arm).terms;
    let games = Clustered::new(samples.iter().flat_map(|sample| {
        let simulations = sample.id.simulations;
        sample.seeded().map(move |(seed, game)| (seed, game.opening.clone(), (game, simulations)))
    }));
    let valued = valued(&terms, games.iter().map(|(game, _)| *game));
    // Games form two parts. The values of each part are fitted on the other.
    let fit = |others: &mut dyn Iterator<Item = &Pooled>| {
        let rows: Vec<_> = others.flat_map(|(game, _)| rows(game, &valued)).collect();
        pawns(&tanh_regression(&rows, Loss::Likelihood)?, &terms, &valued)
    };
    let both = games.on_others(2, fit, |values, &(game, simulations)| {
        let down = |values: &Vec<f64>| most_down(game, |ply| worth(values, terms_at(game, ply)));
        (game, simulations, values.as_ref().map(down))
    });
    if both.iter().any(|(_, _, down)| down.is_none()) {
        return None;
    }
    let of_level = |sample: &&Sample| {
        let games = both.filter_map(|&(game, simulations, down)| {
            Some((game, down?)).filter(|_| simulations == sample.id.simulations)
        });
        (sample.id.clone(), games)
    };
    Some(samples.iter().map(of_level).collect())
}

/// Returns the fitted values of all terms in pawns, 0 for terms that were not fitted. `weights` are
/// a constant, then the weights of the terms `valued`. `None` if the values are not in the known
/// order (`is_sane`).
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

/// Returns White's material minus Black's, in conventional centipawns, before ply `ply`. If `ply`
/// is the number of plies, it returns the difference at the end of the game.
fn lead_at(game: &GameFacts, ply: usize) -> f64 {
    f64::from(game.plies.get(ply).map_or(game.last_lead, |facts| facts.lead))
}

/// Returns the largest deficit of each side that lasted [`HELD`] plies, first White's, then
/// Black's. It is 0 for a side without a deficit. `balance` returns White's material minus Black's
/// at a ply, and determines the unit.
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

/// Adds the metrics and curves of comebacks by conventional piece values.
fn told(id: &SampleId, games: &Clustered<Deficits>, findings: &mut Findings) {
    score(&SCORE, id, games, findings);
    let won = |game: &GameFacts, side| f64::from(u8::from(game.winner == Some(side)));
    findings.add(&WINS, id, sides(games), share(games, |game| parts(game, DEFICIT, won)));
    let mean_score = |game: &GameFacts, side| game.score(side);
    for (series, value) in [("mean-score", mean_score as fn(&GameFacts, Color) -> f64), ("wins", won)] {
        let point =
            |deficit: f64| Some((deficit, share(games, |game| parts(game, deficit, value))?.estimate));
        findings.curve(&FIGURE, id, series, DEFICITS.into_iter().filter_map(point).collect());
    }
}

fn score(metric: &MetricInfo, id: &SampleId, games: &Clustered<Deficits>, findings: &mut Findings) {
    let evidence = share(games, |game| parts(game, DEFICIT, |game, side| game.score(side)));
    findings.add(metric, id, sides(games), evidence);
}

/// Returns the number of sides that were down by [`DEFICIT`] or more, over all games.
fn sides(games: &Clustered<Deficits>) -> usize {
    games.iter().map(|(_, down)| down.iter().filter(|&&down| down >= DEFICIT).count()).sum()
}

/// Returns the sum of `value` over the sides of a game that were down by `deficit` or more, then
/// the number of these sides.
fn parts((game, down): &Deficits, deficit: f64, value: impl Fn(&GameFacts, Color) -> f64) -> (f64, f64) {
    let sides = Color::ALL.into_iter().filter(|&side| down[side as usize] >= deficit);
    sides.fold((0.0, 0.0), |sum, side| (sum.0 + value(game, side), sum.1 + 1.0))
}

#[cfg(test)]
#[path = "comebacks_tests.rs"]
mod tests;
