//! Parts of the page: figures, folded chapters, played games, provenance.

use crate::figure::{Figure, slug};
use crate::results::Verdict;
use crate::view::{PLAYED, ResultsView, Series, level_label};
use crate::words;
use catapult_figures::format;
use catapult_figures::svg::escape;
use catapult_measures::in_words;
use catapult_store::Difference;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;

/// Escapes untrusted text for a page. Control characters, which a page must not contain, are
/// replaced.
pub(crate) fn text(text: &str) -> PreEscaped<String> {
    PreEscaped(escape(text))
}

/// Escapes untrusted text for a page. Parts in backticks become code.
pub(crate) fn prose(said: &str) -> Markup {
    html! {
        @for (i, part) in said.split('`').enumerate() {
            @if i % 2 == 1 { code { (text(part)) } } @else { (text(part)) }
        }
    }
}

/// Returns a figure of a chapter with its title and caption.
pub(crate) fn figure(figure: &Figure) -> Markup {
    html! {
        figure id=(format!("figure-{}", figure.id)) {
            h4 { (text(&figure.title)) }
            // Chapters have tables instead of tooltips.
            (framed(&figure.drawing.silent(&figure.title)))
            figcaption { (prose(&figure.caption)) " (figures/" (figure.id) ".svg)" }
        }
    }
}

/// Returns a drawing that keeps its full size, so that its letters remain legible. On a narrow page
/// it can be scrolled, also by keyboard.
pub(crate) fn framed(svg: &str) -> Markup {
    html! { div.scroll tabindex="0" { (PreEscaped(svg)) } }
}

/// Returns a folded chapter. Its content has the HTML id `id`. `holds` is a note next to the
/// heading, such as the number of figures.
pub(crate) fn folded(id: &str, title: &str, holds: &str, content: &Markup) -> Markup {
    html! {
        details.chapter {
            summary { h3 { (title) } @if !holds.is_empty() { span.dim { (holds) } } }
            // The anchor is inside, so following a link to it opens the chapter.
            div id=(id) { (content) }
        }
    }
}

/// Returns the HTML id of the part of a page that has the numbers of a metric.
pub(crate) fn numbers_anchor(metric: &str) -> String {
    format!("numbers-{}", slug(metric))
}

/// Returns a verdict as a sign and words.
pub(crate) fn badge(verdict: Verdict) -> Markup {
    let sign = match verdict {
        Verdict::Supported => "✓",
        Verdict::Contradicted => "✗",
        Verdict::Equivalent | Verdict::NoDifferenceThatMatters => "=",
        Verdict::More | Verdict::MoreSizeUnclear => "↑",
        Verdict::Fewer | Verdict::FewerSizeUnclear => "↓",
        Verdict::Open | Verdict::NotSettled => "?",
    };
    html! { span class=(format!("badge {}", class(verdict))) { (sign) " " (verdict.name()) } }
}

/// Returns the CSS class that colours a verdict.
pub(crate) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "supported",
        Verdict::Contradicted => "contradicted",
        Verdict::Open | Verdict::NotSettled => "open",
        _ => "equivalent",
    }
}

/// Returns the table of arms, players and games, and the search levels.
pub(crate) fn played(view: &ResultsView) -> Markup {
    let games = |series: &Series| {
        let measures = view.results.measures.iter();
        let of_series = measures.filter(|m| m.metric == PLAYED && series.has(&m.sample));
        of_series.map(|m| m.observations).sum::<u64>()
    };
    let seeds = |agent: &str| {
        let networks = view.results.strengths.iter().map(|s| &s.network);
        networks.filter(|n| n.agent == agent).map(|n| n.seed).collect::<BTreeSet<_>>().len()
    };
    // Levels that occur only in matches, such as the levels of the skill ladder, are left out.
    let levels: Vec<String> = view.levels_of(PLAYED).into_iter().map(level_label).collect();
    html! {
            div.scroll tabindex="0" { table {
                tr { th { "rules" } th.left { "what they are" } th.left { "player" } th { "networks" } th { "games" } }
                @for arm in &view.results.arms {
                    @let players: Vec<&Series> = view.series.iter().filter(|series| series.arm == *arm).collect();
                    @let played = players.iter().copied().filter(|series| games(series) > 0);
                    @for (i, series) in played.enumerate() {
                        tr {
                            td { @if i == 0 { (text(&arm.to_string())) } }
                            td.words { @if i == 0 { (text(&in_words(*arm))) } }
                            td.left { (text(&series.agent)) }
                            td { @match seeds(&series.agent) { 0 => { "–" } n => { (n) } } }
                            td { (format::count(games(series))) }
                        }
                    }
                }
            } }
            p.small.dim {
                "Search levels (simulations per move): " (levels.join(", ")) ". \u{201c}networks\u{201d} counts the training seeds \
                 whose strength was measured, \u{201c}games\u{201d} those that each network played against itself at all levels."
            }
    }
}

/// Returns the glossary of the words that reports use, for a reader who knows only chess. Each line
/// of `glossary.txt` has a word and its meaning.
pub(crate) fn glossary() -> Markup {
    let words = include_str!("glossary.txt").lines().filter_map(|line| line.split_once(" | "));
    html! { dl.small { @for (word, meaning) in words { dt { b { (word) } } dd { (meaning) } } } }
}

/// Returns the warnings that limit what the study can show. Empty if there are none.
pub(crate) fn limits(view: &ResultsView) -> Markup {
    let warnings = view.results.warnings.iter().filter(|warning| warning.is_about_validity());
    let warnings: Vec<String> = warnings.map(crate::warnings::warning).collect();
    html! {
        @if !warnings.is_empty() {
            section id="limits" {
                h2 { "Read this first" }
                div class="box warn" { ul { @for warning in &warnings { li { (prose(warning)) } } } }
            }
        }
    }
}

/// Returns one line per network about its exam.
pub(crate) fn exams(view: &ResultsView) -> Markup {
    let exams = &view.results.exams;
    html! { @if !exams.is_empty() { ul.small { @for exam in exams { li { (text(&words::exam(exam))) } } } } }
}

/// Returns the table of the study's provenance and a note on the other files.
pub(crate) fn provenance(view: &ResultsView) -> Markup {
    let found = &view.results.provenance;
    let changes = match found.changes.as_slice() {
        [] => "no".to_owned(),
        changes => changes.iter().map(Difference::to_string).collect::<Vec<_>>().join(", "),
    };
    let rows = [
        ("command", &found.command),
        ("version", &found.version),
        ("study's file (BLAKE3)", &found.file),
        ("study's file when registered, before the first game (BLAKE3)", &found.registered_file),
        ("study's file changed since", &changes),
        ("seed", &found.seed.to_string()),
    ];
    let row = |name: &str, value: &str| {
        html! { tr { td { (text(name)) } td class="left hash" { (text(value)) } } }
    };
    html! {
            div.scroll tabindex="0" { table {
                @for (name, value) in rows { (row(name, value)) }
                @for it in &found.networks {
                    (row(&format!("network {}, {} (BLAKE3)", it.network, it.checkpoint), &it.hash))
                }
            } }
            p.small.dim {
                "Beside this page: metrics.json (everything above as data), metrics.csv (one row per metric \
                 and sample: study, metric, unit, sample, observations, value, both 95 % intervals, median; \
                 an empty interval is open) and figures/ (SVG)."
            }
    }
}
