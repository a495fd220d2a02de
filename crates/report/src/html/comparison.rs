//! Page that shows several studies side by side.

use super::numbers::{cell, value_cell};
use super::page;
use super::parts::{badge, figure, folded, text};
use crate::compared::{Metric, unequal_provenance, unequal_strength};
use crate::figure::WHISKERS;
use crate::results::{Endpoint, Estimate, Scheme, Unit};
use crate::sections::SECTIONS;
use crate::view::{Info, ResultsView, level_label};
use crate::{claims, words};
use catapult_figures::format;
use catapult_measures::Arm;
use maud::{Markup, html};

/// Returns the page that compares studies. `metrics` are the metrics of all studies.
pub(crate) fn comparison(views: &[ResultsView], metrics: &[Metric]) -> String {
    let names: Vec<&str> = views.iter().map(|view| view.results.name.as_str()).collect();
    let title = format!("Compared: {}", names.join(", "));
    let content = html! {
        header { h1 { (text(&title)) } }
        (verdicts(views, &names))
        (notes(views))
        (studies(views))
        h2 { "Measure by measure" }
        p.lead { "A click opens a chapter. " (WHISKERS) }
        @for section in SECTIONS.iter() {
            @let here: Vec<&Metric> = metrics.iter().filter(|m| m.figure.chapter == Some(section.chapter)).collect();
            @if !here.is_empty() {
                @let content = html! {
                    @for metric in here {
                        (figure(&metric.figure))
                        (differences(metric, &names))
                    }
                };
                (folded(section.id, section.title, "", &content))
            }
        }
    };
    page(&title, &content)
}

fn studies(views: &[ResultsView]) -> Markup {
    html! {
        section id="studies" {
            h2 { "The studies" }
            div.scroll tabindex="0" { table {
                tr { th { "study" } th.left { "what it asks" } th.left { "rules" } th.left { "simulations a move" } }
                @for view in views {
                    @let arms: Vec<String> = view.results.arms.iter().map(ToString::to_string).collect();
                    @let levels: Vec<String> = view.played_levels().into_iter().map(level_label).collect();
                    tr {
                        td { b { (text(&view.results.name)) } }
                        td.words { (text(&view.results.title)) }
                        td.words { (text(&arms.join(", "))) }
                        td.left { (levels.join(", ")) }
                    }
                }
            } }
        }
    }
}

/// Returns a box with the differences between studies in strength, levels and provenance.
fn notes(views: &[ResultsView]) -> Markup {
    let (strength, provenance) = (unequal_strength(views), unequal_provenance(views));
    let levels_differ = views.iter().any(|view| view.played_levels() != views[0].played_levels());
    html! {
        div class="box warn" {
            h3 { "What is not equal" }
            @if strength.is_empty() {
                p { "Where the same rules were played at the same level, no difference in strength shows against the fixed \
                     opponents." }
            } @else {
                p { "Some players are not equally strong (95 % intervals apart), so differences below may be differences of \
                     strength." }
                details open=[(strength.len() <= 8).then_some("open")] {
                    summary { (strength.len()) " scores that differ" }
                    div.scroll tabindex="0" { table {
                        tr { th { "player" } th.left { "against" }
                             @for view in views { th { (text(&view.results.name)) } } }
                        @for (player, opponent, scores) in &strength {
                            tr { td { (text(player)) } td.left { (text(opponent)) }
                                 @for score in scores { td { (or_dash(score.as_ref(), |it| value_cell(it, Unit::Share))) } } }
                        }
                    } }
                }
            }
            @if levels_differ { p { "The studies searched at different levels; only equal ones are subtracted." } }
            @if !provenance.is_empty() {
                details {
                    summary { "Budgets, seeds, versions and files that differ" }
                    div.scroll tabindex="0" { table {
                        tr { th { "" } @for view in views { th.left { (text(&view.results.name)) } } }
                        @for (name, values) in &provenance {
                            tr { td { (text(name)) } @for value in values { td class="left hash" { (text(value)) } } }
                        }
                    } }
                }
            }
            p { "Intervals of differences take the studies as independent; they are not if networks are shared." }
        }
    }
}

