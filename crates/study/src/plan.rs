//! What a study will take: units, games, evaluations, hours.

use crate::StudyError;
use crate::config::{AgentConfig, StudyFile};
use crate::folder;
use crate::matches::MatchUnit;
use crate::play::GamesUnit;
use catapult_encoding::Encode;
use catapult_mcts::SearchConfig;
use catapult_network::{Architecture, EvaluatorSettings, Network, NetworkEvaluator, NetworkInfo, device};
use catapult_records::read_shard;
use catapult_rules::{Variant, with_variants};
use catapult_selfplay::{Counters, SelfPlayConfig, SelfPlayError, ShardSettings, play_shard};
use catapult_training::TrainConfig;
use catapult_training::run::{network_path, read_reports};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Plies of a game where none has been played yet.
pub(crate) const PLIES: f64 = 120.0;

/// Shards that are read to learn how long games are.
const SHARDS_READ: usize = 8;

/// How long the machine is measured for each kind of network.
const MEASURED: Duration = Duration::from_secs(3);

/// Seconds of learning a second of playing, in runs of configs/quickstart.toml (their log says which part is playing).
const LEARNING_SHARE: f64 = 0.25;

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
    /// Evaluations a second of this machine, by agent.
    pub rates: Vec<(String, f64)>,
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
    let mut measured: Vec<(Architecture, f64)> = Vec::new();
    let mut rates = Vec::new();
    for agent in &study.config.agents {
        let architecture = architecture(study, agent)?;
        let rate = match measured.iter().find(|(known, _)| *known == architecture) {
            Some(&(_, rate)) => rate,
            None => {
                let threads = study.config.machine.playing_threads();
                let rate = with_variants!(&agent.arms, |P, arms| {
                    measure::<P>(&arms, &architecture, &study.config.machine.device, threads)
                })?;
                measured.push((architecture, rate));
                rate
            }
        };
        rates.push((agent.name.clone(), rate));
    }
    let known = known_plies(study, dir)?;
    reckon(study, dir, rates, known)
}

/// The plan at given rates.
fn reckon(
    study: &StudyFile,
    dir: &Path,
    rates: Vec<(String, f64)>,
    known_plies: Option<f64>,
) -> Result<Plan, StudyError> {
    let config = &study.config;
    let plies = known_plies.unwrap_or(PLIES);
    let hours = |agent: &str, evaluations: u64| {
        let rate = rates.iter().find(|(name, _)| name == agent).map_or(f64::NAN, |(_, rate)| *rate);
        evaluations as f64 / rate / 3600.0
    };
    let mut training = PlanLine { what: "training (generations)".into(), ..Default::default() };
    for agent in &config.agents {
        for &seed in &agent.seeds {
            if let Some(train) = study.training(agent, seed)? {
                let run = folder::agent_dir(dir, &format!("{}-{seed}", agent.name));
                let done = read_reports(&run)?.len().saturating_sub(1) as u32;
                training.units[0] += u64::from(train.generations);
                training.units[1] += u64::from(done.min(train.generations));
                let (games, evaluations) = training_left(&train, done, plies);
                training.games += games;
                training.evaluations += evaluations;
                training.hours += hours(&agent.name, evaluations) * (1.0 + LEARNING_SHARE);
            }
        }
    }
    let line = |what: &str, units: Vec<(String, u64, u64, bool)>| {
        let mut line = PlanLine { what: what.into(), ..Default::default() };
        for (agent, games, evaluations, is_done) in units {
            line.units[0] += 1;
            if is_done {
                line.units[1] += 1;
            } else {
                line.games += games;
                line.evaluations += evaluations;
                line.hours += hours(&agent, evaluations);
            }
        }
        line
    };
    let games = GamesUnit::all(config).into_iter().map(|unit| {
        let is_done = unit.path(dir).is_some();
        (unit.cell.network.agent.clone(), unit.games, unit.evaluations(plies), is_done)
    });
    let matches = |units: Vec<MatchUnit>| {
        let unit = |unit: MatchUnit| {
            let is_done = folder::match_path(dir, &unit.name()).exists();
            (unit.cell.network.agent.clone(), u64::from(unit.games), unit.evaluations(plies), is_done)
        };
        units.into_iter().map(unit).collect()
    };
    let analyses = config.analysed_cells().into_iter().map(|cell| {
        let is_done = folder::analysis_path(dir, &cell).exists();
        (cell.network.agent.clone(), 0, config.analysis.evaluations(), is_done)
    });
    let lines = vec![
        line("games (shards)", games.collect()),
        line("strength (matches)", matches(MatchUnit::strength(config))),
        line("equivalence (matches)", matches(MatchUnit::equivalence(config))),
        line("analyses", analyses.collect()),
    ];
    let lines = std::iter::once(training).chain(lines).filter(|line| line.units[0] > 0).collect();
    Ok(Plan { lines, rates, plies, plies_known: known_plies.is_some() })
}

