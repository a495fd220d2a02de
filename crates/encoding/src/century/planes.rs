//! Game-specific inputs of Twenty-First Century Chess. The shared inputs are in [`crate::planes`].

use super::policy;
use crate::planes::{board_planes, each_square, own_globals_from, own_planes_from};
use crate::rows::rows;
use crate::{Planes, View};
use catapult_rules::century::{Square, Squares};
use catapult_rules::{Century, CenturyPiece, Color, Move, Position};

rows! {
    /// Names of the game-specific planes, with their plane numbers.
    PLANES from 21 = own_planes_from(Century::PIECES);
    fn sets(s: &Scene) -> Squares;
    "own pawn attacks" "by pawns and Jesters" = s.pawns(s.us);
    "enemy pawn attacks" = s.pawns(!s.us);
    "checkers" "enemy pieces that give check" = s.position.checkers();
    "own hanging" "own pieces except the king that are attacked and not defended" = s.hanging(s.us, 0);
    "enemy hanging" = s.hanging(!s.us, 1);
}

rows! {
    /// Names of the game-specific globals, with their numbers. A global is an input with one value
    /// per position.
    GLOBALS from 17 = own_globals_from(Century::PIECES);
    fn globals_of(p: &Century) -> f32;
    "own right to declare" "1 while a Jester may be declared (rule 3)" = f32::from(p.may_declare(p.side_to_move()));
    "enemy right to declare" = f32::from(p.may_declare(!p.side_to_move()));
}

/// Intermediate results for the planes. `attacks` holds the squares that the side to move attacks,
/// then those of the enemy.
struct Scene<'a> {
    position: &'a Century,
    us: Color,
    attacks: [Squares; 2],
}

impl Scene<'_> {
    fn new(position: &Century) -> Scene<'_> {
        let us = position.side_to_move();
        Scene { position, us, attacks: [us, !us].map(|side| position.attacks(side)) }
    }

    fn pawns(&self, side: Color) -> Squares {
        let [pawns, jesters] =
            [CenturyPiece::Pawn, CenturyPiece::Jester].map(|kind| self.position.pieces(side, kind));
        (pawns | jesters).pawn_attacks(side)
    }

    /// Returns the squares of `side`'s pieces, except the king, that the opponent attacks and
    /// `side` does not defend. `defence` is the index of `side` in `attacks`.
    fn hanging(&self, side: Color, defence: usize) -> Squares {
        let men = self.position.occupied_by(side).without(self.position.pieces(side, CenturyPiece::King));
        (men & self.attacks[1 - defence]).without(self.attacks[defence])
    }
}

impl Planes for Century {
    const NAME: &'static str = "century-10x8-1";

    const GLOBALS: &'static [&'static str] = GLOBALS;

    board_planes!(CenturyPiece);

    fn extra_globals(&self, globals: &mut [f32]) {
        globals.copy_from_slice(&globals_of(self));
    }

    fn policy_plane(&self, mv: Move, view: View) -> u16 {
        policy::plane(mv, view)
    }
}
