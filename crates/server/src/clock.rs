//! Clocks of two-player games, in milliseconds.

use crate::error::{Answer, Refusal};
use catapult_rules::Color;
use rusqlite::types::{ToSql, ToSqlOutput};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Clock of a game. A request for a new game sets `base` and `increment`.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// Time of each side at the start, and time that each turn adds.
    base: i64,
    increment: i64,
    /// Time left of White and of Black, at the Unix time `since` if the clock runs.
    #[serde(default)]
    left: [i64; 2],
    #[serde(default)]
    pub since: Option<i64>,
}

impl Clock {
    /// Returns the clock at the start of a game.
    pub(crate) fn fresh(&self) -> Answer<Clock> {
        if !(1_000..=10_800_000).contains(&self.base) || !(0..=180_000).contains(&self.increment) {
            return Err(Refusal::bad("a clock has 1 s to 3 h, and at most 180 s per turn"));
        }
        Ok(Clock { left: [self.base; 2], since: None, ..*self })
    }

    /// Returns the time left of the side to move.
    pub(crate) fn left(&self, mover: Color) -> i64 {
        self.left[mover as usize] - self.since.map_or(0, |since| now() - since)
    }

    /// Returns the clock after a decision of `mover`, which ends its turn or not. The new clock runs
    /// if `runs`.
    pub(crate) fn after(&self, mover: Color, ends_turn: bool, runs: bool) -> Clock {
        let mut clock = self.clone();
        let added = if ends_turn && self.since.is_some() { self.increment } else { 0 };
        clock.left[mover as usize] = self.left(mover) + added;
        clock.since = runs.then(now);
        clock
    }
}

/// Clocks are stored as JSON.
impl ToSql for Clock {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(serde_json::to_string(self).unwrap_or_default().into())
    }
}

/// Returns the Unix time in milliseconds, counted from the first call. A change of the system's time
/// therefore does not change the clocks of games, nor does a suspended machine on Linux.
pub(crate) fn now() -> i64 {
    static START: LazyLock<(i64, Instant)> = LazyLock::new(|| {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64);
        (unix, Instant::now())
    });
    let (unix, began) = *START;
    unix + began.elapsed().as_millis() as i64
}
