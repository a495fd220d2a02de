//! FEN: six standard fields, in Chess++ a seventh with the catapults.

use super::ChessPosition;
use super::bits;
use super::rules::ChessRules;
use super::state::{NO_SQUARE, State};
use crate::PieceKind;
use crate::board::attacks8::{pawn_attacks, rank_of};
use crate::castling::{read_castling, write_castling};
use crate::fen::{self, Fields, error, letter, not_a_piece, write_side, write_square};
use crate::{Color, FenError, Square};
use std::fmt;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KINGS: u64 = 0x1000_0000_0000_0010;

impl<R: ChessRules> ChessPosition<R> {
    #[allow(clippy::expect_used)]
    pub(super) fn start_position(rules: R) -> Self {
        let catapults = match (rules.catapults(), rules.free(), rules.third()) {
            (false, _, _) => "",
            (true, false, false) => " b1*f1*/b8*f8*",
            (true, false, true) => " b1*d1*f1*/b8*d8*f8*",
            (true, true, false) => " +2/+2",
            (true, true, true) => " +3/+3",
        };
        // Tests hold every rule set's start against this.
        Self::read_fen(&format!("{START}{catapults}"), rules).expect("the start position is valid")
    }

    pub(super) fn read_fen(fen: &str, rules: R) -> Result<Self, FenError> {
        let mut fields = Fields::new(fen);
        let mut state = State::empty();
        read_placement(fields.required("placement")?, &mut state)?;
        if fields.side()? == Color::Black {
            state.pass_turn();
        }
        let rights = read_castling(fields.required("castling")?, |side, kingside| {
            let home = state.side_pieces(side) & rank_of(side, 0);
            let corner = if kingside { 0x8080_8080_8080_8080 } else { 0x0101_0101_0101_0101 };
            home & state.kings() & KINGS != 0 && home & state.rooks() & corner != 0
        })?;
        state.set_castling(rights);
        let en_passant = read_en_passant(fields.required("en passant")?, &state)?;
        state.set_en_passant(en_passant);
        (state.halfmove_clock, state.fullmove_number) = fields.counters()?;
        let mut position = ChessPosition { state, rules };
        if rules.catapults()
            && let Some(text) = fields.optional()
        {
            position.read_catapults(text)?;
        }
        fields.end()?;
        if position.king_attackers(!position.state.side()) != 0 {
            return Err(error("placement", "the side not to move is in check"));
        }
        Ok(position)
    }

    fn read_catapults(&mut self, text: &str) -> Result<(), FenError> {
        const FIELD: &str = "catapults";
        if text == "-" {
            return Ok(());
        }
        let (white, black) = text.split_once('/').ok_or_else(|| {
            error(FIELD, format!("`{text}` is neither `-` nor two lists with a `/` between"))
        })?;
        let white_left = self.read_list(white, Color::White)?;
        let black_left = self.read_list(black, Color::Black)?;
        for side in Color::ALL {
            let theirs = self.state.catapults(side);
            if theirs != 0 && theirs & !self.state.side_pieces(!side) == 0 {
                return Err(error(FIELD, format!("all catapults of {side:?} stand under enemy pieces")));
            }
        }
        if white_left == 0 && black_left == 0 {
            return Ok(());
        }
        if !self.rules.free() {
            return Err(error(FIELD, "catapults are placed (`+n`) only with +free"));
        }
        let in_turn = match self.state.side() {
            Color::White => white_left == black_left,
            Color::Black => black_left == white_left + 1,
        };
        if !in_turn {
            return Err(error(FIELD, "the players place catapults in turn, White first"));
        }
        let mut start = State::<R::Layer>::empty();
        let placement = START.split(' ').next().unwrap_or("");
        read_placement(placement, &mut start)?;
        let as_at_start = (0..64).all(|square| start.cell(square) == self.state.cell(square));
        if !as_at_start || self.state.castling() != 15 {
            return Err(error(FIELD, "catapults are placed before the first move of the start set-up only"));
        }
        let per_side = self.rules.catapults_per_side() as u32;
        for (side, left) in [(Color::White, white_left), (Color::Black, black_left)] {
            let placed = self.state.catapults(side);
            if placed.count_ones() + left as u32 != per_side {
                return Err(error(FIELD, format!("each side places {per_side} catapults in all")));
            }
            if placed & !(self.state.fresh() & rank_of(side, 0)) != 0 {
                return Err(error(FIELD, "a catapult just placed is fresh (`*`) and on its own first rank"));
            }
        }
        self.state.set_to_place(white_left, black_left);
        Ok(())
    }

