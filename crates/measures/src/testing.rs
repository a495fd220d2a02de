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
        variant: "chess".to_owned(),
        player: "network:64".to_owned(),
        opponent: "alphabeta:1".to_owned(),
        seed: 1,
        ply_cap: 400,
        anchor_version: 1,
        search_defaults: 2,
        time: None,
        sprt: None,
        forbidden: None,
        games,
        wins,
        draws,
        losses: games - wins - draws,
        capped: 0,
        wins_as_white: wins / 2,
        losses_as_white: 0,
        plies: 90 * u64::from(games),
        reasons: Default::default(),
        score: pairs.score(),
        elo: pairs.elo(),
        pairs,
    }
}
