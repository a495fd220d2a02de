//! One Elo scale for many players who have met in pairs of games.
//!
//! The model is Davidson's (*On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison Experiments*, 1970) with a term
//! for the colour: White wins, draws or loses with chances in proportion to w : nu sqrt(w) : 1, where w is the ratio of its wins to its
//! losses, log10 w = (1 + nu / 2) (white - black + c) / 400. The factor 1 + nu / 2 is what makes a point of Elo the point of a match
//! ([`MatchResult::elo`](crate::MatchResult::elo)): near equality the expected score changes with the difference as the logistic curve
//! does, however many games are drawn (as BayesElo scales its ratings); without draws it is the logistic curve. Games cut at the ply cap
//! count as draws, as in matches; they are told apart in what is kept. One player stands at 0.
//!
//! Ratings are the most likely ones under a weak prior ([`Prior`]), which is there for what the games leave open and for nothing else: a
//! player whom the games hold from one side only is given as a bound, and one whom they do not join to the zero not at all
//! ([`Rating`]). Intervals are a bootstrap over pairs of games, each pairing's resampled on its own.

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

/// A seed of its own for a pairing: the same two names, in this order, give the same games under the same seed, whoever else plays.
pub fn pairing_seed(seed: u64, first: &str, second: &str) -> u64 {
    Stream::Pairing(first, second).seed(seed)
}
