//! The solver. It works in waves: wave n finds the positions that are won or lost in n plies, 64
//! positions at a time.
//!
//! The side to move wins in n plies if its fastest winning move leads to a loss of the opponent in
//! n - 1 plies. It loses in n plies if every move leads to a win of the opponent, and the slowest
//! of these wins takes n - 1 plies. A wave examines only placements of the catapults from which a
//! move can lead to a placement with newly solved positions.
//!
//! With [`Metric::Dtz`], a win or loss by a move that resets the half-move clock counts one ply.
//! The result after the reset is the result with clock 0.
//!
//! Pawn pushes reset the clock and stay in the table. Each rank of the pawn is therefore a round of
//! waves, from the seventh rank down. With `+pawns` a pawn can teleport back. All ranks are then
//! solved together, in rounds until nothing changes.

mod known;
mod start;

use crate::bitboards::{Sets, TableRules};
use crate::conversions::Conversions;
use crate::error::EndingsError;
use crate::layer::Layer;
use crate::value::{CLOCK_LIMIT, Codes, Metric};
use rayon::prelude::*;
use std::ops::Range;

/// Solved and open positions with one side to move. Each `u64` is a bitboard of the squares of
/// Black's king, in the order of [`Space`](crate::space::Space).
struct Side {
    /// Unsolved legal positions with a legal move.
    open: Vec<u64>,
    /// Legal positions that the side to move does not win, as far as solved.
    safe: Vec<u64>,
    /// Solved positions that the side to move loses.
    lost: Vec<u64>,
    codes: Codes,
    /// True if the last wave found wins of the side to move, by number of the catapults' placement.
    /// `lost_lately` is the same for losses.
    won_lately: Vec<bool>,
    lost_lately: Vec<bool>,
}

/// Newly solved positions of one bitboard: (number of the bitboard among those with its placement
/// of the catapults, wins, losses). Wins and losses are bitboards of the squares of Black's king.
type NewlySolved = (u32, u64, u64);

/// Progress of solving a table, before a wave. A wave finds the wins and losses at one distance
/// in plies.
#[derive(Clone, Copy, Debug)]
pub struct Wave {
    /// Metric that is being solved.
    pub metric: Metric,
    /// Number of the round, from 1. Only DTZ with a pawn needs several rounds.
    pub round: u32,
    /// Number of plies of the wins and losses that this wave finds.
    pub plies: u16,
    /// Number of positions solved so far, reduced by symmetry.
    pub known: u64,
    /// Number of legal positions, reduced by symmetry.
    pub legal: u64,
}

/// Solver of one table by one metric.
pub(crate) struct Solver {
    pub rules: TableRules,
    metric: Metric,
    conversions: Conversions,
    sides: [Side; 2],
    /// Results of the previous round, or in the first round a starting guess. The current round
    /// uses them as the results after moves that reset the half-move clock. Each side to move has
    /// two lists of bitboards: the positions that it does not win, and the positions that it loses.
    /// `None` unless [`Metric::Dtz`] is solved for a key with `pawns`.
    settled: Option<[[Vec<u64>; 2]; 2]>,
    legal: u64,
    known: u64,
}

/// Function that is called before every wave. It returns true to continue and false to stop.
type Report<'a> = &'a mut dyn FnMut(&Wave) -> bool;

/// Kind of positions that moves should lead to: the side to move there loses (`Lost`), or does not
/// win (`Safe`).
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    Lost,
    Safe,
}

impl Solver {
    /// Creates a solver for a table without solved positions.
    pub(crate) fn new(rules: TableRules, metric: Metric, conversions: Conversions) -> Solver {
        let count = rules.space.words();
        let sets = rules.space.sets.len();
        let side = || Side {
            open: vec![0; count],
            safe: vec![0; count],
            lost: vec![0; count],
            codes: Codes::new(0),
            won_lately: vec![false; sets],
            lost_lately: vec![false; sets],
        };
        let sides = [side(), side()];
        let settled = (metric == Metric::Dtz && rules.key.pawns).then(Default::default);
        Solver { rules, metric, conversions, sides, settled, legal: 0, known: 0 }
    }

    /// Solves all positions and returns the table. The only error is [`EndingsError::Stopped`].
    pub(crate) fn solve(mut self, report: Report) -> Result<Layer, EndingsError> {
        let by_rank = self.metric == Metric::Dtz && self.rules.key.has_pawn();
        if self.settled.is_some() {
            self.solve_in_rounds(report)?;
        } else {
            self.begin();
            if by_rank {
                for (round, rank) in (1..=6).zip((0..6).rev()) {
                    self.waves(round, rank * 8..(rank + 1) * 8, report)?;
                }
            } else {
                self.waves(1, 0..self.rules.space.places, report)?;
            }
        }
        let [white, black] = self.sides;
        Ok(Layer { rules: self.rules, metric: self.metric, codes: [white.codes, black.codes] })
    }

    fn solve_in_rounds(&mut self, report: Report) -> Result<(), EndingsError> {
        for round in 1.. {
            self.begin();
            if round == 1 {
                // At first, no position is known to be won.
                self.settled = Some(std::array::from_fn(|side| {
                    [self.legal_words(side), vec![0; self.rules.space.words()]]
                }));
            }
            self.waves(round, 0..self.rules.space.places, report)?;
            let now =
                std::array::from_fn(|side| [self.sides[side].safe.clone(), self.sides[side].lost.clone()]);
            if self.settled.as_ref() == Some(&now) {
                break;
            }
            self.settled = Some(now);
        }
        Ok(())
    }

