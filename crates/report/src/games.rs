//! Replays of example games: boards around the chosen ply, all moves, and a graph of the search's
//! expected score.

use super::boards::board;
use super::warnings::outcome_name;
use crate::results::{ExampleGame, Unit};
use catapult_figures::format;
use catapult_figures::svg::{Anchor, Drawing};
use catapult_measures::games::GameInfo;
use catapult_measures::metrics::read_game;
use catapult_records::GameRecord;
use catapult_rules::{AnyGame, Color, Move};

/// Maximum number of plies shown before and after the chosen ply.
const WINDOW: [usize; 2] = [5, 6];

/// Maximum number of boards of a game. The style sheet contains one rule per board.
pub(super) const MOST: usize = WINDOW[0] + WINDOW[1] + 2;

/// An example game that has been replayed.
pub(super) struct Game {
    /// All moves in numbered algebraic notation.
    pub moves: Vec<String>,
    /// The boards that are shown, in the order of the game.
    pub frames: Vec<Frame>,
    /// Number of plies of the game before the first board that is shown.
    pub first: usize,
    /// Index, in `frames`, of the board after the chosen ply.
    pub chosen: usize,
    /// Number of files and number of ranks of the boards.
    pub size: (usize, usize),
    /// Explanation of the signs for catapults or portals. `None` if no shown board has them.
    pub legend: Option<&'static str>,
}

/// One shown board.
pub(super) struct Frame {
    /// The last move before this board: `23. Nf3`, `23... Nf6`. `None` at the start of the game.
    pub last: Option<String>,
    /// The board as an SVG element that uses [`symbols`](super::boards::symbols).
    pub board: String,
    /// White's expected score before the next move, from the search. `None` after the last move.
    pub value: Option<f64>,
}

/// Replays an example game. `None` if the rules contradict its moves or it has no chosen ply.
pub(super) fn replay(example: &ExampleGame) -> Option<Game> {
    let rules = example.sample.arm.rules;
    let mut position = rules.game(Some(&example.start)).ok()?;
    let record = GameRecord::of_texts(rules, Some(&example.start), &example.moves.join(" ")).ok()?;
    let uses = read_game(&record, rules).ok()?.uses();
    if example.ply >= example.moves.len() {
        return None;
    }
    let first = example.ply.saturating_sub(WINDOW[0]);
    let last = (example.ply + 1 + WINDOW[1]).min(example.moves.len());
    let mut game = Game {
        moves: Vec::new(),
        frames: Vec::new(),
        first,
        chosen: example.ply + 1 - first,
        size: (position.files(), position.ranks()),
        legend: None,
    };
    let arcs = GameInfo::of(rules).teleports;
    let mut previous: Option<(Box<dyn AnyGame>, bool)> = None;
    for ply in 0..=example.moves.len() {
        if (first..=last).contains(&ply) {
            let last = game.moves.last().cloned();
            let before = previous.as_ref().map(|(before, arc)| (&**before, *arc));
            let name = format!(
                "Board {}: {}",
                last.as_deref().map_or("at the start".to_owned(), |m| format!("after {m}")),
                position.fen()
            );
            let board = board(&*position, before, &name);
            game.frames.push(Frame { last, board, value: example.values.get(ply).copied() });
            game.legend = game.legend.or(position.legend());
        }
        let Some((text, (_, uses))) = example.moves.get(ply).zip(uses.get(ply)) else { break };
        let mv = position.parse_move(text).ok()?;
        game.moves.push(numbered(&*position, mv));
        previous = Some((position.forked(), uses & arcs != 0));
        position.push(mv);
    }
    Some(game)
}

/// Returns a move with its number: `23. Nf3`, `23... Nf6`.
fn numbered(position: &dyn AnyGame, mv: Move) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}\u{a0}{}", position.fullmove_number(), position.san(mv))
}

/// Width and height of the graph in pixels.
const GRAPH: (f64, f64) = (331.0, 96.0);

/// Draws a graph of White's expected score over the game. The plies whose boards are shown are
/// shaded. The graph has one mark per board.
pub(super) fn graph(example: &ExampleGame, game: &Game) -> Drawing {
    let (left, right, top, bottom) = (30.0, GRAPH.0 - 8.0, 8.0, GRAPH.1 - 22.0);
    let mut drawing = Drawing::new(GRAPH.0, GRAPH.1);
    let last = example.values.len().saturating_sub(1).max(1) as f64;
    let x = |ply: usize| left + (right - left) * (ply as f64 / last).min(1.0);
    let y = |value: f64| bottom - (bottom - top) * value.clamp(0.0, 1.0);
    let shown = [game.first, game.first + game.frames.len() - 1].map(x);
    drawing.rect("band", (shown[0], top), (shown[1] - shown[0], bottom - top), "");
    for (value, label) in [(0.0, "0"), (0.5, "50"), (1.0, "100")] {
        drawing.line("grid", (left, y(value)), (right, y(value)));
        drawing.text("dim", (left - 5.0, y(value)), Anchor::End, label);
    }
    drawing.text(
        "dim",
        ((left + right) / 2.0, GRAPH.1 - 9.0),
        Anchor::Middle,
        "White's expected score (%) over the plies",
    );
    let points: Vec<(f64, f64)> =
        example.values.iter().enumerate().map(|(ply, value)| (x(ply), y(*value))).collect();
    drawing.polyline("s1 mid", &points);
    for (i, frame) in game.frames.iter().enumerate() {
        let ply = (game.first + i).min(example.values.len().saturating_sub(1));
        let value = frame.value.or(example.values.last().copied()).unwrap_or(0.5);
        drawing.circle("f5 at", (x(ply), y(value)), 4.0, "");
    }
    drawing
}

