//! Hexapawn, a very small game: an example of how to add a game.
//!
//! The game (Martin Gardner, 1962) has three pawns per side on a board of nine squares. Pawns move
//! and capture as in chess, one square at a time. A side wins when one of its pawns reaches the
//! last rank, or when the opponent cannot move. The second player can force a win in six plies.
//!
//! A game is a type that implements [`Position`] (rules) and [`Planes`] (network inputs and policy
//! planes). Search, self-play, records and training are generic over such types.
//!
//! ```
//! use catapult_hexapawn::Hexapawn;
//! use catapult_mcts::evaluators::Uniform;
//! use catapult_mcts::{Search, SearchConfig, run};
//! use catapult_rules::{Game, Position};
//!
//! let mut search = Search::<Hexapawn>::new(SearchConfig::default());
//! search.start(&Game::new(Hexapawn::start(())), 2000, 1);
//! let result = run(&mut search, &mut Uniform)?;
//! assert_eq!(result.proven.map(|proven| proven.plies), Some(6));
//! # Ok::<(), catapult_mcts::EvaluationError>(())
//! ```

use catapult_encoding::{Planes, View};
use catapult_rules::{Color, FenError, Move, MoveList, PieceCounts, PieceType, Position, Role, board};
use std::fmt;

type Square = board::Square<3, 3>;
type Squares = board::Squares<3, 3, 1>;

/// A position of hexapawn.
///
/// Its FEN is the placement from the highest rank down, a space, and the side to move. An example
/// is `ppp/.../PPP w`, where `.` is an empty square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hexapawn {
    /// Squares of White's and Black's pawns.
    pawns: [Squares; 2],
    side: Color,
}

impl Hexapawn {
    fn sign(&self, file: usize, rank: usize) -> char {
        let has = |pawns: &Squares| Square::at(file, rank).is_some_and(|square| pawns.has(square));
        self.pawns.iter().position(has).map_or('.', |side| ['P', 'p'][side])
    }
}

impl fmt::Display for Hexapawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..3).rev() {
            let signs = (0..3).map(|file| self.sign(file, rank));
            write!(f, "{}{}", signs.collect::<String>(), if rank > 0 { "/" } else { " " })?;
        }
        f.write_str(if self.side == Color::White { "w" } else { "b" })
    }
}

impl Position for Hexapawn {
    type Rules = ();
    const FILES: usize = 3;
    const RANKS: usize = 3;
    const PIECES: &'static [PieceType] =
        &[PieceType { role: Role::Pawn, letter: 'P', name: "pawn", centipawns: 100 }];

    fn start((): ()) -> Hexapawn {
        Hexapawn { pawns: [Squares::rank(0), Squares::rank(2)], side: Color::White }
    }

    fn from_fen(fen: &str, (): ()) -> Result<Hexapawn, FenError> {
        let error = |field| FenError { field, reason: format!("`{fen}` is not a hexapawn position") };
        let (placement, side) = fen.split_once(' ').ok_or(error("side to move"))?;
        let side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(error("side to move")),
        };
        let signs: Vec<char> = placement.split('/').rev().flat_map(str::chars).collect();
        let of = |letter| Square::all().filter(|square| signs.get(square.index()) == Some(&letter)).collect();
        let position = Hexapawn { pawns: [of('P'), of('p')], side };
        (position.to_string() == fen).then_some(position).ok_or(error("placement"))
    }

    fn rules(&self) {}

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn halfmove_clock(&self) -> u32 {
        0
    }

    fn fullmove_number(&self) -> u32 {
        1
    }

    fn key(&self) -> u64 {
        let signs = self.to_string();
        signs.bytes().fold(0, |key: u64, sign| key.wrapping_mul(257).wrapping_add(sign.into()))
    }

    /// Returns true if the side to move has no legal move, which means that it has lost.
    /// [`Position::outcome`] reports such a loss (as checkmate) only in check.
    fn in_check(&self) -> bool {
        !self.has_legal_move()
    }

    fn legal_moves_into(&self, moves: &mut MoveList) {
        let [own, enemy] = [self.side, !self.side].map(|side| self.pawns[side as usize]);
        if !(self.pawns[0] & Squares::rank(2)).is_empty() || !(self.pawns[1] & Squares::rank(0)).is_empty() {
            return;
        }
        for from in own {
            let pawn = Squares::of(from);
            let steps = pawn.forward(self.side).without(own | enemy) | pawn.pawn_attacks(self.side) & enemy;
            moves.extend(steps.into_iter().map(|to| Move::new(from.byte(), to.byte(), 0, 0)));
        }
    }

    fn play(&mut self, mv: Move) {
        let [from, to] =
            [mv.from(), mv.to()].map(|index| Square::new(index.into()).map_or(Squares::EMPTY, Squares::of));
        let [own, enemy] = [self.side, !self.side].map(|side| side as usize);
        self.pawns[own] = self.pawns[own].without(from) | to;
        self.pawns[enemy] = self.pawns[enemy].without(to);
        self.side = !self.side;
    }

    fn move_text(&self, mv: Move) -> String {
        [mv.from(), mv.to()].map(|index| Square::of(index).to_string()).concat()
    }

    fn count_pieces(&self, side: Color) -> PieceCounts {
        let mut counts = PieceCounts::default();
        counts[0] = self.pawns[side as usize].count() as u8;
        counts
    }
}

impl Planes for Hexapawn {
    const NAME: &'static str = "hexapawn-3x3-1";
    const PLANES: &'static [&'static str] = &[];
    const GLOBALS: &'static [&'static str] = &[];
    const POLICY_PLANES: u16 = 3;

    fn each_piece(&self, mut visit: impl FnMut(Color, usize, usize)) {
        for side in Color::ALL {
            self.pawns[side as usize].into_iter().for_each(|square| visit(side, 0, square.index()));
        }
    }

    fn each_attacked(&self, side: Color, visit: impl FnMut(usize)) {
        self.pawns[side as usize].pawn_attacks(side).into_iter().map(Square::index).for_each(visit);
    }

    fn each_en_passant(&self, _: impl FnMut(usize)) {}

    fn policy_plane(&self, mv: Move, view: View) -> u16 {
        (view.way(mv.from().into(), mv.to().into()).0 + 1) as u16
    }
}
