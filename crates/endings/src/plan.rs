//! What a table will take, before it is solved.

use crate::error::EndingsError;
use crate::key::TableKey;
use crate::space::Space;

/// What a table takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Which.
    pub key: TableKey,
    /// Positions of each side to move, reduced by symmetry, impossible ones counted.
    pub positions: u64,
    /// Bytes of memory while it is solved.
    pub memory: u64,
    /// At most so many bytes on disk; compressed they are fewer.
    pub disk: u64,
    /// Minutes on one core, both metrics.
    pub minutes: f64,
}

/// Minutes a word (64 positions of each side to move), measured on tables with two catapults. A pawn's ranks are solved one by one.
const MINUTES_A_WORD: f64 = 4e-7;

impl Plan {
    /// What a table takes by itself.
    pub fn of(key: TableKey) -> Plan {
        let space = Space::of(&key);
        let words = space.words() as u64;
        let positions = words * 64;
        // Three sets of words a side, what a wave finds, a byte a position, and what the moves out of it lead to.
        let own = (16 << 20) + words * (2 * 3 * 8 + 40) + 2 * positions;
        let catapults = space.sets.len() as u64;
        let exits = 2 * 65 * 4096
            + if key.has_pawn() { 3 * catapults * 64 * 8 * 64 } else { 0 }
            + if key.kings_left().is_some() { 3 * catapults * 64 * 64 } else { 0 }
            + if key.fresh > 0 { 4 * 64 * 4096 * 64 } else { 0 };
        let below =
            key.needs().into_iter().map(|below| Space::of(&below).words() as u64 * 128).max().unwrap_or(0);
        Plan {
            key,
            positions,
            memory: exits + own.max(below),
            disk: 4 * positions,
            minutes: words as f64 * MINUTES_A_WORD,
        }
    }
}

/// Refuses a table that the memory that is free can't hold.
pub(crate) fn check_memory(key: TableKey) -> Result<(), EndingsError> {
    const MB: u64 = 1 << 20;
    let needed = Plan::of(key).memory;
    match free_memory() {
        Some(free) if free < needed => {
            Err(EndingsError::Memory { name: key.to_string(), needed: needed.div_ceil(MB), found: free / MB })
        }
        _ => Ok(()),
    }
}

/// Bytes that are free, where the system tells.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
