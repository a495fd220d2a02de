//! Tests of `docs/metrics.md`, the reference page of all metrics, which they generate.

use crate::sections::SECTIONS;
use catapult_figures::format;
use catapult_measures::metrics::METRICS;
use catapult_measures::results::MetricInfo;
use std::fmt::Write as _;

const INTRODUCTION: &str = "\
# Metrics

Each value of a study belongs to a *sample*: the games of one agent's networks in one arm, at one
checkpoint and number of simulations. Names in code font are those of `metrics.json`, `metrics.csv`
and a study's file. A definition includes limits of the metric, and its source if there is one.

The crate `report` generates this page. Run its tests with `UPDATE_EXPECT=1` after changing a
definition.
";

/// Prefix of the ids of metrics that give the winner's share of a use.
const WINNER_SHARE: &str = "winner_share_";

/// Returns the text of `docs/metrics.md`, with one table of metrics per chapter.
fn reference() -> String {
    let mut page = INTRODUCTION.to_owned();
    for section in SECTIONS.iter() {
        let of_chapter = || METRICS.iter().filter(|metric| metric.chapter == section.chapter);
        if of_chapter().next().is_none() {
            continue;
        }
        _ = write!(page, "\n## {}\n\n| metric | unit | definition |\n|---|---|---|\n", section.title);
        // One row stands for the winner's shares, which differ only in the name of the use.
        let (shares, others): (Vec<&MetricInfo>, Vec<&MetricInfo>) =
            of_chapter().partition(|metric| metric.id.starts_with(WINNER_SHARE));
        for metric in others {
            let unit = match format::unit_name(metric.unit) {
                "" => "number",
                unit => unit,
            };
            let definition = metric.definition.replace('|', "\\|");
            _ = writeln!(page, "| {} (`{}`) | {unit} | {definition} |", metric.name, metric.id);
        }
        if !shares.is_empty() {
            _ = writeln!(
                page,
                "| share of the winner (`{WINNER_SHARE}ID`, for the use `ID`) | % | Share of the eventual \
                 winner, in decisive games, of a use in this table. It is one half if winners and losers \
                 make the use equally often. Setup moves have no such share. |"
            );
        }
    }
    page
}

#[test]
fn the_committed_page_is_the_generated_one() {
    expect_test::expect_file!["../../../docs/metrics.md"].assert_eq(&reference());
}

#[test]
fn sentences_of_definitions_are_short() {
    let long = METRICS.iter().flat_map(|metric| {
        let long = metric.definition.split(". ").filter(|sentence| sentence.split_whitespace().count() > 25);
        long.map(|sentence| format!("{}: {sentence}", metric.id))
    });
    assert_eq!(long.collect::<Vec<_>>(), Vec::<String>::new());
}
