//! The layout of all games except standard chess and Chess++: shared inputs plus game-specific
//! inputs.
//!
//! A game that implements [`Planes`] implements [`Encode`] too. The module of each game lists its
//! game-specific planes and globals, such as [`crate::century::planes`]. Everything is seen from
//! the side to move.
//!
//! Planes, with values 0 or 1 unless stated:
//!
//! | planes | content |
//! |---|---|
//! | one per kind of piece | own pieces, in the order of [`Position::PIECES`] |
//! | one per kind of piece | enemy pieces |
//! | own attacks, enemy attacks | squares that the side's pieces attack |
//! | en passant | squares on which a pawn can be captured en passant |
//! | game-specific | [`Planes::PLANES`] |
//! | board | 1 on every square, to distinguish empty squares from the padding beyond the edge |
//! | rank | from 0 on the own first rank to 1 on the last |
//!
//! Globals:
//!
//! | globals | content |
//! |---|---|
//! | castling, clock, repetition | [`COMMON`] |
//! | in check | 1 if the side to move is in check |
//! | material | of both sides, 1 at the start |
//! | one per kind of piece except kings | own number minus enemy number, / 2 |
//! | game-specific | [`Planes::GLOBALS`] |
//!
//! Occupancy planes (auxiliary targets): own pieces, enemy pieces.

use crate::globals::{COMMON, common};
use crate::view::View;
use crate::{CONSTANT, Encode, Layout, PolicyIndex};
use catapult_rules::{Color, Move, PieceType, Position, Role, board};

/// The game-specific part of an encoding. Methods use squares of the board, which are not flipped
/// for Black. The implementation of [`Encode`] converts the squares.
pub trait Planes: Position {
    /// Name and version of the layout ([`Layout::name`]).
    const NAME: &'static str;

    /// Names of the game-specific planes, in order. "own" means the side to move.
    const PLANES: &'static [&'static str];

    /// Names of the game-specific globals (inputs with one value per position), in order.
    const GLOBALS: &'static [&'static str];

    /// Number of policy planes of the game.
    const POLICY_PLANES: u16;

    /// Calls `visit` once per piece with three values: the piece's side, the index of its kind in
    /// [`Position::PIECES`], and its square index.
    fn each_piece(&self, visit: impl FnMut(Color, usize, usize));

    /// Calls `visit` with the index of each square that `side` attacks.
    fn each_attacked(&self, side: Color, visit: impl FnMut(usize));

    /// Calls `visit` with the index of each square on which the side to move can capture en
    /// passant.
    fn each_en_passant(&self, visit: impl FnMut(usize));

    /// Returns true if `_side` still has the right to castle: kingside if `_kingside` is true, else
    /// queenside. The default is false, for games without castling.
    fn may_castle(&self, _side: Color, _kingside: bool) -> bool {
        false
    }

    /// Calls `visit` for each 1 on the game-specific planes, with the plane's index in
    /// [`Planes::PLANES`] and the square index. By default, nothing is visited, for games without
    /// such planes.
    fn each_extra(&self, _visit: impl FnMut(usize, usize)) {}

    /// Writes the game-specific globals, one value per entry of [`Planes::GLOBALS`]. By default,
    /// nothing is written, for games without such globals.
    fn extra_globals(&self, _globals: &mut [f32]) {}

    /// Returns the policy plane of a legal move. `view` is the view of the side to move. Different
    /// legal moves with the same origin have different planes. The result is unspecified for
    /// illegal moves. The squares [`Move::from`] and [`Move::to`] must be square indices.
    fn policy_plane(&self, mv: Move, view: View) -> u16;

    /// Returns true if the position with flipped files is legal and its legal moves are the flipped
    /// moves. By default this is true if no side has castling rights, because castling is not
    /// symmetric.
    fn can_mirror(&self) -> bool {
        !Color::ALL.iter().any(|&side| self.may_castle(side, true) || self.may_castle(side, false))
    }
}

/// Returns the piece kinds that have a global for own number minus enemy number: all except kings.
/// Each item has the kind's index in [`Position::PIECES`] and the kind.
fn compared<P: Position>() -> impl Iterator<Item = (usize, &'static PieceType)> {
    P::PIECES.iter().enumerate().filter(|(_, piece)| piece.role != Role::King)
}

/// Returns the index of the first piece kind that is a king, or the number of kinds without one.
const fn king(pieces: &[PieceType]) -> usize {
    let mut kind = 0;
    while kind < pieces.len() && !matches!(pieces[kind].role, Role::King) {
        kind += 1;
    }
    kind
}

const fn compared_count(pieces: &[PieceType]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < pieces.len() {
        count += (!matches!(pieces[i].role, Role::King)) as usize;
        i += 1;
    }
    count
}

/// Calls `visit` for each square of each set, with the index of the set in `sets` and the square
/// index.
pub(crate) fn each_square<const FILES: usize, const RANKS: usize, const WORDS: usize>(
    sets: impl IntoIterator<Item = board::Squares<FILES, RANKS, WORDS>>,
    mut visit: impl FnMut(usize, usize),
) {
    for (number, set) in sets.into_iter().enumerate() {
        set.into_iter().for_each(|square| visit(number, square.index()));
    }
}

