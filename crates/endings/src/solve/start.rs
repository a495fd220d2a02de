//! Where a solution begins: legal positions, mates and stalemates.

use super::{Found, Goal, Solver};
use crate::value::Codes;
use rayon::prelude::*;

impl Solver {
    /// Legal positions, those without a move, and mates.
    pub(super) fn begin(&mut self) {
        // Whether there is a move does not depend on what it leads to.
        self.exits.reset();
        let settled = self.settled.take();
        let words = &self.words;
        let slice = words.space.slice();
        let places = words.space.places;
        let [white, black] = &mut self.sides;
        (white.safe.par_chunks_mut(slice), black.safe.par_chunks_mut(slice))
            .into_par_iter()
            .enumerate()
            .for_each(|(set, (white, black))| {
                for word in 0..slice {
                    let legal = words.legal(words.men(set, word / places, word % places));
                    (white[word], black[word]) = (legal[0], legal[1]);
                }
            });
        for side in &mut self.sides {
            side.codes = Codes::new(side.safe.len() * 64);
            side.lost.fill(0);
            side.open.copy_from_slice(&side.safe);
        }
        self.legal =
            self.sides.iter().flat_map(|side| &side.safe).map(|word| u64::from(word.count_ones())).sum();
        self.known = 0;
        let found = [0, 1].map(|side| self.without_moves(side));
        self.settled = settled;
        for (side, found) in found.into_iter().enumerate() {
            self.apply(side, 0, &found);
        }
    }

    /// The legal positions with one side to move.
    pub(super) fn legal_words(&self, side: usize) -> Vec<u64> {
        let space = &self.words.space;
        let legal = |word: usize| {
            let (set, king, place) = space.parts(word);
            self.words.legal(self.words.men(set, king, place))[side]
        };
        (0..space.words()).into_par_iter().map(legal).collect()
    }

    /// Positions without a move: mates as lost ones, stalemates closed.
    fn without_moves(&mut self, side: usize) -> Vec<Vec<Found>> {
        let mut stalemates: Vec<Vec<Found>> = Vec::new();
        let mated = {
            let words = &self.words;
            let all = self.slices(
                side,
                Goal::Safe,
                |_| true,
                0..words.space.places,
                |asked, moves| (0, asked & !moves),
            );
            all.into_iter()
                .enumerate()
                .map(|(set, found)| {
                    let mut still = Vec::new();
                    let mated = found
                        .into_iter()
                        .filter_map(|(word, _, stuck)| {
                            let places = words.space.places;
                            let men = words.men(set, word as usize / places, word as usize % places);
                            let check = if side == 0 {
                                words.attacked_by_black(men)
                            } else {
                                words.attacked_by_white(men)
                            };
                            if stuck & !check != 0 {
                                still.push((word, 0, stuck & !check));
                            }
                            (stuck & check != 0).then_some((word, 0, stuck & check))
                        })
                        .collect();
                    stalemates.push(still);
                    mated
                })
                .collect()
        };
        let slice = self.words.space.slice();
        for (open, found) in self.sides[side].open.chunks_mut(slice).zip(&stalemates) {
            for (word, _, stuck) in found {
                open[*word as usize] &= !stuck;
            }
        }
        mated
    }
}
