//! Moves as 32-bit values, and lists of moves.

use arrayvec::ArrayVec;

/// A move of any game, packed into 32 bits.
///
/// A move has an origin, a destination, an auxiliary byte and a kind. Each game defines its kinds.
/// The auxiliary byte depends on the kind: a middle square, the square to which a piece is pushed,
/// or a set of captured squares. [`Position::move_text`](crate::Position::move_text) returns the
/// move as text.
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
    /// Packs a move. `from` and `to` are indices of squares. The game defines the meaning of `aux`
    /// and `kind`.
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

    /// Returns the auxiliary byte, whose meaning depends on the game and the kind.
    pub const fn aux(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Returns the kind byte, whose meaning depends on the game.
    pub const fn kind(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// Returns the packed move as a number. To store it, store the variant's name too, because the
    /// number's meaning depends on the game.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Creates the move from the result of [`Move::bits`]. Any number is accepted.
    pub const fn from_bits(bits: u32) -> Move {
        Move(bits)
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Move({}-{} aux {} kind {})", self.from(), self.to(), self.aux(), self.kind())
    }
}

/// Capacity of a [`MoveList`]. It exceeds the number of legal moves of any position that a FEN can
/// describe.
///
/// Chess and a Half ([`half`](crate::half)) has the largest board. Its positions have at most 3,503
/// legal moves, as shown below. A search for the maximum found 1,325 moves, on boards full of Star
/// Cats.
///
/// * At most four moves reach a square from each of a queen's eight directions, or nine if the
///   square is on the last rank. The moving piece is a slider, a pawn or a jumping piece at most
///   three squares away. Its choices of captures and promotions count as separate moves.
/// * At most one move reaches a square along each of the eight directions of a knight's leap. On
///   the last rank, at most two do.
/// * Therefore at most 43 moves end on one square. At most 56 moves start from one square, by a
///   Star Cat among enemies.
/// * With `n` own pieces on 144 squares, there are at most `56 n` moves and at most `43 (144 - n)`.
///   The smaller of these numbers is at most 3,503.
pub const MAX_MOVES: usize = 4096;

/// List of the legal moves of one position. The order of the moves is always the same for one
/// position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
