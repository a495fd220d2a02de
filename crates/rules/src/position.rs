//! What every game's position can do.

use crate::{Color, FenError, ForbiddenKind, Move, MoveError, MoveList, Outcome};
use std::fmt::{Debug, Display};

/// The most kinds of pieces that a game may have.
pub const MAX_PIECE_TYPES: usize = 12;

/// Numbers of pieces by kind, 0 where a game has no further kinds.
pub type PieceCounts = [u8; MAX_PIECE_TYPES];

/// What a kind of piece is to its game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The pawn: what other pieces' worth is told in.
    Pawn,
    /// Any other piece that can be captured.
    Officer,
    /// The king, whose capture would end the game.
    King,
    /// What lies on the board without occupying it (the catapult).
    Marker,
}

/// A kind of piece of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceType {
    /// What it is to the game.
    pub role: Role,
    /// The capital letter of FEN; `*` for what is written in a field of its own (the catapult).
    pub letter: char,
    /// Its name in running text.
    pub name: &'static str,
    /// Its conventional worth in hundredths of a pawn; 0 for the king, and for what has no conventional worth.
    pub centipawns: i32,
}

/// The numbers of the first kinds, and 0 of the others.
pub(crate) fn piece_counts<const KINDS: usize>(numbers: [u32; KINDS]) -> PieceCounts {
    let mut counts = PieceCounts::default();
    for (count, number) in counts.iter_mut().zip(numbers) {
        *count = number as u8;
    }
    counts
}

/// A position of one game: small, `Copy`, without history. [`Display`] writes its canonical FEN.
///
/// Two positions are equal, and have equal keys, if they are the *same position* of the rules: placement, side to
/// move, castling rights, en-passant squares and variant fields, but not the two move counters.
pub trait Position: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// What a variant name chooses within the game: a zero-sized type where there is nothing to choose.
    type Rules: Copy + Eq + Debug + Send + Sync + 'static;

    /// Files of the board, at most 26.
    const FILES: usize;

    /// Ranks of the board.
    const RANKS: usize;

    /// The most pieces that share a square.
    const PIECES_PER_SQUARE: usize = 1;

    /// The kinds of pieces that may stand on its boards, at most [`MAX_PIECE_TYPES`].
    const PIECES: &'static [PieceType];

    /// The start position.
    fn start(rules: Self::Rules) -> Self;

    /// Reads a FEN; the error names the field.
    fn from_fen(fen: &str, rules: Self::Rules) -> Result<Self, FenError>;

    /// The rules it is played under.
    fn rules(&self) -> Self::Rules;

    /// The side whose decision is next.
    fn side_to_move(&self) -> Color;

    /// Plies since the last restart of the half-move clock.
    fn halfmove_clock(&self) -> u32;

    /// The number of the full move, from 1.
    fn fullmove_number(&self) -> u32;

    /// Zobrist key of what makes positions the same.
    fn key(&self) -> u64;

    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;

    /// Appends the legal moves, in an order fixed for the position.
    fn legal_moves_into(&self, moves: &mut MoveList);

    /// The legal moves.
    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Hands each legal move with the position after it to a function, in an order of its own: faster than playing the
    /// moves of a list.
    fn for_each_successor(&self, mut visit: impl FnMut(Move, &Self)) {
        for mv in self.legal_moves() {
            let mut after = *self;
            after.play(mv);
            visit(mv, &after);
        }
    }

    /// The number of legal moves.
    fn count_legal_moves(&self) -> usize {
        self.legal_moves().len()
    }

    /// Whether there is a legal move.
    fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Whether the move is legal here.
    fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Plays a legal move. A move that is not legal leaves an unspecified position, but never panics.
    fn play(&mut self, mv: Move);

    /// Whether the position is on the game's list of dead ones; a game need not have one.
    fn is_dead(&self) -> bool {
        false
    }

    /// What the position alone decides (checkmate, stalemate, dead, hundred plies, in this order).
    fn outcome(&self) -> Option<Outcome> {
        if !self.is_turn_start() {
            return None;
        }
        if !self.has_legal_move() {
            return Some(if self.in_check() { Outcome::Checkmate } else { Outcome::Stalemate });
        }
        if self.is_dead() {
            return Some(Outcome::Dead);
        }
        (self.halfmove_clock() >= 100).then_some(Outcome::HundredPlies)
    }

    /// Whether repetition, the clock and mates are judged here: false in the middle of a turn of several decisions.
    fn is_turn_start(&self) -> bool {
        true
    }

    /// The legal move that ends a turn of several decisions as it stands; none where a turn starts, or where it must go on.
    fn turn_end(&self) -> Option<Move> {
        None
    }

    /// Whether no position from before the last move can occur again, so that repetition may forget them all.
    fn forgets_history(&self) -> bool {
        self.halfmove_clock() == 0
    }

    /// The test for legal moves of a kind; none if the rules have no such moves.
    fn is_of_kind(_rules: Self::Rules, _kind: ForbiddenKind) -> Option<fn(&Self, Move) -> bool> {
        None
    }

    /// The text of a legal move of this position.
    fn move_text(&self, mv: Move) -> String;

    /// Finds the legal move with this text.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let found = self.legal_moves().into_iter().find(|mv| self.move_text(*mv) == text);
        found.ok_or_else(|| MoveError {
            text: text.to_owned(),
            reason: "not a legal move of this position".to_owned(),
        })
    }

    /// A legal move in the game's algebraic notation, as PGN files have it; the plain text where a game has none.
    fn san(&self, mv: Move) -> String {
        self.move_text(mv)
    }

    /// Finds the legal move that is written so in algebraic notation.
    fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_move(text)
    }

    /// How many pieces of each kind a side has, in the order of [`Position::PIECES`].
    fn count_pieces(&self, side: Color) -> PieceCounts;

    /// Summed piece values of a side in centipawns: [`PieceType::centipawns`].
    fn material(&self, side: Color) -> i32 {
        let counts = self.count_pieces(side);
        Self::PIECES.iter().zip(counts).map(|(piece, count)| piece.centipawns * i32::from(count)).sum()
    }
}
