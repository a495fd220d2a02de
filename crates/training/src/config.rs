//! The config of a run: one TOML file, every key known, every value checked.

use crate::{BudgetConfig, TrainingError};
use catapult_arena::{OPENING_PLIES, PlayerSpec};
use catapult_mcts::{AlgorithmName, ConfigError, Gumbel, NoSimulations, SearchTable};
use catapult_network::device::{self, Device};
use catapult_network::{Architecture, LossWeights, Optimizer, Precision, TrainingSettings};
use catapult_rows::{TargetConfig, WindowConfig};
use catapult_rules::{AnyRules, Variant};
use catapult_selfplay::SelfPlayConfig;
use catapult_store::setting::{self, at_least, even_games, folder_name, in_range, once, written};
use catapult_store::{BadSetting, Difference, differences};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::{Path, PathBuf};

/// Everything that decides what a run learns, and a few keys that do not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    /// Names the run's folder where none is given.
    pub name: String,
    /// The game; or else `variants`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variant: Option<Variant>,
    /// Several games of one board, for one network: each game's is drawn from its seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variants: Vec<Variant>,
    /// The source of all random numbers.
    pub seed: u64,
    /// Generations to train. *Changeable.*
    pub generations: u32,
    /// The network file that generation 0 is, instead of an untrained one; grown where `network` is larger. *Changeable*, as
    /// long as the file has the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<PathBuf>,
    /// The network's shape.
    pub network: Architecture,
    /// How a generation's games are played.
    #[serde(default)]
    pub games: GamesConfig,
    /// How one game is played.
    #[serde(default)]
    pub selfplay: SelfPlayConfig,
    /// How a move is searched in self-play, with the simulations of `selfplay`.
    #[serde(default = "noisy_search", deserialize_with = "over_noisy_search")]
    pub search: SearchTable,
    /// Which of the played positions are trained on.
    #[serde(default)]
    pub window: WindowConfig,
    /// How the network is trained on them.
    #[serde(default)]
    pub learning: LearningConfig,
    /// What the run may spend; without it, it has its generations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetConfig>,
    /// What the work runs on. *Changeable.*
    #[serde(default)]
    pub machine: MachineConfig,
    /// The matches at the end. *Changeable.*
    #[serde(default)]
    pub evaluation: EvaluationConfig,
}

/// How many games a generation plays, and in how many shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GamesConfig {
    /// Games a generation.
    pub per_generation: u64,
    /// Shards they are split into; each is played by one thread and is lost if it is not finished.
    pub shards: u32,
    /// Games of a generation are played by the network of so many generations before the last one, so that they can be played while it
    /// is still learning: 0 waits for it. The first generations have no other than the untrained one.
    pub lag: u32,
    /// Simulations a move in the first generations, before `selfplay.simulations`: `[[generation, simulations], ..]`
    /// holds from that generation on.
    pub simulations_from: Vec<(u32, u32)>,
}

impl Default for GamesConfig {
    fn default() -> Self {
        GamesConfig { per_generation: 256, shards: 2, lag: 0, simulations_from: Vec::new() }
    }
}

impl GamesConfig {
    fn validate(&self, has_budget: bool) -> Result<(), BadSetting> {
        at_least("per_generation", self.per_generation, 1)?;
        at_least("shards", self.shards, 1)?;
        if u64::from(self.shards) > self.per_generation {
            return Err(BadSetting::new("shards", self.shards, "must be at most games.per_generation"));
        }
        if self.lag > 0 && has_budget {
            let allowed =
                "must be 0 where there is a budget, which says when the run ends only after each generation";
            return Err(BadSetting::new("lag", self.lag, allowed));
        }
        match self.simulations_from.iter().find(|&&(_, simulations)| simulations == 0) {
            Some(step) => {
                Err(BadSetting::new("simulations_from", written(step), "simulations must be at least 1"))
            }
            None => Ok(()),
        }
    }
}

