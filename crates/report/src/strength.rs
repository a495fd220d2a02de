//! Figures of strength: scores against opponents over search levels.

use super::figure::{Figure, chart, slug};
use super::view::{Level, ResultsView, Series, level, of_match};
use crate::results::{Chapter, HALF, Unit};
use catapult_figures::format;
use catapult_measures::data::SampleId;
use std::collections::BTreeSet;

/// Returns the name of an opponent that is the player itself, such as `itself at 4 times the
/// simulations`. Returns `None` for other opponents. Only matches against other opponents measure
/// strength.
fn itself(opponent: &str) -> Option<String> {
    if opponent == HALF {
        return Some("itself at half the simulations".to_owned());
    }
    let times: u32 = opponent.strip_prefix('x')?.parse().ok()?;
    Some(format!("itself at {times} times the simulations"))
}

/// Returns the name of an opponent in running text.
pub(super) fn opponent_name(opponent: &str) -> String {
    itself(opponent).unwrap_or_else(|| opponent.to_owned())
}

/// Returns the figures of scores, one per opponent. The figure of Elo per doubling shows the matches
/// against half the simulations.
pub(super) fn figures(view: &ResultsView) -> Vec<Figure> {
    let opponents = view.opponents().into_iter().filter(|opponent| *opponent != HALF);
    opponents.filter_map(|opponent| against(view, opponent)).collect()
}

/// Returns the figure of scores against an opponent over search levels. `None` without such matches.
fn against(view: &ResultsView, opponent: &str) -> Option<Figure> {
    let samples = view.measured_samples();
    let played = samples.iter().filter(|sample| view.strength(sample, opponent).is_some());
    let levels: Vec<Level> = played.map(level).collect::<BTreeSet<_>>().into_iter().collect();
    // A single match of the skill ladder, such as one simulation against the random mover, needs no
    // figure. The table has it.
    if levels.len() == 1 && samples.iter().any(|sample| level(sample) != levels[0]) {
        return None;
    }
    let point = |series: &Series, at: Level| {
        let same = |sample: &&SampleId| series.has(sample) && level(sample) == at;
        let pairs = view.strength(samples.iter().find(same)?, opponent)?;
        Some((of_match(pairs.score()), false))
    };
    let title = format!("Score against {}", opponent_name(opponent));
    let axis = format!("{title}\u{a0}(%)");
    let drawing = chart(view, &levels, axis, Unit::Share, Some(0.5), point)?;
    let caption = "Points in per cent, a draw or truncated game being half a point, from colour-swapped pairs of \
                   games; all networks of an agent taken together. Whiskers: 95 % intervals from the pairs \
                   (pentanomial).";
    Some(Figure {
        id: slug(&format!("strength {opponent}")),
        chapter: Some(Chapter::Strength),
        title,
        caption: caption.to_owned(),
        drawing,
    })
}

/// Returns the scores of a sample's networks against each fixed opponent, in words:
/// `86.0 % [82.1, 89.2] against alphabeta:1`. `None` if there are no such matches.
pub(super) fn in_words(view: &ResultsView, sample: &SampleId) -> Option<String> {
    let others = view.opponents().into_iter().filter(|opponent| itself(opponent).is_none());
    let scored = |opponent: &str| {
        let score = of_match(view.strength(sample, opponent)?.score());
        let ends = format::interval(score.agents, Unit::Share);
        Some(format!("{} {ends} against {opponent}", format::value(score.value, Unit::Share)))
    };
    let said: Vec<String> = others.filter_map(scored).collect();
    (!said.is_empty()).then(|| said.join(", "))
}
