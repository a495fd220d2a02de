//! Config of a run in one TOML file. Unknown keys and invalid values are errors.

use crate::report::GenerationReport;
use crate::{BudgetConfig, TrainingError};
use catapult_arena::{OPENING_PLIES, PlayerSpec};
use catapult_mcts::{Algorithm, ConfigError, NoSimulations, SearchConfig};
use catapult_network::{
    Architecture, Device, DeviceName, LossWeights, NetworkError, Optimizer, Precision, TrainingSettings,
    usable_threads,
};
use catapult_records::rules_file;
use catapult_rows::{TargetConfig, WindowConfig};
use catapult_rules::{AnyRules, Variant};
use catapult_selfplay::SelfPlayConfig;
use catapult_store::setting::{self, at_least, folder_name, once, written};
use catapult_store::{BadSetting, Difference, StoreError, differences};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Config of a run. When a run is resumed, only the keys marked *Changeable* may differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    /// Name of the run. By default, it is also the name of the run's folder.
    pub name: String,
    /// Variant of a run with one variant. Must be absent if `variants` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variant: Option<Variant>,
    /// Variants of a run whose network learns several variants of one board. Each game plays one of
    /// them, selected by the game's seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variants: Vec<Variant>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of the last generation to train. The run ends earlier if it has spent its `budget`.
    /// *Changeable.*
    pub generations: u32,
    /// Path of the network file for generation 0. `None` starts with an untrained network. If
    /// `network` describes a larger network than the file contains, the file's network is grown to
    /// that size. *Changeable*, if the new file has the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<PathBuf>,
    /// Architecture of the network.
    pub network: Architecture,
    /// Settings of a generation's games: their number, and the network that plays them.
    #[serde(default)]
    pub games: GamesConfig,
    /// Settings of each self-play game.
    #[serde(default)]
    pub selfplay: SelfPlayConfig,
    /// Settings of the search in self-play. The number of simulations is in `selfplay`.
    #[serde(default = "noisy_search", deserialize_with = "over_noisy_search")]
    pub search: SearchConfig,
    /// Settings of the replay window: the selection of training samples from games.
    #[serde(default)]
    pub window: WindowConfig,
    /// Settings of the training of networks.
    #[serde(default)]
    pub learning: LearningConfig,
    /// Budget of the run. `None` trains generations up to `generations`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetConfig>,
    /// Settings of threads and device. *Changeable.*
    #[serde(default)]
    pub machine: MachineConfig,
    /// Settings of the final matches. *Changeable.*
    #[serde(default)]
    pub evaluation: EvaluationConfig,
}

catapult_store::settings! {
    /// Settings of a generation's games: their number, and the network that plays them.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct GamesConfig {
        /// Number of games per generation.
        per_generation: u64 = 256, in_range(1..=100_000_000);
        /// Number of shards per generation, at most `per_generation`. On a CPU, one thread plays a
        /// shard. If the run stops, the games of unfinished shards are lost.
        shards: u32 = 2, at_least(1);
        /// Number of generations by which self-play may be behind the learner. Generation `g` is
        /// played by the network of generation `g - 1 - lag`, or of generation 0 if that is
        /// negative. With 0, self-play waits until generation `g - 1` has been trained. With more,
        /// games are played while newer networks are still being trained.
        lag: u32 = 0;
        /// Simulations per move by generation, as `[[generation, simulations], ..]`. An entry
        /// applies from its generation until the generation of the next entry. Generations before
        /// the first entry use `selfplay.simulations`.
        simulations_from: Vec<(u32, u32)> = Vec::new();
    }
}

impl GamesConfig {
    fn validate(&self, has_budget: bool) -> Result<(), BadSetting> {
        self.check_ranges()?;
        if u64::from(self.shards) > self.per_generation {
            return Err(BadSetting::new("shards", self.shards, "must be at most games.per_generation"));
        }
        if self.lag > 0 && has_budget {
            let allowed = "must be 0 with a budget, because each generation can be the last";
            return Err(BadSetting::new("lag", self.lag, allowed));
        }
        if let Some(step) = self.simulations_from.iter().find(|&&(_, simulations)| simulations == 0) {
            let allowed = "simulations must be at least 1";
            return Err(BadSetting::new("simulations_from", written(step), allowed));
        }
        let generations: Vec<u32> = self.simulations_from.iter().map(|&(from, _)| from).collect();
        once("simulations_from", &generations)
    }
}

