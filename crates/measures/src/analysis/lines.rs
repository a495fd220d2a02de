//! Lines of moves drawn from a prior, and their entropy.
//!
//! The entropy of lines of n plies is the expected sum of the entropies of their moves (chain
//! rule). The mean of that sum over drawn lines is therefore an unbiased estimate. Tomašev et al.
//! 2020 report the same quantity for AlphaZero's openings. A line is shorter if its game ends. In
//! games that begin with set-up moves, these moves are drawn first, in the same way. They are not
//! part of the line.

use super::priors::{Priors, entropy, priors};
use crate::games::StudiedGame;
use catapult_mcts::{EvaluationError, Evaluator};
use catapult_rules::{Game, Move};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// A line of drawn moves. It stores only the entropy of the move probabilities at each ply.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct OpeningLine {
    /// Entropy of the move probabilities in nats, one value per ply. There are fewer values than
    /// requested if the game ended.
    pub entropies: Vec<f32>,
}

/// Draws `lines` lines of at most `plies` plies from the start of the game, after any set-up moves.
/// All moves, including the set-up moves, are drawn from `priors`. All lines grow together, so that
/// each call of `priors` covers many games.
pub(super) fn draw_lines<P: StudiedGame>(
    rules: P::Rules,
    lines: u32,
    plies: usize,
    seed: u64,
    mut priors: impl FnMut(&[&Game<P>]) -> Result<Priors, EvaluationError>,
) -> Result<Vec<OpeningLine>, EvaluationError> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut games = vec![Game::new(P::start(rules)); lines as usize];
    set_up(&mut games, &mut priors, &mut rng)?;
    let mut drawn = vec![OpeningLine::default(); games.len()];
    for _ in 0..plies {
        let open = games.iter_mut().zip(&mut drawn).filter(|(game, _)| game.outcome().is_none());
        let (mut open, lines): (Vec<_>, Vec<_>) = open.unzip();
        let entropies = ply(&mut open, &mut priors, &mut rng)?;
        lines.into_iter().zip(entropies).for_each(|(line, entropy)| line.entropies.push(entropy as f32));
    }
    Ok(drawn)
}

/// Plays the set-up moves of all games. They are drawn from `priors`.
fn set_up<P: StudiedGame>(
    games: &mut [Game<P>],
    priors: &mut impl FnMut(&[&Game<P>]) -> Result<Priors, EvaluationError>,
    rng: &mut impl Rng,
) -> Result<(), EvaluationError> {
    while games.first().is_some_and(is_setting_up) {
        ply(&mut games.iter_mut().collect::<Vec<_>>(), priors, rng)?;
    }
    Ok(())
}

/// Returns true if the next move of the game is a set-up move.
fn is_setting_up<P: StudiedGame>(game: &Game<P>) -> bool {
    let position = game.position();
    position.legal_moves().first().is_some_and(|mv| position.is_setup(*mv))
}

/// Draws one move per game from its prior and plays it. Returns the entropy of each prior in nats.
fn ply<P: StudiedGame>(
    games: &mut [&mut Game<P>],
    priors: &mut impl FnMut(&[&Game<P>]) -> Result<Priors, EvaluationError>,
    rng: &mut impl Rng,
) -> Result<Vec<f64>, EvaluationError> {
    let priors = priors(&games.iter().map(|game| &**game).collect::<Vec<_>>())?;
    for (game, prior) in games.iter_mut().zip(&priors) {
        let mv = draw(&game.position().legal_moves(), prior, rng);
        game.push(mv);
    }
    Ok(priors.into_iter().map(entropy).collect())
}

/// Returns games after their set-up moves. In a game that begins with set-up moves, these are
/// `most` games, with set-up moves drawn from the prior. Otherwise it is one game.
pub(super) fn starts<P: StudiedGame>(
    rules: P::Rules,
    evaluator: &mut dyn Evaluator<P>,
    most: u32,
    seed: u64,
) -> Result<Vec<Game<P>>, EvaluationError> {
    let start = Game::new(P::start(rules));
    let count = if is_setting_up(&start) { most as usize } else { 1 };
    let mut games = vec![start; count];
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    set_up(&mut games, &mut |open| priors(evaluator, open), &mut rng)?;
    Ok(games)
}

/// Draws one of `moves`, with one probability per move in `prior`. `moves` must not be empty.
fn draw(moves: &[Move], prior: &[f64], rng: &mut impl Rng) -> Move {
    let mut left = rng.random::<f64>();
    for (&mv, &p) in moves.iter().zip(prior) {
        left -= p;
        if left < 0.0 {
            return mv;
        }
    }
    // Rounding can make the probabilities sum to slightly less than 1.
    moves[moves.len() - 1]
}
