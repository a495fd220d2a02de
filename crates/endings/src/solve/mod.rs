//! The solver: wave after wave, a wave a ply, 64 positions at a time.
//!
//! A side to move wins in n plies if a move leads to a position that the other loses in at most n - 1, and loses in n if it has
//! moves and all lead to positions that the other wins in at most n - 1, at least one of them in no fewer. Words are looked at again
//! only where something has changed in a word with catapults within reach.
//!
//! By [`Metric::Clock`] a move that restarts the clock counts as one ply, whatever comes after it, if the side that wins does so
//! with a clock of 0. A pawn's pushes stay in the table, so its ranks are solved one after the other, the seventh first; with
//! `+pawns` a pawn teleports back behind its pushes, and all ranks are solved again and again until nothing changes.

mod known;
mod start;

use crate::exits::Exits;
use crate::layer::Layer;
use crate::value::{CLOCK_LIMIT, Codes, Metric};
use crate::words::{Sets, Words};
use rayon::prelude::*;

/// What is known of the positions with one side to move, by word.
struct Side {
    /// Legal positions with a move of which nothing is known yet.
    open: Vec<u64>,
    /// Legal positions that the side does not win, as far as is known.
    safe: Vec<u64>,
    /// Positions that it loses.
    lost: Vec<u64>,
    codes: Codes,
    /// By set of catapults: whether wins, and losses, were found in the last wave.
    won_lately: Vec<bool>,
    lost_lately: Vec<bool>,
}

/// What a wave has found in a word: won and lost.
type Found = (u32, u64, u64);

/// How far a solution is.
#[derive(Clone, Copy, Debug)]
pub struct Wave {
    /// The distance.
    pub metric: Metric,
    /// Which of the rounds, from 1; a pawn makes several of them by the clock.
    pub round: u32,
    /// The plies that are being looked at.
    pub plies: u16,
    /// Positions found, reduced by symmetry, of those that there are.
    pub known: u64,
    /// Legal positions, likewise.
    pub legal: u64,
}

/// Why a solution ended early.
#[derive(Debug)]
pub(crate) enum Ended {
    Stopped,
}

/// Solves a table.
pub(crate) struct Solver {
    words: Words,
    metric: Metric,
    exits: Exits,
    sides: [Side; 2],
    /// Won and lost positions of the last round, which pushes lead to (`+pawns`, [`Metric::Clock`]).
    settled: Option<[[Vec<u64>; 2]; 2]>,
    legal: u64,
    known: u64,
    /// Where an earlier solution was left: round and plies.
    resumed: Option<(u32, u16)>,
}

/// Told of every wave before it; says whether to go on.
type Report<'a> = &'a mut dyn FnMut(&Solver, &Wave) -> bool;

/// Which positions moves are asked to lead to.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    Lost,
    Safe,
}

impl Solver {
    /// A table with what its moves lead to.
    pub(crate) fn new(words: Words, metric: Metric, exits: Exits) -> Solver {
        let count = words.space.words();
        let sets = words.space.sets.len();
        let side = || Side {
            open: vec![0; count],
            safe: vec![0; count],
            lost: vec![0; count],
            codes: Codes::new(count * 64),
            won_lately: vec![false; sets],
            lost_lately: vec![false; sets],
        };
        let sides = [side(), side()];
        let settled = (metric == Metric::Clock && words.key.pawns).then(Default::default);
        Solver { words, metric, exits, sides, settled, legal: 0, known: 0, resumed: None }
    }

    /// The table's rules.
    pub(crate) fn words(&self) -> &Words {
        &self.words
    }

    /// What is known.
    pub(crate) fn codes(&self) -> [&Codes; 2] {
        [&self.sides[0].codes, &self.sides[1].codes]
    }

    /// Whether what is known, and how far it goes, is enough to go on from.
    pub(crate) fn can_resume(&self) -> bool {
        self.settled.is_none()
    }

    /// The values of all positions.
    pub(crate) fn solve(mut self, report: Report) -> Result<Layer, Ended> {
        let by_rank = self.metric == Metric::Clock && self.words.key.has_pawn();
        if self.settled.is_some() {
            self.solve_in_rounds(report)?;
        } else {
            let known = self.sides.each_mut().map(|side| std::mem::replace(&mut side.codes, Codes::new(0)));
            self.begin();
            if self.resumed.is_some() {
                self.take_over(known);
            }
            if by_rank {
                for (round, rank) in (1..=6).zip((0..6).rev()) {
                    self.waves(round, rank * 8..(rank + 1) * 8, report)?;
                }
            } else {
                self.waves(1, 0..self.words.space.places, report)?;
            }
        }
        let [white, black] = self.sides;
        Ok(Layer { words: self.words, metric: self.metric, codes: [white.codes, black.codes] })
    }

