//! The verifier. The value of each position must follow from the values of the positions after its
//! moves, which `catapult_rules` generates.
//!
//! The verifier generates positions and moves without code of the solver. It reads values by the
//! same lookup as a probe.

pub(crate) mod placement;

use crate::error::EndingsError;
use crate::key::TableKey;
use crate::layer::Layer;
use crate::probe::locate;
use crate::tables::Tables;
use crate::value::{CLOCK_LIMIT, Metric, Value};
use catapult_rules::{AnyChess, AnyRules, Outcome, Position, Variant};
use catapult_seeds::Stream;
use placement::{Placement, catapult_sets, kings, pieces, random, write_fen};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Positions to verify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// All positions, reduced by symmetry.
    All,
    /// Random legal positions for each side to move, uniformly distributed.
    Random {
        /// Number of positions per side to move.
        positions: u64,
        /// Seed of the random numbers.
        seed: u64,
    },
}

/// Result of a verification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Number of legal positions that were verified.
    pub positions: u64,
    /// Number of legal moves of these positions.
    pub moves: u64,
    /// Number of generated placements that the rules reject as illegal.
    pub refused: u64,
    /// Description of a position whose value is wrong. `None` if all values are right.
    pub wrong: Option<String>,
}

impl Checked {
    fn and(self, other: Checked) -> Checked {
        Checked {
            positions: self.positions + other.positions,
            moves: self.moves + other.moves,
            refused: self.refused + other.refused,
            wrong: self.wrong.or(other.wrong),
        }
    }
}

/// A table and the tables that it needs, in memory.
struct Loaded {
    layers: HashMap<TableKey, Layer>,
    metric: Metric,
}

impl Loaded {
    /// Returns the value of a position from its table. Dead positions without a table are drawn.
    /// Returns an error for all other positions without a table.
    fn value(&self, position: &AnyChess) -> Result<Value, String> {
        if let Some(at) = locate(position)
            && let Some(layer) = self.layers.get(&at.key)
        {
            return Ok(layer.value(at.side, at.men, at.black));
        }
        if position.is_dead() {
            return Ok(Value::Drawn);
        }
        Err(format!("no table has {position}"))
    }
}

/// Returns the value that follows from the table values of the positions after the legal moves.
/// Adds the number of legal moves to `moves`.
fn value_by_moves(position: &AnyChess, tables: &Loaded, moves: &mut u64) -> Result<Value, String> {
    let legal = position.legal_moves();
    *moves += legal.len() as u64;
    match position.outcome() {
        Some(Outcome::Checkmate) => return Ok(Value::Lost(0)),
        Some(_) => return Ok(Value::Drawn),
        None => {}
    }
    let mut best: Option<u16> = None;
    let mut drawn = false;
    let mut longest = 0;
    for mv in legal {
        let mut after = *position;
        after.play(mv);
        let mated = !after.has_legal_move() && after.in_check();
        let resets = tables.metric == Metric::Dtz && after.halfmove_clock() == 0 && !mated;
        let plies = |plies: u16| if resets { 1 } else { plies + 1 };
        match tables.value(&after)? {
            Value::Lost(n) => best = Some(best.map_or(plies(n), |best| best.min(plies(n)))),
            Value::Drawn => drawn = true,
            Value::Won(n) => longest = longest.max(plies(n)),
        }
    }
    let in_time = |plies: u16| tables.metric == Metric::Dtm || plies <= CLOCK_LIMIT;
    Ok(match best {
        Some(plies) if in_time(plies) => Value::Won(plies),
        None if !drawn && in_time(longest) => Value::Lost(longest),
        _ => Value::Drawn,
    })
}

