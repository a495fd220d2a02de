//! Analyses of networks beyond their played games: lines drawn from the prior.

mod lines;
mod priors;

pub use lines::OpeningLine;
pub(crate) use priors::entropy;

use crate::games::StudiedGame;
use catapult_mcts::{EvaluationError, Evaluator};
use lines::draw_lines;
use serde::{Deserialize, Serialize};

catapult_store::settings! {
    /// Settings of the analysis of one network.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct AnalysisSettings {
        /// Number of lines drawn from the prior at temperature 1.
        lines: u32 = 256, in_range(1..=100_000);
        /// Maximum length of a line in plies.
        line_plies: u32 = 20, in_range(1..=200);
    }
}

impl AnalysisSettings {
    /// Returns the maximum number of positions that [`analyse`] evaluates, for estimates of the
    /// time. Evaluations for set-up moves and first moves are not counted.
    pub fn evaluations(&self) -> u64 {
        u64::from(self.lines) * u64::from(self.line_plies)
    }
}

/// Result of the analysis of a network in one arm. Entropies are in nats.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NetworkAnalysis {
    /// Lines drawn from the network's prior.
    pub lines: Vec<OpeningLine>,
    /// Lines whose moves are drawn with equal probability. They do not depend on the network.
    pub uniform: Vec<OpeningLine>,
    /// The network's prior of the first move: moves with their probabilities, likeliest move first.
    /// If the game begins with set-up moves, it is the mean over set-ups drawn from the prior.
    pub first_moves: Vec<(String, f64)>,
}

/// Analyses a network in an arm. The result depends only on the arguments.
///
/// # Errors
/// An evaluation fails.
pub fn analyse<P: StudiedGame>(
    rules: P::Rules,
    evaluator: &mut dyn Evaluator<P>,
    settings: &AnalysisSettings,
    seed: u64,
) -> Result<NetworkAnalysis, EvaluationError> {
    let plies = settings.line_plies as usize;
    let starts = lines::starts(rules, evaluator, settings.lines, seed)?;
    Ok(NetworkAnalysis {
        lines: draw_lines::<P>(rules, settings.lines, plies, seed, |open| priors::priors(evaluator, open))?,
        uniform: draw_lines::<P>(rules, UNIFORM_LINES, plies, seed, |games| Ok(priors::equal(games)))?,
        first_moves: priors::first_moves(evaluator, &starts)?,
    })
}

/// Number of lines whose moves are drawn with equal probability. They are many, because they need
/// no network.
const UNIFORM_LINES: u32 = 500;

#[cfg(test)]
mod tests;
