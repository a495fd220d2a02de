//! What the values of a study's file may be.

use super::{AgentConfig, EquivalenceConfig, GamesConfig, HALF, StrengthConfig, StudyConfig, TIMES};
use catapult_arena::PlayerSpec;
use catapult_network::device;
use catapult_rules::Variant;
use std::collections::BTreeSet;

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
        if let Some(registered) = &self.registered {
            least("registered.seeds", registered.seeds as u64, 1)?;
        }
        self.games.validate().map_err(|e| format!("games.{e}"))?;
        self.strength.validate(&self.games).map_err(|e| format!("strength.{e}"))?;
        self.check_contests()?;
        if let Some(equivalence) = &self.equivalence {
            equivalence.validate(&self.agents).map_err(|e| format!("equivalence.{e}"))?;
        }
        self.analysis.validate().map_err(|e| format!("analysis.{e}"))?;
        if self.resampling.replicates < 100 {
            let found = self.resampling.replicates;
            return Err(format!("resampling.replicates = {found}: an interval needs at least 100"));
        }
        device::check(&self.machine.device).map_err(|reason| format!("machine.device = {reason}"))?;
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
}

impl AgentConfig {
    fn validate(&self, arms: &[Variant]) -> Result<(), String> {
        check_name("name", &self.name)?;
        once("arms", &self.arms)?;
        once("seeds", &self.seeds)?;
        if let Some(registered) = self.registered_seeds {
            least("registered_seeds", registered as u64, 1)?;
        }
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
        check_opponents(&self.opponents)
    }
}

/// Whether each is one that a network can meet.
pub(crate) fn check_opponents(opponents: &[String]) -> Result<(), String> {
    let is_itself =
        |opponent: &String| opponent == HALF || TIMES.iter().any(|times| *opponent == format!("x{times}"));
    for opponent in opponents.iter().filter(|opponent| !is_itself(opponent)) {
        let allowed = TIMES.map(|times| format!("`x{times}`")).join(", ");
        opponent.parse::<PlayerSpec>().map_err(|e| format!("opponents: {e}, or `{HALF}`, {allowed}"))?;
    }
    Ok(())
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

pub(crate) fn least(key: &str, found: u64, least: u64) -> Result<(), String> {
    if found >= least { Ok(()) } else { Err(format!("{key} = {found}: must be at least {least}")) }
}

pub(crate) fn even(key: &str, found: u32) -> Result<(), String> {
    if found.is_multiple_of(2) {
        Ok(())
    } else {
        Err(format!("{key} = {found}: must be even, half of them with each colour"))
    }
}

/// At least one, none twice.
pub(crate) fn once<T: Ord + std::fmt::Debug>(key: &str, values: &[T]) -> Result<(), String> {
    if values.is_empty() {
        return Err(format!("{key}: at least one is needed"));
    }
    let mut seen = BTreeSet::new();
    match values.iter().find(|value| !seen.insert(*value)) {
        Some(twice) => Err(format!("{key}: {twice:?} stands twice")),
        None => Ok(()),
    }
}

pub(crate) fn check_name(key: &str, name: &str) -> Result<(), String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fits) {
        return Err(format!("{key} = \"{name}\": must be made of letters, digits, `-`, `_` and `.`"));
    }
    Ok(())
}
