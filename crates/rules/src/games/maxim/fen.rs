//! FEN of Maxim chess: six standard fields, the portals, and the phase of the turn.

use super::Maxim;
use super::declare::Declaring;
use super::state::{Phase, State};
use crate::engine::debug_as_fen;
use crate::fen::{self, Fields, error, letter, not_a_piece, write_side, write_square};
use crate::position::piece_counts;
use crate::{Color, FenError, PieceCounts, PieceKind, Position, Square, Squares};
use std::fmt;
use std::ops::Range;

impl Maxim {
    pub(super) fn read_fen(text: &str) -> Result<Maxim, FenError> {
        let mut fields = Fields::new(text);
        let mut state = State::new();
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
        let Some(square) = Square::at(file, rank) else { return Ok(()) };
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
            if kind == PieceKind::Pawn && Squares::rank_of(side, 7).has(square) {
                return Err(error(FIELD, format!("a pawn of {side:?} on rank {}", rank + 1)));
            }
            state.add(side, square, kind as u8 + 1);
        }
        Ok(())
    })?;
    fen::one_king_each(|side| count(state, side, PieceKind::King))
}

/// Returns side and kind of the piece with this FEN letter, or `None` if no piece has the letter.
fn piece(letter: char) -> Option<(Color, PieceKind)> {
    Some((Color::of_case(letter), PieceKind::from_letter(letter.to_ascii_lowercase())?))
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
        let pair = Squares::of(first).with(second);
        if first == second {
            return Err(error(FIELD, format!("both portals of {side:?} are on {first}")));
        }
        for square in [first, second] {
            if state.occupied().has(square) {
                return Err(error(FIELD, format!("the portal on {square} is not on an empty square")));
            }
            if state.portals(!side).has(square) {
                return Err(error(FIELD, format!("portals of both sides on {square}")));
            }
        }
        state.set_portals(side, pair);
    }
    Ok(())
}

fn read_phase(text: &str) -> Result<Phase, FenError> {
    match text {
        "-" => Ok(Phase::Move),
        "?" => Ok(Phase::First),
        _ => {
            let first = text.strip_prefix('@').and_then(|name| name.parse::<Square>().ok());
            first.map(Phase::Second).ok_or_else(|| {
                error("phase", format!("`{text}` is none of `-`, `?` and `@` with a square, as in `@c3`"))
            })
        }
    }
}

/// Reads the en-passant field of a FEN. Returns `None` for `-`, and if no pawn could capture on the
/// square. During the declaration of portals, the pawn that passed the square belongs to the side
/// to move.
fn read_en_passant(text: &str, state: &State) -> Result<Option<Square>, FenError> {
    let stepped = if state.phase() == Phase::Move { !state.side() } else { state.side() };
    let latest = state.later(PieceKind::Pawn) | state.kind(PieceKind::Pawn) & !state.stacks();
    let passed = fen::read_passed(text, state, stepped, latest)?;
    Ok(passed.filter(|square| state.takes_in_passing(!stepped, *square)))
}

/// Checks that the king of the side that moved a piece last is safe. While portals are declared,
/// also checks that a square can be chosen.
fn check(state: &State) -> Result<(), FenError> {
    let us = state.side();
    let (safe, who) = match state.phase() {
        Phase::Move => (!us, "the side not to move is in check"),
        _ => (us, "the side that has just moved is in check"),
    };
    if !state.king_capturers(safe).is_empty() {
        return Err(error("placement", who));
    }
    match state.phase() {
        Phase::First if Declaring::new(state).firsts().is_empty() => {
            Err(error("phase", "`?`: there is no pair of portals to declare"))
        }
        Phase::Second(first) if Declaring::new(state).seconds(first).is_empty() => {
            Err(error("phase", format!("`@{first}`: no pair of portals with {first} first can be declared")))
        }
        _ => Ok(()),
    }
}

pub(super) fn count_pieces(state: &State, side: Color) -> PieceCounts {
    piece_counts(PieceKind::ALL.map(|kind| count(state, side, kind)))
}

fn count(state: &State, side: Color, kind: PieceKind) -> u32 {
    let own = state.side_pieces(side);
    (state.kind(kind) & own).count() + (state.later(kind) & own).count()
}

impl fmt::Display for Maxim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fen::write_placement(f, 8, 8, |file, rank| {
            let (side, first, later) = self.pieces_at(Square::at(file, rank)?)?;
            let letter = |kind: PieceKind| side.cased(kind.letter());
            Some(match later {
                None => letter(first).to_string(),
                Some(later) => format!("({}{})", letter(first), letter(later)),
            })
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

debug_as_fen!(Maxim);
