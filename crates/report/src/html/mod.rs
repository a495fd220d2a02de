//! Page of a study: one self-contained HTML file without scripts.

mod effects;
mod games;
mod numbers;
mod parts;
mod rule;
mod style;
mod tables;
mod verdicts;

pub use effects::lines as effect_lines;

use super::claims::CLAIMS;
use super::figure::{Figure, WHISKERS};
use super::sections::{SECTIONS, Section};
use super::view::ResultsView;
use crate::results::Chapter;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Returns an HTML page with this content. All elements are closed, so the page is well-formed XML.
fn page(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" xmlns="http://www.w3.org/1999/xhtml" {
            head {
                (PreEscaped("<meta charset=\"utf-8\"/>"))
                (PreEscaped("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"))
                title { (parts::text(title)) }
                // The style sheet contains no markup characters.
                style { (PreEscaped(style::sheet())) }
            }
            body { (content) }
        }
    };
    page.into_string()
}

/// Returns the report page of a study: verdicts, evidence, example games and folded chapters.
pub(crate) fn report(view: &ResultsView, figures: &[Figure]) -> String {
    let results = view.results;
    let (evidence, examples) = (verdicts::evidence(view), games::examples(view));
    let (effects, rule) = (effects::effects(view), rule::rule(view));
    let evidence = evidence.filter(|_| rule.is_none());
    let content = html! {
        header {
            p.lead { "Study " b { (parts::text(&results.name)) } }
            h1 { (parts::text(&results.title)) }
            (parts::exams(view))
            nav aria-label="Chapters" {
                @if effects.is_none() { a href=(format!("#{CLAIMS}")) { "Verdicts" } " " }
                @if evidence.is_some() { a href=(format!("#{}", verdicts::EVIDENCE)) { "Claim by claim" } " " }
                @if examples.is_some() { a href=(format!("#{}", games::GAMES)) { "Games" } " " }
                a href=(format!("#{REST}")) { "Everything else" }
            }
        }
        main {
            (parts::limits(view))
            @match effects.or(rule) {
                // An ablation has no claims about rules, and a judged rule has a table of its own.
                Some(chapter) => { (chapter) (verdicts::warnings(view)) }
                None => { (verdicts::verdicts(view)) }
            }
            @if let Some(evidence) = evidence { (evidence) }
            @if let Some(examples) = examples { (examples) }
            section id=(REST) {
                h2 { "Everything else" }
                p.lead { "All that was measured, by chapter. A click opens one. " (WHISKERS) }
                (parts::folded("played", "What was played", "", &parts::played(view)))
                @for chapter in SECTIONS.iter().filter_map(|section| chapter(view, figures, section)) { (chapter) }
                (parts::folded("numbers", "All numbers", "", &numbers::all(view)))
                (parts::folded("words", "Words that this report uses", "", &parts::glossary()))
                (parts::folded("provenance", "How to repeat it", "", &parts::provenance(view)))
            }
        }
    };
    page(&format!("{}: {}", results.name, results.title), &content)
}

/// HTML id of the section with the folded chapters.
const REST: &str = "rest";

/// Returns a folded chapter with its figures and tables. `None` if there are none.
fn chapter(view: &ResultsView, figures: &[Figure], section: &Section) -> Option<Markup> {
    let chapter = section.chapter;
    let of_chapter: Vec<&Figure> = figures.iter().filter(|figure| figure.chapter == Some(chapter)).collect();
    let holds = match of_chapter.len() {
        0 => String::new(),
        1 => "1 figure".to_owned(),
        n => format!("{n} figures"),
    };
    // Wide figures come first. Small ones follow side by side.
    let (small, wide): (Vec<&Figure>, Vec<&Figure>) =
        of_chapter.into_iter().partition(|figure| figure.drawing.width < 500.0);
    let joined = tables::of_chapter(view, chapter);
    if wide.is_empty() && small.is_empty() && joined.is_none() {
        return None;
    }
    let content = html! {
        p.lead { (section.intro) }
        @for item in &wide { (parts::figure(item)) }
        div.columns { @for item in &small { (parts::figure(item)) } }
        @if let Some(joined) = joined { (joined) }
        @if chapter == Chapter::Strength { (numbers::matches(view)) }
    };
    Some(parts::folded(section.id, section.title, &holds, &content))
}
