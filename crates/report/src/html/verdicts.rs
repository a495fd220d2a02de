//! Chapters of a page about claims: verdicts, registration and warnings, and each claim with its
//! figure.

use super::parts::{badge, class, framed, numbers_anchor, prose, text};
use crate::claims::{self, CLAIMS};
use crate::results::{Estimate, Gate, Judgement, Scheme, Unit};
use crate::view::{ResultsView, info};
use crate::{claim_figures, warnings as said, words};
use catapult_figures::format;
use maud::{Markup, html};

/// HTML id of the chapter with one article per claim.
pub(super) const EVIDENCE: &str = "evidence";

/// Returns the chapter of verdicts: table of claims, registration, unused rules and warnings.
pub(super) fn verdicts(view: &ResultsView) -> Markup {
    let judgements = &view.results.judgements;
    let is_of_these = judgements.iter().any(|it| it.scheme == Scheme::TheseNetworks);
    let whose = if is_of_these { "these networks" } else { "other seeds" };
    let has_level = |it: &Judgement| {
        claims::judged(it).is_some_and(|found| words::judged_interval(it, &found.difference).1.is_some())
    };
    html! {
        section id=(CLAIMS) {
            h2 { "Verdicts" }
            @if judgements.is_empty() {
                p { "No claim was registered, so this study gives no verdicts." }
            } @else {
                div.scroll tabindex="0" { table.verdicts {
                    tr { th { "claim" } th.left { "verdict" } th { "effect [95 %, " (whose) "]" }
                         th.left { "result" } }
                    @for (number, judgement) in judgements.iter().enumerate() { (row(number, judgement)) }
                } }
                p.small.dim {
                    "An effect is the value of the rule set minus the value of its control. "
                    @if is_of_these { "The 95 % interval is for these networks and not for other seeds. " }
                    @else { "The 95 % interval is for other seeds of this recipe; with fewer than three seeds it is open. " }
                    @if judgements.iter().any(has_level) {
                        "A level in parentheses replaces the 95 %. "
                        "It equals 1 minus the significance level of this look. "
                    }
                    "pp and points: percentage points."
                }
                p {
                    (text(&claims::registration(&view.results.registration, judgements.len())))
                    @if let Some(said) = claims::families(judgements) { " " (text(&said)) }
                }
            }
            (placebos(view))
            (warnings(view))
            details { summary { "Limits of these results" } @for said in include_str!("reading.txt").lines() { p { (said) } } }
        }
    }
}

fn row(number: usize, judgement: &Judgement) -> Markup {
    let endpoint = &judgement.endpoint;
    let unit = info(&endpoint.metric).unit;
    html! {
        tr {
            td.words {
                a href=(format!("#{}", anchor(number))) { (text(&endpoint.claim)) }
                small { (text(&words::rules(endpoint))) }
            }
            td.left {
                (badge(judgement.verdict))
                @if let Some(family) = &endpoint.family { small { (text(family)) } }
                @if endpoint.by_construction { small { "a fact about the rules" } }
            }
            @match claims::judged(judgement) {
                Some(found) => {
                    td { (effect(&found.difference, judgement, unit)) " " small { (claims::at_levels(judgement)) } }
                }
                None => { td { "\u{2013}" } }
            }
            td.words {
                (prose(&words::summary(judgement)))
                @if let Some(why) = words::why_open(judgement) { small { (text(&why)) } }
            }
        }
    }
}

/// Returns an effect with the interval on which its verdict depends.
fn effect(found: &Estimate, judgement: &Judgement, unit: Unit) -> Markup {
    let (ends, level) = words::judged_interval(judgement, found);
    html! {
        b { (format::difference(found.value, unit)) } " "
        @match ends {
            Some(ends) => { (format::difference_interval(ends, unit)) }
            None => { em { "open" } }
        }
        @if let Some(level) = level { " (" (level) ")" }
    }
}

fn placebos(view: &ResultsView) -> Markup {
    let placebos = &view.results.placebos;
    html! {
        @if !placebos.is_empty() {
            div class="box warn" {
                h3 { "Rules that were never used" }
                ul { @for placebo in placebos { li { b { (placebo.arm.to_string()) } ": " (text(&said::placebo(placebo))) } } }
                p.small { "Games show nothing about a rule that no player used." }
            }
        }
    }
}

pub(super) fn warnings(view: &ResultsView) -> Markup {
    let warnings = view.results.warnings.iter().filter(|warning| !warning.is_about_validity());
    let warnings: Vec<String> = warnings.map(said::warning).collect();
    html! {
        @if !warnings.is_empty() {
            div class="box warn" {
                h3 { "Warnings" }
                ul { @for warning in &warnings { li { (prose(warning)) } } }
            }
        }
    }
}

