//! Boards with one number per square. Squares are numbered rank by rank from the mover's own first
//! rank.

use super::findings::Findings;
use super::sample::Sample;
use crate::games::GameInfo;
use crate::results::HeatMap;

pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let GameInfo { maps, board: (files, ranks), .. } = GameInfo::of(sample.id.arm.rules);
    let plies: usize = sample.games.iter().map(|game| game.plies.len()).sum();
    for (board, info) in maps {
        let mut values = vec![0.0; files * ranks];
        for game in sample.games.iter() {
            for (value, &count) in values.iter_mut().zip(&game.maps[board]) {
                *value += f64::from(count);
            }
        }
        let all = if info.per_game { sample.games.len() } else { plies };
        values.iter_mut().for_each(|value| *value /= all.max(1) as f64);
        let map = HeatMap { map: info.id.to_owned(), sample: sample.id.clone(), files, values };
        findings.measured.heat_maps.push(map);
    }
}
