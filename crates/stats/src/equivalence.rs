//! Test of two players for equal strength.

use super::estimate::Verdict;
use super::pentanomial::Pentanomial;

/// 95 % quantile of the normal distribution. It gives two-sided 90 % intervals and two one-sided
/// tests at 5 %.
const Z90: f64 = 1.644_853_626_951_472_7;

/// Tests two players for equal strength, by two one-sided tests (Schuirmann 1987). Elo differences
/// smaller than `margin` count as equal.
///
/// The verdict depends on the 90 % interval of the Elo difference. Equivalence is supported if the
/// whole interval is within ±`margin`. It is contradicted if the whole interval is outside
/// ±`margin`. Otherwise, or without pairs, the verdict is open.
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

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;

    #[test]
    fn players_are_equivalent_once_the_interval_fits_the_margin() {
        let even = |n| Pentanomial([n, 4 * n, 10 * n, 4 * n, n]);
        assert_eq!(equivalence(&even(1), 50.0), Verdict::Open);
        assert_eq!(equivalence(&even(20), 50.0), Verdict::Supported);
        assert_eq!(equivalence(&even(20), 5.0), Verdict::Open);
        assert_eq!(equivalence(&Pentanomial([1, 5, 50, 80, 64]), 50.0), Verdict::Contradicted);
        assert_eq!(equivalence(&Pentanomial([64, 80, 50, 5, 1]), 50.0), Verdict::Contradicted);
        assert_eq!(equivalence(&Pentanomial::default(), 50.0), Verdict::Open);
    }

    #[test]
    fn the_interval_is_fishtests() {
        // fishtest's get_elo with 1.645 instead of 1.96 standard errors: mu +- z sqrt(var / n) through the logistic curve.
        let pairs = Pentanomial([1187, 7410, 13475, 7378, 1164]);
        let elo = pairs.elo_at(Z90);
        let n = pairs.pairs() as f64;
        let mean = (7410.0 * 0.25 + 13475.0 * 0.5 + 7378.0 * 0.75 + 1164.0) / n;
        let square = (7410.0 * 0.0625 + 13475.0 * 0.25 + 7378.0 * 0.5625 + 1164.0) / n;
        let half = 1.644_853_627 * ((square - mean * mean) / n).sqrt();
        for (end, score) in [(elo.low, mean - half), (elo.high, mean + half)] {
            close(end, -400.0 * (1.0 / score - 1.0).log10(), 0.02);
        }
    }
}
