//! Players that use tree search.

use crate::player::{Player, PlayerError, Turn};
use crate::reply::Reply;
use catapult_mcts::{Batch, EvaluationError, Evaluator, Search, SearchConfig, SearchResult};
use catapult_rules::Position;

/// Number of leaves at which a batch is evaluated without waiting for leaves of more games. It is
/// large enough for the best throughput of any evaluator. It is small enough for the evaluator's
/// buffers.
const BATCH_LEAVES: usize = 512;

/// Scale of the Gumbel noise that breaks ties. It is smaller than every meaningful difference
/// between moves.
const TIE_BREAK: f32 = 1e-3;

/// Boxed evaluator. Because all evaluators have this one type, the search is compiled only once per
/// game type.
pub(crate) type AnyEvaluator<P> = Box<dyn Evaluator<P>>;

/// Plays the best move of a tree search, without temperature. Noise only breaks ties. The player
/// builds a new tree for each move.
pub(crate) struct SearchPlayer<P: Position> {
    evaluator: AnyEvaluator<P>,
    config: SearchConfig,
    simulations: u32,
    searches: Vec<Search<P>>,
    batch: Batch<P>,
}

/// Returns `config` with a small noise that breaks ties by the search's seed. It is for evaluators
/// that may give many moves equal logits, such as untrained networks.
///
/// Without the noise, the search would visit only the first moves of the list, and `uniform` would
/// lose to a random player. PUCT has no such noise.
pub fn breaking_ties(config: SearchConfig) -> SearchConfig {
    SearchConfig { gumbel_scale: TIE_BREAK, ..config }
}

impl<P: Position> SearchPlayer<P> {
    /// Creates a player with `simulations` per move and the settings in `config`. The settings must
    /// be valid ([`SearchConfig::validate`]).
    pub(crate) fn new(evaluator: AnyEvaluator<P>, config: SearchConfig, simulations: u32) -> Self {
        SearchPlayer { evaluator, config, simulations, searches: Vec::new(), batch: Batch::default() }
    }

    /// Searches the position of each turn. Leaves of all searches share batches. Returns one result
    /// per turn, in their order.
    fn search(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<SearchResult>, EvaluationError> {
        if self.searches.len() < turns.len() {
            self.searches.resize_with(turns.len(), || Search::new(self.config));
        }
        for (search, turn) in self.searches.iter_mut().zip(turns) {
            search.set_mask(turn.mask);
            search.start(turn.game, self.simulations, turn.seed);
        }
        self.batch.clear();
        let mut asked = Vec::new();
        let mut open: Vec<usize> = (0..turns.len()).collect();
        while !open.is_empty() {
            for &i in &open {
                let first = self.batch.leaves.len();
                if self.searches[i].gather(&mut self.batch) > 0 {
                    asked.push((i, first));
                }
                if self.batch.leaves.len() >= BATCH_LEAVES {
                    self.answer(&mut asked)?;
                }
            }
            self.answer(&mut asked)?;
            open.retain(|&i| !self.searches[i].is_done());
        }
        Ok(self.searches[..turns.len()].iter().map(Search::result).collect())
    }

    /// Evaluates the batch and applies the evaluations to the searches. `asked` lists the searches
    /// with leaves in the batch, each with the index of its first leaf. Afterwards the batch and
    /// `asked` are empty.
    fn answer(&mut self, asked: &mut Vec<(usize, usize)>) -> Result<(), EvaluationError> {
        if !asked.is_empty() {
            self.evaluator.evaluate(&mut self.batch)?;
            for (search, first) in asked.drain(..) {
                self.searches[search].apply(&self.batch, first);
            }
            self.batch.clear();
        }
        Ok(())
    }
}

impl<P: Position> Player<P> for SearchPlayer<P> {
    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError> {
        let reply = |found: SearchResult| found.best.map(Reply::from).ok_or(PlayerError::NoMove);
        self.search(turns)?.into_iter().map(reply).collect()
    }
}