    fn solve_in_rounds(&mut self, report: Report) -> Result<(), Ended> {
        for round in 1.. {
            self.begin();
            if round == 1 {
                // Nobody is known to win anything yet.
                self.settled = Some(std::array::from_fn(|side| {
                    [self.legal_words(side), vec![0; self.words.space.words()]]
                }));
            }
            self.waves(round, 0..self.words.space.places, report)?;
            let now =
                std::array::from_fn(|side| [self.sides[side].safe.clone(), self.sides[side].lost.clone()]);
            if self.settled.as_ref() == Some(&now) {
                break;
            }
            self.settled = Some(now);
        }
        Ok(())
    }

    /// Runs waves until nothing more is found, with the piece on some of its places.
    fn waves(&mut self, round: u32, places: std::ops::Range<usize>, report: Report) -> Result<(), Ended> {
        self.exits.begin(self.metric);
        let longest = self.exits.longest(self.metric);
        let limit = if self.metric == Metric::Clock { CLOCK_LIMIT } else { u16::MAX / 2 };
        let mut quiet = 0;
        // The plies of this round that are known from an earlier call.
        let known = match self.resumed {
            Some((reached, _)) if round < reached => return Ok(()),
            Some((reached, plies)) if round == reached => plies,
            _ => 0,
        };
        for plies in 0..known {
            self.exits.advance(self.metric, plies);
        }
        for plies in known + 1..=limit {
            let wave = Wave { metric: self.metric, round, plies, known: self.known, legal: self.legal };
            if !report(self, &wave) {
                return Err(Ended::Stopped);
            }
            let news = self.exits.advance(self.metric, plies - 1);
            let all = news || plies == known + 1;
            // By plies to mate the two kinds take turns.
            let (wins, losses) = match self.metric {
                Metric::Mate => (plies % 2 == 1, plies % 2 == 0),
                Metric::Clock => (true, true),
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

    /// What one side newly wins and loses.
    fn wave(
        &self,
        side: usize,
        wins: bool,
        losses: bool,
        all: bool,
        places: std::ops::Range<usize>,
    ) -> Vec<Vec<Found>> {
        let space = &self.words.space;
        let other = &self.sides[1 - side];
        let near = |lately: &[bool], set: usize| all || space.neighbours(set).any(|near| lately[near]);
        let mut found = vec![Vec::new(); space.sets.len()];
        if wins {
            let due = |set: usize| near(&other.lost_lately, set);
            found = self.slices(side, Goal::Lost, due, places.clone(), |_, moves| (moves, 0));
        }
        if losses {
            let due = |set: usize| near(&other.won_lately, set);
            let lost = self.slices(side, Goal::Safe, due, places, |asked, moves| (0, asked & !moves));
            for (found, lost) in found.iter_mut().zip(lost) {
                found.extend(lost);
            }
        }
        found
    }

    /// Goes through the words of one side to move, set of catapults by set, and asks which of their open positions have moves to
    /// the goal; `judge` makes won and lost ones of these.
    fn slices(
        &self,
        side: usize,
        goal: Goal,
        due: impl Fn(usize) -> bool + Sync,
        places: std::ops::Range<usize>,
        judge: impl Fn(u64, u64) -> (u64, u64) + Sync,
    ) -> Vec<Vec<Found>> {
        let space = &self.words.space;
        let to = self.sets(1 - side, goal);
        let (words, open) = (&self.words, &self.sides[side].open);
        (0..space.sets.len())
            .into_par_iter()
            .map(|set| {
                let mut found = Vec::new();
                if !due(set) {
                    return found;
                }
                let (mut asked, mut moves) = ([0; 64], [0; 64]);
                for king in 0..space.kings.len() {
                    let base = space.base(set, king);
                    let open = &open[base..base + space.places];
                    asked[places.clone()].copy_from_slice(&open[places.clone()]);
                    if asked[places.clone()].iter().all(|word| *word == 0) {
                        continue;
                    }
                    if side == 0 {
                        words.white_moves(set, king, &to, &asked, &mut moves[..space.places]);
                    } else {
                        words.black_moves(set, king, &to, &asked, &mut moves[..space.places]);
                    }
                    for place in places.clone() {
                        let (won, lost) = judge(asked[place], moves[place]);
                        if won | lost != 0 {
                            found.push(((king * space.places + place) as u32, won, lost));
                        }
                    }
                }
                found
            })
            .collect()
    }

    /// The positions with this side to move that moves may be asked to lead to.
    fn sets(&self, side: usize, goal: Goal) -> Sets<'_> {
        let known = &self.sides[side];
        let table: &[u64] = if goal == Goal::Lost { &known.lost } else { &known.safe };
        let restarted = match &self.settled {
            Some(settled) => &settled[side][usize::from(goal == Goal::Lost)][..],
            None => table,
        };
        Sets {
            table,
            restarted,
            without: self.exits.without.words(side, goal == Goal::Lost),
            kings: if self.exits.kings_play {
                Ok(self.exits.kings.words(side, goal == Goal::Lost))
            } else {
                Err(goal == Goal::Safe)
            },
            promoted: self.exits.promoted.words(side, goal == Goal::Lost),
            used: self.exits.used.words(side, goal == Goal::Lost),
        }
    }
}
