//! Moves as 32-bit values, and lists of them.

use arrayvec::ArrayVec;

/// A move of any game: origin, destination, an auxiliary byte (a middle square, a pushed-to square, a set of
/// captured squares) and a kind whose meaning belongs to the game. Only its game can read it; text comes from
/// [`Position::move_text`](crate::Position::move_text).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

impl Move {
    /// Packs the four parts.
    pub const fn new(from: u8, to: u8, aux: u8, kind: u8) -> Move {
        Move(from as u32 | (to as u32) << 8 | (aux as u32) << 16 | (kind as u32) << 24)
    }

    /// The origin square's index.
    pub const fn from(self) -> u8 {
        self.0 as u8
    }

    /// The destination square's index.
    pub const fn to(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The auxiliary byte.
    pub const fn aux(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The kind, whose meaning belongs to the game.
    pub const fn kind(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The packed value, for storage beside the variant's name.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The inverse of [`Move::bits`].
    pub const fn from_bits(bits: u32) -> Move {
        Move(bits)
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Move({}-{} aux {} kind {})", self.from(), self.to(), self.aux(), self.kind())
    }
}

/// Room for the legal moves of any position of any game, whatever a FEN puts on the board.
///
/// The most are had by boards full of Star Cats: a search found 1,325 moves. No board has 4,096. Count the moves by the
/// square they end on. From each of eight straight directions at most nine come to it (a slider, pawn or jumping piece
/// one, two or three squares off, with every choice of captures on the way and of promotions), and nine only on the last
/// rank, else four; along each of eight lines of leaps at most one, on the last rank two. That makes 43 for a square
/// that is not one's own, and 56 (a Star Cat among enemies) for a piece of one's own, so no more than 3,503 on 144 squares.
pub const MAX_MOVES: usize = 4096;

/// The legal moves of one position, in an order that is fixed for a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
