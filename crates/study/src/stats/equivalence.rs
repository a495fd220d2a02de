//! Whether two players are equally strong.

use crate::results::Verdict;
use catapult_arena::stats::Pentanomial;

/// The 95 % quantile of the normal distribution: two-sided 90 % intervals, two one-sided tests at 5 %.
const Z90: f64 = 1.644_853_626_951_472_7;

/// Two one-sided tests of a match: supported if the 90 % interval of Elo (over pairs) lies within +-`margin`,
/// contradicted if it lies outside, else open (Schuirmann 1987).
pub fn equivalence(pairs: &Pentanomial, margin: f64) -> Verdict {
    let elo = pairs.elo_at(Z90);
    if pairs.pairs() == 0 {
        Verdict::Open
    } else if -margin < elo.low && elo.high < margin {
        Verdict::Supported
    } else if elo.high < -margin || margin < elo.low {
        Verdict::Contradicted
    } else {
        Verdict::Open
    }
}
