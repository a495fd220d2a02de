//! FEN of chess and Chess++: six standard fields, and in Chess++ a seventh with the catapults.
//! `+still` and `+moves` add one field each.

use super::ChessPosition;
use super::proposals::Proposals;
use super::rules::ChessRules;
use super::state::State;
use crate::castling::{read_castling, write_castling};
use crate::engine::debug_as_fen;
use crate::fen::{self, Fields, error, write_side, write_square};
use crate::{Color, FenError, PieceKind, Square, Squares};
use std::fmt;

impl<R: ChessRules> ChessPosition<R> {
    pub(super) fn start_position(rules: R) -> Self {
        let mut start = Self::placed_start(rules);
        if rules.has(Proposals::FREE) {
            for side in Color::ALL {
                start.state.catapults(side).into_iter().for_each(|at| start.state.remove_catapult(side, at));
            }
            let left = rules.catapults_per_side();
            start.state.set_to_place(left, left);
        }
        start
    }

    /// Returns the start position with the catapults placed, even with `+free`.
    #[allow(clippy::expect_used)]
    pub fn placed_start(rules: R) -> Self {
        let rank = rules.proposals().first_rank();
        let home = |file: usize| rank.as_bytes()[4] == b'K' && rank.as_bytes()[file] == b'R';
        let rights = match (home(7), home(0)) {
            (true, true) => "KQkq",
            (true, false) => "Kk",
            (false, true) => "Qq",
            (false, false) => "-",
        };
        let black = rank.to_ascii_lowercase();
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {rights} - 0 1");
        // With any first rank, neither side is in check: only knights attack past their pawns.
        let mut start = Self::read_fen(&fen, rules).expect("the start position is valid");
        if rules.catapults() {
            for square in rules.proposals().catapults_at_start() {
                start.state.add_catapult(Color::White, square, true);
                start.state.add_catapult(Color::Black, square.flip_ranks(), true);
            }
        }
        start
    }

    pub(super) fn read_fen(fen: &str, rules: R) -> Result<Self, FenError> {
        let mut fields = Fields::new(fen);
        let mut state = State::empty(0);
        let placement = fields.required("placement")?;
        fen::read_pieces(placement, &mut state, PieceKind::from_letter, |_, _, _| Ok(()))?;
        fen::one_king_each(|side| (state.kings() & state.side_pieces(side)).count())?;
        if fields.side()? == Color::Black {
            state.pass_turn();
        }
        let rook = (PieceKind::Rook, [7, 0]);
        read_castling(fields.required("castling")?, &mut state, (PieceKind::King, 4), rook)?;
        let us = state.side();
        let passed = fen::read_passed(fields.required("en passant")?, &state, !us, state.pawns())?;
        // The square counts only if a pawn could capture on it.
        let takers = state.pawns() & state.side_pieces(us);
        state.set_en_passant(passed.filter(|square| Squares::of(*square).pawn_attacks(!us).meets(takers)));
        (state.halfmove_clock, state.fullmove_number) = fields.counters()?;
        let mut position = ChessPosition { state, rules };
        if rules.catapults()
            && let Some(text) = fields.optional()
        {
            position.read_catapults(text)?;
            let is_stopped = |square| rules.has(Proposals::BLOCK) && position.state.catapults(us).has(square);
            if passed.is_some_and(is_stopped) {
                return Err(error("en passant", "a catapult on the square stops pawns from passing over it"));
            }
            if rules.has(Proposals::STILL)
                && let Some(text) = fields.optional()
            {
                position.read_rest(text)?;
            }
        }
        if let Some(most) = rules.proposals().catapult_moves_per_game() {
            let left = fields.optional().map_or(Ok([most; 2]), |text| read_moves_left(text, most))?;
            for (side, left) in Color::ALL.into_iter().zip(left) {
                position.state.set_moves_left(side, left);
            }
        }
        fields.end()?;
        if !position.king_attackers(!position.state.side()).is_empty() {
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
            let lost = !theirs.is_empty() && !theirs.meets(!self.state.side_pieces(!side));
            if lost && !self.rules.has(Proposals::SAFE) {
                return Err(error(FIELD, format!("all catapults of {side:?} stand under enemy pieces")));
            }
            if self.rules.has(Proposals::BARE) && self.state.is_bare_with_catapults(side) {
                return Err(error(FIELD, format!("{side:?} has catapults and only its king")));
            }
        }
        if white_left == 0 && black_left == 0 {
            return Ok(());
        }
        if !self.rules.has(Proposals::FREE) {
            return Err(error(FIELD, "catapults are placed (`+n`) only with +free"));
        }
        let in_turn = match self.state.side() {
            Color::White => white_left == black_left,
            Color::Black => black_left == white_left + 1,
        };
        if !in_turn {
            return Err(error(FIELD, "the players place catapults in turn, White first"));
        }
        let start = Self::placed_start(self.rules).state;
        let as_at_start = Square::all().all(|square| start.cell(square) == self.state.cell(square));
        if !as_at_start || self.state.castling() != start.castling() {
            return Err(error(FIELD, "catapults are placed before the first move of the start set-up only"));
        }
        let per_side = self.rules.catapults_per_side() as u32;
        for (side, left) in [(Color::White, white_left), (Color::Black, black_left)] {
            let placed = self.state.catapults(side);
            if placed.count() + left as u32 != per_side {
                return Err(error(FIELD, format!("each side places {per_side} catapults in all")));
            }
            if placed.meets(!(self.state.fresh() & Squares::rank_of(side, 0))) {
                return Err(error(FIELD, "a catapult just placed is fresh (`*`) and on its own first rank"));
            }
        }
        self.state.set_to_place(white_left, black_left);
        Ok(())
    }

