//! The settings of a search.

use crate::algorithm::Algorithm;
use crate::gumbel::Gumbel;
use crate::puct::Puct;
use crate::range::{ConfigError, check};
use crate::utility::Utility;

/// Version of the defaults of [`SearchConfig`].
///
/// A player name without settings uses these defaults. Results under different versions therefore
/// belong to different players. The versions:
///
/// 1. Sequential halving considers min(16, simulations) root moves. At 16 simulations or fewer, it
///    therefore eliminates no move.
/// 2. The number of considered root moves depends on the simulations
///    ([`Gumbel::considered_among`]).
/// 3. [`SearchConfig::finish_turns`] is true.
/// 4. [`Gumbel::c_visit`] is 500 and [`Gumbel::c_scale`] 0.1, instead of 50 and 1. From ten
///    visits to a thousand, the weight of a move's value then grows threefold instead of 17-fold.
pub const SEARCH_DEFAULTS: u32 = 4;

/// Settings of a search. They determine the search result, together with the game, the number of
/// simulations, the seed and the evaluations. Config files contain them as a
/// [`SearchTable`](crate::SearchTable).
#[derive(Clone, PartialEq, Debug)]
pub struct SearchConfig {
    /// Search algorithm with its settings.
    pub algorithm: Algorithm,
    /// Temperature of the evaluator's policy at the root: the root's logits are divided by it.
    /// Values above 1 flatten the policy. KataGo calls it the root policy temperature.
    pub root_temperature: f32,
    /// If a turn has several decisions, nodes below the root play only the turn-ending move
    /// ([`Position::turn_end`](catapult_rules::Position::turn_end)) as soon as it is legal. They
    /// are not evaluated, so that simulations reach the opponent's reply. A root within a turn
    /// keeps all its moves.
    pub finish_turns: bool,
    /// Value of draws, and bonus for shorter wins and longer losses.
    pub utility: Utility,
    /// Limit on the memory for nodes and edges, in bytes. A search that reaches the limit is done.
    /// Its result contains the simulations up to then.
    pub memory_limit: usize,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            algorithm: Algorithm::default(),
            root_temperature: 1.0,
            finish_turns: true,
            utility: Utility::default(),
            memory_limit: 1 << 30,
        }
    }
}

/// Selects Gumbel AlphaZero with the given settings. All other settings have their default values.
impl From<Gumbel> for SearchConfig {
    fn from(gumbel: Gumbel) -> SearchConfig {
        SearchConfig { algorithm: Algorithm::Gumbel(gumbel), ..SearchConfig::default() }
    }
}

/// Selects PUCT with the given settings. All other settings have their default values.
impl From<Puct> for SearchConfig {
    fn from(puct: Puct) -> SearchConfig {
        SearchConfig { algorithm: Algorithm::Puct(puct), ..SearchConfig::default() }
    }
}

impl SearchConfig {
    /// Smallest allowed [`memory_limit`](Self::memory_limit) in bytes. It has room for a root with
    /// the largest possible number of moves.
    pub const MIN_MEMORY: usize = 1 << 17;

    /// Checks every setting against its range.
    ///
    /// # Errors
    /// The first setting outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.algorithm.validate()?;
        check("root_temperature", self.root_temperature, [0.1, 10.0], "0.1 to 10")?;
        self.utility.validate()?;
        check("memory_limit", self.memory_limit, [Self::MIN_MEMORY, usize::MAX], "at least 131072 bytes")
    }
}
