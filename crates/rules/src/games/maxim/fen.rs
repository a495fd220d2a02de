//! FEN: six standard fields, the portals, the phase.

use super::Maxim;
use super::declare::Declaring;
use super::piece::{KING, PAWN};
use super::state::{NO_SQUARE, Phase, State};
use super::zobrist::{TO_DECLARE, TO_MOVE};
use crate::PieceKind;
use crate::board::attacks8::rank_of;
use crate::fen::{self, Fields, error, letter, not_a_piece, write_side, write_square};
use crate::position::piece_counts;
use crate::{Color, FenError, PieceCounts, Position, Square};
use std::fmt;
use std::ops::Range;

impl Maxim {
    pub(super) fn read_fen(text: &str) -> Result<Maxim, FenError> {
        let mut fields = Fields::new(text);
        let mut state = State::empty();
        read_placement(fields.required("placement")?, &mut state)?;
        if fields.side()? == Color::Black {
            state.pass_turn();
        }
        let castling = fields.required("castling")?;
        if castling != "-" {
            return Err(error(
                "castling",
                format!("`{castling}`: there is no castling, only `-` is allowed"),
            ));
        }
        let en_passant = fields.required("en passant")?;
        (state.halfmove_clock, state.fullmove_number) = fields.counters()?;
        read_portals(fields.required("portals")?, &mut state)?;
        state.set_phase(read_phase(fields.required("phase")?)?);
        let en_passant = read_en_passant(en_passant, &state)?;
        state.set_en_passant(en_passant);
        fields.end()?;
        check(&state)?;
        Ok(Maxim { state })
    }
}

fn read_placement(text: &str, state: &mut State) -> Result<(), FenError> {
    const FIELD: &str = "placement";
    fen::read_placement(text, 8, 8, |file, rank, token| {
        let square = Square::at(file as u8, rank as u8);
        let bracket = token.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let pieces = match bracket {
            None => vec![piece(letter(token)?).ok_or_else(|| not_a_piece(token))?],
            Some(inside) => {
                inside.chars().map(piece).collect::<Option<_>>().ok_or_else(|| not_a_piece(token))?
            }
        };
        if bracket.is_some() && pieces.len() != 2 {
            return Err(error(FIELD, format!("`{token}`: a stack has two pieces")));
        }
        if pieces.iter().any(|(side, _)| *side != pieces[0].0) {
            return Err(error(FIELD, format!("`{token}`: a stack is of one side's pieces")));
        }
        for (side, kind) in pieces {
            if kind == PieceKind::Pawn && square.bit().0 & rank_of(side, 7) != 0 {
                return Err(error(FIELD, format!("a pawn of {side:?} on rank {}", rank + 1)));
            }
            state.add(side, square.index() as u8, kind as u8 + 1);
        }
        Ok(())
    })?;
    fen::one_king_each(|side| {
        let kings = |layer| (state.layer(layer, KING) & state.held(side)).count_ones();
        kings(0) + kings(1)
    })
}

/// The piece of a letter.
fn piece(letter: char) -> Option<(Color, PieceKind)> {
    let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    Some((side, PieceKind::from_letter(letter.to_ascii_lowercase())?))
}

fn read_portals(text: &str, state: &mut State) -> Result<(), FenError> {
    const FIELD: &str = "portals";
    let (white, black) = text
        .split_once('/')
        .ok_or_else(|| error(FIELD, format!("`{text}` is not two lists with a `/` between")))?;
    for (side, list) in [(Color::White, white), (Color::Black, black)] {
        if list == "-" {
            continue;
        }
        let square = |range: Range<usize>| list.get(range).and_then(|name| name.parse::<Square>().ok());
        let (Some(first), Some(second), 4) = (square(0..2), square(2..4), list.len()) else {
            return Err(error(FIELD, format!("`{list}` is neither two squares nor `-`")));
        };
        let pair = first.bit().0 | second.bit().0;
        if first == second {
            return Err(error(FIELD, format!("both portals of {side:?} are on {first}")));
        }
        for square in [first, second] {
            if state.occupied() & square.bit().0 != 0 {
                return Err(error(FIELD, format!("the portal on {square} is not on an empty square")));
            }
            if state.portals(!side) & square.bit().0 != 0 {
                return Err(error(FIELD, format!("portals of both sides on {square}")));
            }
        }
        state.set_portals(side, pair);
    }
    Ok(())
}

