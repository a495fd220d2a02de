//! The options of Chess++: the proposals, from the section "Future Scope" of its paper, and other
//! changes of its rules. One table row defines each option that is on or off.

use crate::{PieceKind, Square, Squares};
use std::ops::RangeInclusive;

/// An option of Chess++ that is on or off, such as a proposal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Name after the `+` in a variant name, such as `free` in `chesspp+free`.
    pub name: &'static str,
    /// Key of a rules file, and the value of the key that selects the option.
    pub key: (&'static str, bool),
    /// Description of the rule, without a final period.
    pub about: &'static str,
    /// Set that contains only this option.
    pub set: Proposals,
}

/// A set of options of Chess++: its proposals, and other changes of its rules.
///
/// ```
/// use catapult_rules::{Proposals, Variant};
///
/// let set = Proposals::FREE.with(Proposals::THIRD);
/// assert!(set.contains(Proposals::FREE) && !set.contains(Proposals::PAWNS));
/// assert_eq!(Variant::ChessPp(set).to_string(), "chesspp+free+third");
/// let variant: Variant = "chesspp+teleport=BN+fifty=60".parse().unwrap();
/// assert_eq!(variant.to_string(), "chesspp+fifty=60+teleport=NB");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Proposals {
    /// One bit per row of the table, then one bit per kind of piece that may not teleport.
    bits: u32,
    /// Value plus 1 of each of [`Proposals::NUMBERS`], or 0 for the default.
    numbers: [u16; 4],
    /// Squares of White's catapults at the start, one bit per square of ranks 1 to 4. The bits of
    /// plain Chess++ are flipped, so that 0 is the default.
    catapults: u32,
    /// White's first rank at the start, three bits per file, flipped in the same way.
    first_rank: u32,
}

/// An option of Chess++ that is a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// Name in a variant name, before the `=`.
    pub name: &'static str,
    /// Key of a rules file.
    pub key: &'static str,
    /// Value in plain Chess++.
    pub default: u16,
    /// Allowed values.
    pub range: RangeInclusive<u16>,
    /// Description of the rule, before and after the value.
    pub about: [&'static str; 2],
}

/// Defines the table of options that are on or off. A row has a constant, a name, the key of a
/// rules file with its value, and a description.
macro_rules! proposals {
    ($($constant:ident $name:literal $key:literal $value:literal $about:literal;)*) => {
        /// Index of each option in the table, which is also its bit in a set.
        #[allow(clippy::upper_case_acronyms)]
        enum Row {
            $($constant,)*
        }

        impl Proposals {
            $(#[doc = concat!("`+", $name, "`: ", $about, ".")]
            pub const $constant: Proposals = Proposals::of_bits(1 << Row::$constant as u32);)*

            /// All options that are on or off. The proposals are first.
            pub const NAMED: &'static [Proposal] = &[$(Proposal {
                name: $name,
                key: ($key, $value),
                about: $about,
                set: Proposals::$constant,
            }),*];
        }
    };
}

proposals! {
    FREE "free" "free" true "before the first move the players place their catapults in turn, each on its own first rank";
    INSTANT "instant" "instant" true "a piece whose move ends on a catapult of its side may teleport in the same turn";
    PAWNS "pawns" "pawns" true "pawns also teleport";
    PROMOTE "promote" "promote" true "a pawn may become a catapult";
    THIRD "third" "third" true "three catapults per side instead of two";
    BARE "bare" "bare_king_keeps_catapults" false "a bare king's catapults vanish";
    BLOCK "block" "enemy_catapults_block" true "a piece may stop on an empty catapult of the opponent but not pass over it";
    CASTLE "castle" "teleports_bar_castling" false "teleports to squares between king and rook do not bar castling";
    PEACEFUL "peaceful" "teleports_capture" false "teleports do not capture, and so attack nothing";
    RESTART "restart" "catapult_move_restarts_clock" true "a catapult move resets the half-move clock";
    SAFE "safe" "catapults_are_captured" false "catapults are not captured";
    STILL "still" "consecutive_catapult_moves" false "a side that has moved a catapult may not move one on its next turn";
}

/// Number of rows that are proposals of the paper.
const OF_THE_PAPER: usize = 5;

/// Bits of the options that are on or off. Higher bits are the pieces that may not teleport.
const NAMED_BITS: u32 = (1 << Proposals::NAMED.len()) - 1;

