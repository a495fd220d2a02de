//! Players of a ladder, which is a set of players rated on one scale.

use crate::TrainingError;
use crate::run::{check_file, network_path, read_reports};
use catapult_arena::rating::anchors;
use catapult_arena::{PlayerSpec, SearchSettings};
use catapult_network::{NetworkInfo, file_hash};
use catapult_rules::Variant;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Player of a ladder. A ladder is a set of players rated on one scale.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Name of the player in tables and file names, without its simulations.
    pub name: String,
    /// Simulations per move. `None` if the player does not search with simulations.
    pub simulations: Option<u32>,
    /// Number of the generation whose network the player is. `None` if the player is not a run's
    /// network.
    pub generation: Option<u32>,
    /// Key that determines the player's moves. It is a network's hash with simulations and
    /// settings, or a player's name.
    pub id: String,
    /// Specification of the player.
    pub spec: PlayerSpec,
    /// Approximate strength in Elo, used to choose opponents ([`catapult_arena::rating::Seat`]).
    /// `None` if unknown.
    pub guess: Option<f64>,
    /// Approximate time per move in milliseconds. It is a constant or computed from the
    /// simulations, and not measured.
    pub cost: f64,
    /// True if games are chosen to narrow the interval of this player's rating. False for anchors,
    /// which serve only as opponents.
    pub is_rated: bool,
}

/// All players of a ladder. Each player has a different `id`.
#[derive(Clone, Debug)]
pub struct Roster {
    /// The players. Ratings refer to them by index.
    pub entrants: Vec<Entrant>,
    /// Index of the player whose rating is 0 Elo.
    pub zero: usize,
}

/// Returns a player's name, followed by `:` and its simulations if it has any.
pub(super) fn full_name(name: &str, simulations: Option<u32>) -> String {
    simulations.map_or_else(|| name.to_owned(), |simulations| format!("{name}:{simulations}"))
}

impl Entrant {
    /// Creates a player. The `id` of a network with simulations contains the hash of its file, not
    /// the path. Copies of a file with the same simulations and settings are therefore one player.
    ///
    /// # Errors
    /// A network file cannot be read.
    pub fn new(spec: PlayerSpec, is_rated: bool) -> Result<Entrant, TrainingError> {
        let text = spec.to_string();
        let (name, simulations, id) = match &spec {
            PlayerSpec::Network { file, simulations, settings } => {
                let hash = NetworkInfo::read(file)?.hash;
                // The text after the file's name: simulations and settings.
                let level = &text[file.display().to_string().len()..];
                (with_settings(short_name(file), settings), Some(*simulations), hash + level)
            }
            PlayerSpec::Search { evaluator, simulations, settings } => {
                let name = format!("search:{}", evaluator.name());
                (with_settings(name, settings), Some(*simulations), text)
            }
            _ => {
                let hash = spec.file().map(file_hash).transpose()?.unwrap_or_default();
                (text.clone(), None, hash + &text)
            }
        };
        let anchor = anchors().into_iter().find(|anchor| anchor.spec == spec);
        let guess = anchor.as_ref().map(|anchor| anchor.guess);
        let cost = anchor.map(|anchor| anchor.cost).or(simulations.map(cost)).unwrap_or(0.0);
        Ok(Entrant { name, simulations, generation: None, id, spec, guess, cost, is_rated })
    }

    /// Checks that the player's network file, if it has one, is still the one in its `id`.
    ///
    /// # Errors
    /// The file was replaced, so games would be stored under the id of another network.
    pub(super) fn check_file(&self) -> Result<(), TrainingError> {
        let Some(file) = self.spec.file() else { return Ok(()) };
        if self.id.starts_with(&file_hash(file)?) {
            return Ok(());
        }
        let reason = "was replaced during the ladder; restore it, or repeat the command with the new file";
        Err(TrainingError::Other(format!("{} {reason}", file.display())))
    }

    /// Returns the name, followed by `:` and the simulations if the player has any.
    pub fn full_name(&self) -> String {
        full_name(&self.name, self.simulations)
    }

    /// Returns the full name as names of files have it. Every character except letters, digits and
    /// `-.~` becomes `-`.
    pub(super) fn file_name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-.~".contains(c) { c } else { '-' };
        self.full_name().chars().map(plain).collect()
    }
}

/// Returns the approximate time per move in milliseconds, at 8000 simulations per second.
fn cost(simulations: u32) -> f64 {
    f64::from(simulations) / 8.0
}

/// Returns the name, followed by `@` and the search settings if there are any.
fn with_settings(name: String, settings: &SearchSettings) -> String {
    if settings.is_empty() { name } else { format!("{name}@{settings}") }
}

/// Returns a file's name without its extension. If this name is `network`, returns the whole path,
/// because all runs have files of that name.
fn short_name(file: &Path) -> String {
    match file.file_stem().map(|stem| stem.to_string_lossy()) {
        Some(stem) if stem != "network" => stem.into_owned(),
        _ => file.display().to_string(),
    }
}