/// How the network is trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearningConfig {
    /// Rows a step.
    pub batch_rows: usize,
    /// Training rows per new row.
    pub passes: f64,
    /// Learning rate after the warm-up.
    pub learning_rate: f64,
    /// Steps over which the learning rate rises from nothing, counted over the whole run.
    pub warmup_steps: u64,
    /// The share of the learning rate that is left in the last generation; it falls along a half cosine.
    pub final_rate_share: f64,
    /// Share of the game's result in the value target; the rest is the search's root values.
    pub result_share: f32,
    /// How far that rest looks ahead: the lambda of [`value_targets`](catapult_rows::value_targets). 0 is the root value of the
    /// ply alone.
    pub value_lambda: f32,
    /// What the values of a game weigh that was cut and is adjudicated by material and value
    /// ([`game_result`](catapult_rows::game_result)); 0 adjudicates nothing.
    pub adjudicated_weight: f32,
    /// The value (P(win) - P(loss)) that its last root values must give the side with the lead for that. Below 0 it is enough that they
    /// do not say the contrary: a network that has seen no game end knows nothing yet that could agree.
    pub adjudicated_from: f32,
    /// Share of the draws of rows that goes by surprise: how far the search's policy went from the network's (KataGo).
    pub surprise_share: f32,
    /// Mirrors every other row left to right where the rules allow it.
    pub mirror: bool,
    /// The tower's number format in training: `auto`, `bf16` or `f32`.
    pub precision: Precision,
    /// How gradients become steps.
    pub optimizer: Optimizer,
    /// Gradients longer than this are shortened to it.
    pub clip_norm: f32,
    /// Decay a step of the averaged weights, which are what plays.
    pub averaging: f32,
    /// Weights of the parts of the loss.
    pub loss: LossWeights,
}

impl Default for LearningConfig {
    fn default() -> Self {
        let defaults = TrainingSettings::default();
        LearningConfig {
            batch_rows: 256,
            passes: 2.0,
            learning_rate: 1e-3,
            warmup_steps: 100,
            final_rate_share: 0.1,
            result_share: 0.7,
            value_lambda: 0.0,
            adjudicated_weight: 0.0,
            adjudicated_from: 0.3,
            surprise_share: 0.0,
            mirror: true,
            precision: defaults.precision,
            optimizer: defaults.optimizer,
            clip_norm: defaults.clip_norm,
            averaging: defaults.averaging,
            loss: defaults.loss,
        }
    }
}

impl LearningConfig {
    /// What is the learner's own to check, [`TrainingSettings::validate`] does.
    fn validate(&self) -> Result<(), BadSetting> {
        at_least("batch_rows", self.batch_rows, 2)?;
        in_range("passes", self.passes, 0.0..=1000.0)?;
        in_range("learning_rate", self.learning_rate, 0.0..=100.0)?;
        in_range("final_rate_share", self.final_rate_share, 0.0..=1.0)?;
        in_range("result_share", self.result_share, 0.0..=1.0)?;
        in_range("value_lambda", self.value_lambda, 0.0..=1.0)?;
        in_range("adjudicated_weight", self.adjudicated_weight, 0.0..=1.0)?;
        in_range("adjudicated_from", self.adjudicated_from, -1.0..=1.0)?;
        in_range("surprise_share", self.surprise_share, 0.0..=1.0)
    }

    /// The part of it that decides what is learned from a game.
    pub fn targets(&self) -> TargetConfig {
        TargetConfig {
            result_share: self.result_share,
            value_lambda: self.value_lambda,
            adjudicated_weight: self.adjudicated_weight,
            adjudicated_from: self.adjudicated_from,
            surprise_share: self.surprise_share,
        }
    }
}

/// What the work runs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MachineConfig {
    /// Threads that play games; 0 takes all. *Changeable*: the games do not depend on it.
    pub threads: usize,
    /// Games under way at once in a shard, never more than it has; 0 takes what suits the device. *Changeable*: the games do not depend on it.
    pub slots: usize,
    /// Threads of the learner; 0 takes as many as play. *Changeable*: the network does not depend on it.
    pub learner_threads: usize,
    /// `auto`, `cpu`, `cuda` or `cuda:N`. *Changeable*, though sums differ between devices.
    pub device: String,
}

/// The machine that makes a unit, where it is another than the run's config says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    /// Threads, of which no more are used than it has processors.
    pub threads: Option<usize>,
    /// Device.
    pub device: Option<String>,
}

