//! What a player answers: a move, or how it loses the game without one; and what it thought of it.

use catapult_rules::{Move, Outcome};
use serde::{Deserialize, Serialize};

/// A player's answer to a turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// The move; else how the game is lost.
    pub chosen: Result<Move, Forfeit>,
    /// What the player says of it.
    pub thought: Thought,
}

impl From<Move> for Reply {
    fn from(mv: Move) -> Reply {
        Reply { chosen: Ok(mv), thought: Thought::default() }
    }
}

/// A game lost otherwise than on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// In what way: [`Outcome::TimeForfeit`], [`Outcome::IllegalMove`] or [`Outcome::Crash`].
    pub outcome: Outcome,
    /// What happened, in words.
    pub reason: String,
}

/// What a player says of its move. What it does not say is not there.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Thought {
    /// Seconds that the move took, by the match's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Its score for the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// Its depth, by its own measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions it has looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// What a position is worth to the mover, as engines say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// In hundredths of a pawn, each engine by its own scale.
    Cp(i32),
    /// Mate in so many moves; below 0 the mover is mated.
    Mate(i32),
}

impl std::fmt::Display for Thought {
    /// As the comments of PGN files have it: `+0.35/12 1.204s`.
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
