//! Optional parts of a study: deep levels, additional matches, matches between networks of one
//! agent, matches without a kind of move, and endings.

use super::checks::{LEVEL_GAMES, check_agents, check_arms, check_opponents, each, none};
use super::{AgentConfig, StudyConfig, number};
use crate::exact::table_key;
use crate::matches::has_kind;
use catapult_judge::Side;
use catapult_measures::Arm;
use catapult_measures::data::{Cell, Checkpoint, NetworkId};
use catapult_rules::ForbiddenKind;
use catapult_store::BadSetting;
use catapult_store::setting::{at_least, even_games, in_range, some_once, written};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Additional search levels, usually deeper ones, with their own number of self-play games. Every
/// metric of self-play games is measured at these levels, too. A verdict uses them only if its
/// endpoint names them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeepGames {
    /// Search levels, in simulations per move.
    pub simulations: Vec<u32>,
    /// Number of games per network, arm and level, at most 1,000,000.
    pub games: u64,
    /// The arms that play these games. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
    /// Names of the agents that play these games. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Additional strength matches, with their own search levels and number of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoreMatches {
    /// Opponents, as in `strength.opponents`.
    pub opponents: Vec<String>,
    /// Search levels of the networks, in simulations per move.
    pub simulations: Vec<u32>,
    /// Number of games per match: even, at least 2.
    pub games: u32,
    /// The arms in which these matches are played. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
    /// Names of the agents that play these matches. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Matches between networks of one agent, and of each network against itself. The openings of both
/// kinds of match are drawn in the same way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationConfig {
    /// Number of games per match: even, at least 2.
    pub games: u32,
    /// Search levels, in simulations per move. Both players search at the same level.
    pub simulations: Vec<u32>,
    /// Number of other networks that each network plays. These are the networks just before it in
    /// the agent's list of seeds. If `meets` is at least the number of seeds, every network plays
    /// every other network. Adding seeds at the end of the list does not change earlier matches.
    #[serde(default = "number::<2, _>")]
    pub meets: usize,
    /// The arms in which these matches are played. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
    /// Names of the agents that play these matches. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Matches of each network against itself, in which the opponent may not make moves of one kind,
/// such as teleports. The result is the worth of that kind of move in Elo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorthConfig {
    /// The kinds of moves whose worth is measured.
    pub kinds: Vec<ForbiddenKind>,
    /// Number of games per match: even, at least 2.
    pub games: u32,
    /// Search levels, in simulations per move. Both players search at the same level.
    pub simulations: Vec<u32>,
    /// The arms in which these matches are played. Empty means all arms that have such moves and
    /// that forbid no kind of move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
    /// Names of the agents that play these matches. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Games from positions that endgame tablebases show to be won for White. Each network plays them
/// against itself and against the best defence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndingsConfig {
    /// Folder of the tablebases that `catapult endings solve` writes, relative to the study's file.
    /// *Changeable*: results depend only on the contents of the tablebases.
    pub tables: PathBuf,
    /// Names of the endings, as in `catapult endings`: `KRvK`, or with catapults `KRvK attacker`.
    /// Each is played in the arms that have it.
    pub endings: Vec<String>,
    /// Number of start positions per ending.
    #[serde(default = "number::<400, _>")]
    pub positions: u32,
    /// Simulations per move of the networks.
    pub simulations: u32,
    /// The arms in which these games are played. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
    /// Names of the agents that play these games. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Returns the search levels of an agent's cells in an arm, in simulations per move.
pub(crate) fn levels_of(cells: &[Cell], (arm, agent): Side, checkpoint: Checkpoint) -> BTreeSet<u32> {
    let is_its =
        |cell: &&Cell| cell.arm == arm && cell.network.agent == agent && cell.checkpoint == checkpoint;
    cells.iter().filter(is_its).map(|cell| cell.simulations).collect()
}

impl StudyConfig {
    /// Returns every cell that has self-play games, with its number of games. The cells at the
    /// levels `games.simulations` come first, then the cells of `games.deep`, each in the order of
    /// the file.
    pub fn played_cells(&self) -> Vec<(Cell, u64)> {
        let mut cells: Vec<_> = self.cells().into_iter().map(|cell| (cell, self.games.per_level)).collect();
        for deep in &self.games.deep {
            let its = self.last_cells(&deep.agents, &deep.arms, &deep.simulations);
            cells.extend(its.into_iter().map(|cell| (cell, deep.games)));
        }
        cells.retain(|(_, games)| *games > 0);
        cells
    }

