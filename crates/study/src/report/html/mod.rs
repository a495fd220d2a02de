//! The page of a study: one file without scripts that needs nothing else.

mod comparison;
mod numbers;
mod parts;
mod style;
mod tables;

pub use comparison::{BetweenStudies, comparison};

use super::claims::CLAIMS;
use super::figures::Figure;
use super::sections::{self, READING_ORDER};
use super::view::View;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page around this content. Every element is closed, so that XML tools read it too.
pub fn page(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" xmlns="http://www.w3.org/1999/xhtml" {
            head {
                (PreEscaped("<meta charset=\"utf-8\"/>"))
                (PreEscaped("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"))
                title { (parts::text(title)) }
                // The sheet holds no character that a parser would take for markup.
                style { (PreEscaped(style::sheet())) }
            }
            body { (content) }
        }
    };
    page.into_string()
}

/// The report of one study.
pub fn report(view: &View, figures: &[Figure]) -> String {
    let results = view.results;
    let chapters: Vec<_> = READING_ORDER
        .iter()
        .filter_map(|id| Some((sections::section(id)?, chapter(view, figures, id)?)))
        .collect();
    let content = html! {
        header {
            p.lead { "Study " b { (parts::text(&results.name)) } }
            h1 { (parts::text(&results.title)) }
            nav {
                a href=(format!("#{CLAIMS}")) { "Verdicts" }
                @for (section, _) in &chapters { " " a href=(format!("#{}", section.id)) { (section.title) } }
                " " a href="#numbers" { "All numbers" } " "
                a href="#provenance" { "How to repeat it" }
            }
        }
        (parts::verdicts(view))
        (parts::played(view))
        @for (section, body) in &chapters {
            section id=(section.id) {
                h2 { (section.title) }
                p.lead { (section.intro) }
                (body)
            }
        }
        (numbers::all(view))
        (parts::provenance(view))
    };
    page(&format!("{}: {}", results.name, results.title), &content)
}

/// A chapter's figures and tables; nothing for the last chapter if it is empty, and a reason for the others.
fn chapter(view: &View, figures: &[Figure], id: &str) -> Option<Markup> {
    let of_chapter: Vec<&Figure> = figures.iter().filter(|figure| figure.section == id).collect();
    // What needs the whole width stands first, small curves side by side after it.
    let (small, wide): (Vec<&Figure>, Vec<&Figure>) =
        of_chapter.into_iter().partition(|figure| figure.drawing.width < 500.0);
    let joined = tables::of_chapter(view, id);
    let empty = small.is_empty() && wide.is_empty() && joined.is_none();
    if empty && id == sections::OTHERS {
        return None;
    }
    Some(html! {
        @if empty { p.dim { (parts::why_empty(id)) } }
        @if id == sections::STRENGTH && view.results.equivalences.is_empty() {
            p.dim { "No network was trained across arms and checked against dedicated ones in this study." }
        }
        @for item in &wide { (parts::figure(item)) }
        div.columns { @for item in &small { (parts::figure(item)) } }
        @if let Some(joined) = joined { (joined) }
        @if id == sections::STRENGTH { (numbers::matches(view)) }
    })
}
