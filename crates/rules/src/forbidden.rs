//! Kinds of moves that a match, a search or self-play can forbid.

use serde::{Deserialize, Serialize};

named! {
    /// Kind of move that can be forbidden in a match, a search or self-play.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum ForbiddenKind {
        /// `teleports`: teleports of pieces. They include instant teleports (`+instant`), which
        /// follow an ordinary move in the same turn.
        Teleports = "teleports",
        /// `catapult-moves`: moves of an empty catapult. Placements (`+free`) are not included.
        CatapultMoves = "catapult-moves",
        /// `catapult-captures`: moves that capture the opponent's catapults.
        CatapultCaptures = "catapult-captures",
    }
    read as "kind of move"
}
