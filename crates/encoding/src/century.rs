//! Twenty-First Century Chess: what it adds to the layout of [`crate::planes`].
//!
//! Everything is seen from the side to move. Planes hold 0 or 1 unless said otherwise.
//!
//! | plane | name | what |
//! |---|---|---|
//! | 0 | own pawns | |
//! | 1 | own knights | |
//! | 2 | own bishops | |
//! | 3 | own rooks | |
//! | 4 | own queens | |
//! | 5 | own kings | |
//! | 6 | own Barons | |
//! | 7 | own Sorcerers | |
//! | 8 | own Jesters | |
//! | 9 | enemy pawns | |
//! | 10 | enemy knights | |
//! | 11 | enemy bishops | |
//! | 12 | enemy rooks | |
//! | 13 | enemy queens | |
//! | 14 | enemy kings | |
//! | 15 | enemy Barons | |
//! | 16 | enemy Sorcerers | |
//! | 17 | enemy Jesters | |
//! | 18 | own attacks | squares that own pieces attack |
//! | 19 | enemy attacks | |
//! | 20 | en passant | the square on which a pawn can be captured in passing |
//! | 21 | own pawn attacks | by pawns and Jesters |
//! | 22 | enemy pawn attacks | |
//! | 23 | checkers | enemy pieces that give check |
//! | 24 | own hanging | own pieces but the king that are attacked and not defended |
//! | 25 | enemy hanging | |
//! | 26 | board | 1 on every square |
//! | 27 | rank | from 0 on the own first rank to 1 on the last |
//!
//! | global | name | what |
//! |---|---|---|
//! | 0 | own castling, king's side | 1 while the right is left |
//! | 1 | own castling, queen's side | |
//! | 2 | enemy castling, king's side | |
//! | 3 | enemy castling, queen's side | |
//! | 4 | clock | half-move clock / 100, at most 1 |
//! | 5 | seen once | 1 if the position has occurred before in the game |
//! | 6 | seen twice | 1 if it has occurred at least twice before |
//! | 7 | in check | |
//! | 8 | material | of both sides, 1 at the start |
//! | 9 | pawns ahead | own number less the enemy's, / 2 |
//! | 10 | knights ahead | |
//! | 11 | bishops ahead | |
//! | 12 | rooks ahead | |
//! | 13 | queens ahead | |
//! | 14 | Barons ahead | |
//! | 15 | Sorcerers ahead | |
//! | 16 | Jesters ahead | |
//! | 17 | own right to declare | 1 while a Jester may be declared (rule 3) |
//! | 18 | enemy right to declare | |
//!
//! Policy: a move is read at a plane and its origin.
//!
//! | planes | moves |
//! |---|---|
//! | 0..72 | steps as a queen makes them: `direction * 9 + distance - 1`, directions clockwise from forwards; promotions (there is one choice) and castling kings are among them |
//! | 72..80 | knights' leaps, clockwise from one right, two forwards |
//! | 80..84 | pawns declared Jesters (rule 3): one step to the left, ahead, to the right, two steps ahead |

use crate::{Planes, View, leap_plane, step_plane, step_planes};
use catapult_rules::century::{Square, Squares};
use catapult_rules::{Century, CenturyMove, CenturyPiece, Color, Move, Position};

const LEAPS: u16 = step_planes(10);
const DECLARATIONS: u16 = LEAPS + 8;

impl Planes for Century {
    const NAME: &'static str = "century-10x8-1";

    const PLANES: &'static [&'static str] =
        &["own pawn attacks", "enemy pawn attacks", "checkers", "own hanging", "enemy hanging"];

    const GLOBALS: &'static [&'static str] = &["own right to declare", "enemy right to declare"];

    const POLICY_PLANES: u16 = DECLARATIONS + 4;

    fn each_piece(&self, mut visit: impl FnMut(Color, usize, usize)) {
        for side in Color::ALL {
            for kind in CenturyPiece::ALL {
                self.pieces(side, kind)
                    .into_iter()
                    .for_each(|square| visit(side, kind as usize, square.index()));
            }
        }
    }

    fn each_attacked(&self, side: Color, visit: impl FnMut(usize)) {
        self.attacks(side).into_iter().map(Square::index).for_each(visit);
    }

    fn each_en_passant(&self, visit: impl FnMut(usize)) {
        self.en_passant().into_iter().map(Square::index).for_each(visit);
    }

    fn may_castle(&self, side: Color, kingside: bool) -> bool {
        self.may_castle(side, kingside)
    }

    fn each_extra(&self, mut visit: impl FnMut(usize, usize)) {
        let us = self.side_to_move();
        let [own, enemy] = [us, !us].map(|side| self.attacks(side));
        let pawns = |side: Color| {
            let walkers = self.pieces(side, CenturyPiece::Pawn) | self.pieces(side, CenturyPiece::Jester);
            walkers.pawn_attacks(side)
        };
        let hanging = |side: Color, attacked: Squares, defended: Squares| {
            let others = self.occupied_by(side).without(self.pieces(side, CenturyPiece::King));
            (others & attacked).without(defended)
        };
        let sets =
            [pawns(us), pawns(!us), self.checkers(), hanging(us, enemy, own), hanging(!us, own, enemy)];
        for (plane, set) in sets.into_iter().enumerate() {
            set.into_iter().for_each(|square| visit(plane, square.index()));
        }
    }

    fn extra_globals(&self, globals: &mut [f32]) {
        let us = self.side_to_move();
        globals.copy_from_slice(&[us, !us].map(|side| f32::from(u8::from(self.may_declare(side)))));
    }

    fn policy_plane(&self, mv: Move, view: View) -> u16 {
        let way = view.way(usize::from(mv.from()), usize::from(mv.to()));
        if CenturyMove::of(mv) == CenturyMove::Declare {
            let (files, ranks) = way;
            return DECLARATIONS + if ranks == 2 { 3 } else { (files + 1).clamp(0, 2) as u16 };
        }
        leap_plane(way).map_or_else(|| step_plane(way, 10), |leap| LEAPS + leap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documented::holds;

    #[test]
    fn the_documented_tables_are_the_layout() {
        holds::<Century>(include_str!("century.rs"), &[0, LEAPS, DECLARATIONS]);
    }
}
