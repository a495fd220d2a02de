//! Rule sets of the 8x8 engine: standard chess, Chess++, and Chess++ with options.

use super::proposals::Proposals;
use super::state::{CatapultLayer, Layer, NoLayer};
use crate::Variant;
use std::fmt::Debug;

/// A rule set of a [`ChessPosition`](super::ChessPosition).
///
/// The compiler builds one engine per rule set. Methods that return a constant cost nothing at run
/// time.
pub trait ChessRules: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// Storage of the catapults. [`NoLayer`] stores none.
    type Layer: Layer;

    /// Returns true if the game has catapults, which is the default.
    #[inline(always)]
    fn catapults(self) -> bool {
        true
    }

    /// Returns the options in use, such as `+third`. By default the set is empty, as in standard
    /// chess and in plain Chess++.
    #[inline(always)]
    fn proposals(self) -> Proposals {
        Proposals::NONE
    }

    /// Returns true if all options of the set are in use.
    #[inline(always)]
    fn has(self, proposal: Proposals) -> bool {
        self.proposals().has(proposal)
    }

    /// Returns a side's number of catapults at the start, which is also its maximum.
    fn catapults_per_side(self) -> u8 {
        if self.catapults() { self.proposals().catapults_per_side() } else { 0 }
    }
}

/// The rules of standard chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standard;

impl ChessRules for Standard {
    type Layer = NoLayer;

    #[inline(always)]
    fn catapults(self) -> bool {
        false
    }
}

/// The rules of Chess++ without options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plain;

impl ChessRules for Plain {
    type Layer = CatapultLayer;
}

/// The rules of Chess++ with options chosen at run time.
impl ChessRules for Proposals {
    type Layer = CatapultLayer<2>;

    #[inline]
    fn proposals(self) -> Proposals {
        self
    }
}

/// Any rule set of the 8x8 engine, chosen at run time.
///
/// Positions under any of these rule sets have one type, [`AnyChess`](super::AnyChess). Moves,
/// their order, outcomes and FENs are the same as under [`Standard`], [`Plain`] and [`Proposals`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AnyRules {
    catapults: bool,
    /// Options in use. The set is empty in standard chess.
    proposals: Proposals,
}

impl AnyRules {
    /// Returns the rules of a variant, or `None` if it is neither chess nor Chess++.
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
    type Layer = CatapultLayer<2>;

    #[inline]
    fn catapults(self) -> bool {
        self.catapults
    }

    #[inline]
    fn proposals(self) -> Proposals {
        self.proposals
    }
}
