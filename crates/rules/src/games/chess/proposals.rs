//! The proposals of the paper's "Future Scope": one row each, and sets of them.

/// A rule that may be added to Chess++.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Its name in a variant's: `chesspp+name`.
    pub name: &'static str,
    /// What it changes.
    pub about: &'static str,
    /// The set of it alone.
    pub set: Proposals,
}

/// A set of proposals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Proposals(u8);

/// The table: a constant, a name, and what is changed. Names stand in alphabetical order, in which variants are written.
macro_rules! proposals {
    ($($constant:ident $name:literal $about:literal;)*) => {
        /// Places in the table.
        #[allow(clippy::upper_case_acronyms)]
        enum Row {
            $($constant,)*
        }

        impl Proposals {
            $(#[doc = concat!("`+", $name, "`: ", $about, ".")]
            pub const $constant: Proposals = Proposals(1 << Row::$constant as u8);)*

            /// Every proposal.
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
    /// Plain Chess++.
    pub const NONE: Proposals = Proposals(0);

    /// All sets, the empty one first.
    pub fn all_sets() -> impl Iterator<Item = Proposals> {
        (0..1 << Proposals::ALL.len()).map(Proposals)
    }

    /// Whether all of `other` are among these.
    #[inline(always)]
    pub const fn contains(self, other: Proposals) -> bool {
        self.0 & other.0 == other.0
    }

    /// These and `other`.
    pub const fn with(self, other: Proposals) -> Proposals {
        Proposals(self.0 | other.0)
    }

    /// These but for `other`.
    pub const fn without(self, other: Proposals) -> Proposals {
        Proposals(self.0 & !other.0)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of the table that are among these.
    pub fn each(self) -> impl Iterator<Item = &'static Proposal> {
        Proposals::ALL.iter().filter(move |proposal| self.contains(proposal.set))
    }
}

impl FromIterator<Proposals> for Proposals {
    fn from_iter<I: IntoIterator<Item = Proposals>>(sets: I) -> Proposals {
        sets.into_iter().fold(Proposals::NONE, Proposals::with)
    }
}
