//! Rule sets of the 8x8 engine: standard chess, Chess++, and Chess++ with proposals.

use super::proposals::Proposals;
use super::state::{CatapultLayer, Layer, NoLayer};
use crate::Variant;
use std::fmt::Debug;

/// A rule set of a [`ChessPosition`](super::ChessPosition).
///
/// The compiler builds one engine per rule set. Methods that return a constant cost nothing.
pub trait ChessRules: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// Storage of the catapults. It is empty in standard chess.
    type Layer: Layer;

    /// Returns true if the game has catapults.
    fn catapults(self) -> bool;

    /// Returns the proposals in use: none in standard chess.
    fn proposals(self) -> Proposals;

    /// Returns true if a proposal is in use.
    #[inline(always)]
    fn has(self, proposal: Proposals) -> bool {
        self.proposals().contains(proposal)
    }

    /// Returns a side's initial and maximum number of catapults.
    fn catapults_per_side(self) -> u8 {
        match (self.catapults(), self.has(Proposals::THIRD)) {
            (false, _) => 0,
            (true, false) => 2,
            (true, true) => 3,
        }
    }
}

/// Standard chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standard;

impl ChessRules for Standard {
    type Layer = NoLayer;

    #[inline(always)]
    fn catapults(self) -> bool {
        false
    }

    #[inline(always)]
    fn proposals(self) -> Proposals {
        Proposals::NONE
    }
}

/// Chess++ without proposals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plain;

impl ChessRules for Plain {
    type Layer = CatapultLayer;

    #[inline(always)]
    fn catapults(self) -> bool {
        true
    }

    #[inline(always)]
    fn proposals(self) -> Proposals {
        Proposals::NONE
    }
}

/// Chess++ with proposals chosen at run time.
impl ChessRules for Proposals {
    type Layer = CatapultLayer;

    #[inline]
    fn catapults(self) -> bool {
        true
    }

    #[inline]
    fn proposals(self) -> Proposals {
        self
    }
}

/// Any rule set of the 8x8 engine, chosen at run time.
///
/// Its positions of several rule sets share one type. Moves, their order, outcomes and FENs equal
/// those of the dedicated rule sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AnyRules {
    catapults: bool,
    /// Empty in standard chess.
    proposals: Proposals,
}

impl AnyRules {
    /// Returns the rules of a variant, or `None` if another engine plays it.
    pub fn of(variant: Variant) -> Option<AnyRules> {
        match variant {
            Variant::Chess => Some(AnyRules::default()),
            Variant::ChessPp(proposals) => Some(AnyRules { catapults: true, proposals }),
            #[allow(unreachable_patterns)]
            _ => None,
        }
    }
}

impl ChessRules for AnyRules {
    type Layer = CatapultLayer;

    #[inline]
    fn catapults(self) -> bool {
        self.catapults
    }

    #[inline]
    fn proposals(self) -> Proposals {
        self.proposals
    }
}
