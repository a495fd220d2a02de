//! Which ratings the games hold from both sides, and what can be said of the others.

use super::contest::Contest;
use super::strength::Rating;
use catapult_stats::Pentanomial;

/// How the games hold a player's rating against the zero's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// From both sides: the likelihood alone has a top.
    Held,
    /// From below: it, or those it is joined by, lost no point on the way to the zero.
    Above,
    /// From above.
    Below,
    /// Not at all.
    Apart,
}

/// Every player's standing (Ford, *Solution of a Ranking Problem from Binary Comparisons*, 1957). A rating is held from below if a chain
/// leads from the player to the zero in which each took a point or half a one from the next, and from above if one leads back.
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

/// Puts a bound for each player above or below: the best that a single opponent gives, its own low (high) end and the low (high) end of
/// their match's Elo. An opponent that is itself a bound serves as well, but each player is settled once, the best first.
pub(crate) fn put_bounds(ratings: &mut [Rating], standings: &[Standing], contests: &[Contest]) {
    for side in [Standing::Above, Standing::Below] {
        // Upside down, a bound above is one below.
        let sign = if side == Standing::Above { 1.0 } else { -1.0 };
        loop {
            let settled = |player: usize| match ratings[player] {
                Rating::Value { low, .. } if side == Standing::Above => low,
                Rating::Value { high, .. } => high,
                Rating::AtLeast { elo } if side == Standing::Above => Some(elo),
                Rating::AtMost { elo } if side == Standing::Below => Some(elo),
                _ => None,
            };
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

/// Pairs by the first player's half points.
pub(crate) fn pentanomial(contest: &Contest) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    for (white, row) in contest.counts.iter().enumerate() {
        for (black, count) in row.iter().enumerate() {
            pairs.0[white + black] += u64::from(*count);
        }
    }
    pairs
}
