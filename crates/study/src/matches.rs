//! The matches of a study: how strong each network is in each arm, and whether the network trained across arms is as strong as
//! those trained on one.

use crate::StudyError;
use crate::config::{HALF, StudyConfig};
use crate::data::{Cell, Checkpoint, NetworkId};
use crate::kept;
use crate::plan::PLIES;
use crate::play::{IsFound, Stage};
use crate::progress::Work;
use crate::results::Strength;
use crate::units::seed_of;
use catapult_arena::{
    ANCHOR_VERSION, Anchor, MatchError, MatchResult, MatchSettings, PlayerSpec, contender, play_match,
};
use catapult_encoding::Encode;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_rules::{Variant, with_variant};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

/// Who a network plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// Itself at half its simulations.
    Half,
    /// Another network at the same simulations.
    Network(NetworkId),
    /// A player that needs no network.
    Player(PlayerSpec),
}

/// A match: a unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchUnit {
    /// The network whose wins are counted, its simulations and the arm.
    pub cell: Cell,
    /// The other player.
    pub opponent: Opponent,
    /// Games.
    pub games: u32,
}

/// What a match was played with; anything else gives another result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Terms {
    cell: Cell,
    opponent: String,
    networks: Vec<String>,
    games: u32,
    ply_cap: u32,
    seed: u64,
    anchor_version: u32,
    search_defaults: u32,
}

/// A match of the network trained across arms against one trained on one arm.
#[derive(Clone, PartialEq, Debug)]
pub struct EquivalenceMatch {
    /// The rules.
    pub arm: Variant,
    /// The network trained across arms.
    pub shared: NetworkId,
    /// The dedicated one.
    pub dedicated: NetworkId,
    /// Simulations a move of both.
    pub simulations: u32,
    /// The shared one against the dedicated one.
    pub result: MatchResult,
}

impl MatchUnit {
    /// The matches that tell strength, in the order of the cells.
    pub fn strength(config: &StudyConfig) -> Vec<MatchUnit> {
        let strength = &config.strength;
        let mut units = Vec::new();
        for cell in config.cells() {
            if strength.games > 0 && strength.simulations.contains(&cell.simulations) {
                for opponent in &strength.opponents {
                    // A single simulation has no half.
                    if opponent != HALF || cell.simulations > 1 {
                        let opponent = Opponent::named(opponent);
                        units.push(MatchUnit { cell: cell.clone(), opponent, games: strength.games });
                    }
                }
            }
            if strength.rung_games > 0
                && cell.checkpoint == Checkpoint::Last
                && cell.simulations == config.games.simulations[0]
            {
                units.extend(rungs(&cell, strength.rung_games));
            }
        }
        // A level's own match against its half may be a rung as well.
        let mut seen = std::collections::BTreeSet::new();
        units.retain(|unit| seen.insert(unit.name()));
        units
    }

    /// The matches of the network trained across arms.
    pub fn equivalence(config: &StudyConfig) -> Vec<MatchUnit> {
        let Some(equivalence) = &config.equivalence else { return Vec::new() };
        let (shared, others): (Vec<_>, Vec<_>) =
            config.agents.iter().partition(|agent| agent.name == equivalence.shared);
        let mut units = Vec::new();
        for shared in shared {
            for (&seed, &arm) in shared.seeds.iter().flat_map(|s| shared.arms.iter().map(move |a| (s, a))) {
                for other in others.iter().filter(|other| other.arms.contains(&arm)) {
                    for &dedicated in &other.seeds {
                        let network = NetworkId { agent: shared.name.clone(), seed };
                        let dedicated = NetworkId { agent: other.name.clone(), seed: dedicated };
                        units.push(MatchUnit {
                            cell: Cell {
                                arm,
                                network,
                                checkpoint: Checkpoint::Last,
                                simulations: equivalence.simulations,
                            },
                            opponent: Opponent::Network(dedicated),
                            games: equivalence.games,
                        });
                    }
                }
            }
        }
        units
    }

    /// Its name in files and messages.
    pub fn name(&self) -> String {
        format!("{}.{}", self.cell, self.opponent.name())
    }

    /// Evaluations that it takes, games being so long; players without a network take none.
    pub fn evaluations(&self, plies: f64) -> u64 {
        let simulations = f64::from(self.cell.simulations);
        let opponent = match self.opponent {
            Opponent::Half => simulations / 2.0,
            Opponent::Network(_) => simulations,
            Opponent::Player(_) => 0.0,
        };
        (f64::from(self.games) * plies * (simulations + opponent) / 2.0) as u64
    }

    /// The opponent if it thinks without a network, and the moves that it makes, games being so long.
    pub(crate) fn other_player(&self, plies: f64) -> Option<(&PlayerSpec, f64)> {
        match &self.opponent {
            Opponent::Half | Opponent::Network(_) | Opponent::Player(PlayerSpec::Random) => None,
            Opponent::Player(player) => Some((player, f64::from(self.games) * plies / 2.0)),
        }
    }
}

impl Opponent {
    /// The opponent of this name; the study's file has been checked, so that what is no player is `half`.
    fn named(name: &str) -> Opponent {
        name.parse().map_or(Opponent::Half, Opponent::Player)
    }

    fn name(&self) -> String {
        match self {
            Opponent::Half => HALF.into(),
            Opponent::Network(network) => network.to_string(),
            Opponent::Player(spec) => spec.to_string(),
        }
    }
}

