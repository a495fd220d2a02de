//! All figures of a study: claims, strength, metrics over levels, curves, heat maps and
//! endings.

use super::figure::{Figure, axis, chart, sentence, slug};
use super::view::{Info, Level, ResultsView, Series, level, level_label, level_words, unique};
use super::{claim_figures, curve_figures, draws as draws_by_strength, strength};
use crate::results::{Chapter, HeatMap};
use catapult_figures::chart::board::{self, Board};
use catapult_figures::chart::levels::Levels;
use catapult_figures::chart::stacked::{self, Stacked};
use catapult_figures::svg::Drawing;
use catapult_measures::games::GameInfo;

/// Returns all figures of a study. Their ids are unique.
pub(crate) fn figures(view: &ResultsView) -> Vec<Figure> {
    let mut all: Vec<Figure> = view
        .results
        .judgements
        .iter()
        .filter_map(|judgement| claim_figures::figure(view, judgement))
        .collect();
    all.extend(strength::figures(view));
    all.extend(draws_by_strength::figure(view));
    all.extend(endings(view));
    all.extend(draws(view));
    all.extend(curve_figures::figures(view));
    all.extend(boards(view));
    // One figure shows these metrics together.
    let parts: Vec<&str> = CAUSES.iter().flat_map(|(_, by_lead)| by_lead.concat()).collect();
    let metrics = view.metrics().into_iter().filter(|metric| !parts.contains(metric));
    all.extend(metrics.filter_map(|metric| Some(of_metric(metric, levels(view, metric)?.draw()))));
    super::distinct(all)
}

/// Returns the figure of a metric with this drawing.
fn of_metric(metric: &str, drawing: Drawing) -> Figure {
    let info = Info::of(metric);
    Figure {
        id: slug(metric),
        chapter: Some(info.chapter),
        title: sentence(&info.name),
        caption: info.definition.to_owned(),
        drawing,
    }
}

/// Returns the chart of a metric over the levels at which it was measured. `None` if there is no
/// finite value.
fn levels(view: &ResultsView, metric: &str) -> Option<Levels> {
    let info = Info::of(metric);
    let point = |series: &Series, at: Level| {
        let found = view.measure(metric, series, at)?;
        Some((found.estimate, view.is_doubted(metric, &found.sample)))
    };
    let axis = axis(&info.name, info.unit);
    chart(view, &view.levels_of(metric), axis, info.unit, info.neutral, point)
}

/// Returns one figure per kind of heat map. Each figure has one board per arm and agent, at the
/// strongest level.
fn boards(view: &ResultsView) -> Vec<Figure> {
    let ids = unique(view.results.heat_maps.iter().map(|map| map.map.as_str()));
    let figure = |id: &str| {
        let maps = || view.results.heat_maps.iter().filter(|m| m.map == id);
        let mut chosen: Vec<_> = maps()
            .filter(|m| view.is_strongest(&m.sample, maps().map(|other| &other.sample)))
            .filter_map(|m| Some((view.series_of(&m.sample)?, m)))
            .collect();
        chosen.sort_by_key(|(series, _)| series.look);
        let sample = &chosen.first()?.1.sample;
        let (_, info) = GameInfo::of(sample.arm.rules).maps.into_iter().find(|(_, map)| map.id == id)?;
        // Shares are shown in per cent.
        let (unit, factor) = if info.per_game { ("per game", 1.0) } else { ("% of plies", 100.0) };
        let board = |(series, m): &(&Series, &HeatMap)| Board {
            title: series.label.clone(),
            files: m.files,
            values: m.values.iter().map(|value| factor * value).collect(),
            unit: unit.to_owned(),
        };
        let boards: Vec<Board> = chosen.iter().map(board).collect();
        Some(Figure {
            id: slug(&format!("board {id}")),
            chapter: Some(Chapter::NewRules),
            title: sentence(info.title),
            caption: format!(
                "The darker a square, the more of it ({unit}), at {}; one scale for all boards, Black's squares \
                 turned to Black's side.",
                level_words(level(sample))
            ),
            drawing: board::draw(&boards),
        })
    };
    ids.into_iter().filter_map(figure).collect()
}