/// Returns the HTML id of a claim. `number` is its index. Texts are no ids, because two claims may
/// differ in their arms only.
fn anchor(number: usize) -> String {
    format!("claim-{}", number + 1)
}

/// Returns the chapter with one article per claim. `None` without claims.
pub(super) fn evidence(view: &ResultsView) -> Option<Markup> {
    let judgements = &view.results.judgements;
    (!judgements.is_empty()).then(|| {
        html! {
            section id=(EVIDENCE) {
                h2 { "Claim by claim" }
                @for (number, judgement) in judgements.iter().enumerate() { (claim(view, number, judgement)) }
            }
        }
    })
}

fn claim(view: &ResultsView, number: usize, judgement: &Judgement) -> Markup {
    html! {
        article id=(anchor(number)) class=(format!("claim {}", class(judgement.verdict))) {
            h3 { (text(&words::title(&judgement.endpoint))) ": " (badge(judgement.verdict)) }
            @if let Some(drawn) = claim_figures::figure(view, judgement) {
                figure { (framed(&drawn.drawing.inline(&drawn.title))) figcaption { (prose(&drawn.caption)) } }
            } @else { p { "Nothing was measured." } }
            p { (prose(&words::summary(judgement))) }
            @if !judgement.gates.is_empty() {
                ul.gates { @for gate in &judgement.gates { (tick(judgement, gate)) } }
            }
            @if let Some(said) = words::would_settle(judgement) {
                p { b { "What would settle it: " } (prose(&said)) }
            }
            details { summary { "The numbers behind it" } (numbers(view, judgement)) }
        }
    }
}

/// Returns a list item for a gate. Its sign shows whether the gate passed, failed or has no result.
fn tick(judgement: &Judgement, gate: &Gate) -> Markup {
    let (class, sign, said) = match gate.passed {
        Some(true) => ("passed", "\u{2713}", "met"),
        Some(false) => ("missed", "\u{2717}", "not met"),
        None => ("untold", "?", "cannot be determined"),
    };
    html! {
        li class=(class) {
            span.sign aria-hidden="true" { (sign) }
            b { (words::gate_name(&gate.kind)) } span.unseen { ", " (said) } ": " (text(&words::gate(judgement, gate)))
        }
    }
}

fn numbers(view: &ResultsView, judgement: &Judgement) -> Markup {
    let endpoint = &judgement.endpoint;
    let unit = info(&endpoint.metric).unit;
    let measured = !view.levels_of(&endpoint.metric).is_empty();
    html! {
        p.small { (text(&claims::registered(judgement, &view.results.registration))) }
        @if let Some(contrast) = claims::judged(judgement) {
            p.small { (text(&claims::effect(view, judgement, contrast))) }
            @if let Some(said) = claims::at_strength(view, judgement, contrast) { p.small { (text(&said)) } }
        }
        p.small {
            @match (&judgement.matched, judgement.seeds.is_empty()) {
                (Some(matched), _) => {
                    "At equal strength, by regression: " (format::difference(matched.value, unit)) ", "
                    (format::both(matched, unit)) ". "
                }
                (None, true) => { "It could not be matched for strength. " }
                (None, false) if endpoint.control.is_some() => {
                    "Each network is compared with itself, so strength is not matched. "
                }
                (None, false) => {}
            }
            @match judgement.adjusted_p {
                Some(p) => { "p " (format::p_value(p)) ", adjusted over " (claims::family(view, endpoint)) " (Benjamini-Hochberg). " }
                None if endpoint.by_construction => {}
                None => { "No p-value for other seeds: open. " }
            }
            @if let Some(contrast) = claims::judged(judgement) {
                "For these networks p " (format::p_value(contrast.agents_p)) ", probability that the arm's value is higher " (format::probability(contrast.probability_above)) ". "
                @if let Some(power) = contrast.power {
                    "A study of this size finds the smallest effect that matters with probability "
                    (format::probability(power)) (if judgement.gates.len() > 1 { " at most. " } else { ". " })
                }
            }
            @let robustness = claims::robustness(judgement);
            @if !robustness.is_empty() { b { "Reported, not judged." } " " (text(&robustness.join(" "))) " " }
            @if measured { a href=(format!("#{}", numbers_anchor(&endpoint.metric))) { "All numbers of this metric" } }
        }
    }
}
