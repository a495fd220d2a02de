//! Makes players from their specs, which are parsed from names such as `alphabeta:2q`.

use crate::anchor::Anchor;
use crate::external::ExternalPlayer;
use crate::matches::{Contender, MakePlayer};
use crate::player::{AlphaBetaPlayer, PlayerError, RandomPlayer};
use crate::search_player::{AnyEvaluator, SearchPlayer, breaking_ties};
use crate::selective::{HandMade, SelectivePlayer};
use crate::session_player::SessionPlayer;
use crate::spec::{BuiltInEvaluator, PlayerSpec};
use catapult_encoding::Encode;
use catapult_mcts::evaluators::{HashRandom, Material, Uniform};
use catapult_mcts::{Cached, Evaluator, SearchConfig};
use catapult_network::{Device, EvaluatorSettings, Network, NetworkEvaluator};
use catapult_rules::{Position, Variant};

/// Maximum number of simulations per move, summed over all games in progress. The search trees of
/// these games are in memory at the same time.
const SIMULATIONS_AT_ONCE: u32 = 4_000_000;

/// Number of evaluations in the cache of a network player. Searches of consecutive moves evaluate
/// many of the same positions.
const REMEMBERED: usize = 1 << 16;

/// Creates the contender for a player's spec. A contender is a player's name with a function that
/// makes the player. Networks run on `device`.
///
/// This function reads the network's file, so a missing or invalid file is an error before any
/// game. The variant's name is sent to external programs. On the CPU, a network's evaluations are
/// bit-identical on any number of threads. Other devices do not guarantee this.
///
/// # Errors
/// The settings are invalid, or the network or device can't be used. A failed start of an external
/// program is an error only when the contender makes the player.
pub fn contender<P: Anchor + Encode>(
    spec: &PlayerSpec,
    variant: Variant,
    device: Device,
) -> Result<Contender<'static, P>, PlayerError> {
    let make: MakePlayer<'static, P> = match *spec {
        PlayerSpec::Random => Box::new(|| Ok(Box::new(RandomPlayer))),
        PlayerSpec::AlphaBeta { depth, quiescence, thousandths } => {
            Box::new(move || Ok(Box::new(AlphaBetaPlayer::new(depth, quiescence, thousandths))))
        }
        PlayerSpec::Search { evaluator, simulations, ref settings } => {
            let config = settings.config(simulations).map_err(PlayerError::Other)?;
            // Pseudo-random logits have no ties.
            let has_ties = evaluator != BuiltInEvaluator::HashRandom;
            let config = if has_ties { breaking_ties(config) } else { config };
            searching(config, simulations, move || Ok(evaluator.make()))
        }
        PlayerSpec::Network { ref file, simulations, ref settings } => {
            // An untrained network gives every move the same logit.
            let config = breaking_ties(settings.config(simulations).map_err(PlayerError::Other)?);
            let network = Network::load(file, &P::LAYOUT)?;
            let settings = EvaluatorSettings::on(device);
            searching(config, simulations, move || {
                Ok(cached(Box::new(NetworkEvaluator::<P>::new(&network, settings)?)))
            })
        }
        PlayerSpec::Clock { ref file, ref settings } => {
            let session = settings.settings().map_err(PlayerError::Other)?;
            let network = Network::load(file, &P::LAYOUT)?;
            let (compute, remember) = (EvaluatorSettings::on(device), settings.remember);
            Box::new(move || {
                let evaluator = NetworkEvaluator::<P>::new(&network, compute)?;
                let evaluator: AnyEvaluator<P> = Box::new(evaluator);
                let evaluator = if remember { cached(evaluator) } else { evaluator };
                Ok(Box::new(SessionPlayer::new(evaluator, session.clone())))
            })
        }
        PlayerSpec::Selective { file: None, nodes } => {
            Box::new(move || Ok(Box::new(SelectivePlayer::new(HandMade, nodes))))
        }
        PlayerSpec::Selective { file: Some(ref file), nodes } => {
            let network = Network::load(file, &P::LAYOUT)?;
            let settings = EvaluatorSettings::on(device);
            Box::new(move || {
                let evaluator: AnyEvaluator<P> = Box::new(NetworkEvaluator::<P>::new(&network, settings)?);
                Ok(Box::new(SelectivePlayer::new(evaluator, nodes)))
            })
        }
        PlayerSpec::External(ref spec) => {
            let (spec, variant) = (spec.clone(), variant.to_string());
            Box::new(move || Ok(Box::new(ExternalPlayer::new(&spec, &variant)?)))
        }
    };
    let games_at_once = match *spec {
        PlayerSpec::Random | PlayerSpec::AlphaBeta { .. } => usize::MAX,
        PlayerSpec::Search { simulations, .. } | PlayerSpec::Network { simulations, .. } => {
            games_at_once(simulations)
        }
        PlayerSpec::Selective { .. } | PlayerSpec::Clock { .. } | PlayerSpec::External(_) => 1,
    };
    Ok(Contender { name: spec.to_string(), make, games_at_once })
}

/// Returns the maximum number of games that a search player plays at the same time.
pub(crate) fn games_at_once(simulations: u32) -> usize {
    (SIMULATIONS_AT_ONCE / simulations.max(1)).max(1) as usize
}

impl BuiltInEvaluator {
    pub(crate) fn make<P: Position>(self) -> Box<dyn Evaluator<P> + Send> {
        match self {
            BuiltInEvaluator::Uniform => Box::new(Uniform),
            BuiltInEvaluator::HashRandom => Box::new(HashRandom::default()),
            BuiltInEvaluator::Material => Box::new(Material),
        }
    }
}

/// Returns a function that makes search players with `simulations` per move and the settings in
/// `config`.
pub(crate) fn searching<P: Position>(
    config: SearchConfig,
    simulations: u32,
    evaluator: impl Fn() -> Result<AnyEvaluator<P>, PlayerError> + Sync + 'static,
) -> MakePlayer<'static, P> {
    Box::new(move || Ok(Box::new(SearchPlayer::new(evaluator()?, config, simulations))))
}

/// Returns the evaluator with a cache, which does not affect results.
pub(crate) fn cached<P: Position>(evaluator: AnyEvaluator<P>) -> AnyEvaluator<P> {
    Box::new(Cached::new(evaluator, REMEMBERED))
}
