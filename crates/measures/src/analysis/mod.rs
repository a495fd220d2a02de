//! Analyses of networks beyond their played games. They consist of lines drawn from the prior,
//! searches of single positions, and priors in positions that all arms can reach.

mod lines;
mod priors;
mod searched;
mod shared;

pub use lines::{OpeningLine, sample_lines, uniform_lines};
pub(crate) use priors::entropy;
pub use searched::SearchedPosition;
pub use shared::{SharedPosition, shared_lines};

use crate::MeasureError;
use crate::games::StudiedGame;
use catapult_mcts::Evaluator;
use catapult_records::GameRecord;
use serde::{Deserialize, Serialize};

catapult_store::settings! {
    /// Settings of the analysis of one network: numbers of lines, positions and simulations.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct AnalysisSettings {
        /// Number of lines drawn from the prior at temperature 1.
        lines: u32 = 256, in_range(1..=100_000);
        /// Maximum length of a line in plies.
        line_plies: u32 = 20, in_range(1..=200);
        /// Number of positions drawn from the network's games, one from each game in turn. A drawn
        /// position with fewer than two legal moves is not searched.
        positions: u32 = 192, in_range(1..=100_000);
        /// Simulations per searched position.
        simulations: u32 = 64, in_range(2..=100_000);
        /// Maximum number of shared positions, which all arms can reach. The networks' priors are
        /// compared in these positions. Each arm and agent contributes equally many.
        shared_positions: u32 = 160, in_range(0..=10_000);
        /// Maximum number of plies from the start to a shared position.
        shared_plies: u32 = 24, in_range(1..=200);
    }
}

impl AnalysisSettings {
    /// Returns the maximum number of positions that [`analyse`] evaluates, for estimates of the
    /// time. Evaluations for set-up moves and first moves are not counted.
    pub fn evaluations(&self) -> u64 {
        let lines = u64::from(self.lines) * u64::from(self.line_plies);
        lines
            + u64::from(self.positions) * (u64::from(self.simulations) + 1)
            + u64::from(self.shared_positions)
    }
}

/// Result of the analysis of a network in one arm. Entropies and losses are in nats.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NetworkAnalysis {
    /// Lines drawn from the network's prior.
    pub lines: Vec<OpeningLine>,
    /// Lines whose moves are drawn with equal probability. They do not depend on the network.
    pub uniform: Vec<OpeningLine>,
    /// The network's prior of the first move: moves with their probabilities, likeliest move first.
    /// If the game begins with set-up moves, it is the mean over set-ups drawn from the prior.
    pub first_moves: Vec<(String, f64)>,
    /// Results of searches of positions that are drawn from the network's games.
    pub searched: Vec<SearchedPosition>,
    /// The network's priors in the positions that all arms can reach. Empty for games unrelated to
    /// chess.
    pub shared: Vec<SharedPosition>,
}

/// Analyses a network in an arm.
///
/// `games` are the network's games in the arm, from the start of the rules. `shared` are the lines
/// that [`shared_lines`] returns. All networks of a study get the same lines. The result depends
/// only on the arguments.
///
/// # Errors
/// A game cannot be replayed, or an evaluation fails.
pub fn analyse<P: StudiedGame>(
    rules: P::Rules,
    evaluator: &mut dyn Evaluator<P>,
    games: &[GameRecord],
    shared: &[Vec<String>],
    settings: &AnalysisSettings,
    seed: u64,
) -> Result<NetworkAnalysis, MeasureError> {
    let plies = settings.line_plies as usize;
    let starts = lines::starts(rules, evaluator, settings.lines, seed)?;
    Ok(NetworkAnalysis {
        lines: sample_lines(rules, evaluator, settings.lines, plies, seed)?,
        uniform: uniform_lines::<P>(rules, UNIFORM_LINES, plies, seed),
        first_moves: priors::first_moves(evaluator, &starts)?,
        searched: searched::search_positions(rules, evaluator, games, settings, seed)?,
        shared: shared::shared_positions(rules, evaluator, shared)?,
    })
}

/// Number of lines whose moves are drawn with equal probability. They are many, because they need
/// no network.
const UNIFORM_LINES: u32 = 500;

#[cfg(test)]
mod tests;
