//! Rows: positions of played games with what the network is to say of them.

use crate::targets::{GameResult, game_result, value_targets};
use crate::{TargetConfig, WindowConfig};
use catapult_encoding::Encode;
use catapult_records::{GameRecord, Replay, VerifyError};
use catapult_rules::{Move, Outcome, Position};
use catapult_seeds::Stream;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// The plies after which the auxiliary heads are asked what stands on the board.
pub use catapult_model::FUTURE_PLIES;

/// A position and its targets, all seen from its side to move.
#[derive(Clone, Debug)]
pub struct Row<P> {
    /// The position.
    pub position: P,
    /// Earlier occurrences in its game.
    pub repetitions: u8,
    /// Its legal moves.
    pub moves: Box<[Move]>,
    /// The improved policy over them; sums to 1.
    pub policy: Box<[f32]>,
    /// Win, draw and loss.
    pub wdl: [f32; 3],
    /// What they weigh in the loss: below 1 where the game's result was adjudicated.
    pub value_weight: f32,
    /// How often it is drawn, as a multiple of the mean row: more often where the search surprised the network.
    pub frequency: f32,
    /// Plies to the end of the game, where it has one.
    pub moves_left: Option<f32>,
    /// The positions [`FUTURE_PLIES`] later, or the last one.
    pub future: [P; FUTURE_PLIES.len()],
    /// 1 where that is known: the game lasted so long, or ended by itself before; 0 where it was cut before.
    pub future_weight: [f32; FUTURE_PLIES.len()],
}

/// What is read off one game.
#[derive(Clone, Debug)]
pub struct GameRows<P> {
    /// Its rows, in order.
    pub rows: Vec<Row<P>>,
    /// Its positions, the last included.
    pub positions: Vec<P>,
    /// The result they were trained on.
    pub result: Option<GameResult>,
}

/// The rows of one game: at most so many as the window's config says, drawn by the game's own seed.
///
/// # Errors
/// Game, ply and reason of what the rules contradict or what is missing.
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
        return Err(record.refused(plies, reason));
    }
    let result = game_result(record, &positions, learning);
    let targets = value_targets(record, &positions, result, learning);
    let kept = sample_plies(record, &positions, window);
    let mean = kept.iter().map(|&ply| record.surprises[ply]).sum::<f32>() / kept.len().max(1) as f32;
    // Policy surprise weighting (KataGo): part of the draws goes by how far the search went from the network.
    let frequency = |ply: usize| {
        let share = if mean > 0.0 { learning.surprise_share } else { 0.0 };
        1.0 - share + share * record.surprises[ply] / mean.max(f32::MIN_POSITIVE)
    };
    let rows = kept
        .into_iter()
        .map(|ply| {
            let position = positions[ply];
            let moves: Box<[Move]> = position.legal_moves().iter().copied().collect();
            let policy = policy_target(&position, &moves, &record.policies[ply])
                .map_err(|e| record.refused(ply, e))?;
            let played_out =
                !matches!(record.outcome, Outcome::Capped | Outcome::Tablebase | Outcome::Resignation);
            Ok(Row {
                position,
                repetitions: repetitions[ply],
                moves,
                policy,
                wdl: targets[ply].ok_or_else(|| record.refused(ply, "no root value"))?,
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

/// The plies whose rows are kept, in order.
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

fn policy_target<P: Position>(
    position: &P,
    moves: &[Move],
    policy: &[(String, f32)],
) -> Result<Box<[f32]>, String> {
    let texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
    let mut target: Box<[f32]> = vec![0.0; moves.len()].into();
    for (text, probability) in policy {
        let index = texts.iter().position(|t| t == text);
        let index = index.ok_or_else(|| format!("policy names `{text}`, which is not a legal move"))?;
        target[index] = *probability;
    }
    let sum: f32 = target.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return Err(format!("policy sums to {sum}"));
    }
    target.iter_mut().for_each(|p| *p /= sum);
    Ok(target)
}