/// Squares of White's catapults at the start of plain Chess++, as bits: b1 and f1.
const CATAPULTS: u32 = 1 << 1 | 1 << 5;

/// Most catapults per side.
const MOST_CATAPULTS: usize = 4;

/// White's first rank at the start of chess, three bits per file from the a-file.
const FIRST_RANK: u32 = {
    use PieceKind::{Bishop, King, Knight, Queen, Rook};
    let kinds = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
    let (mut rank, mut file) = (0, 0);
    while file < 8 {
        rank |= (kinds[file] as u32) << (3 * file);
        file += 1;
    }
    rank
};

/// Pieces that `teleport=` can name, in its order.
const PIECES: [PieceKind; 5] =
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King];

impl Proposals {
    /// The empty set: plain Chess++.
    pub const NONE: Proposals = Proposals::of_bits(0);

    /// All proposals, in alphabetical order of names.
    pub const ALL: &'static [Proposal] = Proposals::NAMED.split_at(OF_THE_PAPER).0;

    /// All options that are numbers, in alphabetical order.
    pub const NUMBERS: [Number; 4] = [
        Number {
            name: "fifty",
            key: "fifty_move_plies",
            default: 100,
            range: 8..=1000,
            about: ["a game is drawn after ", " plies without a reset of the half-move clock"],
        },
        Number {
            name: "first",
            key: "first_catapult_move",
            default: 2,
            range: 0..=2,
            about: ["the first move of a catapult goes at most ", " squares far"],
        },
        Number {
            name: "later",
            key: "later_catapult_moves",
            default: 1,
            range: 0..=2,
            about: ["later moves of a catapult go at most ", " squares far"],
        },
        Number {
            name: "moves",
            key: "catapult_moves_per_game",
            // No limit.
            default: u16::MAX,
            range: 0..=31,
            about: ["each side may move catapults at most ", " times in a game"],
        },
    ];

    /// Options that are texts, in alphabetical order: name in a variant name, key of a rules file,
    /// and word for the value.
    pub const TEXTS: [(&'static str, &'static str, &'static str); 3] = [
        ("catapults", "catapults", "SQUARES"),
        ("start", "start", "PIECES"),
        ("teleport", "teleporting_pieces", "PIECES"),
    ];

    const fn of_bits(bits: u32) -> Proposals {
        Proposals { bits, numbers: [0; 4], catapults: 0, first_rank: 0 }
    }

    /// Returns all sets of proposals, the empty set first.
    pub fn all_sets() -> impl Iterator<Item = Proposals> {
        (0..1 << OF_THE_PAPER).map(Proposals::of_bits)
    }

    /// Returns the set with one option, given as in a variant name but without its `+`: `third`,
    /// `fifty=60`. Returns `None` if there is no such option.
    ///
    /// # Errors
    /// The value is not allowed. The message lists the allowed values.
    pub fn option(text: &str) -> Option<Result<Proposals, String>> {
        let Some((name, value)) = text.split_once('=') else {
            return Proposals::NAMED.iter().find(|row| row.name == text).map(|row| Ok(row.set));
        };
        let number = Proposals::NUMBERS.iter().position(|number| number.name == name);
        number.map(|index| number_of(index, value)).or_else(|| match name {
            "catapults" => Some(catapults(value)),
            "start" => Some(start(value)),
            "teleport" => Some(teleport(value)),
            _ => None,
        })
    }

    /// Returns the reason why the options exclude each other, or `None` if they combine.
    /// `names_catapults` is true if they were written with `catapults`: the set does not tell, because
    /// its usual value is the same as none.
    pub fn conflict(self, names_catapults: bool) -> Option<&'static str> {
        (self.has(Proposals::THIRD) && names_catapults)
            .then_some("`+third` and `+catapults` exclude each other: name the squares of all three")
    }

    /// Returns true if this set contains all on-or-off options of `other`.
    #[inline(always)]
    pub(super) const fn has(self, other: Proposals) -> bool {
        self.bits & other.bits == other.bits
    }

    /// Returns true if this set contains all options of `other`.
    #[inline]
    pub fn contains(self, other: Proposals) -> bool {
        other.without(self).is_empty()
    }

