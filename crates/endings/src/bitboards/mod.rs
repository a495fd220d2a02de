//! Moves of an ending on bitboards, 64 positions at a time. A bitboard belongs to one placement of
//! White's men and the catapults (see [`crate::space`]), and its bits are the squares of Black's
//! king. The functions return bitboards of the positions from which a move leads into given sets of
//! positions.
//!
//! White's moves are enumerated one by one, because the squares of White's men are fixed for a
//! bitboard. Each move comes with the squares of Black's king that block it. The moves of Black's
//! king are computed for all its squares at once. Rule numbers refer to the rules of Chess++.

mod black;
mod white;

use crate::geometry::{BOARD, bit, squares};
use crate::key::TableKey;
use crate::space::{Men, Space, rank_of};
use catapult_rules::{Color, PieceKind};

/// Positions with one side to move, in the table and in its conversions (see
/// [`crate::conversions`]). Each `u64` is a bitboard of the squares of Black's king.
#[derive(Clone, Copy)]
pub(crate) struct Sets<'a> {
    /// Positions in the table. The index is the number of the bitboard in [`Space`].
    pub table: &'a [u64],
    /// Positions in the table after moves that reset the half-move clock, with the index of
    /// `table`.
    pub reset: &'a [u64],
    /// Positions after the capture of all catapults. The index is 64 times the square of White's
    /// king plus the square of White's piece.
    pub without: &'a [u64],
    /// Positions after the capture of White's piece. The index is 64 times the number of the
    /// catapults' placement plus the square of White's king. `Err(true)` means all positions,
    /// `Err(false)` none.
    pub kings: Result<&'a [u64], bool>,
    /// Positions after a promotion. With the number of the catapults' placement, the square of
    /// White's king and the file of the pawn, the index is (number * 64 + square) * 8 + file.
    pub promoted: &'a [u64],
    /// Positions after the first move of the fresh catapult. The index is 4096 times the catapult's
    /// new square plus an index as in `without`.
    pub used: &'a [u64],
}

/// An ending with the numbering of its positions.
pub(crate) struct TableRules {
    pub key: TableKey,
    pub space: Space,
}

/// A move of a catapult, for all squares of White's piece and Black's king. `base` is the number of
/// the first bitboard after the move.
struct CatapultStep {
    /// Bitboard of the origin and the destination.
    squares: u64,
    base: usize,
}

impl TableRules {
    pub(crate) fn of(key: TableKey) -> TableRules {
        TableRules { key, space: Space::of(&key) }
    }

    pub(crate) fn men(&self, set: usize, king: usize, place: usize) -> Men {
        Men { king: self.space.kings[king], piece: self.space.piece(place), catapults: self.space.sets[set] }
    }

    /// Returns the squares on which White could capture Black's king if White were to move.
    ///
    /// Black's king does not block a line to its own square. So one bitboard is right for all
    /// squares of the king.
    pub(crate) fn attacked_by_white(&self, men: Men) -> u64 {
        let Men { king, piece, .. } = men;
        let mut set = BOARD.king[king as usize];
        match self.key.piece {
            Some(PieceKind::Pawn) => set |= pawn_attacks(piece),
            Some(kind) => set |= BOARD.reach(kind, piece, king),
            None => {}
        }
        if self.key.owner == Color::White {
            for target in squares(men.catapults) {
                if self.teleports_onto(men, target) {
                    set |= bit(target);
                }
            }
        }
        set
    }

    /// Returns true if a man of White could capture Black's king on the catapult `target` by a
    /// teleport (rule 10 of Chess++).
    fn teleports_onto(&self, men: Men, target: u8) -> bool {
        let Men { king, piece, catapults } = men;
        let others = catapults & !bit(target);
        let is_pawn = self.key.has_pawn();
        // With `+pawns` a pawn teleports, except onto its first rank.
        let piece_may = piece != target && (!is_pawn || self.key.pawns && target >= 8);
        if others & bit(king) != 0 || piece_may && others & bit(piece) != 0 {
            return true;
        }
        if !self.key.instant {
            return false;
        }
        let middles = others & !bit(king) & !bit(piece);
        if king != target && BOARD.king[king as usize] & middles != 0 {
            return true;
        }
        if !piece_may {
            return false;
        }
        match self.key.piece {
            Some(PieceKind::Pawn) => {
                let blocked = bit(king) | bit(target);
                let [push, double] = pushes(piece);
                let mut reached = push & !blocked;
                if reached != 0 {
                    reached |= double & !blocked;
                }
                reached & middles & !LAST != 0
            }
            Some(kind) => squares(BOARD.reach(kind, piece, king) & middles)
                .any(|middle| BOARD.between(piece, middle) & bit(target) == 0),
            None => false,
        }
    }

