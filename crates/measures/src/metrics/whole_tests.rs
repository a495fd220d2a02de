//! Tests of all metrics together, on games from self-play.

use super::testing::{CellGames, INPUT, cell, games};
use super::{METRICS, StudyInput, measure};
use crate::analysis::{AnalysisSettings, NetworkAnalysis, analyse};
use crate::data::Cell;
use crate::results::{Measure, Measured};
use catapult_mcts::{SearchConfig, evaluators::Material};
use catapult_rules::{Variant, with_variant};
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard};
use catapult_stats::contrast;
use std::sync::atomic::AtomicBool;

fn played(variant: &str, seed: u64, games: u64) -> CellGames {
    let arm: Variant = variant.parse().unwrap();
    let selfplay = SelfPlayConfig {
        simulations: 8,
        fork_share: 0.0,
        ply_cap: 120,
        no_progress_cap: 100,
        ..SelfPlayConfig::default()
    };
    let search = SearchConfig { gumbel_scale: 0.001, considered: Some(8), ..SearchConfig::default() };
    let settings = ShardSettings {
        selfplay: &selfplay,
        search: &search,
        games,
        slots: 16,
        seed,
        network: "material",
        endings: None,
    };
    let records = with_variant!(arm, |P, rules| {
        play_shard::<P>(
            &[(arm, rules)],
            &settings,
            &mut Material,
            &Counters::default(),
            &AtomicBool::new(false),
        )
    });
    cell(variant, "material", seed, 8, records.unwrap().games)
}

fn analysed(cells: &[CellGames]) -> Vec<(Cell, NetworkAnalysis)> {
    let settings = AnalysisSettings { lines: 16, ..AnalysisSettings::default() };
    let of_cell = |(cell, _): &CellGames| {
        let analysis = with_variant!(cell.arm.rules, |P, rules| {
            analyse::<P>(rules, &mut Material, &settings, cell.network.seed)
        });
        (cell.clone(), analysis.unwrap())
    };
    cells.iter().map(of_cell).collect()
}

fn study() -> (Measured, Vec<CellGames>) {
    let mut cells: Vec<CellGames> = [1, 2, 3].map(|seed| played("chess", seed, 8)).to_vec();
    cells.extend([1, 2, 3].map(|seed| played("chesspp+instant+promote", seed, 8)));
    let analyses = analysed(&cells);
    let measured = measure(&StudyInput { analyses: &analyses, ..INPUT }, games(&cells));
    (measured, cells)
}

/// Returns all values as text: one line per measure, row of a table and curve. A curve's line has its
/// last point.
fn text(measured: &Measured) -> String {
    let mut text = String::new();
    for Measure { metric, sample, observations, estimate, .. } in &measured.measures {
        let (arm, value, [low, high]) = (sample.arm, estimate.value, estimate.agents);
        text += &format!("{metric} {arm} {observations}: {value:.4} [{low:.4}, {high:.4}]\n");
    }
    for table in &measured.tables {
        for (row, cells) in &table.rows {
            let cells = cells.iter().map(|cell| cell.map_or(" -".into(), |it| format!(" {:.4}", it.value)));
            text += &format!("{} {} {row}:{}\n", table.table, table.sample.arm, cells.collect::<String>());
        }
    }
    for curve in &measured.curves {
        let (x, y) = curve.points.last().unwrap();
        let arm = curve.sample.arm;
        text += &format!("{} {arm} {}: ({x:.4}, {:.4})\n", curve.figure, curve.series, y.value);
    }
    text
}

/// Checks all metrics together. The file `whole.txt` pins the values that no test works out by hand.
/// `UPDATE_EXPECT=1 cargo test -p catapult-measures` rewrites it.
#[test]
fn all_that_is_found_is_listed_finite_and_repeats() {
    let (measured, cells) = study();
    expect_test::expect_file!["whole.txt"].assert_eq(&text(&measured));
    for found in &measured.measures {
        let estimate = found.estimate;
        assert!(METRICS.iter().any(|metric| metric.id == found.metric), "{} is not listed", found.metric);
        let ends = [estimate.value, estimate.agents[0], estimate.agents[1]];
        assert!(ends.iter().all(|x| x.is_finite()), "{found:?}");
        assert!(estimate.agents[0] <= estimate.agents[1], "{found:?}");
    }
    for curve in &measured.curves {
        assert!(super::FIGURES.iter().any(|figure| figure.id == curve.figure), "{}", curve.figure);
        assert!(curve.points.iter().all(|(x, y)| x.is_finite() && y.value.is_finite()), "{curve:?}");
    }
    let count = |id: &str| measured.measures.iter().filter(|found| found.metric == id).count();
    // Samples of both arms, or of the arm with catapults.
    for (id, samples) in [
        ("draw_rate", 2),
        ("balanced_decisive_rate", 2),
        ("opening_entropy", 2),
        ("opening_entropy_played", 2),
        ("attacking_lead", 1),
        ("attacking_lead_ordinary", 2),
        ("attacking_excess", 1),
        ("drawn_repetition", 2),
        ("calibration_error_raw", 2),
        ("teleports", 1),
        ("instant_teleports", 1),
        ("catapult_promotions", 1),
        ("catapult_placements", 0),
        ("superset_games", 1),
        ("comeback_score", 2),
        ("comeback_score_fitted", 0),
    ] {
        assert_eq!(count(id), samples, "{id}");
    }
    assert_eq!(measured.heat_maps.len(), 2);
    // Both arms have the same networks, so every common metric has a difference, for other seeds
    // too.
    let length = measured.contrasts.iter().find(|contrast| contrast.metric == "length").unwrap();
    let [arm, control] = [&length.arm, length.control.as_ref().unwrap()].map(|sample| {
        let its = measured.measures.iter().find(|found| found.metric == "length" && found.sample == *sample);
        its.unwrap().evidence()
    });
    let paired = contrast(&arm, &control, true);
    assert_eq!((length.difference, length.rule_p), (paired.estimate, paired.rule_p));

    let analyses = analysed(&cells);
    let again = measure(&StudyInput { analyses: &analyses, ..INPUT }, games(&cells));
    assert!(again == measured, "the same input gave something else");
}
