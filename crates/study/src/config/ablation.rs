//! Ablations: studies that measure training options in Elo at equal budgets.
//!
//! A plan's file becomes a study with one agent per arm. All networks of a seed continue from one
//! common generation, each under the config of its arm. Each network trains until it has spent the
//! same budget ([`catapult_training::BudgetConfig`]). It then plays matches against the control's
//! network of its seed and against the plan's opponents. Training, stages, statistics and the
//! report are the same as in every study.
//!
//! Keys marked *Changeable* may change after the first game. Paths are relative to
//! `ablations/<name>/`.
//!
//! ```text
//! plan.toml, registered.json       the plan, and its text before the first game
//! trunks/<seed>/                   common run of a seed's arms, up to the fork
//! agents/<arm>-<seed>/             the arms' runs; fork.json names the trunk of each
//! matches/*.json                   matches against the control and against opponents
//! metrics.json, report.html, ...   results, as in every study
//! ```

use super::checks::check_opponents;
use super::contests::matches;
use super::file::read_config;
use super::{AgentConfig, GamesConfig, MachineConfig, StrengthConfig, StudyConfig, StudyFile, number};
use crate::StudyError;
use catapult_arena::OPENING_PLIES;
use catapult_rules::Variant;
use catapult_store::BadSetting;
use catapult_store::setting::{self, at_least, folder_name, once, some_once, written};
use catapult_training::{BudgetConfig, TrainConfig, check_fork};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Keys and tables of a plan that may change after the first game.
pub(crate) const CHANGEABLE: &[&str] = &["question"];

/// Keys of a training config that the plan itself sets for all arms. No `set` may contain them.
const OF_THE_PLAN: &[&str] = &["name", "seed", "budget", "machine", "evaluation"];

/// Keys of a training config that must be equal in all arms. Only the plan's `set` may contain
/// them.
const OF_ALL_ARMS: &[&str] = &["generations", "variant", "variants"];

/// Plan of an ablation, as written in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AblationConfig {
    /// Name of the ablation and of its default folder.
    pub name: String,
    /// Question that the ablation answers, in one line. *Changeable.*
    pub question: String,
    /// Path of the training config that all arms start from, relative to the plan's file.
    pub base: PathBuf,
    /// Keys of the training config that are changed for all arms.
    #[serde(default)]
    pub set: toml::Table,
    /// Training seeds. Each arm has one run per seed.
    pub seeds: Vec<u64>,
    /// Last generation that the arms of a seed have in common. It is trained under the control's
    /// config. With 0, the arms share no run. Each then trains from its own generation 0.
    #[serde(default)]
    pub fork: u32,
    /// Name of the arm that the other arms are compared with.
    pub control: String,
    /// Budget of each run, in evaluations. The common generations count towards it.
    pub budget: BudgetConfig,
    /// Matches that are played after training.
    pub matches: MatchesConfig,
    /// Threads and device. *Changeable*: results do not depend on them.
    #[serde(default)]
    pub machine: MachineConfig,
    /// The ways of training that are compared, the control among them.
    #[serde(rename = "arm")]
    pub arms: Vec<ArmConfig>,
}

/// Matches of each arm's networks: against the control's network of the same seed, and against the
/// plan's opponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchesConfig {
    /// Number of games per match: even, so that each player has each colour in half of them.
    pub games: u32,
    /// Simulations per move of the networks.
    pub simulations: u32,
    /// Number of plies after which a game is truncated.
    #[serde(default = "number::<400, _>")]
    pub ply_cap: u32,
    /// Opponents without networks: names of players, as for `catapult match`.
    #[serde(default)]
    pub opponents: Vec<String>,
    /// Seed of the matches' random numbers.
    #[serde(default = "number::<1, _>")]
    pub seed: u64,
}

/// An arm of an ablation: one way of training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmConfig {
    /// Name of the arm in files and in the report.
    pub name: String,
    /// Keys of the training config that are changed for this arm.
    #[serde(default)]
    pub set: toml::Table,
}

