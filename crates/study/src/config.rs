//! A study's file: STUDY.toml, every key known, every value checked.

use crate::StudyError;
use crate::analysis::AnalysisSettings;
use crate::data::{Cell, Checkpoint, NetworkId};
use crate::metrics::METRICS;
use crate::results::Endpoint;
use catapult_arena::PlayerSpec;
use catapult_rules::Variant;
use catapult_training::TrainConfig;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The opponent that is the player itself at half its simulations.
pub const HALF: &str = "half";

/// Everything a study is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyConfig {
    /// Names the study's folder where none is given.
    pub name: String,
    /// What it asks, in a line. *Changeable.*
    pub title: String,
    /// The source of all random numbers, those of training apart.
    pub seed: u64,
    /// The arm that the others are held against.
    pub control: Variant,
    /// The rule sets.
    pub arms: Vec<Variant>,
    /// Who plays them.
    pub agents: Vec<AgentConfig>,
    /// The games of each network against itself.
    pub games: GamesConfig,
    /// The matches that tell how strong each network is.
    #[serde(default)]
    pub strength: StrengthConfig,
    /// The matches that hold a network trained across arms against those trained on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<EquivalenceConfig>,
    /// What networks are asked beside their games.
    #[serde(default)]
    pub analysis: AnalysisSettings,
    /// How intervals are made. *Changeable.*
    #[serde(default)]
    pub resampling: ResamplingConfig,
    /// What the work runs on. *Changeable*: nothing depends on it.
    #[serde(default)]
    pub machine: MachineConfig,
    /// The claims, one primary endpoint each, registered before the first game. *Changeable*, and the report says so.
    #[serde(default)]
    pub endpoints: Vec<Endpoint>,
}

/// Networks that differ in nothing but their training seed: trained by the study, or taken as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentConfig {
    /// Its name.
    pub name: String,
    /// The arms that it plays.
    pub arms: Vec<Variant>,
    /// Training seeds, one a network.
    pub seeds: Vec<u64>,
    /// The config that its networks are trained by; a path relative to the study's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train: Option<PathBuf>,
    /// Settings over that config, `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
    /// Instead of `train`: finished run folders or network files, one a seed; paths relative to the study's file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<PathBuf>,
    /// The generation whose network is looked at as the early one; a network file has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<u32>,
}

/// The games that metrics are computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesConfig {
    /// The search levels: simulations a move, weakest first.
    pub simulations: Vec<u32>,
    /// Games a network, arm and level.
    pub per_level: u64,
    /// The level of early networks, one of `simulations`.
    pub early_simulations: u32,
    /// Games a shard, which is played by one thread and lost if it is not finished.
    #[serde(default = "shard_games")]
    pub per_shard: u64,
    /// First plies drawn from the improved policy at temperature 1, so that games differ.
    #[serde(default = "sampled_plies")]
    pub sampled_plies: u32,
    /// A game is cut, without a result, after so many plies.
    #[serde(default = "ply_cap")]
    pub ply_cap: u32,
}

fn shard_games() -> u64 {
    100
}

fn sampled_plies() -> u32 {
    20
}

fn ply_cap() -> u32 {
    600
}

/// Matches from paired openings with colours swapped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StrengthConfig {
    /// Games a match, half of them with each colour; 0 plays none.
    pub games: u32,
    /// The levels at which networks are matched.
    pub simulations: Vec<u32>,
    /// Whom they play: `half` is the network itself at half the simulations, others are players as `catapult match` has
    /// them.
    pub opponents: Vec<String>,
    /// Games a match of the ladder from `random` up to the lowest level: one simulation against `random`, two against one,
    /// and so on; 0 plays none.
    pub rung_games: u32,
    /// A game is cut after so many plies.
    pub ply_cap: u32,
}

impl Default for StrengthConfig {
    fn default() -> Self {
        StrengthConfig {
            games: 0,
            simulations: Vec::new(),
            opponents: vec![HALF.into(), "alphabeta:1".into(), "alphabeta:2".into()],
            rung_games: 0,
            ply_cap: 400,
        }
    }
}

