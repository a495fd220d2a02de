//! What a study will take: units, games, evaluations, hours.

pub(crate) mod paces;
mod shown;

use crate::StudyError;
use crate::config::StudyFile;
use crate::folder;
use crate::play::GamesUnit;
use crate::stages::stages;
use crate::units::{PLIES, StagePlan, StageUnit};
use catapult_records::read_shard;
use catapult_training::TrainConfig;
use catapult_training::run::read_reports;
use paces::Paces;
use std::path::{Path, PathBuf};

/// Shards that are read to learn how long games are.
const SHARDS_READ: usize = 8;

/// Seconds of learning a second of playing, in runs of configs/quickstart.toml (their log says which part is playing).
pub(crate) const LEARNING_SHARE: f64 = 0.25;

/// A stage of a plan.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlanLine {
    /// What is done.
    pub what: String,
    /// Units of work, and how many of them are done.
    pub units: [u64; 2],
    /// Games that are left.
    pub games: u64,
    /// Positions that networks will evaluate for them, about.
    pub evaluations: u64,
    /// Hours that they take, about.
    pub hours: f64,
}

/// What a study will take, but for what is done already.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Stage by stage.
    pub lines: Vec<PlanLine>,
    /// How fast this machine is.
    pub paces: Paces,
    /// Plies of a game that all is reckoned by.
    pub plies: f64,
    /// Whether games that have been played say so.
    pub plies_known: bool,
}

/// Reckons what a study in a folder will still take, from a few seconds of play.
///
/// # Errors
/// A config that an agent is trained by, or a network, that can't be read.
pub fn plan(study: &StudyFile, dir: &Path) -> Result<Plan, StudyError> {
    let paces = Paces::measure(study)?;
    let known = known_plies(study, dir)?;
    reckon(study, dir, paces, known)
}

/// The plan at given paces.
fn reckon(study: &StudyFile, dir: &Path, paces: Paces, known_plies: Option<f64>) -> Result<Plan, StudyError> {
    let config = &study.config;
    let plies = known_plies.unwrap_or(PLIES);
    let mut training = PlanLine { what: "training (generations)".into(), ..Default::default() };
    for agent in &config.agents {
        for &seed in &agent.seeds {
            if let Some(train) = study.training(agent, seed)? {
                let reports = read_reports(&folder::agent_dir(dir, &format!("{}-{seed}", agent.name)))?;
                // A budget may end it earlier than here.
                let is_over = train.ends_with(&reports).is_some();
                let done = if is_over { train.generations } else { reports.len().saturating_sub(1) as u32 };
                training.units[0] += u64::from(train.generations);
                training.units[1] += u64::from(done.min(train.generations));
                let (games, evaluations) = training_left(&train, done, plies);
                training.games += games;
                training.evaluations += evaluations;
                training.hours += paces.hours(&agent.name, evaluations) * (1.0 + LEARNING_SHARE);
            }
        }
    }
    let lines = stages(config).into_iter().map(|stage| line(&stage, dir, &paces, plies));
    let lines = std::iter::once(training).chain(lines).filter(|line| line.units[0] > 0).collect();
    Ok(Plan { lines, paces, plies, plies_known: known_plies.is_some() })
}

/// The line of a stage in a study's folder.
pub(crate) fn line(stage: &StagePlan, dir: &Path, paces: &Paces, plies: f64) -> PlanLine {
    let mut line = PlanLine { what: stage.title.into(), ..Default::default() };
    for unit in &stage.units {
        line.units[0] += 1;
        if unit.file(dir).is_some() {
            line.units[1] += 1;
            continue;
        }
        let cost = unit.cost(plies);
        line.games += cost.games;
        line.evaluations += cost.evaluations;
        line.hours += paces.hours(&cost.agent, cost.evaluations);
        if let Some((arm, player, moves)) = cost.moves {
            line.hours += moves / paces.of_player(arm, &player) / 3600.0;
        }
    }
    line
}

/// Games and evaluations of a run's generations after so many.
fn training_left(config: &TrainConfig, done: u32, plies: f64) -> (u64, u64) {
    let mut left = (0, 0);
    for generation in done + 1..=config.generations {
        left.0 += config.games.per_generation;
        left.1 += (generation_plies(config, plies) * f64::from(config.simulations(generation))) as u64;
    }
    left
}

/// Plies of a generation's games, games from the start being so long.
pub(crate) fn generation_plies(config: &TrainConfig, plies: f64) -> f64 {
    // A forked game begins within another one, on average in its middle.
    let plies = plies * (1.0 - config.selfplay.fork_share / 2.0);
    config.games.per_generation as f64 * plies.min(f64::from(config.selfplay.ply_cap))
}

/// The mean length of games that the study has played.
fn known_plies(study: &StudyFile, dir: &Path) -> Result<Option<f64>, StudyError> {
    let paths = GamesUnit::all(&study.config).into_iter().filter_map(|unit| unit.file(dir));
    let paths: Vec<PathBuf> = paths.collect();
    let spread = paths.len().div_ceil(SHARDS_READ).max(1);
    let (mut games, mut plies) = (0, 0);
    for path in paths.iter().step_by(spread) {
        // A damaged one is mended when the study runs.
        if let Ok(shard) = read_shard(path) {
            games += shard.games.len();
            plies += shard.games.iter().map(|game| game.moves.len()).sum::<usize>();
        }
    }
    Ok((games > 0).then(|| plies as f64 / games as f64))
}

#[cfg(test)]
mod tests;
