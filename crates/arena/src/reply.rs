//! Reply of a player: a move or a forfeit, with the player's thoughts.

use catapult_rules::{Move, Outcome};
use serde::{Deserialize, Serialize};

/// Reply of a player to a turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// Move, or the way in which the game is lost.
    pub chosen: Result<Move, Forfeit>,
    /// Information on the move.
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
    /// One of [`Outcome::TimeForfeit`], [`Outcome::IllegalMove`] and [`Outcome::Crash`].
    pub outcome: Outcome,
    /// Description of the event.
    pub reason: String,
}

/// Information that a player reports on its move. Missing information is none.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Thought {
    /// Time of the move in seconds, by the match's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Score for the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Search depth, by the player's own measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Number of positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// Score of a position for the mover, as UCI engines report it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Hundredths of a pawn, on the engine's own scale.
    Cp(i32),
    /// Mate in this many moves; negative if the mover is mated.
    Mate(i32),
}

impl std::fmt::Display for Thought {
    /// Writes a comment of a PGN file: `+0.35/12 1.204s`.
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
