//! Black's moves: moves of the king, computed for all its squares at once, and catapult moves.

use super::{Men, Sets, TableRules, around, without};
use crate::geometry::{BOARD, NOWHERE, bit, squares};
use crate::space::rank_of;
use catapult_rules::Color;

impl TableRules {
    /// Finds positions from which a move of Black leads into `to`, a set of positions with White to
    /// move. Covers all positions with one placement of the catapults and one square of White's
    /// king. `set` and `king` are their numbers in [`Space`](crate::space::Space).
    ///
    /// Overwrites `found` with the positions, one bitboard per square of White's piece. Only
    /// positions in `candidates` are examined.
    pub(crate) fn black_moves(
        &self,
        set: usize,
        king: usize,
        to: &Sets,
        candidates: &[u64],
        found: &mut [u64],
    ) {
        let catapult_steps = self.catapult_steps(set, king, Color::Black);
        let base = self.space.base(set, king);
        for (place, found) in found.iter_mut().enumerate() {
            *found = 0;
            if candidates[place] == 0 {
                continue;
            }
            let men = self.men(set, king, place);
            let here = to.table[base + place];
            let mut all = around(here);
            let capture = self.captures_piece(men, to);
            all |= if capture { BOARD.king[men.piece as usize & 63] } else { 0 };
            if self.key.owner == Color::White && self.key.catapults() == 1 {
                // A step onto the only catapult captures it.
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
            *found = all & candidates[place];
        }
    }

    /// Returns true if a capture of White's piece by Black's king is legal and leads into `to`.
    /// Does not check that the king can reach the piece.
    fn captures_piece(&self, men: Men, to: &Sets) -> bool {
        let Men { king, piece, catapults } = men;
        if piece == NOWHERE {
            return false;
        }
        let guarded = BOARD.king[king as usize] & bit(piece) != 0
            || self.key.owner == Color::White
                && !self.key.bare
                && catapults & bit(piece) != 0
                && self.teleports_onto(men, piece);
        !guarded && self.kings_left(men, piece, to)
    }

    /// Returns true if `to` contains the position without White's piece and with Black's king on
    /// `black`.
    fn kings_left(&self, men: Men, black: u8, to: &Sets) -> bool {
        match to.kings {
            Ok(words) => words[rank_of(men.catapults) * 64 + men.king as usize] & bit(black) != 0,
            Err(all) => all,
        }
    }

    /// Returns the squares of Black's king from which a teleport leads into `to`. `here` is the
    /// bitboard of `to.table` for these men. `capture` is true if the king may capture White's
    /// piece and this leads into `to`.
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
                    // The piece is captured on the way, so it no longer guards any square.
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