    /// Returns the union of this set and `other`. A number, the squares of catapults, the first rank
    /// and the teleporting pieces are those of `other`, if `other` has them.
    pub const fn with(self, other: Proposals) -> Proposals {
        let teleports = if other.bits & !NAMED_BITS != 0 { other.bits } else { self.bits };
        let bits = (self.bits | other.bits) & NAMED_BITS | teleports & !NAMED_BITS;
        let mut union = Proposals { bits, ..other };
        if union.catapults == 0 {
            union.catapults = self.catapults;
        }
        if union.first_rank == 0 {
            union.first_rank = self.first_rank;
        }
        let mut index = 0;
        while index < union.numbers.len() {
            if other.numbers[index] == 0 {
                union.numbers[index] = self.numbers[index];
            }
            index += 1;
        }
        union
    }

    /// Returns this set without the options of `other`. An option with a value is removed only if
    /// `other` has the same value.
    #[inline]
    pub fn without(self, other: Proposals) -> Proposals {
        let number = |index: usize| match self.numbers[index] {
            number if number == other.numbers[index] => 0,
            number => number,
        };
        let rest = |mine: u32, other: u32| if mine == other { 0 } else { mine };
        let teleports = rest(self.bits & !NAMED_BITS, other.bits & !NAMED_BITS);
        Proposals {
            bits: self.bits & !other.bits & NAMED_BITS | teleports,
            numbers: std::array::from_fn(number),
            catapults: rest(self.catapults, other.catapults),
            first_rank: rest(self.first_rank, other.first_rank),
        }
    }

    /// Returns the proposals of the set, without the other options.
    pub const fn of_the_paper(self) -> Proposals {
        Proposals::of_bits(self.bits & ((1 << OF_THE_PAPER) - 1))
    }

    /// Returns true if the set contains no option.
    pub fn is_empty(self) -> bool {
        self == Proposals::NONE
    }

    #[inline(always)]
    const fn number(self, index: usize) -> u16 {
        match self.numbers[index] {
            0 => Proposals::NUMBERS[index].default,
            number => number - 1,
        }
    }

    /// Returns the half-move clock at which the fifty-move rule ends a game, in plies.
    #[inline(always)]
    pub(super) const fn fifty_move_plies(self) -> u32 {
        self.number(0) as u32
    }

    /// Returns the maximum distance of a catapult move in squares, for the first move if `fresh`.
    #[inline(always)]
    pub const fn catapult_reach(self, fresh: bool) -> u16 {
        self.number(if fresh { 1 } else { 2 })
    }

    /// Returns the maximum number of catapult moves of each side in a game, or `None` if there is
    /// no limit.
    #[inline(always)]
    pub const fn catapult_moves_per_game(self) -> Option<u8> {
        match self.numbers[3] {
            0 => None,
            number => Some(number as u8 - 1),
        }
    }

    /// Returns the squares of White's catapults at the start. Black's are opposite, on the same files.
    pub fn catapults_at_start(self) -> Squares {
        let bits = self.catapults ^ CATAPULTS | if self.has(Proposals::THIRD) { 1 << 3 } else { 0 };
        (0..32).filter(|square| bits >> square & 1 != 0).map(Square::of).collect()
    }

    /// Returns the number of catapults of each side at the start.
    #[inline(always)]
    pub(super) const fn catapults_per_side(self) -> u8 {
        (self.catapults ^ CATAPULTS).count_ones() as u8 + self.has(Proposals::THIRD) as u8
    }

    /// Returns White's first rank at the start, from the a-file, in capital letters.
    pub fn first_rank(self) -> String {
        let kind = |file: u32| PieceKind::ALL[((self.first_rank ^ FIRST_RANK) >> (3 * file) & 7) as usize];
        (0..8).map(|file| kind(file).letter().to_ascii_uppercase()).collect()
    }

    /// Returns true if some kinds of pieces other than pawns may not teleport.
    #[inline(always)]
    pub(super) const fn limits_teleports(self) -> bool {
        self.bits >> Proposals::NAMED.len() != 0
    }

    /// Returns the kinds of pieces that may teleport. Pawns are not included (`+pawns`).
    pub fn teleporting(self) -> impl Iterator<Item = PieceKind> {
        PIECES.into_iter().filter(move |kind| self.bits & grounded(*kind) == 0)
    }

