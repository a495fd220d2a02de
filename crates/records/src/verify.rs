//! Verification of recorded games against the rules.

use crate::{GameRecord, Replay, VerifyError};
use catapult_rules::{AnyGame, Game, Line, Outcome, Position, with_variant};

/// Verifies a record with [`verify_game`], under the rules of the record's variant, and returns its
/// game.
///
/// # Errors
/// As [`verify_game`].
pub fn verify_record(record: &GameRecord) -> Result<Box<dyn AnyGame>, VerifyError> {
    let variant = record.variant;
    with_variant!(variant, |P, rules| Ok(Box::new(Line::of(variant, &verify_game::<P>(record, rules)?))))
}

/// Replays a recorded game, verifies it, and returns it. The function checks that
///
/// - every move is legal, and so is every move in a policy;
/// - the game does not end by the rules before its last move;
/// - the game ends with the record's outcome and winner.
///
/// A truncated, resigned or tablebase-adjudicated game must not have ended by the rules. The winner
/// of a resignation or tablebase adjudication is not checked.
///
/// # Errors
/// The start position is invalid, or a check fails. The error names the game and the ply.
pub fn verify_game<P: Position>(record: &GameRecord, rules: P::Rules) -> Result<Game<P>, VerifyError> {
    let mut replay = Replay::<P>::new(record, rules)?;
    for (ply, mv) in record.moves.iter().enumerate() {
        let game = replay.game();
        if let Some(outcome) = game.outcome() {
            let reason = format!("{mv:?} is played after the game has ended by {outcome}");
            return Err(record.error_at(ply, reason));
        }
        let mut policy = record.policies.get(ply).into_iter().flatten();
        if let Some((mv, _)) = policy.find(|(mv, _)| !game.position().is_legal(*mv)) {
            return Err(record.error_at(ply, format!("{mv:?} of the policy is not legal")));
        }
        replay.next().transpose()?;
    }
    let game = replay.into_game();
    let plies = record.moves.len();
    let found = game.outcome();
    let by_rules = !matches!(record.outcome, Outcome::Capped | Outcome::Tablebase | Outcome::Resignation);
    if found != by_rules.then_some(record.outcome) {
        let found = found.map_or("no end", |outcome| outcome.name());
        return Err(
            record.error_at(plies, format!("the record says {}, the rules say {found}", record.outcome))
        );
    }
    let winner = record.outcome.winner(game.position().side_to_move());
    if winner != record.winner && !matches!(record.outcome, Outcome::Tablebase | Outcome::Resignation) {
        let reason = format!("the record says that {:?} won, the rules say {winner:?}", record.winner);
        return Err(record.error_at(plies, reason));
    }
    Ok(game)
}
