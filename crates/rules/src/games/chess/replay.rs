//! Replays games of standard chess under the rules of Chess++ and reports the first move that these
//! rules forbid.
//!
//! Chess++ adds moves to chess and forbids few. A game of chess is also legal in Chess++ unless a
//! possible teleport matters. A teleport can give check, guard a square from the king, prevent
//! castling (rules 10 to 12), or turn a check into mate. The replay plays only the moves of the
//! game and does not search for better moves.

use super::kinds::{ChessMove, ChessMoveKind};
use super::rules::{ChessRules, Standard};
use super::{Chess, ChessPosition};
use crate::{Color, Game, Move, Outcome, PgnGame, Position, ReplayError, Square, Squares, Variant};
use serde::Serialize;

named! {
    /// Reason why a game of standard chess cannot be replayed to its end under the rules of
    /// Chess++.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum BreakReason {
        /// The side to move is in check by a teleport, and the move does not answer the check.
        CheckByTeleport = "check-by-teleport",
        /// The king moves to a square to which an enemy could teleport.
        KingIntoTeleport = "king-into-teleport",
        /// The move lets an enemy capture the mover's king by teleport. This occurs only with
        /// proposals (optional rules of Chess++).
        KingExposed = "king-exposed",
        /// A catapult of the opponent is in the way (rule 26).
        Blocked = "blocked",
        /// A teleport prevents castling (rule 12).
        CastlingBarred = "castling-barred",
        /// The game is already over under the rules of Chess++, but not in chess.
        EndedEarlier = "ended-earlier",
        /// The rules of Chess++ reject the game's start position.
        StartRefused = "start-refused",
    }
}

/// The first move of a game of standard chess that is illegal under the rules of Chess++.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Break {
    /// Number of moves of the game before this move.
    pub ply: usize,
    /// The move with its number as in PGN (`23. Kf8`, `23... Kf1`). Empty if the start position is
    /// rejected.
    pub san: String,
    /// Reason why the move is illegal.
    pub reason: BreakReason,
    /// Details of the reason as text: squares, an outcome, or the error of the start position.
    pub detail: String,
    /// FEN of the position before the move, with the catapults. If the start position is rejected,
    /// this is the rejected FEN.
    pub fen: String,
}

/// Result of replaying a game of standard chess under the rules of Chess++.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChessReplay {
    /// Length of the game in plies.
    pub plies: usize,
    /// Number of plies, from the start, that are legal under the rules of Chess++. The count ends
    /// at the first illegal ply.
    pub legal: usize,
    /// The first move that is illegal under the rules of Chess++, or `None` if all moves are legal.
    pub broken: Option<Break>,
    /// Outcome of the whole game by the rules of chess, or `None` if the game is not over.
    pub chess_outcome: Option<Outcome>,
    /// Outcome by the rules of Chess++ after the last legal move, or `None` if the game is not
    /// over.
    pub outcome: Option<Outcome>,
    /// Moves that capture the opponent's catapults (rule 13): number of plies before the move, and
    /// side that moved.
    pub catapults_captured: Vec<(usize, Color)>,
    /// Moves that give check only under the rules of Chess++, by a teleport: number of plies before
    /// each move.
    pub checks_by_teleport: Vec<usize>,
    /// Legal moves under the rules of Chess++ in the last position, if that position is checkmate
    /// or stalemate in chess. Otherwise the list is empty. Each move is in algebraic notation.
    pub escapes: Vec<String>,
}

impl ChessReplay {
    /// Returns true if all moves are legal and both rule sets give the same outcome.
    pub fn is_same(&self) -> bool {
        self.broken.is_none() && self.chess_outcome == self.outcome
    }
}

/// Replays a game of chess under the rules of `variant`. Returns `None` unless `variant` is chess
/// or Chess++.
///
/// The replay adds the catapults of the start position to the game's first position.
/// With `+free`, the catapults start on the squares that they have without `+free`. A seventh field
/// of the `FEN` tag may place other catapults.
///
/// # Errors
/// The game's `FEN` tag is invalid, or a move is illegal in chess.
pub fn replay_chess(game: &PgnGame, variant: Variant) -> Option<Result<ChessReplay, ReplayError>> {
    crate::with_chess_rules!(variant, |P, rules| replay(game, rules))
}

