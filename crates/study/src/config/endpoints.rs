//! Checks of endpoints, and the registered design that judgements depend on.

use super::StudyConfig;
use super::checks::check_agents;
use super::contests::levels_of;
use catapult_judge::{Agent, Design, Side};
use catapult_measures::Arm;
use catapult_measures::data::{Cell, Checkpoint};
use catapult_measures::metrics::{METRICS, is_of_analysis, is_over_levels};
use catapult_report::results::Endpoint;
use catapult_store::BadSetting;
use catapult_store::setting::{above_zero, some_once, written};
use std::collections::BTreeSet;

/// Prefix of the names of fixed players, which have no network. Strength is measured against them.
const FIXED_PLAYERS: &str = "alphabeta:";

impl StudyConfig {
    /// Returns the parts of the study that its judgements depend on. `registered` is the config
    /// before the first game. The reference opponents come from it.
    pub fn design(&self, registered: &StudyConfig) -> Design {
        let fixed = registered.strength.opponents.iter().filter(|name| name.starts_with(FIXED_PLAYERS));
        let player = |agent: &super::AgentConfig| Agent {
            name: agent.name.clone(),
            arms: agent.arms.clone(),
            seeds: agent.seeds.len(),
        };
        Design {
            control: Some(self.control),
            levels: self.games.simulations.clone(),
            early: self.games.early_simulations,
            agents: self.agents.iter().map(player).collect(),
            reference_opponents: fixed.cloned().collect(),
        }
    }

    /// Checks an endpoint. The error names the key, the value and the allowed values.
    pub(super) fn check_endpoint(&self, endpoint: &Endpoint) -> Result<(), BadSetting> {
        let named = std::iter::once(("arm", endpoint.arm));
        for (key, arm) in named.chain(endpoint.control.map(|control| ("control", control))) {
            if !self.arms.contains(&arm) {
                return Err(BadSetting::new(key, written(&arm), "must be one of arms"));
            }
        }
        match (endpoint.control, endpoint.against) {
            (Some(control), None) if control == endpoint.arm => {
                let allowed = "is the arm itself; must be another";
                return Err(BadSetting::new("control", written(&control), allowed));
            }
            (Some(_), None) => {}
            (None, Some(value)) if value.is_finite() => {}
            (None, Some(value)) => return Err(BadSetting::new("against", value, "must be a number")),
            (Some(_), Some(value)) => {
                return Err(BadSetting::new("against", value, "must be removed, because a control is set"));
            }
            (None, None) => {
                return Err(BadSetting::missing("control", "name an arm, or a number in `against`"));
            }
        }
        if !METRICS.iter().any(|metric| metric.id == endpoint.metric) {
            let known: Vec<&str> = METRICS.iter().map(|metric| metric.id).collect();
            let allowed = format!("must be one of {}", known.join(", "));
            return Err(BadSetting::new("metric", written(&endpoint.metric), allowed));
        }
        self.check_analysed(endpoint)?;
        above_zero("smallest_effect", endpoint.smallest_effect)?;
        if let Some(family) = endpoint.family.as_ref().filter(|name| name.trim().is_empty()) {
            let allowed = "must have a name; endpoints without a family leave the key out";
            return Err(BadSetting::new("family", written(family), allowed));
        }
        let design = self.design(self);
        self.check_agent(endpoint, &design)?;
        self.check_levels(endpoint, &design)
    }

    /// Rejects an endpoint whose metric comes from network analyses if one of its arms forbids a
    /// kind of move. Such arms have no analyses.
    fn check_analysed(&self, endpoint: &Endpoint) -> Result<(), BadSetting> {
        let mut arms = std::iter::once(endpoint.arm).chain(endpoint.control);
        match arms.find(|arm| arm.without.is_some()) {
            Some(arm) if is_of_analysis(&endpoint.metric) => {
                let allowed = format!("is not measured in `{arm}`; must be a metric of games or matches");
                Err(BadSetting::new("metric", written(&endpoint.metric), allowed))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the agent that the endpoint names plays all compared arms. An endpoint that names
    /// none needs no check, because every arm has an agent. For a metric of replayed games, the agent
    /// must also play the study's control, whose games they are.
    fn check_agent(&self, endpoint: &Endpoint, design: &Design) -> Result<(), BadSetting> {
        let Some(name) = &endpoint.agent else { return Ok(()) };
        check_agents("agent", std::slice::from_ref(name), &self.agents)?;
        let plays =
            |arm: &Arm| self.agents.iter().any(|agent| agent.name == *name && agent.arms.contains(arm));
        let mut arms = std::iter::once(endpoint.arm).chain(endpoint.control);
        if let Some(arm) = arms.find(|arm| !plays(arm)) {
            let allowed = format!("must play every compared arm; it does not play `{arm}`");
            return Err(BadSetting::new("agent", written(name), allowed));
        }
        if design.sides(endpoint).is_none() {
            let allowed = format!("must also play `{}`, because its games are replayed", self.control);
            return Err(BadSetting::new("agent", written(name), allowed));
        }
        Ok(())
    }

    /// Checks that the compared agents have games at the endpoint's levels.
    fn check_levels(&self, endpoint: &Endpoint, design: &Design) -> Result<(), BadSetting> {
        let (metric, levels) = (&endpoint.metric, &endpoint.levels);
        if !levels.is_empty() {
            some_once("levels", levels)?;
            if is_of_analysis(metric) {
                let allowed = format!("must be removed: {metric} is measured on networks, at one level");
                return Err(BadSetting::new("levels", format!("{levels:?}"), allowed));
            }
        }
        let Some((arm, control)) = design.sides(endpoint) else { return Ok(()) };
        // An endpoint may name deep levels. Its verdict then uses them.
        let cells: Vec<Cell> = self.played_cells().into_iter().map(|(cell, _)| cell).collect();
        let sides = std::iter::once(arm).chain(control);
        let sides: Vec<_> = sides.map(|side| (side, levels_of(&cells, side, Checkpoint::Last))).collect();
        if is_over_levels(metric) {
            return check_fitted(endpoint, &sides);
        }
        for ((arm, agent), played) in &sides {
            if let Some(level) = levels.iter().find(|level| !played.contains(level)) {
                let allowed = format!("is not played by {agent} in `{arm}`; must be among {played:?}");
                return Err(BadSetting::new("levels", level, allowed));
            }
        }
        Ok(())
    }
}

/// Checks an endpoint whose metric is fitted to all levels together. `sides` are the arm and its
/// control, each with the levels that it plays. Both must play the same levels.
fn check_fitted(endpoint: &Endpoint, sides: &[(Side, BTreeSet<u32>)]) -> Result<(), BadSetting> {
    let (metric, levels) = (&endpoint.metric, &endpoint.levels);
    if let [((arm, _), of_arm), ((control, _), of_control)] = sides
        && of_arm != of_control
    {
        let allowed = format!(
            "is fitted to all levels, which must be equal; `{arm}` plays {of_arm:?}, `{control}` plays {of_control:?}"
        );
        return Err(BadSetting::new("metric", written(metric), allowed));
    }
    let strongest: Vec<u32> = sides.iter().filter_map(|(_, played)| played.last().copied()).take(1).collect();
    if !levels.is_empty() && *levels != strongest {
        let allowed = format!("must be removed or {strongest:?}: {metric} is fitted to all levels");
        return Err(BadSetting::new("levels", format!("{levels:?}"), allowed));
    }
    Ok(())
}
