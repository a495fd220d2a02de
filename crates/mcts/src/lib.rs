//! Tree search for any game: Gumbel AlphaZero and PUCT. The crate does no input or output.
//!
//! For a single search, call [`run`]. A [`Search`] is a state machine: it requests evaluations and
//! receives them in batches. One thread can therefore run hundreds of searches that share each
//! network call:
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
//! assert!(searches[1].result().best.is_some());
//! # Ok::<(), catapult_mcts::EvaluationError>(())
//! ```
//!
//! | module | content |
//! |---|---|
//! | `settings`, `setting` | the settings of a search, one row each |
//! | `algorithm` | `gumbel` or `puct`: root, selection below the root, final decision |
//! | `moves_left` | bonus for shorter wins and longer losses |
//! | `evaluate`, `evaluators` | interface to networks; evaluators without a network |
//! | `cache` | cached evaluations |
//! | `node`, `tree` | nodes, arenas, backup of values and proofs |
//! | `root`, `scratch` | root moves and child statistics as the algorithms read them |
//! | `mask` | moves that a side may not play |
//! | `search` | the search loop; `search::reuse`, `tree::reuse`: tree reuse between moves |
//! | `answer`, `result` | result of a search |
//!
//! A search reports values for the side to move at the root. An evaluator returns values for the
//! side to move at the leaf. The tree stores values for White, in the type `WhiteValue`. The
//! conversion depends on the side to move, never on the ply, because a side may have several
//! decisions in a row.

mod algorithm;
mod answer;
mod cache;
mod evaluate;
pub mod evaluators;
mod gumbel;
mod mask;
mod math;
mod moves_left;
mod node;
mod puct;
mod result;
mod root;
mod scratch;
mod search;
mod setting;
mod settings;
#[cfg(test)]
mod tests;
mod tree;

pub use cache::{Cached, EvaluationCache};
pub use evaluate::{Batch, EvaluationError, Evaluator, Leaf, QueuedEvaluator, Value};
pub use mask::{Mask, Masked, allowed_moves};
pub use math::softmax;
pub use result::{MoveStats, Outlook, Proven, SearchResult};
pub use search::Search;
pub use setting::{ConfigError, SettingValues, check_simulations};
pub use settings::{Algorithm, NoSimulations, SEARCH_DEFAULTS, SearchConfig, SettingRow};

use catapult_rules::Position;

/// Runs a search to its end and returns its result. The caller must call [`Search::start`] first.
///
/// # Errors
/// The first failed evaluation. The search is then incomplete.
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
