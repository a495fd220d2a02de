//! The layout of the games beside the 8x8 engine: planes and globals that all of them share, and what a game adds.
//!
//! A game implements [`Planes`]; its file documents its planes and globals in tables like those of [`crate::century`],
//! which a test compares with [`plane_names`] and [`global_names`]. Everything is seen from the side to move.
//!
//! Planes, 0 or 1 unless said otherwise:
//!
//! | planes | what |
//! |---|---|
//! | one a kind of piece | own pieces, in the order of [`Position::PIECES`] |
//! | one a kind of piece | enemy pieces |
//! | own attacks, enemy attacks | squares that the side's pieces attack |
//! | en passant | squares on which a pawn can be captured in passing |
//! | the game's own | [`Planes::PLANES`] |
//! | board | 1 on every square: tells the edge from an empty square |
//! | rank | from 0 on the own first rank to 1 on the last |
//!
//! Globals:
//!
//! | globals | what |
//! |---|---|
//! | castling | own king's side, own queen's side, enemy king's side, enemy queen's side: 1 while the right is left |
//! | clock | half-move clock / 100, at most 1 |
//! | seen once, seen twice | whether the position has occurred before in the game that often |
//! | in check | |
//! | material | of both sides, 1 at the start |
//! | one a kind of piece but the king | own number less the enemy's, / 2 |
//! | the game's own | [`Planes::GLOBALS`] |
//!
//! What will stand on the board (auxiliary targets): own pieces, enemy pieces.

use crate::globals::castling_clock_and_repetitions;
use crate::view::View;
use crate::{Encode, Layout, PolicyIndex};
use catapult_rules::{Color, Move, PieceType, Position, Role};
use half::bf16;

/// What a game tells of its positions; everything in squares and sides of the position: the layout turns the board.
pub trait Planes: Position {
    /// Name of the layout with its version.
    const NAME: &'static str;

    /// Names of the planes that only this game has, each named as the side to move sees it.
    const PLANES: &'static [&'static str];

    /// Names of the globals that only this game has.
    const GLOBALS: &'static [&'static str];

    /// The number of policy planes.
    const POLICY_PLANES: u16;

    /// Hands over each piece: its side, its kind in the order of [`Position::PIECES`], and its square's index.
    fn each_piece(&self, visit: impl FnMut(Color, usize, usize));

    /// Hands over each square that a side attacks, by its index.
    fn each_attacked(&self, side: Color, visit: impl FnMut(usize));

    /// Hands over each square on which the side to move can capture in passing.
    fn each_en_passant(&self, visit: impl FnMut(usize));

    /// Whether a side still has the right to castle on the king's or the queen's side.
    fn may_castle(&self, _side: Color, _kingside: bool) -> bool {
        false
    }

    /// Hands over each square of the game's own planes: number of the plane in [`Planes::PLANES`], index of the square.
    fn each_extra(&self, _visit: impl FnMut(usize, usize)) {}

    /// Writes the game's own globals.
    fn extra_globals(&self, _globals: &mut [f32]) {}

    /// The policy plane of a legal move, whose origin and destination are the indices that [`Move`] holds. Two legal moves
    /// of one origin have different planes. Of a move that is not legal: some plane.
    fn policy_plane(&self, mv: Move, view: View) -> u16;

    /// Whether the mirrored position is a position of the game with the mirrored moves: where kings do not stand in the
    /// middle, if no castling right is left.
    fn can_mirror(&self) -> bool {
        !Color::ALL.iter().any(|&side| self.may_castle(side, true) || self.may_castle(side, false))
    }
}

/// Kinds of pieces whose numbers are compared.
fn compared<P: Position>() -> impl Iterator<Item = (usize, &'static PieceType)> {
    P::PIECES.iter().enumerate().filter(|(_, piece)| piece.role != Role::King)
}

const fn compared_count(pieces: &[PieceType]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < pieces.len() {
        count += (!matches!(pieces[i].role, Role::King)) as usize;
        i += 1;
    }
    count
}

/// Names of all planes of a game, in their order.
pub fn plane_names<P: Planes>() -> Vec<String> {
    let pieces = |side| P::PIECES.iter().map(move |piece| format!("{side} {}s", piece.name));
    let shared = ["own attacks", "enemy attacks", "en passant"].map(String::from);
    let own = P::PLANES.iter().copied().map(String::from);
    let last = ["board", "rank"].map(String::from);
    pieces("own").chain(pieces("enemy")).chain(shared).chain(own).chain(last).collect()
}

