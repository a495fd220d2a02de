//! All figures of a study: claims, strength, metrics over levels, curves, heat maps and
//! endings.

use super::figure::{Figure, axis, chart, sentence, slug};
use super::view::{Level, ResultsView, Series, info, level, level_label, level_words, name_of, unique};
use super::{claim_figures, curve_figures, draws, strength};
use crate::results::{Chapter, HeatMap};
use catapult_figures::chart::board::{self, Board};
use catapult_figures::chart::stacked::{self, Stacked};
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
    all.extend(draws::figure(view));
    all.extend(endings(view));
    all.extend(draws_by_lead(view));
    all.extend(curve_figures::figures(view));
    all.extend(boards(view));
    // The figure of draws shows these metrics together.
    let is_shown =
        |metric: &&str| *metric != "drawn_other" && DRAWS.iter().any(|(_, metrics)| metrics.contains(metric));
    let metrics = view.metrics().into_iter().filter(|metric| !is_shown(metric));
    all.extend(metrics.filter_map(|metric| of_metric(view, metric)));
    super::distinct(all)
}

fn endings(view: &ResultsView) -> Option<Figure> {
    let about = "Games without a winner are split by what ended them. Games that the ply cap ended are split by \
                 whether one side was three pawns or more ahead.";
    bars(view, "endings", "How games end", about, ENDS)
}

fn draws_by_lead(view: &ResultsView) -> Option<Figure> {
    let about = "Lead: one side is three pawns or more ahead in material at the end of the game.";
    bars(view, "draws-by-cause-and-lead", "Games without a winner, by cause and lead", about, DRAWS)
}

/// Returns the figure of a metric over the levels at which it was measured. `None` if it was not
/// measured.
fn of_metric(view: &ResultsView, metric: &str) -> Option<Figure> {
    let about = info(metric);
    let point = |series: &Series, at: Level| {
        let found = view.measure(metric, series, at)?;
        Some((found.estimate, view.is_doubted(metric, &found.sample)))
    };
    let axis = axis(&name_of(metric), about.unit);
    let drawing = chart(view, &view.levels_of(metric), axis, about.unit, about.neutral, point)?;
    Some(Figure {
        id: slug(metric),
        chapter: Some(about.chapter),
        title: sentence(&name_of(metric)),
        caption: about.definition.to_owned(),
        drawing,
    })
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

/// Part of a bar: its name, and the metrics whose shares add up to it.
type Part = (&'static str, &'static [&'static str]);

/// All games by their end.
const ENDS: &[Part] = &[
    ("White wins", &["white_win_rate"]),
    ("Black wins", &["black_win_rate"]),
    ("dead position", &["drawn_dead"]),
    ("stalemate", &["drawn_stalemate"]),
    ("repetition", &["drawn_repetition"]),
    ("fifty-move rule", &["drawn_clock"]),
    ("truncated, decisive lead", &["capped_lead"]),
    ("truncated, balanced", &["capped_balanced"]),
    ("otherwise", &["drawn_other"]),
];

/// Games without a winner by their cause, with and without a decisive lead. All other causes come
/// last.
const DRAWS: &[Part] = &[
    ("fifty-move rule, lead", &["drawn_clock_lead"]),
    ("fifty-move rule, balanced", &["drawn_clock_balanced"]),
    ("repetition, lead", &["drawn_repetition_lead"]),
    ("repetition, balanced", &["drawn_repetition_balanced"]),
    ("truncated, lead", &["capped_lead"]),
    ("truncated, balanced", &["capped_balanced"]),
    ("dead position or stalemate, lead", &["drawn_dead_lead", "drawn_stalemate_lead"]),
    ("dead position or stalemate, balanced", &["drawn_dead_balanced", "drawn_stalemate_balanced"]),
    ("otherwise", &["drawn_other"]),
];

/// Returns a figure with one bar of shares per arm, agent and level. `about` ends its caption. Bars
/// with a part that was not measured are omitted. `None` without bars.
fn bars(view: &ResultsView, id: &str, title: &str, about: &str, parts: &[Part]) -> Option<Figure> {
    let group = |series: &Series| -> stacked::Group {
        let share = |metric: &str, at: Level| Some(view.measure(metric, series, at)?.estimate.value);
        let bar = |at: Level| {
            let part =
                |(_, metrics): &Part| -> Option<f64> { metrics.iter().map(|metric| share(metric, at)).sum() };
            let shares: Option<Vec<f64>> = parts.iter().map(part).collect();
            Some((level_label(at), shares?))
        };
        (series.label.clone(), view.levels.iter().filter_map(|at| bar(*at)).collect())
    };
    let mut groups: Vec<stacked::Group> = view.series.iter().map(group).collect();
    groups.retain(|(_, bars)| !bars.is_empty());
    let parts = parts.iter().map(|(name, _)| (*name).to_owned()).collect();
    (!groups.is_empty()).then(|| Figure {
        id: id.to_owned(),
        chapter: Some(Chapter::Endings),
        title: title.to_owned(),
        caption: format!(
            "Shares of all games, for each arm and number of simulations per move (weakest at the top). {about}"
        ),
        drawing: Stacked { parts, groups }.draw(),
    })
}
