//! Board of a game, with an interface like the boards of the package python-chess.

use crate::encode;
use crate::errors::{value_error, variant, whole};
use crate::judge::{Raised, Signals, raised_or};
use crate::line::{history, position, with_legal};
use crate::moves::{Given, LegalMoves, Move};
use catapult_encoding::{input_names, inputs, layout};
use catapult_rules::{AnyGame, Color, Move as Bits, Outcome as End, Role, Variant};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A position with the moves that led to it: `Board(variant="chess", fen=None)`.
///
/// Raises ValueError if the variant is unknown or the FEN is invalid.
#[pyclass(module = "catapult", name = "Board", weakref)]
pub struct Board {
    pub(crate) variant: Variant,
    /// Moves and positions of the game.
    pub(crate) line: Box<dyn AnyGame>,
}

/// A piece on a square.
///
/// - `symbol`: the FEN letter, a capital for White
/// - `color`: the piece's side (True for White)
/// - `name`: the name of its kind
#[pyclass(frozen, eq, hash, get_all, module = "catapult")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Piece {
    symbol: String,
    color: bool,
    name: &'static str,
}

#[pymethods]
impl Piece {
    fn __repr__(&self) -> String {
        format!("Piece({:?})", self.symbol)
    }

    fn __str__(&self) -> &str {
        &self.symbol
    }
}

/// A catapult or portal, which lies below the pieces of a square.
///
/// - `kind`: "catapult" or "portal"
/// - `color`: the side to which it belongs (True for White)
/// - `fresh`: True for a catapult that can still make its first move, always False for a portal
#[pyclass(frozen, eq, hash, get_all, module = "catapult")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Floor {
    kind: &'static str,
    color: bool,
    fresh: bool,
}

#[pymethods]
impl Floor {
    fn __repr__(&self) -> String {
        let color = if self.color { "White" } else { "Black" };
        format!("Floor({}'s {}{})", color, if self.fresh { "fresh " } else { "" }, self.kind)
    }
}

/// Outcome of a game that has ended.
///
/// - `termination`: "checkmate", "stalemate", "dead", "hundred-plies" (the fifty-move rule, or the
///   limit of `+fifty`) or "repetition"
/// - `winner`: True for White, False for Black, None for a draw
#[pyclass(frozen, eq, hash, get_all, module = "catapult")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Outcome {
    termination: &'static str,
    winner: Option<bool>,
}

#[pymethods]
impl Outcome {
    /// Returns the result in PGN: "1-0", "0-1" or "1/2-1/2".
    fn result(&self) -> &'static str {
        match self.winner {
            Some(true) => "1-0",
            Some(false) => "0-1",
            None => "1/2-1/2",
        }
    }

    fn __repr__(&self) -> String {
        let winner = self.winner.map_or("None", |white| if white { "True" } else { "False" });
        format!("Outcome(termination={:?}, winner={winner})", self.termination)
    }
}

/// Square as an argument of a method, given by its index or by its name.
#[derive(FromPyObject)]
enum Place {
    #[pyo3(transparent, annotation = "int")]
    Index(i128),
    #[pyo3(transparent, annotation = "str")]
    Name(String),
}

pub(crate) fn is_white(side: Color) -> bool {
    side == Color::White
}

fn begin(variant: Variant, fen: Option<&str>) -> PyResult<Box<dyn AnyGame>> {
    variant.game(fen).map_err(value_error)
}

impl Board {
    fn find(&self, given: &Given<'_>) -> PyResult<Bits> {
        given.find(&*self.line).map_err(value_error)
    }

    fn object(&self, mv: Bits) -> Move {
        Move::new(mv, &position(&*self.line))
    }

    fn actions(&self) -> Vec<i64> {
        let all = with_legal(&*self.line, |moves| encode::actions_of(&*self.line, moves));
        all.into_iter().map(i64::from).collect()
    }

    fn counters(&self) -> [u32; 2] {
        [self.line.halfmove_clock(), self.line.fullmove_number()]
    }

    fn square(&self, place: &Place) -> PyResult<usize> {
        let layout = layout(self.variant);
        let last = layout.squares() - 1;
        let name_of_last = square_name(last, layout.files);
        match place {
            Place::Index(index) => {
                let found = usize::try_from(*index).ok().filter(|found| *found <= last);
                found.ok_or_else(|| {
                    value_error(format!("square {index}: the board has 0 (a1) to {last} ({name_of_last})"))
                })
            }
            Place::Name(name) => (0..=last)
                .find(|index| square_name(*index, layout.files) == *name)
                .ok_or_else(|| value_error(format!("square {name:?}: the board has a1 to {name_of_last}"))),
        }
    }