fn verdicts(views: &[ResultsView], names: &[&str]) -> Markup {
    let mut endpoints: Vec<&Endpoint> = Vec::new();
    for endpoint in views.iter().flat_map(|view| view.results.judgements.iter().map(|j| &j.endpoint)) {
        if endpoints.iter().all(|known| key(known) != key(endpoint)) {
            endpoints.push(endpoint);
        }
    }
    html! {
        section id="claims" {
            h2 { "Verdicts" }
            @if endpoints.is_empty() { p { "None of the studies registered a claim." } } @else {
                div.scroll tabindex="0" { table {
                    tr { th { "claim" } th.left { "rules" } @for name in names { th.left { (text(name)) } } }
                    @for endpoint in endpoints {
                        tr {
                            td.words { (text(&endpoint.claim)) }
                            td.left { (words::rules(endpoint)) }
                            @for view in views { td.left { (verdict(view, endpoint)) } }
                        }
                    }
                } }
            }
        }
    }
}

/// Returns the key by which an endpoint is found in other studies. Endpoints with equal keys are
/// the same claim.
fn key(endpoint: &Endpoint) -> (&str, &str, Arm, Option<Arm>, Option<u64>) {
    let against = endpoint.against.map(f64::to_bits);
    (&endpoint.claim, &endpoint.metric, endpoint.arm, endpoint.control, against)
}

fn verdict(view: &ResultsView, endpoint: &Endpoint) -> Markup {
    let unit = Info::of(&endpoint.metric).unit;
    let found = view.results.judgements.iter().find(|j| key(&j.endpoint) == key(endpoint));
    html! {
        @match found {
            Some(judgement) => {
                (badge(judgement.verdict))
                @if let Some(contrast) = claims::judged(judgement) {
                    small {
                        (format::difference(contrast.difference.value, unit)) " "
                        @match judgement.scheme.interval(&contrast.difference) {
                            Some(ends) => { (format::difference_interval(ends, unit)) }
                            None => { "other seeds open" }
                        }
                        @if judgement.scheme == Scheme::TheseNetworks { " for these networks" }
                        " " (claims::at_levels(judgement))
                    }
                }
            }
            None => { "not asked" }
        }
    }
}

/// Returns a table of a metric's values in all studies, with the differences between equal samples.
fn differences(metric: &Metric, names: &[&str]) -> Markup {
    let unit = format::unit_name(metric.unit);
    html! {
        @if metric.rows.is_empty() {
            p.small.dim { "No rules and level of this metric stand in more than one study." }
        } @else {
            details {
                summary { (text(&metric.name)) @if !unit.is_empty() { " (" (unit) ")" } ": numbers and differences" }
                div.scroll tabindex="0" { table {
                    tr {
                        th { "rules" } th { "simulations" }
                        @for name in names { th { (text(name)) } }
                        @for name in &names[1..] { th { (text(name)) ", difference" } }
                    }
                    @for row in &metric.rows {
                        tr {
                            td { (text(&row.name)) }
                            td { (row.level) }
                            @for value in &row.values { td { (or_dash(value.as_ref(), |it| cell(it, metric.unit))) } }
                            @for value in &row.differences[1..] {
                                td { (or_dash(value.as_ref(), |it| difference_cell(it, metric.unit))) }
                            }
                        }
                    }
                } }
            }
        }
    }
}

/// Formats an estimate with `cell`. Returns a dash if there is no estimate.
fn or_dash(found: Option<&Estimate>, cell: impl Fn(&Estimate) -> Markup) -> Markup {
    found.map_or_else(|| html! { "–" }, cell)
}

fn difference_cell(found: &Estimate, unit: Unit) -> Markup {
    html! {
        (format::difference(found.value, unit))
        small { (format::difference_interval(found.agents, unit)) }
        small { @match found.rule {
            Some(rule) => { "other seeds " (format::difference_interval(rule, unit)) }
            None => { "other seeds open" }
        } }
    }
}
