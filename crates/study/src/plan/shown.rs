//! Display of a plan as a table.

use super::{Plan, PlanLine};
use catapult_report::results::{Endpoint, GateKind, Place};
use catapult_report::words::gate_name;
use std::fmt;

/// Formats a rate with one decimal below 10, without decimals up to 1000, then in thousands.
fn short(pace: f64) -> String {
    match pace {
        pace if pace >= 1000.0 => format!("{:.1} k", pace / 1000.0),
        pace if pace >= 10.0 => format!("{pace:.0}"),
        pace => format!("{pace:.1}"),
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<28}{:>8}{:>8}{:>10}{:>16}{:>9}",
            "", "units", "done", "games", "evaluations", "hours"
        )?;
        let mut total = PlanLine { what: "left in all".into(), ..Default::default() };
        for line in &self.lines {
            line.fmt(f)?;
            total.add(line.units, line.games, line.evaluations, line.hours);
        }
        total.fmt(f)?;
        let source =
            if self.plies_known { "as played so far" } else { "assumed; no game has been played yet" };
        writeln!(
            f,
            "games, evaluations and hours are for the remaining work, at {:.0} plies per game ({source})",
            self.plies
        )?;
        let agents = self.throughput.agents.iter().map(|(agent, pace)| format!("{agent} {}", short(*pace)));
        write!(f, "evaluations per second, measured now: {}", agents.collect::<Vec<_>>().join(", "))?;
        if !self.throughput.players.is_empty() {
            let players = self.throughput.players.iter();
            let players = players.map(|(player, arm, pace)| format!("{player} {} in {arm}", short(*pace)));
            write!(f, "\nmoves per second, measured now: {}", players.collect::<Vec<_>>().join(", "))?;
        }
        for (agent, [networks, needed]) in &self.few {
            write!(f, "\nwarning: verdicts need {needed} networks per agent; `{agent}` has {networks}")?;
        }
        for (endpoint, gates) in &self.open {
            let is_early = |gate: &&GateKind| matches!(gate, GateKind::Sign { at: Place::Early });
            let (early, others): (Vec<_>, Vec<_>) = gates.iter().partition(is_early);
            let mut lacking: Vec<String> = early.iter().map(|_| "no early checkpoint".to_owned()).collect();
            if !others.is_empty() {
                let names: Vec<String> = others.into_iter().map(gate_name).collect();
                lacking.push(format!("no games for {}", names.join(", ")));
            }
            let (Endpoint { claim, arm, .. }, lacking) = (endpoint, lacking.join("; "));
            write!(f, "\nwarning: no effect can be established for \"{claim}\" in {arm}: {lacking}")?;
        }
        Ok(())
    }
}

impl fmt::Display for PlanLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlanLine { what, units: [units, done], games, evaluations, hours } = self;
        writeln!(f, "{what:<28}{units:>8}{done:>8}{games:>10}{evaluations:>16}{hours:>9.2}")
    }
}
