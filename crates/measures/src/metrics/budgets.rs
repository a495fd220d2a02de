//! Wins, draws and White's score at shorter and longer thinking, side by side: Tomasev et al. 2020 tell them at one second and at
//! one minute a move.

use super::findings::Findings;
use super::sample::Sample;
use crate::data::{Checkpoint, SampleId};
use crate::results::{Chapter, MetricInfo, RowNames, TableInfo, Unit};
use std::collections::BTreeMap;

/// Metrics that fill the columns.
const COLUMNS: [&str; 4] = ["white_win_rate", "draw_rate", "black_win_rate", "white_score"];

pub(super) const TABLE: TableInfo = TableInfo {
    id: "wins-draws-by-thinking",
    chapter: Chapter::Endings,
    title: "Wins and draws by thinking time",
    columns: &[
        ("White wins", Unit::Share),
        ("nobody wins", Unit::Share),
        ("Black wins", Unit::Share),
        ("White's score", Unit::Share),
    ],
    rows: RowNames::Simulations,
    note: None,
};

/// A table for each arm and agent with a row for each level of the last checkpoint, where there are several; after the metrics of
/// single games, from which it is made.
pub(super) fn measure(samples: &[Sample], findings: &mut Findings) {
    let mut by_arm: BTreeMap<_, Vec<&SampleId>> = BTreeMap::new();
    for Sample { id, .. } in samples.iter().filter(|sample| sample.id.checkpoint == Checkpoint::Last) {
        by_arm.entry((id.arm, &id.agent)).or_default().push(id);
    }
    for mut levels in by_arm.into_values() {
        levels.sort_by_key(|id| id.simulations);
        let [_, .., strongest] = levels[..] else { continue };
        let cell = |id: &SampleId, metric: &str| {
            let info: Option<&MetricInfo> = super::METRICS.iter().find(|info| info.id == metric);
            findings.value(info?, id)
        };
        let row = |id: &&SampleId| {
            let cells = COLUMNS.map(|metric| cell(id, metric));
            (id.simulations.to_string(), cells.to_vec())
        };
        let rows = levels.iter().map(row).collect();
        findings.table(&TABLE, strongest, rows, Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{cell, measured, record};

    #[test]
    fn each_arm_has_a_row_a_level() {
        // Two scholar's mates and a game that nobody has won yet.
        let mate = || record("chess", "", "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
        let cut = || record("chess", "", "e2e4 e7e5");
        let cells = [
            cell("chess", "agent", 1, 64, vec![mate(), mate()]),
            cell("chess", "agent", 1, 16, vec![mate(), cut()]),
            cell("chesspp", "agent", 1, 16, vec![record("chesspp", "", "e2e4")]),
        ];
        let tables = measured(&cells).tables;
        let tables: Vec<_> =
            tables.into_iter().filter(|table| table.table == "wins-draws-by-thinking").collect();
        assert_eq!(tables.len(), 1, "one level is nothing to compare");
        let rows: Vec<(&str, Vec<f64>)> = tables[0]
            .rows
            .iter()
            .map(|(name, cells)| (name.as_str(), cells.iter().map(|cell| cell.unwrap().value).collect()))
            .collect();
        assert_eq!(rows, [("16", vec![0.5, 0.5, 0.0, 0.75]), ("64", vec![1.0, 0.0, 0.0, 1.0])]);
        assert_eq!(tables[0].sample.simulations, 64);
    }
}
