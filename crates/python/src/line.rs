//! A game that can be taken back, whatever game it is.

use crate::encode;
use crate::moves::{Given, Move, Source, source};
use catapult_encoding::{Encode, Layout};
use catapult_rules::{
    Color, Drawn, Game, Move as Bits, MoveError, MoveList, Outcome, PieceCounts, PieceType, Shown,
};
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

/// A start, the moves since, and every position between: what [`Game`] has, with a way back.
#[derive(Clone)]
pub(crate) struct Line<P> {
    /// From the start to the current one.
    positions: Vec<P>,
    moves: Vec<Bits>,
    /// For each position the number of the first that may recur after it.
    since: Vec<u32>,
}

impl<P: Encode> Line<P> {
    /// A game that begins with this position.
    pub(crate) fn new(start: P) -> Line<P> {
        Line { positions: vec![start], moves: Vec::new(), since: vec![0] }
    }

    /// The game that was played so.
    pub(crate) fn of_game(game: &Game<P>) -> Line<P> {
        let mut line = Line::new(*game.start());
        game.moves().iter().for_each(|mv| line.play(*mv));
        line
    }

    /// The current position.
    pub(crate) fn position(&self) -> &P {
        // There is always a start.
        &self.positions[self.positions.len() - 1]
    }

    /// How often the current position has occurred before.
    pub(crate) fn repetitions(&self) -> usize {
        let last = self.positions.len() - 1;
        let key = self.positions[last].key();
        self.positions[self.since[last] as usize..last].iter().filter(|earlier| earlier.key() == key).count()
    }

    /// The game as searches and files take it.
    pub(crate) fn game(&self) -> Game<P> {
        let mut game = Game::new(self.positions[0]);
        self.moves.iter().for_each(|mv| game.push(*mv));
        game
    }

    fn play(&mut self, mv: Bits) {
        let mut position = *self.position();
        position.play(mv);
        let number = self.positions.len() as u32;
        let since = if position.forgets_history() { number } else { self.since[self.since.len() - 1] };
        self.positions.push(position);
        self.since.push(since);
        self.moves.push(mv);
    }
}

thread_local! {
    static MOVES: RefCell<Box<MoveList>> = RefCell::default();
}

/// Hands over the legal moves of a position, in a list that a thread uses again and again: it is 16 KiB large.
pub(crate) fn with_moves<P: Encode, T>(position: &P, visit: impl FnOnce(&[Bits]) -> T) -> T {
    MOVES.with(|moves| match moves.try_borrow_mut() {
        Ok(mut moves) => {
            moves.clear();
            position.legal_moves_into(&mut moves);
            visit(&moves)
        }
        // Asked for within `visit`.
        Err(_) => visit(&position.legal_moves()),
    })
}

/// What a board asks of its game.
pub trait AnyLine: Send + Sync {
    /// For whoever knows which game it is.
    fn as_any(&self) -> &dyn Any;
    /// A copy; without the moves it begins here.
    fn copied(&self, stack: bool) -> Box<dyn AnyLine>;
    /// The shapes of its encoding.
    fn layout(&self) -> &'static Layout;
    /// The kinds of pieces.
    fn kinds(&self) -> &'static [PieceType];
    /// Whether two pieces may share a square.
    fn stacks(&self) -> bool;
    /// The current position's FEN.
    fn fen(&self) -> String;
    /// That of the start.
    fn start_fen(&self) -> String;
    /// Key of what makes positions the same.
    fn key(&self) -> u64;
    /// Whether it is the same position as that of another game, counters included.
    fn same(&self, other: &dyn AnyLine) -> bool;
    /// Who decides next.
    fn turn(&self) -> Color;
    /// Whether a turn starts here.
    fn is_turn_start(&self) -> bool;
    /// Half-move clock and number of the full move.
    fn counters(&self) -> [u32; 2];
    /// Plies from move 1 to here, by the start's own count.
    fn ply(&self) -> usize;
    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
    /// How the game has ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// How often the position has occurred before.
    fn repeated(&self) -> usize;
    /// Hands over the legal moves; lists of them are too large to be passed around.
    fn with_legal(&self, visit: &mut dyn FnMut(&[Bits]));
    /// What tells the texts of the position's moves.
    fn source(&self) -> Arc<dyn Source>;
    /// How many there are.
    fn count_legal(&self) -> usize;
    /// The legal move that is meant.
    fn find(&self, given: &Given<'_>) -> Result<Bits, MoveError>;
    /// The same in algebraic notation.
    fn find_san(&self, text: &str) -> Result<Bits, MoveError>;
    /// A legal move in algebraic notation.
    fn san(&self, mv: Bits) -> String;
    /// Plays a legal move.
    fn push(&mut self, mv: Bits);
    /// Takes one back.
    fn pop(&mut self) -> Option<Move>;
    /// The moves played.
    fn history(&self) -> Vec<Move>;
    /// The same in algebraic notation.
    fn history_san(&self) -> Vec<String>;
    /// What is drawn on a square.
    fn shown(&self, square: usize) -> Shown;
    /// Pieces of a side by kind.
    fn pieces(&self, side: Color) -> PieceCounts;
    /// Whether a legal move takes something.
    fn is_capture(&self, mv: Bits) -> bool;
    /// Whether it gives check.
    fn gives_check(&self, mv: Bits) -> bool;
    /// Writes planes and globals as one array: see [`encode::observe`].
    fn observe(&self, out: &mut [f32]);
    /// Policy index of a legal move: plane, square, destination.
    fn policy(&self, mv: Bits) -> [u16; 3];
    /// Leaves of the tree of legal moves.
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

    fn stacks(&self) -> bool {
        P::PIECES_PER_SQUARE > 1
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

    fn repeated(&self) -> usize {
        self.repetitions()
    }

    fn with_legal(&self, visit: &mut dyn FnMut(&[Bits])) {
        with_moves(self.position(), |moves| visit(moves));
    }

    fn source(&self) -> Arc<dyn Source> {
        source(self.position())
    }

    fn count_legal(&self) -> usize {
        self.position().count_legal_moves()
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
        self.play(mv);
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
        // What becomes another kind is its owner's own: of the other side's pieces numbers only fall.
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

    fn policy(&self, mv: Bits) -> [u16; 3] {
        let index = self.position().policy_index(mv, false);
        [index.plane, index.square, index.to]
    }

    fn perft(&self, depth: u32) -> u64 {
        catapult_rules::perft(self.position(), depth)
    }
}
