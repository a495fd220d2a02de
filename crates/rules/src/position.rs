//! The trait that all positions implement.

use crate::{Color, FenError, ForbiddenKind, Move, MoveError, MoveList, Outcome};
use std::fmt::{Debug, Display};

/// Maximum number of piece kinds in one game.
pub const MAX_PIECE_TYPES: usize = 12;

/// Number of pieces per kind, in the order of [`Position::PIECES`]. Entries beyond the game's kinds
/// are 0.
pub type PieceCounts = [u8; MAX_PIECE_TYPES];

/// Role of a piece kind in its game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The pawn, the unit of piece values.
    Pawn,
    /// Any other piece that can be captured.
    Officer,
    /// The king. Its capture would end the game.
    King,
    /// A marker on the board that does not occupy its square (the catapult).
    Marker,
}

/// A piece kind of a game: its role, letter, name and value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceType {
    /// Role of the piece kind in its game.
    pub role: Role,
    /// Upper-case FEN letter. A marker has `*`, because it is not part of the placement field.
    pub letter: char,
    /// Name in running text, such as `knight`.
    pub name: &'static str,
    /// Conventional value in centipawns. It is 0 for the king and for kinds without such a value.
    pub centipawns: i32,
}

/// Returns the numbers of pieces per kind as [`PieceCounts`]. The remaining entries are 0.
pub(crate) fn piece_counts<const KINDS: usize>(numbers: [u32; KINDS]) -> PieceCounts {
    let mut counts = PieceCounts::default();
    for (count, number) in counts.iter_mut().zip(numbers) {
        *count = number as u8;
    }
    counts
}

