//! What a network says of its games beyond what was played: its priors along lines of its own, the moves beside the
//! best, and positions that several games share.

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

/// How much is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AnalysisSettings {
    /// Lines drawn from the prior at temperature 1.
    pub lines: u32,
    /// Their length in plies.
    pub line_plies: u32,
    /// Positions of the games that are searched, each of another game as far as there are games.
    pub positions: u32,
    /// Simulations of these searches.
    pub simulations: u32,
    /// Positions of the games of all arms and agents, as many of each, whose priors are kept, to be compared with those of other
    /// networks; at most so many.
    pub shared_positions: u32,
    /// They are taken from the first plies of a game.
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
    /// Checks ranges; the error names the key, what was found and what is allowed.
    pub fn validate(&self) -> Result<(), BadSetting> {
        in_range("lines", self.lines, 1..=100_000)?;
        in_range("line_plies", self.line_plies, 1..=200)?;
        in_range("positions", self.positions, 1..=100_000)?;
        in_range("simulations", self.simulations, 2..=100_000)?;
        in_range("shared_positions", self.shared_positions, 0..=10_000)?;
        in_range("shared_plies", self.shared_plies, 1..=200)
    }

    /// The positions that [`analyse`] has evaluated at most, for plans.
    pub fn evaluations(&self) -> u64 {
        let lines = u64::from(self.lines) * u64::from(self.line_plies);
        lines
            + u64::from(self.positions) * (u64::from(self.simulations) + 1)
            + u64::from(self.shared_positions)
    }
}

/// What a network says in one arm. Entropies and losses are in nats.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NetworkAnalysis {
    /// Lines drawn from its prior.
    pub lines: Vec<OpeningLine>,
    /// Lines of uniform play, which do not depend on the network.
    pub uniform: Vec<OpeningLine>,
    /// Its prior of the first move, likeliest move first; where the game is set up first, the mean over set-ups drawn from it.
    pub first_moves: Vec<(String, f64)>,
    /// Positions of its games, searched.
    pub searched: Vec<SearchedPosition>,
    /// Its priors in positions that games of all rules reach alike.
    pub shared: Vec<SharedPosition>,
}

/// Asks a network about an arm. `games` are those it has played there. `shared` are the lines of [`shared_lines`], the same for
/// all networks of a study; games that are not related to chess reach none. The result depends on nothing but the arguments.
///
/// # Errors
/// A game that can't be replayed; what the evaluator reports.
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

/// Uniform play needs no network, so its entropy may as well be known well.
const UNIFORM_LINES: u32 = 500;

#[cfg(test)]
mod tests;
