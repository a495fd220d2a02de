//! The proposals: optional rules of Chess++ from the section "Future Scope" of its paper. One table
//! row defines each proposal.

/// A proposal: a rule that can be added to Chess++.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Name after the `+` in a variant name, such as `free` in `chesspp+free`.
    pub name: &'static str,
    /// Description of the rule, without a final period.
    pub about: &'static str,
    /// Set that contains only this proposal.
    pub set: Proposals,
}

/// A set of proposals, which are optional rules of Chess++.
///
/// ```
/// use catapult_rules::{Proposals, Variant};
///
/// let set = Proposals::FREE.with(Proposals::THIRD);
/// assert!(set.contains(Proposals::FREE) && !set.contains(Proposals::PAWNS));
/// assert_eq!(Variant::ChessPp(set).to_string(), "chesspp+free+third");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Proposals(u8);

/// Defines the table of proposals. A row has a constant, a name and a description. Rows are in
/// alphabetical order of names, as in variant names.
macro_rules! proposals {
    ($($constant:ident $name:literal $about:literal;)*) => {
        /// Index of each proposal in the table, which is also its bit in a set.
        #[allow(clippy::upper_case_acronyms)]
        enum Row {
            $($constant,)*
        }

        impl Proposals {
            $(#[doc = concat!("`+", $name, "`: ", $about, ".")]
            pub const $constant: Proposals = Proposals(1 << Row::$constant as u8);)*

            /// All proposals, in alphabetical order of names.
            pub const ALL: &'static [Proposal] =
                &[$(Proposal { name: $name, about: $about, set: Proposals::$constant }),*];
        }
    };
}

proposals! {
    FREE "free" "before the first move the players place their catapults in turn, each on its own first rank";
    INSTANT "instant" "a piece whose move ends on a catapult of its own may teleport on in the same turn";
    PAWNS "pawns" "pawns teleport, too";
    PROMOTE "promote" "a pawn may become a catapult";
    THIRD "third" "three catapults a side instead of two";
}

impl Proposals {
    /// The empty set: plain Chess++.
    pub const NONE: Proposals = Proposals(0);

    /// Returns all sets of proposals, the empty set first.
    pub fn all_sets() -> impl Iterator<Item = Proposals> {
        (0..1 << Proposals::ALL.len()).map(Proposals)
    }

    /// Returns true if this set contains all proposals of `other`.
    #[inline(always)]
    pub const fn contains(self, other: Proposals) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the union of this set and `other`.
    pub const fn with(self, other: Proposals) -> Proposals {
        Proposals(self.0 | other.0)
    }

    /// Returns this set without the proposals of `other`.
    pub const fn without(self, other: Proposals) -> Proposals {
        Proposals(self.0 & !other.0)
    }

    /// Returns true if the set contains no proposal.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the proposals of this set, in table order.
    pub fn each(self) -> impl Iterator<Item = &'static Proposal> {
        Proposals::ALL.iter().filter(move |proposal| self.contains(proposal.set))
    }
}

impl FromIterator<Proposals> for Proposals {
    fn from_iter<I: IntoIterator<Item = Proposals>>(sets: I) -> Proposals {
        sets.into_iter().fold(Proposals::NONE, Proposals::with)
    }
}
