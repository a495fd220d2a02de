//! FEN of Twenty-First Century Chess: six standard fields, and a seventh with the sides that may
//! still declare a Jester.

use super::generate::{CASTLINGS, KING_FILE};
use super::piece::CenturyPiece;
use super::play::passed_square;
use super::state::State;
use super::{Century, Squares};
use crate::castling::{read_castling, write_castling};
use crate::engine::debug_as_fen;
use crate::fen::{self, Fields, error};
use crate::{Color, FenError};
use std::fmt;

pub(super) const START: &str = "rnbaqkabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBAQKABNR w KQkq - 0 1 Jj";

impl Century {
    pub(super) fn read_fen(fen: &str) -> Result<Century, FenError> {
        let mut fields = Fields::new(fen);
        let mut state = State::empty(0);
        read_pieces(fields.required("placement")?, &mut state)?;
        if fields.side()? == Color::Black {
            state.pass_turn();
        }
        let rook = (CenturyPiece::Rook, CASTLINGS.map(|castling| castling.1));
        read_castling(fields.required("castling")?, &mut state, (CenturyPiece::King, KING_FILE), rook)?;
        let them = !state.side();
        let passed = fen::read_passed(fields.required("en passant")?, &state, them, state.pawns())?;
        let pawn = passed.and_then(|square| Squares::of(square).forward(them).first());
        state.set_en_passant(pawn.and_then(|pawn| passed_square(&state, pawn, them)));
        (state.halfmove_clock, state.fullmove_number) = fields.counters()?;
        read_declaring(fields.required("Jesters")?, &mut state)?;
        fields.end()?;
        let position = Century { state };
        if !position.king_attackers(!state.side()).is_empty() {
            return Err(error("placement", "the side not to move is in check"));
        }
        Ok(position)
    }
}

fn read_pieces(text: &str, state: &mut State) -> Result<(), FenError> {
    const FIELD: &str = "placement";
    fen::read_pieces(text, state, CenturyPiece::from_letter, |side, kind, rank| {
        let own_rank = if side == Color::White { rank } else { 7 - rank };
        if kind == CenturyPiece::Jester && matches!(own_rank, 0 | 1 | 7) {
            return Err(error(FIELD, format!("a Jester of {side:?} on rank {}", rank + 1)));
        }
        Ok(())
    })?;
    for side in Color::ALL {
        if (state.jesters() & state.side_pieces(side)).is_many() {
            return Err(error(FIELD, format!("{side:?} has more than one Jester")));
        }
    }
    fen::one_king_each(|side| (state.kings() & state.side_pieces(side)).count())
}

fn read_declaring(text: &str, state: &mut State) -> Result<(), FenError> {
    const FIELD: &str = "Jesters";
    let sides: &[Color] = match text {
        "-" => &[],
        "J" => &[Color::White],
        "j" => &[Color::Black],
        "Jj" => &Color::ALL,
        _ => return Err(error(FIELD, format!("`{text}` is not one of Jj, J, j and -"))),
    };
    for &side in sides {
        if state.jesters().meets(state.side_pieces(side)) {
            return Err(error(
                FIELD,
                format!("{side:?} has a Jester on the board and may not declare another"),
            ));
        }
        state.set_declaring(side, true);
    }
    Ok(())
}

impl fmt::Display for Century {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = &self.state;
        fen::write_placement(f, 10, 8, |file, rank| self.letter_at(file, rank))?;
        fen::write_side(f, s.side())?;
        write_castling(f, s.castling())?;
        fen::write_square(f, s.en_passant())?;
        write!(f, " {} {} ", s.halfmove_clock, s.fullmove_number)?;
        let letters: String =
            Color::ALL.into_iter().filter(|side| s.may_declare(*side)).map(|side| side.cased('j')).collect();
        f.write_str(if letters.is_empty() { "-" } else { &letters })
    }
}

debug_as_fen!(Century);
