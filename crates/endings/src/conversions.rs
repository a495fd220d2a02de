//! Conversions: the positions reached by moves out of a table, such as captures and promotions.
//! Their values come from other tables. This module copies the values into bitboards of squares of
//! Black's king, which is also the form of the table being solved.

use crate::bitboards::TableRules;
use crate::geometry::{NOWHERE, bit, squares};
use crate::key::TableKey;
use crate::layer::Layer;
use crate::space::Men;
use crate::value::{Metric, Value};
use catapult_rules::Color;

/// Positions of other tables that moves out of this table reach. Arrays have one entry per side to
/// move, White first. The fields of [`Sets`](crate::bitboards::Sets) describe the index of a
/// bitboard.
#[derive(Default)]
pub(crate) struct Conversion {
    /// Packed values: 64 per bitboard, by square of Black's king. 0 means that there is no legal
    /// position.
    values: [Vec<u16>; 2],
    /// Positions that the side to move does not win, as far as solved. `lost` has the solved
    /// positions that it loses. Each `u64` is a bitboard of squares of Black's king.
    safe: [Vec<u64>; 2],
    lost: [Vec<u64>; 2],
    /// Plies of the longest win or loss among these positions.
    longest: u16,
    /// True if all these positions are solved before the first wave: the metric is DTZ, and a move
    /// to them resets the half-move clock. The clock is then 0, so only the winner matters, not the
    /// distance.
    at_once: bool,
}

/// All conversions of a table. [`Sets`](crate::bitboards::Sets) describes each of them at its field
/// of that name.
#[derive(Default)]
pub(crate) struct Conversions {
    pub without: Conversion,
    pub kings: Conversion,
    /// True if a side can still win after White's piece is captured, with only kings and catapults
    /// left. If false, the capture draws and `kings` is empty.
    pub kings_play: bool,
    pub promoted: Conversion,
    pub used: Conversion,
}

fn pack(value: Value) -> u16 {
    match value {
        Value::Drawn => 1,
        Value::Lost(plies) => 2 + 2 * plies,
        Value::Won(plies) => 3 + 2 * plies,
    }
}

fn unpack(packed: u16) -> Option<Value> {
    match packed {
        0 => None,
        1 => Some(Value::Drawn),
        _ if packed.is_multiple_of(2) => Some(Value::Lost(packed / 2 - 1)),
        _ => Some(Value::Won(packed / 2 - 1)),
    }
}

impl Conversion {
    fn new(words: usize, at_once: bool) -> Conversion {
        let empty = || [vec![0; words], vec![0; words]];
        Conversion {
            values: [vec![0; words * 64], vec![0; words * 64]],
            safe: empty(),
            lost: empty(),
            longest: 0,
            at_once,
        }
    }

    /// Sets the value of a position. A promotion sets a position once per promotion piece. The
    /// position then keeps the value that is worst for Black, the side to move, because White
    /// chooses the piece.
    fn offer(&mut self, side: usize, word: usize, black: u8, value: Value) {
        let at = &mut self.values[side][word * 64 + black as usize];
        if unpack(*at).is_none_or(|held| value.rank() < held.rank()) {
            *at = pack(value);
            self.safe[side][word] |= bit(black);
        }
    }

    /// Copies the values of the bitboard with index `word` from the table `below`. `men` are the
    /// squares of White's men and of the catapults in `below`. `sides` are the sides to move: 0 for
    /// White, 1 for Black.
    fn fill<const N: usize>(&mut self, sides: [usize; N], word: usize, below: &Layer, men: Men) {
        if below.rules.key.has_pawn() && !(8..56).contains(&men.piece) {
            return;
        }
        let legal = below.rules.legal(men);
        for side in sides {
            for black in squares(legal[side]) {
                self.offer(side, word, black, below.value(side, men, black));
            }
        }
    }

    /// Copies the values with both sides to move from the table `below`, for all squares of White's
    /// men. `sets` are the placements of the catapults in `below`.
    fn of_all(below: &Layer, sets: &[u64], at_once: bool) -> Conversion {
        let mut conversion = Conversion::new(sets.len() * 64 * 64, at_once);
        for (set, &catapults) in sets.iter().enumerate() {
            for king in 0..64u8 {
                for piece in 0..64u8 {
                    let word = (set * 64 + king as usize) * 64 + piece as usize;
                    conversion.fill([0, 1], word, below, Men { king, piece, catapults });
                }
            }
        }
        conversion.finished()
    }

    /// Returns the bitboards with `side` to move. They contain the positions that this side loses
    /// if `lost` is true, else the positions that it does not win.
    pub(crate) fn bitboards(&self, side: usize, lost: bool) -> &[u64] {
        if lost { &self.lost[side] } else { &self.safe[side] }
    }

    fn finished(mut self) -> Conversion {
        let plies = |packed: &u16| packed.saturating_sub(2) / 2;
        self.longest = self.values.iter().flatten().map(plies).max().unwrap_or(0);
        self
    }

    /// Marks the won and lost positions whose value satisfies `is_due` as solved. Returns true if
    /// there are such positions.
    fn apply(&mut self, is_due: impl Fn(Value) -> bool) -> bool {
        let mut any = false;
        for side in 0..2 {
            for (word, values) in self.values[side].chunks_exact(64).enumerate() {
                for (black, packed) in values.iter().enumerate() {
                    let Some(value) = unpack(*packed).filter(|value| *packed > 1 && is_due(*value)) else {
                        continue;
                    };
                    any = true;
                    match value {
                        Value::Won(_) => self.safe[side][word] &= !(1 << black),
                        _ => self.lost[side][word] |= 1 << black,
                    }
                }
            }
        }
        any
    }

