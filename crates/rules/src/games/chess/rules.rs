//! What tells the games of the 8x8 engine apart: standard chess, Chess++, Chess++ with proposals.

use super::proposals::Proposals;
use super::state::{CatapultLayer, Layer, NoLayer};
use crate::Variant;
use std::fmt::Debug;

/// The rule set of a [`ChessPosition`](super::ChessPosition). The compiler makes an engine of each; what a rule
/// set answers with a constant costs nothing.
pub trait ChessRules: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// How the catapults are kept: nothing at all in standard chess.
    type Layer: Layer;

    /// Whether there are catapults.
    fn catapults(self) -> bool;

    /// The proposals that are played: none in standard chess.
    fn proposals(self) -> Proposals;

    /// Whether a proposal is played.
    #[inline(always)]
    fn has(self, proposal: Proposals) -> bool {
        self.proposals().contains(proposal)
    }

    /// How many catapults a side starts with, and may have at most.
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

/// Any rule set of the 8x8 engine, chosen at run time: what holds positions of several of them side by side. Moves, their
/// order, outcomes and FENs are those of the dedicated rule sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AnyRules {
    catapults: bool,
    /// None in standard chess.
    proposals: Proposals,
}

impl AnyRules {
    /// The rules of a variant; none if it is not played on this engine.
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
