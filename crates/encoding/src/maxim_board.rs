//! The 8x8 layout of Maxim chess: [`crate::planes`] with the game's own.
//!
//! Everything is seen from the side to move: its first rank is rank 0 (ranks are flipped for Black), "own" is the side to
//! move. Planes hold 0 or 1 unless said otherwise. Both members of a stack are on the planes of their kinds; the later one
//! also on a plane of later occupants, which tells the order, and two of a kind from one.
//!
//! | plane | name | what |
//! |---|---|---|
//! | 0 | own pawns | |
//! | 1 | own knights | |
//! | 2 | own bishops | |
//! | 3 | own rooks | |
//! | 4 | own queens | |
//! | 5 | own kings | |
//! | 6 | enemy pawns | |
//! | 7 | enemy knights | |
//! | 8 | enemy bishops | |
//! | 9 | enemy rooks | |
//! | 10 | enemy queens | |
//! | 11 | enemy kings | |
//! | 12 | own attacks | squares on which own pieces would capture |
//! | 13 | enemy attacks | |
//! | 14 | en passant | the square on which a pawn can be captured in passing |
//! | 15 | own later pawns | later occupants of stacks |
//! | 16 | own later knights | |
//! | 17 | own later bishops | |
//! | 18 | own later rooks | |
//! | 19 | own later queens | |
//! | 20 | own later kings | |
//! | 21 | enemy later pawns | |
//! | 22 | enemy later knights | |
//! | 23 | enemy later bishops | |
//! | 24 | enemy later rooks | |
//! | 25 | enemy later queens | |
//! | 26 | enemy later kings | |
//! | 27 | own portals | |
//! | 28 | enemy portals | |
//! | 29 | first portal | in phase `@` the square chosen first |
//! | 30 | portal choices | in the phases `?` and `@` the squares that may be chosen now |
//! | 31 | own pawn attacks | |
//! | 32 | enemy pawn attacks | |
//! | 33 | checkers | enemy pieces that could capture the king (rule 10) |
//! | 34 | own hanging | own squares but the king's that are attacked and not defended |
//! | 35 | enemy hanging | |
//! | 36 | board | 1 on every square: tells the edge from an empty square |
//! | 37 | rank | from 0 on the own first rank to 1 on the last |
//!
//! | global | name | what |
//! |---|---|---|
//! | 0 | own castling, king's side | always 0: nobody castles |
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
//! | 14 | phase ? | 1 while the first portal is chosen, or none (rule 8) |
//! | 15 | phase @ | 1 while the second is chosen |
//! | 16 | own stacks | number / 8 |
//! | 17 | enemy stacks | number / 8 |
//!
//! What will stand on the board (auxiliary targets): own pieces, enemy pieces.
//! The policy is described in [`crate::maxim_policy`].

use crate::{Planes, View, maxim_policy};
use catapult_rules::{Color, Decision, Maxim, Move, Phase, PieceKind, Position, Squares};

/// Sets of squares that are planes of this game alone, those of later occupants apart.
const SETS: usize = 9;

impl Planes for Maxim {
    const NAME: &'static str = "maxim-8x8-1";

    const PLANES: &'static [&'static str] = &[
        "own later pawns",
        "own later knights",
        "own later bishops",
        "own later rooks",
        "own later queens",
        "own later kings",
        "enemy later pawns",
        "enemy later knights",
        "enemy later bishops",
        "enemy later rooks",
        "enemy later queens",
        "enemy later kings",
        "own portals",
        "enemy portals",
        "first portal",
        "portal choices",
        "own pawn attacks",
        "enemy pawn attacks",
        "checkers",
        "own hanging",
        "enemy hanging",
    ];

    const GLOBALS: &'static [&'static str] = &["phase ?", "phase @", "own stacks", "enemy stacks"];

    const POLICY_PLANES: u16 = maxim_policy::PLANES;

    fn each_piece(&self, mut visit: impl FnMut(Color, usize, usize)) {
        for side in Color::ALL {
            for kind in PieceKind::ALL {
                for square in self.earlier(side, kind).into_iter().chain(self.later(side, kind)) {
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

    /// In the middle of a turn the square is the enemy's to capture on; it is shown all the same.
    fn each_en_passant(&self, mut visit: impl FnMut(usize)) {
        if let Some(square) = self.en_passant() {
            visit(square.index());
        }
    }

    fn each_extra(&self, mut visit: impl FnMut(usize, usize)) {
        let us = self.side_to_move();
        let later = [us, !us].into_iter().flat_map(|side| PieceKind::ALL.map(|kind| self.later(side, kind)));
        for (plane, set) in later.chain(sets(self)).enumerate() {
            for square in set {
                visit(plane, square.index());
            }
        }
    }

    fn extra_globals(&self, globals: &mut [f32]) {
        let us = self.side_to_move();
        let flag = |set: bool| f32::from(u8::from(set));
        let stacks = |side| (self.stacks() & self.occupied_by(side)).count() as f32 / 8.0;
        globals.copy_from_slice(&[
            flag(self.phase() == Phase::First),
            flag(matches!(self.phase(), Phase::Second(_))),
            stacks(us),
            stacks(!us),
        ]);
    }

    fn policy_plane(&self, mv: Move, view: View) -> u16 {
        maxim_policy::plane(self, mv, view)
    }

    /// A pair of portals is named in the order of the board, which is not that of the mirrored one.
    fn can_mirror(&self) -> bool {
        self.phase() == Phase::Move
    }
}

fn sets(position: &Maxim) -> [Squares; SETS] {
    let us = position.side_to_move();
    let attacks = [us, !us].map(|side| position.attacks(side));
    let men = |side| position.occupied_by(side) & !Squares::of(position.king(side));
    let first = match position.phase() {
        Phase::Second(square) => Squares::of(square),
        _ => Squares::EMPTY,
    };
    let choices = match position.phase() {
        Phase::Move => Squares::EMPTY,
        _ => position
            .legal_moves()
            .into_iter()
            .filter_map(|mv| match Maxim::decision(mv) {
                Decision::Portal(square) => Some(square),
                _ => None,
            })
            .collect(),
    };
    [
        position.portals(us),
        position.portals(!us),
        first,
        choices,
        position.pawn_attacks(us),
        position.pawn_attacks(!us),
        position.checkers(),
        men(us) & attacks[1] & !attacks[0],
        men(!us) & attacks[0] & !attacks[1],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planes::{global_names, plane_names};

    #[test]
    fn the_documented_tables_are_the_layout() {
        let documented: Vec<String> = include_str!("maxim_board.rs")
            .lines()
            .filter_map(|line| line.strip_prefix("//! | "))
            .filter(|row| row.starts_with(|first: char| first.is_ascii_digit()))
            .map(|row| row.split(" | ").take(2).collect::<Vec<_>>().join(" "))
            .collect();
        let numbered =
            |names: Vec<String>| names.into_iter().enumerate().map(|(index, name)| format!("{index} {name}"));
        let layout: Vec<String> =
            numbered(plane_names::<Maxim>()).chain(numbered(global_names::<Maxim>())).collect();
        assert_eq!(documented, layout);
        assert_eq!(<Maxim as Planes>::PLANES.len(), 12 + SETS);
    }
}