/// The globals that come first in every game.
const FIRST_GLOBALS: [&str; 9] = [
    "own castling, king's side",
    "own castling, queen's side",
    "enemy castling, king's side",
    "enemy castling, queen's side",
    "clock",
    "seen once",
    "seen twice",
    "in check",
    "material",
];

/// Names of all globals of a game, in their order.
pub fn global_names<P: Planes>() -> Vec<String> {
    let ahead = compared::<P>().map(|(_, piece)| format!("{}s ahead", piece.name));
    let own = P::GLOBALS.iter().copied().map(String::from);
    FIRST_GLOBALS.map(String::from).into_iter().chain(ahead).chain(own).collect()
}

/// The planes of what will stand on the board.
const FUTURE_PLANES: usize = 2;

fn view<P: Position>(side: Color, mirror: bool) -> View {
    View::new(P::FILES, P::RANKS, side, mirror)
}

impl<P: Planes> Encode for P {
    const LAYOUT: Layout = Layout {
        name: P::NAME,
        ranks: P::RANKS,
        files: P::FILES,
        planes: 2 * P::PIECES.len() + 3 + P::PLANES.len() + 2,
        globals: FIRST_GLOBALS.len() + compared_count(P::PIECES) + P::GLOBALS.len(),
        policy_planes: P::POLICY_PLANES as usize,
        future_planes: FUTURE_PLANES,
    };

    fn encode(&self, repetitions: u8, mirror: bool, planes: &mut [bf16], globals: &mut [f32]) {
        let layout = Self::LAYOUT;
        let us = self.side_to_move();
        let view = view::<P>(us, mirror);
        assert_eq!(planes.len(), layout.squares() * layout.planes, "room for the planes");
        assert_eq!(globals.len(), layout.globals, "room for the globals");
        planes.fill(bf16::ZERO);
        for (square, row) in planes.chunks_exact_mut(layout.planes).enumerate() {
            let rank = (square / layout.files) as f32 / (layout.ranks - 1) as f32;
            row[layout.planes - 2] = bf16::ONE;
            row[layout.planes - 1] = bf16::from_f32(rank);
        }
        let mut mark =
            |plane: usize, square: usize| planes[view.square(square) * layout.planes + plane] = bf16::ONE;
        let kinds = P::PIECES.len();
        self.each_piece(|side, kind, square| mark(if side == us { kind } else { kinds + kind }, square));
        self.each_attacked(us, |square| mark(2 * kinds, square));
        self.each_attacked(!us, |square| mark(2 * kinds + 1, square));
        self.each_en_passant(|square| mark(2 * kinds + 2, square));
        self.each_extra(|plane, square| mark(2 * kinds + 3 + plane, square));

        let start = P::start(self.rules());
        let worth = |position: &P| Color::ALL.iter().map(|side| position.material(*side)).sum::<i32>() as f32;
        let may_castle = |side, kingside| Planes::may_castle(self, side, kingside);
        let (shared, extra) = globals.split_at_mut(layout.globals - P::GLOBALS.len());
        let (head, ahead) = shared.split_at_mut(FIRST_GLOBALS.len());
        head[..7].copy_from_slice(&castling_clock_and_repetitions(self, may_castle, repetitions));
        head[7..].copy_from_slice(&[f32::from(u8::from(self.in_check())), worth(self) / worth(&start)]);
        let [own, enemy] = [us, !us].map(|side| self.count_pieces(side));
        for ((kind, _), value) in compared::<P>().zip(ahead) {
            *value = (f32::from(own[kind]) - f32::from(enemy[kind])) / 2.0;
        }
        self.extra_globals(extra);
    }

    fn policy_index(&self, mv: Move, mirror: bool) -> PolicyIndex {
        let view = view::<P>(self.side_to_move(), mirror);
        let seen = |square: u8| view.square(usize::from(square)) as u16;
        PolicyIndex { plane: self.policy_plane(mv, view), square: seen(mv.from()), to: seen(mv.to()) }
    }

    fn can_mirror(&self) -> bool {
        Planes::can_mirror(self)
    }

    fn occupancy(&self, side: Color, mirror: bool, out: &mut [u8]) {
        assert_eq!(out.len(), Self::LAYOUT.squares() * FUTURE_PLANES, "room for what stands on the board");
        let view = view::<P>(side, mirror);
        out.fill(0);
        self.each_piece(|owner, _, square| {
            out[view.square(square) * FUTURE_PLANES + usize::from(owner != side)] = 1;
        });
    }
}
