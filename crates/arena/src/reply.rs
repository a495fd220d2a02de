//! Reply of a player to a request for a move: a move or a forfeit, with a report on the search.

use catapult_rules::{Move, Outcome};
use serde::{Deserialize, Serialize};

/// Reply of a player to a request for a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// The move, or the forfeit that loses the game.
    pub chosen: Result<Move, Forfeit>,
    /// Report of the player on its search.
    pub thought: Thought,
}

impl From<Move> for Reply {
    fn from(mv: Move) -> Reply {
        Reply { chosen: Ok(mv), thought: Thought::default() }
    }
}

/// Loss of a game by a forfeit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// Kind of forfeit: [`Outcome::TimeForfeit`], [`Outcome::IllegalMove`] or [`Outcome::Crash`].
    pub outcome: Outcome,
    /// Description of the failure, for people.
    pub reason: String,
}

/// Report of a player on its search for a move. A value is `None` if the player does not report it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Thought {
    /// Time that the move took in seconds, by the match's clock. `None` in a match without clocks.
    /// In a reply, it replaces the time that the match measured, which can include the start of a
    /// program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Score of the position before the move, for the player that moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Search depth, in the player's own unit. UCI programs usually count plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Number of positions that the player searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// Score of a position for the side to move, as UCI engines report it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns on the engine's own scale.
    Cp(i32),
    /// Number of moves to mate. It is negative if the side to move is mated.
    Mate(i32),
}

impl std::fmt::Display for Thought {
    /// Writes a comment for PGN with score in pawns, depth and time, such as `+0.35/12 1.204s`.
    /// Values that are `None` are left out. Without a score, the depth is left out, too.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        let score = self.score.map(|score| match score {
            Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
            Score::Mate(moves) if moves < 0 => format!("-M{}", moves.unsigned_abs()),
            Score::Mate(moves) => format!("+M{moves}"),
        });
        match (score, self.depth) {
            (Some(score), Some(depth)) => parts.push(format!("{score}/{depth}")),
            (Some(score), None) => parts.push(score),
            _ => {}
        }
        parts.extend(self.seconds.map(|seconds| format!("{seconds:.3}s")));
        f.write_str(&parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_told_as_engines_tell_them() {
        let thought = |score, depth, seconds| Thought { score, depth, seconds, nodes: None }.to_string();
        assert_eq!(thought(Some(Score::Cp(35)), Some(12), Some(1.2041)), "+0.35/12 1.204s");
        assert_eq!(thought(Some(Score::Mate(-3)), None, None), "-M3");
        assert_eq!(thought(Some(Score::Mate(2)), Some(5), None), "+M2/5");
        assert_eq!(thought(None, Some(3), Some(0.5)), "0.500s");
        assert_eq!(thought(None, None, None), "");
    }
}
