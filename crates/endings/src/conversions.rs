//! What the moves that leave a table lead to, in words beside the table's own.

use crate::geometry::{NOWHERE, bit};
use crate::key::TableKey;
use crate::layer::Layer;
use crate::value::{Metric, Value};
use crate::words::{Men, Words};
use catapult_rules::Color;

/// Positions of other tables by word of this one, for each side to move (White first).
#[derive(Default)]
pub(crate) struct Exit {
    /// What they are worth, 64 a word: 0 where there is no such position.
    values: [Vec<u16>; 2],
    /// Those that the side to move does not win, and those that it loses, as far as is known yet.
    safe: [Vec<u64>; 2],
    lost: [Vec<u64>; 2],
    /// The longest win or loss.
    longest: u16,
    /// Whether the moves there restart the clock.
    restarts: bool,
}

/// All that a table's moves may lead to.
#[derive(Default)]
pub(crate) struct Exits {
    pub without: Exit,
    pub kings: Exit,
    /// Whether kings are left after a capture that somebody may win; else it is a draw.
    pub kings_play: bool,
    pub promoted: Exit,
    pub used: Exit,
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

impl Exit {
    fn new(words: usize, restarts: bool) -> Exit {
        let empty = || [vec![0; words], vec![0; words]];
        Exit {
            values: [vec![0; words * 64], vec![0; words * 64]],
            safe: empty(),
            lost: empty(),
            longest: 0,
            restarts,
        }
    }

    /// Sets a position's value; of several that White may choose from (promotions) the best for it stays.
    fn offer(&mut self, side: usize, word: usize, black: u8, value: Value) {
        let at = &mut self.values[side][word * 64 + black as usize];
        // With Black to move White chooses: the worst for the side to move.
        if unpack(*at).is_none_or(|held| worse(value, held)) {
            *at = pack(value);
            self.safe[side][word] |= bit(black);
        }
    }

    /// Positions with this side to move: those it loses, or those it does not win.
    pub(crate) fn words(&self, side: usize, lost: bool) -> &[u64] {
        if lost { &self.lost[side] } else { &self.safe[side] }
    }

    fn finish(&mut self) {
        let plies = |packed: &u16| packed.saturating_sub(2) / 2;
        self.longest = self.values.iter().flatten().map(plies).max().unwrap_or(0);
    }

    /// Lets positions that are won or lost in so many plies be known; says whether there are any.
    fn advance(&mut self, plies: u16) -> bool {
        self.apply(|value| value == Value::Won(plies) || value == Value::Lost(plies))
    }

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

    /// Nothing is known yet.
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

/// Whether a value is worse for the side to move than another.
fn worse(value: Value, than: Value) -> bool {
    let rank = |value: Value| match value {
        Value::Lost(plies) => i32::from(plies) - 100_000,
        Value::Drawn => 0,
        Value::Won(plies) => 100_000 - i32::from(plies),
    };
    rank(value) < rank(than)
}

impl Exits {
    /// Collects them from the tables below; `table` gives one that is solved.
    pub(crate) fn collect<E>(
        words: &Words,
        mut table: impl FnMut(TableKey) -> Result<Layer, E>,
    ) -> Result<Exits, E> {
        let key = words.key;
        let mut exits = Exits::default();
        if key.loses_catapults() {
            let below = table(key.without_catapults())?;
            let mut exit = Exit::new(64 * 64, true);
            for king in 0..64 {
                for piece in 0..64 {
                    let men = Men { king, piece, catapults: 0 };
                    exit.fill([0, 1], king as usize * 64 + piece as usize, &below, men);
                }
            }
            exit.finish();
            exits.without = exit;
        }
        if let Some(kings) = key.kings_left() {
            let below = table(kings)?;
            let mut exit = Exit::new(words.space.sets.len() * 64, true);
            for (set, &catapults) in words.space.sets.iter().enumerate() {
                for &king in &words.space.kings {
                    let men = Men { king, piece: NOWHERE, catapults };
                    let word = set * 64 + king as usize;
                    if key.owner == Color::White {
                        exit.fill([0], word, &below, men);
                        continue;
                    }
                    // The catapults are Black's: its king is the one that attacks in that table.
                    for black in 0..64u8 {
                        let men = Men { king: black, ..men };
                        if below.words.legal(men)[1] & bit(king) != 0 {
                            exit.offer(0, word, black, below.value(1, men, king));
                        }
                    }
                }
            }
            exit.finish();
            exits.kings = exit;
            exits.kings_play = true;
        }
        if let Some(used) = key.all_used() {
            let below = table(used)?;
            let mut exit = Exit::new(64 * 64 * 64, false);
            for catapult in 0..64 {
                for king in 0..64 {
                    for piece in 0..64 {
                        let men = Men { king, piece, catapults: bit(catapult) };
                        let word = (catapult as usize * 64 + king as usize) * 64 + piece as usize;
                        exit.fill([0, 1], word, &below, men);
                    }
                }
            }
            exit.finish();
            exits.used = exit;
        }
        if key.has_pawn() {
            exits.promoted = promotions(words, table)?;
        }
        Ok(exits)
    }