    /// Returns the deep levels in increasing order, in simulations per move.
    pub fn deep_levels(&self) -> Vec<u32> {
        let deep = self.games.deep.iter().flat_map(|deep| deep.simulations.iter().copied());
        deep.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the networks of all agents, each with its agent, in the order of the file.
    pub(crate) fn networks(&self) -> impl Iterator<Item = (&AgentConfig, NetworkId)> {
        self.agents.iter().flat_map(|agent| agent.seeds.iter().map(move |&seed| (agent, agent.network(seed))))
    }

    /// Returns the pairs of a network and an arm that it plays, in the order of the file. Only the
    /// given agents and arms are considered. An empty list means all.
    pub(crate) fn pairings(&self, agents: &[String], arms: &[Arm]) -> Vec<(NetworkId, Arm)> {
        let mut found = Vec::new();
        for (agent, network) in self.networks() {
            if agents.is_empty() || agents.contains(&agent.name) {
                let arms = agent.arms.iter().filter(|arm| arms.is_empty() || arms.contains(arm));
                found.extend(arms.map(|&arm| (network.clone(), arm)));
            }
        }
        found
    }

    /// Returns the cells of the last checkpoint with these agents, arms and levels. An empty list
    /// of agents or arms means all of them.
    pub(crate) fn last_cells(&self, agents: &[String], arms: &[Arm], levels: &[u32]) -> Vec<Cell> {
        let (mut cells, checkpoint) = (Vec::new(), Checkpoint::Last);
        for (network, arm) in self.pairings(agents, arms) {
            let cell = |&simulations| Cell { arm, network: network.clone(), checkpoint, simulations };
            cells.extend(levels.iter().map(cell));
        }
        cells
    }

    /// Checks the settings defined in this module. The error names the key.
    pub(super) fn check_contests(&self) -> Result<(), BadSetting> {
        let mut taken = BTreeSet::new();
        each("games.deep", &self.games.deep, |deep| self.check_deep(deep, &mut taken))?;
        each("strength.more", &self.strength.more, |more| self.check_more(more))?;
        each("population", &self.population, |population| self.check_population(population))?;
        each("worth", &self.worth, |worth| self.check_worth(worth))?;
        each("endings", &self.endings, |endings| self.check_endings(endings))
    }

    /// Checks one table of deep levels. `taken` contains the cells of the tables before it. The
    /// function adds the cells of this table.
    fn check_deep(&self, deep: &DeepGames, taken: &mut BTreeSet<Cell>) -> Result<(), BadSetting> {
        some_once("simulations", &deep.simulations)?;
        in_range("games", deep.games, LEVEL_GAMES)?;
        for &level in &deep.simulations {
            at_least("simulations", level, 1)?;
            if self.games.simulations.contains(&level) {
                let allowed = "is among games.simulations already; must be another level";
                return Err(BadSetting::new("simulations", level, allowed));
            }
        }
        self.check_chosen(&deep.agents, &deep.arms)?;
        let cells = self.last_cells(&deep.agents, &deep.arms, &deep.simulations);
        none(cells.into_iter().find(|cell| !taken.insert(cell.clone())), |cell| {
            let allowed = format!("occurs twice for {} in `{}`; must occur once", cell.network, cell.arm);
            BadSetting::new("simulations", cell.simulations, allowed)
        })
    }

    fn check_more(&self, more: &MoreMatches) -> Result<(), BadSetting> {
        some_once("opponents", &more.opponents)?;
        check_opponents(&more.opponents)?;
        matches(more.games)?;
        self.check_matched_levels(&more.simulations)?;
        self.check_chosen(&more.agents, &more.arms)
    }

    fn check_population(&self, population: &PopulationConfig) -> Result<(), BadSetting> {
        matches(population.games)?;
        self.check_matched_levels(&population.simulations)?;
        at_least("meets", population.meets, 1)?;
        self.check_chosen(&population.agents, &population.arms)
    }

    fn check_worth(&self, worth: &WorthConfig) -> Result<(), BadSetting> {
        some_once("kinds", &worth.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>())?;
        matches(worth.games)?;
        self.check_matched_levels(&worth.simulations)?;
        self.check_chosen(&worth.agents, &worth.arms)?;
        let lacks = |arm: &&Arm| !worth.kinds.iter().any(|kind| has_kind(**arm, *kind));
        let allowed = "has no moves of these kinds to lose; must be an arm that has";
        none(worth.arms.iter().find(lacks), |arm| BadSetting::new("arms", written(arm), allowed))
    }

    fn check_endings(&self, endings: &EndingsConfig) -> Result<(), BadSetting> {
        some_once("endings", &endings.endings)?;
        at_least("positions", endings.positions, 1)?;
        at_least("simulations", endings.simulations, 1)?;
        self.check_chosen(&endings.agents, &endings.arms)?;
        let pairings = self.pairings(&endings.agents, &endings.arms);
        for text in &endings.endings {
            let refused = |allowed: String| BadSetting::new("endings", written(text), allowed);
            let keys: Result<Vec<_>, _> = pairings.iter().map(|(_, arm)| table_key(text, *arm)).collect();
            if keys.map_err(refused)?.iter().all(Option::is_none) {
                return Err(refused("no arm has such an ending; must be one of an arm".into()));
            }
        }
        Ok(())
    }

    /// Checks that no level occurs twice and that the study plays games at every level.
    fn check_matched_levels(&self, levels: &[u32]) -> Result<(), BadSetting> {
        some_once("simulations", levels)?;
        let deep = self.deep_levels();
        let is_played = |level: &u32| self.games.simulations.contains(level) || deep.contains(level);
        let allowed = "must be among games.simulations or games.deep";
        none(levels.iter().find(|level| !is_played(level)), |level| {
            BadSetting::new("simulations", level, allowed)
        })
    }

    fn check_chosen(&self, agents: &[String], arms: &[Arm]) -> Result<(), BadSetting> {
        check_agents("agents", agents, &self.agents)?;
        check_arms(arms, &self.arms)?;
        if self.pairings(agents, arms).is_empty() {
            // `validate` has checked that an agent plays each arm.
            let allowed =
                format!("none of them plays any of arms = {}; must be agents that do", written(arms));
            return Err(BadSetting::new("agents", written(agents), allowed));
        }
        Ok(())
    }
}

/// Checks the number of games of a match: even and at least 2.
pub(super) fn matches(games: u32) -> Result<(), BadSetting> {
    at_least("games", games, 2)?;
    even_games("games", games)
}