impl AblationConfig {
    /// Parses and checks a plan. The error is a message that names the key, the value and the
    /// allowed values.
    pub fn parse(text: &str) -> Result<AblationConfig, String> {
        let config: AblationConfig = toml::from_str(text).map_err(|error| error.to_string())?;
        config.validate()?;
        Ok(config)
    }

    fn validate(&self) -> Result<(), BadSetting> {
        folder_name("name", &self.name)?;
        some_once("seeds", &self.seeds)?;
        self.seeds.iter().try_for_each(|&seed| setting::seed("seeds", seed))?;
        let names: Vec<&str> = self.arms.iter().map(|arm| arm.name.as_str()).collect();
        some_once("arm", &names)?;
        names.iter().try_for_each(|name| folder_name("arm.name", name))?;
        if !names.contains(&self.control.as_str()) {
            let allowed = format!("must be one of the arms: {}", names.join(", "));
            return Err(BadSetting::new("control", written(&self.control), allowed));
        }
        if names.len() < 2 {
            let allowed = "must contain an arm besides the control";
            return Err(BadSetting::new("arm", written(&self.control), allowed));
        }
        of_training(&self.set, OF_THE_PLAN, "set by the plan; use the plan's own keys")?;
        for arm in &self.arms {
            let in_arm = |bad: BadSetting| bad.within(&arm.name).within("arm");
            of_training(&arm.set, OF_THE_PLAN, "the same in all arms; it belongs in the plan")
                .map_err(in_arm)?;
            of_training(&arm.set, OF_ALL_ARMS, "the same in all arms; it belongs in the plan's `set`")
                .map_err(in_arm)?;
        }
        self.matches.validate().map_err(|bad| bad.within("matches"))
    }
}

impl MatchesConfig {
    fn validate(&self) -> Result<(), BadSetting> {
        matches(self.games)?;
        at_least("simulations", self.simulations, 1)?;
        at_least("ply_cap", self.ply_cap, *OPENING_PLIES.end() + 1)?;
        setting::seed("seed", self.seed)?;
        once("opponents", &self.opponents)?;
        check_opponents(&self.opponents)
    }
}

/// Checks that the training settings `set` contain none of the top-level keys `refused`. The error
/// message is "`key` is", followed by `whose`.
fn of_training(set: &toml::Table, refused: &[&str], whose: &str) -> Result<(), BadSetting> {
    for setting in settings(set) {
        let (key, value) = setting.split_once('=').unwrap_or((&setting, ""));
        let head = key.split('.').next().unwrap_or_default();
        if refused.contains(&head) {
            let bad = BadSetting::new(key, value, format!("`{head}` is {whose}"));
            return Err(bad.within("set"));
        }
    }
    Ok(())
}

/// Flattens a table into settings of the form `key=value`. `"learning.passes" = 1.0` and
/// `learning.passes = 1.0` give the same setting. A table under a quoted key that contains a dot
/// becomes one setting, which replaces the whole table.
fn settings(table: &toml::Table) -> Vec<String> {
    fn add(prefix: &str, table: &toml::Table, found: &mut Vec<String>) {
        for (key, value) in table {
            let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            match value {
                toml::Value::Table(inner) if !key.contains('.') => add(&path, inner, found),
                value => found.push(format!("{path}={value}")),
            }
        }
    }
    let mut found = Vec::new();
    add("", table, &mut found);
    found
}

impl AblationConfig {
    /// Returns the settings that override the base config for an arm, as `key=value`. The settings
    /// of the plan come first, then the settings of the arm, then the budget.
    fn settings(&self, arm: &ArmConfig) -> Vec<String> {
        let BudgetConfig { work, row_cost } = self.budget;
        let mut all = settings(&self.set);
        all.extend(settings(&arm.set));
        all.push(format!("budget={{work={work}, row_cost={row_cost:?}}}"));
        all
    }

