//! Config of a run: one TOML file. Unknown keys and invalid values are errors.

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

/// Config of a run. A resumed run may change the keys marked *Changeable*.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    /// Name of the run, and of its folder by default.
    pub name: String,
    /// The variant. Excludes `variants`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variant: Option<Variant>,
    /// Several variants that share a board, for one network. Each game's seed draws its variant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variants: Vec<Variant>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of generations to train. *Changeable.*
    pub generations: u32,
    /// Network file for generation 0, instead of an untrained network. It is grown if `network` is
    /// larger. *Changeable*, if the new file has the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<PathBuf>,
    /// Architecture of the network.
    pub network: Architecture,
    /// Settings of a generation's games.
    #[serde(default)]
    pub games: GamesConfig,
    /// Settings of self-play games.
    #[serde(default)]
    pub selfplay: SelfPlayConfig,
    /// Settings of the search in self-play. The simulations come from `selfplay`.
    #[serde(default = "noisy_search", deserialize_with = "over_noisy_search")]
    pub search: SearchTable,
    /// Selection of training samples.
    #[serde(default)]
    pub window: WindowConfig,
    /// Settings of training.
    #[serde(default)]
    pub learning: LearningConfig,
    /// Budget of the run. Without a budget, the run trains all its generations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetConfig>,
    /// Settings of the machine. *Changeable.*
    #[serde(default)]
    pub machine: MachineConfig,
    /// Final matches. *Changeable.*
    #[serde(default)]
    pub evaluation: EvaluationConfig,
}

/// Settings of a generation's games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GamesConfig {
    /// Games per generation.
    pub per_generation: u64,
    /// Shards per generation. On a CPU, one thread plays a shard. An unfinished shard is lost if
    /// the run stops.
    pub shards: u32,
    /// Number of generations by which the playing network lags behind. With 0, games wait for the
    /// newest network. With more, they are played while newer networks are still learning. The
    /// first generations all use generation 0.
    pub lag: u32,
    /// Simulations per move in early generations, as `[[generation, simulations], ..]`. Each entry
    /// applies from its generation on. Generations before the first entry use
    /// `selfplay.simulations`.
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

/// Settings of training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearningConfig {
    /// Training samples per step.
    pub batch_rows: usize,
    /// Training samples to learn from per new training sample.
    pub passes: f64,
    /// Learning rate after the warm-up.
    pub learning_rate: f64,
    /// Steps of the run over which the learning rate rises from zero.
    pub warmup_steps: u64,
    /// Share of the learning rate that remains in the last generation. The rate falls along half a
    /// cosine.
    pub final_rate_share: f64,
    /// Share of the game's result in the value target. The rest comes from root values.
    pub result_share: f32,
    /// Lambda of [`value_targets`](catapult_rows::value_targets) for that rest. 0 uses only the
    /// ply's own root value.
    pub value_lambda: f32,
    /// Loss weight of value targets from truncated games, which are adjudicated by material and
    /// value ([`game_result`](catapult_rows::game_result)). 0 disables adjudication.
    pub adjudicated_weight: f32,
    /// A truncated game is adjudicated as won if the side ahead has at least this mean value. The
    /// mean is over the last root values (P(win) - P(loss)). A negative number only requires that these values do not contradict the
    /// lead. It suits a network that has seen no game end.
    pub adjudicated_from: f32,
    /// Share of the sampling frequency that is proportional to policy surprise: the divergence of
    /// the search's policy from the network's (KataGo).
    pub surprise_share: f32,
    /// Mirrors each training sample left to right with probability 1/2, if its rules allow it.
    pub mirror: bool,
    /// Number format of the tower in training: `auto`, `bf16` or `f32`.
    pub precision: Precision,
    /// The optimizer.
    pub optimizer: Optimizer,
    /// Maximum norm of the gradient. Longer gradients are scaled down to it.
    pub clip_norm: f32,
    /// Decay per step of the averaged weights, which play the games.
    pub averaging: f32,
    /// Weights of the loss terms.
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
    /// Checks ranges. [`TrainingSettings::validate`] checks the learner's own keys.
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

    /// Returns the settings of the training targets.
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

/// Settings of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MachineConfig {
    /// Threads that play games. 0 uses all. *Changeable*: the games do not depend on it.
    pub threads: usize,
    /// Games in progress at once in a shard, at most its number of games. 0 selects a number that
    /// suits the device. *Changeable*: the games do not depend on it.
    pub slots: usize,
    /// Threads of the learner. 0 uses as many as for games. *Changeable*: the network does not
    /// depend on it.
    pub learner_threads: usize,
    /// `auto`, `cpu`, `cuda` or `cuda:N`. *Changeable*, although results differ in the last bits
    /// between devices.
    pub device: String,
}

/// Machine that builds a unit, if it differs from the run's config.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    /// Number of threads. At most one per processor is used.
    pub threads: Option<usize>,
    /// Name of the device.
    pub device: Option<String>,
}

