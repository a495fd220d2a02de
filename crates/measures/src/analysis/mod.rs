//! Analyses of networks beyond their played games. There are lines drawn from the prior, searched
//! positions, and positions that games of several arms share.

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
use catapult_store::BadSetting;
use catapult_store::setting::in_range;
use serde::{Deserialize, Serialize};

/// Numbers and sizes of the analyses of one network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AnalysisSettings {
    /// Number of lines drawn from the prior at temperature 1.
    pub lines: u32,
    /// Maximum length of a line in plies.
    pub line_plies: u32,
    /// Number of positions drawn from the network's games, from one game after the other. A
    /// position with fewer than two legal moves is not searched.
    pub positions: u32,
    /// Simulations per searched position.
    pub simulations: u32,
    /// Maximum number of shared positions, in which the priors of different arms' networks are
    /// compared. Each arm and agent contributes equally many.
    pub shared_positions: u32,
    /// Maximum number of plies from the start to a shared position.
    pub shared_plies: u32,
}

impl Default for AnalysisSettings {
    fn default() -> Self {
        AnalysisSettings {
            lines: 256,
            line_plies: 20,
            positions: 192,
            simulations: 64,
            shared_positions: 160,
            shared_plies: 24,
        }
    }
}

impl AnalysisSettings {
    /// Checks that every setting lies in its range. The error names the key, the value and the
    /// allowed range.
    pub fn validate(&self) -> Result<(), BadSetting> {
        in_range("lines", self.lines, 1..=100_000)?;
        in_range("line_plies", self.line_plies, 1..=200)?;
        in_range("positions", self.positions, 1..=100_000)?;
        in_range("simulations", self.simulations, 2..=100_000)?;
        in_range("shared_positions", self.shared_positions, 0..=10_000)?;
        in_range("shared_plies", self.shared_plies, 1..=200)
    }

    /// Returns the maximum number of positions that [`analyse`] evaluates, for estimates of the
    /// time. Evaluations for set-ups and first moves are not counted.
    pub fn evaluations(&self) -> u64 {
        let lines = u64::from(self.lines) * u64::from(self.line_plies);
        lines
            + u64::from(self.positions) * (u64::from(self.simulations) + 1)
            + u64::from(self.shared_positions)
    }
}

/// Analysis of a network in one arm. Entropies and losses are in nats.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NetworkAnalysis {
    /// Lines drawn from the network's prior.
    pub lines: Vec<OpeningLine>,
    /// Lines of moves drawn with equal probability. They do not depend on the network.
    pub uniform: Vec<OpeningLine>,
    /// The network's prior of the first move: moves and their probabilities, likeliest move first.
    /// If players set up the game, this is the mean over set-ups drawn from the prior.
    pub first_moves: Vec<(String, f64)>,
    /// Searches of positions drawn from the network's games.
    pub searched: Vec<SearchedPosition>,
    /// The network's priors in the shared positions. Empty for games unrelated to chess.
    pub shared: Vec<SharedPosition>,
}

/// Analyses a network in an arm.
///
/// `games` are the network's games in the arm. `shared` are the lines of [`shared_lines`], equal
/// for all networks of a study. The result depends only on the arguments.
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

/// Number of lines of moves drawn with equal probability. More lines are affordable because they
/// need no network.
const UNIFORM_LINES: u32 = 500;

#[cfg(test)]
mod tests;
