//! Games of any variant behind one object-safe interface.

use crate::fen::with_counters;
use crate::{
    Color, Describe, FenError, Game, Move, MoveError, MoveList, Outcome, PgnGame, PgnResult, PieceCounts,
    PieceType, Position, ReplayError, Shown, Variant, write_pgn,
};
use std::any::Any;
use std::fmt::Debug;
use std::io;

/// A game of any variant: a start position, the moves played, and the current position.
///
/// [`Variant::start`] and [`Variant::game`] create it. Front ends use it, so that they need not be
/// compiled for each game. Search and training use [`Position`] and [`Game`], which are faster.
///
/// ```
/// use catapult_rules::{Outcome, Variant};
///
/// let variant: Variant = "chesspp".parse()?;
/// let mut game = variant.start();
/// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     let mv = game.parse_move(text)?;
///     game.push(mv);
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Checkmate));
/// game.pop();
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyGame: Any + Debug + Send + Sync {
    /// Returns the variant.
    fn variant(&self) -> Variant;

    /// Describes the variant's special rules in one or two sentences, for readers who know chess.
    fn about(&self) -> &'static str;

    /// Returns the number of files of the board.
    fn files(&self) -> usize;

    /// Returns the number of ranks of the board.
    fn ranks(&self) -> usize;

    /// Returns the maximum number of pieces on one square.
    fn pieces_per_square(&self) -> usize;

    /// Returns the piece kinds of the game.
    fn pieces(&self) -> &'static [PieceType];

    /// Returns a side's number of pieces per kind, in the order of [`AnyGame::pieces`].
    fn count_pieces(&self, side: Color) -> PieceCounts;

    /// Returns the symbols to draw on the square with this index, `rank * files + file`.
    fn shown(&self, square: usize) -> Shown;

    /// Returns a line that explains the symbols of a drawing, or `None` if none is needed.
    fn legend(&self) -> Option<&'static str>;

    /// Returns the FEN of the start position.
    fn start_fen(&self) -> String;

    /// Returns the FEN of the current position.
    fn fen(&self) -> String;

    /// Returns the Zobrist key of the current position. Equal positions have equal keys.
    fn key(&self) -> u64;

    /// Returns the side that makes the next decision.
    fn side_to_move(&self) -> Color;

    /// Returns true if the next decision starts a turn.
    fn is_turn_start(&self) -> bool;

    /// Returns true if the side to move is in check.
    fn in_check(&self) -> bool;

    /// Returns the half-move clock.
    fn halfmove_clock(&self) -> u32;

    /// Returns the full-move number, as in FEN.
    fn fullmove_number(&self) -> u32;

    /// Returns the number of earlier positions of the game that equal the current position.
    fn repetitions(&self) -> usize;

    /// Returns the outcome by the rules, or `None` if the game is not over. See [`Game::outcome`].
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves to `moves`, in the order of
    /// [`Position::legal_moves_into`].
    fn legal_moves_into(&self, moves: &mut MoveList);

    /// Returns the legal moves.
    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Returns true if the move is legal in the current position.
    fn is_legal(&self, mv: Move) -> bool;

    /// Returns the text of a legal move, such as `e2e4`.
    fn move_text(&self, mv: Move) -> String;

    /// Finds the legal move with this text.
    ///
    /// # Errors
    /// The text is not a legal move of the current position.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError>;

    /// Returns the algebraic notation of a legal move.
    fn san(&self, mv: Move) -> String;

    /// Finds the legal move with this algebraic notation.
    ///
    /// # Errors
    /// The text is not a legal move of the current position, or several legal moves match it.
    fn parse_san(&self, text: &str) -> Result<Move, MoveError>;

    /// Returns the moves played, in order.
    fn moves(&self) -> &[Move];

    /// Plays a legal move.
    fn push(&mut self, mv: Move);

    /// Undoes the last move and returns it. Returns `None` at the start of the game.
    fn pop(&mut self) -> Option<Move>;

    /// Returns a copy of the game.
    fn copied(&self) -> Box<dyn AnyGame>;

    /// Returns a game that starts at the current position and has no moves.
    fn forked(&self) -> Box<dyn AnyGame>;

    /// Returns a game that starts where this one starts and has no moves.
    fn rewound(&self) -> Box<dyn AnyGame>;

    /// Returns the number of leaves below each legal move, at `depth` plies from the current
    /// position. See [`divide`](crate::divide).
    fn divide(&self, depth: u32) -> Vec<(Move, u64)>;

    /// Returns the number of leaves at `depth` plies from the current position. See
    /// [`perft`](crate::perft).
    fn perft(&self, depth: u32) -> u64;

    /// Returns the game as PGN, with `comments[i]` after move `i`. Comments may be empty or
    /// missing. `None` for `result` means the current position's result.
    ///
    /// # Errors
    /// A tag's name is invalid. See [`write_pgn`](crate::write_pgn).
    fn pgn(
        &self,
        tags: &[(String, String)],
        comments: &[String],
        result: Option<PgnResult>,
    ) -> io::Result<String>;
}

impl dyn AnyGame {
    /// Returns the game with its position type. Returns `None` if the variant has another position
    /// type.
    pub fn line<P: Describe>(&self) -> Option<&Line<P>> {
        (self as &dyn Any).downcast_ref()
    }

    /// Returns the game after a legal move. It starts at the current position and has only this
    /// move.
    pub fn after(&self, mv: Move) -> Box<dyn AnyGame> {
        let mut after = self.forked();
        after.push(mv);
        after
    }
}

/// The game behind an [`AnyGame`], with the position type of its variant. Unlike a [`Game`], it can
/// undo moves.
#[derive(Clone, Debug)]
pub struct Line<P> {
    variant: Variant,
    /// All positions, from the start to the current one.
    positions: Vec<P>,
    moves: Vec<Move>,
    /// For each position, the index of the earliest position that it can repeat.
    since: Vec<u32>,
}

