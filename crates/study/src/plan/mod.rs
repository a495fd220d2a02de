//! Expected cost of a study in units, games, evaluations and hours.

mod claims;
mod shown;
mod throughput;

pub(crate) use claims::open;

use crate::StudyError;
use crate::config::StudyFile;
use crate::folder::{agent_dir, registered_in};
use crate::play::GamesUnit;
use crate::stages::stages;
use crate::trunks::trunk_dir;
use crate::units::{PLIES, StagePlan, StageUnit};
use catapult_records::read_shard;
use catapult_report::results::{Endpoint, GateKind, Scheme};
use catapult_training::report::GenerationReport;
use catapult_training::run::read_reports;
use catapult_training::{TrainConfig, Work};
use std::path::{Path, PathBuf};
use throughput::Throughput;

/// Maximum number of shards that are read to estimate the length of games.
const SHARDS_READ: usize = 8;

/// Seconds of learning per second of playing. The value comes from logs of runs of
/// configs/quickstart.toml.
const LEARNING_SHARE: f64 = 0.25;

/// Expected cost of the remaining work of one stage.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlanLine {
    /// Title of the stage, such as `games (shards)`.
    pub what: String,
    /// Number of all units, then number of units that are done.
    pub units: [u64; 2],
    /// Number of remaining games.
    pub games: u64,
    /// Expected number of evaluations of the remaining work.
    pub evaluations: u64,
    /// Expected hours of the remaining work on this machine.
    pub hours: f64,
}

/// Expected cost of the remaining work of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// One line per stage.
    pub lines: Vec<PlanLine>,
    /// Throughput of this machine, from which the hours are computed.
    pub throughput: Throughput,
    /// Mean number of plies per game that the estimates assume.
    pub plies: f64,
    /// True if `plies` is the mean of games that the study has played. False if it is a default.
    pub plies_known: bool,
    /// Endpoints for which no effect can be established, with the gates for which the study
    /// measures nothing.
    pub open: Vec<(Endpoint, Vec<GateKind>)>,
    /// Agents with fewer networks than verdicts need, with both numbers.
    pub few: Vec<(String, [usize; 2])>,
}

/// Estimates the remaining cost of a study whose folder is `dir`. Measures the throughput of this
/// machine by a few seconds of play.
///
/// # Errors
/// A training config or a network cannot be read. The folder contains a study with other games.
pub fn plan(study: &StudyFile, dir: &Path) -> Result<Plan, StudyError> {
    registered_in(dir, study)?;
    let throughput = Throughput::measure(study)?;
    let known = known_plies(study, dir)?;
    reckon(study, dir, throughput, known)
}

/// Returns the plan for the measured `throughput`. `known_plies` is the mean length of the
/// games played so far, in plies. `None` assumes a default length.
fn reckon(
    study: &StudyFile,
    dir: &Path,
    throughput: Throughput,
    known_plies: Option<f64>,
) -> Result<Plan, StudyError> {
    let config = &study.config;
    let plies = known_plies.unwrap_or(PLIES);
    let mut trunks = PlanLine { what: "trunks (generations)".into(), ..Default::default() };
    let mut training = PlanLine { what: "training (generations)".into(), ..Default::default() };
    let trunk = study.trunk();
    let fork = trunk.map_or(0, |(plan, _)| plan.fork);
    if let Some((plan, control)) = trunk {
        for &seed in &plan.seeds {
            let Some(train) = study.training(control, seed)? else { continue };
            let reports = read_reports(&trunk_dir(dir, seed))?;
            trunks.add_run(&Left::of(&train, &reports, fork, plies), 0, &control.name, &throughput);
        }
    }
    for (agent, id) in config.networks() {
        let Some(train) = study.training(agent, id.seed)? else { continue };
        let reports = read_reports(&agent_dir(dir, &id))?;
        let run = match trunk.filter(|_| reports.is_empty()) {
            None => Left::of(&train, &reports, train.generations, plies),
            // A run that has not begun starts from its trunk, which may be unfinished.
            Some((_, control)) => {
                let reports = read_reports(&trunk_dir(dir, id.seed))?;
                let common = study.training(control, id.seed)?;
                let spent = common.map_or(0.0, |it| Left::of(&it, &reports, fork, plies).spent);
                let run = Left { done: fork, last: fork, spent, ..Default::default() };
                run.go_on(&train, train.generations, plies)
            }
        };
        training.add_run(&run, fork, &agent.name, &throughput);
    }
    let lines = stages(config).into_iter().map(|stage| line(&stage, dir, &throughput, plies));
    let lines = [trunks, training].into_iter().chain(lines).filter(|line| line.units[0] > 0).collect();
    let fewest = if config.scheme() == Scheme::TheseNetworks { 1 } else { 3 };
    let needed = config.registered_seeds().unwrap_or_default().max(fewest);
    let design = config.design(config);
    let judged = config.endpoints.iter().filter(|it| !it.by_construction);
    let sides = judged.filter_map(|it| design.sides(it));
    let sides: Vec<_> = sides.flat_map(|(arm, control)| std::iter::once(arm).chain(control)).collect();
    let is_judged = |name: &str| sides.iter().any(|(_, agent)| *agent == name);
    let few = config.agents.iter().filter(|it| it.seeds.len() < needed && is_judged(&it.name));
    let few = few.map(|it| (it.name.clone(), [it.seeds.len(), needed])).collect();
    let open = open(config);
    Ok(Plan { lines, throughput, plies, plies_known: known_plies.is_some(), open, few })
}

