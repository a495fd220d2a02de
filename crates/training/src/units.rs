//! Units of a run, by name. A unit is a part of a run that one machine can build. This module lists
//! the units that are ready and builds them, so that several machines can share a run.
//!
//! | name | kind | result |
//! |---|---|---|
//! | `generation-0003/shard-0002` | `games` | shard, played by the network of generation 2 |
//! | `generation-0003/learn` | `learn` | network of generation 3 (0: untrained, or `initial`) |
//! | `matches/trained-64-random` | `match` | final match |
//!
//! The published files determine which units are ready. Processes that list units and processes
//! that build them need no other communication.

use crate::evaluate::{check_opponents, match_units};
use crate::games::{ShardId, play_one};
use crate::progress::{Progress, Silent, Watch};
use crate::run::Run;
use crate::train::{open, train_on};
use crate::{Machine, TrainConfig, TrainingError};
use catapult_network::{Device, EvaluatorSettings, part_rows};
use catapult_records::mark_name;
use catapult_store::{Location, Unit};
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// Kind of a unit, by the work that builds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A shard of games that a network plays.
    Games,
    /// A network that is trained on games.
    Learn,
    /// A match between two players.
    Match,
    /// Games of a network from endgame positions that tablebases cover.
    Endings,
    /// Analysis of a network.
    Analysis,
}

/// Unit that is ready to be built: it does not exist, and all its inputs exist.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OpenUnit {
    /// Name of the unit, such as `generation-0003/shard-0002`.
    pub unit: String,
    /// Kind of the unit.
    pub kind: Kind,
    /// Maximum number of threads that the unit can use on a CPU. The kind `Learn` has one more,
    /// which encodes batches.
    pub threads: u32,
    /// Expected amount of work: in games for a unit of a run, in evaluations for any other unit of
    /// a study.
    pub expected: u64,
}

/// Creates the run at `location` with `config`, unless it exists.
///
/// # Errors
/// Another run or something else is at `location`, an opponent of the final matches cannot play, the
/// network or the tablebases that a new run reads cannot be used, or a file cannot be written.
pub fn begin(location: &Location, config: &TrainConfig) -> Result<(), TrainingError> {
    check_opponents(config)?;
    open(location.clone(), config).map(drop)
}

/// Returns the units of a run that are ready to be built. Empty if all units exist.
///
/// # Errors
/// The run does not exist or cannot be read.
pub fn open_units(location: &Location) -> Result<Vec<OpenUnit>, TrainingError> {
    let run = Run::join(location.clone())?;
    let config = run.config();
    let reports = run.reports()?;
    if let Some(last) = config.ends_with(&reports) {
        let never = AtomicBool::new(false);
        let units = match_units(config, location, last, Watch { progress: &Silent, stop: &never })?;
        let mut open = Vec::new();
        for unit in &units {
            if unit.find()?.is_none() {
                let games = unit.expected();
                open.push(OpenUnit {
                    unit: unit.unit(),
                    kind: Kind::Match,
                    // Each thread plays pairs of games.
                    threads: games.div_ceil(2).try_into().unwrap_or(u32::MAX),
                    expected: games,
                });
            }
        }
        return Ok(open);
    }
    let next = reports.len() as u32;
    let mut open = Vec::new();
    // With a lag, games of later generations need not wait.
    for generation in next..=config.last_with_games(next) {
        if generation > 0 && config.player(generation) >= next {
            continue;
        }
        let missing = missing_shards(&run, generation)?;
        if missing.is_empty() && generation == next {
            open.push(OpenUnit {
                unit: learn_name(generation),
                kind: Kind::Learn,
                threads: learning_threads(config),
                expected: config.games.per_generation,
            });
        }
        open.extend(missing.into_iter().map(|id| OpenUnit {
            unit: format!("generation-{generation:04}/{}", id.name()),
            kind: Kind::Games,
            threads: 1,
            expected: id.games(config),
        }));
    }
    Ok(open)
}

/// Returns the shards of a generation that have not been published. Generation 0 has no shards.
fn missing_shards(run: &Run, generation: u32) -> Result<Vec<ShardId>, TrainingError> {
    if generation == 0 {
        return Ok(Vec::new());
    }
    let there = run.location().names(&run.games(generation))?;
    let shards = (0..run.config().games.shards).map(|shard| ShardId { generation, shard });
    Ok(shards.filter(|id| !there.contains(&mark_name(&id.name()))).collect())
}

fn learn_name(generation: u32) -> String {
    format!("generation-{generation:04}/learn")
}

