//! Work of a study on many machines, unit by unit. The functions list the units that can be built
//! now and build one of them by name.
//!
//! The report is not a unit. When no unit is left, `catapult study run` finds all units and writes
//! the report.
//!
//! | name | kind |
//! |---|---|
//! | `agents/plain-1/generation-0003/learn` and others | see [runs](catapult_training::units) |
//! | `games/<cell>/shard-0000` | `games` |
//! | `matches/<match>` | `match` |
//! | `endings/<cell>.<ending>` | `endings` |
//! | `analyses/<cell>` | `analysis` |

use crate::StudyError;
use crate::agents::{agent_location, check_taken, complete};
use crate::config::StudyFile;
use crate::folder::{Folder, STUDY_FILE};
use crate::play::GamesUnit;
use crate::progress::StudyProgress;
use crate::stages::stages;
use crate::trunks::check_generations;
use crate::units::{PLIES, Stage, StageUnit};
use catapult_selfplay::Counters;
use catapult_store::Location;
use catapult_training::units::{BuiltUnit, OpenUnit};
use catapult_training::{Machine, TrainingError, units as runs};
use std::sync::atomic::AtomicBool;

/// Creates the folder of a study and the runs of its agents, and registers the study. Steps that
/// have been done before are skipped. Paths of taken networks and of tablebases in the study's file
/// must be valid on all machines.
///
/// # Errors
/// [`Folder::open`] fails, a taken network is missing or invalid, or an agent's training config is
/// invalid or has another number of generations than the agent's run.
pub fn begin(study: &StudyFile, location: &Location) -> Result<(), StudyError> {
    for agent in &study.config.agents {
        check_taken(study, agent)?;
    }
    let folder = Folder::open(location.clone(), study)?;
    for (agent, id) in study.config.networks() {
        if let Some(config) = study.training(agent, id.seed)? {
            let run = agent_location(&folder, &id);
            check_generations(run.clone(), &config)?;
            runs::begin(&run, &config)?;
        }
    }
    folder.begin(study)
}

/// Returns true if the location contains a study's file.
///
/// # Errors
/// The location cannot be read.
pub fn is_study(location: &Location) -> Result<bool, StudyError> {
    Ok(location.has(&location.dir().join(STUDY_FILE))?)
}

/// Returns the units that can be built now.
///
/// While agents are in training, these are units of their runs. Next come units that need only
/// networks, then units that need the games. The list is empty if only the report is missing.
///
/// # Errors
/// There is no study, or a file cannot be read. An agent is not trained and none of its units can
/// be built.
pub fn open_units(
    location: &Location,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<Vec<OpenUnit>, StudyError> {
    let (study, folder) = Folder::join(location.clone())?;
    let mut open = Vec::new();
    for (_, id) in study.config.networks().filter(|(agent, _)| agent.train.is_some()) {
        for unit in runs::open_units(&agent_location(&folder, &id))? {
            open.push(OpenUnit { unit: format!("agents/{id}/{}", unit.unit), ..unit });
        }
    }
    if !open.is_empty() {
        return Ok(open);
    }
    let networks = complete(&study, &folder)?;
    let (config, tables) = (&study.config, study.tables()?);
    let stage = Stage { config, folder: &folder, networks: &networks, tables, progress, stop };
    for plan in stages(config) {
        // Units that need the games wait until everything else is built.
        if plan.needs_games() && !open.is_empty() {
            break;
        }
        for unit in &plan.units {
            if !unit.is_there(&stage)? {
                let expected = unit.cost(PLIES).evaluations;
                open.push(OpenUnit { unit: unit.name(), kind: plan.kind, threads: 1, expected });
            }
        }
    }
    Ok(open)
}

/// Builds and publishes the unit `name`, unless it exists. `machine` overrides the threads and
/// device of the study.
///
/// # Errors
/// The study has no unit of this name, the unit's inputs do not exist yet, or the work fails.
/// [`StudyError::is_transient`] returns true if a retry may succeed.
pub fn make_unit(
    location: &Location,
    name: &str,
    machine: &Machine,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<BuiltUnit, StudyError> {
    let (mut study, folder) = Folder::join(location.clone())?;
    machine.apply(&mut study.config.machine.threads, &mut study.config.machine.device);
    for (_, id) in study.config.networks() {
        if let Some(unit) = name.strip_prefix(&format!("agents/{id}/")) {
            let location = agent_location(&folder, &id);
            return Ok(runs::make_unit(&location, unit, machine, progress, stop)?);
        }
    }
    let networks = complete(&study, &folder)?;
    let (config, tables) = (&study.config, study.tables()?);
    let stage = Stage { config, folder: &folder, networks: &networks, tables, progress, stop };
    let device = stage.device()?;
    let plans = stages(config);
    let found =
        plans.iter().find_map(|plan| Some((plan, plan.units.iter().find(|unit| unit.name() == name)?)));
    let none = || StudyError::Other(format!("{name}: the study has no such unit"));
    let (plan, unit) = found.ok_or_else(none)?;
    if plan.needs_games() {
        for games in &GamesUnit::all(config) {
            if !games.is_there(&stage)? {
                return Err(TrainingError::NotYet(games.name()).into());
            }
        }
    }
    let is_there = unit.is_there(&stage)? || unit.is_whole(&stage)?;
    if !is_there {
        unit.build(&stage, &Counters::default())?;
    }
    Ok(BuiltUnit::on(device, !is_there))
}
