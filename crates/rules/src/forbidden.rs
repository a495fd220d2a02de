//! Kinds of moves that may be forbidden.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A kind of move that may be forbidden.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
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

    /// The name in command lines and files.
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