    /// Returns the squares from which Black's king could capture White's king if Black were to
    /// move.
    pub(crate) fn attacked_by_black(&self, men: Men) -> u64 {
        let mut set = BOARD.king[men.king as usize];
        if self.key.owner == Color::Black && men.catapults & bit(men.king) != 0 {
            let others = men.catapults & !bit(men.king);
            set |= others;
            if self.key.instant {
                set |= squares(others).fold(0, |set, middle| set | BOARD.king[middle as usize]);
            }
        }
        set
    }

    /// Returns the squares of Black's king in legal positions: with White to move, then with Black
    /// to move.
    pub(crate) fn legal(&self, men: Men) -> [u64; 2] {
        let white = bit(men.king) | bit(men.piece);
        if men.king == men.piece || self.captured(men) {
            return [0, 0];
        }
        let mut free = !white;
        // Black's king would have captured White's only catapult.
        if self.key.owner == Color::White && self.key.catapults() == 1 {
            free &= !men.catapults;
        }
        [free & !self.attacked_by_white(men), free & !self.attacked_by_black(men)]
    }

    /// Returns true if White's men stand on all of Black's catapults, which captures them (rule 13
    /// of Chess++).
    #[inline(always)]
    pub(crate) fn captured(&self, men: Men) -> bool {
        self.key.owner == Color::Black
            && men.catapults != 0
            && men.catapults & !(bit(men.king) | bit(men.piece)) == 0
    }

    /// Returns the moves of the catapults of `side` that White's king does not block (rules 1 and 2
    /// of Chess++). A fresh catapult is not included. `set` and `king` are the numbers of the
    /// catapults' placement and of White's king in [`Space`].
    fn catapult_steps(&self, set: usize, king: usize, side: Color) -> Vec<CatapultStep> {
        let mut found = Vec::new();
        if self.key.owner != side || self.key.fresh > 0 {
            return found;
        }
        let (catapults, king_bit) = (self.space.sets[set], bit(self.space.kings[king]));
        for from in squares(catapults & !king_bit) {
            for to in squares(BOARD.king[from as usize] & !catapults & !king_bit) {
                let moved = rank_of(catapults & !bit(from) | bit(to));
                let base = self.space.base(moved, king);
                found.push(CatapultStep { squares: bit(from) | bit(to), base });
            }
        }
        found
    }

    /// Returns the squares of Black's king from which the first move of the fresh catapult leads
    /// into `to` (rule 3 of Chess++).
    fn fresh_steps(&self, men: Men, to: &Sets) -> u64 {
        let Men { king, piece, catapults } = men;
        let white = bit(king) | bit(piece);
        let from = catapults.trailing_zeros() as usize & 63;
        if catapults & white != 0 {
            return 0;
        }
        squares(BOARD.near[from] & !white)
            .fold(0, |set, end| set | to.used[end as usize * 4096 + without(men)] & !catapults & !bit(end))
    }
}

const FIRST: u64 = 0xff;
const LAST: u64 = 0xff << 56;

/// Returns the index in [`Sets::without`] of the position with these men after the capture of all
/// catapults.
#[inline(always)]
fn without(men: Men) -> usize {
    men.king as usize * 64 + (men.piece as usize & 63)
}

/// Returns all squares that are next to a square of the bitboard `set`.
#[inline(always)]
fn around(set: u64) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let sides = (set & !(FILE_A << 7)) << 1 | (set & !FILE_A) >> 1;
    let row = set | sides;
    sides | row << 8 | row >> 8
}

fn pawn_attacks(pawn: u8) -> u64 {
    BOARD.king[pawn as usize & 63] & (0xff << (pawn / 8 * 8 + 8)) & !bit(pawn + 8)
}

/// Returns the destinations of a white pawn's single and double push, as bitboards. The second is
/// empty if the pawn is not on the second rank.
fn pushes(pawn: u8) -> [u64; 2] {
    [bit(pawn + 8), if pawn < 16 { bit(pawn + 16) } else { 0 }]
}
