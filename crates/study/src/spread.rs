//! A study's units by name, for those who spread a study over machines: which can be made now, and how one is made. The report is no unit:
//! when there is none left, `catapult study run` finds all of them and writes it.
//!
//! | name | kind |
//! |---|---|
//! | `agents/plain-1/generation-0003/learn` and the other units of the runs of agents | as [there](catapult_training::units) |
//! | `games/<cell>/shard-0000` | `games` |
//! | `matches/<match>` | `match` |
//! | `endings/<cell>.<ending>` | `endings` |
//! | `analyses/<cell>` | `analysis` |

use crate::StudyError;
use crate::agents::{agent_location, complete};
use crate::config::StudyFile;
use crate::exact::check_tables;
use crate::folder::{Folder, STUDY_FILE};
use crate::play::GamesUnit;
use crate::progress::StudyProgress;
use crate::units::{Stage, StageUnit, Visitor};
use catapult_measures::data::NetworkId;
use catapult_selfplay::Counters;
use catapult_store::Location;
use catapult_training::units as runs;
use catapult_training::units::{Made, OpenUnit};
use catapult_training::{Machine, TrainingError};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Begins a study and the runs of its agents, and registers it, if that has not been done. Paths in its file, of networks that it
/// takes and of tables, must lead to the same on all machines.
///
/// # Errors
/// As [`Folder::open`]; an agent's config that can't be used.
pub fn begin(study: &StudyFile, location: &Location) -> Result<(), StudyError> {
    let folder = Folder::open(location.clone(), study)?;
    for (agent, id) in agents(study) {
        if let Some(config) = study.training(agent, id.seed)? {
            runs::begin(&agent_location(&folder, &id), &config)?;
        }
    }
    folder.begin(study)
}

fn agents(study: &StudyFile) -> impl Iterator<Item = (&crate::config::AgentConfig, NetworkId)> {
    study.config.agents.iter().flat_map(|agent| {
        agent.seeds.iter().map(move |&seed| (agent, NetworkId { agent: agent.name.clone(), seed }))
    })
}

/// Whether a study has been begun there for several machines.
///
/// # Errors
/// The place can't be read.
pub fn is_study(location: &Location) -> Result<bool, StudyError> {
    Ok(location.has(&location.dir().join(STUDY_FILE))?)
}

/// The units of a study that can be made now: none when only the report is missing. First those of the agents' runs, then those that
/// need nothing but networks, then those that need the games.
///
/// # Errors
/// There is no study; what can't be read.
pub fn open_units(
    location: &Location,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<Vec<OpenUnit>, StudyError> {
    let (study, folder) = Folder::join(location.clone())?;
    let mut list = List(Vec::new());
    for (_, id) in agents(&study).filter(|(agent, _)| agent.train.is_some()) {
        for unit in runs::open_units(&agent_location(&folder, &id))? {
            list.0.push(OpenUnit { unit: format!("agents/{id}/{}", unit.unit), ..unit });
        }
    }
    if !list.0.is_empty() {
        return Ok(list.0);
    }
    show(&study, &folder, progress, stop, &mut list, |list| list.0.is_empty())?;
    Ok(list.0)
}

/// Makes a unit of a study and publishes it, or finds it there.
///
/// # Errors
/// A name of none; what it is made of is not there yet; what playing says. [`StudyError::is_passing`] tells which may pass.
pub fn make_unit(
    location: &Location,
    name: &str,
    machine: &Machine,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<Made, StudyError> {
    let (mut study, folder) = Folder::join(location.clone())?;
    machine.apply(&mut study.config.machine.threads, &mut study.config.machine.device)?;
    for (_, id) in agents(&study) {
        if let Some(unit) = name.strip_prefix(&format!("agents/{id}/")) {
            let location = agent_location(&folder, &id);
            return Ok(runs::make_unit(&location, unit, machine, progress, stop)?);
        }
    }
    let mut one = One { name, is_new: None };
    let needs_games = name.starts_with("analyses/");
    show(&study, &folder, progress, stop, &mut one, |one| one.is_new.is_none() && needs_games)?;
    let is_new = one.is_new.ok_or_else(|| {
        let reason = "the study has no such unit".to_owned();
        TrainingError::NoUnit { name: name.to_owned(), reason }
    })?;
    Ok(Made::on(&study.config.machine.device, is_new)?)
}

/// Shows a visitor all units behind those of the agents' runs; those that need games only if it is asked for then.
fn show<V: Visitor>(
    study: &StudyFile,
    folder: &Folder,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
    visitor: &mut V,
    wants_analyses: impl FnOnce(&V) -> bool,
) -> Result<(), StudyError> {
    let networks = complete(study, folder)?.ok_or_else(|| {
        TrainingError::NotYet(format!("{}: the last network of an agent", folder.dir().display()))
    })?;
    let config = &study.config;
    let tables: Option<PathBuf> = config.endings.as_ref().map(|endings| study.resolve(&endings.tables));
    if let Some(tables) = &tables {
        check_tables(config, tables)?;
    }
    let stage = Stage { config, folder, networks: &networks, progress, stop };
    let goes_on = visitor.visit(&stage, &GamesUnit::all(config))?
        && stage.visit_matches(visitor)?
        && tables.map_or(Ok(true), |tables| stage.visit_endings(&tables, visitor))?;
    if goes_on && wants_analyses(visitor) {
        for unit in &GamesUnit::all(config) {
            if !unit.is_there(&stage)? {
                return Err(TrainingError::NotYet(unit.name()).into());
            }
        }
        let cells = stage.games()?;
        stage.visit_analyses(&cells, visitor)?;
    }
    Ok(())
}

/// Lists what is not there.
struct List(Vec<OpenUnit>);

impl Visitor for List {
    fn visit<U: StageUnit>(&mut self, stage: &Stage<'_>, units: &[U]) -> Result<bool, StudyError> {
        for unit in units {
            if !unit.is_there(stage)? {
                let (unit, expected) = (unit.name(), unit.expected());
                self.0.push(OpenUnit { unit, kind: U::KIND, threads: 1, expected });
            }
        }
        Ok(true)
    }
}

/// Finds or makes the one of a name.
struct One<'a> {
    name: &'a str,
    is_new: Option<bool>,
}

impl Visitor for One<'_> {
    fn visit<U: StageUnit>(&mut self, stage: &Stage<'_>, units: &[U]) -> Result<bool, StudyError> {
        let Some(unit) = units.iter().find(|unit| unit.name() == self.name) else { return Ok(true) };
        let is_there = unit.is_there(stage)? || unit.find(stage)?.is_some();
        if !is_there {
            unit.make(stage, &Counters::default())?;
        }
        self.is_new = Some(!is_there);
        Ok(false)
    }
}
