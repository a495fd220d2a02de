//! Throughput of this machine, measured by a few seconds of play.

use crate::StudyError;
use crate::agents::check_taken;
use crate::config::{AgentConfig, StudyFile};
use crate::matches::MatchUnit;
use crate::units::{PLIES, StageUnit};
use catapult_arena::{PlayerSpec, moves_per_second};
use catapult_encoding::layout;
use catapult_mcts::SearchConfig;
use catapult_measures::Arm;
use catapult_network::{Architecture, Device, Network, NetworkInfo, usable_threads};
use catapult_rules::Variant;
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings};
use catapult_training::{TrainingError, play_shard_of};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time for which self-play with each network architecture is measured.
const MEASURED: Duration = Duration::from_secs(3);

/// Minimum duration of the measurement of each player without a network, per arm. At least one move
/// is measured.
const PLAYER_MEASURED: Duration = Duration::from_millis(300);

/// Throughput of this machine, of all playing threads together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Throughput {
    /// Evaluations per second, by name of the agent.
    pub agents: Vec<(String, f64)>,
    /// Moves per second of each opponent without a network, by rule set. The rate is the sum over
    /// all games that the machine plays at once. The random player is not measured.
    pub players: Vec<(PlayerSpec, Variant, f64)>,
}

impl Throughput {
    /// Measures the evaluations per second of every agent's network, and the moves per second of
    /// every opponent without a network.
    ///
    /// # Errors
    /// A training config or a network cannot be read. A player cannot be measured.
    pub fn measure(study: &StudyFile) -> Result<Throughput, StudyError> {
        let machine = &study.config.machine;
        let (device, threads) = (machine.device.choose()?, usable_threads(machine.threads));
        let mut measured: Vec<(Architecture, f64)> = Vec::new();
        let mut throughput = Throughput::default();
        for agent in &study.config.agents {
            let architecture = architecture(study, agent)?;
            let pace = match measured.iter().find(|(known, _)| *known == architecture) {
                Some(&(_, pace)) => pace,
                None => {
                    let pace = evaluations(&agent.arms, &architecture, device, threads)?;
                    measured.push((architecture, pace));
                    pace
                }
            };
            throughput.agents.push((agent.name.clone(), pace));
        }
        for unit in MatchUnit::strength(&study.config) {
            let Some((arm, player, _)) = unit.cost(PLIES).moves else { continue };
            if throughput.players.iter().any(|(known, of, _)| *known == player && *of == arm) {
                continue;
            }
            // If networks play on a GPU, matches are played one at a time.
            let is_on_gpu = measured.iter().any(|(known, _)| device.playing(known).is_cuda());
            let at_once = if is_on_gpu { 1 } else { threads };
            let pace = moves_per_second(arm, &player, Device::Cpu, PLAYER_MEASURED, PLIES as usize);
            let pace = pace.map_err(|error| StudyError::unit(unit.file_name(), error))?;
            throughput.players.push((player, arm, pace * at_once as f64));
        }
        Ok(throughput)
    }

    /// Returns the hours that networks of an agent need for a number of evaluations. NaN if the
    /// agent was not measured.
    pub(crate) fn hours(&self, agent: &str, evaluations: u64) -> f64 {
        let pace = self.agents.iter().find(|(name, _)| name == agent).map_or(f64::NAN, |(_, pace)| *pace);
        evaluations as f64 / pace / 3600.0
    }

    /// Returns the moves per second of a player without a network. NaN if it was not measured in
    /// this arm.
    pub fn of_player(&self, arm: Variant, player: &PlayerSpec) -> f64 {
        let found = self.players.iter().find(|(known, of, _)| known == player && *of == arm);
        found.map_or(f64::NAN, |(_, _, pace)| *pace)
    }
}

fn architecture(study: &StudyFile, agent: &AgentConfig) -> Result<Architecture, StudyError> {
    if let Some(config) = study.training(agent, agent.seeds[0])? {
        return Ok(config.network);
    }
    Ok(NetworkInfo::read(&check_taken(study, agent)?[0])?.architecture)
}

/// Returns the evaluations per second of all threads together, measured in self-play with an
/// untrained network of this architecture.
fn evaluations(
    arms: &[Arm],
    architecture: &Architecture,
    device: Device,
    threads: usize,
) -> Result<f64, StudyError> {
    let mut arms: Vec<Variant> = arms.iter().map(|arm| arm.rules).collect();
    arms.dedup();
    // All arms of an agent have one layout.
    let network = Network::untrained(architecture.clone(), layout(arms[0]), 1)?;
    let (counters, stop) = (Counters::default(), AtomicBool::new(false));
    let selfplay = SelfPlayConfig { fork_share: 0.0, ..Default::default() };
    let search = SearchConfig { gumbel_scale: 1.0, ..SearchConfig::default() };
    let began = Instant::now();
    std::thread::scope(|scope| {
        let play = |seed: u64| {
            let settings = ShardSettings {
                selfplay: &selfplay,
                search: &search,
                // More games than the measurement can finish.
                games: 1_000_000,
                slots: 32,
                seed,
                network: "",
                endings: None,
            };
            match play_shard_of(&arms, &settings, &network, device, &counters, &stop) {
                Ok(_) | Err(TrainingError::Stopped) => Ok(()),
                Err(error) => Err(StudyError::from(error)),
            }
        };
        let playing: Vec<_> = (0..threads as u64).map(|seed| scope.spawn(move || play(seed))).collect();
        std::thread::sleep(MEASURED);
        stop.store(true, Ordering::Relaxed);
        let mut results = playing.into_iter().map(|thread| thread.join());
        results.try_for_each(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(counters.evaluations.load(Ordering::Relaxed).max(1) as f64 / began.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_measured_by_play() {
        let architecture = toml::from_str("channels = 8\nblocks = 1\n").unwrap();
        let pace = evaluations(&[Variant::Chess.into()], &architecture, Device::Cpu, 2).unwrap();
        assert!(pace > 10.0, "{pace}");
    }
}
