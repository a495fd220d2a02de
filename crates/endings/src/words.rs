//! The rules of an ending, 64 positions at a time: for a word (see [`Space`]) the squares of Black's king from which a move leads
//! into given sets of positions.
//!
//! Everything of White's is known within a word, so White's moves are enumerated one by one, each with the squares where
//! Black's king would be in its way; Black's king moves as a set. Rule numbers are those of the rules of Chess++.

use crate::geometry::{BOARD, NOWHERE, bit, squares, undo};
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

/// Moves of White's king from one word's place, shared by all words that differ in the piece alone.
struct KingStep {
    to: u8,
    /// The middle squares through which an instant teleport may go; 0 for a step or plain teleport.
    through: u64,
    symmetry: u8,
    base: usize,
}

/// A catapult's move likewise.
struct CatapultStep {
    /// Its two squares.
    squares: u64,
    base: usize,
}

impl Words {
    pub fn of(key: TableKey) -> Words {
        Words { key, space: Space::of(&key) }
    }

    pub fn men(&self, set: usize, king: usize, place: usize) -> Men {
        Men { king: self.space.kings[king], piece: self.space.piece(place), catapults: self.space.sets[set] }
    }

    /// The squares where Black's king could be captured, were White to move. It blocks nothing but its own square, so
    /// one set serves for all of them.
    pub fn attacked_by_white(&self, men: Men) -> u64 {
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
    pub fn attacked_by_black(&self, men: Men) -> u64 {
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
    pub fn legal(&self, men: Men) -> [u64; 2] {
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

    /// For all words with these catapults and this square of White's king: White's moves into the sets (of positions with
    /// Black to move), where they are asked for.
    pub fn white_moves(&self, set: usize, king: usize, to: &Sets, asked: &[u64], found: &mut [u64]) {
        let steps = self.king_steps(set, king);
        let catapult_steps = self.catapult_steps(set, king, Color::White);
        let base = self.space.base(set, king);
        for (place, found) in found.iter_mut().enumerate() {
            *found = 0;
            if asked[place] == 0 {
                continue;
            }
            let men = self.men(set, king, place);
            let piece = bit(men.piece);
            let mut all = 0;
            for step in &steps {
                if bit(step.to) & piece != 0 || step.through != 0 && step.through & !piece == 0 {
                    continue;
                }
                let after = Men { king: step.to, ..men };
                all |= if self.captured(after) {
                    to.without[without(after)]
                } else {
                    let there = BOARD.symmetries[step.symmetry as usize][men.piece as usize];
                    undo(step.symmetry, to.table[step.base + self.space.place(there)])
                };
            }
            for step in &catapult_steps {
                if step.squares & piece == 0 {
                    all |= to.table[step.base + place] & !step.squares;
                }
            }
            all |= match self.key.piece {
                None => 0,
                Some(PieceKind::Pawn) => self.pawn_moves(set, base, men, to),
                Some(kind) => self.piece_moves(kind, base, men, to),
            };
            if self.key.fresh > 0 && self.key.owner == Color::White {
                all |= self.fresh_steps(men, to);
            }
            *found = all & asked[place];
        }
    }

    /// Steps, teleports and instant teleports of White's king.
    fn king_steps(&self, set: usize, king: usize) -> Vec<KingStep> {
        let from = self.space.kings[king];
        let near = BOARD.king[from as usize];
        let mut found = Vec::with_capacity(8);
        let mut add = |to: u8, through: u64| {
            let (symmetry, base) = self.space.home(set, to);
            found.push(KingStep { to, through, symmetry, base });
        };
        squares(near).for_each(|to| add(to, 0));
        if self.key.owner == Color::White {
            let catapults = self.space.sets[set];
            for to in squares(catapults & !bit(from)) {
                if catapults & bit(from) != 0 {
                    add(to, 0);
                } else if self.key.instant && near & catapults & !bit(to) != 0 {
                    add(to, near & catapults & !bit(to));
                }
            }
        }
        found
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

    /// A piece's moves and teleports; Black's king is in the way where it stands between.
    #[inline(always)]
    fn piece_moves(&self, kind: PieceKind, base: usize, men: Men, to: &Sets) -> u64 {
        let Men { king, piece, catapults } = men;
        let reach = BOARD.reach(kind, piece, king);
        let mut all = 0;
        let defends = self.key.owner == Color::Black && catapults != 0;
        for end in squares(reach) {
            let after = Men { piece: end, ..men };
            let reached = if defends && self.captured(after) {
                to.without[without(after)]
            } else {
                to.table[base + end as usize]
            };
            all |= reached & !BOARD.between(piece, end);
        }
        if self.key.owner == Color::Black {
            return all;
        }
        let open = catapults & !bit(king) & !bit(piece);
        if catapults & bit(piece) != 0 {
            all |= squares(open).fold(0, |set, end| set | to.table[base + end as usize]);
        }
        if self.key.instant {
            for middle in squares(reach & catapults) {
                let way = BOARD.between(piece, middle) | bit(middle);
                for end in squares(open & !bit(middle)) {
                    all |= to.table[base + end as usize] & !way;
                }
            }
        }
        all
    }

    /// A pawn's pushes and promotions and, with `+pawns`, its teleports.
    fn pawn_moves(&self, set: usize, base: usize, men: Men, to: &Sets) -> u64 {
        let Men { king, piece, catapults } = men;
        let king_bit = bit(king);
        let [push, double] = pushes(piece);
        // Where the pawn ends, and the table that says what comes then.
        let end = |end: u8, sets: &[u64]| {
            if bit(end) & LAST != 0 {
                return to.promoted[(set * 64 + king as usize) * 8 + (end as usize & 7)];
            }
            let after = Men { piece: end, ..men };
            if self.captured(after) { to.without[without(after)] } else { sets[base + end as usize - 8] }
        };
        let mut all = 0;
        let mut ordinary = 0;
        if push & king_bit == 0 {
            all |= end(piece + 8, to.restarted);
            ordinary |= push;
            if double != 0 && double & king_bit == 0 {
                all |= end(piece + 16, to.restarted) & !push;
                ordinary |= double;
            }
        }
        if !self.key.pawns {
            return all;
        }
        let open = catapults & !king_bit & !bit(piece) & !FIRST;
        if catapults & bit(piece) != 0 {
            for target in squares(open) {
                // Where a double push gets as well it is the push, which restarts the clock, unless Black's king bars it.
                let only = if bit(target) & double & ordinary != 0 { push } else { !0 };
                let only = if bit(target) & push != 0 { 0 } else { only };
                all |= end(target, to.table) & only;
            }
        }
        if self.key.instant {
            for middle in squares(ordinary & catapults & !LAST) {
                let way = bit(middle) | if bit(middle) & double != 0 { push } else { 0 };
                for target in squares(open & !bit(middle)) {
                    // Where a plain teleport gets as well it is that one.
                    if catapults & bit(piece) == 0 {
                        all |= end(target, to.restarted) & !way;
                    }
                }
            }
        }
        all
    }

    /// For all words with these catapults and this square of White's king: Black's moves into the sets (of positions with
    /// White to move), where they are asked for.
    pub fn black_moves(&self, set: usize, king: usize, to: &Sets, asked: &[u64], found: &mut [u64]) {
        let catapult_steps = self.catapult_steps(set, king, Color::Black);
        let base = self.space.base(set, king);
        for (place, found) in found.iter_mut().enumerate() {
            *found = 0;
            if asked[place] == 0 {
                continue;
            }
            let men = self.men(set, king, place);
            let here = to.table[base + place];
            let mut all = around(here);
            let capture = self.captures_piece(men, to);
            all |= if capture { BOARD.king[men.piece as usize & 63] } else { 0 };
            if self.key.owner == Color::White && self.key.catapults() == 1 {
                // Stepping onto the lone catapult captures it.
                let end = men.catapults & !bit(men.piece);
                all |= around(to.without[without(men)] & end);
            }
            if self.key.owner == Color::Black && men.catapults != 0 {
                all |= self.black_teleports(men, here, capture, to);
                for step in &catapult_steps {
                    if step.squares & bit(men.piece) == 0 {
                        all |= to.table[step.base + place] & !step.squares;
                    }
                }
                if self.key.fresh > 0 {
                    all |= self.fresh_steps(men, to);
                }
            }
            *found = all & asked[place];
        }
    }

    /// Whether Black's king, once it gets to the piece, may capture it into the sets.
    fn captures_piece(&self, men: Men, to: &Sets) -> bool {
        let Men { king, piece, catapults } = men;
        if piece == NOWHERE {
            return false;
        }
        let guarded = BOARD.king[king as usize] & bit(piece) != 0
            || self.key.owner == Color::White
                && catapults & bit(piece) != 0
                && self.teleports_onto(men, piece);
        !guarded && self.kings_left(men, piece, to)
    }

    /// Whether kings alone, Black's on this square, are in the sets.
    fn kings_left(&self, men: Men, black: u8, to: &Sets) -> bool {
        match to.kings {
            Ok(words) => words[rank_of(men.catapults) * 64 + men.king as usize] & bit(black) != 0,
            Err(all) => all,
        }
    }

    /// Teleports of Black's king.
    fn black_teleports(&self, men: Men, here: u64, capture: bool, to: &Sets) -> u64 {
        let Men { king, piece, catapults } = men;
        let mut all = 0;
        for target in squares(catapults & !bit(king)) {
            let others = catapults & !bit(target);
            let reached = if target == piece { capture } else { here & bit(target) != 0 };
            if reached {
                all |= others;
            }
            if !self.key.instant {
                continue;
            }
            for middle in squares(others & !bit(king)) {
                let gets = if middle == piece {
                    // The piece is captured on the way, and guards nothing any more.
                    BOARD.king[king as usize] & bit(target) == 0 && self.kings_left(men, target, to)
                } else {
                    reached
                };
                if gets {
                    all |= BOARD.king[middle as usize] & !bit(target);
                }
            }
        }
        all
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
