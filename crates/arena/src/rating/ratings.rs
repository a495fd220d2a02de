//! Ratings with intervals or bounds, and how well the scale fits.

use super::bootstrap::{Intervals, intervals};
use super::bounds::{Standing, pentanomial, put_bounds, standings};
use super::contest::Contest;
use super::fit::{Prior, fit};
use super::strength::Rating;
use catapult_stats::Interval;
use serde::{Deserialize, Serialize};

/// Fits to resampled games from which intervals are taken.
pub const RESAMPLES: usize = 999;

/// A player on the scale.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayerRating {
    /// What the games say.
    pub rating: Rating,
    /// Games played.
    pub games: u32,
    /// Opponents met.
    pub opponents: u32,
}

/// A pairing's score beside what the ratings expect. A pairing by which alone a player is joined to the others is met by its rating, and
/// tells nothing of how well the scale fits.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// The number of the first player.
    pub first: usize,
    /// The number of the second.
    pub second: usize,
    /// Games played.
    pub games: u32,
    /// The first player's mean score, 0 to 1.
    pub observed: f64,
    /// The mean score that the ratings expect.
    pub expected: f64,
    /// Observed less expected in standard deviations of the mean under the model, games independent.
    pub residual: f64,
}

/// Players on one scale.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ratings {
    /// By player.
    pub players: Vec<PlayerRating>,
    /// What White is worth, Elo.
    pub white: Interval,
    /// Davidson's nu: between equals, draws to wins of one side.
    pub draws: Interval,
    /// By pairing, in the order of the contests that had games.
    pub meetings: Vec<Meeting>,
}

/// Rates so many players by their games; `zero` stands at 0. Intervals come from `resamples` ([`RESAMPLES`]) fits drawn by the seed.
pub fn rate(contests: &[Contest], players: usize, zero: usize, resamples: usize, seed: u64) -> Ratings {
    let prior = Prior::weak(players);
    let whole = fit(contests, zero, &prior, None);
    let Intervals { players: ends, white, draws } =
        intervals(contests, zero, &prior, &whole, resamples, seed);
    let standings = standings(contests, players, zero);
    let closed = |end: f64| end.is_finite().then_some(end);
    let value = |player: usize| match standings[player] {
        _ if player == zero => Rating::Value { elo: 0.0, low: Some(0.0), high: Some(0.0) },
        Standing::Held => {
            let (low, high) = ends[player];
            Rating::Value { elo: whole.model.ratings[player], low: closed(low), high: closed(high) }
        }
        _ => Rating::Unknown,
    };
    let mut ratings: Vec<Rating> = (0..players).map(value).collect();
    put_bounds(&mut ratings, &standings, contests);
    let met = contests.iter().filter(|contest| contest.pairs() > 0);
    let meetings = met.clone().map(|contest| {
        let games = 2 * contest.pairs();
        let (expected, variance) = whole.model.score(contest.first, contest.second);
        let observed = pentanomial(contest).mean();
        let residual = (observed - expected) * (f64::from(games) / variance).sqrt();
        Meeting { first: contest.first, second: contest.second, games, observed, expected, residual }
    });
    let player = |(player, rating): (usize, Rating)| {
        let own = met.clone().filter(|contest| contest.first == player || contest.second == player);
        PlayerRating {
            rating,
            games: own.clone().map(|contest| 2 * contest.pairs()).sum(),
            opponents: own.count() as u32,
        }
    };
    let meetings = meetings.collect();
    Ratings { players: ratings.into_iter().enumerate().map(player).collect(), white, draws, meetings }
}
