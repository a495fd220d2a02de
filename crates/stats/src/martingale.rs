//! Probability that a fair gamble reaches a level, as a baseline for comebacks.
//!
//! A calibrated winning probability is a martingale, so it varies even if neither player errs.
//! [`reaches`] assumes that the winning probability moves continuously from `start` and ends at 0
//! or 1. If it jumps, it reaches a level less often (Doob's inequality), so the result is an upper
//! bound.

/// Returns the probability that a winning probability reaches `level` before 0 if it starts at
/// `start`. Requires 0 <= `start` <= 1 and 0 < `level` <= 1.
pub fn reaches(start: f64, level: f64) -> f64 {
    if level <= start { 1.0 } else { start / level }
}

#[cfg(test)]
mod tests {
    use super::super::testing::close;
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    #[test]
    fn a_fair_gambler_crosses_levels_as_often() {
        // Steps of 1 from 4 out of 10 meet every level without jumping over it.
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut reached = 0;
        let games = 40_000;
        for _ in 0..games {
            let (mut stake, mut top) = (4, 4);
            while 0 < stake && stake < 10 {
                stake += if random.random::<bool>() { 1 } else { -1 };
                top = top.max(stake);
            }
            reached += i32::from(top >= 7);
        }
        close(reaches(0.4, 0.7), f64::from(reached) / f64::from(games), 0.015);
    }

    #[test]
    fn levels_already_passed_are_certain() {
        assert_eq!(reaches(0.5, 0.5), 1.0);
        assert_eq!(reaches(0.6, 0.5), 1.0);
    }
}
