//! Searches of positions from games. They give the value of each move, which game records do not
//! contain.

use super::AnalysisSettings;
use super::priors::entropy;
use crate::MeasureError;
use crate::games::{GameInfo, StudiedGame};
use catapult_arena::{SearchPlayer, Turn, breaking_ties};
use catapult_mcts::{Evaluator, SearchConfig, SearchResult};
use catapult_records::{GameRecord, Replay};
use catapult_rules::{Game, Move, Position};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// Maximum number of concurrent searches.
const SEARCHES: usize = 64;

/// A position of a game and the result of its search. Q is P(win) - P(loss) for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedPosition {
    /// Index of the game in the `games` of [`analyse`](super::analyse).
    pub game: u32,
    /// Number of plies of the game before the position.
    pub ply: u32,
    /// Highest Q of the visited moves.
    pub best: f32,
    /// Second-highest Q of the visited moves.
    pub second: f32,
    /// Cross-entropy, in nats, of the network's prior with respect to the policy recorded in the
    /// game at this ply. `None` if the record has no policy.
    pub policy_loss: Option<f32>,
    /// Entropy, in nats, of the recorded policy. It is the smallest possible `policy_loss`. `None`
    /// if the record has no policy.
    pub target_entropy: Option<f32>,
}

/// Draws `settings.positions` positions after the set-up moves, one from each game in turn. All
/// games have the same number of set-up moves. Searches the positions with at least two legal
/// moves, and returns those with at least two visited moves.
pub(super) fn search_positions<P: StudiedGame>(
    rules: P::Rules,
    evaluator: &mut dyn Evaluator<P>,
    games: &[GameRecord],
    settings: &AnalysisSettings,
    seed: u64,
) -> Result<Vec<SearchedPosition>, MeasureError> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let setup = GameInfo::of_game::<P>(rules).setup_plies;
    let played: Vec<usize> = (0..games.len()).filter(|&game| games[game].moves.len() > setup).collect();
    let mut positions = Vec::new();
    for &game in played.iter().cycle().take(if played.is_empty() { 0 } else { settings.positions as usize }) {
        let ply = rng.random_range(setup..games[game].moves.len());
        let position = replay::<P>(&games[game], rules, ply)?;
        if position.position().count_legal_moves() >= 2 {
            positions.push((game, ply, position));
        }
    }
    let config = breaking_ties(SearchConfig::default());
    let mut player = SearchPlayer::with_config(evaluator, config, settings.simulations);
    let mut found = Vec::with_capacity(positions.len());
    for chunk in positions.chunks(SEARCHES) {
        let turns: Vec<_> = chunk.iter().map(|(_, _, position)| Turn::new(position, seed)).collect();
        for ((game, ply, _), result) in chunk.iter().zip(player.search(&turns)?) {
            let Some((best, second)) = two_best(&result) else { continue };
            let target = games[*game].policies.get(*ply).filter(|policy| !policy.is_empty());
            let fit = target.map(|target| fit(&result, target));
            found.push(SearchedPosition {
                game: *game as u32,
                ply: *ply as u32,
                best,
                second,
                policy_loss: fit.map(|(loss, _)| loss as f32),
                target_entropy: fit.map(|(_, entropy)| entropy as f32),
            });
        }
    }
    Ok(found)
}

/// Replays the first `plies` plies of a recorded game and returns the game.
pub(super) fn replay<P: Position>(
    record: &GameRecord,
    rules: P::Rules,
    plies: usize,
) -> Result<Game<P>, MeasureError> {
    let mut replay = Replay::new(record, rules)?;
    replay.by_ref().take(plies).try_for_each(|ply| ply.map(drop))?;
    Ok(replay.into_game())
}

/// Returns the two highest Q of the visited moves, the higher one first. `None` if fewer than two
/// moves were visited.
fn two_best(result: &SearchResult) -> Option<(f32, f32)> {
    let mut values: Vec<f32> = result.moves.iter().filter_map(|mv| mv.q).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    match values[..] {
        [best, second, ..] => Some((best, second)),
        _ => None,
    }
}

/// Returns the cross-entropy of the prior with respect to the recorded policy `target`, then the
/// entropy of `target`, both in nats. Records omit small probabilities, so `target` is normalised
/// first.
fn fit(result: &SearchResult, target: &[(Move, f32)]) -> (f64, f64) {
    let sum: f64 = target.iter().map(|&(_, p)| f64::from(p)).sum();
    let prior = |mv: Move| {
        let found = result.moves.iter().find(|stats| stats.mv == mv);
        found.map_or(0.0, |stats| f64::from(stats.prior))
    };
    // A prior can underflow to 0. The smallest positive number keeps its logarithm finite.
    let loss =
        |&(mv, p): &(Move, f32)| -f64::from(p) / sum * prior(mv).max(f64::from(f32::MIN_POSITIVE)).ln();
    (target.iter().map(loss).sum(), entropy(target.iter().map(|&(_, p)| f64::from(p) / sum)))
}
