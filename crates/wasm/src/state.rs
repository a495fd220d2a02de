//! The state of a game as JSON, from which the page draws the board.

use crate::Answer;
use crate::game::{play, start, variant};
use crate::notation::{Kind, Parts, parts};
use catapult_rules::{Color, Drawn, Game, Move, PieceType, Position, Role, Shown, Variant, with_variant};
use serde::Serialize;
use std::collections::BTreeMap;

/// Catapult or portal below the pieces of a square.
#[derive(Serialize)]
struct Frame {
    side: &'static str,
    /// `fresh` for a catapult that can still make its first move, `moved` for another catapult,
    /// `portal` for a portal.
    what: &'static str,
}

/// A square that is not empty.
#[derive(Serialize)]
struct Square {
    /// FEN letters of the pieces on the square. In games with two pieces on a square, the earlier
    /// occupant comes first.
    #[serde(skip_serializing_if = "String::is_empty")]
    pieces: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<Frame>,
}

/// A legal move with its notation and captures.
#[derive(Serialize)]
struct Legal {
    #[serde(flatten)]
    parts: Parts,
    san: String,
    /// True if the move captures an enemy piece. The next field, `catapults`, is true if it
    /// captures enemy catapults.
    captures: bool,
    catapults: bool,
}

/// The last move of the game and its effects.
#[derive(Serialize)]
struct Last {
    #[serde(flatten)]
    parts: Parts,
    san: String,
    side: &'static str,
    /// Names of the pieces and catapults that the opponent lost by the move.
    taken: Vec<&'static str>,
    /// Names of the pieces that the moving side gained, such as by promotion. Placed pieces are not
    /// listed.
    becomes: Vec<&'static str>,
}

#[derive(Serialize)]
struct Outcome {
    name: &'static str,
    winner: Option<&'static str>,
}

