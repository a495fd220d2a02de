//! Trunks: the common first generations of an ablation's agents, one run per training seed.

use crate::StudyError;
use crate::config::StudyFile;
use crate::folder::{Folder, agent_dir};
use crate::progress::StudyProgress;
use catapult_measures::data::NetworkId;
use catapult_store::Location;
use catapult_training::run::Run;
use catapult_training::{TrainConfig, TrainingError, fork, train_until};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Returns the folder of a seed's trunk. `dir` is the study's folder.
pub(crate) fn trunk_dir(dir: &Path, seed: u64) -> PathBuf {
    dir.join("trunks").join(seed.to_string())
}

/// Trains the trunk of each seed under the control's config. Does nothing in studies without
/// trunks.
///
/// # Errors
/// Returns [`StudyError::Stopped`] soon after `stop` becomes true. Training fails, or the trunk
/// alone spends the budget.
pub(crate) fn train_trunks(
    study: &StudyFile,
    folder: &Folder,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<(), StudyError> {
    let Some((plan, agent)) = study.trunk() else { return Ok(()) };
    for &seed in &plan.seeds {
        let Some(config) = study.machine_training(agent, seed)? else { continue };
        progress.agent(&NetworkId { agent: "trunk".into(), seed }, plan.fork);
        let trunk = trunk_dir(folder.dir(), seed);
        check_generations(trunk.as_path().into(), &config)?;
        let reports = train_until(&config, trunk.as_path().into(), plan.fork, progress, stop)?;
        if let Some(end) = config.ends_with(&reports) {
            let reason = format!(
                "fork = {}: seed {seed} spent budget.work = {} by generation {end}, so nothing is left for the \
                 arms; fork earlier or raise the budget",
                plan.fork, plan.budget.work
            );
            return Err(StudyError::Config { file: study.path.clone(), reason });
        }
    }
    Ok(())
}

/// Starts the run of a network as a fork of its seed's trunk. Does nothing in studies without
/// trunks.
pub(crate) fn begin_fork(
    study: &StudyFile,
    folder: &Folder,
    id: &NetworkId,
    config: &TrainConfig,
) -> Result<(), StudyError> {
    let Some((plan, _)) = study.trunk() else { return Ok(()) };
    let dir = folder.dir();
    Ok(fork(&trunk_dir(dir, id.seed), plan.fork, config, &agent_dir(dir, id))?)
}

/// Checks that the run of a network has as many generations as its training config, unless the run
/// has not been begun. A run may be extended, but all networks of an agent need the same training.
///
/// # Errors
/// The run has another number of generations, or cannot be read.
pub(crate) fn check_generations(run: Location, config: &TrainConfig) -> Result<(), StudyError> {
    let (dir, now) = (run.dir().to_owned(), config.generations);
    let begun = match Run::join(run) {
        Err(TrainingError::NotBegun(_)) => now,
        run => run?.config().generations,
    };
    if begun == now {
        return Ok(());
    }
    let reason = format!(
        "it started with generations = {begun}, but its training config now has {now}; \
         choose another folder or undo the change"
    );
    Err(StudyError::Config { file: dir, reason })
}