catapult_store::settings! {
    /// Settings of the training of networks.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct LearningConfig {
        /// Number of training samples per step.
        batch_rows: usize = 256, at_least(2);
        /// Number of training samples to draw per new training sample. A generation makes `passes *
        /// new samples / batch_rows` steps.
        passes: f64 = 2.0, in_range(0.0..=1000.0);
        /// Learning rate at the end of the warm-up, before it falls.
        learning_rate: f64 = 1e-3, in_range(0.0..=100.0);
        /// Number of training steps at the start of the run over which the learning rate rises from
        /// zero.
        warmup_steps: u64 = 100;
        /// Share of the learning rate that remains at the end of the run, 0 to 1. The rate falls
        /// over the run along half a cosine.
        final_rate_share: f64 = 0.1, in_range(0.0..=1.0);
        /// Share of the game's result in the value target, 0 to 1. The rest of the target comes
        /// from root values, which are values of the search.
        result_share: f32 = TargetConfig::default().result_share;
        /// Lambda of the lambda-return over root values in the value target, 0 to 1
        /// ([`value_targets`](catapult_rows::value_targets)). 0 uses only the root value of the
        /// sample's own ply.
        value_lambda: f32 = TargetConfig::default().value_lambda;
        /// Weight in the loss of value targets from truncated games, 0 to 1. Such games are
        /// adjudicated by material and value ([`game_result`](catapult_rows::game_result)). 0
        /// disables adjudication.
        adjudicated_weight: f32 = TargetConfig::default().adjudicated_weight;
        /// Minimum mean value, -1 to 1, with which a truncated game is adjudicated as won by the
        /// side ahead in material. The mean is over the last root values, as P(win) - P(loss) for
        /// that side. With a negative number, the values need only not contradict the lead. This
        /// suits a network that has seen no game end.
        adjudicated_from: f32 = TargetConfig::default().adjudicated_from;
        /// Share of a sample's sampling frequency that is proportional to its policy surprise, 0 to
        /// 1. Policy surprise is the divergence of the search's policy from the network's at the
        /// root temperature (KataGo).
        surprise_share: f32 = 0.5;
        /// If true, each training sample is flipped left to right with probability 1/2. Samples
        /// whose rules forbid it are never flipped.
        mirror: bool = true;
        /// Number format of the network's tower in training: `auto`, `bf16` or `f32`.
        precision: Precision = TrainingSettings::default().precision;
        /// Optimizer of the training and its settings.
        optimizer: Optimizer = TrainingSettings::default().optimizer;
        /// Maximum norm of the gradient. A gradient with a larger norm is scaled down to this norm.
        /// Infinity disables clipping.
        #[serde(deserialize_with = "null_is_infinity")]
        clip_norm: f32 = TrainingSettings::default().clip_norm;
        /// Decay per step of the exponential moving average of the weights. The network with the
        /// averaged weights plays the games.
        averaging: f32 = TrainingSettings::default().averaging;
        /// Weight of each loss in the total loss.
        loss: LossWeights = TrainingSettings::default().loss;
    }
}

impl LearningConfig {
    /// Checks the ranges of keys that [`TrainingSettings::validate`] does not check.
    fn validate(&self) -> Result<(), BadSetting> {
        self.check_ranges()?;
        self.targets().check_ranges()
    }

    /// Returns the settings from which the targets of training samples are computed.
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

catapult_store::settings! {
    /// Settings of the threads and the device that play games and train.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct MachineConfig {
        /// Number of threads that play games, at most one per processor. 0 uses one per processor.
        /// *Changeable*, because the games do not depend on it.
        threads: usize = 0;
        /// Maximum number of games in progress at once in a shard. 0 selects 32 on a CPU and 2048
        /// on a GPU. *Changeable*, because the games do not depend on it.
        slots: usize = 0;
        /// Number of threads that train, at most one per processor. One more encodes batches. 0
        /// uses the number of threads that play games. *Changeable*, because the network does not
        /// depend on it.
        learner_threads: usize = 0;
        /// Device that plays and trains: `auto`, `cpu`, `cuda` or `cuda:N`. A sparse network plays
        /// on the CPU. *Changeable*, although results on different devices differ in the last bits.
        device: DeviceName = DeviceName::Auto;
    }
}

/// Machine settings of one machine that builds units of a run. They replace the machine settings of
/// the run's config. `None` keeps the config's setting.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    /// Number of threads. `None` keeps the config's setting.
    pub threads: Option<usize>,
    /// Name of the device. `None` keeps the config's setting.
    pub device: Option<DeviceName>,
}

impl Machine {
    /// Overwrites `threads` and `device` of a config with this machine's settings, except those
    /// that are `None`.
    pub fn apply(&self, threads: &mut usize, device: &mut DeviceName) {
        *threads = self.threads.unwrap_or(*threads);
        *device = self.device.unwrap_or(*device);
    }
}

