//! What a study will take: units, games, evaluations, hours.

mod paces;
mod shown;

use crate::StudyError;
use crate::config::StudyFile;
use crate::exact::EndingUnit;
use crate::folder;
use crate::matches::MatchUnit;
use crate::play::GamesUnit;
use catapult_records::read_shard;
use catapult_training::TrainConfig;
use catapult_training::run::read_reports;
use paces::Paces;
use std::path::{Path, PathBuf};

/// Plies of a game where none has been played yet.
pub(crate) const PLIES: f64 = 120.0;

/// Shards that are read to learn how long games are.
const SHARDS_READ: usize = 8;

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

/// A unit of work: whose network works on it, games, evaluations, hours of players without a network, and whether it is done.
struct Unit {
    agent: String,
    games: u64,
    evaluations: u64,
    other_hours: f64,
    is_done: bool,
}

/// The plan at given paces.
fn reckon(study: &StudyFile, dir: &Path, paces: Paces, known_plies: Option<f64>) -> Result<Plan, StudyError> {
    let config = &study.config;
    let plies = known_plies.unwrap_or(PLIES);
    let hours = |agent: &str, evaluations: u64| evaluations as f64 / paces.of_agent(agent) / 3600.0;
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
    let line = |what: &str, units: Vec<Unit>| {
        let mut line = PlanLine { what: what.into(), ..Default::default() };
        for unit in units {
            line.units[0] += 1;
            if unit.is_done {
                line.units[1] += 1;
            } else {
                line.games += unit.games;
                line.evaluations += unit.evaluations;
                line.hours += hours(&unit.agent, unit.evaluations) + unit.other_hours;
            }
        }
        line
    };
    let games = GamesUnit::all(config).into_iter().map(|unit| Unit {
        agent: unit.cell.network.agent.clone(),
        games: unit.games,
        evaluations: unit.evaluations(plies),
        other_hours: 0.0,
        is_done: unit.path(dir).is_some(),
    });
    let matches = |units: Vec<MatchUnit>| {
        let unit = |unit: MatchUnit| Unit {
            agent: unit.cell.network.agent.clone(),
            games: u64::from(unit.games),
            evaluations: unit.evaluations(plies),
            other_hours: unit
                .other_player(plies)
                .map_or(0.0, |(player, moves)| moves / paces.of_player(unit.cell.arm, player) / 3600.0),
            is_done: folder::match_path(dir, &unit.name()).exists(),
        };
        units.into_iter().map(unit).collect()
    };
    let endings = EndingUnit::all(config).into_iter().map(|unit| Unit {
        agent: unit.cell.network.agent.clone(),
        games: 2 * u64::from(unit.positions),
        evaluations: unit.evaluations(),
        other_hours: 0.0,
        is_done: folder::ending_path(dir, &unit.name()).exists(),
    });
    let analyses = config.analysed_cells().into_iter().map(|cell| Unit {
        agent: cell.network.agent.clone(),
        games: 0,
        evaluations: config.analysis.evaluations(),
        other_hours: 0.0,
        is_done: folder::analysis_path(dir, &cell).exists(),
    });
    let lines = vec![
        line("games (shards)", games.collect()),
        line("strength (matches)", matches(MatchUnit::strength(config))),
        line("population (matches)", matches(MatchUnit::population(config))),
        line("worth (matches)", matches(MatchUnit::worth(config))),
        line("equivalence (matches)", matches(MatchUnit::equivalence(config))),
        line("endings (units)", endings.collect()),
        line("analyses", analyses.collect()),
    ];
    let lines = std::iter::once(training).chain(lines).filter(|line| line.units[0] > 0).collect();
    Ok(Plan { lines, paces, plies, plies_known: known_plies.is_some() })
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

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_arena::PlayerSpec;
    use catapult_rules::Variant;

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
train = "CONFIGS/tiny.toml"
settings = [
    "variant=chess", "generations=2", "games.per_generation=10",
    "selfplay.simulations=4", "selfplay.fork_share=0.25", "selfplay.ply_cap=400",
]
early = 1

[games]
simulations = [10, 20]
per_level = 30
early_simulations = 10
per_shard = 20

[[games.deep]]
simulations = [40]
games = 10
agents = ["trained"]

[strength]
games = 4
simulations = [20]
opponents = ["half", "random", "alphabeta:1"]

[[strength.more]]
opponents = ["x4"]
simulations = [10]
games = 2
agents = ["taken"]

[population]
games = 2
simulations = [10]

[worth]
kinds = ["teleports"]
games = 2
simulations = [10]

[analysis]
lines = 10
line_plies = 10
positions = 10
simulations = 9
shared_positions = 50
"#;

    /// The study above, in a folder.
    fn study(desk: &Path) -> StudyFile {
        let path = desk.join("study.toml");
        std::fs::write(
            &path,
            STUDY.replace("CONFIGS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs")),
        )
        .unwrap();
        StudyFile::read(&path).unwrap()
    }

    fn paces(trained: f64) -> Paces {
        let player = PlayerSpec::AlphaBeta { depth: 1, quiescence: false };
        Paces {
            agents: vec![("taken".to_owned(), 1000.0), ("trained".to_owned(), trained)],
            players: vec![(player, Variant::Chess, 50.0)],
        }
    }

    #[test]
    fn a_plan_adds_up_by_hand() {
        let desk = tempfile::tempdir().unwrap();
        let study = study(desk.path());
        let plan = reckon(&study, &desk.path().join("out"), paces(500.0), Some(100.0)).unwrap();
        let found: Vec<_> = plan
            .lines
            .iter()
            .map(|line| (line.what.as_str(), line.units, line.games, line.evaluations))
            .collect();
        let expected = [
            // A quarter of the games are half as long: 20 games of 87.5 plies at 4 simulations.
            ("training (generations)", [2, 0], 20, 7000),
            // Six cells and an early one, each of 20 and 10 games: 90 games at 20 simulations, 120 at 10; and 10 at 40.
            ("games (shards)", [15, 0], 220, 340_000),
            // Three networks at 20 simulations: half of 4 x 100 plies at 20, the others at 10, by chance or by alpha-beta; and two
            // at 10, half of 2 x 100 plies at 10, the others at 40.
            ("strength (matches)", [11, 0], 40, 3 * (4000 + 2000) + 3 * 4000 + 3 * 4000 + 2 * 5000),
            // Two networks meet themselves and each other; the third is alone. Chess has no teleports to lose.
            ("population (matches)", [3, 0], 6, 3 * 2000),
            // Three strongest levels and an early one: 10 x 10 + 10 x (9 + 1) + 50.
            ("analyses", [4, 0], 0, 4 * 250),
        ];
        assert_eq!(found, expected);
        let hours: Vec<f64> = plan.lines.iter().map(|line| line.hours * 3600.0).collect();
        assert!((hours[0] - 7000.0 / 500.0 * 1.25).abs() < 1e-9, "learning adds a quarter: {hours:?}");
        // Two thirds of the cells of the last checkpoint are of the faster agent.
        let games = 180_000.0 / 1000.0 + (90_000.0 + 30_000.0 + 40_000.0) / 500.0;
        assert!((hours[1] - games).abs() < 1e-9, "{hours:?}");
        // Of 14,000 evaluations a network two thirds are the faster agent's; of each match against alpha-beta 200 of 400 moves
        // are its, at 50 a second; a random mover takes no time.
        let strength = (28_000.0 + 10_000.0) / 1000.0 + 14_000.0 / 500.0 + 3.0 * 200.0 / 50.0;
        assert!((hours[2] - strength).abs() < 1e-9, "{hours:?}");
        let text = plan.to_string();
        assert!(text.contains("left in all") && text.contains("as played so far"), "{text}");
        assert!(text.contains("taken 1.0 k") && text.contains("alphabeta:1 50 in chess"), "{text}");
    }

    #[test]
    fn what_is_done_is_not_counted() {
        let desk = tempfile::tempdir().unwrap();
        let study = study(desk.path());
        let out = desk.path().join("out");
        let unit = MatchUnit::strength(&study.config).remove(0);
        let done = folder::match_path(&out, &unit.name());
        std::fs::create_dir_all(done.parent().unwrap()).unwrap();
        std::fs::write(done, "").unwrap();
        let plan = reckon(&study, &out, paces(1000.0), None).unwrap();
        assert_eq!((plan.lines[2].units, plan.lines[2].games), ([11, 1], 36));
        assert!(plan.to_string().contains("assumed"));
    }
}