impl Machine {
    /// Overwrites the threads and the device of a config.
    ///
    /// # Errors
    /// The device is unknown or not available.
    pub fn apply(&self, threads: &mut usize, device: &mut String) -> Result<(), TrainingError> {
        if let Some(number) = self.threads {
            // Learner threads synchronize at every step, so more threads than processors make it
            // slow.
            *threads = std::thread::available_parallelism().map_or(number, |all| number.min(all.get()));
        }
        if let Some(name) = &self.device {
            device::check(name).map_err(|bad| {
                let reason = format!("{}: {}", bad.found.unwrap_or_default(), bad.allowed);
                TrainingError::Config { file: "--device".into(), reason }
            })?;
            device.clone_from(name);
        }
        // Another machine may have the device, so this is checked apart from the name.
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
    /// Returns the number of games in progress at once in a shard.
    pub fn slots(&self, device: Device) -> usize {
        match self.slots {
            0 if device.is_cuda() => 2048,
            0 => 32,
            slots => slots,
        }
    }

    /// Returns the number of learner threads.
    pub fn learner_threads(&self) -> usize {
        if self.learner_threads > 0 { self.learner_threads } else { self.playing_threads() }
    }

    /// Returns the number of threads that play games.
    pub fn playing_threads(&self) -> usize {
        if self.threads > 0 {
            self.threads
        } else {
            std::thread::available_parallelism().map_or(1, |n| n.get())
        }
    }
}

/// Settings of the final matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Games per match, half of them with each colour. 0 plays no matches.
    pub games: u32,
    /// Simulations per move of the run's networks and of the untrained search.
    pub simulations: u32,
    /// A game is truncated after this number of plies.
    pub ply_cap: u32,
    /// Names of the opponents.
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

/// Reads a `[search]` table. Missing keys get the defaults of self-play, not those of a match.
fn over_noisy_search<'de, D: Deserializer<'de>>(from: D) -> Result<SearchTable, D::Error> {
    let noisy = toml::Table::try_from(noisy_search()).map_err(D::Error::custom)?;
    let mut table = toml::Table::deserialize(from)?;
    // Every run's `config.toml` has the key with this number: see `NoSimulations`.
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

/// Keys and tables that may differ between a run and the config that resumes it. `Run` compares the
/// file of `initial` by its hash.
const CHANGEABLE: [&str; 4] = ["generations", "initial", "machine", "evaluation"];

impl TrainConfig {
    /// Reads a config file and applies `key=value` settings (dotted keys, TOML values).
    ///
    /// # Errors
    /// The file cannot be read, or a key is unknown or has an invalid value. The error names the
    /// file or the key.
    pub fn read(path: &Path, settings: &[String]) -> Result<TrainConfig, TrainingError> {
        let text = std::fs::read_to_string(path).map_err(|e| TrainingError::file(path, e))?;
        TrainConfig::parse(&text, settings)
            .map_err(|reason| TrainingError::Config { file: path.to_owned(), reason })
    }

    /// Parses a config and applies settings, like [`read`](Self::read).
    pub fn parse(text: &str, settings: &[String]) -> Result<TrainConfig, String> {
        let mut table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        for setting in settings {
            set(&mut table, setting)?;
        }
        // Without settings, the text is parsed directly, so that an error shows its line.
        let config: TrainConfig = if settings.is_empty() {
            toml::from_str(text).map_err(|e| e.to_string())?
        } else {
            toml::Value::Table(table).try_into().map_err(|e: toml::de::Error| e.to_string())?
        };
        config.validate()?;
        Ok(config)
    }

    /// Checks the values. The error names the key, the value found and the allowed values.
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

    /// Checks that some variant has moves of the forbidden kind.
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

    /// Returns the settings of the replay window. A run with `initial` does not exclude generation
    /// 1 as untrained, because the network from `initial` played it.
    pub fn replay_window(&self) -> WindowConfig {
        let drop = if self.initial.is_some() { u32::MAX } else { self.window.drop_untrained_at };
        WindowConfig { drop_untrained_at: drop, ..self.window.clone() }
    }

    /// Returns the variants of the run: one, or several that share a board.
    pub fn variants(&self) -> &[Variant] {
        if self.variants.is_empty() { self.variant.as_slice() } else { &self.variants }
    }

    /// Returns the names of [`TrainConfig::variants`], separated by commas.
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

    /// Checks that the number of root moves is at most half the simulations, because otherwise too
    /// little is halved. Only new runs are checked: a run that began with a larger number resumes
    /// with it.
    pub fn check_considered(&self) -> Result<(), BadSetting> {
        let Some(considered) = self.search.considered else { return Ok(()) };
        let named = self.games.simulations_from.iter().map(|&(_, n)| ("games.simulations_from", n));
        let shares = [Some(self.selfplay.full_search_share), self.selfplay.begun_turn_share];
        let fast = (shares.into_iter().flatten().any(|share| share < 1.0))
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

    /// Returns the settings of the learner.
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

    /// Returns the generation whose network plays the games of a generation from 1 on.
    pub fn player(&self, generation: u32) -> u32 {
        generation.saturating_sub(1).saturating_sub(self.games.lag)
    }

    /// Returns the simulations per move in a generation's games.
    pub fn simulations(&self, generation: u32) -> u32 {
        let steps = self.games.simulations_from.iter().filter(|&&(from, _)| from <= generation);
        steps.max_by_key(|&&(from, _)| from).map_or(self.selfplay.simulations, |&(_, n)| n)
    }

    /// Differences from `other` in keys that must not change on resume.
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
    // A bare word is a string, so that `--set name=mine` works without quotes.
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