/// Games and evaluations of a run's generations after so many.
fn training_left(config: &TrainConfig, done: u32, plies: f64) -> (u64, u64) {
    // A forked game begins within another one, on average in its middle.
    let plies = plies * (1.0 - config.selfplay.fork_share / 2.0);
    let plies = plies.min(f64::from(config.selfplay.ply_cap));
    let mut left = (0, 0);
    for generation in done + 1..=config.generations {
        let games = config.games.per_generation;
        left.0 += games;
        left.1 += (games as f64 * plies * f64::from(config.simulations(generation))) as u64;
    }
    left
}

fn architecture(study: &StudyFile, agent: &AgentConfig) -> Result<Architecture, StudyError> {
    if let Some(config) = study.training(agent, agent.seeds[0])? {
        return Ok(config.network);
    }
    let path = study.resolve(&agent.taken[0]);
    // Generation 0 of a run has the shape of them all.
    let file = if path.is_dir() { network_path(&path, 0) } else { path };
    Ok(NetworkInfo::read(&file)?.architecture)
}

/// Evaluations a second of all threads together, playing with an untrained network of this shape.
fn measure<P: Encode>(
    arms: &[(Variant, P::Rules)],
    architecture: &Architecture,
    device: &str,
    threads: usize,
) -> Result<f64, StudyError> {
    let device = device::choose(device)?;
    let network = Network::untrained(architecture.clone(), P::LAYOUT, 1)?;
    let (counters, stop) = (Counters::default(), AtomicBool::new(false));
    let selfplay = SelfPlayConfig { fork_share: 0.0, ..Default::default() };
    let search = SearchConfig { gumbel_scale: 1.0, ..Default::default() };
    let began = Instant::now();
    std::thread::scope(|scope| {
        let play = |seed: u64| {
            let mut evaluator = NetworkEvaluator::<P>::new(&network, EvaluatorSettings::on(device))?;
            let settings = ShardSettings {
                selfplay: &selfplay,
                search: &search,
                // More than are ever finished in the time.
                games: 1_000_000,
                slots: 32,
                seed,
                network: "",
            };
            match play_shard::<P>(arms, &settings, &mut evaluator, &counters, &stop) {
                Err(SelfPlayError::Evaluation(error)) => Err(StudyError::from(error)),
                _ => Ok(()),
            }
        };
        let playing: Vec<_> = (0..threads as u64).map(|seed| scope.spawn(move || play(seed))).collect();
        std::thread::sleep(MEASURED);
        stop.store(true, Ordering::Relaxed);
        let results = playing.into_iter().map(|thread| thread.join());
        results
            .into_iter()
            .try_for_each(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(counters.evaluations.load(Ordering::Relaxed).max(1) as f64 / began.elapsed().as_secs_f64())
}

/// The mean length of games that the study has played.
fn known_plies(study: &StudyFile, dir: &Path) -> Result<Option<f64>, StudyError> {
    let paths = GamesUnit::all(&study.config).into_iter().filter_map(|unit| unit.path(dir));
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

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<28}{:>8}{:>8}{:>10}{:>16}{:>9}",
            "", "units", "done", "games", "evaluations", "hours"
        )?;
        let mut total = PlanLine { what: "left in all".into(), ..Default::default() };
        for line in &self.lines {
            line.fmt(f)?;
            total.units[0] += line.units[0];
            total.units[1] += line.units[1];
            total.games += line.games;
            total.evaluations += line.evaluations;
            total.hours += line.hours;
        }
        total.fmt(f)?;
        let source = if self.plies_known { "as played so far" } else { "assumed, none has been played yet" };
        writeln!(
            f,
            "games, evaluations and hours are what is left; games of {:.0} plies ({source})",
            self.plies
        )?;
        let rates: Vec<String> =
            self.rates.iter().map(|(agent, rate)| format!("{agent} {:.1} k", rate / 1000.0)).collect();
        write!(f, "evaluations a second, measured now: {}", rates.join(", "))
    }
}

