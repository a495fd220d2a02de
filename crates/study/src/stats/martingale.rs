//! What a fair gamble does by itself: the baseline of comebacks and lead changes.
//!
//! A calibrated winning probability is a martingale, so it wanders even if nobody plays worse than the other. The
//! figures below are those of one that moves without jumps from `start` and ends at 0 or 1; with jumps it crosses a level
//! more rarely (Doob's inequality), so they are upper bounds.

/// Probability of reaching `level` before 0, for 0 <= `start` <= `level` <= 1.
pub fn reaches(start: f64, level: f64) -> f64 {
    if level <= start { 1.0 } else { start / level }
}

/// Probability that one who lost had once stood at `level` or better: reaches it, then loses, among all who lose.
pub fn loser_stood_at(start: f64, level: f64) -> f64 {
    if level <= start { 1.0 } else { reaches(start, level) * (1.0 - level) / (1.0 - start) }
}

/// Probability that one who won had once sunk to `level` or worse: a comeback from there.
pub fn winner_sank_to(start: f64, level: f64) -> f64 {
    loser_stood_at(1.0 - start, 1.0 - level)
}