impl Machine {
    /// Writes what is known of it into a config's part.
    ///
    /// # Errors
    /// A device that is not here.
    pub fn apply(&self, threads: &mut usize, device: &mut String) -> Result<(), TrainingError> {
        if let Some(number) = self.threads {
            // Threads of the learner wait for each other at every step: more than there are processors make it slow.
            *threads = std::thread::available_parallelism().map_or(number, |all| number.min(all.get()));
        }
        if let Some(name) = &self.device {
            device::check(name).map_err(|bad| {
                let reason = format!("{}: {}", bad.found.unwrap_or_default(), bad.allowed);
                TrainingError::Config { file: "--device".into(), reason }
            })?;
            device.clone_from(name);
        }
        // Elsewhere there may be one.
        device::choose(device)?;
        Ok(())
    }
}

impl Default for MachineConfig {
    fn default() -> Self {
        MachineConfig { threads: 0, slots: 0, learner_threads: 0, device: "auto".into() }
    }
}

impl MachineConfig {
    /// The number of games under way at once in a shard.
    pub fn slots(&self, device: Device) -> usize {
        match self.slots {
            0 if device.is_cuda() => 2048,
            0 => 32,
            slots => slots,
        }
    }

    /// The number of threads that learn.
    pub fn learner_threads(&self) -> usize {
        if self.learner_threads > 0 { self.learner_threads } else { self.playing_threads() }
    }

    /// The number of threads that play games.
    pub fn playing_threads(&self) -> usize {
        if self.threads > 0 {
            self.threads
        } else {
            std::thread::available_parallelism().map_or(1, |n| n.get())
        }
    }
}

/// The matches that measure what was learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Games a match, half of them with each colour; 0 plays none.
    pub games: u32,
    /// Simulations a move of the networks and of the untrained search.
    pub simulations: u32,
    /// A game is cut after so many plies.
    pub ply_cap: u32,
    /// Whom they play.
    pub opponents: Vec<String>,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        EvaluationConfig {
            games: 200,
            simulations: 64,
            ply_cap: 300,
            opponents: vec!["random".into(), "alphabeta:1".into()],
        }
    }
}

impl EvaluationConfig {
    fn validate(&self) -> Result<(), BadSetting> {
        even_games("games", self.games)?;
        at_least("ply_cap", self.ply_cap, *OPENING_PLIES.end() + 1)?;
        at_least("simulations", self.simulations, 1)?;
        for opponent in &self.opponents {
            opponent
                .parse::<PlayerSpec>()
                .map_err(|error| BadSetting::new("opponents", written(&error.name), error.reason))?;
        }
        Ok(())
    }
}

fn noisy_search() -> SearchTable {
    SearchTable { gumbel_scale: 1.0, dirichlet_fraction: 0.25, ..SearchTable::default() }
}

/// A `[search]` table whose missing keys are those of self-play, not those of a match, whichever other keys it has.
fn over_noisy_search<'de, D: Deserializer<'de>>(from: D) -> Result<SearchTable, D::Error> {
    let noisy = toml::Table::try_from(noisy_search()).map_err(D::Error::custom)?;
    let mut table = toml::Table::deserialize(from)?;
    // Every run's config.toml has the key, with this number: see `NoSimulations`.
    let found =
        table.get("simulations").filter(|found| found.as_integer() != Some(NoSimulations::WRITTEN.into()));
    if let Some(found) = found {
        return Err(D::Error::custom(format!(
            "search.simulations = {found}: set selfplay.simulations, which is what self-play uses"
        )));
    }
    for (key, value) in noisy {
        table.entry(key).or_insert(value);
    }
    SearchTable::deserialize(table).map_err(D::Error::custom)
}

/// Keys (and tables) that may differ between a run and the config that resumes it.
/// What `initial` names is held against the run by its hash.
const CHANGEABLE: [&str; 4] = ["generations", "initial", "machine", "evaluation"];

impl TrainConfig {
    /// Reads a config file and applies `key=value` settings (dotted keys, TOML values) over it.
    ///
    /// # Errors
    /// A file that cannot be read, an unknown key, an impossible value: each is named.
    pub fn read(path: &Path, settings: &[String]) -> Result<TrainConfig, TrainingError> {
        let text = std::fs::read_to_string(path).map_err(|e| TrainingError::file(path, e))?;
        TrainConfig::parse(&text, settings)
            .map_err(|reason| TrainingError::Config { file: path.to_owned(), reason })
    }