fn replay<R: ChessRules>(game: &PgnGame, rules: R) -> Result<ChessReplay, ReplayError> {
    let fields: Vec<&str> = game.tag("FEN").unwrap_or_default().split_whitespace().collect();
    let (fields, catapults) = fields.split_at(fields.len().min(6));
    let chess = if fields.is_empty() {
        Ok(Chess::start(Standard))
    } else {
        Chess::from_fen(&fields.join(" "), Standard)
    };
    let chess = chess.map_err(|error| ReplayError::Start { game: game.number, line: game.line, error })?;
    let played = game.replay_from(chess).map_err(|(_, error)| error)?;
    let mut replay = ChessReplay {
        plies: played.ply(),
        legal: 0,
        broken: None,
        chess_outcome: played.outcome(),
        outcome: None,
        catapults_captured: Vec::new(),
        checks_by_teleport: Vec::new(),
        escapes: Vec::new(),
    };
    let fen = match catapults {
        [] => {
            let start = ChessPosition::placed_start(rules).to_string();
            start.split(' ').skip(6).fold(chess.to_string(), |fen, field| fen + " " + field)
        }
        catapults => format!("{chess} {}", catapults.join(" ")),
    };
    match ChessPosition::from_fen(&fen, rules) {
        Ok(start) => follow(&played, Game::new(start), &mut replay),
        Err(error) => {
            let (reason, detail, san) = (BreakReason::StartRefused, error.to_string(), String::new());
            replay.broken = Some(Break { ply: 0, san, reason, detail, fen });
        }
    }
    Ok(replay)
}

/// Plays the moves of the game of chess `played` in `other`, which has other rules. Stops at the
/// first illegal move and writes the results to `replay`.
fn follow<R: ChessRules>(played: &Game<Chess>, mut other: Game<ChessPosition<R>>, replay: &mut ChessReplay) {
    let mut chess = Game::new(*played.start());
    for (ply, mv) in played.moves().iter().enumerate() {
        let (before, under) = (*chess.position(), *other.position());
        let same = match under.parse_move(&before.move_text(*mv)) {
            _ if chess.outcome().is_none() && other.outcome().is_some() => None,
            found => found.ok(),
        };
        let Some(same) = same else {
            let dots = if before.side_to_move() == Color::White { "." } else { "..." };
            let san = format!("{}{dots} {}", before.fullmove_number(), before.san(*mv));
            let (reason, detail) = match other.outcome() {
                Some(outcome) if chess.outcome().is_none() => {
                    (BreakReason::EndedEarlier, outcome.to_string())
                }
                _ => explain_illegal(&before, &under, *mv),
            };
            replay.broken = Some(Break { ply, san, reason, detail, fen: under.to_string() });
            break;
        };
        if under.captures_catapults(same) {
            replay.catapults_captured.push((ply, under.side_to_move()));
        }
        chess.push(*mv);
        other.push(same);
        if other.position().in_check() && !chess.position().in_check() {
            replay.checks_by_teleport.push(ply);
        }
    }
    replay.legal = other.ply();
    replay.outcome = other.outcome();
    let over = !played.position().has_legal_move();
    if replay.broken.is_none() && over {
        let last = other.position();
        replay.escapes = last.legal_moves().iter().map(|mv| last.san(*mv)).collect();
    }
}

/// Returns the reason, with its details, why a move that is legal in `chess` is illegal in `other`.
/// Both positions have the same pieces on the same squares.
fn explain_illegal<R: ChessRules>(
    chess: &Chess,
    other: &ChessPosition<R>,
    mv: Move,
) -> (BreakReason, String) {
    let parts = ChessMove::of(mv);
    let us = chess.side_to_move();
    let king = chess.king(us);
    if other.teleport_targets(!us).has(king) {
        // A piece that checks along its line and by teleport also gives check in chess, where it
        // can be blocked.
        let by_teleport = other.checkers() & !chess.checkers();
        let by_teleport = if by_teleport.is_empty() { other.checkers() } else { by_teleport };
        let from: Vec<String> = by_teleport.into_iter().map(|square| square.to_string()).collect();
        return (BreakReason::CheckByTeleport, format!("from {} to {king}", from.join(", ")));
    }
    let corner = Square::at(if parts.to > parts.from { 7 } else { 0 }, parts.from.rank());
    let end = if parts.kind == ChessMoveKind::Castle { corner.unwrap_or(parts.to) } else { parts.to };
    let in_way = Squares::between(parts.from, end) & other.obstacles(us) & !other.occupied();
    if let Some(square) = in_way.first() {
        return (BreakReason::Blocked, format!("by the catapult on {square}"));
    }
    if parts.kind == ChessMoveKind::Castle {
        let lane = Squares::between(parts.from, end) & other.teleport_targets(!us);
        let lane: Vec<String> = lane.into_iter().map(|square| square.to_string()).collect();
        return (BreakReason::CastlingBarred, format!("by a teleport to {}", lane.join(" or ")));
    }
    if parts.from == king {
        return (BreakReason::KingIntoTeleport, format!("a teleport guards {}", parts.to));
    }
    (BreakReason::KingExposed, format!("to a teleport against {king}"))
}
