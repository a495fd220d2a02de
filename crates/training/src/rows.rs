//! Rows: positions of played games with what the network is to say of them.

use crate::WindowConfig;
use catapult_encoding::Encode;
use catapult_records::GameRecord;
use catapult_rules::{Game, Move, Outcome, Position};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// The plies after which the auxiliary heads are asked what stands on the board.
pub use catapult_network::FUTURE_PLIES;

/// Sets the stream that draws a game's rows apart from the one that played it.
const ROW_STREAM: u64 = 0x726f_7773;

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
    /// Plies to the end of the game, where it has one.
    pub moves_left: Option<f32>,
    /// The positions [`FUTURE_PLIES`] later, or the last one.
    pub future: [P; FUTURE_PLIES.len()],
    /// 1 where that is known: the game lasted so long, or ended by itself before; 0 where it was cut before.
    pub future_weight: [f32; FUTURE_PLIES.len()],
}

/// A record that does not fit the rules it names.
#[derive(Debug, thiserror::Error)]
#[error("game {game}, ply {ply}: {reason}")]
pub struct BadGame {
    /// The game's number in its shard.
    pub game: u64,
    /// The ply, from 0.
    pub ply: usize,
    /// What is wrong.
    pub reason: String,
}

/// What is read off one game.
#[derive(Clone, Debug)]
pub struct GameRows<P> {
    /// Its rows, in order.
    pub rows: Vec<Row<P>>,
    /// Its last position.
    pub last: P,
}

/// The rows of one game: at most so many as the window's config says, drawn by the game's own seed.
pub fn game_rows<P: Encode>(
    record: &GameRecord,
    rules: P::Rules,
    window: &WindowConfig,
    result_share: f32,
) -> Result<GameRows<P>, BadGame> {
    let bad = |ply: usize, reason: String| BadGame { game: record.game, ply, reason };
    let start = P::from_fen(&record.start_fen, rules).map_err(|e| bad(0, e.to_string()))?;
    let mut game = Game::new(start);
    let mut positions = vec![start];
    let mut repetitions = vec![0];
    for (ply, text) in record.moves.iter().enumerate() {
        let mv = game.position().parse_move(text).map_err(|e| bad(ply, e.to_string()))?;
        game.push(mv);
        positions.push(*game.position());
        repetitions.push(game.repetitions().min(255) as u8);
    }
    let plies = record.moves.len();
    if record.policies.len() != plies || record.values.len() != plies {
        return Err(bad(
            plies,
            format!("{plies} moves, {} policies, {} values", record.policies.len(), record.values.len()),
        ));
    }
    let kept = sample_plies(record, &positions, window);
    let rows = kept
        .into_iter()
        .map(|ply| {
            let position = positions[ply];
            let moves: Box<[Move]> = position.legal_moves().iter().copied().collect();
            let policy = policy_target(&position, &moves, &record.policies[ply]).map_err(|e| bad(ply, e))?;
            let decided = record.outcome != Outcome::Capped;
            // A game that a table has ended has a result, but its last plies were not played.
            let played_out = decided && record.outcome != Outcome::Tablebase;
            let result = match record.winner {
                Some(winner) if winner == position.side_to_move() => [1.0, 0.0, 0.0],
                Some(_) => [0.0, 0.0, 1.0],
                None => [0.0, 1.0, 0.0],
            };
            // A capped game has no result: the search's value is all that is known.
            let share = if decided { result_share } else { 0.0 };
            let searched =
                search_value(record.values[ply]).ok_or_else(|| bad(ply, "no root value".into()))?;
            Ok(Row {
                position,
                repetitions: repetitions[ply],
                moves,
                policy,
                wdl: std::array::from_fn(|i| share * result[i] + (1.0 - share) * searched[i]),
                moves_left: played_out.then_some((plies - ply) as f32),
                future: FUTURE_PLIES.map(|later| positions[(ply + later as usize).min(plies)]),
                future_weight: FUTURE_PLIES
                    .map(|later| f32::from(played_out || ply + later as usize <= plies)),
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(GameRows { rows, last: positions[plies] })
}

/// A root value as probabilities that sum to 1; none where the record has none.
fn search_value(wdl: [f32; 3]) -> Option<[f32; 3]> {
    let sum: f32 = wdl.iter().sum();
    (sum > 0.5).then(|| wdl.map(|p| p / sum))
}

/// The plies whose rows are kept, in order.
fn sample_plies<P: Position>(record: &GameRecord, positions: &[P], window: &WindowConfig) -> Vec<usize> {
    let mut plies: Vec<usize> =
        (0..record.moves.len()).filter(|&ply| !record.policies[ply].is_empty()).collect();
    plies.shuffle(&mut Pcg64Mcg::seed_from_u64(record.seed ^ ROW_STREAM));
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
