//! Updates of the solved positions: by the results of a wave, or from a checkpoint.

use super::{NewlySolved, Side, Solver};
use crate::geometry::squares;
use crate::value::{Codes, Value};
use rayon::prelude::*;

impl Solver {
    /// Sets the codes of a checkpoint. The next [`solve`](Self::solve) continues after `plies`
    /// plies of round `round`. The call has no effect if [`can_resume`](Self::can_resume) returns
    /// false.
    pub(crate) fn resume(&mut self, codes: [Codes; 2], round: u32, plies: u16) {
        if self.can_resume() {
            for (side, codes) in self.sides.iter_mut().zip(codes) {
                side.codes = codes;
            }
            self.resumed = Some((round, plies));
        }
    }

    /// Restores the solved positions from the codes of a checkpoint. The caller must call
    /// [`begin`](Self::begin) first.
    pub(super) fn take_over(&mut self, known: [Codes; 2]) {
        let (slice, metric) = (self.rules.space.slice(), self.metric);
        self.known = 0;
        for (side, codes) in known.into_iter().enumerate() {
            let found: Vec<Vec<NewlySolved>> = (0..self.rules.space.sets.len())
                .into_par_iter()
                .map(|set| {
                    let word = |word: usize| {
                        let (mut won, mut lost) = (0, 0);
                        for black in 0..64 {
                            match metric.value(codes.get((set * slice + word) * 64 + black)) {
                                Value::Won(_) => won |= 1 << black,
                                Value::Lost(_) => lost |= 1 << black,
                                Value::Drawn => {}
                            }
                        }
                        (word as u32, won, lost)
                    };
                    (0..slice).map(word).filter(|(_, won, lost)| won | lost != 0).collect()
                })
                .collect();
            self.apply(side, 0, &found);
            self.sides[side].codes = codes;
        }
    }

    /// Marks positions with `side` to move as solved in `plies` plies. `found` has one list per
    /// placement of the catapults.
    pub(super) fn apply(&mut self, side: usize, plies: u16, found: &[Vec<NewlySolved>]) {
        let slice = self.rules.space.slice();
        let metric = self.metric;
        let codes = [metric.code(Value::Won(plies)), metric.code(Value::Lost(plies))];
        let known = &mut self.sides[side];
        if found.iter().any(|found| !found.is_empty()) {
            known.codes.widen_for(codes[0].max(codes[1]));
        }
        let Side { open, safe, lost, codes: all, won_lately, lost_lately } = known;
        match all {
            Codes::Narrow(all) => write(all, found, codes.map(|code| code as u8)),
            Codes::Wide(all) => write(all, found, codes),
        }
        let words = (open.par_chunks_mut(slice), safe.par_chunks_mut(slice), lost.par_chunks_mut(slice));
        let flags = (won_lately.par_iter_mut(), lost_lately.par_iter_mut(), found.par_iter());
        self.known += (words, flags)
            .into_par_iter()
            .map(|((open, safe, lost), (won_lately, lost_lately, found))| {
                for &(word, won_here, lost_here) in found {
                    let word = word as usize;
                    open[word] &= !(won_here | lost_here);
                    safe[word] &= !won_here;
                    lost[word] |= lost_here;
                    *won_lately |= won_here != 0;
                    *lost_lately |= lost_here != 0;
                }
                found.iter().map(|(_, won, lost)| u64::from((won | lost).count_ones())).sum::<u64>()
            })
            .sum::<u64>();
    }
}

/// Writes the codes of newly won and lost positions into `all`, the codes of all positions with one
/// side to move. `found` has one list per placement of the catapults.
fn write<T: Copy + Send + Sync>(all: &mut [T], found: &[Vec<NewlySolved>], [won, lost]: [T; 2]) {
    all.par_chunks_mut(all.len() / found.len()).zip(found).for_each(|(all, found)| {
        for &(word, won_here, lost_here) in found {
            let word = &mut all[word as usize * 64..][..64];
            squares(won_here).for_each(|black| word[black as usize] = won);
            squares(lost_here).for_each(|black| word[black as usize] = lost);
        }
    });
}
