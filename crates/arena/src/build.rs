//! From a player's name to the player.

use crate::anchor::Anchor;
use crate::matches::{Contender, MakePlayer};
use crate::player::{AlphaBetaPlayer, PlayerError, RandomPlayer};
use crate::search_player::SearchPlayer;
use crate::spec::{BuiltInEvaluator, PlayerSpec};
use catapult_encoding::Encode;
use catapult_mcts::evaluators::{HashRandom, Material, Uniform};
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator, device};

/// Simulations, summed over the games that are played at once, whose trees are kept in memory side by side.
const SIMULATIONS_AT_ONCE: u32 = 4_000_000;

/// The player of this name as a contender of matches. A network's file is read here, so that a missing or wrong one
/// is told before any game. `device` is where networks run: `cpu`, `cuda`, `cuda:N` or `auto`, which takes CUDA where it
/// is. On the CPU a network answers the same on any number of threads, bit for bit; elsewhere that is not promised.
pub fn contender<P: Anchor + Encode>(
    spec: &PlayerSpec,
    device: &str,
) -> Result<Contender<'static, P>, PlayerError> {
    let make: MakePlayer<'static, P> = match *spec {
        PlayerSpec::Random => Box::new(|| Ok(Box::new(RandomPlayer))),
        PlayerSpec::AlphaBeta { depth, quiescence } => {
            Box::new(move || Ok(Box::new(AlphaBetaPlayer::new(depth, quiescence))))
        }
        PlayerSpec::Search { evaluator, simulations: n } => match evaluator {
            BuiltInEvaluator::Uniform => {
                Box::new(move || Ok(Box::new(SearchPlayer::with_tie_break(Uniform, n))))
            }
            BuiltInEvaluator::HashRandom => {
                Box::new(move || Ok(Box::new(SearchPlayer::new(HashRandom::default(), n))))
            }
            BuiltInEvaluator::Material => {
                Box::new(move || Ok(Box::new(SearchPlayer::with_tie_break(Material, n))))
            }
        },
        PlayerSpec::Network { ref file, simulations: n } => {
            let network = Network::load(file, &P::LAYOUT)?;
            let settings = EvaluatorSettings::on(device::choose(device)?);
            Box::new(move || {
                let evaluator = NetworkEvaluator::<P>::new(&network, settings)?;
                // An untrained network gives every move the same logit.
                Ok(Box::new(SearchPlayer::with_tie_break(evaluator, n)))
            })
        }
    };
    let games_at_once = match *spec {
        PlayerSpec::Random | PlayerSpec::AlphaBeta { .. } => usize::MAX,
        PlayerSpec::Search { simulations, .. } | PlayerSpec::Network { simulations, .. } => {
            (SIMULATIONS_AT_ONCE / simulations.max(1)).max(1) as usize
        }
    };
    Ok(Contender { name: spec.to_string(), make, games_at_once })
}
