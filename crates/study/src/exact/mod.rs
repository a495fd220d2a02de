//! Play of networks in endings whose result is known from tablebases.
//!
//! Start positions are won for White, who has the only piece besides the kings. A network plays
//! White against itself and against the tablebase's best defence. The results measure the skill of
//! networks in chess and in Chess++ without a hand-written opponent.

mod playing;
pub(crate) mod starts;
#[cfg(test)]
mod tests;

use crate::StudyError;
use crate::config::StudyConfig;
use crate::units::{Cost, Stage, StageUnit};
use catapult_arena::{Anchor, MatchError, PlayerError, PlayerSpec, contender};
use catapult_encoding::Encode;
use catapult_endings::{Catapults, Material, Metric, TableKey, Tables, parse_catapults};
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_measures::Arm;
use catapult_measures::data::Cell;
use catapult_measures::games::StudiedGame;
use catapult_report::results::EndingGames;
use catapult_rules::with_variant;
use catapult_seeds::Stream;
use catapult_selfplay::Counters;
use catapult_training::TrainingError;
use playing::{Defence, play_out};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

/// Expected total number of plies of the two games that begin at one start position.
const PLIES: u64 = 80;

/// Parsed name of an ending in a study's file: `KRvK`, or with catapults `KRvK attacker`. The
/// command `catapult endings` uses the same names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EndingName {
    text: String,
    material: Material,
    catapults: Option<Catapults>,
}

impl EndingName {
    /// Parses the name of an ending. The error is a message with the allowed names.
    pub(crate) fn parse(text: &str) -> Result<EndingName, String> {
        let (material, catapults) = text.split_once(' ').unwrap_or((text, "none"));
        let material = material.parse::<Material>().map_err(|error| error.to_string())?;
        let catapults = parse_catapults(catapults).map_err(|error| error.to_string())?;
        Ok(EndingName { text: text.to_owned(), material, catapults })
    }

    /// Returns the key of the ending's tablebase in an arm. Returns `None` if the arm has no such
    /// ending or forbids a kind of move.
    pub(crate) fn key(&self, arm: Arm) -> Option<TableKey> {
        // Tablebases assume that all moves are allowed.
        let rules = arm.without.is_none().then_some(arm.rules)?;
        TableKey::of(rules, self.material, self.catapults).ok()
    }

    /// Returns the endings of a study that an arm has, in the order of the file.
    pub(crate) fn of_arm(config: &StudyConfig, arm: Arm) -> Vec<EndingName> {
        let names = config.endings.iter().flat_map(|endings| &endings.endings);
        // The config's check has parsed all names.
        let names = names.filter_map(|name| EndingName::parse(name).ok());
        names.filter(|name| name.key(arm).is_some()).collect()
    }
}

/// A network's games of one ending: a unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EndingUnit {
    /// The network, its simulations per move and the arm.
    pub cell: Cell,
    /// The ending from which the games start.
    pub ending: EndingName,
    /// Number of start positions.
    pub positions: u32,
}

impl EndingUnit {
    /// Returns one unit per network, arm and ending of the study, in the order of the file.
    pub(crate) fn all(config: &StudyConfig) -> Vec<EndingUnit> {
        let Some(endings) = &config.endings else { return Vec::new() };
        let mut units = Vec::new();
        for cell in config.last_cells(&endings.agents, &endings.arms, &[endings.simulations]) {
            units.extend(EndingName::of_arm(config, cell.arm).into_iter().map(|ending| EndingUnit {
                cell: cell.clone(),
                ending,
                positions: endings.positions,
            }));
        }
        units
    }

    /// Returns the name of the unit's file without the extension.
    fn file_name(&self) -> String {
        format!("{}.{}", self.cell, self.ending.text.replace(' ', "-"))
    }

    /// Returns the hashes of the tablebases that the unit's games may probe.
    fn tables(&self, tables: &Tables) -> Result<Vec<String>, StudyError> {
        let keys = self.ending.key(self.cell.arm).map_or_else(Vec::new, TableKey::with_needs);
        let keys = keys.into_iter().flat_map(|key| Metric::ALL.map(|metric| (key, metric)));
        let hashes = keys.map(|(key, metric)| tables.solved(key, metric).map(|solved| solved.hash));
        Ok(hashes.collect::<Result<_, _>>().map_err(TrainingError::Endings)?)
    }
}

/// Checks that the tablebases of a study's endings exist. A study calls this before it plays games
/// for hours.
///
/// # Errors
/// A tablebase is missing or damaged. The error names the first one.
pub(crate) fn check_tables(config: &StudyConfig, tables: &Tables) -> Result<(), StudyError> {
    EndingUnit::all(config).iter().try_for_each(|unit| unit.tables(tables).map(drop))
}

