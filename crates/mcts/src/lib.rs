//! Tree search for any game, without input or output: Gumbel AlphaZero and PUCT.
//!
//! A [`Search`] is a value that asks for evaluations and takes the answers, so that one thread holds hundreds of
//! searches and one network call serves them all:
//!
//! ```
//! use catapult_mcts::{Batch, Evaluator, Search, SearchConfig, evaluators::Material};
//! use catapult_rules::{Chess, Game, Position};
//!
//! let games = ["start", "again"].map(|_| Game::new(Chess::start(Default::default())));
//! let mut searches = [0, 1].map(|_| Search::new(SearchConfig::default()));
//! for (seed, (search, game)) in searches.iter_mut().zip(&games).enumerate() {
//!     search.start(game, 32, seed as u64);
//! }
//! let mut batch = Batch::default();
//! while searches.iter().any(|search| !search.is_done()) {
//!     batch.clear();
//!     let mut firsts = Vec::new();
//!     for search in &mut searches {
//!         firsts.push(batch.leaves.len());
//!         search.gather(&mut batch);
//!     }
//!     Material.evaluate(&mut batch)?;
//!     for (search, first) in searches.iter_mut().zip(firsts) {
//!         search.apply(&batch, first);
//!     }
//! }
//! println!("{}", searches[0].summary(5));
//! assert!(searches[1].result().best.is_some());
//! # Ok::<(), catapult_mcts::EvaluationError>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | `config`, `table` | the settings of a search; the same as they stand in files |
//! | `algorithm` | which of the two: `gumbel` or `puct`, each with its settings, its root, its choice of a child below, its answer |
//! | `utility` | what draws and the length of the game are worth |
//! | `evaluate`, `evaluators` | the seam to networks; evaluators without one |
//! | `cache` | answers remembered |
//! | `node`, `tree` | nodes of 48 bytes, made when visited; arenas; backing up values and proofs |
//! | `root`, `scratch` | the root's moves, and any node's children, as the algorithms see them |
//! | `mask` | moves that a side may not make |
//! | `search`, `answer`, `result`, `dump` | the whole, its answer, a table for people; `kept` in `search` and `tree`: searches that go on |
//!
//! Values are those of the side to move at the root in everything public; inside, [`Value`]s are turned into White's
//! view by a type of their own, and back by who is to move (who may have several decisions in a row), never by ply.

mod algorithm;
mod answer;
mod bench;
mod cache;
mod config;
mod dump;
mod evaluate;
pub mod evaluators;
mod gumbel;
mod mask;
mod math;
mod node;
mod puct;
mod range;
mod result;
mod root;
mod scratch;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod utility;

pub use algorithm::Algorithm;
pub use bench::uniform_search;
pub use cache::{Cached, Memory};
pub use config::{SEARCH_DEFAULTS, SearchConfig};
pub use dump::Summary;
pub use evaluate::{Batch, EvaluationError, Evaluator, Leaf, QueuedEvaluator, Value, WhenTaken};
pub use gumbel::Gumbel;
pub use mask::{Mask, Masked, allowed_moves};
pub use puct::Puct;
pub use range::{ConfigError, check_simulations};
pub use result::{MoveStats, Outlook, Proven, SearchResult};
pub use search::Search;
pub use table::{AlgorithmName, NoSimulations, SearchTable};
pub use utility::Utility;

use catapult_rules::Position;

/// Carries a search that has been started to its end with one evaluator.
pub fn run<P: Position>(
    search: &mut Search<P>,
    evaluator: &mut impl Evaluator<P>,
) -> Result<SearchResult, EvaluationError> {
    let mut batch = Batch::default();
    while !search.is_done() {
        batch.clear();
        if search.gather(&mut batch) > 0 {
            evaluator.evaluate(&mut batch)?;
            search.apply(&batch, 0);
        }
    }
    Ok(search.result())
}
