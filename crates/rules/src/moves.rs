//! Moves as 32-bit values, and lists of moves.

use arrayvec::ArrayVec;

/// A move of any game, packed into 32 bits.
///
/// It has an origin, a destination, an auxiliary byte and a kind. The meaning of the last two
/// depends on the game: a middle square, a pushed-to square, a set of captured squares.
/// [`Position::move_text`](crate::Position::move_text) returns the text.
///
/// ```
/// use catapult_rules::{ChessMove, ChessMoveKind, ChessPp, Move, Plain, Position};
///
/// let mv = ChessPp::start(Plain).parse_move("g2g4").unwrap();
/// assert_eq!((mv.from(), mv.to()), (14, 30));
/// assert_eq!(ChessMove::of(mv).kind, ChessMoveKind::DoublePush);
/// assert_eq!(Move::from_bits(mv.bits()), mv);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

impl Move {
    /// Packs the four parts.
    pub const fn new(from: u8, to: u8, aux: u8, kind: u8) -> Move {
        Move(from as u32 | (to as u32) << 8 | (aux as u32) << 16 | (kind as u32) << 24)
    }

    /// Returns the index of the origin square.
    pub const fn from(self) -> u8 {
        self.0 as u8
    }

    /// Returns the index of the destination square.
    pub const fn to(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Returns the auxiliary byte.
    pub const fn aux(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Returns the kind, whose meaning depends on the game.
    pub const fn kind(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// Returns the packed value, for storage next to the variant's name.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Unpacks the result of [`Move::bits`].
    pub const fn from_bits(bits: u32) -> Move {
        Move(bits)
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Move({}-{} aux {} kind {})", self.from(), self.to(), self.aux(), self.kind())
    }
}

/// Capacity of a [`MoveList`]: more than the legal moves of any position that a FEN can describe.
///
/// The bound below is 3,503. A search for the maximum found 1,325 moves, on boards full of Star
/// Cats.
///
/// * At most nine moves reach a square from one of eight straight directions, and only on the last
///   rank. Elsewhere the limit is four. The mover is a slider, a pawn or a jumping piece one to
///   three squares away, with its choices of captures and promotions.
/// * At most one move reaches a square along each of eight lines of leaps, two on the last rank.
/// * At most 43 moves therefore end on one square, and at most 56 (a Star Cat among enemies) start
///   on one.
/// * With `n` own pieces on 144 squares, the bound is the smaller of `56 n` and `43 (144 - n)`.
pub const MAX_MOVES: usize = 4096;

/// Legal moves of one position, in an order that is fixed for the position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
