//! Lists of all metrics, figures of curves and tables of samples.

use super::findings::PerGame;
use super::{
    branching, calibration, comebacks, endings, exact, first_moves, openings, piece_values, population,
    priors, replayed, rule_use, skill, thinking, worth,
};
use crate::games::ALL_USES;
use crate::results::{FigureInfo, MetricInfo, TableInfo};
use std::sync::LazyLock;

/// The metrics that are computed from single games.
pub(super) const PER_GAME: [&[PerGame]; 4] =
    [endings::METRICS, endings::BY_LEAD, branching::METRICS, openings::METRICS];

/// Every metric with its id, unit and definition, including the uses of each game's own rules
/// ([`StudiedGame::USES`](crate::games::StudiedGame::USES)).
pub static METRICS: LazyLock<Vec<MetricInfo>> = LazyLock::new(|| {
    let per_game = PER_GAME.into_iter().flatten().map(|metric| metric.info);
    let pieces = piece_values::metrics();
    let uses = ALL_USES.concat();
    let counted: Vec<MetricInfo> = uses.iter().map(|it| it.counted).collect();
    let by_winner: Vec<MetricInfo> = uses.iter().filter_map(|it| it.by_winner).collect();
    let parts = [
        &[endings::FROM_RATES, openings::FROM_LINES, priors::METRICS, &pieces][..],
        &[&counted[..], &by_winner[..]],
        &[rule_use::METRICS, comebacks::METRICS, calibration::METRICS, replayed::METRICS],
        &[skill::METRICS, population::METRICS, worth::METRICS, exact::METRICS, thinking::METRICS],
    ];
    per_game.chain(parts.concat().concat()).collect()
});

/// Returns the metric with this id, or `None` if there is none.
pub fn metric(id: &str) -> Option<&'static MetricInfo> {
    METRICS.iter().find(|metric| metric.id == id)
}

/// Every figure of curves, in the order of the report.
pub const FIGURES: &[FigureInfo] =
    &[openings::FIGURE, comebacks::FIGURE, calibration::FIGURE, thinking::FIGURE];

/// Every table, in the order of the report.
pub const TABLES: &[TableInfo] =
    &[first_moves::TABLE, rule_use::USES, rule_use::AIMS, piece_values::TABLE, worth::TABLE, exact::TABLE];

#[cfg(test)]
mod tests {
    use super::METRICS;
    use std::collections::HashSet;

    #[test]
    fn metrics_have_different_names_that_can_stand_in_files() {
        let mut seen = HashSet::new();
        for metric in METRICS.iter() {
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