#[derive(Serialize)]
struct State {
    variant: String,
    start: String,
    fen: String,
    files: usize,
    ranks: usize,
    /// Side that makes the next decision. The next field, `turn_start`, is true if a turn starts
    /// with the decision.
    side: &'static str,
    turn_start: bool,
    check: bool,
    outcome: Option<Outcome>,
    /// The squares of the board that are not empty, by index.
    board: BTreeMap<usize, Square>,
    moves: Vec<Legal>,
    last: Option<Last>,
    /// Moves of the game so far: move text, algebraic notation, side and full-move number.
    history: Vec<(String, String, &'static str, u32)>,
    /// Piece kinds: letter, name, number of White's pieces and number of Black's pieces.
    pieces: Vec<(char, &'static str, u8, u8)>,
}

#[derive(Serialize)]
struct About {
    name: String,
    about: &'static str,
    files: usize,
    ranks: usize,
    start: String,
    pieces: Vec<(char, &'static str)>,
    options: Vec<(&'static str, &'static str)>,
}

/// State of a position, in the format of the rules' test vectors. `after` has the FEN after each
/// move text.
#[derive(Serialize)]
struct After {
    fen: String,
    check: bool,
    outcome: Option<&'static str>,
    after: BTreeMap<String, String>,
    perft2: u64,
}

pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Serializes a value to JSON. All maps here have keys that JSON allows, so serialization cannot
/// fail.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

pub(crate) fn games() -> String {
    let about = |game: Variant| {
        with_variant!(game, |P, rules| About {
            name: game.to_string(),
            about: P::about(rules),
            files: P::FILES,
            ranks: P::RANKS,
            start: P::start(rules).to_string(),
            pieces: P::PIECES.iter().map(|piece| (piece.letter, piece.name)).collect(),
            options: game.options().iter().map(|option| (option.name, option.about)).collect(),
        })
    };
    json(&Variant::games().map(about).collect::<Vec<_>>())
}

pub(crate) fn state(name: &str, fen: &str, moves: &str) -> Answer {
    let variant = variant(name)?;
    with_variant!(variant, |P, rules| Ok(json(&state_of(variant, &play::<P>(fen, moves, rules)?))))
}

pub(crate) fn after(name: &str, fen: &str) -> Answer {
    with_variant!(variant(name)?, |P, rules| {
        let position = start::<P>(fen, rules)?;
        let after = |mv: Move| (position.move_text(mv), played(&position, mv).to_string());
        Ok(json(&After {
            fen: position.to_string(),
            check: position.in_check(),
            outcome: position.outcome().map(|outcome| outcome.name()),
            after: position.legal_moves().into_iter().map(after).collect(),
            perft2: catapult_rules::perft(&position, 2),
        }))
    })
}

fn played<P: Position>(position: &P, mv: Move) -> P {
    let mut after = *position;
    after.play(mv);
    after
}

fn state_of<P: Drawn>(variant: Variant, game: &Game<P>) -> State {
    let position = game.position();
    let mut board = BTreeMap::new();
    for square in 0..P::FILES * P::RANKS {
        let shown = position.shown(square % P::FILES, square / P::FILES);
        if shown != Shown::default() {
            board.insert(square, square_of::<P>(&shown));
        }
    }
    let mut history = Vec::new();
    let mut last = None;
    let mut at = *game.start();
    for &mv in game.moves() {
        let after = played(&at, mv);
        let (text, san) = (at.move_text(mv), at.san(mv));
        if history.len() + 1 == game.ply() {
            last = Some(last_of(&at, &after, mv));
        }
        history.push((text, san, side(at.side_to_move()), at.fullmove_number()));
        at = after;
    }
    let [white, black] = [Color::White, Color::Black].map(|color| position.count_pieces(color));
    let pieces = P::PIECES.iter().zip(white.into_iter().zip(black));
    State {
        variant: variant.to_string(),
        start: game.start().to_string(),
        fen: position.to_string(),
        files: P::FILES,
        ranks: P::RANKS,
        side: side(position.side_to_move()),
        turn_start: position.is_turn_start(),
        check: position.in_check(),
        outcome: game.outcome().map(|outcome| Outcome {
            name: outcome.name(),
            winner: outcome.winner(position.side_to_move()).map(side),
        }),
        board,
        moves: position.legal_moves().into_iter().map(|mv| legal(position, mv)).collect(),
        last,
        history,
        pieces: pieces.map(|(piece, (white, black))| (piece.letter, piece.name, white, black)).collect(),
    }
}

fn square_of<P: Position>(shown: &Shown) -> Square {
    let has_catapults = P::PIECES.iter().any(|piece| piece.role == Role::Marker);
    let frame = shown.frame.map(|(color, [sign, _])| Frame {
        side: side(color),
        // The signs are those of terminal boards.
        what: match sign {
            _ if !has_catapults => "portal",
            '{' | '<' => "fresh",
            _ => "moved",
        },
    });
    Square { pieces: shown.pieces.to_string(), frame }
}

/// Parses the text of a move. Adds the parts that only the position shows: the moving piece,
/// castling and catapult moves.
fn parts_in<P: Drawn>(position: &P, mv: Move) -> Parts {
    let mut parts = parts(&position.move_text(mv), P::FILES);
    let Some(from) = parts.from else { return parts };
    let shown = position.shown(from % P::FILES, from / P::FILES);
    if parts.piece.is_none() {
        parts.piece = shown.pieces.chars().next_back().map(|piece| piece.to_ascii_uppercase());
    }
    let of_role = |role| P::PIECES.iter().find(|piece| piece.role == role);
    let is_king = of_role(Role::King).map(|king| king.letter) == parts.piece;
    if parts.kind == Kind::Move {
        let far = parts.to.is_some_and(|to| (to % P::FILES).abs_diff(from % P::FILES) > 1);
        if shown.pieces.is_empty() {
            parts.kind = Kind::Catapult;
        } else if is_king && far {
            parts.kind = Kind::Castle;
        }
    }
    parts
}

/// Returns the piece kinds of which a side has fewer pieces in `after` than in `before`. A kind is
/// listed once per lost piece.
fn fewer<P: Position>(before: &P, after: &P, color: Color) -> Vec<&'static PieceType> {
    let pairs = before.count_pieces(color).into_iter().zip(after.count_pieces(color));
    let lost = |(before, after): (u8, u8)| usize::from(before.saturating_sub(after));
    let kinds = P::PIECES.iter().zip(pairs);
    kinds.flat_map(|(piece, pair)| std::iter::repeat_n(piece, lost(pair))).collect()
}

fn legal<P: Drawn>(position: &P, mv: Move) -> Legal {
    let after = played(position, mv);
    let taken = fewer(position, &after, !position.side_to_move());
    Legal {
        parts: parts_in(position, mv),
        san: position.san(mv),
        captures: taken.iter().any(|piece| piece.role != Role::Marker),
        catapults: taken.iter().any(|piece| piece.role == Role::Marker),
    }
}

fn last_of<P: Drawn>(before: &P, after: &P, mv: Move) -> Last {
    let mover = before.side_to_move();
    let parts = parts_in(before, mv);
    let names = |kinds: Vec<&'static PieceType>| kinds.into_iter().map(|piece| piece.name).collect();
    Last {
        san: before.san(mv),
        side: side(mover),
        taken: names(fewer(before, after, !mover)),
        becomes: if parts.kind == Kind::Drop { Vec::new() } else { names(fewer(after, before, mover)) },
        parts,
    }
}
