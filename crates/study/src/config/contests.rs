//! What a study may play beyond its levels: deeper games, more matches, networks of one agent against each other, and each against
//! itself without a kind of move.

use super::checks::{check_opponents, even, least, once};
use super::{GamesConfig, StudyConfig};
use crate::data::{Cell, Checkpoint, NetworkId};
use crate::exact::EndingName;
use crate::matches::has_kind;
use catapult_arena::ForbiddenKind;
use catapult_rules::Variant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Levels with games of their own number: deeper ones on fewer games. They carry every measure, but no verdict unless an
/// endpoint names them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeepGames {
    /// The levels: simulations a move.
    pub simulations: Vec<u32>,
    /// Games a network, arm and level.
    pub games: u64,
    /// The arms; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Variant>,
    /// The agents; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Matches that tell strength, at levels and of a number of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoreMatches {
    /// Whom the networks play, as in `strength.opponents`.
    pub opponents: Vec<String>,
    /// The networks' levels.
    pub simulations: Vec<u32>,
    /// Games a match.
    pub games: u32,
    /// The arms; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Variant>,
    /// The agents; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Networks of one agent against each other, and each against itself, from the same kind of openings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationConfig {
    /// Games a match.
    pub games: u32,
    /// Levels of both players.
    pub simulations: Vec<u32>,
    /// Each network meets so many of those that stand before it in its agent's seeds: as many as there are seeds make a round
    /// robin. So more seeds leave the matches of those before as they are.
    #[serde(default = "meets")]
    pub meets: usize,
    /// The arms; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Variant>,
    /// The agents; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Each network against itself when the second player may not make a kind of move: what having it is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorthConfig {
    /// The kinds of moves.
    pub kinds: Vec<ForbiddenKind>,
    /// Games a match.
    pub games: u32,
    /// Levels of both players.
    pub simulations: Vec<u32>,
    /// The arms; empty is all that have such moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Variant>,
    /// The agents; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

/// Endings whose truth is known from tables: played from positions that are won for White, by each network against itself and
/// against the table's best defence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndingsConfig {
    /// The folder of the tables, which `catapult endings solve` makes; a path relative to the study's file. *Changeable*: what
    /// counts is what the tables say.
    pub tables: PathBuf,
    /// The endings, `KRvK`, or with catapults as `catapult endings` has them `KRvK attacker`; each is played in the arms that have it.
    pub endings: Vec<String>,
    /// Start positions an ending.
    #[serde(default = "positions")]
    pub positions: u32,
    /// Simulations a move.
    pub simulations: u32,
    /// The arms; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Variant>,
    /// The agents; empty is all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
}

fn positions() -> u32 {
    400
}

fn meets() -> usize {
    2
}

impl StudyConfig {
    /// Every cell whose games are played and how many, in the order of the file: the study's levels, then the deep ones.
    pub fn played_cells(&self) -> Vec<(Cell, u64)> {
        let mut cells: Vec<_> = self.cells().into_iter().map(|cell| (cell, self.games.per_level)).collect();
        for deep in &self.games.deep {
            for (network, arm) in self.pairings(&deep.agents, &deep.arms) {
                cells.extend(deep.simulations.iter().map(|&simulations| {
                    let network = network.clone();
                    (Cell { arm, network, checkpoint: Checkpoint::Last, simulations }, deep.games)
                }));
            }
        }
        cells
    }

