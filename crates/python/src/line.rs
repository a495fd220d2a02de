//! Moves and positions of a game on a board, behind one interface for all variants.

use crate::encode;
use crate::moves::{Given, Move, Source, source};
use catapult_encoding::{Encode, Layout};
use catapult_rules::{
    Color, Drawn, Game, Move as Bits, MoveError, MoveList, Outcome, PieceCounts, PieceType, Shown,
};
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

/// Start, moves and positions of a game. Unlike [`Game`], a line can undo moves.
#[derive(Clone)]
pub(crate) struct Line<P> {
    /// All positions, from the start to the current one.
    positions: Vec<P>,
    moves: Vec<Bits>,
    /// For each position, the index of the earliest position that it can repeat.
    since: Vec<u32>,
}

impl<P: Encode + Drawn> Line<P> {
    /// Creates a line that starts with this position and has no moves.
    pub(crate) fn new(start: P) -> Line<P> {
        Line { positions: vec![start], moves: Vec::new(), since: vec![0] }
    }

    /// Creates a line with the start and the moves of a game.
    pub(crate) fn of_game(game: &Game<P>) -> Line<P> {
        let mut line = Line::new(*game.start());
        game.moves().iter().for_each(|mv| line.push(*mv));
        line
    }

    /// Returns the current position.
    pub(crate) fn position(&self) -> &P {
        // `positions` always contains the start.
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the line as a [`Game`], for searches and files.
    pub(crate) fn game(&self) -> Game<P> {
        let mut game = Game::new(self.positions[0]);
        self.moves.iter().for_each(|mv| game.push(*mv));
        game
    }
}

thread_local! {
    static MOVES: RefCell<Box<MoveList>> = RefCell::default();
}

/// Calls `visit` with the legal moves of a position. Each thread reuses one list of 16 KiB.
pub(crate) fn with_moves<P: Encode, T>(position: &P, visit: impl FnOnce(&[Bits]) -> T) -> T {
    MOVES.with(|moves| match moves.try_borrow_mut() {
        Ok(mut moves) => {
            moves.clear();
            position.legal_moves_into(&mut moves);
            visit(&moves)
        }
        // `visit` itself called this function.
        Err(_) => visit(&position.legal_moves()),
    })
}

/// Interface of [`Line`] that does not depend on the position type of a variant.
pub(crate) trait AnyLine: Send + Sync {
    /// Returns `self`, so that callers can downcast it to the `Line` of its position type.
    fn as_any(&self) -> &dyn Any;
    /// Returns a copy. Without `stack`, the copy starts at the current position and has no moves.
    fn copied(&self, stack: bool) -> Box<dyn AnyLine>;
    /// Returns the layout of the game's encoding.
    fn layout(&self) -> &'static Layout;
    /// Returns the game's kinds of pieces.
    fn kinds(&self) -> &'static [PieceType];
    /// Returns the maximum number of pieces on a square.
    fn pieces_per_square(&self) -> usize;
    /// Returns the FEN of the current position.
    fn fen(&self) -> String;
    /// Returns the FEN of the first position.
    fn start_fen(&self) -> String;
    /// Returns the key of the current position. Equal positions have equal keys.
    fn key(&self) -> u64;
    /// Returns true if both lines have the same current position, including the half-move clock and
    /// the full-move number.
    fn same(&self, other: &dyn AnyLine) -> bool;
    /// Returns the side that makes the next decision.
    fn turn(&self) -> Color;
    /// Returns true if a turn starts with the next decision.
    fn is_turn_start(&self) -> bool;
    /// Returns the half-move clock and the full-move number.
    fn counters(&self) -> [u32; 2];
    /// Returns the number of plies since White's first move. The plies before the first position
    /// are computed from its full-move number.
    fn ply(&self) -> usize;
    /// Returns true if the side to move is in check.
    fn in_check(&self) -> bool;
    /// Returns the outcome. Returns `None` if the game has not ended.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns how often the current position has occurred before.
    fn repetitions(&self) -> usize;
    /// Calls `visit` with the legal moves. They are not returned, because their list is large.
    fn with_legal(&self, visit: &mut dyn FnMut(&[Bits]));
    /// Returns the current position as a [`Source`], which gives the texts of its legal moves.
    fn source(&self) -> Arc<dyn Source>;
    /// Returns the legal move that an argument describes.
    ///
    /// # Errors
    /// The argument describes no legal move.
    fn find(&self, given: &Given<'_>) -> Result<Bits, MoveError>;
    /// Returns the legal move with this algebraic notation.
    ///
    /// # Errors
    /// No legal move has this notation.
    fn find_san(&self, text: &str) -> Result<Bits, MoveError>;
    /// Returns the algebraic notation of a legal move.
    fn san(&self, mv: Bits) -> String;
    /// Plays a legal move. The caller has checked that it is legal.
    fn push(&mut self, mv: Bits);
    /// Undoes the last move and returns it. Returns `None` if there is no move.
    fn pop(&mut self) -> Option<Move>;
    /// Returns the moves of the line, the first move first.
    fn history(&self) -> Vec<Move>;
    /// Returns the moves of the line in algebraic notation.
    fn history_san(&self) -> Vec<String>;
    /// Returns the symbols to draw on the square with this index.
    fn shown(&self, square: usize) -> Shown;
    /// Returns the number of a side's pieces, by kind.
    fn pieces(&self, side: Color) -> PieceCounts;
    /// Returns true if a legal move captures a piece or catapults of the opponent.
    fn is_capture(&self, mv: Bits) -> bool;
    /// Returns true if a legal move gives check.
    fn gives_check(&self, mv: Bits) -> bool;
    /// Writes the observation of the current position. See [`encode::observe`].
    fn observe(&self, out: &mut [f32]);
    /// Returns the action of a legal move. See [`encode::action`].
    fn action(&self, mv: Bits) -> u32;
    /// Returns the number of sequences of `depth` legal moves.
    fn perft(&self, depth: u32) -> u64;
}

impl<P: Encode + Drawn> AnyLine for Line<P> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copied(&self, stack: bool) -> Box<dyn AnyLine> {
        Box::new(if stack { self.clone() } else { Line::new(*self.position()) })
    }

