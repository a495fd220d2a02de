//! A search without a network, for benchmarks.

use crate::evaluators::Uniform;
use crate::{EvaluationError, Search, SearchConfig, run};
use catapult_rules::Position;

/// Runs one search from the start position with the uniform evaluator. Returns the number of
/// simulations, which is lower than `simulations` if memory runs out. Repeated calls may pass the
/// same `search`.
///
/// # Errors
/// Never: the uniform evaluator does not fail.
pub fn uniform_search<P: Position>(
    search: &mut Search<P>,
    rules: P::Rules,
    config: &SearchConfig,
    simulations: u32,
) -> Result<u32, EvaluationError> {
    search.set_config(config.clone());
    search.start_at(P::start(rules), 0, &[], simulations, 0);
    Ok(run(search, &mut Uniform)?.simulations)
}
