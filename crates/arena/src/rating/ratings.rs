//! Ratings of players with intervals or bounds, and a test of the ratings against the games.

use super::bootstrap::{Intervals, intervals};
use super::bounds::{Standing, pentanomial, put_bounds, standings};
use super::contest::Contest;
use super::fit::{WEAK_SD, fit};
use super::strength::Rating;
use catapult_stats::Interval;

/// Number of bootstrap samples for published intervals. The model is fitted twice to each: for
/// ratings, and for White's advantage and nu.
pub const RESAMPLES: usize = 999;

/// Rating of one player, with its numbers of games and opponents.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerRating {
    /// Estimate with its 95 % interval, or a bound.
    pub rating: Rating,
    /// Number of games that the player has played.
    pub games: u32,
    /// Number of other players that the player has met.
    pub opponents: u32,
}

/// Observed and expected score of two players against each other. If only their games connect one
/// of them to the other players, the fit makes the two scores equal. Such a pairing does not test
/// the scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
    /// Index of the first player.
    pub first: usize,
    /// Index of the second player.
    pub second: usize,
    /// Number of games.
    pub games: u32,
    /// Mean score of the first player, from 0 to 1.
    pub observed: f64,
    /// Mean score of the first player that the ratings predict, from 0 to 1.
    pub expected: f64,
    /// Observed minus expected score, in standard deviations of the mean score over `games`
    /// independent games under the model.
    pub residual: f64,
}

/// Ratings of all players on one scale.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Ratings of the players, by index.
    pub players: Vec<PlayerRating>,
    /// White's advantage in Elo.
    pub white: Interval,
    /// Davidson's nu: the number of draws between equal players, divided by the number of one
    /// player's wins.
    pub draws: Interval,
    /// Observed and expected scores of each contest with games, in the order of the contests.
    pub meetings: Vec<Meeting>,
}

/// Rates players `0..players` by their games. `zero` is the index of the player with rating 0.
/// Intervals come from `resamples` resamples of the games, drawn by `seed`. [`RESAMPLES`] is the
/// usual number.
pub fn rate(contests: &[Contest], players: usize, zero: usize, resamples: usize, seed: u64) -> Ratings {
    let prior = vec![(0.0, WEAK_SD); players];
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