impl Tables {
    /// Verifies that the values of a table at the positions of `sample` follow from the values
    /// after each move. The moves follow the rules of `variant`, which must use this table. A wrong
    /// value is not an error. It is reported in [`Checked::wrong`].
    ///
    /// `report` is called with the share of the work done, from 0 to 1, possibly from several
    /// threads. It returns true to continue and false to stop.
    ///
    /// # Errors
    /// A table does not exist or is damaged, or `report` returned false. With [`Sample::All`], also
    /// if the table's counts of legal positions are wrong.
    pub fn verify(
        &self,
        key: TableKey,
        variant: Variant,
        metric: Metric,
        sample: Sample,
        report: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<Checked, EndingsError> {
        let mut layers = HashMap::new();
        for below in key.needs().into_iter().chain([key]) {
            layers.insert(below, self.load(below, metric)?);
        }
        let tables = Loaded { layers, metric };
        let rules = AnyRules::of(variant).unwrap_or_default();
        let sets = catapult_sets(key.catapults());
        let check = |placement: &Placement, fen: &mut String, checked: &mut Checked| {
            // With clock 1, a move that resets the clock can be recognised.
            write_fen(fen, placement, &key, 1);
            let distinct = placement.king != placement.black
                && placement.king != placement.piece
                && placement.black != placement.piece;
            let Some(position) = distinct.then(|| AnyChess::from_fen(fen, rules).ok()).flatten() else {
                checked.refused += 1;
                return false;
            };
            checked.positions += 1;
            let stored = tables.value(&position);
            let follows = value_by_moves(&position, &tables, &mut checked.moves);
            if stored.is_err() || stored != follows {
                let wrong = format!("{fen}: the table says {stored:?}, its moves {follows:?}");
                checked.wrong.get_or_insert(wrong);
            }
            true
        };
        match sample {
            Sample::All => self.every_position(&key, &sets, &check, report),
            Sample::Random { positions, seed } => (0..2u64)
                .into_par_iter()
                .map(|side| {
                    let (mut checked, mut fen, mut i) = (Checked::default(), String::new(), 0);
                    while checked.positions < positions {
                        let mut number = random(Stream::Side(side).seed(seed), i);
                        i += 1;
                        let mut pick = |count: u64| {
                            let picked = number % count;
                            number /= count;
                            picked
                        };
                        let squares = pieces(&key);
                        let placement = Placement {
                            king: pick(64) as u8,
                            black: pick(64) as u8,
                            piece: squares.start + pick(squares.len() as u64) as u8,
                            catapults: sets[pick(sets.len() as u64) as usize].clone(),
                            side: side as usize,
                        };
                        check(&placement, &mut fen, &mut checked);
                        if i % 4096 == 0 && !report(checked.positions as f64 / positions as f64) {
                            return None;
                        }
                    }
                    Some(checked)
                })
                .try_reduce(Checked::default, |a, b| Some(a.and(b)))
                .ok_or(EndingsError::Stopped),
        }
    }

    /// Verifies every position, and compares the numbers of legal positions with the counts in the
    /// table's file.
    fn every_position(
        &self,
        key: &TableKey,
        sets: &[Vec<u8>],
        check: &(impl Fn(&Placement, &mut String, &mut Checked) -> bool + Sync),
        report: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<Checked, EndingsError> {
        let done = AtomicU64::new(0);
        let (checked, legal) = sets
            .par_iter()
            .map(|set| {
                let (mut checked, mut fen, mut legal) = (Checked::default(), String::new(), [0u64; 2]);
                if !report(done.fetch_add(1, Ordering::Relaxed) as f64 / sets.len() as f64) {
                    return None;
                }
                for king in kings(key) {
                    let weight = match (key.has_pawn(), king % 8 == king / 8) {
                        (true, _) => 2,
                        (false, true) => 4,
                        (false, false) => 8,
                    };
                    for piece in pieces(key) {
                        for black in 0..64 {
                            for (side, legal) in legal.iter_mut().enumerate() {
                                let placement =
                                    Placement { king, piece, black, catapults: set.clone(), side };
                                if check(&placement, &mut fen, &mut checked) {
                                    *legal += weight;
                                }
                            }
                        }
                    }
                }
                Some((checked, legal))
            })
            .try_reduce(
                || (Checked::default(), [0; 2]),
                |(a, [w, b]), (c, [x, y])| Some((a.and(c), [w + x, b + y])),
            )
            .ok_or(EndingsError::Stopped)?;
        let solved = self.solved(*key, Metric::Dtm)?;
        let counted = [solved.counts.white.legal, solved.counts.black.legal];
        if counted != legal {
            let reason = format!("counts {counted:?} legal positions, the rules {legal:?}");
            return Err(EndingsError::damaged(&solved.file, reason));
        }
        Ok(checked)
    }
}