/// Whether the network trained across arms plays each as well as those trained on it alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquivalenceConfig {
    /// The agent trained across arms; it meets every other agent in each arm that both play.
    pub shared: String,
    /// Games a match.
    pub games: u32,
    /// Simulations a move of both.
    pub simulations: u32,
    /// Elo within which they count as equal.
    pub margin: f64,
}

/// How intervals are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ResamplingConfig {
    /// Bootstrap replicates.
    pub replicates: usize,
}

impl Default for ResamplingConfig {
    fn default() -> Self {
        ResamplingConfig { replicates: 1000 }
    }
}

/// What the work runs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MachineConfig {
    /// Threads; 0 takes all.
    pub threads: usize,
    /// `auto`, `cpu` or `cuda`.
    pub device: String,
}

impl Default for MachineConfig {
    fn default() -> Self {
        MachineConfig { threads: 0, device: "auto".into() }
    }
}

impl MachineConfig {
    /// The number of threads that play.
    pub fn playing_threads(&self) -> usize {
        catapult_training::MachineConfig { threads: self.threads, ..Default::default() }.playing_threads()
    }
}

/// A study's file as it was read.
#[derive(Clone, Debug)]
pub struct StudyFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What it says.
    pub config: StudyConfig,
}

impl StudyFile {
    /// Reads and checks a study's file.
    ///
    /// # Errors
    /// A file that can't be read, an unknown key, an impossible value: each is named.
    pub fn read(path: &Path) -> Result<StudyFile, StudyError> {
        let text = std::fs::read_to_string(path).map_err(|error| StudyError::file(path, error))?;
        let refused = |reason: String| StudyError::Config { file: path.to_owned(), reason };
        let config = StudyConfig::parse(&text).map_err(refused)?;
        Ok(StudyFile { path: path.to_owned(), text, config })
    }

    /// A path that the file names.
    pub fn resolve(&self, named: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(named)
    }

    /// The config that a network of an agent is trained by; none for one that is taken.
    ///
    /// # Errors
    /// As [`TrainConfig::read`]; arms that it does not learn, an early generation that it does not reach.
    pub fn training(&self, agent: &AgentConfig, seed: u64) -> Result<Option<TrainConfig>, StudyError> {
        let Some(path) = &agent.train else { return Ok(None) };
        let mut settings = agent.settings.clone();
        // Matches of its own would say nothing that the study's do not.
        settings.extend([
            format!("name={}-{seed}", agent.name),
            format!("seed={seed}"),
            "evaluation.games=0".into(),
        ]);
        let config = TrainConfig::read(&self.resolve(path), &settings)?;
        let refused = |reason: String| Err(StudyError::Config { file: self.path.clone(), reason });
        if let Some(arm) = agent.arms.iter().find(|arm| !config.variants().contains(arm)) {
            let (name, learned) = (&agent.name, config.variant_names());
            return refused(format!(
                "agents.{name}.arms: `{arm}` is not learned by {}: {learned}",
                path.display()
            ));
        }
        match agent.early {
            Some(early) if early >= config.generations => refused(format!(
                "agents.{}.early = {early}: must be below generations = {} of {}",
                agent.name,
                config.generations,
                path.display()
            )),
            _ => Ok(Some(config)),
        }
    }
}

impl StudyConfig {
    /// Reads a study from its text; the error says what is wrong.
    pub fn parse(text: &str) -> Result<StudyConfig, String> {
        let config: StudyConfig = toml::from_str(text).map_err(|error| error.to_string())?;
        config.validate()?;
        Ok(config)
    }

