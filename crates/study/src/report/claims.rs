//! The claims: what was registered, what was found at each level, as a figure and in words.

use super::chart::dots::{Dot, Dots};
use super::chart::{Fill, Look};
use super::figures::{Figure, WHISKERS, sentence, slug};
use super::format;
use super::strength;
use super::view::{View, level, level_label, level_words};
use crate::data::SampleId;
use crate::results::{Contrast, Direction, Endpoint, Judgement, Unit};

/// The chapter of the claims.
pub const CLAIMS: &str = "claims";

/// The claim and the rules it is about: `fewer draws: chesspp against chess`.
pub fn title(view: &View, judgement: &Judgement) -> String {
    let endpoint = &judgement.endpoint;
    format!("{}: {}", sentence(&endpoint.claim), rules(view, endpoint))
}

/// The rules a claim is about and what they are held against: `chesspp against chess`, `chesspp against 50.0 %`.
pub fn rules(view: &View, endpoint: &Endpoint) -> String {
    format!("{} against {}", endpoint.arm, other(view, endpoint))
}

/// What the arm is held against.
fn other(view: &View, endpoint: &Endpoint) -> String {
    let fixed = || endpoint.against.map(|value| format::value(value, view.info(&endpoint.metric).unit));
    endpoint.control.map(|control| control.to_string()).or_else(fixed).unwrap_or_else(|| "nothing".to_owned())
}

/// What was registered, in words.
pub fn registered(view: &View, judgement: &Judgement) -> String {
    let endpoint = &judgement.endpoint;
    let info = view.info(&endpoint.metric);
    let direction = match endpoint.direction {
        Direction::Lower => "lower",
        Direction::Higher => "higher",
    };
    let smallest = format::difference(endpoint.smallest_effect.abs(), info.unit);
    let smallest = smallest.trim_start_matches('+');
    format!(
        "Registered before the games: {}, {} {direction} than {}; an effect of {smallest} is the smallest \
         worth knowing.",
        info.name,
        endpoint.arm,
        other(view, endpoint)
    )
}

/// The contrast at the strongest level.
pub fn strongest(judgement: &Judgement) -> Option<&Contrast> {
    judgement.levels.last()
}

/// The effect at one level with both intervals, and the two values it is the difference of.
pub fn effect(view: &View, contrast: &Contrast) -> String {
    let info = view.info(&contrast.metric);
    let of = |sample: &SampleId| {
        let series = view.series_of(sample)?;
        let value = view.measure(&contrast.metric, series, level(sample))?.estimate.value;
        Some(format!("{} {}", series.label, format::value(value, info.unit)))
    };
    let samples = [Some(&contrast.arm), contrast.control.as_ref()];
    let values: Vec<String> = samples.into_iter().flatten().filter_map(of).collect();
    let values = if values.is_empty() { String::new() } else { format!("{}; ", values.join(", ")) };
    format!(
        "{} at {}: {values}difference {}, {}.",
        sentence(&info.name),
        level_words(level(&contrast.arm)),
        format::difference(contrast.difference.value, info.unit),
        format::both(&contrast.difference, |ends| format::difference_interval(ends, info.unit)),
    )
}

/// How strong the players of both sides are where the effect was measured; nothing where it was not measured.
pub fn at_strength(view: &View, contrast: &Contrast) -> Option<String> {
    let of = |sample: &SampleId| {
        let label = view.series_of(sample).map_or_else(|| sample.arm.to_string(), |s| s.label.clone());
        Some(format!("{label} scores {}", strength::in_words(view, sample)?))
    };
    let samples = [Some(&contrast.arm), contrast.control.as_ref()];
    let said: Vec<String> = samples.into_iter().flatten().filter_map(of).collect();
    (!said.is_empty()).then(|| format!("Strength of the players there: {}.", said.join("; ")))
}

/// The effect at every level, and at equal strength where it could be matched.
pub fn figure(view: &View, judgement: &Judgement) -> Option<Figure> {
    let info = view.info(&judgement.endpoint.metric);
    let arm = judgement.endpoint.arm.to_string();
    let index = view.arms.iter().position(|(name, _)| *name == arm).unwrap_or(0);
    let look = Look { index, fill: Fill::Full };
    let dot = |contrast: &Contrast| Dot {
        look,
        name: format!("{} simulations", level_label(level(&contrast.arm))),
        estimate: contrast.difference,
    };
    let mut dots: Vec<Dot> = judgement.levels.iter().map(dot).collect();
    if let Some(estimate) = judgement.matched {
        let look = Look { index, fill: Fill::Hollow };
        dots.push(Dot { look, name: "at equal strength".to_owned(), estimate });
    }
    dots.retain(|dot| dot.estimate.value.is_finite());
    if dots.is_empty() {
        return None;
    }
    let unit = match format::difference_unit(info.unit) {
        "" => String::new(),
        "pp" => " (percentage points)".to_owned(),
        unit => format!(" ({unit})"),
    };
    let chart = Dots {
        axis: format!("{}: {arm} less {}{unit}", info.name, other(view, &judgement.endpoint)),
        unit: info.unit,
        differences: true,
        zero: Some(0.0),
        band: None,
        numbers: true,
        groups: vec![(String::new(), dots)],
        width: 620.0,
    };
    Some(Figure {
        id: slug(&format!("claim {} {arm}", judgement.endpoint.claim)),
        section: CLAIMS,
        title: title(view, judgement),
        caption: format!(
            "{} The line marks no difference; the claim says {} of it. {WHISKERS} Numbers: with the interval for these \
             agents.",
            info.definition,
            match judgement.endpoint.direction {
                Direction::Lower => "left",
                Direction::Higher => "right",
            }
        )
        .trim()
        .to_owned(),
        drawing: chart.draw(),
    })
}

/// What the reader must keep in mind, with this study's own numbers where it has them.
pub fn reading(view: &View) -> Vec<String> {
    let mut said = vec![
        "The players are networks that think for a handful of positions a move. They blunder: leads are thrown away and \
         chances missed at every turn. Comebacks, draws and the length of games below are those of such players. What \
         holds between them need not hold between strong ones."
            .to_owned(),
    ];
    let control = view.control().unwrap_or_default();
    let series = view.series.iter().find(|series| series.arm == control);
    let rates: Vec<_> = series
        .map(|series| {
            let rate =
                |at: &super::view::Level| Some((*at, view.measure("draw_rate", series, *at)?.estimate.value));
            view.levels.iter().filter(|at| at.0 == crate::data::Checkpoint::Last).filter_map(rate).collect()
        })
        .unwrap_or_default();
    let mut draws = "Draw rates move with strength".to_owned();
    if let (Some((weak, low)), Some((strong, high))) = (rates.first(), rates.last())
        && weak != strong
    {
        draws += &format!(
            ": here {control} is drawn {} of the time at {} and {} at {}",
            format::value(*low, Unit::Share),
            level_words(*weak),
            format::value(*high, Unit::Share),
            level_words(*strong)
        );
    }
    draws += ". Players trained at equal cost are not equally strong in every game, so a difference in draws may be one in \
              strength. That is why effects are given at every level and, where they can be, at equal strength.";
    said.push(draws);
    said.push(
        "Every effect has two intervals. \u{201c}For these agents\u{201d} says how far the very networks of this study \
         are known: other openings and games are drawn. \u{201c}For the rule\u{201d} also asks what networks trained from \
         other seeds would do; with fewer than three seeds nobody can know, and it says open."
            .to_owned(),
    );
    said
}