    /// Reads the field of the sides that moved a catapult on their last turn (`+still`).
    fn read_rest(&mut self, text: &str) -> Result<(), FenError> {
        const FIELD: &str = "still";
        let sides: &[Color] = match text {
            "-" => &[],
            "w" => &[Color::White],
            "b" => &[Color::Black],
            "wb" => &Color::ALL,
            _ => return Err(error(FIELD, format!("`{text}` is none of `-`, `w`, `b` and `wb`"))),
        };
        for &side in sides {
            if self.catapults(side) == self.fresh_catapults(side) {
                return Err(error(FIELD, format!("{side:?} has no catapult that has moved")));
            }
            self.state.set_rest(side, true);
        }
        Ok(())
    }

    /// Reads one side's list of catapults and adds them to the position. Returns the number of
    /// catapults left to place, which follows a `+`, or 0 without `+`.
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
            self.state.add_catapult(side, square, fresh);
        }
        if self.state.catapults(side).count() > most as u32 {
            return Err(error(FIELD, format!("a side has at most {most} catapults")));
        }
        Ok(left)
    }
}

/// Reads the field of the catapult moves that White and Black have left (`+moves`).
fn read_moves_left(text: &str, most: u8) -> Result<[u8; 2], FenError> {
    let number = |text: &str| text.parse().ok().filter(|left: &u8| *left <= most && left.to_string() == text);
    let pair = text.split_once('/').and_then(|(white, black)| Some([number(white)?, number(black)?]));
    pair.ok_or_else(|| {
        error("moves", format!("`{text}` is not two numbers from 0 to {most} with a `/` between"))
    })
}

impl<R: ChessRules> fmt::Display for ChessPosition<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = &self.state;
        fen::write_placement(f, 8, 8, |file, rank| self.letter_at(file, rank))?;
        write_side(f, s.side())?;
        write_castling(f, s.castling())?;
        write_square(f, self.en_passant())?;
        write!(f, " {} {}", s.halfmove_clock, s.fullmove_number)?;
        if !self.rules.catapults() {
            return Ok(());
        }
        let none = (s.catapults(Color::White) | s.catapults(Color::Black)).is_empty() && !s.placing();
        if none {
            f.write_str(" -")?;
        }
        for (side, before) in [(Color::White, " "), (Color::Black, "/")].into_iter().filter(|_| !none) {
            f.write_str(before)?;
            let mut squares: Vec<Square> = s.catapults(side).into_iter().collect();
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
        if self.rules.has(Proposals::STILL) {
            let rest = [(Color::White, "w"), (Color::Black, "b")]
                .map(|(side, word)| if s.rests(side) { word } else { "" });
            let rest = rest.concat();
            write!(f, " {}", if rest.is_empty() { "-" } else { &rest })?;
        }
        if self.rules.proposals().catapult_moves_per_game().is_some() {
            write!(f, " {}/{}", s.moves_left(Color::White), s.moves_left(Color::Black))?;
        }
        Ok(())
    }
}

debug_as_fen!(ChessPosition<R: ChessRules>);