    /// Marks all positions as unsolved: not won and not lost.
    fn reset(&mut self) {
        for side in 0..2 {
            for (word, values) in self.values[side].chunks_exact(64).enumerate() {
                let there = values.iter().enumerate().filter(|(_, packed)| **packed > 0);
                self.safe[side][word] = there.fold(0, |set, (black, _)| set | 1 << black);
                self.lost[side][word] = 0;
            }
        }
    }
}

impl Conversions {
    /// Copies the conversions from the tables that this table needs. `table` loads the solved table
    /// of a key, by the same `metric`.
    pub(crate) fn collect<E>(
        rules: &TableRules,
        metric: Metric,
        mut table: impl FnMut(TableKey) -> Result<Layer, E>,
    ) -> Result<Conversions, E> {
        let key = rules.key;
        // Captures and promotions reset the clock. The first move of a fresh catapult does not.
        let at_once = metric == Metric::Dtz;
        let mut conversions = Conversions::default();
        if key.loses_catapults() {
            conversions.without = Conversion::of_all(&table(key.without_catapults())?, &[0], at_once);
        }
        if let Some(kings) = key.kings_left() {
            let below = table(kings)?;
            let mut conversion = Conversion::new(rules.space.sets.len() * 64, at_once);
            for (set, &catapults) in rules.space.sets.iter().enumerate() {
                for &king in &rules.space.kings {
                    let men = Men { king, piece: NOWHERE, catapults };
                    let word = set * 64 + king as usize;
                    if key.owner == Color::White {
                        conversion.fill([0], word, &below, men);
                        continue;
                    }
                    // Black owns the catapults, so its king attacks in that table.
                    for black in 0..64u8 {
                        let men = Men { king: black, ..men };
                        if below.rules.legal(men)[1] & bit(king) != 0 {
                            conversion.offer(0, word, black, below.value(1, men, king));
                        }
                    }
                }
            }
            conversions.kings = conversion.finished();
            conversions.kings_play = true;
        }
        if let Some(used) = key.all_used() {
            let sets: Vec<u64> = (0..64).map(bit).collect();
            conversions.used = Conversion::of_all(&table(used)?, &sets, false);
        }
        if key.has_pawn() {
            conversions.promoted = promotions(rules, at_once, table)?;
        }
        Ok(conversions)
    }

    fn each(&mut self) -> [&mut Conversion; 4] {
        [&mut self.without, &mut self.kings, &mut self.promoted, &mut self.used]
    }

    /// Marks the positions of all conversions as unsolved.
    pub(crate) fn reset(&mut self) {
        self.each().into_iter().for_each(Conversion::reset);
    }

    /// Prepares the conversions for the first wave.
    pub(crate) fn begin(&mut self) {
        self.reset();
        for conversion in self.each().into_iter().filter(|conversion| conversion.at_once) {
            conversion.apply(|_| true);
        }
    }

    /// Marks the positions won or lost in `plies` plies as solved. Returns true if there are such
    /// positions.
    pub(crate) fn advance(&mut self, plies: u16) -> bool {
        let mut any = false;
        for conversion in self.each() {
            if !conversion.at_once && plies <= conversion.longest {
                any |= conversion.apply(|value| value == Value::Won(plies) || value == Value::Lost(plies));
            }
        }
        any
    }

    /// Returns the largest distance in plies at which [`advance`](Self::advance) can solve
    /// positions.
    pub(crate) fn longest(&mut self) -> u16 {
        let waiting = self.each().into_iter().filter(|conversion| !conversion.at_once);
        waiting.map(|conversion| conversion.longest).max().unwrap_or(0)
    }
}

/// Returns the conversions by promotion: positions with Black to move. Each has its value with the
/// promotion piece that is best for White.
fn promotions<E>(
    rules: &TableRules,
    at_once: bool,
    mut table: impl FnMut(TableKey) -> Result<Layer, E>,
) -> Result<Conversion, E> {
    let key = rules.key;
    let (sets, kings) = (&rules.space.sets, &rules.space.kings);
    // White's men after a promotion, with the index of their bitboard.
    let each = || {
        (0..sets.len() * kings.len() * 8).map(move |number| {
            let (set, king, file) = (number / 8 / kings.len(), kings[number / 8 % kings.len()], number % 8);
            let men = Men { king, piece: 56 + file as u8, catapults: sets[set] };
            ((set * 64 + king as usize) * 8 + file, men)
        })
    };
    let mut conversion = Conversion::new(sets.len() * 64 * 8, at_once);
    let mut fill = |below: &Layer, keeps: bool| {
        for (word, men) in each().filter(|(_, men)| rules.captured(*men) != keeps) {
            let catapults = if keeps { men.catapults } else { 0 };
            conversion.fill([1], word, below, Men { catapults, ..men });
        }
    };
    for promoted in key.promoted() {
        fill(&table(promoted)?, true);
        if key.loses_catapults() && key.owner == Color::Black {
            fill(&table(promoted.without_catapults())?, false);
        }
    }
    if key.promote {
        // If the pawn becomes a catapult, bare kings remain with too few catapults to win: a draw.
        for (word, _) in each().filter(|(_, men)| men.catapults & bit(men.piece) == 0) {
            let there = conversion.safe[1][word];
            squares(there).for_each(|black| conversion.offer(1, word, black, Value::Drawn));
        }
    }
    Ok(conversion.finished())
}