    fn each(&mut self) -> [&mut Exit; 4] {
        [&mut self.without, &mut self.kings, &mut self.promoted, &mut self.used]
    }

    /// Forgets what is known: all positions are there, nobody wins.
    pub(crate) fn reset(&mut self) {
        self.each().into_iter().for_each(Exit::reset);
    }

    /// Begins a solution.
    pub(crate) fn begin(&mut self, metric: Metric) {
        self.reset();
        for exit in self.each() {
            if metric == Metric::Clock && exit.restarts {
                // The clock is 0 there: what counts is only who wins.
                exit.apply(|_| true);
            }
        }
    }

    /// Lets positions that are won or lost in so many plies be known; says whether there are any.
    pub(crate) fn advance(&mut self, metric: Metric, plies: u16) -> bool {
        let mut any = false;
        for exit in self.each() {
            if !(metric == Metric::Clock && exit.restarts) && plies <= exit.longest {
                any |= exit.advance(plies);
            }
        }
        any
    }

    /// The plies after which nothing more becomes known.
    pub(crate) fn longest(&mut self, metric: Metric) -> u16 {
        let waits = |exit: &&mut Exit| !(metric == Metric::Clock && exit.restarts);
        self.each().iter().filter(|exit| waits(exit)).map(|exit| exit.longest).max().unwrap_or(0)
    }
}

impl Exit {
    /// Fills a word with the values of these men in another table, for the sides to move that are asked for.
    fn fill<const N: usize>(&mut self, sides: [usize; N], word: usize, below: &Layer, men: Men) {
        if below.words.key.has_pawn() && !(8..56).contains(&men.piece) {
            return;
        }
        let legal = below.words.legal(men);
        for side in sides {
            for black in crate::geometry::squares(legal[side]) {
                self.offer(side, word, black, below.value(side, men, black));
            }
        }
    }
}

/// What a pawn may become, White choosing.
fn promotions<E>(words: &Words, mut table: impl FnMut(TableKey) -> Result<Layer, E>) -> Result<Exit, E> {
    let key = words.key;
    let sets = &words.space.sets;
    let mut exit = Exit::new(sets.len() * 64 * 8, true);
    let mut fill = |below: &Layer, keeps: bool| {
        for (set, &catapults) in sets.iter().enumerate() {
            for &king in &words.space.kings {
                for file in 0..8u8 {
                    let piece = 56 + file;
                    let captured = key.owner == Color::Black
                        && catapults != 0
                        && catapults & !(bit(king) | bit(piece)) == 0;
                    if captured == keeps {
                        continue;
                    }
                    let catapults = if keeps { catapults } else { 0 };
                    let word = (set * 64 + king as usize) * 8 + file as usize;
                    exit.fill([1], word, below, Men { king, piece, catapults });
                }
            }
        }
    };
    for promoted in key.promoted() {
        fill(&table(promoted)?, true);
        if key.loses_catapults() && key.owner == Color::Black {
            fill(&table(promoted.without_catapults())?, false);
        }
    }
    if key.promote {
        // A pawn that becomes a catapult leaves kings with too few of them: a draw.
        for (set, &catapults) in sets.iter().enumerate() {
            for &king in &words.space.kings {
                for file in (0..8u8).filter(|file| catapults & bit(56 + file) == 0) {
                    let word = (set * 64 + king as usize) * 8 + file as usize;
                    let there = exit.safe[1][word];
                    crate::geometry::squares(there)
                        .for_each(|black| exit.offer(1, word, black, Value::Drawn));
                }
            }
        }
    }
    exit.finish();
    Ok(exit)
}
