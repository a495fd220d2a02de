//! Value of draws and of the game's length.

use crate::range::{ConfigError, check};

/// Value of draws and of the game's length, in units of Q = P(win) - P(loss).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Utility {
    /// Value of a draw for the side to move at the root, from -1 to 1. A negative value is
    /// contempt: the side avoids draws. It affects the choice of moves; reported and recorded
    /// values exclude it.
    pub draw_score: f32,
    /// Largest gain of a winning (losing) side from a shorter (longer) game. 0 disables the
    /// utility.
    pub moves_left_cap: f32,
    /// Gain per ply by which a move shortens (lengthens) the game, before the cap.
    pub moves_left_slope: f32,
    /// |Q| above which the length of the game counts. The weight grows from 0 there to 1 at |Q| = 1.
    pub moves_left_threshold: f32,
}

impl Default for Utility {
    fn default() -> Self {
        Utility { draw_score: 0.0, moves_left_cap: 0.04, moves_left_slope: 0.003, moves_left_threshold: 0.5 }
    }
}

impl Utility {
    /// Checks every setting against its range.
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        check("draw_score", self.draw_score, [-1.0, 1.0], "-1 to 1")?;
        check("moves_left_cap", self.moves_left_cap, [0.0, 1.0], "0 to 1")?;
        check("moves_left_slope", self.moves_left_slope, [0.0, 1.0], "0 to 1")?;
        check("moves_left_threshold", self.moves_left_threshold, [0.0, 0.99], "0 to 0.99")
    }

    /// The parent's part of the moves-left utility, for a parent of value `q` for its mover.
    /// [`MovesLeft::bonus`] adds a child's part. The bonus of a child in units of Q is
    ///
    /// `-sign(q) * clamp(slope * (child's plies left + 1 - parent's plies left), -cap, cap) * (|q|
    /// - t) / (1 - t)`
    ///
    /// for |q| above the threshold t and a child's Q of the same sign, else 0. The length of the
    /// game says nothing good about a child that draws or favours the other side. Leela Chess
    /// Zero's moves-left utility is similar.
    pub(crate) fn moves_left(&self, q: f32, plies_left: f32) -> Option<MovesLeft> {
        let threshold = self.moves_left_threshold;
        if self.moves_left_cap == 0.0 || q.abs() <= threshold {
            return None;
        }
        let weight = -q.signum() * ((q.abs() - threshold) / (1.0 - threshold)).min(1.0);
        Some(MovesLeft { slope: self.moves_left_slope, cap: self.moves_left_cap, weight, plies_left })
    }
}

/// The parent's part of the moves-left utility.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovesLeft {
    slope: f32,
    cap: f32,
    weight: f32,
    plies_left: f32,
}

impl MovesLeft {
    /// Bonus of a child with Q `child_q` for the parent's mover and `child_plies_left` expected
    /// plies.
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