/// Cache key of a network's games of an ending: everything that these games depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CacheKey {
    cell: Cell,
    ending: String,
    network: String,
    positions: u32,
    seed: u64,
    search_defaults: u32,
    /// Hashes of the tablebases that the games may probe.
    tables: Vec<String>,
}

impl StageUnit for EndingUnit {
    fn name(&self) -> String {
        format!("endings/{}", self.file_name())
    }

    fn cost(&self, _plies: f64) -> Cost {
        Cost {
            agent: self.cell.network.agent.clone(),
            games: 2 * u64::from(self.positions),
            // In the game against the tablebase only White's half is evaluated.
            evaluations: u64::from(self.positions) * PLIES * u64::from(self.cell.simulations) * 3 / 4,
            moves: None,
        }
    }

    fn is_whole(&self, stage: &Stage<'_>) -> Result<bool, StudyError> {
        Ok(stage.ending_of(self)?.is_some())
    }

    fn build(&self, stage: &Stage<'_>, counters: &Counters) -> Result<(), StudyError> {
        let cache_key = stage.ending_key(self)?;
        let played = with_variant!(self.cell.arm.rules, |P, rules| {
            stage.one_ending::<P>(self, rules, &cache_key, counters)
        })?;
        stage.keep(&self.name(), &cache_key, played)
    }
}

impl Stage<'_> {
    /// Returns the stored games of every network, arm and ending of the study.
    ///
    /// # Errors
    /// A file is missing or cannot be read.
    pub(crate) fn endings(&self) -> Result<Vec<EndingGames>, StudyError> {
        let read =
            |unit: &EndingUnit| self.ending_of(unit)?.ok_or_else(|| StudyError::lost(unit.file_name()));
        EndingUnit::all(self.config).iter().map(read).collect()
    }

    fn ending_of(&self, unit: &EndingUnit) -> Result<Option<EndingGames>, StudyError> {
        self.kept(&unit.name(), &self.ending_key(unit)?)
    }

    fn tables_of(&self, unit: &EndingUnit) -> Result<&Tables, StudyError> {
        self.tables.as_ref().ok_or_else(|| failed(unit, "the study names no folder of tables"))
    }

    fn one_ending<P: StudiedGame + Anchor + Encode>(
        &self,
        unit: &EndingUnit,
        rules: P::Rules,
        cache_key: &CacheKey,
        counters: &Counters,
    ) -> Result<EndingGames, StudyError> {
        let tables = self.tables_of(unit)?;
        let failed = |reason: String| failed(unit, reason);
        let key = unit.ending.key(unit.cell.arm).ok_or_else(|| failed("there is no such ending".into()))?;
        let starts =
            starts::draw::<P>(rules, key, unit.positions as usize, cache_key.seed, tables).map_err(failed)?;
        let file = self.network(&unit.cell)?.to_load()?;
        let spec = PlayerSpec::network(file, unit.cell.simulations);
        let broken = |error: PlayerError| StudyError::Match {
            unit: unit.file_name(),
            error: Box::new(MatchError::Player { name: None, error }),
        };
        let contender = contender::<P>(&spec, unit.cell.arm.rules, self.config.machine.device.choose()?);
        let mut player = (contender.map_err(broken)?.make)().map_err(broken)?;
        let mut play = |defence| {
            let played = play_out(&starts, player.as_mut(), defence, tables, cache_key.seed, || {
                self.stop.load(Ordering::Relaxed)
            });
            let played = played.map_err(broken)?.ok_or(StudyError::Stopped)?;
            counters.games.fetch_add(played.len() as u64, Ordering::Relaxed);
            Ok::<_, StudyError>(played)
        };
        Ok(EndingGames {
            arm: unit.cell.arm,
            network: unit.cell.network.clone(),
            simulations: unit.cell.simulations,
            ending: unit.ending.text.clone(),
            // The gates of an exam use only the games against the best defence.
            itself: if self.config.probes.is_some() { Vec::new() } else { play(Defence::Itself)? },
            best: play(Defence::Best)?,
        })
    }

    fn ending_key(&self, unit: &EndingUnit) -> Result<CacheKey, StudyError> {
        // Far apart, so that a study with the next seed has other starts. The exam's network has
        // seed 1.
        let own = unit.cell.network.seed.wrapping_sub(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Ok(CacheKey {
            cell: unit.cell.clone(),
            ending: unit.ending.text.clone(),
            network: self.network(&unit.cell)?.hash.clone(),
            positions: unit.positions,
            // All arms with the same values of this ending get the same start positions. Networks of
            // other training seeds get others, so that the interval for other seeds also covers the
            // choice of positions.
            seed: Stream::Ending(&unit.ending.text).seed(self.config.seed.wrapping_add(own)),
            search_defaults: SEARCH_DEFAULTS,
            tables: unit.tables(self.tables_of(unit)?)?,
        })
    }
}

fn failed(unit: &EndingUnit, reason: impl std::fmt::Display) -> StudyError {
    StudyError::unit(unit.file_name(), reason)
}
