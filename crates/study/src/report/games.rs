//! Example games, replayed: boards around the chosen ply, the moves of the whole game, the graph of the search's value.

use super::format;
use super::svg::{Anchor, Drawing, escape, px};
use crate::games::StudiedGame;
use crate::results::{ExampleGame, Unit};
use catapult_rules::{Color, Position, Shown, with_variant};
use std::fmt::Write as _;

/// Plies that are shown before and after the chosen one.
const WINDOW: [usize; 2] = [5, 6];

/// The most boards of a game: the style sheet says which of them stands under which button.
pub const MOST: usize = WINDOW[0] + WINDOW[1] + 2;

/// Pixels of a board's side without its margin.
const BOARD: f64 = 336.0;

/// Moves that are drawn as an arc.
const TELEPORTS: [&str; 3] = ["teleports", "instant_teleports", "use_portal_passages"];

/// An example, ready to be shown.
pub struct Game {
    /// All moves, numbered, as players write them.
    pub moves: Vec<String>,
    /// The boards.
    pub frames: Vec<Frame>,
    /// How many moves have been played before the first of the boards.
    pub first: usize,
    /// Which of the boards is that after the chosen ply.
    pub chosen: usize,
    /// A line below the boards that explains their signs.
    pub legend: Option<&'static str>,
}

/// A board.
pub struct Frame {
    /// What was played last: `23. Nf3`, `23... Nf6`; the start of the game has none.
    pub last: Option<String>,
    /// The board as an element of SVG, which uses [`symbols`].
    pub board: String,
    /// White's expected score before the next move, by the search.
    pub value: Option<f64>,
}

/// Replays an example; nothing for one that its rules contradict.
pub fn replay(example: &ExampleGame) -> Option<Game> {
    with_variant!(example.sample.arm, |P, rules| of::<P>(example, rules))
}

fn of<P: StudiedGame>(example: &ExampleGame, rules: P::Rules) -> Option<Game> {
    let mut position = P::from_fen(&example.start, rules).ok()?;
    if example.ply >= example.moves.len() {
        return None;
    }
    let first = example.ply.saturating_sub(WINDOW[0]);
    let last = (example.ply + 1 + WINDOW[1]).min(example.moves.len());
    let mut game =
        Game { moves: Vec::new(), frames: Vec::new(), first, chosen: example.ply + 1 - first, legend: None };
    let mut previous: Option<(P, bool)> = None;
    for ply in 0..=example.moves.len() {
        if (first..=last).contains(&ply) {
            let last = game.moves.last().cloned();
            let before = previous.as_ref().map(|(before, arc)| (before, *arc));
            let name = format!(
                "Board {}: {position}",
                last.as_deref().map_or("at the start".to_owned(), |m| format!("after {m}"))
            );
            let board = board(&position, before, &name);
            game.frames.push(Frame { last, board, value: example.values.get(ply).copied() });
            game.legend = game.legend.or(position.legend());
        }
        let Some(text) = example.moves.get(ply) else { break };
        let mv = position.parse_move(text).ok()?;
        game.moves.push(numbered(&position, &position.san(mv)));
        let before = position;
        position.play(mv);
        let uses = before.uses(mv, &position);
        let is_arc = |(index, info): (usize, &crate::results::MetricInfo)| {
            uses >> index & 1 != 0 && TELEPORTS.contains(&info.id)
        };
        previous = Some((before, P::USES.iter().enumerate().any(is_arc)));
    }
    Some(game)
}

/// A move with its number: `23. Nf3`, `23... Nf6`.
fn numbered<P: Position>(position: &P, san: &str) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}\u{a0}{san}", position.fullmove_number())
}

/// Letters of chess pieces and their figures. The selector keeps viewers from drawing them in colours of their own.
const FIGURES: [(char, &str); 6] = [
    ('k', "\u{265a}\u{fe0e}"),
    ('q', "\u{265b}\u{fe0e}"),
    ('r', "\u{265c}\u{fe0e}"),
    ('b', "\u{265d}\u{fe0e}"),
    ('n', "\u{265e}\u{fe0e}"),
    ('p', "\u{265f}\u{fe0e}"),
];

