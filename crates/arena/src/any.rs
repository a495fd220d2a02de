//! Searches in games of any variant. Their signatures have no types of a particular game, so their
//! code is compiled only in this crate, and not in every front end.

use crate::alphabeta::AlphaBeta;
use crate::build::contender;
use crate::player::{PlayerError, Turn};
use crate::spec::PlayerSpec;
use catapult_engine::{SessionThinker, Thinker};
use catapult_mcts::Cached;
use catapult_network::{Device, EvaluatorSettings, Network, NetworkError, NetworkEvaluator};
use catapult_rules::{AnyGame, Move, Variant, with_variant};

/// Returns the move of an alpha-beta search that is `depth` turns deep, or `None` if the game is
/// over. `seed` chooses between equal moves.
pub fn alphabeta_move(game: &dyn AnyGame, depth: u32, seed: u64) -> Option<Move> {
    with_variant!(game.variant(), |P, _rules| {
        let game = game.line::<P>()?.game();
        if game.outcome().is_some() { None } else { AlphaBeta::new(depth, false).analyse(&game).choose(seed) }
    })
}

/// Function that returns a player's move in a game. The number is the seed of its random choices.
pub type ChooseMove = Box<dyn FnMut(&dyn AnyGame, u64) -> Result<Move, PlayerError>>;

/// Returns a player of a variant as a function. Networks run on `device`.
///
/// # Errors
/// The errors of [`contender`], or the player can't be made. The returned function has the errors
/// of [`Player::choose`](crate::Player::choose). It also fails if the game has another variant.
pub fn choose_move(spec: &PlayerSpec, variant: Variant, device: Device) -> Result<ChooseMove, PlayerError> {
    with_variant!(variant, |P, _rules| {
        let mut player = (contender::<P>(spec, variant, device)?.make)()?;
        Ok(Box::new(move |game: &dyn AnyGame, seed| {
            let other = || PlayerError::Other(format!("the player does not play {}", game.variant()));
            let game = game.line::<P>().ok_or_else(other)?.game();
            let moves = player.choose(&[Turn::new(&game, seed)])?;
            moves.first().copied().ok_or(PlayerError::NoMove)
        }))
    })
}

/// Returns a search for games of a variant. `network` evaluates the positions, and at most `cached`
/// evaluations are cached.
///
/// # Errors
/// The network has another layout than the variant, or the settings need a device or a library that
/// is missing.
pub fn thinker(
    variant: Variant,
    network: &Network,
    settings: EvaluatorSettings,
    cached: usize,
) -> Result<Box<dyn Thinker>, NetworkError> {
    with_variant!(variant, |P, rules| {
        let evaluator = NetworkEvaluator::<P>::new(network, settings)?;
        Ok(Box::new(SessionThinker::<P, _>::new(rules, Cached::new(evaluator, cached))))
    })
}