    fn pieces_on(&self, square: usize) -> Vec<Piece> {
        let piece = |symbol: char| Piece {
            symbol: symbol.to_string(),
            color: symbol.is_ascii_uppercase(),
            name: self.name_of(symbol),
        };
        self.line.shown(square).pieces.chars().map(piece).collect()
    }

    fn name_of(&self, symbol: char) -> &'static str {
        let upper = symbol.to_ascii_uppercase();
        self.line.pieces().iter().find(|kind| kind.letter == upper).map_or("", |kind| kind.name)
    }

    fn floor_of(&self, square: usize) -> Option<Floor> {
        let (owner, [sign, _]) = self.line.shown(square).frame?;
        let has_catapults = self.line.pieces().iter().any(|kind| kind.role == Role::Marker);
        Some(Floor {
            kind: if has_catapults { "catapult" } else { "portal" },
            color: is_white(owner),
            // The signs that mark the first move in text drawings.
            fresh: has_catapults && matches!(sign, '{' | '<'),
        })
    }
}

/// Largest depth that is counted without checks for signals. It takes much less than a second.
const UNINTERRUPTED: u32 = 3;

/// Returns the number of leaves of the tree of legal moves that is `depth` plies deep. Fails if a
/// signal interrupts it or the number is too large. The error is a message.
fn leaves(game: &mut dyn AnyGame, depth: u32, signals: &mut Signals) -> Result<u64, String> {
    if signals.look() {
        return Err("interrupted".to_owned());
    }
    if depth <= UNINTERRUPTED {
        return Ok(game.perft(depth));
    }
    let mut total: u64 = 0;
    for mv in with_legal(game, |moves| moves.to_vec()) {
        game.push(mv);
        let below = leaves(game, depth - 1, signals);
        game.pop();
        total = total.checked_add(below?).ok_or("the number of sequences exceeds 64 bits")?;
    }
    Ok(total)
}

