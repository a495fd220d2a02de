//! A study whose arms are ways of training: what does a switch of the training give, in Elo, at equal work?
//!
//! The arms of a seed go on from one generation that they have in common, each under its own config, until an equal budget is spent
//! ([`catapult_training::BudgetConfig`]). Each then plays the control of its seed and the same opponents. Matches, the
//! statistics over seeds, figures and the page's parts are those of every study.
//!
//! ```text
//! ablations/<name>/plan.toml, registered.json    the plan, and what it was before the first game
//! ablations/<name>/trunks/<seed>/                what the arms of a seed have in common: a run up to the fork
//! ablations/<name>/agents/<arm>-<seed>/          the arms' runs; fork.json says which trunk each goes on from
//! ablations/<name>/matches/*.json                against the control and against opponents
//! ablations/<name>/results.json, figures/, report.html, times.json    made anew each time
//! ```

mod collected;
mod config;
mod effects;
mod estimate;
mod page;
mod results;
mod runs;
mod text;

pub use config::{AblationConfig, AblationFile, ArmConfig, MatchesConfig};
pub use effects::effects;
pub use estimate::{AblationPlan, plan};
pub use results::{AblationResults, Effect, RunResult, RunTime, SeedElo, Verdict};
pub use text::told;

use crate::StudyError;
use crate::config::StudyConfig;
use crate::folder::Folder;
use crate::matches::{MatchUnit, Opponent};
use crate::progress::StudyProgress;
use crate::units::{Stage, StagePlan};
use catapult_measures::data::{Cell, Checkpoint, NetworkId};
use catapult_store::differences;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Trains, plays, measures and writes the page: whatever of it is not done yet. `command` is what the page says to type.
///
/// # Errors
/// [`StudyError::Stopped`] soon after `stop` becomes true: what is whole stays, and the same call goes on from there. Everything
/// else names the file, key or match at fault.
pub fn run(
    file: &AblationFile,
    dir: &Path,
    command: &str,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<AblationResults, StudyError> {
    let study = file.study()?;
    let folder = file.open(dir, &study)?;
    // Training is most of the work, so that what it is for is registered before it.
    folder.register()?;
    let trained = runs::train_all(file, &folder, progress, stop)?;
    let stage = Stage::new(&study, &folder, &trained.networks, None, progress, stop);
    for plan in stages(file, &study) {
        stage.build(&plan)?;
    }
    let played = Played {
        control: stage.strengths(&against_control(file, &study))?,
        opponents: stage.strengths(&MatchUnit::strength(&study))?,
    };
    let (results, times) = collected::collect(file, &folder, command, trained, &played)?;
    page::write(&results, &times, folder.dir())?;
    Ok(results)
}

/// Everything that an ablation builds after its runs.
fn stages(file: &AblationFile, study: &StudyConfig) -> Vec<StagePlan> {
    vec![
        StagePlan::new("control (matches)", against_control(file, study)),
        StagePlan::new("opponents (matches)", MatchUnit::strength(study)),
    ]
}

/// How the matches ended.
struct Played {
    control: Vec<catapult_report::results::Strength>,
    opponents: Vec<catapult_report::results::Strength>,
}

/// Every other arm against the control of its seed.
fn against_control(file: &AblationFile, study: &StudyConfig) -> Vec<MatchUnit> {
    let config = &file.config;
    let others = config.arms.iter().filter(|arm| arm.name != config.control);
    let network = |agent: &str, seed| NetworkId { agent: agent.to_owned(), seed };
    let unit = |arm: &ArmConfig, seed| MatchUnit {
        cell: Cell {
            arm: study.control,
            network: network(&arm.name, seed),
            checkpoint: Checkpoint::Last,
            simulations: config.matches.simulations,
        },
        opponent: Opponent::Network(network(&config.control, seed)),
        games: config.matches.games,
        in_detail: false,
    };
    others.flat_map(|arm| config.seeds.iter().map(move |&seed| unit(arm, seed))).collect()
}

impl AblationFile {
    fn open(&self, dir: &Path, study: &StudyConfig) -> Result<Folder, StudyError> {
        Folder::open_as(dir.into(), ("plan.toml", &self.text), study, config::CHANGEABLE, |before| {
            let before = AblationConfig::parse(before)?;
            // What it runs on is no part of the plan.
            let now = AblationConfig { machine: before.machine.clone(), ..self.config.clone() };
            Ok((study.clone(), differences(&before, &now)))
        })
    }
}
