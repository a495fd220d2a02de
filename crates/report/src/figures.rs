//! Which figures a study has: every metric over levels, its curves, boards, piece values, endings.

use super::figure::{Figure, axis, sentence, slug};
use super::view::{Level, ResultsView, level, level_label, level_words};
use super::{claim_figures, curve_figures, draws, piece_values, strength};
use crate::results::{Chapter, HeatMap};
use catapult_figures::chart::board::{self, Board};
use catapult_figures::chart::levels::{Column, Levels, Series};
use catapult_figures::chart::stacked::{self, Stacked};
use catapult_measures::data::Checkpoint;

/// All figures, in no order that means anything; names are unique.
pub(crate) fn figures(view: &ResultsView) -> Vec<Figure> {
    let mut all: Vec<Figure> = view
        .results
        .judgements
        .iter()
        .filter_map(|judgement| claim_figures::figure(view, judgement))
        .collect();
    all.extend(strength::figures(view));
    all.extend(draws::figure(view));
    all.extend(endings(view));
    all.extend(piece_values::figure(view));
    all.extend(curve_figures::figures(view));
    all.extend(boards(view));
    all.extend(view.metrics().into_iter().filter_map(|metric| over_levels(view, metric)));
    super::distinct(all)
}

/// A metric over levels; nothing where it was measured nowhere.
pub(crate) fn over_levels(view: &ResultsView, metric: &str) -> Option<Figure> {
    let info = view.info(metric);
    let levels = levels(view, metric)?;
    Some(Figure {
        id: slug(metric),
        chapter: Some(info.chapter),
        title: sentence(&info.name),
        caption: info.definition.to_owned(),
        drawing: levels.draw(),
    })
}

/// A metric's chart over the levels at which it was measured.
pub(crate) fn levels(view: &ResultsView, metric: &str) -> Option<Levels> {
    let info = view.info(metric);
    let shown = view.levels_of(metric);
    let series: Vec<Series> = view
        .series
        .iter()
        .map(|s| Series {
            look: s.look,
            name: s.label.clone(),
            points: shown.iter().map(|at| Some(view.measure(metric, s, *at)?.estimate)).collect(),
            doubted: (0..shown.len())
                .filter(|i| {
                    view.measure(metric, s, shown[*i]).is_some_and(|m| view.is_doubted(metric, &m.sample))
                })
                .collect(),
        })
        .filter(|s: &Series| s.points.iter().any(|p| p.is_some_and(|e| e.value.is_finite())))
        .collect();
    if series.is_empty() {
        return None;
    }
    let columns =
        shown.iter().map(|at| Column { label: level_label(*at), joined: at.0 == Checkpoint::Last }).collect();
    let axis = axis(&info.name, info.unit);
    Some(Levels { axis, unit: info.unit, columns, series, baseline: info.neutral, domain: None })
}

/// The boards of each title at the strongest levels, one an arm.
fn boards(view: &ResultsView) -> Vec<Figure> {
    let mut titles: Vec<&str> = Vec::new();
    for map in &view.results.heat_maps {
        if !titles.contains(&map.title.as_str()) {
            titles.push(&map.title);
        }
    }
    let figure = |title: &str| {
        let maps = || view.results.heat_maps.iter().filter(|m| m.title == title);
        let mut chosen: Vec<_> = maps()
            .filter(|m| view.is_strongest(&m.sample, maps().map(|other| &other.sample)))
            .filter_map(|m| Some((view.series_of(&m.sample)?, m)))
            .collect();
        chosen.sort_by_key(|(series, _)| series.look);
        let at = level(&chosen.first()?.1.sample);
        // Shares are printed in per cent.
        let (unit, factor) = match chosen.first()?.1.unit.strip_prefix("share of ") {
            Some(all) => (format!("% of {all}"), 100.0),
            None => (chosen.first()?.1.unit.clone(), 1.0),
        };
        let board = |(series, m): &(&super::view::Series, &HeatMap)| Board {
            title: series.label.clone(),
            files: m.files,
            values: m.values.iter().map(|value| factor * value).collect(),
            unit: unit.clone(),
        };
        let boards: Vec<Board> = chosen.iter().map(board).collect();
        Some(Figure {
            id: slug(&format!("board {title}")),
            chapter: Some(Chapter::NewRules),
            title: sentence(title),
            caption: format!(
                "The darker a square, the more of it ({unit}), at {}; one scale for all boards, Black's squares \
                 turned to Black's side.",
                level_words(at)
            ),
            drawing: board::draw(&boards),
        })
    };
    titles.into_iter().filter_map(figure).collect()
}

/// The metrics that split all games, from the left.
const ENDS: [&str; 9] = [
    "white_win_rate",
    "black_win_rate",
    "drawn_dead",
    "drawn_stalemate",
    "drawn_repetition",
    "drawn_clock",
    "capped_lead",
    "capped_balanced",
    "drawn_other",
];

/// Shares of endings as bars, one an arm and level.
fn endings(view: &ResultsView) -> Option<Figure> {
    let groups: Vec<stacked::Group> = view
        .series
        .iter()
        .map(|series| {
            let share = |metric: &str, at: Level| Some(view.measure(metric, series, at)?.estimate.value);
            // A bar without one of its parts would say that the games are all told.
            let bar = |at: &Level| {
                let shares: Option<Vec<f64>> = ENDS.iter().map(|metric| share(metric, *at)).collect();
                Some((level_label(*at), shares?))
            };
            (series.label.clone(), view.levels.iter().filter_map(bar).collect())
        })
        .filter(|(_, bars): &stacked::Group| !bars.is_empty())
        .collect();
    let parts = ENDS.map(|metric| view.info(metric).name).to_vec();
    (!groups.is_empty()).then(|| Figure {
        id: "endings".to_owned(),
        chapter: Some(Chapter::Endings),
        title: "How games end".to_owned(),
        caption: "Shares of all games, for each arm and number of simulations a move (weakest at the top). Undecided games are \
                  split by what ended them; where the clock or the ply cap did, by whether one side was three pawns or more \
                  ahead."
            .to_owned(),
        drawing: Stacked { parts, groups }.draw(),
    })
}
