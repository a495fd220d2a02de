//! Lists of the matches that a study plays.

use super::{MatchUnit, Opponent};
use crate::config::StudyConfig;
use catapult_arena::PlayerSpec;
use catapult_measures::Arm;
use catapult_measures::data::{Cell, Checkpoint, NetworkId};
use catapult_measures::metrics::ladder_levels;
use catapult_rules::ForbiddenKind;
use std::collections::BTreeSet;

impl MatchUnit {
    /// Returns the matches that measure strength, without duplicates. The matches of each cell come
    /// first, in the order of the cells, then the matches of `strength.more`.
    pub(crate) fn strength(config: &StudyConfig) -> Vec<MatchUnit> {
        let strength = &config.strength;
        let mut units = Vec::new();
        for cell in config.cells() {
            if strength.games > 0 && strength.simulations.contains(&cell.simulations) {
                units.extend(against(&cell, &strength.opponents, strength.games));
            }
            if strength.rung_games > 0
                && cell.checkpoint == Checkpoint::Last
                && cell.simulations == config.games.simulations[0]
            {
                units.extend(rungs(&cell, strength.rung_games));
            }
        }
        for more in &strength.more {
            for cell in config.last_cells(&more.agents, &more.arms, &more.simulations) {
                units.extend(against(&cell, &more.opponents, more.games));
            }
        }
        // A requested match against `half` may also be part of the ladder.
        let mut seen = BTreeSet::new();
        units.retain(|unit| seen.insert(unit.file_name()));
        units
    }

    /// Returns the matches of an ablation's arms, except the control, against the control of the
    /// same seed.
    pub(crate) fn control(config: &StudyConfig) -> Vec<MatchUnit> {
        let Some(plan) = &config.ablation else { return Vec::new() };
        let others = config.cells().into_iter().filter(|cell| cell.network.agent != plan.control);
        let unit = |cell: Cell| MatchUnit {
            opponent: Opponent::Network(NetworkId { agent: plan.control.clone(), ..cell.network.clone() }),
            cell,
            games: plan.matches.games,
        };
        others.map(unit).collect()
    }

    /// Returns the matches of networks against themselves in which the opponent may not make a kind
    /// of move. Only arms that have this kind of move have such matches.
    pub(crate) fn worth(config: &StudyConfig) -> Vec<MatchUnit> {
        let Some(worth) = &config.worth else { return Vec::new() };
        let mut units = Vec::new();
        for cell in config.last_cells(&worth.agents, &worth.arms, &worth.simulations) {
            for &kind in worth.kinds.iter().filter(|kind| has_kind(cell.arm, **kind)) {
                let (cell, opponent) = (cell.clone(), Opponent::Without(kind));
                units.push(MatchUnit { cell, opponent, games: worth.games });
            }
        }
        units
    }

    /// Returns the matches between networks of one agent. Each network first plays itself, then the
    /// networks just before it in the agent's list of seeds. An agent with one network has no
    /// matches.
    pub(crate) fn population(config: &StudyConfig) -> Vec<MatchUnit> {
        let Some(population) = &config.population else { return Vec::new() };
        let mut units = Vec::new();
        for cell in config.last_cells(&population.agents, &population.arms, &population.simulations) {
            let agent = config.agents.iter().find(|agent| agent.name == cell.network.agent);
            let seeds = agent.map_or(&[][..], |agent| &agent.seeds);
            let place = seeds.iter().position(|seed| *seed == cell.network.seed).unwrap_or_default();
            if seeds.len() < 2 {
                continue;
            }
            let nearest = seeds[..place].iter().rev().take(population.meets);
            for &seed in std::iter::once(&cell.network.seed).chain(nearest) {
                let opponent = NetworkId { agent: cell.network.agent.clone(), seed };
                let (cell, opponent) = (cell.clone(), Opponent::Network(opponent));
                units.push(MatchUnit { cell, opponent, games: population.games });
            }
        }
        units
    }
}

/// Returns true if the rules of `arm` have this kind of move, so that a player can go without it.
/// Returns false if `arm` already forbids a kind of move.
pub(crate) fn has_kind(arm: Arm, kind: ForbiddenKind) -> bool {
    arm.without.is_none() && arm.rules.has_kind(kind)
}

/// Returns the matches of a cell's network against the opponents with these names. `half` is left
/// out at one simulation, which cannot be halved.
fn against(cell: &Cell, opponents: &[String], games: u32) -> Vec<MatchUnit> {
    // The config's check has read all names.
    let opponents = opponents.iter().filter_map(|name| Opponent::parse(name).ok());
    let opponents = opponents.filter(|opponent| *opponent != Opponent::Half || cell.simulations > 1);
    opponents.map(|opponent| MatchUnit { cell: cell.clone(), opponent, games }).collect()
}

/// Returns the matches of the skill ladder from `random` up to a cell's level. In the first match,
/// the network plays `random` with one simulation per move. In each further match, it plays itself
/// at half the simulations.
fn rungs(cell: &Cell, games: u32) -> Vec<MatchUnit> {
    let rung = |simulations| {
        let random = Opponent::Player(PlayerSpec::Random);
        let opponent = if simulations == 1 { random } else { Opponent::Half };
        MatchUnit { cell: Cell { simulations, ..cell.clone() }, opponent, games }
    };
    ladder_levels(cell.simulations).into_iter().map(rung).collect()
}
