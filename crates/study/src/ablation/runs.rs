//! The runs: a trunk a seed, and of it a fork an arm.

use super::{AblationFile, ArmConfig, RunResult, RunTime};
use crate::StudyError;
use crate::agents::Networks;
use crate::folder::Folder;
use crate::progress::StudyProgress;
use catapult_measures::data::{Checkpoint, NetworkId};
use catapult_training::report::GenerationReport;
use catapult_training::run::network_path;
use catapult_training::{TrainConfig, Work, fork, train, train_until};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What training gave.
pub(super) struct Trained {
    /// The last network of every run.
    pub networks: Networks,
    /// What each run did.
    pub runs: Vec<RunResult>,
    /// How long each took.
    pub times: Vec<RunTime>,
}

/// The folder of a seed's trunk.
pub(super) fn trunk_dir(dir: &Path, seed: u64) -> PathBuf {
    dir.join("trunks").join(seed.to_string())
}

/// Trains every run to the end of its budget, from wherever it is: what arms have in common first, then all arms of a seed before the
/// next seed.
///
/// # Errors
/// [`StudyError::Stopped`] soon after a stop; what training says; a budget that leaves nothing beyond the fork.
pub(super) fn train_all(
    file: &AblationFile,
    folder: &Folder,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<Trained, StudyError> {
    let mut all = Trained { networks: Networks::default(), runs: Vec::new(), times: Vec::new() };
    if file.config.fork > 0 {
        // A budget that leaves nothing beyond them is told before any arm is trained.
        for &seed in &file.config.seeds {
            train_trunk(file, &trunk_dir(folder.dir(), seed), seed, progress, stop)?;
        }
    }
    for &seed in &file.config.seeds {
        let trunk = trunk_dir(folder.dir(), seed);
        for arm in &file.config.arms {
            let id = NetworkId { agent: arm.name.clone(), seed };
            let (config, dir) = (file.training(arm, seed)?, folder.agent(&id));
            if file.config.fork > 0 {
                fork(&trunk, file.config.fork, &config, &dir)?;
            }
            progress.agent(&id, config.generations);
            let reports = train(&config, &dir, progress, stop)?;
            let last = reports.last().map_or(0, |report| report.generation);
            all.networks.insert(&id, Checkpoint::Last, network_path(&dir, last))?;
            all.runs.push(result(arm, seed, &config, &reports, file.config.fork));
            all.times.push(time(arm, seed, &reports, file.config.fork));
        }
    }
    Ok(all)
}

/// Trains what the arms of a seed have in common.
fn train_trunk(
    file: &AblationFile,
    dir: &Path,
    seed: u64,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<(), StudyError> {
    let (last, config) = (file.config.fork, file.training(file.config.control_arm(), seed)?);
    progress.agent(&NetworkId { agent: "trunk".into(), seed }, last);
    let reports = train_until(&config, dir, last, progress, stop)?;
    match config.ends_with(&reports) {
        None => Ok(()),
        Some(end) => Err(StudyError::Config {
            file: file.path.clone(),
            reason: format!(
                "fork = {last}: seed {seed} has spent budget.work = {} with generation {end}, so that nothing is left for the arms; \
                 fork earlier, or allow more",
                file.config.budget.work
            ),
        }),
    }
}

/// What a run did after the fork.
fn result(
    arm: &ArmConfig,
    seed: u64,
    config: &TrainConfig,
    reports: &[GenerationReport],
    fork: u32,
) -> RunResult {
    let after = || reports.iter().filter(|report| report.generation > fork);
    let work = after().filter_map(|report| report.work).fold(Work::default(), |sum, work| Work {
        asked: sum.asked + work.asked,
        rows: sum.rows + work.rows,
    });
    let games = || after().filter_map(|report| report.games.as_ref());
    let played: u64 = games().map(|games| games.games).sum();
    let without: f64 = games().map(|games| games.without_result() * games.games as f64).sum();
    RunResult {
        arm: arm.name.clone(),
        seed,
        network: reports.last().map_or(String::new(), |report| report.network.clone()),
        trunk: reports.get(fork as usize).filter(|_| fork > 0).map(|report| report.network.clone()),
        generations: reports.len() as u32 - 1,
        games: played,
        without_result: if played > 0 { without / played as f64 } else { 0.0 },
        work,
        spent: config.budget.map_or(0.0, |budget| budget.spent(reports) / budget.work as f64),
    }
}

/// How long that took, in the processes that ended its generations.
fn time(arm: &ArmConfig, seed: u64, reports: &[GenerationReport], fork: u32) -> RunTime {
    let mut time = RunTime { arm: arm.name.clone(), seed, ..Default::default() };
    for report in reports.iter().filter(|report| report.generation > fork) {
        time.evaluations += report.games.as_ref().map_or(0, |games| games.evaluations);
        time.playing += report.games.as_ref().map_or(0.0, |games| games.seconds);
        time.learning += report.learning.as_ref().map_or(0.0, |learning| learning.seconds);
    }
    time
}