    /// Runs the waves of a round until they solve no more positions. Only squares of White's piece
    /// with numbers in `places` are examined.
    fn waves(&mut self, round: u32, places: Range<usize>, report: Report) -> Result<(), EndingsError> {
        self.conversions.begin();
        let longest = self.conversions.longest();
        let limit = if self.metric == Metric::Dtz { CLOCK_LIMIT } else { u16::MAX / 2 };
        let mut quiet = 0;
        for plies in 1..=limit {
            let wave = Wave { metric: self.metric, round, plies, known: self.known, legal: self.legal };
            if !report(&wave) {
                return Err(EndingsError::Stopped);
            }
            let news = self.conversions.advance(plies - 1);
            let all = news || plies == 1;
            // With DTM, wins and losses alternate.
            let (wins, losses) = match self.metric {
                Metric::Dtm => (plies % 2 == 1, plies % 2 == 0),
                Metric::Dtz => (true, true),
            };
            let found = [0, 1].map(|side| self.wave(side, wins, losses, all, places.clone()));
            for side in &mut self.sides {
                side.won_lately.fill(false);
                side.lost_lately.fill(false);
            }
            let any = found.iter().flatten().any(|found| !found.is_empty());
            for (side, found) in found.iter().enumerate() {
                self.apply(side, plies, found);
            }
            quiet = if any { 0 } else { quiet + 1 };
            if quiet == 2 && plies > longest {
                break;
            }
        }
        Ok(())
    }

    /// Returns the newly solved positions with `side` to move, one list per placement of the
    /// catapults. `wins` and `losses` select the results to find. `all` is true if all placements
    /// must be examined.
    fn wave(
        &self,
        side: usize,
        wins: bool,
        losses: bool,
        all: bool,
        places: Range<usize>,
    ) -> Vec<Vec<NewlySolved>> {
        let space = &self.rules.space;
        let other = &self.sides[1 - side];
        let near = |lately: &[bool], set: usize| all || space.neighbours(set).any(|near| lately[near]);
        let mut found = vec![Vec::new(); space.sets.len()];
        if wins {
            let due = |set: usize| near(&other.lost_lately, set);
            found = self.slices(side, Goal::Lost, due, places.clone(), |_, moves| (moves, 0));
        }
        if losses {
            let due = |set: usize| near(&other.won_lately, set);
            let lost =
                self.slices(side, Goal::Safe, due, places, |candidates, moves| (0, candidates & !moves));
            for (found, lost) in found.iter_mut().zip(lost) {
                found.extend(lost);
            }
        }
        found
    }

    /// Finds unsolved positions with `side` to move that have a move to a position of the kind
    /// `goal`. Examines only the placements of the catapults for which `due` returns true.
    ///
    /// `judge` receives two bitboards: the open positions, and the positions with such a move. It
    /// returns the newly won and the newly lost positions.
    fn slices(
        &self,
        side: usize,
        goal: Goal,
        due: impl Fn(usize) -> bool + Sync,
        places: Range<usize>,
        judge: impl Fn(u64, u64) -> (u64, u64) + Sync,
    ) -> Vec<Vec<NewlySolved>> {
        let space = &self.rules.space;
        let to = self.sets(1 - side, goal);
        let (rules, open) = (&self.rules, &self.sides[side].open);
        (0..space.sets.len())
            .into_par_iter()
            .map(|set| {
                let mut found = Vec::new();
                if !due(set) {
                    return found;
                }
                let (mut candidates, mut moves) = ([0; 64], [0; 64]);
                for king in 0..space.kings.len() {
                    let base = space.base(set, king);
                    let open = &open[base..base + space.places];
                    candidates[places.clone()].copy_from_slice(&open[places.clone()]);
                    if candidates[places.clone()].iter().all(|word| *word == 0) {
                        continue;
                    }
                    if side == 0 {
                        rules.white_moves(set, king, &to, &candidates, &mut moves[..space.places]);
                    } else {
                        rules.black_moves(set, king, &to, &candidates, &mut moves[..space.places]);
                    }
                    for place in places.clone() {
                        let (won, lost) = judge(candidates[place], moves[place]);
                        if won | lost != 0 {
                            found.push(((king * space.places + place) as u32, won, lost));
                        }
                    }
                }
                found
            })
            .collect()
    }

    /// Returns the positions with `side` to move that are of the kind `goal`.
    fn sets(&self, side: usize, goal: Goal) -> Sets<'_> {
        let (known, conversions) = (&self.sides[side], &self.conversions);
        let lost = goal == Goal::Lost;
        let table: &[u64] = if lost { &known.lost } else { &known.safe };
        let reset = match &self.settled {
            Some(settled) => &settled[side][usize::from(lost)][..],
            None => table,
        };
        Sets {
            table,
            reset,
            without: conversions.without.bitboards(side, lost),
            kings: match conversions.kings_play {
                true => Ok(conversions.kings.bitboards(side, lost)),
                false => Err(!lost),
            },
            promoted: conversions.promoted.bitboards(side, lost),
            used: conversions.used.bitboards(side, lost),
        }
    }
}