fn read_phase(text: &str) -> Result<u8, FenError> {
    match text {
        "-" => Ok(TO_MOVE),
        "?" => Ok(TO_DECLARE),
        _ => {
            let first = text.strip_prefix('@').and_then(|name| name.parse::<Square>().ok());
            first.map(|square| square.index() as u8).ok_or_else(|| {
                error("phase", format!("`{text}` is none of `-`, `?` and `@` with a square, as in `@c3`"))
            })
        }
    }
}

/// The square, or none if no pawn could capture there. While portals are declared the pawn is one of the side to move.
fn read_en_passant(text: &str, state: &State) -> Result<u8, FenError> {
    const FIELD: &str = "en passant";
    if text == "-" {
        return Ok(NO_SQUARE);
    }
    let square: Square = text.parse().map_err(|()| error(FIELD, format!("`{text}` is not a square")))?;
    let bit = square.bit().0;
    let stepped = if state.phase() == TO_MOVE { !state.side() } else { state.side() };
    if bit & rank_of(stepped, 2) == 0 {
        return Err(error(FIELD, format!("{text} is not on the rank that {stepped:?}'s pawns pass over")));
    }
    let (pawn, origin) = match stepped {
        Color::White => (bit << 8, bit >> 8),
        Color::Black => (bit >> 8, bit << 8),
    };
    let latest = state.layer(1, PAWN) | state.layer(0, PAWN) & !state.stacks();
    if pawn & latest & state.held(stepped) == 0 || state.occupied() & (bit | origin) != 0 {
        return Err(error(FIELD, format!("no pawn can just have passed over {text}")));
    }
    let square = square.index() as u8;
    Ok(if state.takes_in_passing(!stepped, square) { square } else { NO_SQUARE })
}

/// What the fields have to be together.
fn check(state: &State) -> Result<(), FenError> {
    let us = state.side();
    let (safe, who) = match state.phase() {
        TO_MOVE => (!us, "the side not to move is in check"),
        _ => (us, "the side that has just moved is in check"),
    };
    if state.king_capturers(safe) != 0 {
        return Err(error("placement", who));
    }
    match state.phase() {
        TO_MOVE => Ok(()),
        TO_DECLARE if Declaring::new(state).firsts() == 0 => {
            Err(error("phase", "`?`: there is no pair of portals to declare"))
        }
        TO_DECLARE => Ok(()),
        first if Declaring::new(state).seconds(first) == 0 => {
            let first = Square::new(first);
            Err(error("phase", format!("`@{first}`: no pair of portals with {first} first can be declared")))
        }
        _ => Ok(()),
    }
}

pub(super) fn count_pieces(state: &State, side: Color) -> PieceCounts {
    let held = state.held(side);
    let number = |kind: PieceKind, layer| (state.layer(layer, kind as u8 + 1) & held).count_ones();
    piece_counts(PieceKind::ALL.map(|kind| number(kind, 0) + number(kind, 1)))
}

/// What stands on a square, as FEN has it.
struct Occupants(Color, PieceKind, Option<PieceKind>);

impl fmt::Display for Occupants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = |kind: PieceKind| match self.0 {
            Color::White => kind.letter().to_ascii_uppercase(),
            Color::Black => kind.letter(),
        };
        match self.2 {
            None => write!(f, "{}", written(self.1)),
            Some(later) => write!(f, "({}{})", written(self.1), written(later)),
        }
    }
}

impl fmt::Display for Maxim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fen::write_placement(f, 8, 8, |file, rank| {
            let (side, first, later) = self.pieces_at(Square::at(file as u8, rank as u8))?;
            Some(Occupants(side, first, later))
        })?;
        write_side(f, self.side_to_move())?;
        f.write_str("-")?;
        write_square(f, self.en_passant())?;
        write!(f, " {} {}", self.halfmove_clock(), self.fullmove_number())?;
        for (side, before) in [(Color::White, " "), (Color::Black, "/")] {
            f.write_str(before)?;
            let portals = self.portals(side);
            if portals.is_empty() {
                f.write_str("-")?;
            }
            for square in portals {
                write!(f, "{square}")?;
            }
        }
        match self.phase() {
            Phase::Move => f.write_str(" -"),
            Phase::First => f.write_str(" ?"),
            Phase::Second(first) => write!(f, " @{first}"),
        }
    }
}

impl fmt::Debug for Maxim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
