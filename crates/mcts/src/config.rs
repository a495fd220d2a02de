//! The settings of a search.

use crate::algorithm::Algorithm;
use crate::gumbel::Gumbel;
use crate::puct::Puct;
use crate::range::{ConfigError, check};
use crate::utility::Utility;

/// Version of the defaults of [`SearchConfig`], by which players without settings are searched: results under different numbers
/// are not of the same players. Version 1 considered min(16, simulations) root moves, and so halved nothing at 16 simulations
/// and below. Version 3 ends begun turns in the tree.
pub const SEARCH_DEFAULTS: u32 = 3;

/// How a search goes about it: with a position, a number of simulations and a seed it decides the result. What stands in files is
/// a [`SearchTable`](crate::SearchTable).
#[derive(Clone, PartialEq, Debug)]
pub struct SearchConfig {
    /// How simulations are spent.
    pub algorithm: Algorithm,
    /// The root's logits are divided by it: above 1 flattens what the evaluator would play (KataGo's root policy temperature).
    pub root_temperature: f32,
    /// Where a turn is several decisions: a turn begun in the tree ends at the first chance ([`Position::turn_end`](catapult_rules::Position::turn_end)), without
    /// an evaluation, so that the simulations look at replies. A root within a turn has all its moves.
    pub finish_turns: bool,
    /// What draws and the length of the game are worth.
    pub utility: Utility,
    /// Bytes of nodes and edges at which a search stops and answers with what it has.
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

/// The algorithm, all else by default.
impl From<Gumbel> for SearchConfig {
    fn from(gumbel: Gumbel) -> SearchConfig {
        SearchConfig { algorithm: Algorithm::Gumbel(gumbel), ..SearchConfig::default() }
    }
}

/// The algorithm, all else by default.
impl From<Puct> for SearchConfig {
    fn from(puct: Puct) -> SearchConfig {
        SearchConfig { algorithm: Algorithm::Puct(puct), ..SearchConfig::default() }
    }
}

impl SearchConfig {
    /// Smallest [`memory_limit`](Self::memory_limit): room for a root with as many moves as a position can have.
    pub const MIN_MEMORY: usize = 1 << 17;

    /// Checks every setting against its range; the error names the first that is outside.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.algorithm.validate()?;
        check("root_temperature", self.root_temperature, [0.1, 10.0], "0.1 to 10")?;
        self.utility.validate()?;
        check("memory_limit", self.memory_limit, [Self::MIN_MEMORY, usize::MAX], "at least 131072 bytes")
    }
}