impl fmt::Display for PlanLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlanLine { what, units: [units, done], games, evaluations, hours } = self;
        writeln!(f, "{what:<28}{units:>8}{done:>8}{games:>10}{evaluations:>16}{hours:>9.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = r#"
name = "plan"
title = ""
seed = 1
control = "chess"
arms = ["chess"]

[[agents]]
name = "taken"
arms = ["chess"]
seeds = [1, 2]
taken = ["a", "b"]

[[agents]]
name = "trained"
arms = ["chess"]
seeds = [1]
train = "train.toml"
early = 1

[games]
simulations = [10, 20]
per_level = 30
early_simulations = 10
per_shard = 20

[strength]
games = 4
simulations = [20]
opponents = ["half", "random"]

[analysis]
lines = 10
line_plies = 10
positions = 10
simulations = 9
shared_positions = 50
"#;

    const TRAIN: &str = r#"
name = "train"
variant = "chess"
seed = 1
generations = 2

[network]
channels = 8
blocks = 1

[games]
per_generation = 10
shards = 1

[selfplay]
simulations = 4
fork_share = 0.25
"#;

    #[test]
    fn a_plan_adds_up_by_hand() {
        let desk = tempfile::tempdir().unwrap();
        let path = desk.path().join("study.toml");
        std::fs::write(&path, STUDY).unwrap();
        std::fs::write(desk.path().join("train.toml"), TRAIN).unwrap();
        let study = StudyFile::read(&path).unwrap();
        let rates = vec![("taken".to_owned(), 1000.0), ("trained".to_owned(), 500.0)];
        let plan = reckon(&study, &desk.path().join("out"), rates, Some(100.0)).unwrap();
        let found: Vec<_> = plan
            .lines
            .iter()
            .map(|line| (line.what.as_str(), line.units, line.games, line.evaluations))
            .collect();
        let expected = [
            // A quarter of the games are half as long: 20 games of 87.5 plies at 4 simulations.
            ("training (generations)", [2, 0], 20, 7000),
            // Six cells and an early one, each of 20 and 10 games: 90 games at 20 simulations, 120 at 10.
            ("games (shards)", [14, 0], 210, 300_000),
            // Three networks at 20 simulations: half of 4 x 100 plies at 20, the others at 10 or by chance.
            ("strength (matches)", [6, 0], 24, 3 * (4000 + 2000) + 3 * 4000),
            // Three strongest levels and an early one: 10 x 10 + 10 x (9 + 1) + 50.
            ("analyses", [4, 0], 0, 4 * 250),
        ];
        assert_eq!(found, expected);
        let hours: Vec<f64> = plan.lines.iter().map(|line| line.hours * 3600.0).collect();
        assert!((hours[0] - 7000.0 / 500.0 * 1.25).abs() < 1e-9, "learning adds a quarter: {hours:?}");
        // Two thirds of the cells of the last checkpoint are of the faster agent.
        let games = 180_000.0 / 1000.0 + (90_000.0 + 30_000.0) / 500.0;
        assert!((hours[1] - games).abs() < 1e-9, "{hours:?}");
        let text = plan.to_string();
        assert!(text.contains("left in all") && text.contains("as played so far"), "{text}");
    }

    #[test]
    fn what_is_done_is_not_counted() {
        let desk = tempfile::tempdir().unwrap();
        let path = desk.path().join("study.toml");
        std::fs::write(&path, STUDY).unwrap();
        std::fs::write(desk.path().join("train.toml"), TRAIN).unwrap();
        let study = StudyFile::read(&path).unwrap();
        let out = desk.path().join("out");
        let unit = MatchUnit::strength(&study.config).remove(0);
        let done = folder::match_path(&out, &unit.name());
        std::fs::create_dir_all(done.parent().unwrap()).unwrap();
        std::fs::write(done, "").unwrap();
        let rates = vec![("taken".to_owned(), 1000.0), ("trained".to_owned(), 1000.0)];
        let plan = reckon(&study, &out, rates, None).unwrap();
        assert_eq!((plan.lines[2].units, plan.lines[2].games), ([6, 1], 20));
        assert!(plan.to_string().contains("assumed"));
    }

    #[test]
    fn a_machine_is_measured_by_play() {
        let arms = [(Variant::Chess, catapult_rules::Standard)];
        let architecture = toml::from_str("channels = 8\nblocks = 1\n").unwrap();
        let rate = measure::<catapult_rules::Chess>(&arms, &architecture, "cpu", 2).unwrap();
        assert!(rate > 10.0, "{rate}");
    }
}
