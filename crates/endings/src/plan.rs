//! Estimates of a table's cost before it is solved.

use crate::error::EndingsError;
use crate::key::TableKey;
use crate::space::Space;

/// Estimated cost of a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// Number of positions per side to move, reduced by symmetry. Illegal positions are included.
    pub positions: u64,
    /// Memory in bytes needed to solve one metric.
    pub memory: u64,
    /// Size on disk of both metrics in bytes, before compression.
    pub disk: u64,
    /// Time in minutes on one core to solve both metrics.
    pub minutes: f64,
}

/// Minutes to solve both metrics for 64 positions of each side to move, measured on tables with two
/// catapults.
const MINUTES_PER_BITBOARD: f64 = 4e-7;

impl Plan {
    /// Estimates the cost of a table, without the other tables that it needs.
    pub fn of(key: TableKey) -> Plan {
        let space = Space::of(&key);
        let words = space.words() as u64;
        let positions = words * 64;
        // Per word: three bitboards per side, and the results of a wave. Per position: one byte per
        // side.
        let own = (16 << 20) + words * (2 * 3 * 8 + 40) + 2 * positions;
        let catapults = space.sets.len() as u64;
        let conversions = 2 * 65 * 4096
            + if key.has_pawn() { 3 * catapults * 64 * 8 * 64 } else { 0 }
            + if key.kings_left().is_some() { 3 * catapults * 64 * 64 } else { 0 }
            + if key.fresh > 0 { 4 * 64 * 4096 * 64 } else { 0 };
        let below =
            key.needs().into_iter().map(|below| Space::of(&below).words() as u64 * 128).max().unwrap_or(0);
        Plan {
            positions,
            memory: conversions + own.max(below),
            disk: 4 * positions,
            minutes: words as f64 * MINUTES_PER_BITBOARD,
        }
    }
}

/// Returns an error if the table needs more memory than is free. If the system does not report its
/// free memory, the check passes.
pub(crate) fn check_memory(key: TableKey) -> Result<(), EndingsError> {
    const MB: u64 = 1 << 20;
    let needed = Plan::of(key).memory;
    match free_memory() {
        Some(free) if free < needed => {
            let (needed, free) = (needed.div_ceil(MB), free / MB);
            let text = format!("{key} takes {needed} MB of memory and {free} MB are free; skipped");
            Err(EndingsError::Unusable(text))
        }
        _ => Ok(()),
    }
}

/// Returns the free memory in bytes, or `None` if the system does not report it.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
