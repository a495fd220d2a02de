//! A network's prior: the softmax of its policy logits over the legal moves.

use catapult_mcts::{Batch, EvaluationError, Evaluator};
use catapult_rules::{Game, Position};
use std::collections::BTreeMap;

/// Maximum number of positions per evaluator call.
const BATCH: usize = 128;

/// Priors at the positions of games. Each prior has one probability per legal move, in the order of
/// `legal_moves`.
pub(super) type Priors = Vec<Vec<f64>>;

/// Returns the network's priors at the positions of unfinished games.
pub(super) fn priors<P: Position>(
    evaluator: &mut dyn Evaluator<P>,
    games: &[&Game<P>],
) -> Result<Priors, EvaluationError> {
    let mut found = Vec::with_capacity(games.len());
    let mut batch = Batch::default();
    for chunk in games.chunks(BATCH) {
        batch.clear();
        for game in chunk {
            let repetitions = game.repetitions().min(u8::MAX as usize) as u8;
            batch.push(*game.position(), repetitions, &game.position().legal_moves());
        }
        evaluator.evaluate(&mut batch)?;
        found.extend(batch.leaves.iter().map(|leaf| softmax(&batch.logits[leaf.range()])));
    }
    Ok(found)
}

/// Returns priors that give all moves of a position the same probability.
pub(super) fn equal<P: Position>(games: &[&Game<P>]) -> Priors {
    let counts = games.iter().map(|game| game.position().count_legal_moves());
    counts.map(|count| vec![1.0 / count as f64; count]).collect()
}

fn softmax(logits: &[f32]) -> Vec<f64> {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> = logits.iter().map(|&logit| f64::from(logit - max).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Returns the entropy -sum p ln p of `probabilities`, in nats.
pub(crate) fn entropy(probabilities: impl IntoIterator<Item = f64>) -> f64 {
    probabilities.into_iter().filter(|&p| p > 0.0).map(|p| -p * p.ln()).sum()
}

/// Returns the prior of the first move, averaged over the positions `starts`: moves as text with
/// their probabilities. The likeliest move comes first. Equally likely moves are in alphabetical
/// order.
pub(super) fn first_moves<P: Position>(
    evaluator: &mut dyn Evaluator<P>,
    starts: &[Game<P>],
) -> Result<Vec<(String, f64)>, EvaluationError> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    let priors = priors(evaluator, &starts.iter().collect::<Vec<_>>())?;
    for (start, prior) in starts.iter().zip(priors) {
        for (mv, p) in start.position().legal_moves().into_iter().zip(prior) {
            *sums.entry(start.position().move_text(mv)).or_default() += p / starts.len() as f64;
        }
    }
    let mut moves: Vec<(String, f64)> = sums.into_iter().collect();
    moves.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(moves)
}