/// A position of one game: small, `Copy` and without history. [`Display`] writes its canonical FEN.
///
/// Two positions are equal, and have equal keys, if they are the *same position* by the rules.
/// Placement, side to move, castling rights, en-passant squares and game-specific fields count. The
/// half-move clock and the full-move number do not.
///
/// A [`Move`] is one decision of the side to move. A turn is one decision in most games, and up to
/// three in [Maxim chess](crate::maxim).
///
/// ```
/// use catapult_rules::{Chess, Outcome, Position, Standard};
///
/// let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
/// let mut position = Chess::from_fen(fen, Standard).unwrap();
/// assert!(position.outcome().is_none());
/// position.play(position.parse_san("Qxf7#").unwrap());
/// assert!(position.in_check());
/// assert_eq!(position.outcome(), Some(Outcome::Checkmate));
/// ```
pub trait Position: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// Options that a variant name selects within the game. Games without options use `()` or
    /// another zero-sized type.
    type Rules: Copy + Eq + Debug + Send + Sync + 'static;

    /// Number of files of the board, at most 26.
    const FILES: usize;

    /// Number of ranks of the board.
    const RANKS: usize;

    /// Maximum number of pieces on one square.
    const PIECES_PER_SQUARE: usize = 1;

    /// The piece kinds of this game, at most [`MAX_PIECE_TYPES`].
    const PIECES: &'static [PieceType];

    /// Returns the start position of the game under these rules.
    fn start(rules: Self::Rules) -> Self;

    /// Reads a position from a FEN.
    ///
    /// # Errors
    /// The FEN is invalid. The error names the invalid field.
    fn from_fen(fen: &str, rules: Self::Rules) -> Result<Self, FenError>;

    /// Returns the rules under which this position is played.
    fn rules(&self) -> Self::Rules;

    /// Returns the side that makes the next decision.
    fn side_to_move(&self) -> Color;

    /// Returns the half-move clock: plies since the last capture, pawn move or other reset.
    fn halfmove_clock(&self) -> u32;

    /// Returns the full-move number, as in FEN. The first move has number 1.
    fn fullmove_number(&self) -> u32;

    /// Returns the Zobrist key. Equal positions have equal keys.
    fn key(&self) -> u64;

    /// Returns true if the side to move is in check.
    fn in_check(&self) -> bool;

    /// Appends the legal moves to `moves`. The order of the moves is always the same for one
    /// position.
    fn legal_moves_into(&self, moves: &mut MoveList);

    /// Returns the legal moves, in the order of [`Position::legal_moves_into`].
    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Calls `visit` with each legal move and the position after it.
    ///
    /// This is faster than playing the moves of a list. The order of the moves may differ from the
    /// list's order.
    fn for_each_successor(&self, mut visit: impl FnMut(Move, &Self)) {
        for mv in self.legal_moves() {
            let mut after = *self;
            after.play(mv);
            visit(mv, &after);
        }
    }

    /// Returns the number of legal moves.
    fn count_legal_moves(&self) -> usize {
        self.legal_moves().len()
    }

    /// Returns true if the position has a legal move.
    fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Returns true if the move is legal in this position.
    fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Plays a legal move. An illegal move leaves an unspecified position, without a panic.
    fn play(&mut self, mv: Move);

    /// Returns true if the game's rules list this position as dead, which is a draw. A game without
    /// such a list always returns false.
    fn is_dead(&self) -> bool {
        false
    }

    /// Returns the outcome that follows from the position alone, or `None` if the game continues.
    ///
    /// The outcomes are tested in this order: checkmate, stalemate, dead position and fifty-move
    /// rule. Repetition needs the history: see [`Game::outcome`](crate::Game::outcome).
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
        (self.halfmove_clock() >= self.fifty_move_plies()).then_some(Outcome::HundredPlies)
    }

    /// Returns the half-move clock at which the fifty-move rule ends a game, in plies.
    fn fifty_move_plies(&self) -> u32 {
        100
    }

    /// Returns true if the next decision starts a turn. Within a turn, [`Position::outcome`] is
    /// `None`, and repetition does not count.
    fn is_turn_start(&self) -> bool {
        true
    }

    /// Returns the legal decision that ends a turn of several decisions early. Returns `None` at
    /// the start of a turn and if the turn must continue.
    fn turn_end(&self) -> Option<Move> {
        None
    }

    /// Returns true if no position before the last move can occur again. [`Game`](crate::Game) then
    /// discards the keys of those positions. By default, this is true if the half-move clock is 0.
    /// A game whose clock is 0 although earlier positions can recur must override this method.
    fn forgets_history(&self) -> bool {
        self.halfmove_clock() == 0
    }

    /// Returns a function that tests whether a legal move is of this kind. Returns `None` if the
    /// rules have no moves of this kind.
    fn is_of_kind(_rules: Self::Rules, _kind: ForbiddenKind) -> Option<fn(&Self, Move) -> bool> {
        None
    }

    /// Returns the text of a legal move, such as `e2e4`. No other legal move of the position has
    /// this text.
    fn move_text(&self, mv: Move) -> String;

    /// Finds the legal move with this text.
    ///
    /// # Errors
    /// The text is not a legal move of this position.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let found = self.legal_moves().into_iter().find(|mv| self.move_text(*mv) == text);
        found.ok_or_else(|| MoveError {
            text: text.to_owned(),
            reason: "not a legal move of this position".to_owned(),
        })
    }

    /// Returns the algebraic notation of a legal move, as in PGN files. Games without algebraic
    /// notation use [`Position::move_text`].
    fn san(&self, mv: Move) -> String {
        self.move_text(mv)
    }

    /// Finds the legal move with this algebraic notation.
    ///
    /// # Errors
    /// The text is not a legal move of this position, or several legal moves match the text.
    fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_move(text)
    }

    /// Returns a side's number of pieces per kind, in the order of [`Position::PIECES`].
    fn count_pieces(&self, side: Color) -> PieceCounts;

    /// Returns the total value of a side's pieces in centipawns.
    fn material(&self, side: Color) -> i32 {
        let counts = self.count_pieces(side);
        Self::PIECES.iter().zip(counts).map(|(piece, count)| piece.centipawns * i32::from(count)).sum()
    }
}
