//! First chapter of the page of a judged rule: one row per measure, with the rule, each control and
//! the difference from it.

use super::parts::{badge, numbers_anchor, text};
use crate::claims::CLAIMS;
use crate::figure::sentence;
use crate::results::{Endpoint, Judgement, Measure, Scheme, StudyResults};
use crate::view::{Info, ResultsView, unique};
use crate::words;
use catapult_figures::format;
use catapult_measures::Arm;
use catapult_measures::data::Checkpoint;
use maud::{Markup, html};

/// Returns the measure of an arm at its strongest level. `None` if it was not measured.
fn measure<'a>(results: &'a StudyResults, metric: &str, arm: Arm) -> Option<&'a Measure> {
    let its = results.measures.iter().filter(|it| it.metric == metric && it.sample.arm == arm);
    its.filter(|it| it.sample.checkpoint == Checkpoint::Last).max_by_key(|it| it.sample.simulations)
}

/// Returns the judgements of the rule.
fn judged(results: &StudyResults) -> impl Iterator<Item = &Judgement> {
    results.judgements.iter().filter(|it| Some(it.endpoint.arm) == results.rule)
}

/// Returns the measures of a rule's page with the values of these arms. A measure that is 0 in all
/// of them is left out.
fn rows<'a>(results: &'a StudyResults, arms: &[Arm]) -> Vec<(&'a str, Vec<Option<&'a Measure>>)> {
    let metrics = unique(judged(results).map(|it| it.endpoint.metric.as_str()));
    let row = |metric| (metric, arms.iter().map(|arm| measure(results, metric, *arm)).collect());
    let rows = metrics.into_iter().map(row);
    rows.filter(|(_, values): &(_, Vec<Option<&Measure>>)| {
        values[0].is_some() && values.iter().flatten().any(|it| it.estimate.value != 0.0)
    })
    .collect()
}

fn judgement<'a>(results: &'a StudyResults, metric: &str, control: Arm) -> Option<&'a Judgement> {
    let is_its = |it: &&Judgement| it.endpoint.metric == metric && it.endpoint.control == Some(control);
    judged(results).find(is_its).filter(|it| it.effect.is_some())
}

fn difference(judgement: &Judgement) -> Option<String> {
    let (found, unit) = (judgement.effect.as_ref()?.difference, Info::of(&judgement.endpoint.metric).unit);
    let ends = judgement.scheme.interval(&found);
    let ends = ends.map_or_else(|| "open".to_owned(), |ends| format::difference_interval(ends, unit));
    Some(format!("{} {ends}", format::difference(found.value, unit)))
}

/// Returns the chapter, or `None` if the study judges no rule.
pub(super) fn rule(view: &ResultsView) -> Option<Markup> {
    let results = view.results;
    let rule = results.rule?;
    let controls = unique(judged(results).filter_map(|it| it.endpoint.control));
    let arms: Vec<Arm> = std::iter::once(rule).chain(controls.iter().copied()).collect();
    let games = measure(results, crate::view::PLAYED, rule);
    let networks = results.provenance.networks.len();
    let is_of_these = judged(results).all(|it| it.scheme == Scheme::TheseNetworks);
    Some(html! {
        section id=(CLAIMS) {
            h2 { "What " (text(&words::game(rule))) " changes" }
            @if let Some(games) = games {
                p.lead {
                    (format::count(games.observations)) " games of each rule set at " (games.sample.simulations)
                    " simulations a move, in which " (words::count(networks)) " played against "
                    @if networks == 1 { "itself. " } @else { "themselves. " }
                    @if is_of_these { "Verdicts are about these networks alone. Other networks may differ." }
                    @else { "Verdicts are about networks of other seeds of this recipe." }
                }
            }
            @for control in &controls { (summary(results, *control)) }
            div.scroll tabindex="0" { table.verdicts {
                tr {
                    th { "measure" } th { (text(&rule.to_string())) }
                    @for control in &controls {
                        th { (text(&control.to_string())) } th { "difference [95 %]" } th.left { "verdict" }
                    }
                }
                @for (metric, values) in rows(results, &arms) {
                    @let info = Info::of(metric);
                    tr {
                        td.words { a href=(format!("#{}", numbers_anchor(metric))) { (sentence(&info.name)) } }
                        td { (value(values[0])) }
                        @for (control, value) in controls.iter().zip(&values[1..]) {
                            td { (self::value(*value)) }
                            @match judgement(results, metric, *control) {
                                Some(found) => {
                                    td { (difference(found).unwrap_or_default()) }
                                    td.left {
                                        (badge(found.verdict))
                                        small { "bound " (bound(found)) }
                                    }
                                }
                                None => { td { "–" } td {} }
                            }
                        }
                    }
                }
            } }
            ul.small.dim {
                li { "More, fewer: the whole interval lies beyond the bound. Size unclear: it excludes 0, not the bound." }
                li { "No difference that matters: it lies within the bound. Not settled: anything else." }
                li { "More and fewer also need a p-value below .05 after adjustment (Benjamini-Hochberg) over all rows of a control." }
                li { "The bounds are this program's. Use per game counts both sides. Worth is Elo of the network against itself without that kind of move." }
                li { "One recipe of weak players. Nothing here is about strong players or people." }
            }
        }
    })
}

/// Returns the smallest difference that matters, with its unit.
fn bound(judgement: &Judgement) -> String {
    let Endpoint { metric, smallest_effect, .. } = &judgement.endpoint;
    format::difference(*smallest_effect, Info::of(metric).unit).trim_start_matches('+').to_owned()
}

/// Returns the measures that differ from a control, by verdict.
fn summary(results: &StudyResults, control: Arm) -> Markup {
    let rows: Vec<&Judgement> = results
        .rule
        .iter()
        .flat_map(|rule| rows(results, &[*rule, control]))
        .filter_map(|(metric, _)| judgement(results, metric, control))
        .collect();
    let verdicts = unique(rows.iter().map(|it| it.verdict));
    let names = |verdict| {
        let its = rows.iter().filter(|it| it.verdict == verdict);
        its.map(|it| Info::of(&it.endpoint.metric).name).collect::<Vec<_>>().join(", ")
    };
    html! {
        p { b { "Against " (text(&words::game(control))) ":" } }
        ul { @for verdict in verdicts { li { (badge(verdict)) " " (names(verdict)) } } }
    }
}

fn value(found: Option<&Measure>) -> Markup {
    html! {
        @match found {
            Some(it) => {
                @let unit = Info::of(&it.metric).unit;
                (format::value(it.estimate.value, unit)) small { (format::interval(it.estimate.agents, unit)) }
            }
            None => { "–" }
        }
    }
}

/// Returns the results of a judged rule as lines for a terminal, one per measure and control.
pub fn lines(results: &StudyResults) -> Vec<String> {
    let Some(rule) = results.rule else { return Vec::new() };
    let controls = unique(judged(results).filter_map(|it| it.endpoint.control));
    let line = |metric: &str, control| {
        let found = judgement(results, metric, control)?;
        let (name, verdict) = (Info::of(metric).name, words::verdict(found.verdict));
        Some(format!("{name} against {control}: {}, {verdict}", difference(found)?))
    };
    let of = |control| {
        let rows = rows(results, &[rule, control]).into_iter();
        rows.filter_map(move |(metric, _)| line(metric, control)).collect::<Vec<_>>()
    };
    controls.into_iter().flat_map(of).collect()
}
