//! State of a training run. It is read repeatedly from the run's folder while another process
//! writes to the folder.

use crate::folders::inside;
use catapult_arena::MatchResult;
use catapult_records::find_shards;
use catapult_training::ladder::{ratings_dir, strengths};
use catapult_training::report::GenerationReport;
use catapult_training::run::{generation_dir, read_report};
use catapult_training::{TrainConfig, played_matches};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A run in the list of runs, sent as JSON.
#[derive(Default, Serialize)]
pub(crate) struct Summary {
    name: String,
    variants: Vec<String>,
    /// Number of complete generations, not counting generation 0. `planned` is the number in the
    /// config, or the last generation of a run whose budget is spent.
    generations: u32,
    planned: u32,
    /// True if a process works on the run. `None` if the operating system does not show it.
    running: Option<bool>,
    /// Time of the last change, in seconds since 1970.
    changed: u64,
    /// Reason why a part of the run could not be read.
    problem: Option<String>,
}

/// Strength of a generation, a point of a curve. `elo`, `low` and `high` are in Elo above the
/// reference player.
#[derive(Serialize)]
struct Strength {
    generation: u32,
    level: String,
    elo: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

/// State of a run, sent to watching clients as JSON.
#[derive(Default, Serialize)]
pub(crate) struct RunState {
    #[serde(flatten)]
    summary: Summary,
    /// Curves by name, as pairs `(generation, value)`.
    curves: BTreeMap<String, Vec<(u32, f64)>>,
    strengths: Vec<Strength>,
    /// Name of the reference player, whose rating is 0 Elo. Empty without ratings.
    zero: String,
    /// Results of the final matches. Empty until the run is complete.
    matches: Vec<MatchResult>,
    games: u64,
    /// Current generation: number, finished shards, planned shards. `None` if the last generation
    /// is complete.
    playing: Option<(u32, usize, u32)>,
    /// Numbers of games by outcome, as pairs `(generation, count)`.
    outcomes: BTreeMap<String, Vec<(u32, u64)>>,
    /// File name of the newest shard, if there is one.
    newest: Option<String>,
}

/// Reads a run repeatedly. The config and each report are read once. When the config has changed,
/// the run was resumed or begun again, and everything is read anew. The final matches are read when
/// their folder has changed.
#[derive(Default)]
pub(crate) struct Reader {
    name: String,
    dir: PathBuf,
    config: Option<TrainConfig>,
    config_changed: Option<SystemTime>,
    reports: Vec<GenerationReport>,
    matches: Vec<MatchResult>,
    matches_changed: Option<SystemTime>,
}

/// Maximum number of generations that are read.
const MOST_GENERATIONS: u32 = 20_000;

impl Reader {
    /// Creates a reader of the run in the folder `dir`. `dir` must not contain links.
    pub(crate) fn new(name: String, dir: PathBuf) -> Reader {
        Reader { name, dir, ..Reader::default() }
    }

    /// Reads the current state of the run. The state's `problem` describes errors.
    pub(crate) fn read(&mut self) -> RunState {
        let mut problem = None;
        let path = self.dir.join("config.toml");
        let changed = path.metadata().and_then(|file| file.modified()).ok();
        if self.config_changed != changed {
            let (name, dir) = (std::mem::take(&mut self.name), std::mem::take(&mut self.dir));
            *self = Reader { config_changed: changed, ..Reader::new(name, dir) };
        }
        if self.config.is_none() {
            match TrainConfig::read(&path, &[]) {
                Ok(config) => self.config = Some(config),
                Err(error) => problem = Some(error.to_string()),
            }
        }
        while let Some(read) = self.next_report() {
            match read {
                Ok(report) => self.reports.push(report),
                Err(error) => {
                    problem = Some(error);
                    break;
                }
            }
        }
        let generations = (self.reports.len() as u32).saturating_sub(1);
        let mut state = RunState {
            summary: summary(&self.name, &self.dir, self.config.as_ref(), self.end(), generations, problem),
            newest: newest_shard(&self.dir),
            ..RunState::default()
        };
        for report in &self.reports {
            add_report(&mut state, report);
        }
        let next = self.reports.len() as u32;
        if let Some(config) = &self.config {
            if self.end().is_none() {
                state.playing = Some((next, shards(&self.dir, next).len(), config.games.shards));
            }
            self.add_strengths(&mut state, config);
        }
        if let Err(error) = self.read_matches() {
            state.summary.problem = Some(error);
        }
        state.matches.clone_from(&self.matches);
        state
    }

    /// Returns the last generation of a complete run. `None` if the run is not complete.
    fn end(&self) -> Option<u32> {
        self.config.as_ref()?.ends_with(&self.reports)
    }

    /// Reads the next report. `None` if that generation is not complete.
    fn next_report(&self) -> Option<Result<GenerationReport, String>> {
        let next = self.reports.len() as u32;
        let path = generation_dir(&self.dir, next).join("report.json");
        if next >= MOST_GENERATIONS || inside(&self.dir, &path).is_none() {
            return None;
        }
        read_report(&self.dir, next).map_err(|error| error.to_string()).transpose()
    }

    fn read_matches(&mut self) -> Result<(), String> {
        let Some(config) = &self.config else { return Ok(()) };
        let Some(dir) = inside(&self.dir, &self.dir.join("matches")) else { return Ok(()) };
        let changed = dir.metadata().and_then(|of| of.modified()).map_err(|error| error.to_string())?;
        if self.matches_changed == Some(changed) || self.end().is_none() {
            return Ok(());
        }
        let mut files = dir.read_dir().map_err(|error| error.to_string())?.flatten();
        if files.any(|file| inside(&dir, &file.path()).is_none()) {
            return Ok(());
        }
        self.matches = played_matches(config, &self.dir).map_err(|error| error.to_string())?;
        self.matches_changed = Some(changed);
        Ok(())
    }

