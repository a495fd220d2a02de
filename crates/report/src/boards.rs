//! Positions of any game as SVG boards. A page defines pieces, frames and empty boards once. Each
//! board refers to these definitions.

use catapult_figures::svg::{escape, px};
use catapult_rules::{AnyGame, Color, Shown};
use std::collections::BTreeSet;

/// Length of a board's longer side in pixels, without the margin.
const BOARD: f64 = 312.0;

/// Letters of chess pieces with their symbols. A variation selector follows each symbol, so that
/// browsers do not show coloured emoji.
const FIGURES: [(char, &str); 6] = [
    ('k', "\u{265a}\u{fe0e}"),
    ('q', "\u{265b}\u{fe0e}"),
    ('r', "\u{265c}\u{fe0e}"),
    ('b', "\u{265d}\u{fe0e}"),
    ('n', "\u{265e}\u{fe0e}"),
    ('p', "\u{265f}\u{fe0e}"),
];

/// Returns the shared definitions of a page as an SVG element: pieces, frames around catapults and
/// portals, and empty boards of these sizes (files, ranks). A square is 10 units wide.
pub(super) fn symbols(sizes: &BTreeSet<(usize, usize)>) -> String {
    let mut text =
        String::from("<svg width=\"0\" height=\"0\" class=\"symbols\" aria-hidden=\"true\"><defs>");
    for letter in 'a'..='z' {
        for side in [Color::White, Color::Black] {
            let id = side.cased(letter);
            let class = if side == Color::White { "wp" } else { "bp" };
            text += &match FIGURES.iter().find(|(known, _)| *known == letter) {
                Some((_, figure)) => {
                    format!(r#"<text id="p{id}" class="pc {class}" x="5" y="8.2">{figure}</text>"#)
                }
                None => {
                    let letter = letter.to_ascii_uppercase();
                    let ink = if side == Color::White { "bl" } else { "wl" };
                    format!(
                        r#"<g id="p{id}"><circle class="{class}" cx="5" cy="5" r="3.9"/><text class="lt {ink}" x="5" y="7.1">{letter}</text></g>"#
                    )
                }
            };
        }
    }
    for (id, class, round) in [("fW", "fw", 0.0), ("fB", "fb", 3.5)] {
        for (suffix, fresh) in [("", ""), ("d", " fresh")] {
            text += &format!(
                r#"<rect id="{id}{suffix}" class="fr {class}{fresh}" x=".7" y=".7" width="8.6" height="8.6" rx="{round}"/>"#
            );
        }
    }
    for (files, ranks) in sizes {
        text += &empty_board(*files, *ranks);
    }
    text + "</defs></svg>"
}

/// Returns the definition of an empty board: squares and labels of files and ranks.
fn empty_board(files: usize, ranks: usize) -> String {
    let dark = squares(files, ranks).filter(|(file, rank)| (file + rank).is_multiple_of(2));
    let mut text = format!(
        r#"<g id="b{files}x{ranks}"><rect class="lq" x="{MARGIN}" width="{}" height="{}"/><path class="dq" d="{}"/>"#,
        10 * files,
        10 * ranks,
        path(dark, ranks)
    );
    // Labels in the margin are 12 pixels high.
    let size = px(12.0 * 10.0 * files.max(ranks) as f64 / BOARD);
    let mut label = |x: f64, y: f64, label: String| {
        text += &format!(
            r#"<text class="co" style="font-size:{size}px" x="{}" y="{}">{label}</text>"#,
            px(x),
            px(y)
        );
    };
    for rank in 0..ranks {
        label(MARGIN / 2.0, corner((0, rank), ranks).1 + 6.2, (rank + 1).to_string());
    }
    for file in 0..files {
        let letter = char::from(b'a' + (file % 26) as u8);
        label(corner((file, 0), ranks).0 + 5.0, 10.0 * ranks as f64 + MARGIN - 0.9, letter.to_string());
    }
    text + "</g>"
}

/// File and rank of a square, both from 0.
type Place = (usize, usize);

fn shown(position: &dyn AnyGame, (file, rank): Place) -> Shown {
    position.shown(rank * position.files() + file)
}

fn squares(files: usize, ranks: usize) -> impl Iterator<Item = Place> {
    (0..ranks).flat_map(move |rank| (0..files).map(move |file| (file, rank)))
}

/// Returns the upper left corner of a square in SVG units. `ranks` is the number of ranks of the
/// board.
fn corner((file, rank): Place, ranks: usize) -> (f64, f64) {
    (MARGIN + 10.0 * file as f64, 10.0 * (ranks - 1 - rank) as f64)
}

/// Returns one SVG path that draws all these squares.
fn path(squares: impl Iterator<Item = Place>, ranks: usize) -> String {
    let one = |place: Place| {
        let (x, y) = corner(place, ranks);
        format!("M{} {}h10v10h-10z", px(x), px(y))
    };
    squares.map(one).collect()
}

/// Width of the margin with the labels, in SVG units. A square is 10 units wide.
const MARGIN: f64 = 5.0;

/// Returns a position as an SVG element with the accessible name `name`.
///
/// `before` is the position before the last move, with a flag. The squares that this move changed
/// are marked, and an arrow shows the move. The arrow is an arc if the flag is true. `None` marks
/// nothing.
pub(super) fn board(position: &dyn AnyGame, before: Option<(&dyn AnyGame, bool)>, name: &str) -> String {
    let (files, ranks) = (position.files(), position.ranks());
    let (wide, high) = (10.0 * files as f64 + MARGIN, 10.0 * ranks as f64 + MARGIN);
    let pixel = BOARD / (10.0 * files.max(ranks) as f64);
    let (width, height) = (px(wide * pixel), px(high * pixel));
    let mut text = format!(
        r#"<svg viewBox="0 0 {} {}" width="{width}" height="{height}" role="img" aria-label="{}">"#,
        px(wide),
        px(high),
        escape(name)
    );
    text += &format!(r##"<use href="#b{files}x{ranks}"/>"##);
    if let Some((before, _)) = before {
        let changed = squares(files, ranks).filter(|place| shown(position, *place) != shown(before, *place));
        text += &format!(r#"<path class="ch" d="{}"/>"#, path(changed, ranks));
    }
    for (file, rank) in squares(files, ranks) {
        let Shown { pieces, frame } = shown(position, (file, rank));
        let (x, y) = corner((file, rank), ranks);
        let (x, y) = (px(x), px(y));
        if let Some((side, [sign, _])) = frame {
            let side = if side == Color::White { 'W' } else { 'B' };
            let fresh = if matches!(sign, '{' | '<') { "d" } else { "" };
            text += &format!(r##"<use href="#f{side}{fresh}" x="{x}" y="{y}"/>"##);
        }
        let letters: Vec<char> = pieces.chars().filter(char::is_ascii_alphabetic).collect();
        match letters.as_slice() {
            [] => {}
            [letter] => text += &format!(r##"<use href="#p{letter}" x="{x}" y="{y}"/>"##),
            several => {
                for (i, letter) in several.iter().enumerate() {
                    let shift = 3.8 * i as f64;
                    text += &format!(
                        r##"<use href="#p{letter}" transform="translate({x} {y}) translate({shift} {shift}) scale(.62)"/>"##
                    );
                }
            }
        }
    }
    if let Some((before, arc)) = before
        && let Some((from, to)) = moved(before, position)
    {
        let middle = |place: Place| {
            let (x, y) = corner(place, ranks);
            (x + 5.0, y + 5.0)
        };
        text += &arrow(middle(from), middle(to), arc);
    }
    text + "</svg>"
}

/// Returns the square that a piece of the mover left and the square that it reached. For castling,
/// these are the king's squares. Returns `None` if the move changed the mover's pieces in any other
/// way.
fn moved(before: &dyn AnyGame, after: &dyn AnyGame) -> Option<(Place, Place)> {
    let side = before.side_to_move();
    let of_side = |position: &dyn AnyGame, place: Place| -> Vec<char> {
        let shown = shown(position, place);
        shown.pieces.chars().filter(|letter| Color::of_case(*letter) == side).collect()
    };
    let (mut lost, mut got) = (Vec::new(), Vec::new());
    for place in squares(before.files(), before.ranks()) {
        let (old, new) = (of_side(before, place), of_side(after, place));
        match old.len().cmp(&new.len()) {
            std::cmp::Ordering::Greater => lost.push((place, old)),
            std::cmp::Ordering::Less => got.push((place, new)),
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

/// Returns an SVG arrow. It ends short of the centre of the target square, so that the piece there
/// remains visible.
fn arrow(from: (f64, f64), to: (f64, f64), arc: bool) -> String {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 1.0 {
        return String::new();
    }
    // Control point of the curve. An arc bends aside by 0.28 of its length.
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
