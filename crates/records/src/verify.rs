//! Holding a record against the rules.

use crate::GameRecord;
use catapult_rules::{Outcome, Position};

/// A record that the rules contradict.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, ply {ply}: {reason}")]
pub struct VerifyError {
    /// Index of the game in its run.
    pub game: u64,
    /// Plies played before the fault.
    pub ply: usize,
    /// What was found.
    pub reason: String,
}

/// Replays a game: every move and every move of a policy must be legal where it stands, the game must go on until its last
/// move and end as it says. A capped game must not have ended by the rules. Gives back the last position.
///
/// # Errors
/// Names the game and the ply.
pub fn verify_game<P: Position>(record: &GameRecord, rules: P::Rules) -> Result<P, VerifyError> {
    let refuse = |ply: usize, reason: String| VerifyError { game: record.game, ply, reason };
    let mut position = P::from_fen(&record.start_fen, rules).map_err(|error| refuse(0, error.to_string()))?;
    // Keys since the last irreversible move, the present position's last.
    let mut keys = vec![position.key()];
    for (ply, text) in record.moves.iter().enumerate() {
        if let Some(outcome) = ended(&position, &keys) {
            return Err(refuse(ply, format!("`{text}` is played after the game has ended by {outcome}")));
        }
        for (policy_move, _) in record.policies.get(ply).into_iter().flatten() {
            position.parse_move(policy_move).map_err(|error| refuse(ply, format!("policy: {error}")))?;
        }
        let mv = position.parse_move(text).map_err(|error| refuse(ply, error.to_string()))?;
        position.play(mv);
        if position.halfmove_clock() == 0 {
            keys.clear();
        }
        keys.push(position.key());
    }
    let plies = record.moves.len();
    let found = ended(&position, &keys);
    let expected = (record.outcome != Outcome::Capped).then_some(record.outcome);
    if found != expected {
        let found = found.map_or("is not over", |outcome| outcome.name());
        return Err(refuse(plies, format!("the record says {}, the last position {found}", record.outcome)));
    }
    let winner = record.outcome.winner(position.side_to_move());
    if winner != record.winner {
        return Err(refuse(
            plies,
            format!("the record's winner is {:?}, by the rules it is {winner:?}", record.winner),
        ));
    }
    Ok(position)
}

/// How the game stands: the position's own outcome, else the third occurrence of the last key.
fn ended<P: Position>(position: &P, keys: &[u64]) -> Option<Outcome> {
    let repeated = || {
        let last = keys.last()?;
        let seen = keys.iter().filter(|key| *key == last).count();
        (seen >= 3 && position.is_turn_start()).then_some(Outcome::Repetition)
    };
    position.outcome().or_else(repeated)
}
