//! One Elo scale for many players that have met in pairs of games.
//!
//! The model is Davidson's (*On Extending the Bradley-Terry Model to Accommodate Ties in Paired
//! Comparison Experiments*, 1970) with a term for the colour. The probabilities that White wins,
//! draws and loses are proportional to w : nu sqrt(w) : 1. Here w is the ratio of White's wins to
//! its losses: log10 w = (1 + nu / 2) (white - black + c) / 400. The factor 1 + nu / 2 makes an Elo
//! point equal to that of a match ([`MatchResult::elo`](crate::MatchResult::elo)), as in BayesElo.
//! Near equality the expected score changes with the difference as on the logistic curve, however
//! many games are drawn. Without draws it is the logistic curve. Truncated games count as draws, as
//! in matches, but files distinguish the two. One player, the *zero*, has rating 0.
//!
//! Ratings are the most likely ones under a weak prior ([`Prior`]), which settles only what the
//! games leave open. A player that the games bound on one side has a bound instead of a rating. A
//! player that they do not connect to the zero has neither ([`Rating`]). Intervals are a bootstrap
//! over pairs of games, resampled within each pairing.

mod bootstrap;
mod bounds;
mod contest;
mod fit;
mod ladder;
mod matrix;
mod model;

mod ratings;
mod schedule;
mod strength;
#[cfg(test)]
mod tests;

pub use contest::{Contest, Ended, Pair};
pub use fit::{Fit, Prior, fit};
pub use ladder::{Anchored, anchors};
pub use model::Model;
pub use ratings::{Meeting, PlayerRating, RESAMPLES, Ratings, rate};
pub use schedule::{BLOCK_PAIRS, Plan, Seat};
pub use strength::Rating;

use catapult_seeds::Stream;

/// Returns the seed of a pairing. It depends only on `seed` and the two names in this order, so
/// other players do not affect the pairing's games.
pub fn pairing_seed(seed: u64, first: &str, second: &str) -> u64 {
    Stream::Pairing(first, second).seed(seed)
}
