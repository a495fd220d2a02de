//! What a game says of the value of its positions.

use crate::TargetConfig;
use catapult_records::GameRecord;
use catapult_rules::{Color, Outcome, Position};

/// A side that is ahead by so many centipawns leads decisively.
pub const DECISIVE_LEAD: i32 = 300;
/// A lead below this, in centipawns, is none.
const LEVEL_LEAD: i32 = 100;
/// |P(win) - P(loss)| below which a value agrees that neither side leads.
const LEVEL_VALUE: f32 = 0.3;
/// Root values at the end of a game that are asked whether they agree.
const LAST_VALUES: usize = 4;

/// The result that a game is trained on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameResult {
    /// Who has won; nobody in a draw.
    pub winner: Option<Color>,
    /// What it weighs: below 1 where it was adjudicated.
    pub weight: f32,
}

/// The result of a game, or what it is adjudicated where it was cut: won by a side that leads by
/// [`DECISIVE_LEAD`] to which the last root values give at least `adjudicated_from`, drawn where material and values are level. None
/// where neither is so, or adjudication has no weight.
pub fn game_result<P: Position>(
    record: &GameRecord,
    positions: &[P],
    config: &TargetConfig,
) -> Option<GameResult> {
    if record.outcome != Outcome::Capped {
        return Some(GameResult { winner: record.winner, weight: 1.0 });
    }
    let last = positions.last().filter(|_| config.adjudicated_weight > 0.0)?;
    let values: Vec<f32> =
        white_values(record, positions).into_iter().flatten().map(|[w, _, l]| w - l).collect();
    let asked = &values[values.len().saturating_sub(LAST_VALUES)..];
    if asked.is_empty() {
        return None;
    }
    let value = asked.iter().sum::<f32>() / asked.len() as f32;
    let lead = last.material(Color::White) - last.material(Color::Black);
    let winner = match lead {
        _ if lead >= DECISIVE_LEAD && value >= config.adjudicated_from => Some(Color::White),
        _ if lead <= -DECISIVE_LEAD && value <= -config.adjudicated_from => Some(Color::Black),
        _ if lead.abs() < LEVEL_LEAD && value.abs() < LEVEL_VALUE => None,
        _ => return None,
    };
    Some(GameResult { winner, weight: config.adjudicated_weight })
}

/// The root values as White sees them, none where there is none.
fn white_values<P: Position>(record: &GameRecord, positions: &[P]) -> Vec<Option<[f32; 3]>> {
    let white = |(value, position): (&[f32; 3], &P)| {
        let sum: f32 = value.iter().sum();
        (sum > 0.5).then(|| seen_by(value.map(|p| p / sum), position.side_to_move()))
    };
    record.values.iter().zip(positions).map(white).collect()
}

/// A value of White as that of a side, or a side's as White's.
fn seen_by([win, draw, loss]: [f32; 3], side: Color) -> [f32; 3] {
    if side == Color::White { [win, draw, loss] } else { [loss, draw, win] }
}

/// A result as White's value.
fn of_winner(winner: Option<Color>) -> [f32; 3] {
    match winner {
        Some(Color::White) => [1.0, 0.0, 0.0],
        Some(Color::Black) => [0.0, 0.0, 1.0],
        None => [0.0, 1.0, 0.0],
    }
}

/// The value target of each ply, seen from its side to move; none where the search left no value:
/// `s * result + (1 - s) * G`, with s = `result_share` (0 where there is no result).
///
/// `G(t) = (1 - l) * v(t) + l * G(t + 1)` is the lambda-return (Sutton and Barto 2018, chapter 12) over the root values v of both
/// sides, l = `value_lambda`; the result, or else the last value, stands after the last ply. A root value is biased towards its
/// mover, since the best of several noisy values is taken for the best move's; the next one is so towards the other side.
pub fn value_targets<P: Position>(
    record: &GameRecord,
    positions: &[P],
    result: Option<GameResult>,
    config: &TargetConfig,
) -> Vec<Option<[f32; 3]>> {
    let mix =
        |share: f32, a: [f32; 3], b: [f32; 3]| std::array::from_fn(|i| share * a[i] + (1.0 - share) * b[i]);
    let end = result.map(|result| of_winner(result.winner));
    let mut after = end;
    let mut targets = vec![None; record.moves.len()];
    let values = white_values(record, positions);
    for (ply, value) in values.into_iter().enumerate().rev() {
        let Some(value) = value else { continue };
        let returned: [f32; 3] = after.map_or(value, |after| mix(config.value_lambda, after, value));
        after = Some(returned);
        let target = end.map_or(returned, |end| mix(config.result_share, end, returned));
        targets[ply] = Some(seen_by(target, positions[ply].side_to_move()));
    }
    targets
}

/// The side that would have given up first, had it been asked: at so many turns of its own on end, its root value was at most minus
/// the threshold.
pub fn would_give_up<P: Position>(
    record: &GameRecord,
    positions: &[P],
    threshold: f32,
    turns: u32,
) -> Option<Color> {
    let mut lost = [0; 2];
    for ([win, _, loss], position) in record.values.iter().zip(positions) {
        if position.is_turn_start() {
            let side = position.side_to_move();
            let count = &mut lost[side as usize];
            *count = if win - loss <= -threshold { *count + 1 } else { 0 };
            if *count >= turns {
                return Some(side);
            }
        }
    }
    None
}
