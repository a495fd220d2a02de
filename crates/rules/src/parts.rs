//! Parser of move texts. Front ends show the parts of a move, or let a player enter it click by
//! click.
//!
//! The move texts of all games consist of these parts, in this order:
//!
//! 1. optionally a piece's capital letter;
//! 2. the origin, the middle square of an instant teleport, the destination;
//! 3. optionally squares captured on the way (`x`) and the square to which a second piece is pushed
//!    (`>`);
//! 4. letters: a promotion, `t` for a teleport, `o` for castling that looks like a step, `j` for a
//!    declared Jester.
//!
//! The text of a placement has `@` before its square.

use serde::Serialize;

/// Kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PartsKind {
    /// An ordinary move.
    #[default]
    Move,
    /// A move of an empty catapult. [`move_parts`] returns [`PartsKind::Move`] instead, because the
    /// texts look alike.
    Catapult,
    /// A teleport from one catapult to another.
    Teleport,
    /// An ordinary move followed by a teleport.
    Instant,
    /// Castling. [`move_parts`] returns it only for texts that end in `o`.
    Castle,
    /// A pawn becomes a Jester as it moves.
    Declare,
    /// A placement of a catapult or a portal on the board.
    Drop,
    /// The end of a turn of several decisions.
    Done,
}

/// The parts of a move. A square is its index `rank * files + file`, with ranks and files from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct MoveParts {
    /// Text of the whole move.
    pub text: String,
    /// Kind of the move.
    pub kind: PartsKind,
    /// Capital letter of the moving piece, or `c` for a placed catapult. The parser sets it only if
    /// the move text contains the letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<char>,
    /// Origin of the piece or catapult.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// Destination.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
    /// Square of the middle catapult, if an ordinary move is followed by a teleport.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<usize>,
    /// Squares on which the piece captures on its way, as the move text lists them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<usize>,
    /// Square to which a second piece is pushed, in games with two pieces on a square.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push: Option<usize>,
    /// Capital letter of the promotion piece, or `C` for a catapult.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<char>,
}

/// Parses a move text for a board with `files` files.
///
/// ```
/// let parts = catapult_rules::move_parts("g2c8qt", 8);
/// assert_eq!((parts.from, parts.to, parts.promotion), (Some(14), Some(58), Some('Q')));
/// ```
pub fn move_parts(text: &str, files: usize) -> MoveParts {
    let mut parts = MoveParts { text: text.to_owned(), ..MoveParts::default() };
    if text == "done" {
        parts.kind = PartsKind::Done;
        return parts;
    }
    let mut rest = text;
    if let Some((piece, square)) = text.split_once('@') {
        parts.kind = PartsKind::Drop;
        parts.piece = piece.chars().next();
        parts.to = take_square(square, files).map(|(square, _)| square);
        return parts;
    }
    if let Some(piece) = text.chars().next().filter(char::is_ascii_uppercase) {
        parts.piece = Some(piece);
        rest = &rest[1..];
    }
    let mut squares = Vec::new();
    while let Some((square, after)) = take_square(rest, files) {
        squares.push(square);
        rest = after;
    }
    while let Some((square, after)) = rest.strip_prefix('x').and_then(|rest| take_square(rest, files)) {
        parts.takes.push(square);
        rest = after;
    }
    if let Some((square, after)) = rest.strip_prefix('>').and_then(|rest| take_square(rest, files)) {
        parts.push = Some(square);
        rest = after;
    }
    for letter in rest.chars() {
        match letter {
            't' => parts.kind = PartsKind::Teleport,
            'o' => parts.kind = PartsKind::Castle,
            'j' => parts.kind = PartsKind::Declare,
            _ => parts.promotion = Some(letter.to_ascii_uppercase()),
        }
    }
    parts.from = squares.first().copied();
    parts.to = squares.last().copied();
    if let [_, via, _] = squares[..] {
        parts.via = Some(via);
        parts.kind = PartsKind::Instant;
    }
    parts
}

/// Parses a square at the start of a text. Returns its index and the rest of the text. Returns
/// `None` if the text does not start with a square.
fn take_square(text: &str, files: usize) -> Option<(usize, &str)> {
    let file = text.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let rank: usize = text[1..1 + digits].parse().ok()?;
    Some((rank.checked_sub(1)? * files + usize::from(file), &text[1 + digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(square: &str, files: usize) -> Option<usize> {
        take_square(square, files).map(|(square, _)| square)
    }

    #[test]
    fn texts_of_all_games() {
        let check = |text: &str, files: usize, kind: PartsKind, squares: [&str; 3]| {
            let parts = move_parts(text, files);
            let found = (parts.kind, parts.from, parts.via, parts.to);
            let [from, via, to] = squares.map(|square| at(square, files));
            assert_eq!(found, (kind, from, via, to), "{text}");
            parts
        };
        check("e2e4", 8, PartsKind::Move, ["e2", "", "e4"]);
        assert_eq!(check("e7e8q", 8, PartsKind::Move, ["e7", "", "e8"]).promotion, Some('Q'));
        check("b1f1t", 8, PartsKind::Teleport, ["b1", "", "f1"]);
        assert_eq!(check("g2c8qt", 8, PartsKind::Teleport, ["g2", "", "c8"]).promotion, Some('Q'));
        check("a1b1f1", 8, PartsKind::Instant, ["a1", "b1", "f1"]);
        assert_eq!(check("d6e7c8q", 8, PartsKind::Instant, ["d6", "e7", "c8"]).promotion, Some('Q'));
        assert_eq!(check("c@b1", 8, PartsKind::Drop, ["", "", "b1"]).piece, Some('c'));
        check("e2f3j", 10, PartsKind::Declare, ["e2", "", "f3"]);
        check("g1i1o", 12, PartsKind::Castle, ["g1", "", "i1"]);
        let star = check("e10e12xe11s", 12, PartsKind::Move, ["e10", "", "e12"]);
        assert_eq!((star.takes, star.promotion), (vec![at("e11", 12).unwrap()], Some('S')));
        assert_eq!(check("d1d4xd2xd3", 12, PartsKind::Move, ["d1", "", "d4"]).takes.len(), 2);
        assert_eq!(check("Ne2g2", 8, PartsKind::Move, ["e2", "", "g2"]).piece, Some('N'));
        assert_eq!(check("e2e5>d5", 8, PartsKind::Move, ["e2", "", "e5"]).push, at("d5", 8));
        check("@c3", 8, PartsKind::Drop, ["", "", "c3"]);
        check("done", 8, PartsKind::Done, ["", "", ""]);
    }
}
