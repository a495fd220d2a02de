//! Updates of the solved positions by the results of a wave.

use super::{NewlySolved, Side, Solver};
use crate::geometry::squares;
use crate::value::{Codes, Value};
use rayon::prelude::*;

impl Solver {
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