    fn add_strengths(&self, state: &mut RunState, config: &TrainConfig) {
        let files = config
            .variants()
            .iter()
            .map(|variant| ratings_dir(&self.dir, config, *variant).join("ratings.json"));
        if files.filter(|file| file.exists()).any(|file| inside(&self.dir, &file).is_none()) {
            return;
        }
        match strengths(&self.dir, config) {
            Ok(strengths) => {
                state.zero = strengths.zero;
                state.strengths = strengths.points.iter().map(strength).collect();
            }
            Err(error) => state.summary.problem = Some(error.to_string()),
        }
    }
}

fn strength(point: &catapult_training::ladder::Strength) -> Strength {
    let [elo, low, high] = point.rating.elos();
    Strength { generation: point.generation, level: point.level.clone(), elo, low, high }
}

fn add_report(state: &mut RunState, report: &GenerationReport) {
    let generation = report.generation;
    let mut add = |name: &str, value: f64| {
        if value.is_finite() {
            state.curves.entry(name.to_owned()).or_default().push((generation, value));
        }
    };
    for (name, value) in report.scalars() {
        add(&name, value);
    }
    if let Some(games) = &report.games {
        state.games += games.games;
        // Evaluations and seconds are from the process that finished the generation; games and
        // plies include all processes.
        add("rate/evaluations", games.evaluations as f64 / games.seconds);
        for (outcome, count) in &games.outcomes {
            state.outcomes.entry(outcome.clone()).or_default().push((generation, *count));
        }
    }
    if let Some(learning) = &report.learning {
        add("rate/steps", learning.steps as f64 / learning.seconds);
    }
}

/// Returns a run's entry in the list of runs. Reports are only counted, unless the run has a
/// budget.
pub(crate) fn summarize(name: String, dir: &Path) -> Summary {
    let config = TrainConfig::read(&dir.join("config.toml"), &[]);
    let complete = |&generation: &u32| generation_dir(dir, generation).join("report.json").exists();
    let complete = (0..MOST_GENERATIONS).take_while(complete).count() as u32;
    let problem = config.as_ref().err().map(ToString::to_string);
    let config = config.ok();
    if config.as_ref().is_some_and(|config| config.budget.is_some()) {
        return Reader::new(name, dir.to_owned()).read().summary;
    }
    summary(&name, dir, config.as_ref(), None, complete.saturating_sub(1), problem)
}

fn summary(
    name: &str,
    dir: &Path,
    config: Option<&TrainConfig>,
    end: Option<u32>,
    generations: u32,
    problem: Option<String>,
) -> Summary {
    let newest = generation_dir(dir, generations + 1);
    let places = [
        dir.to_owned(),
        generation_dir(dir, generations),
        newest.join("games"),
        newest,
        dir.join("ratings"),
        dir.join("ratings").join("ratings.json"),
        dir.join("matches"),
    ];
    let times = places.iter().filter_map(|place| place.metadata().ok()?.modified().ok());
    let changed = times.max().unwrap_or(UNIX_EPOCH);
    Summary {
        name: name.to_owned(),
        variants: config
            .map_or(Vec::new(), |config| config.variants().iter().map(ToString::to_string).collect()),
        generations,
        planned: end.or(config.map(|config| config.generations)).unwrap_or(0),
        running: is_locked(&dir.join("lock")),
        changed: SystemTime::duration_since(&changed, UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        problem,
    }
}

/// Returns the numbers of the generations that have a folder, in descending order.
pub(crate) fn generations(dir: &Path) -> Vec<u32> {
    let Ok(entries) = dir.read_dir() else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut numbers: Vec<u32> =
        names.filter_map(|name| name.strip_prefix("generation-")?.parse().ok()).collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    numbers
}

/// Returns the paths of a generation's finished shards, newest first. Links that lead out of the
/// run are ignored.
pub(crate) fn shards(dir: &Path, generation: u32) -> Vec<PathBuf> {
    let games = generation_dir(dir, generation).join("games");
    let Some(games) = inside(dir, &games) else { return Vec::new() };
    let found = find_shards(&games).unwrap_or_default();
    let mut dated: Vec<_> = found
        .into_iter()
        .filter_map(|shard| {
            let place = inside(dir, &shard.path)?;
            Some((place.metadata().ok()?.modified().ok()?, place))
        })
        .collect();
    dated.sort_by(|a, b| b.cmp(a));
    dated.into_iter().map(|(_, place)| place).collect()
}

fn newest_shard(dir: &Path) -> Option<String> {
    let newest =
        generations(dir).into_iter().take(2).find_map(|number| shards(dir, number).into_iter().next());
    newest?.file_name()?.to_str().map(str::to_owned)
}

/// Returns true if a process holds a lock on the file, and `None` if the list of locks cannot be
/// read. The function only reads that list. Trying the lock could prevent a run from starting.
#[cfg(target_os = "linux")]
fn is_locked(path: &Path) -> Option<bool> {
    use std::os::unix::fs::MetadataExt;
    let Ok(metadata) = path.metadata() else { return Some(false) };
    let inode = format!(":{}", metadata.ino());
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    // Example: 1: FLOCK  ADVISORY  WRITE 12345 08:01:6789 0 EOF
    let mut fields = locks.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    Some(fields.any(|fields| fields.contains(&"FLOCK") && fields.iter().any(|field| field.ends_with(&inode))))
}

#[cfg(not(target_os = "linux"))]
fn is_locked(_: &Path) -> Option<bool> {
    None
}
