//! The settings of a search.

use crate::algorithm::Algorithm;
use crate::gumbel::Gumbel;
use crate::puct::Puct;
use crate::range::{ConfigError, check};
use crate::utility::Utility;

/// Version of the defaults of [`SearchConfig`].
///
/// A player name without settings uses these defaults, so results under different versions belong
/// to different players.
///
/// 1. Sequential halving considers min(16, simulations) root moves, so it halves nothing at 16
///    simulations or fewer.
/// 2. The number of considered root moves depends on the simulations
///    ([`Gumbel::considered_among`]).
/// 3. Turns begun in the tree end at once ([`SearchConfig::finish_turns`]).
pub const SEARCH_DEFAULTS: u32 = 3;

/// Settings of a search. The result follows from these settings, the game, the simulations, the
/// seed and the evaluations. Config files use a [`SearchTable`](crate::SearchTable).
#[derive(Clone, PartialEq, Debug)]
pub struct SearchConfig {
    /// The search algorithm and its own settings.
    pub algorithm: Algorithm,
    /// Divides the root's logits. Values above 1 flatten the evaluator's policy (KataGo's root
    /// policy temperature).
    pub root_temperature: f32,
    /// In multi-decision turns, interior nodes play the turn-ending move
    /// ([`Position::turn_end`](catapult_rules::Position::turn_end)) at the first chance, without
    /// evaluating the position. Simulations therefore reach the opponent's reply. A root within a
    /// turn keeps all its moves.
    pub finish_turns: bool,
    /// Value of draws and of the length of the game.
    pub utility: Utility,
    /// Limit in bytes on nodes and edges. A search that reaches it stops and returns its result so
    /// far.
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

/// The given algorithm with default settings for the rest.
impl From<Gumbel> for SearchConfig {
    fn from(gumbel: Gumbel) -> SearchConfig {
        SearchConfig { algorithm: Algorithm::Gumbel(gumbel), ..SearchConfig::default() }
    }
}

/// The given algorithm with default settings for the rest.
impl From<Puct> for SearchConfig {
    fn from(puct: Puct) -> SearchConfig {
        SearchConfig { algorithm: Algorithm::Puct(puct), ..SearchConfig::default() }
    }
}

impl SearchConfig {
    /// Smallest [`memory_limit`](Self::memory_limit) in bytes: room for a root with the largest
    /// possible number of moves.
    pub const MIN_MEMORY: usize = 1 << 17;

    /// Checks every setting against its range. The error names the first setting outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.algorithm.validate()?;
        check("root_temperature", self.root_temperature, [0.1, 10.0], "0.1 to 10")?;
        self.utility.validate()?;
        check("memory_limit", self.memory_limit, [Self::MIN_MEMORY, usize::MAX], "at least 131072 bytes")
    }
}
