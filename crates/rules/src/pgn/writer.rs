//! PGN writer.

use super::PgnResult;
use crate::{Color, Game, Position, Variant};
use std::io::{self, Write};

/// Tags that the PGN standard requires, in its order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// Tags that the writer derives from the game. The caller's tags with these names are ignored.
const OURS: [&str; 3] = ["Variant", "SetUp", "FEN"];
/// Maximum width of a line of moves, in bytes. A longer word has a line of its own. A word that
/// begins with `[` never begins a line.
const WIDTH: usize = 79;

/// Writes a game as PGN, with comments after the moves that have one.
///
/// The seven tags that the PGN standard requires come first, with `?` for missing values. The
/// remaining tags of `tags` follow in their order. Then come `Variant`, `SetUp` and `FEN` if the
/// game needs them, and the moves. Tags of `tags` named `Result`, `Variant`, `SetUp` or `FEN` are
/// ignored.
///
/// `comments` has one entry per move, from the first. An empty or missing entry writes no comment.
/// Braces in comments become `|`.
///
/// ```
/// use catapult_rules::{Chess, Game, PgnResult, Position, Standard, Variant, write_pgn};
///
/// let mut game = Game::new(Chess::start(Standard));
/// let mv = game.position().parse_san("e4").unwrap();
/// game.push(mv);
/// let (mut file, tags) = (Vec::new(), [("White".to_owned(), "Ada".to_owned())]);
/// write_pgn(&mut file, Variant::Chess, &tags, &game, &[], PgnResult::of(&game))?;
/// let text = String::from_utf8(file).unwrap();
/// assert!(text.contains("[White \"Ada\"]") && text.contains("\n1. e4 *\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// * Writing to `out` fails.
/// * A tag's name is empty or has characters that are not ASCII letters, digits or `_`
///   ([`io::ErrorKind::InvalidInput`]).
pub fn write_pgn<P: Position>(
    out: &mut impl Write,
    variant: Variant,
    tags: &[(String, String)],
    game: &Game<P>,
    comments: &[String],
    result: PgnResult,
) -> io::Result<()> {
    let given = |name: &str| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    for name in ROSTER {
        match name {
            "Result" => write_tag(out, name, &result.to_string())?,
            "Date" => write_tag(out, name, given(name).unwrap_or("????.??.??"))?,
            _ => write_tag(out, name, given(name).unwrap_or("?"))?,
        }
    }
    for (name, value) in tags {
        if !ROSTER.contains(&name.as_str()) && !OURS.contains(&name.as_str()) {
            write_tag(out, name, value)?;
        }
    }
    if variant != Variant::Chess {
        write_tag(out, "Variant", &variant.to_string())?;
    }
    let start = game.start();
    let fen = start.to_string();
    if fen != P::start(start.rules()).to_string() {
        write_tag(out, "SetUp", "1")?;
        write_tag(out, "FEN", &fen)?;
    }
    writeln!(out)?;
    write_moves(out, game, comments, result)?;
    writeln!(out, "\n")
}

/// Returns true if PGN allows `name` as the name of a tag: ASCII letters, digits and `_`.
pub fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Writes a tag with escaped `"` and `\`. Control characters in the value become spaces, because
/// readers do not expect them.
fn write_tag(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    if !is_tag_name(name) {
        let reason = format!("`{name}` is not the name of a tag");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(out, "[{name} \"{}\"]", value.replace(char::is_control, " "))
}

fn write_moves<P: Position>(
    out: &mut impl Write,
    game: &Game<P>,
    comments: &[String],
    result: PgnResult,
) -> io::Result<()> {
    let mut column = 0;
    let mut word = |text: &str| {
        let before = match column {
            0 => "",
            // A reader takes a line that begins with `[` for a tag, even in a comment.
            _ if column + 1 + text.len() > WIDTH && !text.starts_with('[') => "\n",
            _ => " ",
        };
        column = if before == "\n" { 0 } else { column + before.len() } + text.len();
        write!(out, "{before}{text}")
    };
    let mut position = *game.start();
    // A black move has a number unless a move stands directly before it.
    let mut is_number_due = true;
    for (ply, mv) in game.moves().iter().enumerate() {
        if position.side_to_move() == Color::White {
            word(&format!("{}.", position.fullmove_number()))?;
        } else if is_number_due {
            word(&format!("{}...", position.fullmove_number()))?;
        }
        word(&position.san(*mv))?;
        position.play(*mv);
        // A brace would end the comment.
        let comment = comments.get(ply).map_or(String::new(), |comment| comment.replace(['{', '}'], "|"));
        let words: Vec<&str> = comment.split_whitespace().collect();
        is_number_due = !words.is_empty();
        for (number, text) in words.iter().enumerate() {
            let open = if number == 0 { "{" } else { "" };
            let close = if number + 1 == words.len() { "}" } else { "" };
            word(&format!("{open}{text}{close}"))?;
        }
    }
    word(&result.to_string())
}