    /// Reads a config from its text; the error says what is wrong.
    pub fn parse(text: &str, settings: &[String]) -> Result<TrainConfig, String> {
        let mut table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        for setting in settings {
            set(&mut table, setting)?;
        }
        // Through text again, so that an error in a key shows its line.
        let config: TrainConfig = if settings.is_empty() {
            toml::from_str(text).map_err(|e| e.to_string())?
        } else {
            toml::Value::Table(table).try_into().map_err(|e: toml::de::Error| e.to_string())?
        };
        config.validate()?;
        Ok(config)
    }

    /// Checks the values; the error names the key, what was found and what is allowed.
    pub fn validate(&self) -> Result<(), BadSetting> {
        folder_name("name", &self.name)?;
        self.check_variants()?;
        setting::seed("seed", self.seed)?;
        at_least("generations", self.generations, 1)?;
        self.games.validate(self.budget.is_some()).map_err(|bad| bad.within("games"))?;
        self.network.validate().map_err(|bad| bad.within("network"))?;
        self.selfplay.validate().map_err(|bad| bad.within("selfplay"))?;
        self.check_forbidden().map_err(|bad| bad.within("selfplay"))?;
        self.check_search().map_err(|bad| bad.within("search"))?;
        self.budget.map_or(Ok(()), |budget| budget.validate()).map_err(|bad| bad.within("budget"))?;
        check_window(&self.window).map_err(|bad| bad.within("window"))?;
        self.learning.validate().map_err(|bad| bad.within("learning"))?;
        self.training_settings().validate().map_err(|bad| bad.within("learning"))?;
        device::check(&self.machine.device).map_err(|bad| bad.within("machine"))?;
        self.evaluation.validate().map_err(|bad| bad.within("evaluation"))
    }

    /// Some variant has moves of the forbidden kind.
    fn check_forbidden(&self) -> Result<(), BadSetting> {
        match self.selfplay.forbidden {
            Some(kind) if !self.variants().iter().any(|variant| variant.has_kind(kind)) => {
                let allowed = format!("{} has no such moves; must be left out", self.variant_names());
                Err(BadSetting::new("forbidden", kind, allowed))
            }
            _ => Ok(()),
        }
    }

    fn check_search(&self) -> Result<(), BadSetting> {
        let search = &self.search;
        let in_range = |e: ConfigError| BadSetting::new(e.key, e.found, format!("may be {}", e.allowed));
        search.validate().map_err(in_range)?;
        let noise = match search.algorithm {
            AlgorithmName::Puct => ("dirichlet_fraction", search.dirichlet_fraction, 0.25),
            AlgorithmName::Gumbel => ("gumbel_scale", search.gumbel_scale, 1.0),
        };
        match noise {
            (key, 0.0, usual) => {
                let allowed = format!("self-play without noise plays the same game again; {usual} is usual");
                Err(BadSetting::new(key, 0, allowed))
            }
            _ => Ok(()),
        }
    }

    /// The replay window; the games of a network that was given are not those of an untrained one.
    pub fn replay_window(&self) -> WindowConfig {
        let drop = if self.initial.is_some() { u32::MAX } else { self.window.drop_untrained_at };
        WindowConfig { drop_untrained_at: drop, ..self.window.clone() }
    }

    /// The games that are played and learned: one, or several of one board.
    pub fn variants(&self) -> &[Variant] {
        if self.variants.is_empty() { self.variant.as_slice() } else { &self.variants }
    }

    /// [`TrainConfig::variants`] by name, with commas between.
    pub fn variant_names(&self) -> String {
        self.variants().iter().map(Variant::to_string).collect::<Vec<_>>().join(", ")
    }

