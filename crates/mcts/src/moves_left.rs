//! Bonus for shorter wins and longer losses.

use crate::settings::SearchConfig;

impl SearchConfig {
    /// Returns the part of the moves-left bonus that depends on the parent node. The parent has Q =
    /// `q` for its side to move and `plies_left` expected plies until the game ends.
    /// [`MovesLeft::bonus`] computes the bonus of a child, in units of Q:
    ///
    /// `-sign(q) * clamp(slope * (child's plies left + 1 - parent's plies left), -cap, cap) *
    /// (|q| - t) / (1 - t)`
    ///
    /// The formula applies if |q| is above the threshold t and the child's Q has the sign of q.
    /// Otherwise the bonus is 0, because the length of the game gains nothing if the child draws or
    /// favours the other side. Returns `None` if the bonus is 0 for every child. Leela Chess Zero's
    /// moves-left utility is similar.
    pub(crate) fn moves_left(&self, q: f32, plies_left: f32) -> Option<MovesLeft> {
        let threshold = self.moves_left_threshold;
        if self.moves_left_cap == 0.0 || q.abs() <= threshold {
            return None;
        }
        let weight = -q.signum() * ((q.abs() - threshold) / (1.0 - threshold)).min(1.0);
        Some(MovesLeft { slope: self.moves_left_slope, cap: self.moves_left_cap, weight, plies_left })
    }
}

/// Part of the moves-left bonus that depends on the parent node. See [`SearchConfig::moves_left`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovesLeft {
    slope: f32,
    cap: f32,
    weight: f32,
    plies_left: f32,
}

impl MovesLeft {
    /// Returns the bonus of a child, in units of Q. `child_q` is the child's Q for the side to move
    /// at the parent, and `child_plies_left` the expected number of plies until the game ends.
    pub(crate) fn bonus(&self, child_q: f32, child_plies_left: f32) -> f32 {
        // The weight has the opposite sign of the parent's Q.
        if child_q * self.weight >= 0.0 {
            return 0.0;
        }
        let longer = self.slope * (child_plies_left + 1.0 - self.plies_left);
        self.weight * longer.clamp(-self.cap, self.cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_left_favours_the_short_win_and_the_long_loss() {
        let config = SearchConfig::default();
        // By hand: q = 0.75 is halfway from 0.5 to 1, so 6 plies fewer gain 6 * 0.003 / 2.
        let winning = config.moves_left(0.75, 20.0).unwrap();
        assert!((winning.bonus(0.7, 13.0) - 0.009).abs() < 1e-7);
        assert!((winning.bonus(0.7, 25.0) + 0.009).abs() < 1e-7);
        let losing = config.moves_left(-0.75, 20.0).unwrap();
        assert!((losing.bonus(-0.7, 25.0) - 0.009).abs() < 1e-7);
        assert!((losing.bonus(-0.7, 1000.0) - 0.02).abs() < 1e-7, "capped at 0.04, times a half");
        assert!(config.moves_left(0.5, 20.0).is_none());
        for parent in [winning, losing] {
            assert_eq!(parent.bonus(0.0, 0.0), 0.0, "a draw");
        }
        assert_eq!((winning.bonus(-0.2, 0.0), losing.bonus(0.2, 0.0)), (0.0, 0.0), "the other side is ahead");
    }
}