/// Returns the number of threads that a training step can use, 1 to 64. The step is split into
/// parts of at least [`part_rows`] samples.
fn learning_threads(config: &TrainConfig) -> u32 {
    (config.learning.batch_rows / part_rows(&config.network)).clamp(1, 64) as u32
}

/// Result of building a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltUnit {
    /// True if this call built the unit. False if the unit existed.
    pub is_new: bool,
    /// Name of the numeric kernel with which the calling machine plays. If the unit existed, another
    /// kernel may have built it.
    pub kernel: String,
}

impl BuiltUnit {
    /// Creates the result of a unit on a device.
    pub fn on(device: Device, is_new: bool) -> BuiltUnit {
        BuiltUnit { is_new, kernel: EvaluatorSettings::on(device).kernel() }
    }
}

/// Builds and publishes the unit `name` of the run at `location`, unless it exists. `machine`
/// overwrites the machine settings of the run's config.
///
/// # Errors
/// The run has no such unit. [`TrainingError::NotYet`] if an input is missing.
/// [`TrainingError::Stopped`] soon after `stop` becomes true. Other errors come from training or
/// playing. If [`TrainingError::is_transient`] is true, another attempt may succeed.
pub fn make_unit(
    location: &Location,
    name: &str,
    machine: &Machine,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<BuiltUnit, TrainingError> {
    let mut run = Run::join(location.clone())?;
    run.with_machine(machine);
    let device = run.config().playing_device()?;
    Ok(BuiltUnit::on(device, find_or_make(&run, name, Watch { progress, stop })?))
}

/// Builds the unit `name` of a run unless it exists. Returns true if this call built it.
fn find_or_make(run: &Run, name: &str, watch: Watch<'_>) -> Result<bool, TrainingError> {
    let (config, location) = (run.config(), run.location());
    let no_unit = |reason: &str| TrainingError::Other(format!("{name}: {reason}"));
    if name.starts_with("matches/") {
        let last = config.ends_with(&run.reports()?);
        let last = last.ok_or_else(|| TrainingError::NotYet(format!("{name}: the last generation")))?;
        for generation in [0, last] {
            run.bring_network(generation)?;
        }
        let units = match_units(config, location, last, watch)?;
        let unit = units.iter().find(|unit| unit.unit() == name);
        let unit = unit.ok_or_else(|| no_unit("the run has no such match"))?;
        let is_there = unit.find()?.is_some();
        if !is_there {
            unit.make()?;
        }
        return Ok(!is_there);
    }
    let parts = name.strip_prefix("generation-").and_then(|rest| rest.split_once('/'));
    let (generation, part) = parts.ok_or_else(|| {
        no_unit("the units of a run are generation-NNNN/shard-NNNN, generation-NNNN/learn and matches/NAME")
    })?;
    let generation: u32 = generation.parse().map_err(|_| no_unit("its generation is not a number"))?;
    if generation > config.generations {
        return Err(no_unit(&format!("the run has {} generations", config.generations)));
    }
    if let Some(last) = config.ends_with(&run.reports()?).filter(|&last| generation > last) {
        return Err(no_unit(&format!("the run ended with generation {last}, which spent its budget")));
    }
    if part == "learn" {
        return learn_unit(run, generation, watch);
    }
    let shard = part.strip_prefix("shard-").and_then(|shard| shard.parse().ok());
    let shard: u32 = shard.ok_or_else(|| no_unit("the units of a generation are shard-NNNN and learn"))?;
    if generation == 0 || shard >= config.games.shards {
        let shards = config.games.shards;
        return Err(no_unit(&format!(
            "the run has {shards} shards per generation, numbered from 0; generation 0 has none"
        )));
    }
    let player = config.player(generation);
    if run.report(player)?.is_none() {
        return Err(TrainingError::NotYet(format!("{name}: the network of generation {player}")));
    }
    let id = ShardId { generation, shard };
    play_one(run, id, watch)
}

fn learn_unit(run: &Run, generation: u32, watch: Watch<'_>) -> Result<bool, TrainingError> {
    if run.report(generation)?.is_some() {
        return Ok(false);
    }
    if generation > 0 && run.report(generation - 1)?.is_none() {
        let (learn, before) = (learn_name(generation), generation - 1);
        return Err(TrainingError::NotYet(format!("{learn}: the network of generation {before}")));
    }
    if let Some(missing) = missing_shards(run, generation)?.first() {
        return Err(TrainingError::NotYet(format!("{}: {}", learn_name(generation), missing.name())));
    }
    train_on(&run.locked()?, generation, watch)?;
    Ok(true)
}