/// Implements the items of [`Planes`] that games share. `$kind` is the type of the pieces' kinds.
/// Without it, `each_piece` and `may_castle` are left out, for games with stacks of pieces.
///
/// `PLANES` must be the names of the game-specific planes, and `sets(&Scene::new(self))` must
/// return their squares. `policy::PLANES` must be the number of policy planes.
macro_rules! board_planes {
    () => {
        const PLANES: &'static [&'static str] = PLANES;

        const POLICY_PLANES: u16 = policy::PLANES;

        fn each_attacked(&self, side: Color, visit: impl FnMut(usize)) {
            self.attacks(side).into_iter().map(Square::index).for_each(visit);
        }

        fn each_en_passant(&self, visit: impl FnMut(usize)) {
            self.en_passant().into_iter().map(Square::index).for_each(visit);
        }

        fn each_extra(&self, visit: impl FnMut(usize, usize)) {
            each_square(sets(&Scene::new(self)), visit);
        }
    };
    ($kind:ty) => {
        board_planes!();

        fn each_piece(&self, mut visit: impl FnMut(Color, usize, usize)) {
            for side in Color::ALL {
                let kinds = <$kind>::ALL.map(|kind| self.pieces(side, kind));
                each_square(kinds, |kind, square| visit(side, kind, square));
            }
        }

        fn may_castle(&self, side: Color, kingside: bool) -> bool {
            self.may_castle(side, kingside)
        }
    };
}

pub(crate) use board_planes;

/// Names of the planes between the planes of pieces and the game-specific planes.
const SHARED: [&str; 3] = ["own attacks", "enemy attacks", "en passant"];

/// Names of the globals between the [`COMMON`] globals and the differences in piece numbers.
const STANDING: [&str; 2] = ["in check", "material"];

/// Returns the index of the first game-specific plane of a game with these piece kinds.
pub(crate) const fn own_planes_from(pieces: &[PieceType]) -> usize {
    2 * pieces.len() + SHARED.len()
}

/// Returns the index of the first game-specific global of a game with these piece kinds.
pub(crate) const fn own_globals_from(pieces: &[PieceType]) -> usize {
    COMMON.len() + STANDING.len() + compared_count(pieces)
}

/// Number of occupancy planes: own pieces and enemy pieces.
const FUTURE_PLANES: usize = 2;

fn view<P: Position>(side: Color, mirror: bool) -> View {
    View::new(P::FILES, P::RANKS, side, mirror)
}

impl<P: Planes> Encode for P {
    const LAYOUT: Layout = Layout {
        name: P::NAME,
        earlier: None,
        ranks: P::RANKS,
        files: P::FILES,
        planes: own_planes_from(P::PIECES) + P::PLANES.len() + CONSTANT.len(),
        piece_planes: 2 * P::PIECES.len(),
        king_plane: king(P::PIECES),
        attack_planes: [2 * P::PIECES.len(), 2 * P::PIECES.len() + 1],
        pawn_attack_planes: None,
        globals: own_globals_from(P::PIECES) + P::GLOBALS.len(),
        policy_planes: P::POLICY_PLANES as usize,
        future_planes: FUTURE_PLANES,
    };

    fn plane_names() -> Vec<String> {
        let pieces = |side| P::PIECES.iter().map(move |piece| format!("{side} {}s", piece.name));
        let others = SHARED.iter().chain(P::PLANES).chain(&CONSTANT).map(|name| name.to_string());
        pieces("own").chain(pieces("enemy")).chain(others).collect()
    }

    fn global_names() -> Vec<String> {
        let first = COMMON.iter().chain(&STANDING).map(|name| name.to_string());
        let ahead = compared::<P>().map(|(_, piece)| format!("{}s ahead", piece.name));
        first.chain(ahead).chain(P::GLOBALS.iter().map(|name| name.to_string())).collect()
    }

    fn inputs(&self, repetitions: u8, mirror: bool, globals: &mut [f32], mut set: impl FnMut(usize, usize)) {
        let layout = Self::LAYOUT;
        let us = self.side_to_move();
        let view = view::<P>(us, mirror);
        assert_eq!(globals.len(), layout.globals, "room for the globals");
        let mut mark = |plane: usize, square: usize| set(plane, view.square(square));
        let kinds = P::PIECES.len();
        self.each_piece(|side, kind, square| mark(if side == us { kind } else { kinds + kind }, square));
        self.each_attacked(us, |square| mark(2 * kinds, square));
        self.each_attacked(!us, |square| mark(2 * kinds + 1, square));
        self.each_en_passant(|square| mark(2 * kinds + 2, square));
        self.each_extra(|plane, square| mark(own_planes_from(P::PIECES) + plane, square));

        let start = P::start(self.rules());
        let worth = |position: &P| Color::ALL.iter().map(|side| position.material(*side)).sum::<i32>() as f32;
        let may_castle = |side, kingside| Planes::may_castle(self, side, kingside);
        let (shared, extra) = globals.split_at_mut(layout.globals - P::GLOBALS.len());
        let (head, others) = shared.split_at_mut(COMMON.len());
        let (standing, ahead) = others.split_at_mut(STANDING.len());
        head.copy_from_slice(&common(self, may_castle, repetitions));
        // A game may start with an empty board: material is then in pawns.
        standing.copy_from_slice(&[f32::from(self.in_check()), worth(self) / worth(&start).max(100.0)]);
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