/// Returns the players of a ladder for `text`, an argument of the command line. `text` is one of
/// these:
///
/// - The folder of a run: every `every`-th complete generation and the last one, at each of
///   `levels`. By default, `every` is a tenth of the run's generations, rounded up.
/// - A network file: its network, at each of `levels`.
/// - Any other name of a player: that player.
///
/// `levels` are numbers of simulations per move.
///
/// # Errors
/// `text` is not a player's name, the run has no complete generation, or a network is missing or
/// damaged.
pub fn entrants(text: &str, levels: &[u32], every: Option<u32>) -> Result<Vec<Entrant>, TrainingError> {
    let path = Path::new(text);
    if path.join("config.toml").exists() {
        return of_run(path, levels, every);
    }
    if text.ends_with(".safetensors") {
        let at = |&simulations: &u32| Entrant::new(PlayerSpec::network(path, simulations), true);
        return levels.iter().map(at).collect();
    }
    if path.is_dir() {
        return Err(TrainingError::Other(format!("{text}: no run (config.toml) in this folder")));
    }
    let spec: PlayerSpec = text.parse().map_err(|e| {
        TrainingError::Other(match text.contains('/') && !text.contains(':') {
            true => format!("{text}: there is no such folder of a run, and no such network file"),
            false => format!("{e}; a run's folder or a network file is rated as well"),
        })
    })?;
    Ok(vec![Entrant::new(spec, true)?])
}

fn of_run(dir: &Path, levels: &[u32], every: Option<u32>) -> Result<Vec<Entrant>, TrainingError> {
    let config = crate::TrainConfig::read(&dir.join("config.toml"), &[])?;
    // A tenth of the config's generations, even of an unfinished run, so that a resumed run rates
    // the same generations.
    let every = every.unwrap_or(config.generations.div_ceil(10)).max(1);
    let complete = read_reports(dir)?;
    let Some(last) = complete.last().map(|report| report.generation) else {
        return Err(TrainingError::Other(format!("{}: no generation is complete", dir.display())));
    };
    let mut entrants = Vec::new();
    for report in &complete {
        if report.generation % every != 0 && report.generation != last {
            continue;
        }
        let file = network_path(dir, report.generation);
        check_file(&file, Some(&report.network))?;
        for &simulations in levels {
            let name = format!("generation-{:04}", report.generation);
            let network = Entrant::new(PlayerSpec::network(&file, simulations), true)?;
            entrants.push(Entrant { name, generation: Some(report.generation), ..network });
        }
    }
    Ok(entrants)
}

/// Returns the paths of networks that a rating adds as opponents. They are the
/// `*-quickstart.safetensors` files of the folder `models` and of its folder `opponents` that were
/// trained on `variant`, sorted by path. Unreadable files and folders are left out.
pub fn gauntlet(models: &Path, variant: Variant) -> Vec<PathBuf> {
    let folders = [models.to_owned(), models.join("opponents")];
    let entries = folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten();
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| {
        let is_frozen =
            file.file_name().is_some_and(|name| name.to_string_lossy().ends_with("-quickstart.safetensors"));
        let learned = |file: &Path| NetworkInfo::read(file).ok()?.provenance.get("variant").cloned();
        is_frozen && learned(file) == Some(variant.to_string())
    });
    files.sort();
    files
}

impl Roster {
    /// Creates a roster. Of several players with the same `id`, only the first is kept. `zero` is
    /// the name of the player whose rating is 0.
    ///
    /// # Errors
    /// No player has the name `zero`. The games of two players would have the same file.
    pub fn new(mut entrants: Vec<Entrant>, zero: &str) -> Result<Roster, TrainingError> {
        let mut seen = BTreeSet::new();
        entrants.retain(|entrant| seen.insert(entrant.id.clone()));
        // Files with the same name in several folders are named by their paths.
        let names: Vec<String> = entrants.iter().map(Entrant::full_name).collect();
        for (entrant, name) in entrants.iter_mut().zip(&names) {
            if let PlayerSpec::Network { file, settings, .. } = &entrant.spec
                && names.iter().filter(|other| *other == name).count() > 1
            {
                entrant.name = with_settings(file.display().to_string(), settings);
            }
        }
        let mut files = BTreeMap::new();
        for entrant in &entrants {
            if let Some(other) = files.insert(entrant.file_name(), entrant.full_name()) {
                let name = entrant.full_name();
                let reason =
                    format!("the games of `{other}` and `{name}` would have the same file; rename one");
                return Err(TrainingError::Other(reason));
            }
        }
        let place = entrants.iter().position(|e| e.full_name() == zero || e.spec.to_string() == zero);
        let Some(zero) = place else {
            let names: Vec<String> = entrants.iter().map(Entrant::full_name).collect();
            let reason = format!("zero: `{zero}` is none of the players: {}", names.join(", "));
            return Err(TrainingError::Other(reason));
        };
        Ok(Roster { entrants, zero })
    }
}
