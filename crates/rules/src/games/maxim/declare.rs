//! Declaring a pair of portals in Maxim chess (rule 8).

use super::reach::flood;
use super::state::State;
use crate::{Square, Squares};

/// Pairs of squares that the side to move may declare as portals.
pub(super) struct Declaring {
    /// Empty squares that the own king could walk to (rule 8). The opponent's portals are excluded.
    open: Squares,
    /// The current portals of the side to move. The side may not declare this pair again.
    old: Squares,
    /// Squares to which the own king could be pushed, if a push is its only escape from capture. A
    /// new pair must leave one of them free. Otherwise all squares are in the set.
    vital: Squares,
}

impl Declaring {
    pub(super) fn new(state: &State) -> Declaring {
        Declaring::with_enough(state, u32::MAX)
    }

    /// Finds the pairs as [`Declaring::new`] does, but may stop after finding `enough` open
    /// squares.
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

    /// Returns true if the side to move may declare a pair of portals.
    pub(super) fn is_possible(state: &State) -> bool {
        // Four squares form six pairs. One may be the old pair, and at most four leave the king no
        // square.
        let some = Declaring::with_enough(state, 4);
        some.open.count() >= 4 || !some.firsts().is_empty()
    }

    /// Returns the squares that may be the first of a pair. At least one second square is allowed
    /// for each of them.
    pub(super) fn firsts(&self) -> Squares {
        let mut firsts = self.open;
        if self.vital.count() == 1 {
            firsts &= !self.vital;
        }
        // At most two second squares are excluded, so only the last three squares can be without
        // one.
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

    /// Returns the squares that may be the second portal if `first` is the first portal. The second
    /// square has a higher index than the first.
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
