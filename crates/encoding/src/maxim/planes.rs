//! Game-specific inputs of Maxim chess. The shared inputs are in [`crate::planes`].
//!
//! A stack is two pieces on one square. Both are on the planes of their kinds. The piece that
//! arrived later is also on a plane of later occupants. These planes show the order of a stack, and
//! distinguish two pieces of one kind from a single piece. Maxim chess has no castling, so the
//! castling globals are 0. Attacked squares are squares on which a piece could capture.

use super::policy;
use crate::planes::{board_planes, each_square, own_globals_from, own_planes_from};
use crate::rows::rows;
use crate::{Planes, View};
use catapult_rules::{
    Color, Maxim, MaximMove, MaximMoveKind, Move, Phase, PieceKind, Position, Square, Squares,
};

rows! {
    /// Names of the game-specific planes, with their plane numbers.
    PLANES from 15 = own_planes_from(Maxim::PIECES);
    fn sets(s: &Scene) -> Squares;
    "own later pawns" "later occupants of stacks" = s.position.later(s.us, PieceKind::Pawn);
    "own later knights" = s.position.later(s.us, PieceKind::Knight);
    "own later bishops" = s.position.later(s.us, PieceKind::Bishop);
    "own later rooks" = s.position.later(s.us, PieceKind::Rook);
    "own later queens" = s.position.later(s.us, PieceKind::Queen);
    "own later kings" = s.position.later(s.us, PieceKind::King);
    "enemy later pawns" = s.position.later(!s.us, PieceKind::Pawn);
    "enemy later knights" = s.position.later(!s.us, PieceKind::Knight);
    "enemy later bishops" = s.position.later(!s.us, PieceKind::Bishop);
    "enemy later rooks" = s.position.later(!s.us, PieceKind::Rook);
    "enemy later queens" = s.position.later(!s.us, PieceKind::Queen);
    "enemy later kings" = s.position.later(!s.us, PieceKind::King);
    "own portals" = s.position.portals(s.us);
    "enemy portals" = s.position.portals(!s.us);
    "first portal" "in phase `@`, the square chosen first" = s.first_portal();
    "portal choices" "in phases `?` and `@`, the squares that may be chosen now" = s.portal_choices();
    "own pawn attacks" = s.position.pawn_attacks(s.us);
    "enemy pawn attacks" = s.position.pawn_attacks(!s.us);
    "checkers" "enemy pieces that could capture the king (rule 10)" = s.position.checkers();
    "own hanging" "own squares except the king's that are attacked and not defended" = s.men(s.us) & s.attacks[1] & !s.attacks[0];
    "enemy hanging" = s.men(!s.us) & s.attacks[0] & !s.attacks[1];
}

rows! {
    /// Names of the game-specific globals, with their numbers. A global is an input with one value
    /// per position.
    GLOBALS from 14 = own_globals_from(Maxim::PIECES);
    fn globals_of(p: &Maxim) -> f32;
    "phase ?" "1 while the first portal, or none, is chosen (rule 8)" = f32::from(p.phase() == Phase::First);
    "phase @" "1 while the second portal is chosen" = f32::from(matches!(p.phase(), Phase::Second(_)));
    "own stacks" "number / 8" = stacks(p, p.side_to_move()) / 8.0;
    "enemy stacks" "number / 8" = stacks(p, !p.side_to_move()) / 8.0;
}

/// Returns the number of stacks of `side`: squares that hold two of its pieces.
fn stacks(position: &Maxim, side: Color) -> f32 {
    (position.stacks() & position.occupied_by(side)).count() as f32
}

/// Intermediate results for the planes. `attacks` holds the squares that the side to move attacks,
/// then those of the enemy.
struct Scene<'a> {
    position: &'a Maxim,
    us: Color,
    attacks: [Squares; 2],
}

impl Scene<'_> {
    fn new(position: &Maxim) -> Scene<'_> {
        let us = position.side_to_move();
        Scene { position, us, attacks: [us, !us].map(|side| position.attacks(side)) }
    }

    fn men(&self, side: Color) -> Squares {
        self.position.occupied_by(side) & !Squares::of(self.position.king(side))
    }

    fn first_portal(&self) -> Squares {
        match self.position.phase() {
            Phase::Second(square) => Squares::of(square),
            _ => Squares::EMPTY,
        }
    }

    fn portal_choices(&self) -> Squares {
        if self.position.phase() == Phase::Move {
            return Squares::EMPTY;
        }
        let decisions = self.position.legal_moves().into_iter().map(MaximMove::of);
        decisions.filter(|decision| decision.kind == MaximMoveKind::Portal).map(|portal| portal.to).collect()
    }
}

impl Planes for Maxim {
    const NAME: &'static str = "maxim-8x8-1";

    const GLOBALS: &'static [&'static str] = GLOBALS;

    // Also within a turn, the en-passant square, if any, is marked. Within a turn, only the enemy
    // can capture there later.
    board_planes!();

    fn each_piece(&self, mut visit: impl FnMut(Color, usize, usize)) {
        for side in Color::ALL {
            for kind in PieceKind::ALL {
                for square in self.earlier(side, kind).into_iter().chain(self.later(side, kind)) {
                    visit(side, kind as usize, square.index());
                }
            }
        }
    }

    fn extra_globals(&self, globals: &mut [f32]) {
        globals.copy_from_slice(&globals_of(self));
    }

    fn policy_plane(&self, mv: Move, view: View) -> u16 {
        policy::plane(self, mv, view)
    }

    /// Returns true except in the phases in which portals are chosen. A pair of portals is chosen
    /// in board order, and flipped files change this order.
    fn can_mirror(&self) -> bool {
        self.phase() == Phase::Move
    }
}
