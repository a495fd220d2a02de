//! Limits of a search, and planning of the thinking time.

use catapult_rules::Move;
use std::time::Duration;

/// State of one side's clock before its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Remaining time on the clock.
    pub remaining: Duration,
    /// Time added to the clock after each move.
    pub increment: Duration,
    /// Number of moves until more time is added. `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// Limits of a search. Without any limit, a search runs until it is stopped, has proven a result,
/// or fills its memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Maximum number of simulations. `None` for no limit.
    pub nodes: Option<u32>,
    /// Thinking time for this move, from which the overhead is subtracted. Takes precedence over
    /// `clock`.
    pub move_time: Option<Duration>,
    /// Clock of the side to move. The engine plans its thinking time from it. `None` without a
    /// clock.
    pub clock: Option<Clock>,
    /// Number of moves in which the side to move should mate. The search ends once it has proven a
    /// mate in at most this many moves of this side. `None` for no such goal.
    pub mate: Option<u32>,
    /// Root moves to search. `None` for all. Illegal moves are ignored.
    pub search_moves: Option<Vec<Move>>,
    /// Ponder mode: the search runs until stopped. The other limits apply from
    /// [`Session::ponder_hit`](crate::Session::ponder_hit) on.
    pub ponder: bool,
    /// The search runs until it is stopped, even after other limits are reached.
    pub infinite: bool,
}

/// Thinking time for a move. Both times are measured from the start of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// Planned thinking time. The search starts no further round of simulations after it.
    pub planned: Duration,
    /// Deadline. The search ends with the first batch that is evaluated after it, even within a
    /// round.
    pub latest: Duration,
}

/// Expected number of moves until the end of a game. Also the largest number of moves that share
/// the remaining time.
const MOVES_AHEAD: u32 = 25;
/// Maximum ratio of the deadline to the planned time.
const STRETCH: u32 = 3;
/// Part of the remaining time that is never used, as protection against delays by the system. The
/// reserve is at most two thirds of the remaining time.
const RESERVE: Duration = Duration::from_millis(150);

impl Limits {
    /// Returns the thinking time for this move, or `None` without a time limit. `overhead` is the
    /// delay between the engine's answer and the moment its clock stops.
    pub fn allowance(&self, overhead: Duration) -> Option<Allowance> {
        if let Some(time) = self.move_time {
            let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
            return Some(Allowance { planned: time, latest: time });
        }
        let Clock { remaining, increment, moves_to_go } = self.clock?;
        let left = remaining.saturating_sub(overhead);
        let usable = left - RESERVE.min(left * 2 / 3);
        let moves = moves_to_go.map_or(MOVES_AHEAD, |moves| moves.clamp(1, MOVES_AHEAD));
        // The increment arrives after the move. The plan includes it, but the deadline never relies
        // on it.
        let planned = usable / moves + increment * 3 / 4;
        // The last move of a time control may use nearly all remaining time, any other move half of
        // it.
        let most = if moves == 1 { usable * 9 / 10 } else { usable / 2 };
        let latest = (planned * STRETCH).min(most).max(Duration::from_millis(1));
        Some(Allowance { planned: planned.min(latest), latest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        Limits { clock: Some(Clock { remaining, increment, moves_to_go }), ..Limits::default() }
    }

    /// Expected thinking times were computed by hand, with an overhead of 30 ms.
    #[test]
    fn a_clock_is_shared_out() {
        let of = |limits: Limits| {
            let Allowance { planned, latest } = limits.allowance(Duration::from_millis(30)).unwrap();
            (planned.as_millis(), latest.as_millis())
        };
        // 150 of 1180 - 30 are reserved: 1000 / 25 + 30; the deadline is three times that.
        assert_eq!(of(clock(1180, 40, None)), (70, 210));
        // The next time control is ten moves away.
        assert_eq!(of(clock(1180, 0, Some(10))), (100, 300));
        // The next time control is this move: nine tenths of the remaining time, all of it planned.
        assert_eq!(of(clock(1180, 0, Some(1))), (900, 900));
        // Two thirds of 90 - 30 are reserved. Half of the rest then limits the use of the
        // increment.
        assert_eq!(of(clock(90, 1000, None)), (10, 10));
        assert_eq!(of(clock(0, 0, None)), (0, 1));
        assert_eq!(of(Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() }), (70, 70));
        assert_eq!(Limits::default().allowance(Duration::ZERO), None);
    }

    /// The clock never runs out, even if every move takes until its deadline.
    #[test]
    fn a_clock_never_runs_out() {
        for increment in [0, 10] {
            let mut left = 1000;
            for _ in 0..10_000 {
                let allowance = clock(left, increment, None).allowance(Duration::from_millis(30)).unwrap();
                let latest = allowance.latest.as_millis() as u64;
                assert!(latest < left || left < 5, "{latest} of {left}");
                if left < 5 {
                    break;
                }
                left = left - latest + increment;
            }
        }
    }
}