/// Expected remaining work of a training run.
#[derive(Clone, Copy, Default)]
struct Left {
    /// Number of the last complete generation.
    done: u32,
    /// Number of the expected last generation.
    last: u32,
    /// Work that is expected to be spent by the expected last generation, in evaluations. It is 0
    /// without a budget.
    spent: f64,
    games: u64,
    evaluations: u64,
    /// Expected time of playing and learning, as the number of evaluations that self-play makes in
    /// that time.
    cost: f64,
}

impl Left {
    /// Returns the remaining work of a run that has written `reports`. The run ends at generation
    /// `last` or when its budget is spent. `plies` is the mean length of a game.
    fn of(config: &TrainConfig, reports: &[GenerationReport], last: u32, plies: f64) -> Left {
        let done = reports.len().saturating_sub(1) as u32;
        let spent = config.budget.map_or(0.0, |budget| budget.spent(reports));
        let run = Left { done, last: done, spent, ..Default::default() };
        if config.ends_with(reports).is_some() { run } else { run.go_on(config, last, plies) }
    }

    /// Adds the expected work of further generations until the budget is spent, or up to generation
    /// `last`.
    fn go_on(mut self, config: &TrainConfig, last: u32, plies: f64) -> Left {
        let may_spend = config.budget.map_or(f64::INFINITY, |budget| budget.work as f64);
        while self.last < last && self.spent < may_spend {
            self.last += 1;
            // A forked game begins within another game, on average in its middle.
            let plies = plies * (1.0 - config.selfplay.fork_share / 2.0);
            let plies = config.games.per_generation as f64 * plies.min(f64::from(config.selfplay.ply_cap));
            let full = config.selfplay.full_search_share;
            let simulations = full * f64::from(config.simulations(self.last))
                + (1.0 - full) * f64::from(config.selfplay.fast_simulations);
            let asked = (plies * simulations) as u64;
            let work = Work { asked, rows: (plies * full * config.learning.passes) as u64 };
            self.spent += config.budget.map_or(0.0, |budget| budget.cost(work));
            self.games += config.games.per_generation;
            self.evaluations += asked;
            self.cost += match config.budget.filter(|budget| budget.row_cost > 0.0) {
                Some(budget) => budget.cost(work),
                None => asked as f64 * (1.0 + LEARNING_SHARE),
            };
        }
        self
    }
}

impl PlanLine {
    /// Adds a run of `agent`, whose generations after `fork` count.
    fn add_run(&mut self, run: &Left, fork: u32, agent: &str, throughput: &Throughput) {
        let units = [run.last, run.done].map(|end| u64::from(end.saturating_sub(fork)));
        self.add(units, run.games, run.evaluations, throughput.hours(agent, run.cost as u64));
    }

    fn add(&mut self, units: [u64; 2], games: u64, evaluations: u64, hours: f64) {
        self.units[0] += units[0];
        self.units[1] += units[1];
        self.games += games;
        self.evaluations += evaluations;
        self.hours += hours;
    }
}

/// Returns the line of a plan for a stage. `dir` is the study's folder, `plies` the mean length of
/// a game.
fn line(stage: &StagePlan, dir: &Path, throughput: &Throughput, plies: f64) -> PlanLine {
    let mut line = PlanLine { what: stage.title.into(), ..Default::default() };
    for unit in &stage.units {
        if unit.file(dir).is_some() {
            line.add([1, 1], 0, 0, 0.0);
            continue;
        }
        let cost = unit.cost(plies);
        line.add([1, 0], cost.games, cost.evaluations, throughput.hours(&cost.agent, cost.evaluations));
        if let Some((arm, player, moves)) = cost.moves {
            line.hours += moves / throughput.of_player(arm, &player) / 3600.0;
        }
    }
    line
}

/// Returns the mean number of plies of games that the study has played, from at most
/// [`SHARDS_READ`] shards. `None` without games.
fn known_plies(study: &StudyFile, dir: &Path) -> Result<Option<f64>, StudyError> {
    let paths = GamesUnit::all(&study.config).into_iter().filter_map(|unit| unit.file(dir));
    let paths: Vec<PathBuf> = paths.collect();
    let spread = paths.len().div_ceil(SHARDS_READ).max(1);
    let (mut games, mut plies) = (0, 0);
    for path in paths.iter().step_by(spread) {
        // A damaged shard is replaced when the study runs.
        if let Ok(shard) = read_shard(path) {
            games += shard.games.len();
            plies += shard.games.iter().map(|game| game.moves.len()).sum::<usize>();
        }
    }
    Ok((games > 0).then(|| plies as f64 / games as f64))
}

#[cfg(test)]
mod tests;