/// Metrics that partition all games by their end, each with the name of its part of a bar.
const ENDS: [(&str, &str); 9] = [
    ("white_win_rate", "White wins"),
    ("black_win_rate", "Black wins"),
    ("drawn_dead", "dead position"),
    ("drawn_stalemate", "stalemate"),
    ("drawn_repetition", "repetition"),
    ("drawn_clock", "fifty-move rule"),
    ("capped_lead", "truncated, decisive lead"),
    ("capped_balanced", "truncated, balanced"),
    ("drawn_other", "otherwise"),
];

/// Returns the figure of how games end, with one bar of shares per arm, agent and level.
fn endings(view: &ResultsView) -> Option<Figure> {
    let parts: Vec<_> = ENDS.iter().map(|(metric, name)| ((*name).to_owned(), vec![*metric])).collect();
    Some(Figure {
        id: "endings".to_owned(),
        chapter: Some(Chapter::Endings),
        title: "How games end".to_owned(),
        caption:
            "Shares of all games, for each arm and number of simulations per move (weakest at the top). \
                  Games without a winner are split by what ended them. Games that the ply cap ended are \
                  split by whether one side was three pawns or more ahead."
                .to_owned(),
        drawing: stacked(view, &parts)?,
    })
}

/// Causes of games without a winner, each with its metrics for games with and without a decisive
/// lead.
const CAUSES: [(&str, [&[&str]; 2]); 4] = [
    ("fifty-move rule", [&["drawn_clock_lead"], &["drawn_clock_balanced"]]),
    ("repetition", [&["drawn_repetition_lead"], &["drawn_repetition_balanced"]]),
    ("truncated", [&["capped_lead"], &["capped_balanced"]]),
    (
        "dead position or stalemate",
        [&["drawn_dead_lead", "drawn_stalemate_lead"], &["drawn_dead_balanced", "drawn_stalemate_balanced"]],
    ),
];

/// Returns the figure of games without a winner, with one bar of shares per arm, agent and level.
fn draws(view: &ResultsView) -> Option<Figure> {
    let mut parts = Vec::new();
    for (cause, [lead, balanced]) in CAUSES {
        parts.push((format!("{cause}, lead"), lead.to_vec()));
        parts.push((format!("{cause}, balanced"), balanced.to_vec()));
    }
    parts.push(("otherwise".to_owned(), vec!["drawn_other"]));
    Some(Figure {
        id: "draws-by-cause-and-lead".to_owned(),
        chapter: Some(Chapter::Endings),
        title: "Games without a winner, by cause and lead".to_owned(),
        caption:
            "Shares of all games, for each arm and number of simulations per move (weakest at the top). \
                  Lead: one side is three pawns or more ahead in material at the end of the game."
                .to_owned(),
        drawing: stacked(view, &parts)?,
    })
}

/// Draws one bar per arm, agent and level. A part of a bar is the sum of its metrics. Bars with a
/// part that was not measured are omitted. `None` without bars.
fn stacked(view: &ResultsView, parts: &[(String, Vec<&str>)]) -> Option<Drawing> {
    let group = |series: &Series| -> stacked::Group {
        let share = |metric: &str, at: Level| Some(view.measure(metric, series, at)?.estimate.value);
        let bar = |at: Level| {
            let part = |(_, metrics): &(String, Vec<&str>)| -> Option<f64> {
                metrics.iter().map(|metric| share(metric, at)).sum()
            };
            let shares: Option<Vec<f64>> = parts.iter().map(part).collect();
            Some((level_label(at), shares?))
        };
        (series.label.clone(), view.levels.iter().filter_map(|at| bar(*at)).collect())
    };
    let mut groups: Vec<stacked::Group> = view.series.iter().map(group).collect();
    groups.retain(|(_, bars)| !bars.is_empty());
    let parts = parts.iter().map(|(name, _)| name.clone()).collect();
    (!groups.is_empty()).then(|| Stacked { parts, groups }.draw())
}
