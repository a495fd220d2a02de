//! Extraction of training samples from game records.

use crate::targets::{GameResult, game_result, value_targets};
use crate::{TargetConfig, WindowConfig};
use catapult_encoding::Encode;
use catapult_records::{GameRecord, Replay, VerifyError};
use catapult_rules::{Move, Outcome, Position};
use catapult_seeds::Stream;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Horizons in plies of the auxiliary outputs that predict the occupancy of each square.
pub use catapult_model::FUTURE_PLIES;

/// A training sample: a position with its targets, seen from the side to move.
#[derive(Clone, Debug)]
pub struct Row<P> {
    /// Position that the network learns to evaluate.
    pub position: P,
    /// Number of earlier occurrences of the position in its game. Higher numbers count as 255.
    pub repetitions: u8,
    /// Legal moves of the position.
    pub moves: Box<[Move]>,
    /// Policy target: one probability per entry of `moves`, with sum 1.
    pub policy: Box<[f32]>,
    /// Value target: probabilities of win, draw and loss for the side to move.
    pub wdl: [f32; 3],
    /// Loss weight of the value target: 1, or `adjudicated_weight` if the game was adjudicated.
    pub value_weight: f32,
    /// Sampling frequency: expected number of times that a [`Sampler`](crate::Sampler) contains the
    /// sample. The mean over a game's samples is 1. The frequency is higher for positions at which
    /// the search differed more from the network's policy.
    pub frequency: f32,
    /// Number of plies from the position to the end of the game. `None` if a truncation, a
    /// resignation or a tablebase ended the game.
    pub moves_left: Option<f32>,
    /// Position of the game at each horizon of [`FUTURE_PLIES`]. If the game ended before a
    /// horizon, the entry is the game's last position.
    pub future: [P; FUTURE_PLIES.len()],
    /// Loss weight of each entry of `future`: 0 if a truncation, a resignation or a tablebase ended
    /// the game before the horizon, else 1.
    pub future_weight: [f32; FUTURE_PLIES.len()],
}

/// Training samples of one game, with all its positions.
#[derive(Clone, Debug)]
pub struct GameRows<P> {
    /// Training samples, in the order of play.
    pub rows: Vec<Row<P>>,
    /// All positions of the game, including the last, so one more than the game has moves.
    pub positions: Vec<P>,
    /// Result of the game for the value targets. `None` for a truncated game that was not
    /// adjudicated.
    pub result: Option<GameResult>,
}

/// Extracts the training samples of one game. Only plies with a policy can be samples. `window`
/// limits their number, and the game's seed determines the selection.
///
/// # Errors
/// A move is illegal, or the lists have different lengths. A selected ply has an illegal policy
/// move, a policy without a positive sum, or no root value. The error names the game and the ply.
pub fn game_rows<P: Encode>(
    record: &GameRecord,
    rules: P::Rules,
    window: &WindowConfig,
    learning: &TargetConfig,
) -> Result<GameRows<P>, VerifyError> {
    let mut replay = Replay::<P>::new(record, rules)?;
    let mut positions = vec![*replay.game().position()];
    let mut repetitions = vec![0];
    while let Some(ply) = replay.next().transpose()? {
        positions.push(ply.after);
        repetitions.push(replay.game().repetitions().min(255) as u8);
    }
    let plies = record.moves.len();
    let lists = [record.policies.len(), record.values.len(), record.surprises.len()];
    if lists != [plies; 3] {
        let [policies, values, surprises] = lists;
        let reason = format!("{plies} moves, {policies} policies, {values} values, {surprises} surprises");
        return Err(record.error_at(plies, reason));
    }
    let result = game_result(record, &positions, learning);
    let targets = value_targets(record, &positions, result, learning);
    let kept = sample_plies(record, &positions, window);
    let mean = kept.iter().map(|&ply| record.surprises[ply]).sum::<f32>() / kept.len().max(1) as f32;
    // Policy surprise weighting (KataGo): a share of the frequency is proportional to the surprise.
    let frequency = |ply: usize| {
        let share = if mean > 0.0 { learning.surprise_share } else { 0.0 };
        1.0 - share + share * record.surprises[ply] / mean.max(f32::MIN_POSITIVE)
    };
    let rows = kept
        .into_iter()
        .map(|ply| {
            let position = positions[ply];
            let moves: Box<[Move]> = position.legal_moves().iter().copied().collect();
            let policy = policy_target(&moves, &record.policies[ply]).map_err(|e| record.error_at(ply, e))?;
            let played_out =
                !matches!(record.outcome, Outcome::Capped | Outcome::Tablebase | Outcome::Resignation);
            Ok(Row {
                position,
                repetitions: repetitions[ply],
                moves,
                policy,
                wdl: targets[ply].ok_or_else(|| record.error_at(ply, "no root value"))?,
                value_weight: result.map_or(1.0, |result| result.weight),
                frequency: frequency(ply),
                moves_left: played_out.then_some((plies - ply) as f32),
                future: FUTURE_PLIES.map(|later| positions[(ply + later as usize).min(plies)]),
                future_weight: FUTURE_PLIES
                    .map(|later| f32::from(played_out || ply + later as usize <= plies)),
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(GameRows { rows, positions, result })
}

/// Selects the plies of a game that become training samples. Returns them in increasing order.
fn sample_plies<P: Position>(record: &GameRecord, positions: &[P], window: &WindowConfig) -> Vec<usize> {
    let mut plies: Vec<usize> =
        (0..record.moves.len()).filter(|&ply| !record.policies[ply].is_empty()).collect();
    plies.shuffle(&mut Pcg64Mcg::seed_from_u64(Stream::Rows.seed(record.seed)));
    let mut high = 0;
    plies.retain(|&ply| {
        let is_high = positions[ply].halfmove_clock() >= window.high_clock;
        high += usize::from(is_high);
        !is_high || high <= window.high_clock_rows
    });
    plies.truncate(window.rows_per_game);
    plies.sort_unstable();
    plies
}

fn policy_target(moves: &[Move], policy: &[(Move, f32)]) -> Result<Box<[f32]>, String> {
    let mut target: Box<[f32]> = vec![0.0; moves.len()].into();
    for (mv, probability) in policy {
        let index = moves.iter().position(|legal| legal == mv);
        let index = index.ok_or_else(|| format!("policy names {mv:?}, which is not a legal move"))?;
        target[index] = *probability;
    }
    let sum: f32 = target.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return Err(format!("policy sums to {sum}"));
    }
    target.iter_mut().for_each(|p| *p /= sum);
    Ok(target)
}