    /// Checks the values; the error names the key, what was found and what is allowed.
    pub fn validate(&self) -> Result<(), String> {
        check_name("name", &self.name)?;
        if i64::try_from(self.seed).is_err() {
            return Err(format!("seed = {}: must be below 2^63", self.seed));
        }
        once("arms", &self.arms)?;
        if !self.arms.contains(&self.control) {
            return Err(format!("control = \"{}\": must be one of arms", self.control));
        }
        once("agents", &self.agents.iter().map(|agent| &agent.name).collect::<Vec<_>>())?;
        for agent in &self.agents {
            agent.validate(&self.arms).map_err(|e| format!("agents.{}.{e}", agent.name))?;
        }
        if let Some(arm) = self.arms.iter().find(|arm| !self.agents.iter().any(|a| a.arms.contains(arm))) {
            return Err(format!("arms: no agent plays `{arm}`"));
        }
        self.games.validate().map_err(|e| format!("games.{e}"))?;
        self.strength.validate(&self.games).map_err(|e| format!("strength.{e}"))?;
        if let Some(equivalence) = &self.equivalence {
            equivalence.validate(&self.agents).map_err(|e| format!("equivalence.{e}"))?;
        }
        self.analysis.validate().map_err(|e| format!("analysis.{e}"))?;
        if self.resampling.replicates < 100 {
            let found = self.resampling.replicates;
            return Err(format!("resampling.replicates = {found}: an interval needs at least 100"));
        }
        if !["auto", "cpu", "cuda"].contains(&self.machine.device.as_str()) {
            return Err(format!("machine.device = \"{}\": must be auto, cpu or cuda", self.machine.device));
        }
        for endpoint in &self.endpoints {
            self.check_endpoint(endpoint).map_err(|e| format!("endpoints: \"{}\": {e}", endpoint.claim))?;
        }
        let claims: Vec<_> = self.endpoints.iter().map(|e| (&e.claim, e.arm)).collect();
        match (1..claims.len()).find(|&i| claims[..i].contains(&claims[i])) {
            Some(i) => Err(format!(
                "endpoints: \"{}\" of `{}` stands twice; a claim has one primary endpoint",
                claims[i].0, claims[i].1
            )),
            None => Ok(()),
        }
    }

    fn check_endpoint(&self, endpoint: &Endpoint) -> Result<(), String> {
        let named = std::iter::once(("arm", endpoint.arm));
        for (key, arm) in named.chain(endpoint.control.map(|control| ("control", control))) {
            if !self.arms.contains(&arm) {
                return Err(format!("{key} = \"{arm}\": must be one of arms"));
            }
        }
        match (endpoint.control, endpoint.against) {
            (Some(control), None) if control == endpoint.arm => {
                return Err(format!("control = \"{control}\": is the arm itself"));
            }
            (Some(_), None) => {}
            (None, Some(value)) if value.is_finite() => {}
            (None, Some(value)) => return Err(format!("against = {value}: must be a number")),
            _ => return Err("control, against: exactly one of them is needed".into()),
        }
        if !METRICS.iter().any(|metric| metric.id == endpoint.metric) {
            let known: Vec<&str> = METRICS.iter().map(|metric| metric.id).collect();
            return Err(format!("metric = \"{}\": must be one of {}", endpoint.metric, known.join(", ")));
        }
        if !(endpoint.smallest_effect > 0.0 && endpoint.smallest_effect.is_finite()) {
            return Err(format!("smallest_effect = {}: must be above 0", endpoint.smallest_effect));
        }
        Ok(())
    }

    /// All cells whose games are played, in the order of the file.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for agent in &self.agents {
            for (&seed, &arm) in
                agent.seeds.iter().flat_map(|seed| agent.arms.iter().map(move |arm| (seed, arm)))
            {
                let network = NetworkId { agent: agent.name.clone(), seed };
                let mut add = |checkpoint, simulations| {
                    cells.push(Cell { arm, network: network.clone(), checkpoint, simulations });
                };
                self.games.simulations.iter().for_each(|&level| add(Checkpoint::Last, level));
                if agent.early.is_some() {
                    add(Checkpoint::Early, self.games.early_simulations);
                }
            }
        }
        cells
    }

    /// The cells whose networks are analysed: each network and arm at its strongest level, and early ones.
    pub fn analysed_cells(&self) -> Vec<Cell> {
        let strongest = self.games.simulations.last();
        let is_analysed =
            |cell: &Cell| cell.checkpoint == Checkpoint::Early || Some(&cell.simulations) == strongest;
        self.cells().into_iter().filter(is_analysed).collect()
    }
}