    /// Reads one side's list; gives the number after a `+`.
    fn read_list(&mut self, list: &str, side: Color) -> Result<u8, FenError> {
        const FIELD: &str = "catapults";
        let most = self.rules.catapults_per_side();
        if list == "-" {
            return Ok(0);
        }
        if list.is_empty() {
            return Err(error(FIELD, format!("the list of {side:?} is empty; none is written `-`")));
        }
        let (squares, left) = match list.split_once('+') {
            None => (list, 0),
            Some((squares, left)) => match left.as_bytes() {
                &[digit @ b'1'..=b'9'] if digit - b'0' <= most => (squares, digit - b'0'),
                _ => return Err(error(FIELD, format!("`+{left}`: a side places {most} catapults"))),
            },
        };
        let mut rest = squares;
        while !rest.is_empty() {
            let square: Square = rest
                .get(..2)
                .and_then(|name| name.parse().ok())
                .ok_or_else(|| error(FIELD, format!("`{rest}` does not begin with a square")))?;
            rest = &rest[2..];
            let fresh = rest.starts_with('*');
            if fresh {
                rest = &rest[1..];
            }
            if Color::ALL.into_iter().any(|side| self.catapults(side).has(square)) {
                return Err(error(FIELD, format!("two catapults on {square}")));
            }
            self.state.add_catapult(side, square.index() as u8, fresh);
        }
        if self.state.catapults(side).count_ones() > most as u32 {
            return Err(error(FIELD, format!("a side has at most {most} catapults")));
        }
        Ok(left)
    }
}

fn read_placement<L: super::Layer>(text: &str, state: &mut State<L>) -> Result<(), FenError> {
    fen::read_placement(text, 8, 8, |file, rank, token| {
        let piece = letter(token)?;
        let kind = PieceKind::from_letter(piece.to_ascii_lowercase()).ok_or_else(|| not_a_piece(token))?;
        if kind == PieceKind::Pawn && (rank == 0 || rank == 7) {
            return Err(error("placement", format!("a pawn on rank {}", rank + 1)));
        }
        let cell = kind as u8 + 1 + 8 * Color::of_case(piece) as u8;
        state.replace((rank * 8 + file) as u8, 0, cell);
        Ok(())
    })?;
    fen::one_king_each(|side| (state.kings() & state.side_pieces(side)).count_ones())
}

/// The square, or none if no pawn could capture there.
fn read_en_passant<L: super::Layer>(text: &str, state: &State<L>) -> Result<u8, FenError> {
    const FIELD: &str = "en passant";
    if text == "-" {
        return Ok(NO_SQUARE);
    }
    let square: Square = text.parse().map_err(|()| error(FIELD, format!("`{text}` is not a square")))?;
    let us = state.side();
    let bit = square.bit().0;
    if bit & rank_of(us, 5) == 0 {
        return Err(error(FIELD, format!("{text} is not on the rank that {:?}'s pawns pass over", !us)));
    }
    let (pawn, origin) = match us {
        Color::White => (bit >> 8, bit << 8),
        Color::Black => (bit << 8, bit >> 8),
    };
    if pawn & state.pawns() & state.side_pieces(!us) == 0 || state.occupied() & (bit | origin) != 0 {
        return Err(error(FIELD, format!("no pawn can just have passed over {text}")));
    }
    let usable = pawn_attacks(bit, !us) & state.pawns() & state.side_pieces(us) != 0;
    Ok(if usable { square.index() as u8 } else { NO_SQUARE })
}

impl<R: ChessRules> fmt::Display for ChessPosition<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = &self.state;
        fen::write_placement(f, 8, 8, |file, rank| {
            let piece = self.piece_at(Square::at(file as u8, rank as u8));
            piece.map(|(side, kind)| side.cased(kind.letter()))
        })?;
        write_side(f, s.side())?;
        write_castling(f, s.castling())?;
        write_square(f, self.en_passant())?;
        write!(f, " {} {}", s.halfmove_clock, s.fullmove_number)?;
        if !self.rules.catapults() {
            return Ok(());
        }
        if s.catapults(Color::White) | s.catapults(Color::Black) == 0 && !s.placing() {
            return f.write_str(" -");
        }
        for (side, before) in [(Color::White, " "), (Color::Black, "/")] {
            f.write_str(before)?;
            let mut squares: Vec<Square> = bits(s.catapults(side)).map(Square::new).collect();
            squares.sort_by_key(|square| (square.file(), square.rank()));
            for square in &squares {
                let star = if self.fresh_catapults(side).has(*square) { "*" } else { "" };
                write!(f, "{square}{star}")?;
            }
            match s.left_to_place(side) {
                0 if squares.is_empty() => f.write_str("-")?,
                0 => {}
                left => write!(f, "+{left}")?,
            }
        }
        Ok(())
    }
}

impl<R: ChessRules> fmt::Debug for ChessPosition<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
