//! Checks of the values in a study's file.

use super::{AgentConfig, GamesConfig, HALF, StrengthConfig, StudyConfig, TIMES};
use crate::matches::Opponent;
use catapult_measures::Arm;
use catapult_report::results::Endpoint;
use catapult_store::BadSetting;
use catapult_store::setting::{self, at_least, folder_name, in_range, some_once, written};
use std::ops::RangeInclusive;

/// Allowed numbers of games per network, arm and level. A study lists its shards before it plays.
pub(super) const LEVEL_GAMES: RangeInclusive<u64> = 1..=1_000_000;

impl StudyConfig {
    /// Parses and checks the text of a study's file. The error is a message for the user.
    pub fn parse(text: &str) -> Result<StudyConfig, String> {
        let config: StudyConfig = toml::from_str(text).map_err(|error| error.to_string())?;
        config.validate()?;
        Ok(config)
    }

    /// Checks all values. The error names the key, the value and the allowed values.
    pub fn validate(&self) -> Result<(), BadSetting> {
        folder_name("name", &self.name)?;
        setting::seed("seed", self.seed)?;
        some_once("arms", &self.arms)?;
        if !self.arms.contains(&self.control) {
            return Err(BadSetting::new("control", written(&self.control), "must be one of arms"));
        }
        some_once("agents", &self.agents.iter().map(|agent| &agent.name).collect::<Vec<_>>())?;
        for agent in &self.agents {
            let refused = |bad: BadSetting| bad.within(&agent.name).within("agents");
            agent.validate(&self.arms).map_err(refused)?;
        }
        let is_played = |arm: &Arm| self.agents.iter().any(|agent| agent.arms.contains(arm));
        let allowed = "no agent plays it; must be among the arms of one";
        none(self.arms.iter().find(|arm| !is_played(arm)), |arm| {
            BadSetting::new("arms", written(arm), allowed)
        })?;
        each("registered", &self.registered, |registered| at_least("seeds", registered.seeds, 1))?;
        self.games.validate().map_err(|bad| bad.within("games"))?;
        self.strength.validate(&self.games).map_err(|bad| bad.within("strength"))?;
        self.check_contests()?;
        self.analysis.check_ranges().map_err(|bad| bad.within("analysis"))?;
        let replicates = self.resampling.replicates;
        if replicates < 100 {
            let allowed = "an interval needs at least 100";
            return Err(BadSetting::new("resampling.replicates", replicates, allowed));
        }
        let within = |endpoint: &Endpoint, bad: BadSetting| {
            bad.within(format!("\"{}\"", endpoint.claim)).within("endpoints")
        };
        for (number, endpoint) in self.endpoints.iter().enumerate() {
            self.check_endpoint(endpoint).map_err(|bad| within(endpoint, bad))?;
            let is_same = |other: &Endpoint| (&other.claim, other.arm) == (&endpoint.claim, endpoint.arm);
            if self.endpoints[..number].iter().any(is_same) {
                let allowed = "occurs twice; a claim has one primary endpoint";
                return Err(within(endpoint, BadSetting::new("arm", written(&endpoint.arm), allowed)));
            }
        }
        Ok(())
    }
}

impl AgentConfig {
    fn validate(&self, arms: &[Arm]) -> Result<(), BadSetting> {
        folder_name("name", &self.name)?;
        some_once("arms", &self.arms)?;
        some_once("seeds", &self.seeds)?;
        check_arms(&self.arms, arms)?;
        self.seeds.iter().try_for_each(|&seed| setting::seed("seeds", seed))?;
        match (&self.train, self.taken.len()) {
            (None, 0) => Err(BadSetting::missing("train", "name a training config, or networks in `taken`")),
            (Some(_), 0) => Ok(()),
            (Some(_), _) => {
                Err(BadSetting::new("taken", written(&self.taken), "must be removed, because `train` is set"))
            }
            (None, _) if !self.settings.is_empty() => {
                let allowed = "must be removed, because `train` is not set";
                Err(BadSetting::new("settings", written(&self.settings), allowed))
            }
            (None, taken) if taken != self.seeds.len() => {
                let found = format!("{taken} paths for {} seeds", self.seeds.len());
                Err(BadSetting::new("taken", found, "must have one path per seed"))
            }
            (None, _) => Ok(()),
        }
    }
}

impl GamesConfig {
    fn validate(&self) -> Result<(), BadSetting> {
        some_once("simulations", &self.simulations)?;
        if !self.simulations.is_sorted() || self.simulations[0] == 0 {
            let found = format!("{:?}", self.simulations);
            return Err(BadSetting::new("simulations", found, "must rise from at least 1"));
        }
        if !self.simulations.contains(&self.early_simulations) {
            let allowed = "must be one of simulations";
            return Err(BadSetting::new("early_simulations", self.early_simulations, allowed));
        }
        in_range("per_level", self.per_level, LEVEL_GAMES)?;
        at_least("per_shard", self.per_shard, 1)?;
        at_least("ply_cap", self.ply_cap, 1)
    }
}

impl StrengthConfig {
    fn validate(&self, games: &GamesConfig) -> Result<(), BadSetting> {
        self.check_ranges()?;
        none(self.simulations.iter().find(|level| !games.simulations.contains(level)), |level| {
            BadSetting::new("simulations", level, "must be among games.simulations")
        })?;
        check_opponents(&self.opponents)
    }
}

/// Checks that each arm belongs to the study.
pub(crate) fn check_arms(arms: &[Arm], of_study: &[Arm]) -> Result<(), BadSetting> {
    none(arms.iter().find(|arm| !of_study.contains(arm)), |arm| {
        BadSetting::new("arms", written(arm), "must be among the study's arms")
    })
}

/// Checks that each opponent is the name of a player, `half`, or a multiple such as `x4`.
pub(crate) fn check_opponents(opponents: &[String]) -> Result<(), BadSetting> {
    for opponent in opponents {
        Opponent::parse(opponent).map_err(|error| {
            let allowed = TIMES.map(|times| format!("`x{times}`")).join(", ");
            let allowed = format!("{}, or `{HALF}`, {allowed}", error.reason);
            BadSetting::new("opponents", written(opponent), allowed)
        })?;
    }
    Ok(())
}

/// Checks that each of `names` is the name of an agent. `key` is the key that the error names.
pub(crate) fn check_agents(key: &str, names: &[String], agents: &[AgentConfig]) -> Result<(), BadSetting> {
    let known: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    none(names.iter().find(|name| !known.contains(&name.as_str())), |name| {
        BadSetting::new(key, written(name), format!("must be one of {}", known.join(", ")))
    })
}

/// Runs `check` on every value of a table that may be absent or occur several times. The error
/// names the table.
pub(crate) fn each<'a, T: 'a>(
    table: &str,
    values: impl IntoIterator<Item = &'a T>,
    mut check: impl FnMut(&T) -> Result<(), BadSetting>,
) -> Result<(), BadSetting> {
    values.into_iter().try_for_each(|value| check(value).map_err(|bad| bad.within(table)))
}

/// Returns `error(value)` as an error if `bad` contains a value. Returns `Ok` if `bad` is `None`.
pub(crate) fn none<T>(bad: Option<T>, error: impl FnOnce(T) -> BadSetting) -> Result<(), BadSetting> {
    bad.map_or(Ok(()), |value| Err(error(value)))
}
