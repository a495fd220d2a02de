//! The networks of a study. Each agent of the study either has its networks trained or takes
//! existing ones.

use crate::StudyError;
use crate::config::{AgentConfig, StudyFile};
use crate::folder::Folder;
use crate::progress::StudyProgress;
use crate::trunks::{begin_fork, check_generations, train_trunks};
use catapult_encoding::layout;
use catapult_measures::data::{Checkpoint, NetworkId};
use catapult_measures::metrics::Training;
use catapult_measures::results::Caps;
use catapult_network::{Architecture, Network, NetworkInfo, file_hash};
use catapult_report::results::TrainedRun;
use catapult_rules::Outcome;
use catapult_store::Location;
use catapult_training::report::GenerationReport;
use catapult_training::run::{Run, read_reports};
use catapult_training::{TrainConfig, TrainingError, train};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Network file with its hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Architecture of the network.
    pub architecture: Architecture,
    /// BLAKE3 hash (hex) of the file's contents.
    pub hash: String,
}

impl NetworkFile {
    /// Returns the path for loading the file.
    ///
    /// # Errors
    /// The file was replaced after the study read it. Results would be stored under a wrong hash.
    pub(crate) fn to_load(&self) -> Result<&Path, StudyError> {
        if file_hash(&self.path)? == self.hash {
            return Ok(&self.path);
        }
        let reason = "was replaced during the study; restore it, or repeat the command with the new file";
        Err(StudyError::Other(format!("{} {reason}", self.path.display())))
    }
}

/// Files of a study's networks, by network and checkpoint.
#[derive(Clone, Debug, Default)]
pub struct Networks {
    files: BTreeMap<(NetworkId, Checkpoint), NetworkFile>,
    /// Limits at which each network's training truncated games and the number of training games per
    /// outcome, sorted by network.
    pub(crate) training: Vec<Training>,
    /// Summaries of the training runs that have a fixed budget, in the order of the study's file.
    pub(crate) runs: Vec<TrainedRun>,
}

impl Networks {
    /// Returns the file of a network at a checkpoint.
    ///
    /// # Errors
    /// The study has no such network.
    pub fn file(&self, network: &NetworkId, checkpoint: Checkpoint) -> Result<&NetworkFile, StudyError> {
        let none = || format!("{network}: there is no network of the {checkpoint} checkpoint");
        self.files.get(&(network.clone(), checkpoint)).ok_or_else(|| StudyError::Other(none()))
    }

    /// Returns every network, checkpoint and file, sorted by network and checkpoint.
    pub fn iter(&self) -> impl Iterator<Item = (&NetworkId, Checkpoint, &NetworkFile)> {
        self.files.iter().map(|((network, checkpoint), file)| (network, *checkpoint, file))
    }
}

