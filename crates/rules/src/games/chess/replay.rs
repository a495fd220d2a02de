//! Replays games of standard chess under the rules of Chess++ and reports the first illegal move.
//!
//! Chess++ adds moves to chess and forbids few. A game of chess is also legal in Chess++ unless a
//! possible teleport matters. A teleport can give check, guard a square from the king, prevent
//! castling (rules 10 to 12), or turn a check into mate. The replay plays only the moves of the game.

use super::kinds::{ChessMove, ChessMoveKind};
use super::proposals::Proposals;
use super::rules::{ChessRules, Standard};
use super::{Chess, ChessPosition};
use crate::{Color, Game, Move, Outcome, PgnGame, PgnMove, Position, ReplayError};
use serde::Serialize;

/// Reason why a move of chess cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BreakReason {
    /// The rules reject the game's start position.
    StartRefused,
    /// The mover is in check by a teleport and does not parry it.
    CheckByTeleport,
    /// The king moves to a square that a teleport guards.
    KingIntoTeleport,
    /// The move allows a teleport against the mover's king. This needs proposals.
    KingExposed,
    /// A teleport prevents castling (rule 12).
    CastlingBarred,
    /// The game is over, although it is not over in chess.
    EndedEarlier,
}

impl BreakReason {
    /// All reasons, in the order of the reports.
    pub const ALL: [BreakReason; 6] = [
        BreakReason::CheckByTeleport,
        BreakReason::KingIntoTeleport,
        BreakReason::KingExposed,
        BreakReason::CastlingBarred,
        BreakReason::EndedEarlier,
        BreakReason::StartRefused,
    ];

    /// Returns the printed name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            BreakReason::StartRefused => "start-refused",
            BreakReason::CheckByTeleport => "check-by-teleport",
            BreakReason::KingIntoTeleport => "king-into-teleport",
            BreakReason::KingExposed => "king-exposed",
            BreakReason::CastlingBarred => "castling-barred",
            BreakReason::EndedEarlier => "ended-earlier",
        }
    }
}

/// The first move of a game of chess that is not legal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Break {
    /// Number of moves played before it.
    pub ply: usize,
    /// The move with its number as in PGN (`23. Kf8`, `23... Kf1`). Empty for a rejected start.
    pub san: String,
    /// The reason.
    pub reason: BreakReason,
    /// The reason's squares or outcome.
    pub detail: String,
    /// FEN before the move under the other rules. For a rejected start it is the chess position
    /// with the catapults added.
    pub fen: String,
}

/// Result of replaying a game of chess under other rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChessReplay {
    /// Length of the game in plies.
    pub plies: usize,
    /// Number of legal plies from the start.
    pub legal: usize,
    /// The first illegal move, or `None` if all are legal.
    pub broken: Option<Break>,
    /// Outcome by the rules of chess, if the game is over.
    pub chess_outcome: Option<Outcome>,
    /// Outcome of the last legal position by the other rules.
    pub outcome: Option<Outcome>,
    /// Captures of the other side's catapults (rule 13): number of moves before, and the side that
    /// captured.
    pub catapults_captured: Vec<(usize, Color)>,
    /// Checks that exist only under the other rules, by a teleport: number of moves before each.
    pub checks_by_teleport: Vec<usize>,
    /// Legal moves in the last position if it is mate or stalemate only in chess.
    pub escapes: Vec<String>,
}

impl ChessReplay {
    /// Returns true if all moves are legal and the outcomes are equal.
    pub fn is_same(&self) -> bool {
        self.broken.is_none() && self.chess_outcome == self.outcome
    }
}

/// Returns the start's catapults, as the seventh field of a FEN.
fn catapults_at_start<R: ChessRules>(rules: R) -> &'static str {
    match (rules.catapults(), rules.has(Proposals::THIRD)) {
        (false, _) => "",
        (true, false) => " b1*f1*/b8*f8*",
        (true, true) => " b1*d1*f1*/b8*d8*f8*",
    }
}

/// Replays a game of chess, with the start's catapults added to its first position.
///
/// With `+free`, the catapults are placed as without it. A `FEN` tag may place other catapults in a
/// seventh field.
///
/// # Errors
/// The game is not a game of chess: its `FEN` tag is invalid or a move is illegal.
pub fn replay_chess<R: ChessRules>(game: &PgnGame, rules: R) -> Result<ChessReplay, ReplayError> {
    let fields: Vec<&str> = game.tag("FEN").unwrap_or_default().split_whitespace().collect();
    let (fields, catapults) = fields.split_at(fields.len().min(6));
    let chess = if fields.is_empty() {
        Ok(Chess::start(Standard))
    } else {
        Chess::from_fen(&fields.join(" "), Standard)
    };
    let chess = chess.map_err(|error| ReplayError::Start { game: game.number, line: game.line, error })?;
    let played = play_chess(game, chess)?;
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
        [] => format!("{chess}{}", catapults_at_start(rules)),
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

fn play_chess(game: &PgnGame, start: Chess) -> Result<Game<Chess>, ReplayError> {
    let mut played = Game::new(start);
    for PgnMove { text, line } in &game.moves {
        let found = played.position().parse_san(text);
        let ply = played.ply();
        let mv = found.map_err(|error| ReplayError::Move { game: game.number, line: *line, ply, error })?;
        played.push(mv);
    }
    Ok(played)
}

/// Plays the moves of a game of chess in another game until one is illegal.
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

/// Returns the reason why a move of chess is illegal under the other rules in the same placement.
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
    if parts.kind == ChessMoveKind::Castle {
        let home: Vec<String> = other
            .teleport_targets(!us)
            .into_iter()
            .filter(|square| square.rank() == king.rank())
            .map(|square| square.to_string())
            .collect();
        return (BreakReason::CastlingBarred, format!("by a teleport to {}", home.join(" or ")));
    }
    if parts.from == king {
        return (BreakReason::KingIntoTeleport, format!("a teleport guards {}", parts.to));
    }
    (BreakReason::KingExposed, format!("to a teleport against {king}"))
}
