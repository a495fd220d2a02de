//! Game-specific inputs of Chess and a Half. The shared inputs are in [`crate::planes`].

use super::policy;
use crate::planes::{board_planes, each_square, own_planes_from};
use crate::rows::rows;
use crate::{Planes, View};
use catapult_rules::half::{Square, Squares};
use catapult_rules::{Color, Half, HalfPiece, Move, Position};

rows! {
    /// Names of the game-specific planes, with their plane numbers.
    PLANES from 23 = own_planes_from(Half::PIECES);
    fn sets(s: &Scene) -> Squares;
    "own unmoved knights" "knights that may still leap twice (rule 4)" = s.position.unmoved_knights(s.us);
    "enemy unmoved knights" = s.position.unmoved_knights(!s.us);
    "own pawn attacks" = s.own.attacks[HalfPiece::Pawn as usize];
    "enemy pawn attacks" = s.enemy.attacks[HalfPiece::Pawn as usize];
    "checkers" "enemy pieces that give check" = s.position.checkers();
    "own hanging" "own pieces except the king that are attacked and not defended" = (s.own.men() & s.enemy.all_attacks()).without(s.own.all_attacks());
    "enemy hanging" = (s.enemy.men() & s.own.all_attacks()).without(s.enemy.all_attacks());
    "own threatened" "own pieces except the king that a cheaper piece attacks" = s.own.threatened(&s.enemy);
    "enemy threatened" = s.enemy.threatened(&s.own);
}

const KINDS: usize = HalfPiece::ALL.len();

/// Intermediate results for the planes, as sets of squares of the board (not flipped for Black).
struct Scene<'a> {
    position: &'a Half,
    us: Color,
    own: Side,
    enemy: Side,
}

impl Scene<'_> {
    fn new(position: &Half) -> Scene<'_> {
        let us = position.side_to_move();
        Scene { position, us, own: Side::new(position, us), enemy: Side::new(position, !us) }
    }
}

/// Squares of one side's pieces, and the squares that they attack. Both arrays are indexed by
/// [`HalfPiece`].
struct Side {
    kinds: [Squares; KINDS],
    attacks: [Squares; KINDS],
}

impl Side {
    fn new(position: &Half, side: Color) -> Side {
        Side {
            kinds: HalfPiece::ALL.map(|kind| position.pieces(side, kind)),
            attacks: HalfPiece::ALL.map(|kind| position.attacks_of(side, kind)),
        }
    }

    /// Returns all squares that this side attacks.
    fn all_attacks(&self) -> Squares {
        self.attacks.iter().fold(Squares::EMPTY, |all, attacks| all | *attacks)
    }

    /// Returns the squares of all pieces of this side except the king.
    fn men(&self) -> Squares {
        let kings = self.kinds[HalfPiece::King as usize];
        self.kinds.iter().fold(Squares::EMPTY, |all, kind| all | *kind).without(kings)
    }

    /// Returns the squares of this side's pieces, except the king, that a cheaper piece of `by`
    /// attacks.
    fn threatened(&self, by: &Side) -> Squares {
        let mut threatened = Squares::EMPTY;
        // Excludes the king: its value of 0 would make it cheaper than every piece.
        for cheaper in HalfPiece::ALL.into_iter().filter(|kind| *kind != HalfPiece::King) {
            for kind in HalfPiece::ALL.into_iter().filter(|kind| kind.value() > cheaper.value()) {
                threatened |= self.kinds[kind as usize] & by.attacks[cheaper as usize];
            }
        }
        threatened
    }
}

impl Planes for Half {
    const NAME: &'static str = "half-12x12-1";

    const GLOBALS: &'static [&'static str] = &[];

    board_planes!(HalfPiece);

    fn policy_plane(&self, mv: Move, view: View) -> u16 {
        policy::plane(mv, view)
    }
}
