//! Determines which ratings the games bound on both sides, and computes bounds for the others.

use super::contest::Contest;
use super::strength::Rating;
use catapult_stats::Pentanomial;

/// Sides (below, above) on which the games bound a player's rating, relative to the player with
/// rating 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// Bounded on both sides. The likelihood then has a maximum without a prior.
    Held,
    /// Bounded only from below, as after wins only.
    Above,
    /// Bounded only from above, as after losses only.
    Below,
    /// Bounded on neither side.
    Apart,
}

/// Returns for every player the sides on which the games bound its rating. `zero` is the index of
/// the player with rating 0.
///
/// A *chain* is a sequence of players in which each has scored at least half a point against the
/// next. A chain from a player to the zero bounds the player's rating from below. A chain from the
/// zero to the player bounds it from above. The criterion is from Ford, *Solution of a Ranking
/// Problem from Binary Comparisons*, 1957.
pub(crate) fn standings(contests: &[Contest], players: usize, zero: usize) -> Vec<Standing> {
    let mut links = Vec::with_capacity(2 * contests.len());
    for contest in contests.iter().filter(|contest| contest.pairs() > 0) {
        let points = contest.half_points();
        if points > 0 {
            links.push((contest.first, contest.second));
        }
        if points < 4 * contest.pairs() {
            links.push((contest.second, contest.first));
        }
    }
    let spread = |links: &[(usize, usize)]| {
        let mut reached = vec![false; players];
        reached[zero] = true;
        loop {
            let before = reached.iter().filter(|reached| **reached).count();
            for &(from, to) in links {
                reached[to] |= reached[from];
            }
            if reached.iter().filter(|reached| **reached).count() == before {
                return reached;
            }
        }
    };
    let from_above = spread(&links);
    links.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
    let from_below = spread(&links);
    let standing = |player: usize| match (from_below[player], from_above[player]) {
        (true, true) => Standing::Held,
        (true, false) => Standing::Above,
        (false, true) => Standing::Below,
        (false, false) => Standing::Apart,
    };
    (0..players).map(standing).collect()
}

/// Sets a bound as the rating of each player that the games bound on one side only.
///
/// For a player that is bounded only from below, each opponent offers a bound. The offer is the low
/// end of the opponent's rating, plus the low end of the Elo of the games between the two. If the
/// opponent has only a bound, the bound replaces the low end of its rating. The player gets the
/// largest offer. Players get their bounds one after the other, the tightest first. Bounds from
/// above are computed likewise, with high ends and the smallest offer.
pub(crate) fn put_bounds(ratings: &mut [Rating], standings: &[Standing], contests: &[Contest]) {
    for side in [Standing::Above, Standing::Below] {
        // With the sign, the tightest bound is the largest on either side.
        let sign = if side == Standing::Above { 1.0 } else { -1.0 };
        loop {
            let settled = |player: usize| ratings[player].elos()[if sign > 0.0 { 1 } else { 2 }];
            let offers = contests.iter().flat_map(|contest| {
                let pairs = pentanomial(contest);
                [(contest.first, contest.second, pairs), (contest.second, contest.first, pairs.reversed())]
            });
            let offers = offers.filter(|(player, _, pairs)| {
                standings[*player] == side && ratings[*player] == Rating::Unknown && pairs.pairs() > 0
            });
            let offers = offers.filter_map(|(player, opponent, pairs)| {
                let elo = pairs.elo();
                let end = if sign > 0.0 { elo.low } else { elo.high };
                Some((player, sign * (settled(opponent)? + end)))
            });
            let Some((player, bound)) = offers.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            let elo = sign * bound;
            ratings[player] = if sign > 0.0 { Rating::AtLeast { elo } } else { Rating::AtMost { elo } };
        }
    }
}

/// Returns the contest's pairs of games, counted by the half points that `contest.first` scored in
/// the pair.
pub(crate) fn pentanomial(contest: &Contest) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    for (white, row) in contest.counts.iter().enumerate() {
        for (black, count) in row.iter().enumerate() {
            pairs.0[white + black] += u64::from(*count);
        }
    }
    pairs
}
