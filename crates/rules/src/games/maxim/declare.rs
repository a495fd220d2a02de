//! Declaring portals (rule 8).

use super::reach::flood;
use super::state::State;
use crate::{Square, Squares};

/// The squares that the side to move may choose from, and the pairs that it may not.
pub(super) struct Declaring {
    /// Empty squares, not the opponent's portals, that the own king could walk to.
    open: Squares,
    /// The pair it has: the same pair is no declaration.
    old: Squares,
    /// Where an attacked king could be pushed: not all of these may become portals. All squares if that does not matter.
    vital: Squares,
}

impl Declaring {
    pub(super) fn new(state: &State) -> Declaring {
        Declaring::with_enough(state, u32::MAX)
    }

    /// Knows of `enough` open squares, or all.
    fn with_enough(state: &State, enough: u32) -> Declaring {
        let us = state.side();
        let enemy = state.side_pieces(!us);
        let wanted = !state.occupied() & !state.portals(!us);
        let king = state.king(us);
        let open = flood(Squares::of(king), !enemy, wanted, enough) & wanted;
        let pinned_down = state.later_king(us) && !state.hard_attackers(us).is_empty();
        let vital = if pinned_down { Squares::of(king).beside() & wanted } else { Squares::FULL };
        Declaring { open, old: state.portals(us), vital }
    }

    /// Whether there is a pair to declare.
    pub(super) fn is_possible(state: &State) -> bool {
        // Of four squares' six pairs one is the old one, and at most four leave the king no square.
        let some = Declaring::with_enough(state, 4);
        some.open.count() >= 4 || !some.firsts().is_empty()
    }

    /// The squares that may be a pair's first: those that have a second.
    pub(super) fn firsts(&self) -> Squares {
        let mut firsts = self.open;
        if self.vital.count() == 1 {
            firsts &= !self.vital;
        }
        // At most two seconds of a square are barred, so that only the last three squares can be without.
        let mut rest = firsts;
        for _ in 0..3 {
            let Some(last) = rest.last() else { break };
            rest &= !Squares::of(last);
            if self.seconds(last).is_empty() {
                firsts &= !Squares::of(last);
            }
        }
        firsts
    }

    /// The second squares, later rank by rank, that may go with a first one.
    pub(super) fn seconds(&self, first: Square) -> Squares {
        let bit = Squares::of(first);
        if !self.open.has(first) || !self.vital.meets(!bit) {
            return Squares::EMPTY;
        }
        let mut seconds = self.open & Squares::after(first);
        if self.old.has(first) {
            seconds &= !self.old;
        }
        let last_way_out = self.vital & !bit;
        if last_way_out.count() == 1 {
            seconds &= !last_way_out;
        }
        seconds
    }
}
