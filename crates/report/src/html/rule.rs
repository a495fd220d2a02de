//! First chapter of the page of a judged rule: one row per metric, with the rule, each control and
//! the difference from it.

use super::numbers::value_cell;
use super::parts::{badge, numbers_anchor, text};
use crate::claims::CLAIMS;
use crate::figure::sentence;
use crate::results::{Contrast, Judgement, Scheme, StudyResults};
use crate::view::{ResultsView, info, name_of, unique};
use crate::words;
use catapult_figures::format;
use catapult_measures::data::SampleId;
use maud::{Markup, html};

/// Returns the chapter, or `None` if the study judges no rule.
pub(super) fn rule(view: &ResultsView) -> Option<Markup> {
    let results = view.results;
    let rule = results.rule?;
    let of_rule = results.judgements.iter().filter(|it| it.endpoint.arm == rule);
    let judged: Vec<(&Judgement, &Contrast)> =
        of_rule.filter_map(|it| Some((it, it.effect.as_ref()?))).collect();
    let controls = unique(judged.iter().filter_map(|(it, _)| it.endpoint.control));
    let is_of_these = judged.iter().all(|(it, _)| it.scheme == Scheme::TheseNetworks);
    let (played, networks) = (judged.first().map(|(_, it)| &it.arm), results.provenance.networks.len());
    let (tests, alpha) = judged.first().map_or((0, 0.0), |(it, _)| (it.tests, it.alpha));
    Some(html! {
        section id=(CLAIMS) {
            h2 { "What " (text(&words::game(rule))) " changes" }
            p.lead {
                (words::count(networks)) " in games against " @if networks == 1 { "itself" } @else { "themselves" }
                @if let Some(sample) = played { " at " (sample.simulations) " simulations per move" } ". "
                @if is_of_these { "Verdicts are about these networks alone. Other networks may differ." }
                @else { "Verdicts are about networks of other seeds of this recipe." }
            }
            @for control in controls {
                @let its: Vec<_> = judged.iter().filter(|(it, _)| it.endpoint.control == Some(control)).collect();
                h3 { "Against " (text(&words::game(control))) }
                ul {
                    @for verdict in unique(its.iter().map(|(it, _)| it.verdict)) {
                        @let named = its.iter().filter(|(it, _)| it.verdict == verdict);
                        li {
                            (badge(verdict)) " "
                            (named.map(|(it, _)| name_of(&it.endpoint.metric)).collect::<Vec<_>>().join(", "))
                        }
                    }
                }
                div.scroll tabindex="0" { table.verdicts {
                    tr {
                        th { "metric" } th { (text(&rule.to_string())) } th { (text(&control.to_string())) }
                        th { "difference [95 %]" } th.left { "verdict" }
                    }
                    @for (it, effect) in its { (row(results, it, effect)) }
                } }
            }
            ul.small.dim {
                li { "More, fewer: the whole interval lies beyond the bound. Size unclear: it excludes 0, not the bound." }
                li { "No difference that matters: it lies within the bound." }
                li { "Not settled: these games cannot tell. It does not mean \u{201c}no effect\u{201d}." }
                li {
                    "More and fewer also need a p-value below " (format::significance_level(alpha)) ", adjusted over "
                    (tests) " metrics per control (Benjamini-Hochberg), also those that cannot be measured."
                }
                @if alpha == 0.0 {
                    li { "No p-value is below 0: an earlier look, with other networks, levels or claims, spent the level. Use another folder." }
                }
                li { "The bounds are this program's. Worth: Elo of the network against itself without that kind of move." }
                li { "One recipe of weak players. Nothing here is about strong players or people." }
            }
        }
    })
}

fn row(results: &StudyResults, judgement: &Judgement, effect: &Contrast) -> Markup {
    let metric = judgement.endpoint.metric.as_str();
    let unit = info(metric).unit;
    let ends = judgement.scheme.interval(&effect.difference);
    let bound = format::difference(judgement.endpoint.smallest_effect, unit);
    html! {
        tr {
            td.words { a href=(format!("#{}", numbers_anchor(metric))) { (sentence(&name_of(metric))) } }
            td { (value(results, metric, &effect.arm)) }
            td { @if let Some(control) = &effect.control { (value(results, metric, control)) } }
            td {
                (format::difference(effect.difference.value, unit)) " "
                @match ends {
                    Some(ends) => { (format::difference_interval(ends, unit)) }
                    None => { em { "open" } }
                }
            }
            td.left { (badge(judgement.verdict)) small { "bound " (bound.trim_start_matches('+')) } }
        }
    }
}

fn value(results: &StudyResults, metric: &str, sample: &SampleId) -> Markup {
    let found = results.measures.iter().find(|it| it.metric == metric && it.sample == *sample);
    html! { @if let Some(it) = found { (value_cell(&it.estimate, info(metric).unit)) } }
}