    /// Returns name and description of each option, in alphabetical order. The names are those of
    /// variant names, without the `+`.
    pub fn each(self) -> Vec<(String, String)> {
        let chosen = Proposals::NAMED.iter().filter(|row| self.contains(row.set));
        let mut all: Vec<_> = chosen.map(|row| (row.name.to_owned(), row.about.to_owned())).collect();
        for (index, Number { name, about: [before, after], .. }) in Proposals::NUMBERS.iter().enumerate() {
            if self.numbers[index] != 0 {
                let value = self.number(index);
                all.push((format!("{name}={value}"), format!("{before}{value}{after}")));
            }
        }
        if self.catapults != 0 {
            let squares: String = self.catapults_at_start().into_iter().map(|at| at.to_string()).collect();
            all.push(if squares.is_empty() {
                ("catapults=-".to_owned(), "the game starts without catapults".to_owned())
            } else {
                let about = format!("White's catapults start on {squares}, and Black's opposite");
                (format!("catapults={squares}"), about)
            });
        }
        if self.first_rank != 0 {
            let rank = self.first_rank();
            all.push((format!("start={rank}"), format!("the first rank is {rank} at the start")));
        }
        if self.limits_teleports() {
            let kinds: String = self.teleporting().map(|kind| kind.letter().to_ascii_uppercase()).collect();
            all.push(if kinds.is_empty() {
                ("teleport=-".to_owned(), "no piece teleports".to_owned())
            } else {
                (format!("teleport={kinds}"), format!("only {kinds} teleport"))
            });
        }
        all.sort();
        all
    }
}

/// Returns the bit that forbids a kind of piece to teleport.
const fn grounded(kind: PieceKind) -> u32 {
    1 << (Proposals::NAMED.len() + kind as usize - 1)
}

fn number_of(index: usize, text: &str) -> Result<Proposals, String> {
    let Number { default, range, .. } = &Proposals::NUMBERS[index];
    let value = text.parse().ok().filter(|value: &u16| value.to_string() == text && range.contains(value));
    let value = value.ok_or_else(|| format!("must be from {} to {}", range.start(), range.end()))?;
    let mut found = Proposals::NONE;
    found.numbers[index] = if value == *default { 0 } else { value + 1 };
    Ok(found)
}

fn catapults(value: &str) -> Result<Proposals, String> {
    let list = value.trim_end_matches('-');
    let square = |at| list.get(at..at + 2)?.parse().ok().filter(|square: &Square| square.rank() < 4);
    let named: Option<Vec<Square>> = (0..list.len()).step_by(2).map(square).collect();
    let bits = |squares: &[Square]| squares.iter().fold(0u32, |bits, square| bits | 1 << square.byte());
    let named = named.filter(|squares| {
        let once = bits(squares).count_ones() as usize == squares.len();
        once && squares.len() <= MOST_CATAPULTS && (value == "-" || !list.is_empty() && list == value)
    });
    let allowed = "must be at most 4 squares of ranks 1 to 4, each once, or `-` for none";
    let squares = named.ok_or_else(|| allowed.to_owned())?;
    Ok(Proposals { catapults: bits(&squares) ^ CATAPULTS, ..Proposals::NONE })
}

fn start(value: &str) -> Result<Proposals, String> {
    // `PgnGame::variant` lowers the case of a name.
    let kind = |letter: char| PIECES.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase());
    let kinds: Option<Vec<PieceKind>> = value.chars().map(kind).collect();
    let kings = |kinds: &[PieceKind]| kinds.iter().filter(|kind| **kind == PieceKind::King).count();
    let kinds = kinds.filter(|kinds| kinds.len() == 8 && kings(kinds) == 1);
    let kinds = kinds.ok_or_else(|| "must be eight letters of `NBRQK` with one `K`".to_owned())?;
    let rank = kinds.iter().rev().fold(0, |rank, kind| rank << 3 | *kind as u32);
    Ok(Proposals { first_rank: rank ^ FIRST_RANK, ..Proposals::NONE })
}

fn teleport(value: &str) -> Result<Proposals, String> {
    // `PgnGame::variant` lowers the case of a name.
    let is_named = |kind: PieceKind| value.to_ascii_lowercase().contains(kind.letter());
    let named = PIECES.into_iter().filter(|kind| is_named(*kind)).count();
    if value != "-" && (named == 0 || named != value.len()) {
        return Err("must be letters of `NBRQK`, each at most once, or `-` for none".to_owned());
    }
    let others = PIECES.into_iter().filter(|kind| !is_named(*kind));
    Ok(Proposals::of_bits(others.fold(0, |bits, kind| bits | grounded(kind))))
}

impl FromIterator<Proposals> for Proposals {
    fn from_iter<I: IntoIterator<Item = Proposals>>(sets: I) -> Proposals {
        sets.into_iter().fold(Proposals::NONE, Proposals::with)
    }
}