    /// The levels that are none of the study's own, rising.
    pub fn deep_levels(&self) -> Vec<u32> {
        let deep = self.games.deep.iter().flat_map(|deep| deep.simulations.iter().copied());
        deep.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The networks and the arms that they play, in the order of the file, of these agents and arms; empty is all.
    pub(crate) fn pairings(&self, agents: &[String], arms: &[Variant]) -> Vec<(NetworkId, Variant)> {
        let mut found = Vec::new();
        for agent in self.agents.iter().filter(|agent| agents.is_empty() || agents.contains(&agent.name)) {
            for &seed in &agent.seeds {
                let arms = agent.arms.iter().filter(|arm| arms.is_empty() || arms.contains(arm));
                found.extend(arms.map(|&arm| (NetworkId { agent: agent.name.clone(), seed }, arm)));
            }
        }
        found
    }

    /// Checks what stands in this module; the error names the key.
    pub(super) fn check_contests(&self) -> Result<(), String> {
        let mut taken: BTreeSet<Cell> = BTreeSet::new();
        for deep in &self.games.deep {
            let refused = |e: String| format!("games.deep.{e}");
            deep.check(&self.games).map_err(refused)?;
            self.check_chosen(&deep.agents, &deep.arms).map_err(refused)?;
            for (network, arm) in self.pairings(&deep.agents, &deep.arms) {
                for &simulations in &deep.simulations {
                    let cell =
                        Cell { arm, network: network.clone(), checkpoint: Checkpoint::Last, simulations };
                    if !taken.insert(cell) {
                        return Err(refused(format!(
                            "simulations: {simulations} stands twice for {network} in `{arm}`"
                        )));
                    }
                }
            }
        }
        for more in &self.strength.more {
            let refused = |e: String| format!("strength.more.{e}");
            once("opponents", &more.opponents).map_err(refused)?;
            check_opponents(&more.opponents).map_err(refused)?;
            matches(more.games).map_err(refused)?;
            self.check_matched_levels(&more.simulations).map_err(refused)?;
            self.check_chosen(&more.agents, &more.arms).map_err(refused)?;
        }
        if let Some(population) = &self.population {
            let refused = |e: String| format!("population.{e}");
            matches(population.games).map_err(refused)?;
            self.check_matched_levels(&population.simulations).map_err(refused)?;
            least("meets", population.meets as u64, 1).map_err(refused)?;
            self.check_chosen(&population.agents, &population.arms).map_err(refused)?;
        }
        if let Some(worth) = &self.worth {
            let refused = |e: String| format!("worth.{e}");
            once("kinds", &worth.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>())
                .map_err(refused)?;
            matches(worth.games).map_err(refused)?;
            self.check_matched_levels(&worth.simulations).map_err(refused)?;
            self.check_chosen(&worth.agents, &worth.arms).map_err(refused)?;
            let lacks = |arm: &&Variant| !worth.kinds.iter().any(|kind| has_kind(**arm, *kind));
            if let Some(arm) = worth.arms.iter().find(lacks) {
                return Err(refused(format!("arms: `{arm}` has no moves of these kinds")));
            }
        }
        if let Some(endings) = &self.endings {
            self.check_endings(endings).map_err(|e| format!("endings.{e}"))?;
        }
        Ok(())
    }

    fn check_endings(&self, endings: &EndingsConfig) -> Result<(), String> {
        once("endings", &endings.endings)?;
        least("positions", endings.positions.into(), 1)?;
        least("simulations", endings.simulations.into(), 1)?;
        self.check_chosen(&endings.agents, &endings.arms)?;
        let pairings = self.pairings(&endings.agents, &endings.arms);
        for text in &endings.endings {
            let name = EndingName::parse(text).map_err(|e| format!("endings: \"{text}\": {e}"))?;
            if !pairings.iter().any(|(_, arm)| name.key(*arm).is_some()) {
                return Err(format!("endings: \"{text}\": no arm has such an ending"));
            }
        }
        Ok(())
    }

    /// Whether these are levels of games.
    fn check_matched_levels(&self, levels: &[u32]) -> Result<(), String> {
        once("simulations", levels)?;
        let deep = self.deep_levels();
        match levels.iter().find(|level| !self.games.simulations.contains(level) && !deep.contains(level)) {
            Some(level) => Err(format!("simulations: {level} is not among games.simulations or games.deep")),
            None => Ok(()),
        }
    }

    fn check_chosen(&self, agents: &[String], arms: &[Variant]) -> Result<(), String> {
        if let Some(agent) = agents.iter().find(|name| self.agents.iter().all(|agent| agent.name != **name)) {
            return Err(format!("agents: there is no agent `{agent}`"));
        }
        if let Some(arm) = arms.iter().find(|arm| !self.arms.contains(arm)) {
            return Err(format!("arms: `{arm}` is not among the study's arms"));
        }
        if self.pairings(agents, arms).is_empty() {
            return Err("agents, arms: none of these agents plays any of these arms".into());
        }
        Ok(())
    }
}

impl DeepGames {
    fn check(&self, games: &GamesConfig) -> Result<(), String> {
        once("simulations", &self.simulations)?;
        least("games", self.games, 1)?;
        match self.simulations.iter().find(|&&level| level == 0 || games.simulations.contains(&level)) {
            Some(0) => Err("simulations = 0: must be at least 1".into()),
            Some(level) => Err(format!("simulations: {level} is among games.simulations already")),
            None => Ok(()),
        }
    }
}

/// Games of a match that is asked for: half of them with each colour.
fn matches(games: u32) -> Result<(), String> {
    least("games", games.into(), 2)?;
    even("games", games)
}