impl AgentConfig {
    fn validate(&self, arms: &[Variant]) -> Result<(), String> {
        check_name("name", &self.name)?;
        once("arms", &self.arms)?;
        once("seeds", &self.seeds)?;
        if let Some(arm) = self.arms.iter().find(|arm| !arms.contains(arm)) {
            return Err(format!("arms: `{arm}` is not among the study's arms"));
        }
        if let Some(seed) = self.seeds.iter().find(|&&seed| i64::try_from(seed).is_err()) {
            return Err(format!("seeds: {seed} must be below 2^63"));
        }
        match (&self.train, self.taken.len()) {
            (None, 0) => Err("train: missing; name a training config, or networks in `taken`".into()),
            (Some(_), 0) => Ok(()),
            (Some(_), _) => Err("taken: stands beside `train`; name one of them".into()),
            (None, _) if !self.settings.is_empty() => Err("settings: only go with `train`".into()),
            (None, taken) if taken != self.seeds.len() => {
                Err(format!("taken: {taken} paths for {} seeds; one each is needed", self.seeds.len()))
            }
            (None, _) => Ok(()),
        }
    }
}

impl GamesConfig {
    fn validate(&self) -> Result<(), String> {
        once("simulations", &self.simulations)?;
        if !self.simulations.is_sorted() || self.simulations[0] == 0 {
            return Err(format!("simulations = {:?}: must rise from at least 1", self.simulations));
        }
        if !self.simulations.contains(&self.early_simulations) {
            return Err(format!(
                "early_simulations = {}: must be one of simulations",
                self.early_simulations
            ));
        }
        least("per_level", self.per_level, 1)?;
        least("per_shard", self.per_shard, 1)?;
        least("ply_cap", self.ply_cap.into(), 1)
    }
}

impl StrengthConfig {
    fn validate(&self, games: &GamesConfig) -> Result<(), String> {
        even("games", self.games)?;
        even("rung_games", self.rung_games)?;
        let longest_opening = *catapult_arena::OPENING_PLIES.end();
        least("ply_cap", self.ply_cap.into(), u64::from(longest_opening) + 1)?;
        if let Some(level) = self.simulations.iter().find(|level| !games.simulations.contains(level)) {
            return Err(format!("simulations: {level} is not among games.simulations"));
        }
        for opponent in self.opponents.iter().filter(|opponent| *opponent != HALF) {
            opponent.parse::<PlayerSpec>().map_err(|e| format!("opponents: {e}, or `{HALF}`"))?;
        }
        Ok(())
    }
}

impl EquivalenceConfig {
    fn validate(&self, agents: &[AgentConfig]) -> Result<(), String> {
        if !agents.iter().any(|agent| agent.name == self.shared) {
            return Err(format!("shared = \"{}\": there is no such agent", self.shared));
        }
        least("games", self.games.into(), 2)?;
        even("games", self.games)?;
        least("simulations", self.simulations.into(), 1)?;
        if !(self.margin > 0.0 && self.margin.is_finite()) {
            return Err(format!("margin = {}: must be above 0", self.margin));
        }
        Ok(())
    }
}

fn least(key: &str, found: u64, least: u64) -> Result<(), String> {
    if found >= least { Ok(()) } else { Err(format!("{key} = {found}: must be at least {least}")) }
}

fn even(key: &str, found: u32) -> Result<(), String> {
    if found.is_multiple_of(2) {
        Ok(())
    } else {
        Err(format!("{key} = {found}: must be even, half of them with each colour"))
    }
}

/// At least one, none twice.
fn once<T: Ord + std::fmt::Debug>(key: &str, values: &[T]) -> Result<(), String> {
    if values.is_empty() {
        return Err(format!("{key}: at least one is needed"));
    }
    let mut seen = BTreeSet::new();
    match values.iter().find(|value| !seen.insert(*value)) {
        Some(twice) => Err(format!("{key}: {twice:?} stands twice")),
        None => Ok(()),
    }
}

fn check_name(key: &str, name: &str) -> Result<(), String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fits) {
        return Err(format!("{key} = \"{name}\": must be made of letters, digits, `-`, `_` and `.`"));
    }
    Ok(())
}
