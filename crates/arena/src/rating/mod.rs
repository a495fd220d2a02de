//! Ratings of many players on one Elo scale, from pairs of games between them.
//!
//! The model is from Davidson, *On Extending the Bradley-Terry Model to Accommodate Ties in Paired
//! Comparison Experiments*, 1970. Here it has a term c for White's advantage. The probabilities
//! that White wins, draws and loses are proportional to w : nu sqrt(w) : 1. The factor w is the
//! ratio of White's wins to White's losses: log10 w = (1 + nu / 2) (white - black + c) / 400.
//!
//! As in BayesElo, the factor 1 + nu / 2 makes an Elo point equal to an Elo point of a match
//! ([`MatchResult::elo`](crate::MatchResult::elo)). Between players of nearly equal strength, the
//! expected score then changes with the difference as on the logistic curve, for every share of
//! draws. Without draws, the expected score is the logistic curve.
//!
//! Truncated games count as draws, as in matches. Files distinguish the two. One player, the
//! *zero*, has rating 0.
//!
//! Ratings are the most likely ones under a weak prior ([`fit()`]): a standard deviation of 2000 for
//! each rating and 400 for White's advantage. The prior matters only if the games leave a rating
//! open. A player that the games bound on one side has a bound instead of a rating. A player that no
//! chain of games connects to the zero has neither ([`Rating`]). Intervals come from a bootstrap
//! over pairs of games, resampled within each contest.

mod bootstrap;
mod bounds;
mod contest;
mod fit;
mod ladder;
mod model;

mod ratings;
mod schedule;
mod strength;
#[cfg(test)]
mod tests;

pub use contest::{Contest, Ended, Pair};
pub use fit::{Fit, fit};
pub use ladder::{Anchored, anchors};
pub use model::Model;
pub use ratings::{Meeting, PlayerRating, RESAMPLES, Ratings, rate};
pub use schedule::{BLOCK_PAIRS, Plan, Seat};
pub use strength::Rating;