/// What boards are put together of, once a page: pieces and frames, a square being 10 wide.
pub fn symbols() -> String {
    let mut text =
        String::from("<svg width=\"0\" height=\"0\" class=\"symbols\" aria-hidden=\"true\"><defs>");
    for letter in 'a'..='z' {
        for side in [Color::White, Color::Black] {
            let id = side.cased(letter);
            let class = if side == Color::White { "wp" } else { "bp" };
            // A string can be written to without end.
            let _ = match FIGURES.iter().find(|(known, _)| *known == letter) {
                Some((_, figure)) => {
                    write!(text, r#"<text id="p{id}" class="pc {class}" x="5" y="8.2">{figure}</text>"#)
                }
                None => {
                    let letter = letter.to_ascii_uppercase();
                    let ink = if side == Color::White { "bl" } else { "wl" };
                    write!(
                        text,
                        r#"<g id="p{id}"><circle class="{class}" cx="5" cy="5" r="3.9"/><text class="lt {ink}" x="5" y="7.1">{letter}</text></g>"#
                    )
                }
            };
        }
    }
    for (id, class, round) in [("fW", "fw", 0.0), ("fB", "fb", 3.5)] {
        let _ = write!(
            text,
            r#"<rect id="{id}" class="fr {class}" x=".7" y=".7" width="8.6" height="8.6" rx="{round}"/>"#
        );
        let _ = write!(
            text,
            r#"<rect id="{id}d" class="fr {class} fresh" x=".7" y=".7" width="8.6" height="8.6" rx="{round}"/>"#
        );
    }
    text + "</defs></svg>"
}

/// Files and ranks of a board and its margin, in tenths of a square.
const MARGIN: f64 = 5.0;

/// A position with the last move: squares that it changed, and an arrow, or an arc where it is a teleport.
fn board<P: Position>(position: &P, before: Option<(&P, bool)>, name: &str) -> String {
    let (files, ranks) = (P::FILES, P::RANKS);
    let (wide, high) = (10.0 * files as f64 + MARGIN, 10.0 * ranks as f64 + MARGIN);
    let pixel = BOARD / (10.0 * files.max(ranks) as f64);
    let (width, height) = (px(wide * pixel), px(high * pixel));
    // Letters of the margin are 12 pixels high.
    let size = px(12.0 / pixel);
    let at = |file: usize, rank: usize| (MARGIN + 10.0 * file as f64, 10.0 * (ranks - 1 - rank) as f64);
    let mut text = format!(
        r#"<svg viewBox="0 0 {} {}" width="{width}" height="{height}" role="img" aria-label="{}">"#,
        px(wide),
        px(high),
        escape(name)
    );
    // A string can be written to without end.
    let _ = write!(text, r#"<rect class="lq" x="{MARGIN}" width="{}" height="{}"/>"#, 10 * files, 10 * ranks);
    let squares = || (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank)));
    let path = |wanted: &dyn Fn(usize, usize) -> bool| -> String {
        let one = |(file, rank): (usize, usize)| {
            let (x, y) = at(file, rank);
            format!("M{} {}h10v10h-10z", px(x), px(y))
        };
        squares().filter(|(file, rank)| wanted(*file, *rank)).map(one).collect()
    };
    let _ = write!(text, r#"<path class="dq" d="{}"/>"#, path(&|file, rank| (file + rank).is_multiple_of(2)));
    if let Some((before, _)) = before {
        let changed = path(&|file, rank| position.shown(file, rank) != before.shown(file, rank));
        let _ = write!(text, r#"<path class="ch" d="{changed}"/>"#);
    }
    for (file, rank) in squares() {
        let Shown { pieces, frame } = position.shown(file, rank);
        let (x, y) = at(file, rank);
        let (x, y) = (px(x), px(y));
        if let Some((side, [sign, _])) = frame {
            let side = if side == Color::White { 'W' } else { 'B' };
            let fresh = if matches!(sign, '{' | '<') { "d" } else { "" };
            let _ = write!(text, r##"<use href="#f{side}{fresh}" x="{x}" y="{y}"/>"##);
        }
        let letters: Vec<char> = pieces.chars().filter(char::is_ascii_alphabetic).collect();
        match letters.as_slice() {
            [] => {}
            [letter] => {
                let _ = write!(text, r##"<use href="#p{letter}" x="{x}" y="{y}"/>"##);
            }
            several => {
                for (i, letter) in several.iter().enumerate() {
                    let shift = 3.8 * i as f64;
                    let _ = write!(
                        text,
                        r##"<use href="#p{letter}" transform="translate({x} {y}) translate({shift} {shift}) scale(.62)"/>"##
                    );
                }
            }
        }
    }
    if let Some((from, to, arc)) =
        before.and_then(|(before, arc)| Some((moved(before, position)?, arc))).map(|((f, t), a)| (f, t, a))
    {
        let middle = |(file, rank): (usize, usize)| {
            let (x, y) = at(file, rank);
            (x + 5.0, y + 5.0)
        };
        text += &arrow(middle(from), middle(to), arc);
    }
    for rank in 0..ranks {
        let (_, y) = at(0, rank);
        let _ = write!(
            text,
            r#"<text class="co" style="font-size:{size}px" x="{}" y="{}">{}</text>"#,
            px(MARGIN / 2.0),
            px(y + 6.2),
            rank + 1
        );
    }
    for file in 0..files {
        let (x, _) = at(file, 0);
        let letter = char::from(b'a' + (file % 26) as u8);
        let _ = write!(
            text,
            r#"<text class="co" style="font-size:{size}px" x="{}" y="{}">{letter}</text>"#,
            px(x + 5.0),
            px(high - 0.9)
        );
    }
    text + "</svg>"
}

type Place = (usize, usize);

/// From where to where a piece of the mover went, where one square lost pieces of its and another got some. Of castling, the king's
/// way.
fn moved<P: Position>(before: &P, after: &P) -> Option<(Place, Place)> {
    let side = before.side_to_move();
    let of_side = |position: &P, file, rank| -> Vec<char> {
        let shown = position.shown(file, rank);
        shown.pieces.chars().filter(|letter| Color::of_case(*letter) == side).collect()
    };
    let (mut lost, mut got) = (Vec::new(), Vec::new());
    for (file, rank) in (0..P::RANKS).flat_map(|rank| (0..P::FILES).map(move |file| (file, rank))) {
        let (old, new) = (of_side(before, file, rank), of_side(after, file, rank));
        match old.len().cmp(&new.len()) {
            std::cmp::Ordering::Greater => lost.push(((file, rank), old)),
            std::cmp::Ordering::Less => got.push(((file, rank), new)),
            std::cmp::Ordering::Equal => {}
        }
    }
    let king = |all: &[(Place, Vec<char>)]| {
        let with_king =
            all.iter().find(|(_, letters)| letters.iter().any(|letter| letter.eq_ignore_ascii_case(&'k')));
        with_king.map(|(place, _)| *place)
    };
    match (lost.as_slice(), got.as_slice()) {
        ([(from, _)], [(to, _)]) => Some((*from, *to)),
        ([_, _], [_, _]) => Some((king(&lost)?, king(&got)?)),
        _ => None,
    }
}

/// An arrow that ends short of the middle of its square, so that what stands there is seen.
fn arrow(from: (f64, f64), to: (f64, f64), arc: bool) -> String {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 1.0 {
        return String::new();
    }
    // The point that an arc bends to: a fourth of the way aside.
    let aside = if arc { 0.28 } else { 0.0 };
    let bend = (from.0 + dx / 2.0 + aside * dy, from.1 + dy / 2.0 - aside * dx);
    let (tx, ty) = (to.0 - bend.0, to.1 - bend.1);
    let reach = tx.hypot(ty);
    let (ux, uy) = (tx / reach, ty / reach);
    let tip = (to.0 - 2.0 * ux, to.1 - 2.0 * uy);
    let neck = (tip.0 - 3.2 * ux, tip.1 - 3.2 * uy);
    let p = |(x, y): (f64, f64)| format!("{} {}", px(x), px(y));
    let corners =
        [tip, (neck.0 - 1.7 * uy, neck.1 + 1.7 * ux), (neck.0 + 1.7 * uy, neck.1 - 1.7 * ux)].map(p);
    let class = if arc { "ar tp" } else { "ar" };
    format!(
        r#"<path class="{class}" d="M{}Q{} {}"/><path class="ah" d="M{}L{}L{}z"/>"#,
        p(from),
        p(bend),
        p(neck),
        corners[0],
        corners[1],
        corners[2]
    )
}

/// Pixels of the graph.
const GRAPH: (f64, f64) = (356.0, 96.0);

/// White's expected score over the game, the plies that are shown shaded, a mark for each board.
pub fn graph(example: &ExampleGame, game: &Game) -> Drawing {
    let (left, right, top, bottom) = (30.0, GRAPH.0 - 4.0, 8.0, GRAPH.1 - 22.0);
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

/// What the chosen move did: White's expected score before and after it.
pub fn swing(example: &ExampleGame) -> String {
    let value = |ply: usize| example.values.get(ply).map(|value| format::value(*value, Unit::Share));
    match (value(example.ply), value(example.ply + 1)) {
        (Some(before), Some(after)) => format!("White's expected score goes from {before} to {after}."),
        (Some(before), None) => {
            format!("White's expected score before it is {before}, and it ends the game.")
        }
        _ => String::new(),
    }
}
