//! What an ablation will take: runs, generations, games, evaluations, hours.

use super::{AblationFile, ArmConfig, runs, stages};
use crate::StudyError;
use crate::folder;
use crate::matches::MatchUnit;
use crate::plan::paces::Paces;
use crate::plan::{LEARNING_SHARE, Plan, PlanLine, generation_plies, line};
use crate::units::PLIES;
use catapult_training::report::GenerationReport;
use catapult_training::run::read_reports;
use catapult_training::{TrainConfig, Work};
use std::fmt;
use std::path::Path;

/// What an ablation will take, but for what is done already.
#[derive(Clone, PartialEq, Debug)]
pub struct AblationPlan {
    /// Stage by stage.
    pub stages: Plan,
    /// The generation that each arm's runs are expected to end with, and the last one that they may have.
    pub generations: Vec<(String, u32, u32)>,
    /// What a row costs, in evaluations; 0: it is not counted.
    pub row_cost: f64,
}

/// Reckons what an ablation in a folder will still take, from a few seconds of play; starts nothing.
///
/// # Errors
/// A training config, or reports of runs in the folder, that can't be read.
pub fn plan(file: &AblationFile, dir: &Path) -> Result<AblationPlan, StudyError> {
    let study = file.study()?;
    let mut agents = Vec::new();
    for (agent, arm) in study.agents.iter().zip(&file.config.arms) {
        agents.push((agent, file.training(arm, file.config.seeds[0])?.network));
    }
    let paces = Paces::of(&agents, &MatchUnit::strength(&study), &study.machine)?;
    reckon(file, dir, paces)
}

/// The plan at given paces.
fn reckon(file: &AblationFile, dir: &Path, paces: Paces) -> Result<AblationPlan, StudyError> {
    let (plan, study) = (&file.config, file.study()?);
    let mut reports: Vec<(Option<&ArmConfig>, u64, Vec<GenerationReport>)> = Vec::new();
    for &seed in &plan.seeds {
        reports.push((None, seed, read_reports(&runs::trunk_dir(dir, seed))?));
        for arm in &plan.arms {
            let run = folder::agent_dir(dir, &format!("{}-{seed}", arm.name));
            reports.push((Some(arm), seed, read_reports(&run)?));
        }
    }
    let played =
        reports.iter().flat_map(|(_, _, reports)| reports).filter_map(|report| report.games.as_ref());
    let (games, plies) = played.fold((0, 0), |(games, plies), of| (games + of.games, plies + of.plies));
    // Some of these games begin within others, on average in their middle.
    let forked = file.training(plan.control_arm(), plan.seeds[0])?.selfplay.fork_share;
    let known = (games > 0).then(|| plies as f64 / games as f64 / (1.0 - forked / 2.0));
    let plies = known.unwrap_or(PLIES);

    let mut trunks = PlanLine { what: "trunks (runs)".into(), ..Default::default() };
    let mut arms = PlanLine { what: "arms (runs)".into(), ..Default::default() };
    let mut generations: Vec<(String, u32, u32)> = Vec::new();
    for (arm, seed, found) in &reports {
        let config = file.training(arm.unwrap_or(plan.control_arm()), *seed)?;
        let (line, last) = match arm {
            None if plan.fork == 0 => continue,
            None => (&mut trunks, plan.fork),
            Some(_) => (&mut arms, config.generations),
        };
        line.units[0] += 1;
        // An arm that has not begun has what its trunk has, or will have.
        let trunk = reports.iter().find(|(arm, of, _)| arm.is_none() && of == seed);
        let begun = if found.is_empty() { trunk.map_or(&[][..], |(_, _, reports)| reports) } else { found };
        let mut left = Left::after(&config, begun);
        if arm.is_some() && begun.len() <= plan.fork as usize {
            // The trunk's part is reckoned as the trunk's.
            let trunk = file.training(plan.control_arm(), *seed)?;
            left.go_on(&trunk, plan.fork, plies);
            left = Left { generation: left.generation, spent: left.spent, ..Default::default() };
        }
        left.go_on(&config, last, plies);
        let agent = arm.map_or(plan.control.as_str(), |arm| arm.name.as_str());
        let is_done = arm.is_none() && found.len() > last as usize || config.ends_with(found).is_some();
        if is_done {
            line.units[1] += 1;
        } else {
            line.games += left.games;
            line.evaluations += left.work.asked;
            line.hours += paces.hours(agent, left.seconds_of as u64);
        }
        if let Some(arm) = arm.filter(|arm| !generations.iter().any(|(name, _, _)| *name == arm.name)) {
            generations.push((arm.name.clone(), left.generation, config.generations));
        }
    }
    let matches = stages(file, &study).into_iter().map(|stage| line(&stage, dir, &paces, plies));
    let lines = [trunks, arms].into_iter().chain(matches);
    let lines = lines.filter(|line| line.units[0] > 0).collect();
    let stages = Plan { lines, paces, plies, plies_known: known.is_some() };
    Ok(AblationPlan { stages, generations, row_cost: plan.budget.row_cost })
}

/// What a run has before it.
#[derive(Default)]
struct Left {
    /// The last generation that is reckoned.
    generation: u32,
    /// What has been spent by then.
    spent: f64,
    games: u64,
    work: Work,
    /// What that takes, in evaluations of play.
    seconds_of: f64,
}

