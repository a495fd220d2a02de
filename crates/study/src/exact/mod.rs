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
use catapult_endings::{Material, Metric, TableKey, Tables, parse_catapults};
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

/// Returns the key of an ending's tablebase in an arm. `None` if the arm has no such ending or
/// forbids a kind of move. The error is a message with the allowed names.
///
/// An ending is named as in a study's file and in the command `catapult endings`: `KRvK`, or with
/// catapults `KRvK attacker`.
pub(crate) fn table_key(ending: &str, arm: Arm) -> Result<Option<TableKey>, String> {
    let (material, catapults) = ending.split_once(' ').unwrap_or((ending, "none"));
    let material = material.parse::<Material>().map_err(|error| error.to_string())?;
    let catapults = parse_catapults(catapults).map_err(|error| error.to_string())?;
    // Tablebases assume that all moves are allowed.
    let rules = arm.without.is_none().then_some(arm.rules);
    Ok(rules.and_then(|rules| TableKey::of(rules, material, catapults).ok()))
}

/// Returns the names of a study's endings that an arm has, each with the key of its tablebase, in
/// the order of the file.
pub(crate) fn endings_of(config: &StudyConfig, arm: Arm) -> Vec<(String, TableKey)> {
    let names = config.endings.iter().flat_map(|endings| &endings.endings);
    // The config's check has read all names.
    names.filter_map(|name| Some((name.clone(), table_key(name, arm).ok()??))).collect()
}

/// A network's games of one ending: a unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EndingUnit {
    /// The network, its simulations per move and the arm.
    pub cell: Cell,
    /// Name of the ending from which the games start.
    pub ending: String,
    /// Key of the ending's tablebase.
    pub key: TableKey,
    /// Number of start positions.
    pub positions: u32,
}

impl EndingUnit {
    /// Returns one unit per network, arm and ending of the study, in the order of the file.
    pub(crate) fn all(config: &StudyConfig) -> Vec<EndingUnit> {
        let Some(endings) = &config.endings else { return Vec::new() };
        let mut units = Vec::new();
        for cell in config.last_cells(&endings.agents, &endings.arms, &[endings.simulations]) {
            units.extend(endings_of(config, cell.arm).into_iter().map(|(ending, key)| EndingUnit {
                cell: cell.clone(),
                ending,
                key,
                positions: endings.positions,
            }));
        }
        units
    }

    /// Returns the name of the unit's file without the extension.
    fn file_name(&self) -> String {
        format!("{}.{}", self.cell, self.ending.replace(' ', "-"))
    }

    /// Returns the hashes of the tablebases that the unit's games may probe.
    fn tables(&self, tables: &Tables) -> Result<Vec<String>, StudyError> {
        let keys = self.key.with_needs().into_iter();
        let keys = keys.flat_map(|key| Metric::ALL.map(|metric| (key, metric)));
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
        let starts = starts::draw::<P>(rules, unit.key, unit.positions as usize, cache_key.seed, tables)
            .map_err(|reason| failed(unit, reason))?;
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
            ending: unit.ending.clone(),
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
            ending: unit.ending.clone(),
            network: self.network(&unit.cell)?.hash.clone(),
            positions: unit.positions,
            // All arms with the same values of this ending get the same start positions. Networks of
            // other training seeds get others, so that the interval for other seeds also covers the
            // choice of positions.
            seed: Stream::Ending(&unit.ending).seed(self.config.seed.wrapping_add(own)),
            search_defaults: SEARCH_DEFAULTS,
            tables: unit.tables(self.tables_of(unit)?)?,
        })
    }
}

fn failed(unit: &EndingUnit, reason: impl std::fmt::Display) -> StudyError {
    StudyError::unit(unit.file_name(), reason)
}
