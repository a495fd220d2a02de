//! What an endpoint may be.

use super::StudyConfig;
use super::checks::once;
use crate::data::{Cell, Checkpoint};
use crate::judge::Design;
use crate::metrics::{METRICS, is_of_analysis};
use crate::results::{Endpoint, MetricInfo};
use std::collections::BTreeSet;

impl StudyConfig {
    /// Checks an endpoint; the error names the key, what was found and what is allowed.
    pub(super) fn check_endpoint(&self, endpoint: &Endpoint) -> Result<(), String> {
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
        let unit = metric("metric", &endpoint.metric)?.unit;
        if let Some(minus) = &endpoint.minus {
            let subtracted = metric("minus", minus)?;
            if *minus == endpoint.metric {
                return Err(format!("minus = \"{minus}\": is the metric itself"));
            }
            if subtracted.unit != unit {
                return Err(format!(
                    "minus = \"{minus}\": is measured in {:?}, and {} in {unit:?}; they must be alike",
                    subtracted.unit, endpoint.metric
                ));
            }
        }
        if !(endpoint.smallest_effect > 0.0 && endpoint.smallest_effect.is_finite()) {
            return Err(format!("smallest_effect = {}: must be above 0", endpoint.smallest_effect));
        }
        if endpoint.family.as_ref().is_some_and(|name| name.trim().is_empty()) {
            return Err(
                "family = \"\": must have a name; endpoints without a family leave the key out".into()
            );
        }
        let design = Design::of(self, self);
        if endpoint.main_effect {
            let pairs = design.pairs(endpoint).len();
            if endpoint.control.is_none() || pairs < 2 {
                return Err(format!(
                    "main_effect = true: {pairs} pairs of arms differ as `{}` and its control do; at least two pairs of arms \
                     that differ in the same proposals are needed",
                    endpoint.arm
                ));
            }
        }
        self.check_agent(endpoint, &design)?;
        self.check_levels(endpoint, &design)
    }

    /// The agent plays every arm that is compared.
    fn check_agent(&self, endpoint: &Endpoint, design: &Design) -> Result<(), String> {
        if let Some(name) = &endpoint.agent {
            let Some(agent) = self.agents.iter().find(|agent| agent.name == *name) else {
                let known: Vec<&str> = self.agents.iter().map(|agent| agent.name.as_str()).collect();
                return Err(format!("agent = \"{name}\": must be one of {}", known.join(", ")));
            };
            let pairs = design.pairs(endpoint);
            let mut arms = pairs.iter().flat_map(|(arm, control)| std::iter::once(*arm).chain(*control));
            if let Some(arm) = arms.find(|arm| !agent.arms.contains(arm)) {
                return Err(format!(
                    "agent = \"{name}\": does not play `{arm}`; it must play every arm that is compared"
                ));
            }
        }
        match design.agents(endpoint) {
            Some(_) => Ok(()),
            None => Err("main_effect = true: no agent plays all arms that are compared".into()),
        }
    }

    /// The levels are played by whoever is compared.
    fn check_levels(&self, endpoint: &Endpoint, design: &Design) -> Result<(), String> {
        if endpoint.levels.is_empty() {
            return Ok(());
        }
        once("levels", &endpoint.levels)?;
        let metrics = std::iter::once(&endpoint.metric).chain(&endpoint.minus);
        if let Some(metric) = metrics.into_iter().find(|metric| is_of_analysis(metric)) {
            return Err(format!(
                "levels = {:?}: {metric} is asked of networks beside their games, at one level; leave them out",
                endpoint.levels
            ));
        }
        let Some((arm_agent, control_agent)) = design.agents(endpoint) else { return Ok(()) };
        // Deep levels may be named: then the verdict rests on them.
        let cells: Vec<Cell> = self.played_cells().into_iter().map(|(cell, _)| cell).collect();
        for (arm, control) in design.pairs(endpoint) {
            for (arm, agent) in std::iter::once((arm, arm_agent)).chain(control.zip(control_agent)) {
                let its = cells.iter().filter(|cell| {
                    cell.arm == arm && cell.network.agent == agent && cell.checkpoint == Checkpoint::Last
                });
                let played: BTreeSet<u32> = its.map(|cell| cell.simulations).collect();
                if let Some(level) = endpoint.levels.iter().find(|level| !played.contains(level)) {
                    return Err(format!(
                        "levels: {level} is not played by {agent} in `{arm}`; must be among {played:?}"
                    ));
                }
            }
        }
        Ok(())
    }
}

fn metric(key: &str, id: &str) -> Result<&'static MetricInfo, String> {
    METRICS.iter().find(|metric| metric.id == id).ok_or_else(|| {
        let known: Vec<&str> = METRICS.iter().map(|metric| metric.id).collect();
        format!("{key} = \"{id}\": must be one of {}", known.join(", "))
    })
}