/// Trains the networks whose agents have a training config, resuming unfinished runs. Finds the
/// existing networks that the other agents take.
///
/// # Errors
/// Returns [`StudyError::Stopped`] soon after `stop` becomes true. Fails if training fails. If an
/// existing network is missing or its run is unfinished, the error names the key of the study's
/// file.
pub fn prepare(
    study: &StudyFile,
    folder: &Folder,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<Networks, StudyError> {
    for agent in &study.config.agents {
        check_taken(study, agent)?;
    }
    train_trunks(study, folder, progress, stop)?;
    for (agent, id) in study.config.networks() {
        let Some(config) = study.machine_training(agent, id.seed)? else { continue };
        let location = agent_location(folder, &id);
        check_generations(location.clone(), &config)?;
        begin_fork(study, folder, &id, &config)?;
        progress.agent(&id, config.generations);
        train(&config, location, progress, stop)?;
    }
    complete(study, folder)
}

/// Returns the networks of a study. Trains nothing.
///
/// # Errors
/// [`TrainingError::NotYet`] until all networks are trained. A run cannot be read, an existing
/// network is missing or incomplete, or an agent's early generation is not before its last one.
pub(crate) fn complete(study: &StudyFile, folder: &Folder) -> Result<Networks, StudyError> {
    let mut networks = Networks::default();
    for agent in &study.config.agents {
        for (number, &seed) in agent.seeds.iter().enumerate() {
            let id = agent.network(seed);
            let (run, (last, early)) = if agent.train.is_some() {
                let run = Run::join(agent_location(folder, &id))?;
                let (config, reports) = (run.config(), run.reports()?);
                let last = config.ends_with(&reports).ok_or_else(|| {
                    TrainingError::NotYet(format!("{}: the last network of an agent", folder.dir().display()))
                })?;
                if let Some(early) = agent.early.filter(|early| *early >= last) {
                    let key = format!("agents.{}.early = {early}", agent.name);
                    let reason = format!("{key}: must be below {last}, the last generation of {id}");
                    return Err(StudyError::Config { file: study.path.clone(), reason });
                }
                let fork = study.trunk().map_or(0, |(plan, _)| plan.fork);
                networks.runs.extend(with_budget(agent, &id, config, &reports, fork));
                // The networks of a run at a URL are downloaded.
                let last = run.bring_network(last)?;
                let early = agent.early.map(|early| run.bring_network(early)).transpose()?;
                (run.dir().to_owned(), (last, early))
            } else {
                (study.resolve(&agent.taken[number]), take(study, agent, number)?)
            };
            networks.training.push(training(&id, &run)?);
            for (checkpoint, path) in [(Checkpoint::Last, Some(last)), (Checkpoint::Early, early)] {
                let Some(path) = path else { continue };
                let NetworkInfo { architecture, hash, .. } = NetworkInfo::read(&path)?;
                networks.files.insert((id.clone(), checkpoint), NetworkFile { path, architecture, hash });
            }
        }
    }
    networks.training.sort_by(|a, b| a.network.cmp(&b.network));
    Ok(networks)
}

/// Returns the limits at which a network's training truncated games, and the number of games per
/// outcome. They are read from the config and reports in the run folder `run`. They are `None` if
/// `run` is a network file.
fn training(network: &NetworkId, run: &Path) -> Result<Training, StudyError> {
    let caps = Caps { no_progress: None, plies: None };
    let mut found = Training { network: network.clone(), caps, outcomes: None };
    if run.is_dir() {
        let config = TrainConfig::read(&run.join("config.toml"), &[])?;
        let selfplay = &config.selfplay;
        found.caps = Caps { no_progress: Some(selfplay.no_progress_cap), plies: Some(selfplay.ply_cap) };
        let mut outcomes = BTreeMap::new();
        for report in read_reports(run)? {
            for (name, games) in report.games.map(|games| games.outcomes).unwrap_or_default() {
                // Reports and records name outcomes alike.
                if let Ok(outcome) = serde_json::from_value::<Outcome>(name.into()) {
                    *outcomes.entry(outcome).or_default() += games;
                }
            }
        }
        found.outcomes = Some(outcomes);
    }
    Ok(found)
}

/// Summarises a run. Games and work count only after generation `fork`, which is the last one that
/// an ablation's arms share. Returns `None` if the run has no budget.
fn with_budget(
    agent: &AgentConfig,
    id: &NetworkId,
    config: &TrainConfig,
    reports: &[GenerationReport],
    fork: u32,
) -> Option<TrainedRun> {
    let budget = config.budget?;
    let after = || reports.iter().filter(|report| report.generation > fork);
    let games = || after().filter_map(|report| report.games.as_ref());
    let played: u64 = games().map(|games| games.games).sum();
    let without: f64 = games().map(|games| games.without_result() * games.games as f64).sum();
    Some(TrainedRun {
        network: id.clone(),
        settings: agent.settings.clone(),
        trunk: reports.get(fork as usize).filter(|_| fork > 0).map(|report| report.network.clone()),
        generations: reports.len() as u32 - 1,
        games: played,
        without_result: without / played.max(1) as f64,
        evaluations: after().filter_map(|report| report.work).map(|work| work.asked).sum(),
        rows: after().filter_map(|report| report.work).map(|work| work.rows).sum(),
        spent: budget.spent(reports) / budget.work as f64,
    })
}

/// Returns the folder or URL of the run that trains a network of the study.
pub(crate) fn agent_location(folder: &Folder, id: &NetworkId) -> Location {
    folder.location.join(&format!("agents/{id}"))
}

/// Checks the existing networks that `agent.taken` names, and returns the paths of the last ones.
/// Loads each network, which [`complete`] does not, because it runs for every unit.
///
/// # Errors
/// A network is missing, incomplete or for another game, or two entries name the same network.
pub(crate) fn check_taken(study: &StudyFile, agent: &AgentConfig) -> Result<Vec<PathBuf>, StudyError> {
    let mut layouts: Vec<_> = agent.arms.iter().map(|arm| layout(arm.rules)).collect();
    layouts.dedup();
    let (mut hashes, mut found) = (BTreeMap::new(), Vec::new());
    for number in 0..agent.taken.len() {
        let (last, _) = take(study, agent, number)?;
        for layout in &layouts {
            Network::load(&last, layout)?;
        }
        if let Some(other) = hashes.insert(file_hash(&last)?, number) {
            let [one, two] = [other, number].map(|number| agent.taken[number].display());
            let reason = format!("agents.{}.taken: {one} and {two} are the same network", agent.name);
            return Err(StudyError::Config { file: study.path.clone(), reason });
        }
        found.push(last);
    }
    Ok(found)
}

/// Returns the paths of the existing networks that entry `number` of `agent.taken` names. The entry
/// is the folder of a finished run, or a network file. The networks are those of the run's last
/// generation, and of the early generation if the agent has one.
fn take(
    study: &StudyFile,
    agent: &AgentConfig,
    number: usize,
) -> Result<(PathBuf, Option<PathBuf>), StudyError> {
    let path = study.resolve(&agent.taken[number]);
    let refused = |reason: String| {
        let reason = format!("agents.{}.taken: {reason}", agent.name);
        StudyError::Config { file: study.path.clone(), reason }
    };
    if path.is_file() {
        return match agent.early {
            None => Ok((path, None)),
            Some(early) => {
                let reason = format!("a file has no generation {early}; name its run folder");
                Err(refused(format!("{}: {reason}", path.display())))
            }
        };
    }
    let run = Run::join(&path).map_err(|e| refused(e.to_string()))?;
    let reports = run.reports().map_err(|e| refused(e.to_string()))?;
    let Some(done) = run.config().ends_with(&reports) else {
        let done = format!("{} of {}", reports.len().saturating_sub(1), run.config().generations);
        return Err(refused(format!("{}: {done} generations are complete", path.display())));
    };
    if let Some(early) = agent.early.filter(|early| *early >= done) {
        return Err(refused(format!("early = {early}: must be below {done}, the last generation")));
    }
    let bring = |generation| run.bring_network(generation).map_err(|e| refused(e.to_string()));
    Ok((bring(done)?, agent.early.map(bring).transpose()?))
}
