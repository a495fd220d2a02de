//! Preferences of the search: value of draws, and bonus for shorter wins and longer losses.

use crate::range::{ConfigError, check};

/// Preferences of the search, in units of Q = P(win) - P(loss): value of draws, and bonus for
/// shorter wins and longer losses (moves-left bonus).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Utility {
    /// Value of a draw for the side to move at the root, from -1 to 1. A negative value is
    /// contempt: the side avoids draws. It affects the choice of moves. Reported and recorded
    /// values exclude it.
    pub draw_score: f32,
    /// Largest moves-left bonus in units of Q, from 0 to 1. 0 disables the bonus.
    pub moves_left_cap: f32,
    /// Moves-left bonus per ply by which a move shortens a win or lengthens a loss, before the cap.
    /// From 0 to 1, in units of Q.
    pub moves_left_slope: f32,
    /// Value of |Q| above which there is a moves-left bonus, from 0 to 0.99. The bonus is
    /// multiplied by a weight that grows linearly from 0 at the threshold to 1 at |Q| = 1.
    pub moves_left_threshold: f32,
}

impl Default for Utility {
    fn default() -> Self {
        Utility { draw_score: 0.0, moves_left_cap: 0.04, moves_left_slope: 0.003, moves_left_threshold: 0.5 }
    }
}

impl Utility {
    /// Checks every setting against its range. The error names the first setting outside its range.
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        check("draw_score", self.draw_score, [-1.0, 1.0], "-1 to 1")?;
        check("moves_left_cap", self.moves_left_cap, [0.0, 1.0], "0 to 1")?;
        check("moves_left_slope", self.moves_left_slope, [0.0, 1.0], "0 to 1")?;
        check("moves_left_threshold", self.moves_left_threshold, [0.0, 0.99], "0 to 0.99")
    }

    /// Returns the part of the moves-left bonus that depends on the parent node. The parent has Q =
    /// `q` for its side to move and `plies_left` expected plies until the game ends.
    /// [`MovesLeft::bonus`] computes the bonus of a child, in units of Q:
    ///
    /// `-sign(q) * clamp(slope * (child's plies left + 1 - parent's plies left), -cap, cap) *
    /// (|q| - t) / (1 - t)`
    ///
    /// The formula applies if |q| is above the threshold t and the child's Q has the sign of q.
    /// Otherwise the bonus is 0, because the length of the game is no gain if the child draws or
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

/// Part of the moves-left bonus that depends on the parent node. See [`Utility::moves_left`].
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
        let utility = Utility::default();
        // By hand: q = 0.75 is halfway from 0.5 to 1, so 6 plies fewer gain 6 * 0.003 / 2.
        let winning = utility.moves_left(0.75, 20.0).unwrap();
        assert!((winning.bonus(0.7, 13.0) - 0.009).abs() < 1e-7);
        assert!((winning.bonus(0.7, 25.0) + 0.009).abs() < 1e-7);
        let losing = utility.moves_left(-0.75, 20.0).unwrap();
        assert!((losing.bonus(-0.7, 25.0) - 0.009).abs() < 1e-7);
        assert!((losing.bonus(-0.7, 1000.0) - 0.02).abs() < 1e-7, "capped at 0.04, times a half");
        assert!(utility.moves_left(0.5, 20.0).is_none());
        for parent in [winning, losing] {
            assert_eq!(parent.bonus(0.0, 0.0), 0.0, "a draw");
        }
        assert_eq!((winning.bonus(-0.2, 0.0), losing.bonus(0.2, 0.0)), (0.0, 0.0), "the other side is ahead");
    }
}
