//! Kinds of moves that a match, a search or self-play can forbid.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Kind of move that can be forbidden in a match, a search or self-play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForbiddenKind {
    /// `teleports`: teleports of pieces. They include instant teleports (`+instant`), which follow
    /// an ordinary move in the same turn.
    Teleports,
    /// `catapult-moves`: moves of an empty catapult. Placements (`+free`) are not included.
    CatapultMoves,
    /// `catapult-captures`: moves after which the opponent has fewer catapults.
    CatapultCaptures,
}

impl ForbiddenKind {
    /// All kinds of moves that can be forbidden.
    pub const ALL: [ForbiddenKind; 3] =
        [ForbiddenKind::Teleports, ForbiddenKind::CatapultMoves, ForbiddenKind::CatapultCaptures];

    /// Returns the name that command lines and files use, such as `teleports`.
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
