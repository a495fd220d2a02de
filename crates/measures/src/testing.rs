//! Synthetic results for the tests of crates that depend on this one.

use catapult_arena::MatchResult;
use catapult_stats::Pentanomial;

/// Returns a synthetic result of a chess match. `pairs[i]` is the number of pairs of games in which
/// the player scored i / 2 points.
pub fn played(pairs: [u64; 5]) -> MatchResult {
    let pairs = Pentanomial(pairs);
    let [b, c, d, e] = [pairs.0[1], pairs.0[2], pairs.0[3], pairs.0[4]].map(|n| n as u32);
    let games = 2 * pairs.pairs() as u32;
    let (wins, draws) = (c / 2 + d + 2 * e, b + c + d);
    MatchResult {
        games,
        wins,
        draws,
        losses: games - wins - draws,
        score: pairs.score(),
        elo: pairs.elo(),
        pairs,
        ..Default::default()
    }
}