impl Left {
    /// Nothing yet, behind these reports.
    fn after(config: &TrainConfig, reports: &[GenerationReport]) -> Left {
        let spent = config.budget.map_or(0.0, |budget| budget.spent(reports));
        let generation = reports.len().saturating_sub(1) as u32;
        Left { generation, spent, ..Default::default() }
    }

    /// Generations by this config until the budget is spent, or to this one.
    fn go_on(&mut self, config: &TrainConfig, last: u32, plies: f64) {
        let Some(budget) = config.budget else { return };
        while self.generation < last && self.spent < budget.work as f64 {
            self.generation += 1;
            let work = expected(config, self.generation, plies);
            self.spent += budget.cost(work);
            self.games += config.games.per_generation;
            self.work.asked += work.asked;
            self.work.rows += work.rows;
            self.seconds_of += match budget.row_cost {
                0.0 => work.asked as f64 * (1.0 + LEARNING_SHARE),
                _ => budget.cost(work),
            };
        }
    }
}

/// What a generation is expected to take.
fn expected(config: &TrainConfig, generation: u32, plies: f64) -> Work {
    let plies = generation_plies(config, plies);
    let full = config.selfplay.full_search_share;
    let simulations = full * f64::from(config.simulations(generation))
        + (1.0 - full) * f64::from(config.selfplay.fast_simulations);
    Work { asked: (plies * simulations) as u64, rows: (plies * full * config.learning.passes) as u64 }
}

impl fmt::Display for AblationPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.stages)?;
        let generations =
            self.generations.iter().map(|(arm, ends, most)| format!("{arm} {ends} of at most {most}"));
        writeln!(f, "generations: {}", generations.collect::<Vec<_>>().join(", "))?;
        match self.row_cost {
            0.0 => write!(
                f,
                "rows are not counted in the budget; {:.0} % of the playing is reckoned for them",
                100.0 * LEARNING_SHARE
            ),
            cost => write!(f, "a row that is learned from counts, and is reckoned, as {cost} evaluations"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::AblationConfig;
    use super::*;

    const PLAN: &str = r#"
name = "reckoned"
question = ""
base = "tiny.toml"
seeds = [1, 2]
fork = 1
control = "plain"
budget = { work = 40000, row_cost = 1.0 }
matches = { games = 8, simulations = 4, opponents = ["random"] }

[[arm]]
name = "plain"

[[arm]]
name = "cap"
set = { selfplay.full_search_share = 0.5, selfplay.fast_simulations = 2 }
"#;

    fn reckoned(text: &str) -> AblationPlan {
        let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
        let config = AblationConfig::parse(text).unwrap();
        let file = AblationFile { path: configs.join("reckoned.toml"), text: text.into(), config };
        let paces = Paces { agents: vec![("plain".into(), 100.0), ("cap".into(), 100.0)], players: vec![] };
        reckon(&file, Path::new("nowhere"), paces).unwrap()
    }

    #[test]
    fn an_ablation_takes_what_its_runs_and_matches_do() {
        let plan = reckoned(PLAN);
        let found: Vec<_> =
            plan.stages.lines.iter().map(|line| (line.units, line.games, line.evaluations)).collect();
        // A generation of configs/tiny.toml: 24 games cut at 60 plies, 8 simulations each: 11,520; two passes over 1,440 rows: 2,880;
        // 14,400 in all. The control ends with generation 3 (43,200), the first of them the trunk's.
        // Half the plies at 8 and half at 2, half the rows: 7,200 and 1,440, and so three more generations after the trunk's.
        let arms = 2 * (2 * 11_520 + 3 * 7_200);
        let expected = [
            ([2, 0], 2 * 24, 2 * 11_520),
            ([4, 0], 2 * (2 + 3) * 24, arms),
            // 8 games of 120 plies, 4 simulations at each; at every other one against random.
            ([2, 0], 16, 2 * 3_840),
            ([4, 0], 32, 4 * 1_920),
        ];
        assert_eq!(found, expected);
        let hours: Vec<f64> = plan.stages.lines.iter().map(|line| line.hours).collect();
        assert!((hours[0] - 2.0 * 14_400.0 / 360_000.0).abs() < 1e-9, "{hours:?}");
        assert!((hours[1] - 2.0 * (2.0 * 14_400.0 + 3.0 * 8_640.0) / 360_000.0).abs() < 1e-9, "{hours:?}");
        assert_eq!(plan.generations, [("plain".into(), 3, 6), ("cap".into(), 4, 6)]);
        let text = plan.to_string();
        assert!(text.contains("plain 3 of at most 6, cap 4 of at most 6"), "{text}");
    }

    #[test]
    fn rows_that_are_not_counted_take_their_time_all_the_same() {
        let plan = reckoned(&PLAN.replacen("row_cost = 1.0", "row_cost = 0.0", 1));
        // 11,520, 23,040, 34,560, 46,080.
        assert_eq!(plan.generations[0], ("plain".into(), 4, 6));
        assert!((plan.stages.lines[0].hours - 2.0 * 11_520.0 * 1.25 / 360_000.0).abs() < 1e-9);
        // Nothing in common: no trunk.
        let plan = reckoned(&PLAN.replacen("fork = 1", "fork = 0", 1));
        assert_eq!(plan.stages.lines[0].what, "arms (runs)");
        assert_eq!(plan.stages.lines[0].games, 2 * (3 + 5) * 24);
    }
}