impl MachineConfig {
    /// Returns the maximum number of games in progress at once in a shard. It is `slots`, or a
    /// number that suits `device` if `slots` is 0.
    pub fn slots(&self, device: Device) -> usize {
        match self.slots {
            0 if device.is_cuda() => 2048,
            0 => 32,
            slots => slots,
        }
    }

    /// Returns the number of threads that train, besides the one that encodes batches. It is
    /// `learner_threads`, or the number of threads that play games if `learner_threads` is 0, and
    /// at most the number of processors.
    pub fn learner_threads(&self) -> usize {
        // The threads synchronize at every step, so more threads than processors make it slow.
        usable_threads(if self.learner_threads == 0 { self.threads } else { self.learner_threads })
    }
}

catapult_store::settings! {
    /// Settings of the final matches.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct EvaluationConfig {
        /// Number of games per match, which is even. A player has White in half of them. 0 plays no
        /// matches.
        games: u32 = 200, even_games();
        /// Simulations per move of the run's networks and of the uniform search. Names of opponents
        /// contain their own numbers of simulations.
        simulations: u32 = 64, at_least(1);
        /// Number of plies, including the opening, after which a game is truncated.
        ply_cap: u32 = 300, at_least(*OPENING_PLIES.end() + 1);
        /// Names of the opponents, such as `alphabeta:2q`. [`PlayerSpec`] parses them.
        opponents: Vec<String> = vec!["alphabeta:1q".into(), "alphabeta:2q".into()];
    }
}

impl EvaluationConfig {
    fn validate(&self) -> Result<(), BadSetting> {
        self.check_ranges()?;
        once("opponents", &self.opponents)?;
        for (number, opponent) in self.opponents.iter().enumerate() {
            opponent
                .parse::<PlayerSpec>()
                .map_err(|error| BadSetting::new("opponents", written(&error.name), error.reason))?;
            let clashes = |other: &&String| *other != opponent && match_file(other) == match_file(opponent);
            if let Some(other) = self.opponents[..number].iter().find(clashes) {
                let allowed = format!(
                    "its results would have the file names of {}; letters, digits or points in the last {LONGEST_NAME} must differ",
                    written(other)
                );
                return Err(BadSetting::new("opponents", written(opponent), allowed));
            }
        }
        Ok(())
    }
}

/// Returns a player's name as the units and files of final matches have it. Every character except
/// letters, digits and points becomes `-`. Of a long name, such as a path, the end remains, because
/// file systems have names of at most 255 bytes.
pub(crate) fn match_file(name: &str) -> String {
    let plain = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
    plain[plain.len().saturating_sub(LONGEST_NAME)..].to_owned()
}

/// Maximum length of a player's name in the names of files, in bytes.
const LONGEST_NAME: usize = 140;

/// Returns the defaults of `[search]` in self-play. Unlike the defaults of a match, they have noise
/// at the root.
fn noisy_search() -> SearchConfig {
    SearchConfig { gumbel_scale: 1.0, dirichlet_fraction: 0.25, ..SearchConfig::default() }
}

/// Deserializes a `[search]` table. Missing keys get the values of [`noisy_search`].
fn over_noisy_search<'de, D: Deserializer<'de>>(from: D) -> Result<SearchConfig, D::Error> {
    let noisy = toml::Table::try_from(noisy_search()).map_err(D::Error::custom)?;
    let mut table = toml::Table::deserialize(from)?;
    // The `config.toml` of every run contains the key with this number, so it is not an error.
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
    SearchConfig::deserialize(table).map_err(D::Error::custom)
}

/// Deserializes a number. JSON has no infinity, so `fork.json` contains `null` instead.
fn null_is_infinity<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    Ok(Option::<f32>::deserialize(from)?.unwrap_or(f32::INFINITY))
}

/// Keys and tables that may differ when a run is resumed. For `initial`, `Run` checks that the new
/// file has the same hash.
const CHANGEABLE: [&str; 4] = ["generations", "initial", "machine", "evaluation"];

