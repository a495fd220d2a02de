//! Lines drawn from a prior, and the entropy along them.
//!
//! By the chain rule the entropy of lines of n plies is the expected sum of the entropies of the move to come at each
//! of their plies, so the mean of that sum over lines drawn from the same distribution estimates it without bias
//! (Tomasev et al. 2020 give the same quantity for AlphaZero's openings). A line that has ended adds nothing.

use super::priors::{entropy, priors};
use catapult_mcts::{EvaluationError, Evaluator};
use catapult_rules::{Game, Move, Position};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// A line and what was open at each of its plies.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct OpeningLine {
    /// The entropy of the move to come, nats; as many as the line has plies.
    pub entropies: Vec<f32>,
}

impl OpeningLine {
    /// Their sum.
    pub fn total(&self) -> f64 {
        self.entropies.iter().map(|&entropy| f64::from(entropy)).sum()
    }
}

/// Draws lines from the start, each move from the evaluator's prior at temperature 1.
///
/// # Errors
/// What the evaluator reports.
pub fn sample_lines<P: Position>(
    rules: P::Rules,
    evaluator: &mut dyn Evaluator<P>,
    lines: u32,
    plies: usize,
    seed: u64,
) -> Result<Vec<OpeningLine>, EvaluationError> {
    follow(P::start(rules), lines, plies, seed, |open| priors(evaluator, open))
}

/// The same for play in which all legal moves are equally likely.
pub fn uniform_lines<P: Position>(rules: P::Rules, lines: u32, plies: usize, seed: u64) -> Vec<OpeningLine> {
    let equal = |game: &&Game<P>| {
        let count = game.position().count_legal_moves();
        vec![1.0 / count as f64; count]
    };
    let drawn = follow(P::start(rules), lines, plies, seed, |open| {
        Ok::<_, std::convert::Infallible>(open.iter().map(equal).collect())
    });
    match drawn {
        Ok(lines) => lines,
        Err(never) => match never {},
    }
}

/// Draws all lines side by side, so that one call of the evaluator serves a ply of all of them.
fn follow<P: Position, E>(
    start: P,
    lines: u32,
    plies: usize,
    seed: u64,
    mut priors: impl FnMut(&[&Game<P>]) -> Result<Vec<Vec<f64>>, E>,
) -> Result<Vec<OpeningLine>, E> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut drawn: Vec<(Game<P>, OpeningLine)> =
        (0..lines).map(|_| (Game::new(start), OpeningLine::default())).collect();
    for _ in 0..plies {
        let mut open: Vec<_> = drawn.iter_mut().filter(|(game, _)| game.outcome().is_none()).collect();
        let games: Vec<&Game<P>> = open.iter().map(|(game, _)| game).collect();
        let priors = priors(&games)?;
        for ((game, line), prior) in open.iter_mut().zip(priors) {
            line.entropies.push(entropy(prior.iter().copied()) as f32);
            let mv = draw(&game.position().legal_moves(), &prior, &mut rng);
            game.push(mv);
        }
    }
    Ok(drawn.into_iter().map(|(_, line)| line).collect())
}

/// Draws a move; a game that is not over has one.
fn draw(moves: &[Move], prior: &[f64], rng: &mut impl Rng) -> Move {
    let mut left = rng.random::<f64>();
    for (&mv, &p) in moves.iter().zip(prior) {
        left -= p;
        if left < 0.0 {
            return mv;
        }
    }
    // Rounding: the probabilities add up to a little less than 1.
    moves[moves.len() - 1]
}