    fn check_variants(&self) -> Result<(), BadSetting> {
        match (self.variant, self.variants.len()) {
            (Some(_), 0) => return Ok(()),
            (None, 0) => {
                return Err(BadSetting::missing("variant", "name one game, or several in `variants`"));
            }
            (Some(variant), _) => {
                let allowed = "must be left out beside variants: name the games in one of them";
                return Err(BadSetting::new("variant", written(&variant), allowed));
            }
            (None, _) => {}
        }
        once("variants", &self.variants)?;
        let alone = self.variants.iter().find(|variant| AnyRules::of(**variant).is_none());
        match alone {
            Some(variant) if self.variants.len() > 1 => {
                let allowed = "shares its board with no other game; allowed together are chess and chesspp with any of its \
                               proposals";
                Err(BadSetting::new("variants", written(variant), allowed))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a number of root moves above half the simulations of some of the searches: too little would be halved. Asked of new
    /// runs alone; one that has begun so goes on so.
    pub fn check_considered(&self) -> Result<(), BadSetting> {
        let Some(considered) = self.search.considered else { return Ok(()) };
        let named = self.games.simulations_from.iter().map(|&(_, n)| ("games.simulations_from", n));
        let fast = (self.selfplay.full_search_share < 1.0)
            .then_some(("selfplay.fast_simulations", self.selfplay.fast_simulations));
        let searches = std::iter::once(("selfplay.simulations", self.selfplay.simulations));
        let searches = searches.chain(named).chain(fast).filter(|&(_, n)| n >= 2);
        let fewest = searches.min_by_key(|&(_, n)| n);
        match fewest {
            Some((key, n)) if self.search.algorithm == AlgorithmName::Gumbel && considered > n / 2 => {
                let allowed = format!(
                    "with {key} = {n} at most half of them, {}, is allowed, so that there is something to halve; {} is taken \
                     where it is left out",
                    n / 2,
                    Gumbel::default().considered_among(n)
                );
                Err(BadSetting::new("search.considered", considered, allowed))
            }
            _ => Ok(()),
        }
    }

    /// What the learner is told.
    pub fn training_settings(&self) -> TrainingSettings {
        let LearningConfig { optimizer, precision, clip_norm, averaging, loss, .. } = self.learning;
        TrainingSettings {
            optimizer,
            precision,
            threads: self.machine.learner_threads(),
            clip_norm,
            averaging,
            loss,
        }
    }

    /// The generation whose network plays the games of one from 1 on.
    pub fn player(&self, generation: u32) -> u32 {
        generation.saturating_sub(1).saturating_sub(self.games.lag)
    }

    /// Simulations a move of a generation's games.
    pub fn simulations(&self, generation: u32) -> u32 {
        let steps = self.games.simulations_from.iter().filter(|&&(from, _)| from <= generation);
        steps.max_by_key(|&&(from, _)| from).map_or(self.selfplay.simulations, |&(_, n)| n)
    }

    /// The keys in which another config differs, but for those that may.
    pub fn conflicts(&self, other: &TrainConfig) -> Vec<Difference> {
        let mut differences = differences(self, other);
        differences.retain(|difference| !difference.is_under(&CHANGEABLE));
        differences
    }
}

fn check_window(window: &WindowConfig) -> Result<(), BadSetting> {
    at_least("start_rows", window.start_rows, 1)?;
    at_least("rows_per_game", window.rows_per_game, 1)?;
    at_least("drop_untrained_at", window.drop_untrained_at, 2)?;
    in_range("growth_exponent", window.growth_exponent, 0.01..=1.0)?;
    in_range("growth_scale", window.growth_scale, 0.0..=1.0)
}

/// Applies one `key=value` to a table.
fn set(table: &mut toml::Table, setting: &str) -> Result<(), String> {
    let (path, value) =
        setting.split_once('=').ok_or_else(|| format!("`{setting}`: a setting is written key=value"))?;
    // A bare word is taken as a string, so that `--set name=mine` works without quotes.
    let value = format!("v = {value}")
        .parse::<toml::Table>()
        .ok()
        .and_then(|mut t| t.remove("v"))
        .unwrap_or_else(|| toml::Value::String(value.to_owned()));
    let mut table = table;
    let mut keys = path.trim().split('.').peekable();
    while let Some(key) = keys.next() {
        if key.is_empty() {
            return Err(format!("`{setting}`: an empty key"));
        }
        if keys.peek().is_none() {
            table.insert(key.to_owned(), value);
            return Ok(());
        }
        let entry = table.entry(key).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        table = entry.as_table_mut().ok_or_else(|| format!("`{setting}`: `{key}` is not a table"))?;
    }
    Err(format!("`{setting}`: an empty key"))
}
