//! Rules of an ending on bitboards, 64 positions at a time. For a word (see [`Space`]), they
//! compute the squares of Black's king from which a move leads into given sets of positions.
//!
//! A word determines White's pieces, so White's moves are enumerated one by one, each with the
//! squares of Black's king that block it. Black's king moves as a set. Rule numbers refer to the
//! rules of Chess++.

mod black;
mod white;

use crate::geometry::{BOARD, bit, squares};
use crate::key::TableKey;
use crate::space::{Space, rank_of};
use catapult_rules::{Color, PieceKind};

/// Sets of positions with one side to move, by word: in the table and in its conversions.
#[derive(Clone, Copy)]
pub(crate) struct Sets<'a> {
    /// In the table.
    pub table: &'a [u64],
    /// In the table, after moves that reset the half-move clock.
    pub restarted: &'a [u64],
    /// Without catapults, by square of White's king and of its piece (64 per king).
    pub without: &'a [u64],
    /// After the piece's capture, by set of catapults and square of White's king. `Err` means all
    /// or none.
    pub kings: Result<&'a [u64], bool>,
    /// After a promotion, by set of catapults, square of White's king and file.
    pub promoted: &'a [u64],
    /// After the fresh catapult's move, by its square and an index as in `without`.
    pub used: &'a [u64],
}

/// Rules of one table.
pub(crate) struct TableRules {
    pub key: TableKey,
    pub space: Space,
}

/// The men of a word.
#[derive(Clone, Copy)]
pub(crate) struct Men {
    pub king: u8,
    /// [`NOWHERE`] if there is none.
    pub piece: u8,
    pub catapults: u64,
}

/// A move of a catapult, for all words with one set of catapults and one square of White's king.
struct CatapultStep {
    /// Origin and destination.
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

    /// Returns the squares where Black's king could be captured if White were to move.
    ///
    /// The king blocks no line beyond its own square, so one set covers all its squares.
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

    /// Returns true if a man of White could capture a king on this catapult by a teleport (rule
    /// 10).
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

    /// Returns the squares of Black's king from which it could capture White's king if Black were
    /// to move.
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

    /// Returns the squares of Black's king in legal positions: with White to move, and with Black
    /// to move.
    pub(crate) fn legal(&self, men: Men) -> [u64; 2] {
        let white = bit(men.king) | bit(men.piece);
        if men.king == men.piece || self.captured(men) {
            return [0, 0];
        }
        let mut free = !white;
        // The only catapult under the enemy's king would have been captured.
        if self.key.owner == Color::White && self.key.catapults() == 1 {
            free &= !men.catapults;
        }
        [free & !self.attacked_by_white(men), free & !self.attacked_by_black(men)]
    }

    /// Returns true if White's men are on all of Black's catapults and so capture them (rule 13).
    #[inline(always)]
    fn captured(&self, men: Men) -> bool {
        self.key.owner == Color::Black
            && men.catapults != 0
            && men.catapults & !(bit(men.king) | bit(men.piece)) == 0
    }

    /// Returns moves of a side's used catapults that White's king does not block (rules 1 and 2).
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

    /// Returns the first moves of a single fresh catapult (rule 3).
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

/// Returns the index of a word in [`Sets::without`].
#[inline(always)]
fn without(men: Men) -> usize {
    men.king as usize * 64 + (men.piece as usize & 63)
}

/// Returns the squares one king's step away from a set. A square of the set is included only if
/// another square of the set is next to it.
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

/// Returns the destinations of a pawn's single and double push.
fn pushes(pawn: u8) -> [u64; 2] {
    [bit(pawn + 8), if pawn < 16 { bit(pawn + 16) } else { 0 }]
}