impl<P: Describe> Line<P> {
    /// Creates a game that starts with this position. `variant` must have the position type `P` and
    /// the rules of `start`.
    pub fn new(variant: Variant, start: P) -> Line<P> {
        Line { variant, positions: vec![start], moves: Vec::new(), since: vec![0] }
    }

    /// Creates a game with the start and the moves of `game`.
    pub fn of(variant: Variant, game: &Game<P>) -> Line<P> {
        let mut line = Line::new(variant, *game.start());
        game.moves().iter().for_each(|mv| line.push(*mv));
        line
    }

    /// Returns the current position.
    pub fn position(&self) -> &P {
        // `positions` always contains the start.
        &self.positions[self.positions.len() - 1]
    }

    /// Returns the game as a [`Game`], for searches.
    pub fn game(&self) -> Game<P> {
        let mut game = Game::new(self.positions[0]);
        self.moves.iter().for_each(|mv| game.push(*mv));
        game
    }
}

/// Implements methods that return the result of the method of the same name of the current
/// position.
macro_rules! of_position {
    ($($name:ident($($argument:ident: $type:ty)?) $(-> $result:ty)?;)*) => {$(
        fn $name(&self $(, $argument: $type)?) $(-> $result)? {
            self.position().$name($($argument)?)
        }
    )*};
}

impl<P: Describe> AnyGame for Line<P> {
    of_position! {
        count_pieces(side: Color) -> PieceCounts;
        legend() -> Option<&'static str>;
        key() -> u64;
        side_to_move() -> Color;
        is_turn_start() -> bool;
        in_check() -> bool;
        halfmove_clock() -> u32;
        fullmove_number() -> u32;
        legal_moves_into(moves: &mut MoveList);
        is_legal(mv: Move) -> bool;
        move_text(mv: Move) -> String;
        parse_move(text: &str) -> Result<Move, MoveError>;
        san(mv: Move) -> String;
        parse_san(text: &str) -> Result<Move, MoveError>;
    }

    fn variant(&self) -> Variant {
        self.variant
    }

    fn about(&self) -> &'static str {
        P::about(self.position().rules())
    }

    fn files(&self) -> usize {
        P::FILES
    }

    fn ranks(&self) -> usize {
        P::RANKS
    }

    fn pieces_per_square(&self) -> usize {
        P::PIECES_PER_SQUARE
    }

    fn pieces(&self) -> &'static [PieceType] {
        P::PIECES
    }

    fn shown(&self, square: usize) -> Shown {
        self.position().shown(square % P::FILES, square / P::FILES)
    }

    fn start_fen(&self) -> String {
        self.positions[0].to_string()
    }

    fn fen(&self) -> String {
        self.position().to_string()
    }

    fn repetitions(&self) -> usize {
        let last = self.positions.len() - 1;
        let key = self.positions[last].key();
        self.positions[self.since[last] as usize..last].iter().filter(|earlier| earlier.key() == key).count()
    }

    fn outcome(&self) -> Option<Outcome> {
        crate::game::outcome(self.position(), || self.repetitions())
    }

    fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn push(&mut self, mv: Move) {
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
        Some(mv)
    }

    fn copied(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn forked(&self) -> Box<dyn AnyGame> {
        Box::new(Line::new(self.variant, *self.position()))
    }

    fn rewound(&self) -> Box<dyn AnyGame> {
        Box::new(Line::new(self.variant, self.positions[0]))
    }

    fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        crate::divide(self.position(), depth)
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::perft(self.position(), depth)
    }

    fn pgn(
        &self,
        tags: &[(String, String)],
        comments: &[String],
        result: Option<PgnResult>,
    ) -> io::Result<String> {
        let game = self.game();
        let result = result.unwrap_or_else(|| PgnResult::of(&game));
        let mut out = Vec::new();
        write_pgn(&mut out, self.variant, tags, &game, comments, result)?;
        // The writer writes text only.
        Ok(String::from_utf8_lossy(&out).into_owned())
    }
}

impl Variant {
    /// Returns a new game from the start position.
    pub fn start(self) -> Box<dyn AnyGame> {
        with_variant!(self, |P, rules| Box::new(Line::new(self, P::start(rules))))
    }

    /// Returns a new game from a FEN, or from the start position without a FEN. A FEN of four fields
    /// (without counters and what follows them) gets the counters `0 1`.
    ///
    /// # Errors
    /// The FEN is invalid. The error names the invalid field.
    pub fn game(self, fen: Option<&str>) -> Result<Box<dyn AnyGame>, FenError> {
        let Some(fen) = fen else { return Ok(self.start()) };
        let fen = with_counters(fen);
        with_variant!(self, |P, rules| Ok(Box::new(Line::new(self, P::from_fen(&fen, rules)?))))
    }
}

impl PgnGame {
    /// Replays the game like [`PgnGame::replay`], under the rules of `variant`.
    ///
    /// # Errors
    /// As [`PgnGame::replay`]. After an illegal move, the error includes the game up to this move.
    #[allow(clippy::type_complexity)] // The type of `replay`, with another game.
    pub fn replay_any(
        &self,
        variant: Variant,
    ) -> Result<Box<dyn AnyGame>, (Option<Box<dyn AnyGame>>, ReplayError)> {
        with_variant!(variant, |P, rules| {
            let boxed = |game: Game<P>| -> Box<dyn AnyGame> { Box::new(Line::of(variant, &game)) };
            self.replay(rules).map(boxed).map_err(|(game, error)| (game.map(boxed), error))
        })
    }
}
