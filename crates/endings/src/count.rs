//! Statistics of a table. They count all positions of the board, not reduced by symmetry.

use crate::layer::Layer;
use crate::value::Value;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers of positions with one side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SideCounts {
    /// Number of positions that the rules accept as a FEN.
    pub legal: u64,
    /// Number of positions that the side to move wins, by distance in plies.
    pub won: BTreeMap<u16, u64>,
    /// Number of positions that the side to move loses, by distance in plies.
    pub lost: BTreeMap<u16, u64>,
}

/// Numbers of positions for both sides to move. White is the side with the piece.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Numbers of positions with White to move.
    pub white: SideCounts,
    /// Numbers of positions with Black to move.
    pub black: SideCounts,
}

impl SideCounts {
    /// Returns the number of positions that the side to move wins.
    pub fn won(&self) -> u64 {
        self.won.values().sum()
    }

    /// Returns the number of positions that the side to move loses.
    pub fn lost(&self) -> u64 {
        self.lost.values().sum()
    }

    fn add(&mut self, other: &SideCounts) {
        self.legal += other.legal;
        for (mine, theirs) in [(&mut self.won, &other.won), (&mut self.lost, &other.lost)] {
            theirs.iter().for_each(|(plies, count)| *mine.entry(*plies).or_default() += count);
        }
    }
}

impl Counts {
    /// Returns the plies of White's longest win, or 0 if White never wins.
    pub fn longest(&self) -> u16 {
        self.white.won.keys().chain(self.black.lost.keys()).max().copied().unwrap_or(0)
    }

    /// Returns the plies of Black's longest win, or 0 if Black never wins.
    pub fn longest_of_black(&self) -> u16 {
        self.black.won.keys().chain(self.white.lost.keys()).max().copied().unwrap_or(0)
    }

    /// Returns a summary in one line: the number of positions that White wins, by side to move, and
    /// the plies of White's longest win.
    pub fn line(&self) -> String {
        let (won, lost, longest) = (self.white.won(), self.black.lost(), self.longest());
        let (white, black) = (self.white.legal, self.black.legal);
        format!("won {won} of {white}, lost {lost} of {black}, longest {longest} plies")
    }
}

impl Layer {
    /// Counts the positions of the table, weighted so that they cover the whole board.
    pub(crate) fn count(&self) -> Counts {
        let space = &self.rules.space;
        let [white, black] = [0, 1].map(|side| {
            (0..space.sets.len()).into_par_iter().map(|set| self.count_set(side, set)).reduce(
                SideCounts::default,
                |mut all, part| {
                    all.add(&part);
                    all
                },
            )
        });
        Counts { white, black }
    }

    fn count_set(&self, side: usize, set: usize) -> SideCounts {
        let space = &self.rules.space;
        let mut legal = 0;
        let mut by_code = vec![0u64; 512];
        for king in 0..space.kings.len() {
            let weight = space.weight(king);
            let base = space.base(set, king);
            for place in 0..space.places {
                legal +=
                    weight * u64::from(self.rules.legal(self.rules.men(set, king, place))[side].count_ones());
                for position in (base + place) * 64..(base + place + 1) * 64 {
                    let code = self.codes[side].get(position) as usize;
                    if code >= by_code.len() {
                        by_code.resize(code + 1, 0);
                    }
                    by_code[code] += weight;
                }
            }
        }
        let mut counts = SideCounts { legal, ..SideCounts::default() };
        for (code, count) in by_code.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            match self.metric.value(code as u16) {
                Value::Drawn => {}
                Value::Won(plies) => *counts.won.entry(plies).or_default() += count,
                Value::Lost(plies) => *counts.lost.entry(plies).or_default() += count,
            }
        }
        counts
    }
}