    fn layout(&self) -> &'static Layout {
        &P::LAYOUT
    }

    fn kinds(&self) -> &'static [PieceType] {
        P::PIECES
    }

    fn pieces_per_square(&self) -> usize {
        P::PIECES_PER_SQUARE
    }

    fn fen(&self) -> String {
        self.position().to_string()
    }

    fn start_fen(&self) -> String {
        self.positions[0].to_string()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn same(&self, other: &dyn AnyLine) -> bool {
        other.as_any().downcast_ref::<Line<P>>().is_some_and(|other| {
            self.position() == other.position() && self.counters() == AnyLine::counters(other)
        })
    }

    fn turn(&self) -> Color {
        self.position().side_to_move()
    }

    fn is_turn_start(&self) -> bool {
        self.position().is_turn_start()
    }

    fn counters(&self) -> [u32; 2] {
        [self.position().halfmove_clock(), self.position().fullmove_number()]
    }

    fn ply(&self) -> usize {
        let start = &self.positions[0];
        let before = 2 * (start.fullmove_number().max(1) as usize - 1);
        before + usize::from(start.side_to_move() == Color::Black) + self.moves.len()
    }

    fn in_check(&self) -> bool {
        self.position().in_check()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().outcome().or_else(|| {
            (self.position().is_turn_start() && self.repetitions() >= 2).then_some(Outcome::Repetition)
        })
    }

    fn repetitions(&self) -> usize {
        let last = self.positions.len() - 1;
        let key = self.positions[last].key();
        self.positions[self.since[last] as usize..last].iter().filter(|earlier| earlier.key() == key).count()
    }

    fn with_legal(&self, visit: &mut dyn FnMut(&[Bits])) {
        with_moves(self.position(), |moves| visit(moves));
    }

    fn source(&self) -> Arc<dyn Source> {
        source(self.position())
    }

    fn find(&self, given: &Given<'_>) -> Result<Bits, MoveError> {
        let position = self.position();
        match given.bits::<P>() {
            Some(mv) if position.is_legal(mv) => Ok(mv),
            _ => position.parse_move(&given.text()),
        }
    }

    fn find_san(&self, text: &str) -> Result<Bits, MoveError> {
        self.position().parse_san(text)
    }

    fn san(&self, mv: Bits) -> String {
        self.position().san(mv)
    }

    fn push(&mut self, mv: Bits) {
        let mut position = *self.position();
        position.play(mv);
        let number = self.positions.len() as u32;
        let since = if position.forgets_history() { number } else { self.since[self.since.len() - 1] };
        self.positions.push(position);
        self.since.push(since);
        self.moves.push(mv);
    }

    fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.since.pop();
        Some(Move::of(mv, self.position()))
    }

    fn history(&self) -> Vec<Move> {
        self.moves.iter().zip(&self.positions).map(|(mv, position)| Move::of(*mv, position)).collect()
    }

    fn history_san(&self) -> Vec<String> {
        self.moves.iter().zip(&self.positions).map(|(mv, position)| position.san(*mv)).collect()
    }

    fn shown(&self, square: usize) -> Shown {
        self.position().shown(square % P::FILES, square / P::FILES)
    }

    fn pieces(&self, side: Color) -> PieceCounts {
        self.position().count_pieces(side)
    }

    fn is_capture(&self, mv: Bits) -> bool {
        let mut after = *self.position();
        let other = !after.side_to_move();
        let before = after.count_pieces(other);
        after.play(mv);
        // Only the mover's own pieces change their kind, so the other side's counts can only fall.
        after.count_pieces(other).iter().zip(before).any(|(after, before)| *after < before)
    }

    fn gives_check(&self, mv: Bits) -> bool {
        let mut after = *self.position();
        let mover = after.side_to_move();
        after.play(mv);
        after.side_to_move() != mover && after.in_check()
    }

    fn observe(&self, out: &mut [f32]) {
        let repetitions = self.repetitions().min(255) as u8;
        encode::observe(self.position(), repetitions, &mut encode::Scratch::new::<P>(), out);
    }

    fn action(&self, mv: Bits) -> u32 {
        encode::action(self.position(), mv)
    }

    fn perft(&self, depth: u32) -> u64 {
        catapult_rules::perft(self.position(), depth)
    }
}
