//! White's moves, enumerated one by one, because the squares of White's men are fixed for a
//! bitboard.

use super::{FIRST, LAST, Men, Sets, TableRules, pushes, without};
use crate::geometry::{BOARD, bit, squares, undo};
use catapult_rules::{Color, PieceKind};

/// A move of White's king, for all squares of White's piece. `symmetry` maps the king's destination
/// to a stored square. `base` is the number of the first bitboard after the mapping.
struct KingStep {
    to: u8,
    /// Possible middle squares of an instant teleport. 0 for a step or plain teleport.
    through: u64,
    symmetry: u8,
    base: usize,
}

impl TableRules {
    /// Finds positions from which a move of White leads into `to`, a set of positions with Black to
    /// move. Covers all positions with one placement of the catapults and one square of White's
    /// king. `set` and `king` are their numbers in [`Space`](crate::space::Space).
    ///
    /// Overwrites `found` with the positions, one bitboard per square of White's piece. Only
    /// positions in `candidates` are examined.
    pub(crate) fn white_moves(
        &self,
        set: usize,
        king: usize,
        to: &Sets,
        candidates: &[u64],
        found: &mut [u64],
    ) {
        let steps = self.king_steps(set, king);
        let catapult_steps = self.catapult_steps(set, king, Color::White);
        let base = self.space.base(set, king);
        for (place, found) in found.iter_mut().enumerate() {
            *found = 0;
            if candidates[place] == 0 {
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
            *found = all & candidates[place];
        }
    }

    /// Returns the steps, teleports and instant teleports of White's king. The caller must check
    /// whether White's piece is on the destination.
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

    /// Returns the squares of Black's king from which a move or teleport of White's piece leads
    /// into `to`. Black's king blocks moves between origin and destination. The piece is not a
    /// pawn.
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

    /// Returns the squares of Black's king from which a move of White's pawn leads into `to`:
    /// pushes, promotions and, with `+pawns`, teleports.
    fn pawn_moves(&self, set: usize, base: usize, men: Men, to: &Sets) -> u64 {
        let Men { king, piece, catapults } = men;
        let king_bit = bit(king);
        let [push, double] = pushes(piece);
        // Looks up the end of a move in the table or conversion that covers it.
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
            all |= end(piece + 8, to.reset);
            ordinary |= push;
            if double != 0 && double & king_bit == 0 {
                all |= end(piece + 16, to.reset) & !push;
                ordinary |= double;
            }
        }
        if !self.key.pawns {
            return all;
        }
        let open = catapults & !king_bit & !bit(piece) & !FIRST;
        if catapults & bit(piece) != 0 {
            for target in squares(open) {
                // A double push to the same square takes precedence and resets the half-move clock,
                // unless Black's king blocks it.
                let only = if bit(target) & double & ordinary != 0 { push } else { !0 };
                let only = if bit(target) & push != 0 { 0 } else { only };
                all |= end(target, to.table) & only;
            }
        }
        if self.key.instant {
            for middle in squares(ordinary & catapults & !LAST) {
                let way = bit(middle) | if bit(middle) & double != 0 { push } else { 0 };
                for target in squares(open & !bit(middle)) {
                    // A plain teleport to the same square takes precedence.
                    if catapults & bit(piece) == 0 {
                        all |= end(target, to.reset) & !way;
                    }
                }
            }
        }
        all
    }
}
