//! Kinds of moves that may be forbidden.

use catapult_rules::{ChessMove, ChessMoveKind, ChessPosition, ChessRules, Move, Position};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A kind of move that may be forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForbiddenKind {
    /// `teleports`: from catapult to catapult, as a turn of their own or (`+instant`) at the end of a move.
    Teleports,
    /// `catapult-moves`: of catapults by themselves; placing them (`+free`) is none.
    CatapultMoves,
    /// `catapult-captures`: moves after which the other side has fewer catapults.
    CatapultCaptures,
}

impl ForbiddenKind {
    /// All of them.
    pub const ALL: [ForbiddenKind; 3] =
        [ForbiddenKind::Teleports, ForbiddenKind::CatapultMoves, ForbiddenKind::CatapultCaptures];

    /// The name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            ForbiddenKind::Teleports => "teleports",
            ForbiddenKind::CatapultMoves => "catapult-moves",
            ForbiddenKind::CatapultCaptures => "catapult-captures",
        }
    }
}

impl fmt::Display for ForbiddenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ForbiddenKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = ForbiddenKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| {
            format!(
                "`{name}` is no kind of move; allowed are {}",
                ForbiddenKind::ALL.map(ForbiddenKind::name).join(", ")
            )
        })
    }
}

/// Whether a legal move of a position is of a kind.
pub type IsOfKind<P> = fn(&P, Move) -> bool;

/// [`Anchor::is_of_kind`] of chess and all of Chess++.
pub(crate) fn of_chess<R: ChessRules>(rules: R, kind: ForbiddenKind) -> Option<IsOfKind<ChessPosition<R>>> {
    rules.catapults().then_some(match kind {
        ForbiddenKind::Teleports => teleports::<R>,
        ForbiddenKind::CatapultMoves => moves_a_catapult::<R>,
        ForbiddenKind::CatapultCaptures => captures_catapults::<R>,
    })
}

fn teleports<R: ChessRules>(_: &ChessPosition<R>, mv: Move) -> bool {
    matches!(ChessMove::of(mv).kind, ChessMoveKind::Teleport | ChessMoveKind::Instant)
}

fn moves_a_catapult<R: ChessRules>(_: &ChessPosition<R>, mv: Move) -> bool {
    ChessMove::of(mv).kind == ChessMoveKind::Catapult
}

fn captures_catapults<R: ChessRules>(position: &ChessPosition<R>, mv: Move) -> bool {
    let them = !position.side_to_move();
    let mut after = *position;
    after.play(mv);
    after.catapults(them).count() < position.catapults(them).count()
}
