//! Declaring portals (rule 8).

use super::reach::{beside, flood};
use super::state::State;
use crate::sinks::Targets;

/// The squares that the side to move may choose from, and the pairs that it may not.
pub(super) struct Declaring {
    /// Empty squares, not the opponent's portals, that the own king could walk to.
    open: u64,
    /// The pair it has: the same pair is no declaration.
    old: u64,
    /// Where an attacked king could be pushed: not all of these may become portals. All squares if that does not matter.
    vital: u64,
}

impl Declaring {
    pub(super) fn new(state: &State) -> Declaring {
        Declaring::with_enough(state, u32::MAX)
    }

    /// Knows of `enough` open squares, or all.
    fn with_enough(state: &State, enough: u32) -> Declaring {
        let us = state.side();
        let enemy = state.held(!us);
        let wanted = !state.occupied() & !state.portals(!us);
        let king = state.king(us);
        let open = flood(1 << king, !enemy, wanted, enough) & wanted;
        let pinned_down = state.later_king(us) && state.hard_attackers(us) != 0;
        let vital = if pinned_down { beside(1 << king) & wanted } else { !0 };
        Declaring { open, old: state.portals(us), vital }
    }

    /// Whether there is a pair to declare.
    pub(super) fn is_possible(state: &State) -> bool {
        // Of four squares' six pairs one is the old one, and at most four leave the king no square.
        let some = Declaring::with_enough(state, 4);
        some.open.count_ones() >= 4 || some.firsts() != 0
    }

    /// The squares that may be a pair's first: those that have a second.
    pub(super) fn firsts(&self) -> u64 {
        let mut firsts = self.open;
        if self.vital.is_power_of_two() {
            firsts &= !self.vital;
        }
        // At most two seconds of a square are barred, so that only the last three squares can be without.
        let mut rest = firsts;
        for _ in 0..3 {
            let Some(last) = rest.checked_ilog2() else { break };
            rest &= !(1 << last);
            if self.seconds(last as u8) == 0 {
                firsts &= !(1 << last);
            }
        }
        firsts
    }

    /// The second squares, later rank by rank, that may go with a first one.
    pub(super) fn seconds(&self, first: u8) -> u64 {
        let bit = 1u64 << first;
        if self.open & bit == 0 || self.vital & !bit == 0 {
            return 0;
        }
        let mut seconds = self.open & !(bit | (bit - 1));
        if self.old & bit != 0 {
            seconds &= !self.old;
        }
        let last_way_out = self.vital & !bit;
        if last_way_out.number() == 1 {
            seconds &= !last_way_out;
        }
        seconds
    }
}
