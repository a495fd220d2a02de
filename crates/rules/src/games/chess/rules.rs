//! What tells the games of the 8x8 engine apart: standard chess, Chess++, Chess++ with proposals.

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

    /// `+free`: catapults are placed by the players before the first move.
    fn free(self) -> bool {
        false
    }

    /// `+instant`: an ordinary move that ends on an own catapult may go on at once.
    fn instant(self) -> bool {
        false
    }

    /// `+pawns`: pawns teleport too.
    fn pawns(self) -> bool {
        false
    }

    /// `+promote`: a pawn may promote to a catapult.
    fn promote(self) -> bool {
        false
    }

    /// `+third`: a third catapult a side.
    fn third(self) -> bool {
        false
    }

    /// How many catapults a side starts with, and may have at most.
    fn catapults_per_side(self) -> u8 {
        match (self.catapults(), self.third()) {
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
}

/// Chess++ with a set of proposals of the paper's "Future Scope".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Proposals(u8);

impl Proposals {
    /// `+free`.
    pub const FREE: Proposals = Proposals(1);
    /// `+instant`.
    pub const INSTANT: Proposals = Proposals(2);
    /// `+pawns`.
    pub const PAWNS: Proposals = Proposals(4);
    /// `+promote`.
    pub const PROMOTE: Proposals = Proposals(8);
    /// `+third`.
    pub const THIRD: Proposals = Proposals(16);

    /// Each proposal with its name, alphabetically.
    pub const NAMES: [(&'static str, Proposals); 5] = [
        ("free", Proposals::FREE),
        ("instant", Proposals::INSTANT),
        ("pawns", Proposals::PAWNS),
        ("promote", Proposals::PROMOTE),
        ("third", Proposals::THIRD),
    ];

    /// What each of [`Proposals::NAMES`] changes.
    pub const ABOUT: [&'static str; 5] = [
        "before the first move the players place their catapults in turn, each on its own first rank",
        "a piece whose move ends on a catapult of its own may teleport on in the same turn",
        "pawns teleport, too",
        "a pawn may become a catapult",
        "three catapults a side instead of two",
    ];

    /// All 32 sets, the empty one first.
    pub fn all_sets() -> impl Iterator<Item = Proposals> {
        (0..32).map(Proposals)
    }

    /// Whether all of `other` are among these.
    #[inline]
    pub const fn contains(self, other: Proposals) -> bool {
        self.0 & other.0 == other.0
    }

    /// These and `other`.
    pub const fn with(self, other: Proposals) -> Proposals {
        Proposals(self.0 | other.0)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl ChessRules for Proposals {
    type Layer = CatapultLayer;

    #[inline]
    fn catapults(self) -> bool {
        true
    }

    #[inline]
    fn free(self) -> bool {
        self.contains(Proposals::FREE)
    }

    #[inline]
    fn instant(self) -> bool {
        self.contains(Proposals::INSTANT)
    }

    #[inline]
    fn pawns(self) -> bool {
        self.contains(Proposals::PAWNS)
    }

    #[inline]
    fn promote(self) -> bool {
        self.contains(Proposals::PROMOTE)
    }

    #[inline]
    fn third(self) -> bool {
        self.contains(Proposals::THIRD)
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
    fn free(self) -> bool {
        self.proposals.free()
    }

    #[inline]
    fn instant(self) -> bool {
        self.proposals.instant()
    }

    #[inline]
    fn pawns(self) -> bool {
        self.proposals.pawns()
    }

    #[inline]
    fn promote(self) -> bool {
        self.proposals.promote()
    }

    #[inline]
    fn third(self) -> bool {
        self.proposals.third()
    }
}
