//! Example games on the page. Each board has one radio button, which shows it.

use super::parts::text;
use crate::boards;
use crate::figure::sentence;
use crate::games::{self, Game};
use crate::results::ExampleGame;
use crate::view::ResultsView;
use maud::{Markup, PreEscaped, html};

/// HTML id of the chapter of example games.
pub(super) const GAMES: &str = "games";

/// Maximum number of games on the page. `metrics.json` has all games.
const MOST: usize = 12;

/// Returns the chapter of example games. `None` if there are none.
pub(super) fn examples(view: &ResultsView) -> Option<Markup> {
    let all = &view.results.examples;
    let replayed: Vec<(usize, &ExampleGame, Game)> = all
        .iter()
        .enumerate()
        .filter_map(|(i, example)| Some((i, example, games::replay(example)?)))
        .take(MOST)
        .collect();
    (!replayed.is_empty()).then(|| html! {
        section id=(GAMES) {
            h2 { "Games to look at" }
            p.lead {
                "Chosen by a rule and not by hand, from the games at the strongest search level. Choose a move, or walk through \
                 them with the arrow keys."
            }
            (PreEscaped(boards::symbols(&replayed.iter().map(|(_, _, game)| game.size).collect())))
            @for (i, example, game) in &replayed { (one(view, *i, example, game)) }
            @if all.len() > MOST { p.small.dim { "metrics.json holds " (all.len() - MOST) " more." } }
        }
    })
}

fn one(view: &ResultsView, index: usize, example: &ExampleGame, game: &Game) -> Markup {
    let group = format!("game-{index}");
    let id = |frame: usize| format!("{group}-{frame}");
    let played = game.moves.get(example.ply).map_or("", String::as_str);
    let rule = crate::examples::rule(&example.rule);
    html! {
        article.game id=(group) {
            h3 { (sentence(rule.map_or("", |rule| rule.name))) ": " (text(&view.words(&example.sample))) }
            p {
                b { (text(played)) } " \u{2013} " (text(&games::swing(example)))
                " The game: " (games::end(example)) " after " (example.moves.len()) " plies. "
                span.dim { (rule.map_or("", |rule| rule.definition)) " Network " (example.seed) ", game " (example.game) "." }
            }
            div.steps role="group" aria-label="Moves around the chosen one" {
                @for (i, frame) in game.frames.iter().enumerate() {
                    (radio(&group, &id(i), i == game.chosen))
                    label for=(id(i)) class=[(i == game.chosen).then_some("told")] {
                        (text(frame.last.as_deref().unwrap_or("start")))
                    }
                }
                div.frames {
                    @for (i, frame) in game.frames.iter().enumerate() {
                        div {
                            (PreEscaped(&frame.board))
                            p.turn {
                                @if i > 0 { label for=(id(i - 1)) { "\u{25c0}\u{fe0e} back" } } @else { span {} }
                                @if let Some(value) = frame.value {
                                    span { "White " (catapult_figures::format::value(value, crate::results::Unit::Share)) }
                                } @else { span { "the end" } }
                                @if i + 1 < game.frames.len() { label for=(id(i + 1)) { "on \u{25b6}\u{fe0e}" } } @else { span {} }
                            }
                        }
                    }
                }
                div.graph { (PreEscaped(games::graph(example, game).inline("White's expected score over the game"))) }
            }
            @if let Some(legend) = game.legend { p.small.dim { (text(&signs(legend))) } }
            details {
                summary { "The whole game, " (example.moves.len()) " plies" }
                p.moves {
                    @for (ply, played) in game.moves.iter().enumerate() {
                        @let frame = (ply + 1).checked_sub(game.first).filter(|frame| (1..game.frames.len()).contains(frame));
                        @match frame {
                            Some(frame) => { label for=(id(frame)) { (text(played)) } }
                            None => { (text(played)) }
                        }
                        " "
                    }
                }
                p.small.dim { "From " code { (text(&example.start)) } }
            }
        }
    }
}

/// Returns a radio button as a closed element, which XML requires. `group` and `id` must not need
/// escaping.
fn radio(group: &str, id: &str, checked: bool) -> PreEscaped<String> {
    let checked = if checked { " checked=\"checked\"" } else { "" };
    PreEscaped(format!("<input type=\"radio\" name=\"{group}\" id=\"{id}\"{checked}/>"))
}

/// Returns the explanation of the frames and arcs on the page's boards. `legend` is the explanation
/// of the signs that a terminal shows instead.
fn signs(legend: &str) -> String {
    let (what, arc) = if legend.contains("catapult") {
        ("catapult", "is a teleport")
    } else {
        ("portal", "leads through portals")
    };
    let fresh = if legend.contains("first move") { "; dashed while its first move is left" } else { "" };
    format!("Blue square: White's {what}; orange round: Black's{fresh}. An arc {arc}.")
}
