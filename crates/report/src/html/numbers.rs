//! Tables of all numbers of a study: measures, differences, matches.

use super::parts::{numbers_anchor, prose, text};
use crate::results::{Contrast, Estimate, Measure, Unit};
use crate::sections::SECTIONS;
use crate::strength::opponent_name;
use crate::view::{ResultsView, info, level, level_label, name_of};
use catapult_figures::format;
use catapult_measures::data::Checkpoint;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;

/// Returns the contents of a table cell: a value, and below it the intervals. An unknown interval
/// for other seeds is omitted.
pub(super) fn cell(estimate: &Estimate, unit: Unit) -> Markup {
    html! {
        (format::number(estimate.value, unit))
        small {
            (format::interval(estimate.agents, unit))
            @if let Some(rule) = estimate.rule { (PreEscaped("<br/>")) (format::interval(rule, unit)) }
        }
    }
}

/// Returns the contents of a table cell: a value with its unit, and below it the interval for these
/// networks.
pub(super) fn value_cell(estimate: &Estimate, unit: Unit) -> Markup {
    html! { (format::value(estimate.value, unit)) small { (format::interval(estimate.agents, unit)) } }
}

/// Number of strongest search levels whose values the page shows, in addition to the levels of
/// claims. Other levels would dominate the page. Figures and data files contain them.
const LEVELS: usize = 3;

/// Returns the values and differences of every metric, by chapter.
pub(super) fn all(view: &ResultsView) -> Markup {
    let metrics = view.metrics();
    html! {
            p.lead {
                "Each cell: the value, its 95 % interval for these networks, and below it that for other seeds of this recipe, unless it is open; n: games or \
                 positions. Differences: at the strongest level; \
                 metrics.json has them at all. p-values here are not adjusted; only those of the registered claims are."
            }
            @for section in SECTIONS.iter() {
                @let of_chapter: Vec<&str> =
                    metrics.iter().copied().filter(|m| info(m).chapter == section.chapter).collect();
                @if !of_chapter.is_empty() {
                    h4 { (section.title) }
                    @for metric in of_chapter { (one(view, metric)) }
                }
            }
            @if metrics.is_empty() { p.dim { "Nothing was measured." } }
    }
}

fn one(view: &ResultsView, metric: &str) -> Markup {
    let about = info(metric);
    let all = || view.results.contrasts.iter().filter(|contrast| contrast.metric == metric);
    let is_strongest = |it: &&Contrast| view.is_strongest(&it.arm, all().map(|other| &other.arm));
    let contrasts: Vec<&Contrast> = all().filter(is_strongest).collect();
    let unit = format::unit_name(about.unit);
    html! {
        details id=(numbers_anchor(metric)) {
            summary { (text(&name_of(metric))) @if !unit.is_empty() { " (" (unit) ")" } " " code { (text(metric)) } }
            @if !about.definition.is_empty() { p.small { (prose(about.definition)) } }
            (values(view, metric, about.unit))
            @if !contrasts.is_empty() { (differences(view, about.unit, &contrasts)) }
        }
    }
}

fn values(view: &ResultsView, metric: &str, unit: Unit) -> Markup {
    let mut levels = view.levels_of(metric);
    let judged = view.results.judgements.iter().flat_map(|judgement| &judgement.endpoint.levels);
    let judged: BTreeSet<u32> = judged.copied().collect();
    let strongest = levels.split_off(levels.len().saturating_sub(LEVELS));
    levels
        .retain(|(checkpoint, simulations)| *checkpoint == Checkpoint::Last && judged.contains(simulations));
    levels.extend(strongest);
    html! {
        div.scroll tabindex="0" { table {
            tr { th { "simulations" } @for at in &levels { th { (level_label(*at)) } } }
            @for series in &view.series {
                @let found: Vec<_> = levels.iter().map(|at| view.measure(metric, series, *at)).collect();
                @if found.iter().any(Option::is_some) {
                    tr {
                        td { (text(&series.label)) small { "n " (observations(&found)) } }
                        @for measure in found {
                            td {
                                @match measure {
                                    Some(measure) => {
                                        (cell(&measure.estimate, unit))
                                        @if let Some(median) = measure.median {
                                            small { "median " (format::number(median, unit)) }
                                        }
                                    }
                                    None => { "–" }
                                }
                            }
                        }
                    }
                }
            }
        } }
    }
}

/// Returns the number of observations as text, or the range if it differs between levels.
fn observations(found: &[Option<&Measure>]) -> String {
    let counts = || found.iter().flatten().map(|measure| measure.observations);
    let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    if least == most {
        format::count(most)
    } else {
        format!("{} to {}", format::count(least), format::count(most))
    }
}

fn differences(view: &ResultsView, unit: Unit, contrasts: &[&Contrast]) -> Markup {
    html! {
        div.scroll tabindex="0" { table {
            tr { th { "difference" } th { "simulations" } th { "value" } th { "p, these networks" } th { "p, other seeds" } }
            @for contrast in contrasts { (difference(view, unit, contrast)) }
        } }
    }
}

fn difference(view: &ResultsView, unit: Unit, contrast: &Contrast) -> Markup {
    let label = |sample| view.series_of(sample).map_or_else(String::new, |s| s.label.clone());
    let found = &contrast.difference;
    html! {
        tr {
            td {
                (text(&label(&contrast.arm)))
                @if let Some(control) = &contrast.control { " less " (text(&label(control))) }
            }
            td { (level_label(level(&contrast.arm))) }
            td {
                (format::difference(found.value, unit))
                small {
                    (format::difference_interval(found.agents, unit))
                    @if let Some(rule) = found.rule { (PreEscaped("<br/>")) (format::difference_interval(rule, unit)) }
                }
            }
            td { (format::probability(contrast.agents_p)) }
            td { @match contrast.rule_p { Some(p) => { (format::probability(p)) } None => { em { "open" } } } }
        }
    }
}

/// Returns the table of all strength matches. Empty if there are none.
pub(super) fn matches(view: &ResultsView) -> Markup {
    let strengths = &view.results.strengths;
    html! {
        @if !strengths.is_empty() {
            details {
                summary { "Every match" }
                div.scroll tabindex="0" { table {
                    tr { th { "rules" } th.left { "network" } th { "simulations" } th.left { "opponent" }
                         th { "won, drawn (truncated), lost" } th { "score %" } th { "Elo" } }
                    @for strength in strengths {
                        @let played = &strength.result;
                        tr {
                            td { (strength.arm.to_string()) }
                            td.left { (text(&strength.network.to_string())) }
                            td { (level_label((strength.checkpoint, strength.simulations))) }
                            td.left { (text(&opponent_name(&strength.opponent))) }
                            td {
                                (played.wins) ", " (played.draws)
                                @if played.capped > 0 { " (" (played.capped) ")" }
                                ", " (played.losses)
                            }
                            td { (played.score_text()) }
                            td { (played.elo_text()) }
                        }
                    }
                } }
                p.small.dim { "95 % intervals from pairs of games. An Elo with one end only: one side won \
                               every game." }
            }
        }
    }
}
