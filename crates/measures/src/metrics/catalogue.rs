//! The list of all metrics.

use super::findings::PerGame;
use super::{
    branching, calibration, comebacks, divergence, endings, exact, leads, openings, piece_values, population,
    priors, replayed, rule_use, skill, thinking, white, worth,
};
use crate::games::ALL_USES;
use crate::results::{Chapter, MetricInfo, Unit};

/// Every metric: its name in files, its unit, its definition and source. Those that a game's own rules add to
/// ([`StudiedGame::USES`](crate::games::StudiedGame::USES)) are among them.
pub const METRICS: &[MetricInfo] = &concat::<COUNT>(PER_GAME, OTHERS);

/// A metric by its id.
pub fn metric(id: &str) -> Option<&'static MetricInfo> {
    METRICS.iter().find(|metric| metric.id == id)
}

const PER_GAME: &[&[PerGame]] = &[endings::METRICS, branching::METRICS, openings::METRICS];

const OTHERS: &[&[MetricInfo]] = &[
    endings::FROM_RATES,
    openings::FROM_LINES,
    priors::METRICS,
    divergence::METRICS,
    piece_values::METRICS,
    ALL_USES[0],
    ALL_USES[1],
    ALL_USES[2],
    ALL_USES[3],
    ALL_USES[4],
    ALL_USES[5],
    ALL_USES[6],
    ALL_USES[7],
    rule_use::METRICS,
    comebacks::METRICS,
    calibration::METRICS,
    leads::METRICS,
    replayed::METRICS,
    skill::METRICS,
    population::METRICS,
    worth::METRICS,
    exact::METRICS,
    thinking::METRICS,
    white::METRICS,
];

const COUNT: usize = {
    let (mut count, mut i) = (0, 0);
    while i < PER_GAME.len() {
        count += PER_GAME[i].len();
        i += 1;
    }
    i = 0;
    while i < OTHERS.len() {
        count += OTHERS[i].len();
        i += 1;
    }
    count
};

const fn concat<const N: usize>(per_game: &[&[PerGame]], others: &[&[MetricInfo]]) -> [MetricInfo; N] {
    let mut all = [MetricInfo {
        id: "",
        name: "",
        unit: Unit::Ratio,
        chapter: Chapter::Others,
        neutral: None,
        definition: "",
    }; N];
    let (mut at, mut i) = (0, 0);
    while i < per_game.len() {
        let mut j = 0;
        while j < per_game[i].len() {
            all[at] = per_game[i][j].info;
            (at, j) = (at + 1, j + 1);
        }
        i += 1;
    }
    i = 0;
    while i < others.len() {
        let mut j = 0;
        while j < others[i].len() {
            all[at] = others[i][j];
            (at, j) = (at + 1, j + 1);
        }
        i += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::METRICS;
    use std::collections::HashSet;

    #[test]
    fn metrics_have_different_names_that_can_stand_in_files() {
        let mut seen = HashSet::new();
        for metric in METRICS {
            assert!(seen.insert(metric.id), "{} stands twice", metric.id);
            assert!(
                metric.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
                "{}",
                metric.id
            );
            assert!(metric.definition.ends_with('.') && !metric.name.is_empty(), "{}", metric.id);
        }
    }
}
