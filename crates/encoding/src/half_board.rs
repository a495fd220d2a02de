//! The 12x12 layout of Chess and a Half: [`crate::planes`] with the game's own.
//!
//! Everything is seen from the side to move: its first rank is rank 0 (ranks are flipped for Black), "own" is the side to
//! move. Planes hold 0 or 1 unless said otherwise.
//!
//! | plane | name | what |
//! |---|---|---|
//! | 0 | own pawns | |
//! | 1 | own knights | |
//! | 2 | own bishops | |
//! | 3 | own rooks | |
//! | 4 | own queens | |
//! | 5 | own kings | |
//! | 6 | own Guards | |
//! | 7 | own Cats | |
//! | 8 | own Star Cats | |
//! | 9 | own Nightriders | |
//! | 10 | enemy pawns | |
//! | 11 | enemy knights | |
//! | 12 | enemy bishops | |
//! | 13 | enemy rooks | |
//! | 14 | enemy queens | |
//! | 15 | enemy kings | |
//! | 16 | enemy Guards | |
//! | 17 | enemy Cats | |
//! | 18 | enemy Star Cats | |
//! | 19 | enemy Nightriders | |
//! | 20 | own attacks | squares that own pieces attack |
//! | 21 | enemy attacks | |
//! | 22 | en passant | the squares on which a pawn can be captured in passing |
//! | 23 | own unmoved knights | those that may still leap twice (rule 4) |
//! | 24 | enemy unmoved knights | |
//! | 25 | own pawn attacks | |
//! | 26 | enemy pawn attacks | |
//! | 27 | checkers | enemy pieces that give check |
//! | 28 | own hanging | own pieces but the king that are attacked and not defended |
//! | 29 | enemy hanging | |
//! | 30 | own threatened | own pieces but the king that a piece of less worth attacks |
//! | 31 | enemy threatened | |
//! | 32 | board | 1 on every square: tells the edge from an empty square |
//! | 33 | rank | from 0 on the own first rank to 1 on the last |
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
//! | 10 | knights ahead | / 2 |
//! | 11 | bishops ahead | / 2 |
//! | 12 | rooks ahead | / 2 |
//! | 13 | queens ahead | / 2 |
//! | 14 | Guards ahead | / 2 |
//! | 15 | Cats ahead | / 2 |
//! | 16 | Star Cats ahead | / 2 |
//! | 17 | Nightriders ahead | / 2 |
//!
//! What will stand on the board (auxiliary targets): own pieces, enemy pieces.
//! The policy is described in [`crate::half_policy`].

use crate::{Planes, View, half_policy};
use catapult_rules::half::Squares;
use catapult_rules::{Color, Half, HalfPiece, Move, Position};

const KINDS: usize = HalfPiece::ALL.len();

/// One side's pieces and what they attack, by kind.
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

    /// All squares it attacks.
    fn all_attacks(&self) -> Squares {
        self.attacks.iter().fold(Squares::EMPTY, |all, attacks| all | *attacks)
    }

    /// All of its pieces that may be captured.
    fn men(&self) -> Squares {
        let kings = self.kinds[HalfPiece::King as usize];
        self.kinds.iter().fold(Squares::EMPTY, |all, kind| all | *kind).without(kings)
    }

    /// Its pieces that one of less worth attacks.
    fn threatened(&self, by: &Side) -> Squares {
        let mut threatened = Squares::EMPTY;
        // A king is worth nothing in figures: it never threatens.
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

    const PLANES: &'static [&'static str] = &[
        "own unmoved knights",
        "enemy unmoved knights",
        "own pawn attacks",
        "enemy pawn attacks",
        "checkers",
        "own hanging",
        "enemy hanging",
        "own threatened",
        "enemy threatened",
    ];

    const GLOBALS: &'static [&'static str] = &[];

    const POLICY_PLANES: u16 = half_policy::PLANES;

    fn each_piece(&self, mut visit: impl FnMut(Color, usize, usize)) {
        for side in Color::ALL {
            for kind in HalfPiece::ALL {
                for square in self.pieces(side, kind) {
                    visit(side, kind as usize, square.index());
                }
            }
        }
    }

    fn each_attacked(&self, side: Color, mut visit: impl FnMut(usize)) {
        for square in self.attacks(side) {
            visit(square.index());
        }
    }

    fn each_en_passant(&self, mut visit: impl FnMut(usize)) {
        for square in self.en_passant() {
            visit(square.index());
        }
    }

    fn may_castle(&self, side: Color, kingside: bool) -> bool {
        Half::may_castle(self, side, kingside)
    }

    fn each_extra(&self, mut visit: impl FnMut(usize, usize)) {
        let us = self.side_to_move();
        let [own, enemy] = [us, !us].map(|side| Side::new(self, side));
        let [own_attacks, enemy_attacks] = [&own, &enemy].map(Side::all_attacks);
        let sets = [
            self.unmoved_knights(us),
            self.unmoved_knights(!us),
            own.attacks[HalfPiece::Pawn as usize],
            enemy.attacks[HalfPiece::Pawn as usize],
            self.checkers(),
            (own.men() & enemy_attacks).without(own_attacks),
            (enemy.men() & own_attacks).without(enemy_attacks),
            own.threatened(&enemy),
            enemy.threatened(&own),
        ];
        for (plane, set) in sets.into_iter().enumerate() {
            for square in set {
                visit(plane, square.index());
            }
        }
    }

    fn policy_plane(&self, mv: Move, view: View) -> u16 {
        half_policy::plane(self, mv, view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documented::{rows, tables};
    use crate::planes::{global_names, plane_names};

    #[test]
    fn the_documented_tables_are_the_layout() {
        let documented = tables(include_str!("half_board.rs"), &["plane", "global"]);
        assert_eq!(documented, [rows(&plane_names::<Half>()), rows(&global_names::<Half>())]);
    }
}
