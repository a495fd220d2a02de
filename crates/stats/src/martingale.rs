//! Frequencies of comebacks and lead changes in a fair game of chance, as baselines.
//!
//! A calibrated winning probability is a martingale, so it varies even if neither side errs. The
//! functions assume that it moves continuously from `start` and ends at 0 or 1. With jumps, it
//! crosses a level less often (Doob's inequality), so the results are upper bounds.

/// Returns the probability that the winning probability reaches `level` before 0. Requires 0 <=
/// `start` <= 1 and 0 < `level` <= 1.
pub fn reaches(start: f64, level: f64) -> f64 {
    if level <= start { 1.0 } else { start / level }
}

/// Returns the probability that a side had reached the winning probability `level` or more, given
/// that it lost.
pub fn loser_stood_at(start: f64, level: f64) -> f64 {
    if level <= start { 1.0 } else { reaches(start, level) * (1.0 - level) / (1.0 - start) }
}

/// Returns the probability that a side had dropped to the winning probability `level` or less,
/// given that it won: a comeback.
pub fn winner_sank_to(start: f64, level: f64) -> f64 {
    loser_stood_at(1.0 - start, 1.0 - level)
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
        let (mut reached, mut won, mut sank, mut lost_from) = (0, 0, 0, 0);
        let games = 40_000;
        for _ in 0..games {
            let (mut stake, mut top, mut bottom) = (4, 4, 4);
            while 0 < stake && stake < 10 {
                stake += if random.random::<bool>() { 1 } else { -1 };
                top = top.max(stake);
                bottom = bottom.min(stake);
            }
            reached += i32::from(top >= 7);
            won += i32::from(stake == 10);
            sank += i32::from(stake == 10 && bottom <= 2);
            lost_from += i32::from(stake == 0 && top >= 7);
        }
        let share = |a: i32, b: i32| f64::from(a) / f64::from(b);
        close(reaches(0.4, 0.7), share(reached, games), 0.015);
        close(winner_sank_to(0.4, 0.2), share(sank, won), 0.015);
        close(loser_stood_at(0.4, 0.7), share(lost_from, games - won), 0.015);
    }

    #[test]
    fn levels_already_passed_are_certain() {
        assert_eq!(reaches(0.5, 0.5), 1.0);
        assert_eq!(reaches(0.6, 0.5), 1.0);
        assert_eq!(winner_sank_to(0.5, 0.5), 1.0);
        // A quarter of the winners of an even game had dropped to a fifth.
        close(winner_sank_to(0.5, 0.2), 0.25, 1e-12);
    }
}
