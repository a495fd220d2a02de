//! What results are worth beyond winning, drawing and losing.

use crate::range::{ConfigError, check};

/// What draws and the length of the game are worth in units of Q = P(win) - P(loss).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Utility {
    /// What a draw is worth to the side to move at the root; below 0 it plays on where it could draw (contempt). For play:
    /// values that are told and recorded are as they are without it.
    pub draw_score: f32,
    /// Most a winning (losing) side gains by a shorter (longer) game; 0 turns it off.
    pub moves_left_cap: f32,
    /// Gain per ply that a move shortens (lengthens) the game, before the cap.
    pub moves_left_slope: f32,
    /// |Q| from which the length of the game counts; its weight grows from 0 there to 1 at |Q| = 1.
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

    /// Bonus for a child in units of Q, given the parent's value for the side to move there:
    /// `-sign(q) * clamp(slope * (child's plies left + 1 - parent's plies left), -cap, cap) * (|q| - t) / (1 - t)`
    /// where |q| exceeds the threshold t and the child's q has the parent's sign, else 0: how soon the game ends says
    /// nothing good of a child that draws, or where the other side is ahead. The same idea as Leela Chess Zero's moves-left utility.
    /// What is returned is the parent's part; [`MovesLeft::bonus`] adds the child's.
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
    /// The bonus of a child of that Q (seen from the parent's mover), from which the game is expected to last so many
    /// plies.
    pub(crate) fn bonus(&self, child_q: f32, child_plies_left: f32) -> f32 {
        // The weight's sign is opposite to that of the parent's q.
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
        // Worked by hand: q = 0.75 is halfway from 0.5 to 1; 6 plies shorter gain 6 * 0.003 / 2.
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
