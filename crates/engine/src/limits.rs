//! For how long to think.

use catapult_rules::Move;
use std::time::Duration;

/// A side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What every move adds.
    pub increment: Duration,
    /// Moves to the next time control; none if all the game is to be played in what is left.
    pub moves_to_go: Option<u32>,
}

/// What ends a search. Without any of these it goes on until it is told to stop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Simulations.
    pub nodes: Option<u32>,
    /// A time, to be used up.
    pub move_time: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// A mate in so many moves of the mover, which ends the search when it is proven.
    pub mate: Option<u32>,
    /// The moves to search; all without any.
    pub only: Option<Vec<Move>>,
    /// Whether the search goes on, whatever it finds, until it is told to stop, and these limits hold from
    /// [`Session::ponder_hit`](crate::Session::ponder_hit) on.
    pub ponder: bool,
    /// Whether it goes on until it is told to stop.
    pub infinite: bool,
}

/// Times of a move, from when it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// What is planned.
    pub planned: Duration,
    /// When an answer is given, whatever is under way.
    pub latest: Duration,
}

/// Moves that a game is expected to go on for where nothing says otherwise.
const MOVES_AHEAD: u32 = 25;
/// A move may take so many times what was planned.
const STRETCH: u32 = 3;
/// What is held back of a clock, or two thirds of it where that is less: systems hold programs up.
const RESERVE: Duration = Duration::from_millis(150);

impl Limits {
    /// The time for this move, if time limits it at all. `overhead` is what passes between an answer and the clock.
    pub fn allowance(&self, overhead: Duration) -> Option<Allowance> {
        if let Some(time) = self.move_time {
            let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
            return Some(Allowance { planned: time, latest: time });
        }
        let Clock { remaining, increment, moves_to_go } = self.clock?;
        let left = remaining.saturating_sub(overhead);
        let usable = left - RESERVE.min(left * 2 / 3);
        let moves = moves_to_go.map_or(MOVES_AHEAD, |moves| moves.clamp(1, MOVES_AHEAD));
        // The increment comes after the move, so it is planned with but never counted on.
        let planned = usable / moves + increment * 3 / 4;
        // The last move of a time control may take nearly all that is left, any other half of it.
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

    /// Worked by hand, with an overhead of 30 ms.
    #[test]
    fn a_clock_is_shared_out() {
        let of = |limits: Limits| {
            let Allowance { planned, latest } = limits.allowance(Duration::from_millis(30)).unwrap();
            (planned.as_millis(), latest.as_millis())
        };
        // 150 of 1180 - 30 are held back: 1000 / 25 + 30; three times that.
        assert_eq!(of(clock(1180, 40, None)), (70, 210));
        // The next control is ten moves away.
        assert_eq!(of(clock(1180, 0, Some(10))), (100, 300));
        // It is this move's: nine tenths of what is left, of which all is planned.
        assert_eq!(of(clock(1180, 0, Some(1))), (900, 900));
        // Two thirds of 90 - 30 are held back. Half of what is left then bounds what the increment promises.
        assert_eq!(of(clock(90, 1000, None)), (10, 10));
        assert_eq!(of(clock(0, 0, None)), (0, 1));
        assert_eq!(of(Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() }), (70, 70));
        assert_eq!(Limits::default().allowance(Duration::ZERO), None);
    }

    /// Whatever a move takes up to its latest moment, the clock never runs out.
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
