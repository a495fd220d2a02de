//! Choice of the players that meet next, so that the widest interval narrows most.

use super::bounds::{Standing, standings};
use super::contest::Contest;
use super::fit::{LN_DRAWS, fit};
use super::model::{Model, NATURAL};

/// Number of pairs of games in a block. Two chosen players play one block before the next choice.
pub const BLOCK_PAIRS: u32 = 10;

/// Range of expected scores, from 0 to 1. Two players may meet only within it.
const INFORMATIVE_SCORES: std::ops::RangeInclusive<f64> = 0.06..=0.94;

/// Standard deviation in Elo of the prior for the rating of a player with a guess.
const GUESS_SD: f64 = 200.0;
/// Standard deviation in Elo of the prior for the rating of a player without a guess.
const NO_GUESS_SD: f64 = 1000.0;

/// Minimum share of the widest interval's variance that a pairing's block of games must remove. A
/// pairing below it is not chosen.
const LEAST_GAIN: f64 = 0.002;

/// Time per move in milliseconds, summed over both players, up to which a pairing counts as fast.
/// If a pairing takes longer, its gain is multiplied by this time and divided by its own time.
const CHEAP: f64 = 100.0;

/// Player in a plan of games for ratings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seat {
    /// Guess of the player's rating in Elo, relative to the player with rating 0. It affects only
    /// the choice of opponents. `None` if nothing is known.
    pub guess: Option<f64>,
    /// Approximate time per move in milliseconds. It is a constant and not a measurement, so that
    /// the choice of games is reproducible.
    pub cost: f64,
    /// True if the games are to narrow the interval of this player's rating. All other players
    /// serve only as opponents.
    pub is_target: bool,
}

/// Players to rate and the number of games to play.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Players, by index.
    pub seats: Vec<Seat>,
    /// Index of the player with rating 0.
    pub zero: usize,
    /// Total number of games to play, including games already played.
    pub games: u32,
    /// Maximum number of games between two players. Beyond this number, games against other
    /// opponents test the scale better.
    pub games_per_pairing: u32,
}

impl Plan {
    /// Returns the pairs of players that play [`BLOCK_PAIRS`] pairs of games next, with the lower
    /// index first. Returns an empty list when the plan is complete. The result depends only on the
    /// plan and `contests`, which are the games so far.
    ///
    /// Ratings and covariances come from a fit with the guesses as prior. Each step takes the
    /// target with the largest variance, and the two players whose games reduce this variance most.
    /// The target may be one of the two. Otherwise, the games connect the target's opponents to the
    /// zero, the player with rating 0.
    ///
    /// Let S be the covariances, i and j the two players, v = e_i - e_j, u = e_target, and m the
    /// information of the block. The reduction is (u'Sv)^2 m / (1 + m v'Sv). For a pairing slower
    /// than `CHEAP`, it is multiplied by `CHEAP` and divided by the pairing's time per move.
    ///
    /// If the games do not bound a target on both sides, its pairings are restricted. At least one
    /// of the two players must not be bounded on both sides.
    ///
    /// Two players no longer meet if the fit expects a score below 6 % or above 94 %. Their
    /// observed score is not a criterion, because stopping at extreme scores would bias ratings
    /// outwards.
    pub fn next_round(&self, contests: &[Contest]) -> Vec<(usize, usize)> {
        let players = self.seats.len();
        let fit_with = |draws: f64| {
            let stretch = Model::stretch(draws);
            let prior = |seat: &Seat| match seat.guess {
                Some(guess) => (stretch * guess, stretch * GUESS_SD),
                None => (0.0, stretch * NO_GUESS_SD),
            };
            let prior: Vec<(f64, f64)> = self.seats.iter().map(prior).collect();
            fit(contests, self.zero, &prior, None)
        };
        // The stretch of the guesses depends on nu, which a first fit knows well enough.
        let known = fit_with(fit_with(LN_DRAWS.0.exp()).model.draws);
        let mut covariances = known.covariances();
        let mut played = vec![vec![0; players]; players];
        let mut open: Vec<(usize, usize)> =
            (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect();
        for contest in contests {
            let (a, b) = (contest.first.min(contest.second), contest.first.max(contest.second));
            played[a][b] = 2 * contest.pairs();
        }
        open.retain(|&(a, b)| played[a][b] + 2 * BLOCK_PAIRS <= self.games_per_pairing);
        open.retain(|&(a, b)| INFORMATIVE_SCORES.contains(&known.model.score(a, b).0));
        let standings = standings(contests, players, self.zero);
        let unit = NATURAL * Model::stretch(known.model.draws);
        let information = |(a, b)| unit * unit * f64::from(2 * BLOCK_PAIRS) * known.model.score(a, b).1;
        let mut targets: Vec<usize> =
            (0..players).filter(|&p| p != self.zero && self.seats[p].is_target).collect();
        let mut left = self.games.saturating_sub(played.iter().flatten().sum()) / (2 * BLOCK_PAIRS);
        let round = targets.len();
        let mut chosen = Vec::new();
        while chosen.len() < round && left > 0 && !targets.is_empty() {
            // `rev` makes `max_by` return the first of equal targets instead of the last.
            let widest = |a: &&usize, b: &&usize| covariances[**a][**a].total_cmp(&covariances[**b][**b]);
            let Some(&target) = targets.iter().rev().max_by(widest) else { break };
            let gain = |&(a, b): &(usize, usize)| {
                let m = information((a, b));
                let moved = covariances[target][a] - covariances[target][b];
                let spread = covariances[a][a] + covariances[b][b] - 2.0 * covariances[a][b];
                moved * moved * m / (1.0 + m * spread)
            };
            let worth = |pairing: &(usize, usize)| {
                let cost = self.seats[pairing.0].cost + self.seats[pairing.1].cost;
                gain(pairing) / (cost / CHEAP).max(1.0)
            };
            let is_held = |player: usize| standings[player] == Standing::Held;
            let may = |&&(a, b): &&(usize, usize)| is_held(target) || !is_held(a) || !is_held(b);
            let best = open.iter().rev().filter(may).max_by(|a, b| worth(a).total_cmp(&worth(b))).copied();
            match best.filter(|best| gain(best) > LEAST_GAIN * covariances[target][target]) {
                Some((a, b)) => {
                    add_information(&mut covariances, (a, b), information((a, b)));
                    open.retain(|pairing| *pairing != (a, b));
                    chosen.push((a, b));
                    left -= 1;
                }
                None => targets.retain(|other| *other != target),
            }
        }
        chosen
    }
}

/// Updates covariances as if games had added `information` on the rating difference of players `a`
/// and `b`. The information is an inverse variance, in 1/Elo^2.
fn add_information(covariances: &mut [Vec<f64>], (a, b): (usize, usize), information: f64) {
    let column: Vec<f64> = covariances.iter().map(|row| row[a] - row[b]).collect();
    let factor = information / (1.0 + information * (column[a] - column[b]));
    for (row, &own) in covariances.iter_mut().zip(&column) {
        for (value, &other) in row.iter_mut().zip(&column) {
            *value -= factor * own * other;
        }
    }
}
