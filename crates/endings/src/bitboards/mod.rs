//! The rules of an ending, 64 positions at a time: for a word (see [`Space`]) the squares of Black's king from which a move leads
//! into given sets of positions.
//!
//! Everything of White's is known within a word, so White's moves are enumerated one by one, each with the squares where
//! Black's king would be in its way; Black's king moves as a set. Rule numbers are those of the rules of Chess++.

mod black;
mod white;

use crate::geometry::{BOARD, bit, squares};
use crate::key::TableKey;
use crate::space::{Space, rank_of};
use catapult_rules::{Color, PieceKind};

/// Sets of positions with one side to move, by word: those of the table, and those that moves out of it lead to.
#[derive(Clone, Copy)]
pub(crate) struct Sets<'a> {
    /// Of the table.
    pub table: &'a [u64],
    /// Of the table, for moves after which the clock is 0.
    pub restarted: &'a [u64],
    /// Without the catapults, by square of White's king and of its piece (64 a king).
    pub without: &'a [u64],
    /// After the piece is captured: by set of catapults and square of White's king; none: all or nothing.
    pub kings: Result<&'a [u64], bool>,
    /// After a promotion, by set of catapults, square of White's king and file.
    pub promoted: &'a [u64],
    /// After the fresh catapult's move, by set and square of White's king and piece as in `without`.
    pub used: &'a [u64],
}

/// The rules of one table.
pub(crate) struct Words {
    pub key: TableKey,
    pub space: Space,
}

/// A word taken apart.
#[derive(Clone, Copy)]
pub(crate) struct Men {
    pub king: u8,
    /// [`NOWHERE`] if there is none.
    pub piece: u8,
    pub catapults: u64,
}

/// A catapult's move likewise.
struct CatapultStep {
    /// Its two squares.
    squares: u64,
    base: usize,
}

impl Words {
    pub(crate) fn of(key: TableKey) -> Words {
        Words { key, space: Space::of(&key) }
    }

    pub(crate) fn men(&self, set: usize, king: usize, place: usize) -> Men {
        Men { king: self.space.kings[king], piece: self.space.piece(place), catapults: self.space.sets[set] }
    }

    /// The squares where Black's king could be captured, were White to move. It blocks nothing but its own square, so
    /// one set serves for all of them.
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

    /// Whether a man of White's could capture a king on this catapult by a teleport (rule 10).
    fn teleports_onto(&self, men: Men, target: u8) -> bool {
        let Men { king, piece, catapults } = men;
        let others = catapults & !bit(target);
        let is_pawn = self.key.has_pawn();
        // A pawn teleports with +pawns, but not onto its first rank.
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

    /// The squares of Black's king from which it could capture White's, were Black to move.
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

    /// The squares of Black's king with which the rules accept the position: White to move, Black to move.
    pub(crate) fn legal(&self, men: Men) -> [u64; 2] {
        let white = bit(men.king) | bit(men.piece);
        if men.king == men.piece || self.captured(men) {
            return [0, 0];
        }
        let mut free = !white;
        // A lone catapult under the enemy's king would have been captured.
        if self.key.owner == Color::White && self.key.catapults() == 1 {
            free &= !men.catapults;
        }
        [free & !self.attacked_by_white(men), free & !self.attacked_by_black(men)]
    }

    /// Whether White's men stand on all of Black's catapults, and so capture them (rule 13).
    #[inline(always)]
    fn captured(&self, men: Men) -> bool {
        self.key.owner == Color::Black
            && men.catapults != 0
            && men.catapults & !(bit(men.king) | bit(men.piece)) == 0
    }

    /// Moves of a side's used catapults that White's king does not hinder (rules 1 and 2).
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

    /// The first move of a lone fresh catapult (rule 3).
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

/// The number of a word in [`Sets::without`].
#[inline(always)]
fn without(men: Men) -> usize {
    men.king as usize * 64 + (men.piece as usize & 63)
}

/// The squares a king's step away from a set, the set itself not counted unless neighbours hold it.
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

/// Where a pawn's single and double push end.
fn pushes(pawn: u8) -> [u64; 2] {
    [bit(pawn + 8), if pawn < 16 { bit(pawn + 16) } else { 0 }]
}