impl TrainConfig {
    /// Reads a config file and overwrites keys with `settings`. A setting is `key=value`, with a
    /// dotted key and a TOML value. A variant may be the path of a [rules file](rules_file),
    /// relative to the config's folder, or in a setting to the current folder.
    ///
    /// # Errors
    /// The file cannot be read, or a key is unknown or has an invalid value. The error names the
    /// file or the key.
    pub fn read(path: &Path, settings: &[String]) -> Result<TrainConfig, TrainingError> {
        let text = std::fs::read_to_string(path).map_err(|e| StoreError::file(path, e))?;
        let read = || {
            let text = rules_file::in_config(&text, path.parent().unwrap_or(Path::new("")))?;
            let settings: Result<Vec<String>, String> =
                settings.iter().map(|setting| rules_file::in_setting(setting)).collect();
            TrainConfig::parse(&text, &settings?)
        };
        read().map_err(|reason| TrainingError::config(path, reason))
    }

    /// Parses the text of a config and overwrites keys with `settings`, like [`read`](Self::read).
    ///
    /// # Errors
    /// The text is not TOML, or a key is unknown or has an invalid value.
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

    /// Checks the values of all keys.
    ///
    /// # Errors
    /// A key has an invalid value. The error has the key, the value found and the allowed values.
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
        self.window.check_ranges().map_err(|bad| bad.within("window"))?;
        self.learning.validate().map_err(|bad| bad.within("learning"))?;
        self.training_settings().validate().map_err(|bad| bad.within("learning"))?;
        self.evaluation.validate().map_err(|bad| bad.within("evaluation"))
    }

    /// Checks that at least one variant has moves of the kind `selfplay.forbidden`, if that key is
    /// set.
    fn check_forbidden(&self) -> Result<(), BadSetting> {
        match self.selfplay.forbidden {
            Some(kind) if !self.variants().iter().any(|variant| variant.has_kind(kind)) => {
                let allowed = format!("must be removed: {} has no such moves", self.variant_names());
                Err(BadSetting::new("forbidden", kind, allowed))
            }
            _ => Ok(()),
        }
    }

    fn check_search(&self) -> Result<(), BadSetting> {
        let search = &self.search;
        let in_range = |e: ConfigError| BadSetting::new(e.key, e.found, format!("must be {}", e.allowed));
        search.validate().map_err(in_range)?;
        let noise = match search.algorithm {
            Algorithm::Puct => ("dirichlet_fraction", search.dirichlet_fraction, 0.25),
            Algorithm::Gumbel => ("gumbel_scale", search.gumbel_scale, 1.0),
        };
        match noise {
            (key, 0.0, usual) => {
                let allowed = format!(
                    "must be above 0, because self-play without noise repeats one game; {usual} is usual"
                );
                Err(BadSetting::new(key, 0, allowed))
            }
            _ => Ok(()),
        }
    }

    /// Returns the settings of the replay window. They equal `window`, unless `initial` is set. If
    /// it is set, no generation is excluded as untrained, because a trained network played
    /// generation 1.
    pub fn replay_window(&self) -> WindowConfig {
        let drop = if self.initial.is_some() { u32::MAX } else { self.window.drop_untrained_at };
        WindowConfig { drop_untrained_at: drop, ..self.window.clone() }
    }

    /// Returns the variants of the run. They all have the same board.
    pub fn variants(&self) -> &[Variant] {
        if self.variants.is_empty() { self.variant.as_slice() } else { &self.variants }
    }

    /// Returns the names of [`TrainConfig::variants`], separated by commas.
    pub fn variant_names(&self) -> String {
        self.variants().iter().map(Variant::to_string).collect::<Vec<_>>().join(", ")
    }

    fn check_variants(&self) -> Result<(), BadSetting> {
        match (self.variant, self.variants.as_slice()) {
            (Some(_), []) | (None, [_]) => Ok(()),
            (None, []) => Err(BadSetting::missing("variant", "name one game, or several in `variants`")),
            (Some(variant), _) => {
                let allowed = "must be removed, because `variants` is set";
                Err(BadSetting::new("variant", written(&variant), allowed))
            }
            (None, variants) => {
                once("variants", variants)?;
                let alone = variants.iter().find(|variant| AnyRules::of(**variant).is_none());
                let Some(variant) = alone else { return Ok(()) };
                let allowed = "cannot be combined with other games; only chess and chesspp with any options \
                               share a board";
                Err(BadSetting::new("variants", written(variant), allowed))
            }
        }
    }

    /// Checks that `search.considered` is at most half the simulations, so that sequential halving
    /// can eliminate moves. Only new runs are checked. A run that began with a larger number
    /// resumes with that number.
    ///
    /// # Errors
    /// `search.considered` is too large.
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
            Some((key, n)) if self.search.algorithm == Algorithm::Gumbel && considered > n / 2 => {
                let allowed = format!(
                    "must be at most {}, half of {key} = {n}; the default would be {}",
                    n / 2,
                    SearchConfig::default().considered_among(n)
                );
                Err(BadSetting::new("search.considered", considered, allowed))
            }
            _ => Ok(()),
        }
    }

    /// Returns the provenance to write into the network files of this config: names with values. It
    /// is the same in every run of the config. `initial` is the hash of the file `initial`.
    pub(crate) fn provenance(&self, initial: Option<&str>) -> BTreeMap<String, String> {
        let mut notes = BTreeMap::from([
            ("run".into(), self.name.clone()),
            ("variant".into(), self.variant_names()),
            ("seed".into(), self.seed.to_string()),
        ]);
        notes.extend(initial.map(|hash| ("initial".into(), hash.into())));
        notes
    }

    /// Returns the device that plays: that of `machine`, except that a sparse network plays on the
    /// CPU.
    ///
    /// # Errors
    /// This machine or this build lacks the device.
    pub fn playing_device(&self) -> Result<Device, NetworkError> {
        match self.network {
            Architecture::Sparse(_) => Ok(Device::Cpu),
            Architecture::Tower(_) => self.machine.device.choose(),
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

    /// Returns the number of the generation whose network plays the games of `generation`.
    /// `generation` is at least 1.
    pub fn player(&self, generation: u32) -> u32 {
        generation.saturating_sub(1).saturating_sub(self.games.lag)
    }

    /// Returns the last generation that may have games if `next` is the first incomplete one.
    pub fn last_with_games(&self, next: u32) -> u32 {
        next.saturating_add(self.games.lag).min(self.generations).max(next)
    }

    /// Returns the number of simulations per move in a generation's games.
    pub fn simulations(&self, generation: u32) -> u32 {
        let steps = self.games.simulations_from.iter().filter(|&&(from, _)| from <= generation);
        steps.max_by_key(|&&(from, _)| from).map_or(self.selfplay.simulations, |&(_, n)| n)
    }

    /// Returns the generation that ends the run, or `None` if `reports` do not contain it. It is
    /// the first generation after which the budget is spent, but at most `self.generations`.
    /// `reports` begin with generation 0.
    pub fn ends_with(&self, reports: &[GenerationReport]) -> Option<u32> {
        let spent = self.budget.and_then(|budget| {
            let is_spent = |reports: &[GenerationReport]| budget.spent(reports) >= budget.work as f64;
            (0..reports.len()).find(|&last| is_spent(&reports[..=last]))
        });
        let last = self.generations as usize;
        spent.into_iter().chain((reports.len() > last).then_some(last)).min().map(|last| last as u32)
    }

    /// Returns the generation that will probably end the run. The estimate assumes that every
    /// further generation costs as much as the last of `reports`. Without a budget or a positive
    /// cost, it is `self.generations`.
    pub fn expected_to_end_with(&self, reports: &[GenerationReport]) -> u32 {
        let (Some(budget), Some(last)) = (self.budget, reports.last()) else { return self.generations };
        let left = budget.work as f64 - budget.spent(reports);
        match last.work.map(|work| budget.cost(work)) {
            Some(cost) if left <= 0.0 || cost > 0.0 => {
                let more = if left > 0.0 { (left / cost).ceil() } else { 0.0 };
                // The cast saturates.
                self.generations.min(last.generation.saturating_add(more as u32))
            }
            _ => self.generations,
        }
    }

    /// Returns the differences from `other` in keys that must not change when a run is resumed.
    pub fn conflicts(&self, other: &TrainConfig) -> Vec<Difference> {
        let mut differences = differences(self, other);
        differences.retain(|difference| !difference.is_under(&CHANGEABLE));
        differences
    }
}

/// Sets a key of a table to a value. `setting` is `key=value`, with a dotted key such as
/// `games.shards`.
fn set(table: &mut toml::Table, setting: &str) -> Result<(), String> {
    let (path, value) =
        setting.split_once('=').ok_or_else(|| format!("`{setting}`: a setting is written key=value"))?;
    // A bare word is a string, so that `--set name=mine` works without quotes.
    let value = format!("v = {value}")
        .parse::<toml::Table>()
        .ok()
        .and_then(|mut t| t.remove("v"))
        .unwrap_or_else(|| toml::Value::String(value.to_owned()));
    let path = path.trim();
    if path.split('.').any(str::is_empty) {
        return Err(format!("`{setting}`: an empty key"));
    }
    let mut names = path.split('.');
    let key = names.next_back().unwrap_or_default();
    let mut table = table;
    for name in names {
        let entry = table.entry(name).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        table = entry.as_table_mut().ok_or_else(|| format!("`{setting}`: `{name}` is not a table"))?;
    }
    table.insert(key.to_owned(), value);
    Ok(())
}
