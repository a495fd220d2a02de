//! Value targets of the positions of a game.

use crate::TargetConfig;
use catapult_records::GameRecord;
use catapult_rules::{Color, Outcome, Position};

/// Smallest material lead, in centipawns, that counts as decisive when a truncated game is
/// adjudicated.
pub const DECISIVE_LEAD: i32 = 300;
/// Material lead, in centipawns, below which a truncated game can be adjudicated as drawn.
const LEVEL_LEAD: i32 = 100;
/// Bound on |P(win) - P(loss)| below which a truncated game can be adjudicated as drawn.
const LEVEL_VALUE: f32 = 0.3;
/// Number of root values at the end of a game that an adjudication averages.
const LAST_VALUES: usize = 4;

/// Result of a game, as used for the value targets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameResult {
    /// Winner of the game. `None` for a draw.
    pub winner: Option<Color>,
    /// Loss weight of the value targets: 1, or `adjudicated_weight` for an adjudicated game.
    pub weight: f32,
}

/// Returns the result of a game. A truncated game is adjudicated by the material in its last
/// position and the mean of its last four root values (P(win) - P(loss)):
///
/// - A side wins if it leads by at least [`DECISIVE_LEAD`] and its mean value is at least
///   `adjudicated_from`.
/// - The game is drawn if the lead is below 100 centipawns and the mean value is between -0.3 and
///   0.3.
/// - The result is `None` if neither applies, if no root value is known, or if `adjudicated_weight`
///   is 0.
///
/// `positions` holds all positions of the game, including the last.
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

/// Returns the root value of each ply in White's view, scaled to sum 1. `None` for a ply without a
/// value.
fn white_values<P: Position>(record: &GameRecord, positions: &[P]) -> Vec<Option<[f32; 3]>> {
    let white = |(value, position): (&[f32; 3], &P)| {
        let sum: f32 = value.iter().sum();
        (sum > 0.5).then(|| seen_by(value.map(|p| p / sum), position.side_to_move()))
    };
    record.values.iter().zip(positions).map(white).collect()
}

/// Converts (win, draw, loss) from White's view to the view of `side`, or back.
fn seen_by([win, draw, loss]: [f32; 3], side: Color) -> [f32; 3] {
    if side == Color::White { [win, draw, loss] } else { [loss, draw, win] }
}

/// Returns (win, draw, loss) in White's view for a known winner. `None` is a draw.
fn of_winner(winner: Option<Color>) -> [f32; 3] {
    match winner {
        Some(Color::White) => [1.0, 0.0, 0.0],
        Some(Color::Black) => [0.0, 0.0, 1.0],
        None => [0.0, 1.0, 0.0],
    }
}

/// Returns the value target of each ply: (win, draw, loss) for the side to move. `None` for a ply
/// without a root value.
///
/// The target is `s * result + (1 - s) * G`. The share s is `result_share`, or 0 if `result` is
/// `None`.
///
/// `G(t) = (1 - l) * v(t) + l * G(t + 1)` is the lambda-return (Sutton and Barto 2018, chapter 12)
/// over the root values v of both sides. The factor l is `value_lambda`. After the last ply, G is
/// the result. Without a result, G starts at the last root value.
///
/// A root value is biased towards the side to move, because search picks the best of several noisy
/// values. The next root value is biased towards the opponent, so averaging reduces the bias.
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

/// Returns the side that would have resigned first, or `None`.
///
/// A side would resign after `turns` consecutive turns of its own with a root value P(win) -
/// P(loss) of at most `-threshold`. Only the first ply of a turn counts. The plies at the start of
/// the game that were played without search do not count.
pub fn would_resign<P: Position>(
    record: &GameRecord,
    positions: &[P],
    threshold: f32,
    turns: u32,
) -> Option<Color> {
    // Without simulations, the mean value is the evaluation itself. Records of the first format
    // version have zeros instead.
    let is_unsearched = |ply: usize| {
        record.policies.get(ply).is_some_and(Vec::is_empty)
            && record.raw_values.get(ply).is_some_and(|raw| *raw != [0.0; 3])
            && record.raw_values.get(ply) == record.mean_values.get(ply)
    };
    let first = (0..record.values.len()).find(|&ply| !is_unsearched(ply)).unwrap_or(record.values.len());
    let mut lost = [0; 2];
    for ([win, _, loss], position) in record.values.iter().zip(positions).skip(first) {
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