/// Returns the end of the game in words: `checkmate, White wins`.
pub(super) fn end(example: &ExampleGame) -> String {
    match example.winner {
        Some(winner) => format!("{}, {winner:?} wins", outcome_name(example.outcome)),
        None => outcome_name(example.outcome).to_owned(),
    }
}

/// Returns a sentence with White's expected score before and after the chosen move. Empty if no
/// score is known.
pub(super) fn swing(example: &ExampleGame) -> String {
    let value = |ply: usize| example.values.get(ply).map(|value| format::value(*value, Unit::Share));
    match (value(example.ply), value(example.ply + 1)) {
        (Some(before), Some(after)) => format!("White's expected score goes from {before} to {after}."),
        (Some(before), None) => {
            format!("White's expected score before it is {before}, and it ends the game.")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_measures::data::{Checkpoint, SampleId};

    fn example(arm: &str, start: &str, moves: &[&str], ply: usize) -> ExampleGame {
        let arm = arm.parse().unwrap();
        ExampleGame {
            rule: String::new(),
            sample: SampleId { arm, agent: "a".to_owned(), checkpoint: Checkpoint::Last, simulations: 8 },
            seed: 1,
            game: 0,
            start: start.to_owned(),
            moves: moves.iter().map(|text| (*text).to_owned()).collect(),
            values: vec![0.25; moves.len()],
            ply,
            outcome: catapult_rules::Outcome::Capped,
            winner: None,
        }
    }

    const TELEPORT: &str = "4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-";

    #[test]
    fn a_teleport_is_an_arc_between_catapults() {
        let game = replay(&example("chesspp", TELEPORT, &["a1h5t", "e8d8"], 0)).unwrap();
        assert_eq!(game.moves[1], "7...\u{a0}Kd8");
        assert_eq!((game.frames.len(), game.first, game.chosen), (3, 0, 1));
        let [before, after, last] = [0, 1, 2].map(|i| game.frames[i].board.as_str());
        // h5 is on the eighth file and on the fourth rank from the top.
        assert!(before.contains(r##"<use href="#pr" x="75" y="30"/>"##) && !before.contains("class=\"ar"));
        assert!(after.contains(r##"<use href="#pN" x="75" y="30"/>"##) && after.contains("class=\"ar tp\""));
        assert!(after.contains(r##"<use href="#fW" x="75" y="30"/>"##), "{after}");
        // The arrow of the king's step is straight, from e8 to d8.
        assert!(last.contains(r#"<path class="ar" d="M50 5Q45 5 "#), "{last}");
        assert_eq!(game.frames[2].value, None);
    }

    #[test]
    fn every_game_has_boards_and_the_window_is_cut_at_the_ends() {
        for (arm, moves) in
            [("chess", ["e2e4", "e7e5"]), ("century", ["e2e4", "e7e5"]), ("half", ["e2e4", "e11e9"])]
        {
            let Some(game) = replay(&example(arm, &start(arm), &moves, 1)) else { continue };
            assert_eq!(game.frames.len(), 3, "{arm}");
            assert!(game.frames.iter().all(|frame| roxmltree::Document::parse(&frame.board).is_ok()));
        }
        let long: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(40).collect();
        let game = replay(&example("chess", &start("chess"), &long, 20)).unwrap();
        assert_eq!((game.frames.len(), game.first, game.chosen), (MOST, 15, 6));
        assert_eq!(game.frames[game.chosen].last.as_deref(), Some("11.\u{a0}Nf3"));
    }

    fn start(arm: &str) -> String {
        arm.parse::<catapult_rules::Variant>().unwrap().start().fen()
    }

    #[test]
    fn damaged_examples_are_left_out() {
        assert!(replay(&example("chesspp", TELEPORT, &["e2e4"], 0)).is_none());
        assert!(replay(&example("chesspp", "no board", &["e2e4"], 0)).is_none());
        assert!(replay(&example("chesspp", TELEPORT, &["a1h5t"], 7)).is_none());
    }

    #[test]
    fn castling_is_the_kings_way() {
        let game = replay(&example("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["e1g1"], 0)).unwrap();
        // From e1 to g1, the arrow runs from 50 to 70 on the lowest rank.
        assert!(game.frames[1].board.contains(r#"d="M50 75Q60 75 "#), "{}", game.frames[1].board);
    }
}
