//! FEN of Chess and a Half: six standard fields, and a seventh with the knights that have never
//! moved.

use super::generate::skipped;
use super::piece::HalfPiece;
use super::play::can_be_taken;
use super::state::{KNIGHTS, State};
use super::{Half, Square};
use crate::board::Cell;
use crate::castling::{read_castling, write_castling};
use crate::engine::debug_as_fen;
use crate::fen::{Fields, error, one_king_each, read_pieces, write_placement, write_side};
use crate::{Color, FenError};
use std::fmt;

pub(super) const START: &str =
    "rnbscqkcsbnr/pppgppppgppp/12/12/12/12/12/12/12/12/PPPGPPPPGPPP/RNBSCQKCSBNR w KQkq - 0 1 b1k1b12k12";

impl Half {
    pub(super) fn read_fen(fen: &str) -> Result<Half, FenError> {
        let mut fields = Fields::new(fen);
        let mut state = State::empty(0);
        read_pieces(fields.required("placement")?, &mut state, HalfPiece::from_letter, |_, _, _| Ok(()))?;
        one_king_each(|side| (state.kind(HalfPiece::King) & state.side_pieces(side)).count())?;
        if fields.side()? == Color::Black {
            state.pass_turn();
        }
        let rook = (HalfPiece::Rook, [11, 0]);
        read_castling(fields.required("castling")?, &mut state, (HalfPiece::King, 6), rook)?;
        let passed = read_passed(fields.required("en passant")?, &state)?;
        (state.halfmove_clock, state.fullmove_number) = fields.counters()?;
        let unmoved = read_unmoved(fields.required("unmoved knights")?, &state)?;
        state.set_rights(unmoved);
        fields.end()?;
        let mut position = Half { state };
        let us = position.state.side();
        position.state.set_en_passant(passed.filter(|pawn| can_be_taken(&state, *pawn, !us)));
        if position.king_can_be_captured() {
            return Err(error("placement", "the side not to move is in check"));
        }
        Ok(position)
    }
}

/// Reads a list of squares such as `e3e4e5`. `-` is the empty list. `field` names the FEN field in
/// errors.
fn read_squares(field: &'static str, text: &str) -> Result<Vec<Square>, FenError> {
    let mut squares = Vec::new();
    let mut rest = if text == "-" { "" } else { text };
    while !rest.is_empty() {
        let (square, after) = Square::split_from(rest)
            .ok_or_else(|| error(field, format!("`{rest}` does not begin with a square")))?;
        if squares.contains(&square) {
            return Err(error(field, format!("{square} occurs twice")));
        }
        squares.push(square);
        rest = after;
    }
    Ok(squares)
}

/// Reads the en-passant field: some or all of the squares that a pawn just passed, in any order.
/// Returns the pawn's square, or `None` for `-`.
fn read_passed(text: &str, state: &State) -> Result<Option<Square>, FenError> {
    const FIELD: &str = "en passant";
    let squares = read_squares(FIELD, text)?;
    let Some(first) = squares.first() else { return Ok(None) };
    let them = !state.side();
    let (second, forward) = if them == Color::White { (1, 1) } else { (10, -1) };
    let column = |steps: i32| Square::at(first.file(), (second + forward * steps) as usize);
    let pawn = (2..=4).filter_map(column).find(|at| state.cell(*at) != Cell::EMPTY);
    let origin_is_empty = column(0).is_some_and(|at| state.cell(at) == Cell::EMPTY);
    let behind_is_empty = column(1).is_some_and(|at| state.cell(at) == Cell::EMPTY);
    pawn.filter(|at| state.cell(*at) == Cell::of(them, HalfPiece::Pawn) && origin_is_empty && behind_is_empty)
        .filter(|at| squares.iter().all(|square| skipped(*at, them).has(*square)))
        .map(Some)
        .ok_or_else(|| error(FIELD, format!("no pawn can just have passed over {text}")))
}

fn read_unmoved(text: &str, state: &State) -> Result<u8, FenError> {
    const FIELD: &str = "unmoved knights";
    let mut unmoved = 0;
    for square in read_squares(FIELD, text)? {
        let Some(place) = KNIGHTS.iter().position(|home| *home == square) else {
            return Err(error(FIELD, format!("{square} is not one of b1, k1, b12 and k12")));
        };
        let side = if place < 2 { Color::White } else { Color::Black };
        if state.cell(square) != Cell::of(side, HalfPiece::Knight) {
            return Err(error(FIELD, format!("no knight of {side:?} on {square}")));
        }
        unmoved |= 1 << place;
    }
    Ok(unmoved)
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = &self.state;
        write_placement(f, 12, 12, |file, rank| self.letter_at(file, rank))?;
        write_side(f, s.side())?;
        write_castling(f, s.castling())?;
        // Squares are written in the order passed. Black's pawns come from above.
        let mut passed: Vec<Square> = self.en_passant().into_iter().collect();
        if s.side() == Color::White {
            passed.reverse();
        }
        write_squares(f, &passed)?;
        write!(f, " {} {}", s.halfmove_clock, s.fullmove_number)?;
        let unmoved: Vec<Square> = KNIGHTS
            .into_iter()
            .enumerate()
            .filter(|(i, _)| s.rights() >> i & 1 != 0)
            .map(|(_, at)| at)
            .collect();
        write_squares(f, &unmoved)
    }
}

/// Writes a space and a list of squares, or a space and `-` for an empty list.
fn write_squares(f: &mut fmt::Formatter<'_>, squares: &[Square]) -> fmt::Result {
    f.write_str(if squares.is_empty() { " -" } else { " " })?;
    squares.iter().try_for_each(|square| write!(f, "{square}"))
}

debug_as_fen!(Half);