/// Returns the name of a square: the letter of its file and the number of its rank.
fn square_name(index: usize, files: usize) -> String {
    format!("{}{}", char::from(b'a' + (index % files) as u8), index / files + 1)
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (variant = "chess", fen = None))]
    fn py_new(variant: &str, fen: Option<&str>) -> PyResult<Board> {
        let variant = crate::errors::variant(variant)?;
        Ok(Board { variant, line: begin(variant, fen)? })
    }

    /// Name of the variant, such as "chesspp+instant".
    #[getter]
    fn variant(&self) -> String {
        self.variant.to_string()
    }

    /// Number of files of the board.
    #[getter]
    fn files(&self) -> usize {
        self.line.files()
    }

    /// Number of ranks of the board.
    #[getter]
    fn ranks(&self) -> usize {
        self.line.ranks()
    }

    /// Names of the kinds of pieces, by FEN letter. Catapults have the letter "*".
    #[getter]
    fn piece_names(&self) -> BTreeMap<char, &'static str> {
        self.line.pieces().iter().map(|kind| (kind.letter, kind.name)).collect()
    }

    /// Side that makes the next decision: True for White, False for Black.
    #[getter]
    fn turn(&self) -> bool {
        is_white(self.line.side_to_move())
    }

    /// True if a turn starts with the next decision. In Maxim chess, a turn has up to three
    /// decisions: the move, then two portals.
    #[getter]
    fn is_turn_start(&self) -> bool {
        self.line.is_turn_start()
    }

    /// Half-move clock: number of plies since the last move that resets it, such as a capture or a
    /// pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.line.halfmove_clock()
    }

    /// Number of the current full move, from 1.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.line.fullmove_number()
    }

    /// Returns the number of plies since White's first move. The plies before the start position
    /// are computed from its full-move number. Each decision of a turn counts as a ply.
    fn ply(&self) -> usize {
        let start = self.line.rewound();
        let before = 2 * (start.fullmove_number().max(1) as usize - 1);
        before + usize::from(start.side_to_move() == Color::Black) + self.line.moves().len()
    }

    /// Legal moves of the current position. Later moves on the board do not change this sequence.
    #[getter]
    fn legal_moves(&self, py: Python<'_>) -> PyResult<LegalMoves> {
        let position = position(&*self.line);
        with_legal(&*self.line, |moves| LegalMoves::new(py, moves, &position))
    }

    /// Moves played on this board, the first move first.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        history(&*self.line).into_iter().map(|(mv, _)| mv).collect()
    }

    /// Returns the FEN of the current position.
    fn fen(&self) -> String {
        self.line.fen()
    }

    /// FEN of the position before the first move of `move_stack`.
    #[getter]
    fn start_fen(&self) -> String {
        self.line.start_fen()
    }

    /// Replaces the position and clears the moves. Raises ValueError if the FEN is invalid. An
    /// error leaves the board unchanged.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        self.line = begin(self.variant, Some(fen))?;
        Ok(())
    }

    /// Sets the variant's start position and clears the moves.
    fn reset(&mut self) -> PyResult<()> {
        self.line = begin(self.variant, None)?;
        Ok(())
    }

    /// Plays a legal move, given as an object or as text. Raises ValueError if the move is not
    /// legal. An error leaves the board unchanged.
    fn push(&mut self, r#move: Given<'_>) -> PyResult<()> {
        let mv = self.find(&r#move)?;
        self.line.push(mv);
        Ok(())
    }

    /// Plays the legal move with this text and returns it. Moves that exist in chess have UCI
    /// notation. Raises ValueError if no legal move has this text. An error leaves the board
    /// unchanged.
    fn push_uci(&mut self, uci: &str) -> PyResult<Move> {
        let mv = self.find(&Given::Text(uci.to_owned()))?;
        let found = self.object(mv);
        self.line.push(mv);
        Ok(found)
    }

    /// Plays the legal move with this algebraic notation and returns it. Raises ValueError if no
    /// legal move has this notation. An error leaves the board unchanged.
    fn push_san(&mut self, san: &str) -> PyResult<Move> {
        let mv = self.line.parse_san(san).map_err(value_error)?;
        let found = self.object(mv);
        self.line.push(mv);
        Ok(found)
    }

    /// Undoes the last move and returns it. Raises IndexError if no move was played.
    fn pop(&mut self) -> PyResult<Move> {
        let mv = self.line.pop();
        let mv = mv.ok_or_else(|| PyIndexError::new_err("pop from a board on which no move was played"))?;
        Ok(self.object(mv))
    }

    /// Returns the last move. Raises IndexError if no move was played.
    fn peek(&self) -> PyResult<Move> {
        let mut before = self.line.copied();
        let mv = before.pop().ok_or_else(|| PyIndexError::new_err("no move was played"))?;
        Ok(Move::new(mv, &position(&*before)))
    }

    /// Returns True if a move, given as an object or as text, is legal.
    fn is_legal(&self, r#move: Given<'_>) -> bool {
        self.find(&r#move).is_ok()
    }

    /// Returns True if a legal move captures a piece or catapults of the opponent. Raises
    /// ValueError if the move is not legal.
    fn is_capture(&self, r#move: Given<'_>) -> PyResult<bool> {
        let opponent = !self.line.side_to_move();
        let before = self.line.count_pieces(opponent);
        let after = self.line.after(self.find(&r#move)?).count_pieces(opponent);
        // Only the mover's own pieces change their kind, so the opponent's counts can only fall.
        Ok(after.iter().zip(before).any(|(after, before)| *after < before))
    }

    /// Returns True if a legal move gives check. In Maxim chess, only the decision that ends the
    /// turn gives check. Raises ValueError if the move is not legal.
    fn gives_check(&self, r#move: Given<'_>) -> PyResult<bool> {
        let after = self.line.after(self.find(&r#move)?);
        Ok(after.side_to_move() != self.line.side_to_move() && after.in_check())
    }

    /// Returns the algebraic notation of a legal move. Raises ValueError if the move is not legal.
    fn san(&self, r#move: Given<'_>) -> PyResult<String> {
        Ok(self.line.san(self.find(&r#move)?))
    }

    /// Returns the moves of `move_stack` in algebraic notation.
    fn san_stack(&self) -> Vec<String> {
        history(&*self.line).into_iter().map(|(_, san)| san).collect()
    }

    /// Returns the legal move with this algebraic notation. Raises ValueError if no legal move has
    /// this notation.
    fn parse_san(&self, san: &str) -> PyResult<Move> {
        Ok(self.object(self.line.parse_san(san).map_err(value_error)?))
    }

    /// Returns the legal move with this text. Raises ValueError if no legal move has this text.
    fn parse_uci(&self, uci: &str) -> PyResult<Move> {
        Ok(self.object(self.find(&Given::Text(uci.to_owned()))?))
    }

    /// Returns True if the side to move is in check.
    fn is_check(&self) -> bool {
        self.line.in_check()
    }

    /// Returns True if the side to move is checkmated.
    fn is_checkmate(&self) -> bool {
        self.line.outcome() == Some(End::Checkmate)
    }

    /// Returns True if the side to move has no legal move and is not in check.
    fn is_stalemate(&self) -> bool {
        self.line.outcome() == Some(End::Stalemate)
    }

    /// Returns True if the position has occurred at least `count` times in this game, including
    /// now.
    #[pyo3(signature = (count = 3))]
    fn is_repetition(&self, count: i128) -> bool {
        self.line.repetitions() as i128 + 1 >= count
    }

    /// Returns True if the game has ended by checkmate, stalemate, a dead position, the fifty-move
    /// rule or threefold repetition. No claim is needed.
    fn is_game_over(&self) -> bool {
        self.line.outcome().is_some()
    }

    /// Returns the outcome, or None if the game has not ended.
    fn outcome(&self) -> Option<Outcome> {
        self.line.outcome().map(|end| Outcome {
            termination: end.name(),
            winner: end.winner(self.line.side_to_move()).map(is_white),
        })
    }

    /// Returns "1-0", "0-1", "1/2-1/2", or "*" if the game has not ended.
    fn result(&self) -> &'static str {
        self.outcome().map_or("*", |outcome| outcome.result())
    }

    /// Returns a copy of the board. With stack=False, the copy starts at the current position and
    /// has no earlier moves or positions.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Board {
        let line = if stack { self.line.copied() } else { self.line.forked() };
        Board { variant: self.variant, line }
    }

    /// Returns the piece on a square, or None. If two pieces are on the square, returns the later
    /// occupant. `square` is an index (rank * files + file, from 0) or a name. Raises ValueError if
    /// there is no such square.
    fn piece_at(&self, square: Place) -> PyResult<Option<Piece>> {
        Ok(self.pieces_on(self.square(&square)?).pop())
    }

    /// Returns the pieces on a square, the earlier occupant first. Only Maxim chess has squares
    /// with two pieces. Raises ValueError if there is no such square.
    fn pieces_at(&self, square: Place) -> PyResult<Vec<Piece>> {
        Ok(self.pieces_on(self.square(&square)?))
    }

    /// Returns the catapult or portal below the pieces of a square, or None. Raises ValueError if
    /// there is no such square.
    fn floor_at(&self, square: Place) -> PyResult<Option<Floor>> {
        Ok(self.floor_of(self.square(&square)?))
    }

    /// Returns the pieces on the board by square index. If two pieces are on a square, the dict has
    /// the later occupant.
    fn piece_map(&self) -> BTreeMap<usize, Piece> {
        let squares = 0..layout(self.variant).squares();
        squares.filter_map(|square| Some((square, self.pieces_on(square).pop()?))).collect()
    }

    /// Returns the catapults or portals on the board by square index.
    fn floor_map(&self) -> BTreeMap<usize, Floor> {
        let squares = 0..layout(self.variant).squares();
        squares.filter_map(|square| Some((square, self.floor_of(square)?))).collect()
    }

    /// Returns the number of a side's pieces of each kind, by the kind's name. `color` is True for
    /// White. Catapults count as pieces.
    fn piece_counts(&self, color: bool) -> BTreeMap<&'static str, u8> {
        let counts = self.line.count_pieces(if color { Color::White } else { Color::Black });
        self.line.pieces().iter().zip(counts).map(|(kind, count)| (kind.name, count)).collect()
    }

    /// Returns the name of a square. Raises ValueError if there is no such square.
    fn square_name(&self, square: Place) -> PyResult<String> {
        Ok(square_name(self.square(&square)?, self.line.files()))
    }

    /// Returns the index of the square with this name. Raises ValueError if there is no such
    /// square.
    fn parse_square(&self, name: &str) -> PyResult<usize> {
        self.square(&Place::Name(name.to_owned()))
    }

    /// Returns the action of a legal move: the number that `catapult.envs` uses for it. In each
    /// position, different moves have different actions. With four catapults, two moves can share
    /// an action. Raises ValueError if the move is not legal.
    fn action(&self, r#move: Given<'_>) -> PyResult<usize> {
        Ok(encode::actions_of(&*self.line, &[self.find(&r#move)?])[0] as usize)
    }

    /// Returns the legal move with this action. Raises ValueError if no legal move has this action,
    /// or if several have it.
    fn move_of_action(&self, action: i128) -> PyResult<Move> {
        let found: Vec<Bits> = with_legal(&*self.line, |moves| {
            let all = moves.iter().zip(encode::actions_of(&*self.line, moves));
            all.filter(|(_, found)| i128::from(*found) == action).map(|(mv, _)| *mv).collect()
        });
        match found[..] {
            [mv] => Ok(self.object(mv)),
            [] => Err(value_error(format!("action {action} is not a legal move in {}", self.line.fen()))),
            _ => {
                let (count, fen) = (found.len(), self.line.fen());
                Err(value_error(format!("action {action} is shared by {count} legal moves of {fen}")))
            }
        }
    }

    /// Returns the actions of the legal moves, in the order of `legal_moves`: int64 [moves].
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.actions())
    }

    /// Returns an array with 1 for each legal action and 0 for each other action: int8 [actions].
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; encode::actions(&layout(self.variant))];
        self.actions().iter().for_each(|action| mask[*action as usize] = 1);
        PyArray1::from_slice(py, &mask)
    }

    /// Returns the observation from the view of the side to move: float32 [ranks, files, channels].
    ///
    /// The first channels are the input planes of networks. The other channels are the global
    /// inputs of networks, each repeated on every square. Most values are 0 or 1. The largest are
    /// differences in piece counts, such as queens ahead.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let layout = layout(self.variant);
        let array = PyArray3::zeros(py, [layout.ranks, layout.files, encode::channels(&layout)], false);
        let (planes, globals) = inputs(&*self.line);
        encode::widened(
            &layout,
            &planes,
            &globals,
            array.try_readwrite().map_err(value_error)?.as_slice_mut()?,
        );
        Ok(array)
    }

    /// Returns the number of sequences of `depth` legal moves from the current position. Raises
    /// ValueError if the depth exceeds 32 or the number exceeds 64 bits.
    fn perft(slf: PyRef<'_, Self>, py: Python<'_>, depth: i128) -> PyResult<u64> {
        let depth = whole("depth", depth, 0..=32)?;
        let raised = Raised::default();
        let (mut game, mut signals) = (slf.line.forked(), Signals::new(&raised));
        // Other threads can use the board meanwhile.
        drop(slf);
        let found = py.detach(|| leaves(&mut *game, depth, &mut signals));
        found.map_err(|text| raised_or(&raised, format!("depth {depth}: {text}")))
    }

    /// Returns an SVG drawing of the position. `size` is its width in pixels. `orientation` is the
    /// side at the bottom (True for White). `arrows` are pairs of squares.
    #[pyo3(signature = (*, size = 400, orientation = true, coordinates = true, lastmove = true, arrows = None))]
    fn svg<'py>(
        slf: &Bound<'py, Self>,
        size: i128,
        orientation: bool,
        coordinates: bool,
        lastmove: bool,
        arrows: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let keywords = PyDict::new(py);
        keywords.set_item("size", whole("size", size, 1..=u32::MAX)?)?;
        keywords.set_item("orientation", orientation)?;
        keywords.set_item("coordinates", coordinates)?;
        keywords.set_item("lastmove", lastmove)?;
        keywords.set_item("arrows", arrows)?;
        py.import("catapult.svg")?.getattr("board")?.call((slf,), Some(&keywords))
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method0("svg")
    }

    fn __repr__(&self) -> String {
        format!("Board({:?}, {:?})", self.variant.to_string(), self.line.fen())
    }

    /// Returns a drawing of the position as text. Signs around a square show its catapult or
    /// portal.
    fn __str__(&self) -> String {
        let (layout, width) = (layout(self.variant), self.line.pieces_per_square());
        let cell = |square: usize| {
            let shown = self.line.shown(square);
            let [left, right] = shown.frame.map_or([' '; 2], |(_, signs)| signs);
            let pieces = if shown.pieces.is_empty() { "." } else { shown.pieces.as_str() };
            format!("{left}{pieces:<width$}{right}")
        };
        let rank = |rank: usize| {
            let cells = (0..layout.files).map(|file| cell(rank * layout.files + file));
            cells.collect::<String>().trim_end().to_owned()
        };
        (0..layout.ranks).rev().map(rank).collect::<Vec<_>>().join("\n")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same =
            |other: PyRef<'_, Board>| self.variant == other.variant && self.line.fen() == other.line.fen();
        other.extract::<PyRef<'_, Board>>().is_ok_and(same)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.variant, self.line.key(), self.counters()).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(&self) -> Board {
        self.copy(true)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.copy(true)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String, String))> {
        let moves: Vec<String> = history(&*self.line).iter().map(|(mv, _)| mv.text().into_owned()).collect();
        let restore = py.import("catapult._catapult")?.getattr("_restore_board")?;
        Ok((restore, (self.variant.to_string(), self.line.start_fen(), moves.join(" "))))
    }
}

/// Creates a board from its pickled form: variant, start FEN and the moves' texts.
#[pyfunction(name = "_restore_board")]
pub(crate) fn restore_board(variant: &str, fen: &str, moves: &str) -> PyResult<Board> {
    let mut board = Board::py_new(variant, Some(fen))?;
    for text in moves.split_ascii_whitespace() {
        board.push_uci(text)?;
    }
    Ok(board)
}

/// Raises ValueError if two moves of a position can share an action in a variant.
#[pyfunction(name = "_check_actions")]
pub(crate) fn check_actions(variant: &str) -> PyResult<()> {
    encode::check_actions(self::variant(variant)?)
}

/// Returns the names of the variants with the options of the paper. With options=False, each game
/// is listed once, without options. Further options, listed in docs/own-rule.md, also work.
#[pyfunction]
#[pyo3(signature = (options = true))]
pub(crate) fn variants(options: bool) -> Vec<String> {
    if options {
        Variant::all().map(|variant| variant.to_string()).collect()
    } else {
        Variant::games().map(|variant| variant.to_string()).collect()
    }
}

/// Returns a description of a variant as a dict. Raises ValueError if the variant is unknown.
///
/// - `variant`, `about`: its name, and a description of the game without options
/// - `ranks`, `files`, `start_fen`: sizes of the board and the start position
/// - `pieces`: names of the kinds of pieces by FEN letter
/// - `options`: descriptions of the options of the paper by name. Further options, listed in
///   docs/own-rule.md, also work.
/// - `layout`: name of the encoding's layout
/// - `planes`, `globals`, `policy_planes`: sizes of the encoding
/// - `plane_names`, `global_names`: names of the network's inputs
/// - `channels`: number of channels of an observation
/// - `actions`: number of actions
#[pyfunction]
pub(crate) fn about<'py>(py: Python<'py>, variant: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let name = variant.cast::<PyString>().map_err(|_| PyTypeError::new_err("a variant is named by a str"))?;
    let variant = self::variant(name.to_str()?)?;
    let (game, layout) = (variant.start(), &layout(variant));
    let dict = PyDict::new(py);
    dict.set_item("variant", variant.to_string())?;
    dict.set_item("about", game.about())?;
    dict.set_item("start_fen", game.fen())?;
    let pieces: BTreeMap<char, &str> = game.pieces().iter().map(|kind| (kind.letter, kind.name)).collect();
    dict.set_item("pieces", pieces)?;
    let [plane_names, global_names] = input_names(variant);
    dict.set_item("plane_names", plane_names)?;
    dict.set_item("global_names", global_names)?;
    let options: BTreeMap<&str, &str> =
        variant.proposals().iter().map(|option| (option.name, option.about)).collect();
    dict.set_item("options", options)?;
    dict.set_item("layout", layout.name)?;
    dict.set_item("ranks", layout.ranks)?;
    dict.set_item("files", layout.files)?;
    dict.set_item("planes", layout.planes)?;
    dict.set_item("globals", layout.globals)?;
    dict.set_item("policy_planes", layout.policy_planes)?;
    dict.set_item("channels", encode::channels(layout))?;
    dict.set_item("actions", encode::actions(layout))?;
    Ok(dict)
}
