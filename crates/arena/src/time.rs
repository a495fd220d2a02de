//! Time controls and clocks of matches.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Time control of a match, for both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// One clock per player. `60+0.6` means 60 seconds, and 0.6 seconds added after every move.
    /// With `40/60+0.6`, the 60 seconds are added again after every 40 moves.
    Clock {
        /// Time at the start of the game.
        base: Duration,
        /// Time added after every move.
        increment: Duration,
        /// Number of a player's moves after which `base` is added again. `None` if `base` is for
        /// the whole game.
        moves: Option<u32>,
    },
    /// The same time for every move, such as `100ms`. A player may use the whole time, and may
    /// exceed it by [`MOVE_TIME_GRACE`].
    MoveTime(Duration),
}

/// Time by which a player may exceed a fixed time per move. A player that replies at the very end
/// of its time must not lose the game.
pub const MOVE_TIME_GRACE: Duration = Duration::from_millis(500);

impl TimeControl {
    /// Starts the clocks of a new game.
    pub fn begin(self) -> Clocks {
        let base = match self {
            TimeControl::Clock { base, .. } => base,
            TimeControl::MoveTime(time) => time,
        };
        Clocks { control: self, remaining: [base; 2], moves: [0; 2] }
    }
}

/// Clocks of a game in progress. `side` is 0 for White and 1 for Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// Time control of the game.
    pub control: TimeControl,
    /// Remaining time of White and Black.
    remaining: [Duration; 2],
    /// Number of completed moves of White and Black.
    moves: [u32; 2],
}

impl Clocks {
    /// Returns the remaining time of a side. With a fixed time per move, it is always the full
    /// time.
    pub fn remaining(&self, side: usize) -> Duration {
        self.remaining[side]
    }

    /// Returns the number of moves until the base time is added again to a side's clock. `None` if
    /// it is never added again.
    pub fn moves_to_go(&self, side: usize) -> Option<u32> {
        match self.control {
            TimeControl::Clock { moves, .. } => moves.map(|moves| moves - self.moves[side] % moves),
            TimeControl::MoveTime(_) => None,
        }
    }

    /// Returns the maximum time that a side may take for its move without losing the game.
    pub fn most(&self, side: usize) -> Duration {
        match self.control {
            TimeControl::Clock { .. } => self.remaining[side],
            TimeControl::MoveTime(time) => time + MOVE_TIME_GRACE,
        }
    }

    /// Subtracts the time of one decision from a side's clock. `ends_turn` is true for the last
    /// decision of a turn, after which the increment is added. If the side exceeded its time,
    /// returns false and changes nothing. A fixed time per move is only checked.
    pub fn spend(&mut self, side: usize, took: Duration, ends_turn: bool) -> bool {
        if took > self.most(side) {
            return false;
        }
        if let TimeControl::Clock { base, increment, moves } = self.control {
            self.remaining[side] -= took;
            if ends_turn {
                self.remaining[side] += increment;
                self.moves[side] += 1;
                if moves.is_some_and(|moves| self.moves[side].is_multiple_of(moves)) {
                    self.remaining[side] += base;
                }
            }
        }
        true
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let refused = || {
            format!(
                "time control `{text}`: write 60+0.6 (seconds and increment), 40/60+0.6 or 100ms (per move)"
            )
        };
        let seconds = |text: &str| {
            let seconds: f64 =
                text.parse().ok().filter(|&s: &f64| s.is_finite() && (0.0..=1e6).contains(&s))?;
            Some(Duration::from_secs_f64(seconds))
        };
        if let Some(time) = text.strip_suffix("ms") {
            let time: u32 = time.parse().ok().filter(|&time| time > 0).ok_or_else(refused)?;
            return Ok(TimeControl::MoveTime(Duration::from_millis(time.into())));
        }
        let (moves, clock) = match text.split_once('/') {
            Some((moves, clock)) => {
                let moves: u32 = moves.parse().ok().filter(|&moves| moves > 0).ok_or_else(refused)?;
                (Some(moves), clock)
            }
            None => (None, text),
        };
        let (base, increment) = clock.split_once('+').unwrap_or((clock, "0"));
        let base = seconds(base).filter(|base| !base.is_zero()).ok_or_else(refused)?;
        Ok(TimeControl::Clock { base, increment: seconds(increment).ok_or_else(refused)?, moves })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::MoveTime(time) => write!(f, "{}ms", time.as_millis()),
            TimeControl::Clock { base, increment, moves } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn forms_are_read_and_printed() {
        for text in ["1+0.01", "40/60+0.5", "100ms", "300+0"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("5".parse::<TimeControl>().unwrap().to_string(), "5+0");
        for text in ["", "0", "0ms", "-1+1", "1+", "x+1", "0/5", "40/", "nan", "1e99", "ms", "1+inf"] {
            assert!(text.parse::<TimeControl>().unwrap_err().contains(&format!("`{text}`")), "{text}");
        }
    }

    /// Checks the clocks of `2/1+0.1`: 1 s for every two moves, and 0.1 s added after each. The
    /// expected times are computed by hand.
    #[test]
    fn clocks_run_down_and_are_filled() {
        let mut clocks = "2/1+0.1".parse::<TimeControl>().unwrap().begin();
        assert!(clocks.spend(0, MS(400), true));
        assert_eq!((clocks.remaining(0), clocks.remaining(1)), (MS(700), MS(1000)));
        assert_eq!((clocks.moves_to_go(0), clocks.moves_to_go(1)), (Some(1), Some(2)));
        assert_eq!(clocks.most(0), MS(700));
        // A decision within a turn is no move.
        assert!(clocks.spend(0, MS(100), false));
        assert_eq!(clocks.remaining(0), MS(600));
        assert!(clocks.spend(0, MS(600), true));
        assert_eq!(clocks.remaining(0), MS(1100));
        assert!(!clocks.spend(1, MS(1001), true));
        assert!(clocks.spend(1, MS(1000), true));
    }

    #[test]
    fn a_fixed_time_is_the_same_at_every_move() {
        let mut clocks = "100ms".parse::<TimeControl>().unwrap().begin();
        for _ in 0..3 {
            assert_eq!((clocks.remaining(1), clocks.moves_to_go(1)), (MS(100), None));
            assert_eq!(clocks.most(1), MS(100) + MOVE_TIME_GRACE);
            assert!(clocks.spend(1, MS(130), true));
        }
        assert!(!clocks.spend(1, MS(601), true));
    }
}