/// The ladder from `random` up to a cell's level: one simulation against `random`, then doublings.
fn rungs(cell: &Cell, games: u32) -> Vec<MatchUnit> {
    let rung =
        |simulations, opponent| MatchUnit { cell: Cell { simulations, ..cell.clone() }, opponent, games };
    let mut units = Vec::new();
    let mut simulations = cell.simulations;
    while simulations > 1 {
        units.push(rung(simulations, Opponent::Half));
        simulations /= 2;
    }
    units.push(rung(1, Opponent::Player(PlayerSpec::Random)));
    units.reverse();
    units
}

impl Stage<'_> {
    /// Plays the matches that tell strength and have not been played, and gives all of them.
    ///
    /// # Errors
    /// [`StudyError::Stopped`] soon after a stop: finished matches stay.
    pub fn strengths(&self) -> Result<Vec<Strength>, StudyError> {
        let units = MatchUnit::strength(self.config);
        self.play_matches("strength matches", &units)?;
        let strength = |unit: &MatchUnit| {
            let Cell { arm, network, checkpoint, simulations } = unit.cell.clone();
            let (opponent, result) = (unit.opponent.name(), self.kept(unit)?);
            Ok(Strength { arm, network, checkpoint, simulations, opponent, result })
        };
        units.iter().map(strength).collect()
    }

    /// The same for the matches of the network trained across arms.
    ///
    /// # Errors
    /// As [`Stage::strengths`].
    pub fn equivalences(&self) -> Result<Vec<EquivalenceMatch>, StudyError> {
        let units = MatchUnit::equivalence(self.config);
        self.play_matches("equivalence matches", &units)?;
        let mut matches = Vec::new();
        for unit in &units {
            if let Opponent::Network(dedicated) = &unit.opponent {
                let Cell { arm, network, simulations, .. } = unit.cell.clone();
                let (dedicated, result) = (dedicated.clone(), self.kept(unit)?);
                matches.push(EquivalenceMatch { arm, shared: network, dedicated, simulations, result });
            }
        }
        Ok(matches)
    }

    fn play_matches(&self, name: &str, units: &[MatchUnit]) -> Result<(), StudyError> {
        if units.is_empty() {
            return Ok(());
        }
        self.work(
            name,
            units,
            |unit| unit.evaluations(PLIES),
            |unit, work| {
                let (path, terms) = (self.folder.game_match(&unit.name()), self.terms(unit)?);
                if kept::read::<_, MatchResult>(&path, &terms, self.progress).is_some() {
                    return Ok(IsFound::Yes);
                }
                let result =
                    with_variant!(unit.cell.arm, |P, rules| self.one_match::<P>(unit, &terms, rules, work))?;
                kept::write(&path, &terms, &result)?;
                Ok(IsFound::No)
            },
        )
    }

    fn one_match<P: Anchor + Encode>(
        &self,
        unit: &MatchUnit,
        terms: &Terms,
        rules: P::Rules,
        work: &Work,
    ) -> Result<MatchResult, StudyError> {
        let failed = |reason: String| StudyError::Match { name: unit.name(), reason };
        let network = |id: &NetworkId, simulations: u32| -> Result<PlayerSpec, StudyError> {
            let file = self.networks.file(id, unit.cell.checkpoint)?.path.clone();
            Ok(PlayerSpec::network(file, simulations))
        };
        let Cell { arm, network: id, simulations, .. } = &unit.cell;
        let opponent = match &unit.opponent {
            Opponent::Half => network(id, simulations / 2)?,
            Opponent::Network(other) => network(other, *simulations)?,
            Opponent::Player(spec) => spec.clone(),
        };
        let make = |spec: &PlayerSpec, name: String| {
            let contender = contender::<P>(spec, &self.config.machine.device);
            let mut contender = contender.map_err(|error| failed(error.to_string()))?;
            contender.name = name;
            Ok::<_, StudyError>(contender)
        };
        let player = make(&network(id, *simulations)?, format!("{id}:{simulations}"))?;
        let opponent = make(&opponent, unit.opponent.name())?;
        let Terms { games, ply_cap, seed, .. } = *terms;
        let settings = MatchSettings { games, seed, ply_cap, threads: 1, ..Default::default() };
        let counted = AtomicU32::new(0);
        let watch = |state: catapult_arena::Progress| {
            let before = counted.swap(state.games_done, Ordering::Relaxed);
            work.counters.games.fetch_add(u64::from(state.games_done - before), Ordering::Relaxed);
            if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match play_match(&arm.to_string(), rules, &player, &opponent, &settings, &watch) {
            Ok(played) => Ok(played.result),
            Err(MatchError::Stopped) => Err(StudyError::Stopped),
            Err(error) => Err(failed(error.to_string())),
        }
    }

    fn terms(&self, unit: &MatchUnit) -> Result<Terms, StudyError> {
        let checkpoint = unit.cell.checkpoint;
        let mut networks = vec![self.networks.file(&unit.cell.network, checkpoint)?.hash.clone()];
        if let Opponent::Network(other) = &unit.opponent {
            networks.push(self.networks.file(other, checkpoint)?.hash.clone());
        }
        Ok(Terms {
            cell: unit.cell.clone(),
            opponent: unit.opponent.name(),
            networks,
            games: unit.games,
            ply_cap: self.config.strength.ply_cap,
            seed: seed_of(self.config.seed, &format!("match {}", unit.name())),
            anchor_version: ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
        })
    }

    fn kept(&self, unit: &MatchUnit) -> Result<MatchResult, StudyError> {
        kept::read(&self.folder.game_match(&unit.name()), &self.terms(unit)?, self.progress)
            .ok_or_else(|| StudyError::Match { name: unit.name(), reason: "its file has gone".into() })
    }
}
