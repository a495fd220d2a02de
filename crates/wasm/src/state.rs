//! The state of a game as JSON, from which the page draws the board.

use crate::Answer;
use crate::game::{play, start};
use catapult_rules::{
    AnyGame, Color, Move, MoveParts, PartsKind, PieceType, Role, Shown, Variant, move_parts,
};
use serde::Serialize;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

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
    parts: MoveParts,
    san: String,
    /// True if the move captures an enemy piece. The next field, `catapults`, is true if it
    /// removes enemy catapults.
    captures: bool,
    catapults: bool,
}

/// The last move of the game and its captures.
#[derive(Serialize)]
struct Last {
    #[serde(flatten)]
    parts: MoveParts,
    san: String,
    side: &'static str,
    /// Names of the pieces and catapults that the opponent lost by the move.
    taken: Vec<&'static str>,
}

#[derive(Serialize)]
struct Outcome {
    name: &'static str,
    winner: Option<&'static str>,
}

#[derive(Serialize)]
struct State {
    variant: String,
    fen: String,
    files: usize,
    ranks: usize,
    /// Side that makes the next decision.
    side: &'static str,
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

/// Serializes a value to JSON. All maps here have keys that JSON allows, so serialization cannot
/// fail.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns a JSON list of all games: name, description, board size, start position, pieces and
/// proposals.
#[wasm_bindgen]
pub fn games() -> String {
    let about = |variant: Variant| {
        let game = variant.start();
        About {
            name: variant.to_string(),
            about: game.about(),
            files: game.files(),
            ranks: game.ranks(),
            start: game.fen(),
            pieces: game.pieces().iter().map(|piece| (piece.letter, piece.name)).collect(),
            options: variant.proposals().iter().map(|option| (option.name, option.about)).collect(),
        }
    };
    json(&Variant::games().map(about).collect::<Vec<_>>())
}

/// Returns a position as JSON, in the format of the rules' test vectors. The JSON has the FEN,
/// check, outcome and perft(2) of the position, and the FEN after every legal move.
#[wasm_bindgen]
pub fn after(variant: &str, fen: &str) -> Answer {
    let game = start(variant, fen)?;
    let after = |mv: Move| (game.move_text(mv), game.after(mv).fen());
    Ok(json(&After {
        fen: game.fen(),
        check: game.in_check(),
        outcome: game.outcome().map(|outcome| outcome.name()),
        after: game.legal_moves().into_iter().map(after).collect(),
        perft2: game.perft(2),
    }))
}

/// Returns the position after `moves` as JSON. The JSON has the board, the legal moves in parts,
/// the captures of the last move, the outcome and the notation of all moves.
#[wasm_bindgen]
pub fn state(variant: &str, start: &str, moves: &str) -> Answer {
    let game = play(variant, start, moves)?;
    let mut board = BTreeMap::new();
    for square in 0..game.files() * game.ranks() {
        let shown = game.shown(square);
        if shown != Shown::default() {
            board.insert(square, square_of(game.pieces(), &shown));
        }
    }
    let mut history = Vec::new();
    let mut last = None;
    let mut at = game.rewound();
    for (ply, &mv) in game.moves().iter().enumerate() {
        history.push((at.move_text(mv), at.san(mv), at.side_to_move().name(), at.fullmove_number()));
        if ply + 1 == game.moves().len() {
            last = Some(last_of(&*at, mv));
        }
        at.push(mv);
    }
    let [white, black] = [Color::White, Color::Black].map(|color| game.count_pieces(color));
    let pieces = game.pieces().iter().zip(white.into_iter().zip(black));
    Ok(json(&State {
        variant: game.variant().to_string(),
        fen: game.fen(),
        files: game.files(),
        ranks: game.ranks(),
        side: game.side_to_move().name(),
        check: game.in_check(),
        outcome: game.outcome().map(|outcome| Outcome {
            name: outcome.name(),
            winner: outcome.winner(game.side_to_move()).map(Color::name),
        }),
        board,
        moves: game.legal_moves().into_iter().map(|mv| legal(&*game, mv)).collect(),
        last,
        history,
        pieces: pieces.map(|(piece, (white, black))| (piece.letter, piece.name, white, black)).collect(),
    }))
}

fn square_of(kinds: &[PieceType], shown: &Shown) -> Square {
    let has_catapults = kinds.iter().any(|piece| piece.role == Role::Marker);
    let frame = shown.frame.map(|(color, [sign, _])| Frame {
        side: color.name(),
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
fn parts_in(game: &dyn AnyGame, mv: Move) -> MoveParts {
    let files = game.files();
    let mut parts = move_parts(&game.move_text(mv), files);
    let Some(from) = parts.from else { return parts };
    let shown = game.shown(from);
    if parts.piece.is_none() {
        parts.piece = shown.pieces.chars().next_back().map(|piece| piece.to_ascii_uppercase());
    }
    let king = game.pieces().iter().find(|piece| piece.role == Role::King);
    let is_king = king.map(|king| king.letter) == parts.piece;
    if parts.kind == PartsKind::Move {
        let far = parts.to.is_some_and(|to| (to % files).abs_diff(from % files) > 1);
        if shown.pieces.is_empty() {
            parts.kind = PartsKind::Catapult;
        } else if is_king && far {
            parts.kind = PartsKind::Castle;
        }
    }
    parts
}

/// Returns the kinds of the pieces and catapults that the opponent loses by a move. A kind is listed
/// once per lost piece.
fn taken(game: &dyn AnyGame, mv: Move) -> Vec<&'static PieceType> {
    let opponent = !game.side_to_move();
    let (before, after) = (game.count_pieces(opponent), game.after(mv).count_pieces(opponent));
    let lost = |(before, after): (u8, u8)| usize::from(before.saturating_sub(after));
    let kinds = game.pieces().iter().zip(before.into_iter().zip(after));
    kinds.flat_map(|(piece, pair)| std::iter::repeat_n(piece, lost(pair))).collect()
}

fn legal(game: &dyn AnyGame, mv: Move) -> Legal {
    let taken = taken(game, mv);
    Legal {
        parts: parts_in(game, mv),
        san: game.san(mv),
        captures: taken.iter().any(|piece| piece.role != Role::Marker),
        catapults: taken.iter().any(|piece| piece.role == Role::Marker),
    }
}

fn last_of(before: &dyn AnyGame, mv: Move) -> Last {
    Last {
        parts: parts_in(before, mv),
        san: before.san(mv),
        side: before.side_to_move().name(),
        taken: taken(before, mv).into_iter().map(|piece| piece.name).collect(),
    }
}