    /// Converts the plan to a study with one agent per arm. The study has one rule set, one search
    /// level and no self-play games.
    pub(crate) fn study(self, variant: Variant) -> StudyConfig {
        let AblationConfig { name, question, seeds, matches, machine, .. } = self.clone();
        let agent = |arm: &ArmConfig| AgentConfig {
            name: arm.name.clone(),
            arms: vec![variant.into()],
            seeds: seeds.clone(),
            train: Some(self.base.clone()),
            settings: self.settings(arm),
            ..Default::default()
        };
        StudyConfig {
            name,
            title: question,
            seed: matches.seed,
            control: variant.into(),
            arms: vec![variant.into()],
            registered: None,
            agents: self.arms.iter().map(agent).collect(),
            games: GamesConfig {
                simulations: vec![matches.simulations],
                per_level: 0,
                early_simulations: matches.simulations,
                per_shard: 1,
                sampled_plies: 0,
                ply_cap: matches.ply_cap,
                deep: Vec::new(),
            },
            strength: StrengthConfig {
                games: matches.games,
                simulations: vec![matches.simulations],
                opponents: matches.opponents,
                rung_games: 0,
                ply_cap: matches.ply_cap,
                more: Vec::new(),
            },
            population: None,
            worth: None,
            endings: None,
            analysis: Default::default(),
            resampling: Default::default(),
            machine,
            endpoints: Vec::new(),
            ablation: Some(self),
            probes: None,
            rule: None,
        }
    }
}

impl StudyFile {
    /// Reads a plan's file, checks it with the training configs of its arms, and converts it to a
    /// study.
    ///
    /// # Errors
    /// A file cannot be read, has an unknown key or an invalid value, or an arm cannot continue
    /// from the control. The error names the file or key.
    pub fn read_plan(path: &Path) -> Result<StudyFile, StudyError> {
        let text = read_config(path)?;
        let refused = |reason: String| StudyError::Config { file: path.to_owned(), reason };
        let plan = AblationConfig::parse(&text).map_err(refused)?;
        let base = path.parent().unwrap_or(Path::new("")).join(&plan.base);
        let train = |arm: &ArmConfig| {
            let of_arm = |error: String| refused(format!("arm.{}: {error}", arm.name));
            let mut all = plan.settings(arm);
            all.push(format!("seed={}", plan.seeds[0]));
            TrainConfig::read(&base, &all).map_err(|error| of_arm(error.to_string()))
        };
        // `validate` has checked that the control is one of the arms.
        let control = train(plan.arms.iter().find(|arm| arm.name == plan.control).unwrap_or(&plan.arms[0]))?;
        let [variant] = control.variants()[..] else {
            let allowed = format!("must have one variant; it has {}", control.variant_names());
            return Err(refused(BadSetting::new("base", written(&plan.base), allowed).into()));
        };
        let last = control.generations;
        if plan.fork >= last {
            let allowed = format!("must be below generations = {last}");
            return Err(refused(BadSetting::new("fork", plan.fork, allowed).into()));
        }
        for arm in &plan.arms {
            let of_arm = |bad: BadSetting| refused(format!("arm.{}: {bad}", arm.name));
            let config = train(arm)?;
            config.check_considered().map_err(of_arm)?;
            if plan.fork > 0 {
                check_fork(&control, &config, plan.fork).map_err(of_arm)?;
            }
        }
        Ok(StudyFile { path: path.to_owned(), text, config: plan.study(variant) })
    }

    /// Returns the plan and the control's agent. Returns `None` if the study is not an ablation, or
    /// if its arms have no common generations.
    pub(crate) fn trunk(&self) -> Option<(&AblationConfig, &AgentConfig)> {
        let plan = self.config.ablation.as_ref().filter(|plan| plan.fork > 0)?;
        Some((plan, self.config.agents.iter().find(|agent| agent.name == plan.control)?))
    }
}
