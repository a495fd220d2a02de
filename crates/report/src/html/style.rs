//! Style sheets of pages, for light and dark screens and for paper.

use crate::games::MOST;
use catapult_figures::svg::{DARK, LIGHT};

const PAGE: &str = include_str!("page.css");

/// Style of example games. The moves are next to the board, or below it on a narrow page.
const GAMES: &str = include_str!("games.css");

/// Returns the style rules for the boards of a game. The n-th radio button shows the n-th board and
/// its mark on the graph.
fn boards() -> String {
    let rule = |n: usize| {
        format!(
            ".steps>input:nth-of-type({n}):checked~.frames>:nth-child({n}),.steps>input:nth-of-type({n}):checked~.graph circle:nth-of-type({n})"
        )
    };
    let all: Vec<String> = (1..=MOST).map(rule).collect();
    all.join(",") + "{display:block}\n"
}

const PAGE_DARK: &str = include_str!("dark.css");

const PRINT: &str = include_str!("print.css");

/// Returns the style sheet of a page. Dark colours apply to screens only.
pub(super) fn sheet() -> String {
    format!(
        "{PAGE}{LIGHT}{GAMES}{}@media screen and (prefers-color-scheme:dark){{{PAGE_DARK}{DARK}}}\n@media print{{{PRINT}}}\n",
        boards()
    )
}
