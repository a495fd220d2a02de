//! Comebacks from a material deficit.
//!
//! A side is down by d if it is at least d pawns behind at seven consecutive positions (six plies).
//! The last of these positions must be quiet, so that exchanges in progress do not count. Piece
//! values are the conventional ones, so they are the same in every arm.

use super::facts::GameFacts;
use super::findings::Findings;
use super::quiet::is_quiet;
use super::sample::Sample;
use crate::rows::{figure, metrics};
use catapult_rules::Color;
use catapult_stats::{Clustered, share};

/// Number of plies that a deficit must last.
const HELD: usize = 6;
/// Minimum deficit, in pawns, of the sides that the metrics of comebacks count.
const DEFICIT: f64 = 3.0;
/// Minimum deficits, in pawns, at the points of the curves of comebacks.
const DEFICITS: [f64; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0];

metrics! {
    METRICS =
    SCORE: Comebacks Share "comeback_score", "score from three pawns down",
        phrase: Phrase::Noun("the score from three pawns down");
        "Mean score of a side that was three pawns or more down in material for six plies. Values are conventional: pawn 1, \
         knight and bishop 3, rook 5, queen 9, catapults 0. Pieces of other games have the values of the page of their \
         game. The last of the positions is quiet: no check, and no exchange in the turns before and after it. The \
         position after the last move does not count.";
    WINS: Comebacks Share "comeback_wins", "wins from three pawns down";
        "Sides that won, of the sides that \"score from three pawns down\" counts.";
}

figure! {
    FIGURE: Comebacks Share "comebacks", "Comebacks from a material deficit";
        "deficit held for six plies, pawns", "of the sides with at least this deficit"; [curve "mean-score" "mean score", curve "wins" "share of wins"];
        "Mean score, and share of wins, of sides whose deficit in conventional values was at least this \
         large.";
}

/// A game and the largest lasting deficit of each side in pawns, first White's, then Black's.
type Deficits<'a> = (&'a GameFacts, [f64; 2]);

pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let games = &sample.games.map(|game| (game, most_down(game)));
    let mean_score = |game: &GameFacts, side| game.score(side);
    let won = |game: &GameFacts, side| f64::from(game.winner == Some(side));
    let mean =
        |deficit: f64, value: fn(&GameFacts, Color) -> f64| share(games, |game| parts(game, deficit, value));
    for (metric, series, value) in
        [(&SCORE, "mean-score", mean_score as fn(&GameFacts, Color) -> f64), (&WINS, "wins", won)]
    {
        findings.add(metric, &sample.id, sides(games), mean(DEFICIT, value));
        let point = |deficit: f64| Some((deficit, mean(deficit, value)?.estimate));
        findings.curve(&FIGURE, &sample.id, series, DEFICITS.into_iter().filter_map(point).collect());
    }
}

/// Returns the largest deficit of each side that lasted [`HELD`] plies, in conventional pawns: first
/// White's, then Black's. It is 0 for a side without a deficit.
fn most_down(game: &GameFacts) -> [f64; 2] {
    let balances: Vec<f64> = game.plies.iter().map(|ply| f64::from(ply.lead) / 100.0).collect();
    let mut most = [0.0f64; 2];
    for (start, held) in balances.windows(HELD + 1).enumerate() {
        if is_quiet(game, start + HELD) {
            let least = |sign: f64| held.iter().map(|balance| sign * balance).fold(f64::INFINITY, f64::min);
            most = [most[0].max(least(-1.0)), most[1].max(least(1.0))];
        }
    }
    most
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
