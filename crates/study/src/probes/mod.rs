//! Probes of an exam: measurements of a network in addition to the games and matches of its study.
//!
//! A probe is a unit of work like a match. Its result is a list of [`Facts`].

mod clock;
mod hung;
mod mates;
mod tactics;

use crate::StudyError;
use crate::config::{ProbesConfig, StudyConfig};
use crate::exact::endings_of;
use crate::units::{Cost, PLIES, Stage, StageUnit};
use catapult_arena::{ANCHOR_VERSION, Anchor, PlayerError, PlayerSpec, Turn, contender};
use catapult_encoding::Encode;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_measures::data::{Cell, Checkpoint};
use catapult_measures::games::StudiedGame;
use catapult_records::{GameRecord, verify_game};
use catapult_rules::{Chess, Color, Game, Move, Outcome, PieceKind, Standard, Variant, with_variant};
use catapult_seeds::Stream;
use catapult_selfplay::Counters;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

pub(crate) use tactics::read_suite;

/// Result of a probe: a list of observations, each a pair of numbers. [`Probe`] defines the meaning
/// of the two numbers.
pub(crate) type Facts = Vec<[f64; 2]>;

/// Assumed cost of a search of depth 2, or of the test of a position for mates, in evaluations.
/// Only plans use it.
const EVALUATIONS_PER_PLY: u64 = 20;

/// Maximum number of positions that are searched at once.
const AT_ONCE: usize = 64;

catapult_rules::named! {
    /// A kind of measurement of a network in an exam.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Probe {
        /// One observation per position. The first number is its value (win minus loss) at
        /// half-move clock 10, at which it is won. The second is its value at a later clock, at
        /// which it is drawn.
        Clock = "clock",
        /// One observation per game. The first number is 1 for a fifty-move draw with a rook or
        /// queen against a bare king, else 0. The second is always 1.
        RookDraws = "rook-draws",
        /// One observation per game: the number of moves that hang a piece, and the number of
        /// plies.
        Hung = "hung",
        /// One observation per position with a forced mate: the number of moves to mate, and 1 if
        /// the network's move keeps that mate, else 0.
        Mates = "mates",
        /// One observation per position of the suite and search level. The first number is the
        /// simulations per move. The second is 1 if the network's move is one of the best moves,
        /// else 0.
        Tactics = "tactics",
    }
}

/// A probe of a network in one arm: a unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProbeUnit {
    pub probe: Probe,
    /// The network and arm. For a probe that examines games, also the games that it examines.
    pub cell: Cell,
}

/// Cache key of a probe: everything that its result depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CacheKey {
    probe: Probe,
    cell: Cell,
    network: String,
    simulations: u32,
    /// Maximum number of games, then number of positions, that the probe may use.
    sizes: [usize; 2],
    sampled_plies: u32,
    seed: u64,
    anchor_version: u32,
    search_defaults: u32,
    /// BLAKE3 hash (hex) of the tactical test suite. `None` for probes that do not use it.
    suite: Option<String>,
}

impl ProbeUnit {
    /// Returns all probes of an exam. Other studies have none.
    pub(crate) fn all(config: &StudyConfig) -> Vec<ProbeUnit> {
        let Some(probes) = &config.probes else { return Vec::new() };
        let mut units = Vec::new();
        for (network, arm) in config.pairings(&[], &[]) {
            let rules = arm.rules;
            let simulations =
                if arm == config.arms[0] { probes.size.gates.0 } else { config.games.simulations[0] };
            let mut add = |probe| {
                let cell = Cell { arm, network: network.clone(), checkpoint: Checkpoint::Last, simulations };
                units.push(ProbeUnit { probe, cell });
            };
            if !endings_of(config, arm).is_empty() {
                add(Probe::Clock);
            }
            if rules == Variant::Chess {
                add(Probe::RookDraws);
            }
            // A turn of several decisions has no single move that hangs a piece or mates.
            if rules != Variant::Maxim {
                add(Probe::Hung);
                add(Probe::Mates);
            }
            if matches!(rules, Variant::ChessPp(_)) && probes.suite.is_some() {
                add(Probe::Tactics);
            }
        }
        units
    }

    fn file_name(&self) -> String {
        format!("{}.{}", self.cell, self.probe)
    }
}

impl StageUnit for ProbeUnit {
    fn name(&self) -> String {
        format!("probes/{}", self.file_name())
    }

    fn cost(&self, _plies: f64) -> Cost {
        let evaluations = match self.probe {
            Probe::Hung => 100 * PLIES as u64 * EVALUATIONS_PER_PLY,
            Probe::Mates => 2 * 100 * PLIES as u64 * EVALUATIONS_PER_PLY,
            Probe::Tactics => 100_000,
            Probe::Clock | Probe::RookDraws => 1000,
        };
        Cost { agent: self.cell.network.agent.clone(), games: 0, evaluations, moves: None }
    }

    fn is_whole(&self, stage: &Stage<'_>) -> Result<bool, StudyError> {
        Ok(stage.probe_of(self)?.is_some())
    }

    fn build(&self, stage: &Stage<'_>, _: &Counters) -> Result<(), StudyError> {
        let cache_key = stage.probe_key(self)?;
        let facts =
            with_variant!(self.cell.arm.rules, |P, rules| stage.ask_probe::<P>(self, rules, &cache_key))?;
        stage.keep(&self.name(), &cache_key, facts)
    }
}

impl Stage<'_> {
    /// Returns the stored results of all probes. Fails if a result is missing.
    pub(crate) fn probes(&self) -> Result<Vec<(ProbeUnit, Facts)>, StudyError> {
        let read = |unit: ProbeUnit| {
            let facts = self.probe_of(&unit)?.ok_or_else(|| StudyError::lost(unit.name()))?;
            Ok((unit, facts))
        };
        ProbeUnit::all(self.config).into_iter().map(read).collect()
    }

    fn probe_of(&self, unit: &ProbeUnit) -> Result<Option<Facts>, StudyError> {
        self.kept(&unit.name(), &self.probe_key(unit)?)
    }

    fn probes_config(&self, unit: &ProbeUnit) -> Result<&ProbesConfig, StudyError> {
        self.config.probes.as_ref().ok_or_else(|| failed(unit, "the study is not an exam"))
    }

    fn probe_key(&self, unit: &ProbeUnit) -> Result<CacheKey, StudyError> {
        let probes = self.probes_config(unit)?;
        let suite = probes.suite.as_ref().filter(|_| unit.probe == Probe::Tactics);
        Ok(CacheKey {
            probe: unit.probe,
            cell: unit.cell.clone(),
            network: self.network(&unit.cell)?.hash.clone(),
            simulations: probes.size.simulations,
            sizes: [probes.size.probed, probes.size.positions as usize],
            sampled_plies: self.config.games.sampled_plies_of(unit.cell.arm.rules),
            seed: Stream::Analysis(&unit.file_name()).seed(self.config.seed),
            anchor_version: ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
            suite: suite.map(|text| catapult_network::hash(text.as_bytes())),
        })
    }

    fn ask_probe<P: StudiedGame + Anchor + Encode>(
        &self,
        unit: &ProbeUnit,
        rules: P::Rules,
        cache_key: &CacheKey,
    ) -> Result<Facts, StudyError> {
        let ProbesConfig { size, suite } = self.probes_config(unit)?;
        let failed = |reason: String| failed(unit, reason);
        let arm = unit.cell.arm;
        let network = self.network(&unit.cell)?;
        let device = self.config.machine.device.choose()?;
        // Each position starts a game of its own, so there are no earlier positions to repeat.
        let choose = |simulations: u32, positions: Vec<Game<P>>| -> Result<Vec<Move>, StudyError> {
            let turn =
                |(i, game)| Turn::new(game, Stream::EndingTurn { game: i, ply: 0 }.seed(cache_key.seed));
            let turns: Vec<Turn<'_, P>> = positions.iter().enumerate().map(turn).collect();
            let spec = PlayerSpec::network(network.to_load()?, simulations);
            let chosen = || -> Result<Vec<Vec<Move>>, PlayerError> {
                let mut player = (contender::<P>(&spec, arm.rules, device)?.make)()?;
                turns.chunks(AT_ONCE).map(|turns| player.choose(turns)).collect()
            };
            Ok(chosen().map_err(|error| failed(error.to_string()))?.concat())
        };
        let stopped = || match self.stop.load(Ordering::Relaxed) {
            true => Err(StudyError::Stopped),
            false => Ok(()),
        };
        let games = || -> Result<Vec<Game<P>>, StudyError> {
            let records = self.cell_games(&unit.cell)?;
            let replay = |record: &GameRecord| {
                verify_game::<P>(record, rules).map_err(|error| failed(error.to_string()))
            };
            records.iter().take(size.probed).map(replay).collect()
        };
        match unit.probe {
            Probe::Clock => {
                let tables = self.tables.as_ref().ok_or_else(|| failed("there are no tables".into()))?;
                let keys: Vec<_> = endings_of(self.config, arm).into_iter().map(|(_, key)| key).collect();
                let (number, seed) = (size.positions as usize, cache_key.seed);
                let found = clock::positions::<P>(rules, &keys, number, seed, tables);
                clock::values(&found.map_err(failed)?, network.to_load()?, device).map_err(failed)
            }
            Probe::RookDraws => {
                let records = self.cell_games(&unit.cell)?;
                let fact = |record: &GameRecord| Ok([f64::from(is_rook_draw(record)?), 1.0]);
                records.iter().map(fact).collect::<Result<_, String>>().map_err(failed)
            }
            Probe::Hung => {
                let skipped = cache_key.sampled_plies as usize;
                let mut count = |game: &Game<P>| {
                    stopped()?;
                    Ok([f64::from(hung::count(game, skipped)), game.ply() as f64])
                };
                games()?.iter().map(&mut count).collect()
            }
            Probe::Mates => {
                let mut found = Vec::new();
                for game in &games()? {
                    stopped()?;
                    found.extend(mates::positions(game));
                }
                let positions = found.iter().map(|(position, _)| Game::new(*position));
                let chosen = choose(size.simulations, positions.collect())?;
                let fact = |((position, moves), chosen): (&(P, u8), Move)| {
                    [f64::from(*moves), f64::from(mates::keeps(position, chosen, *moves))]
                };
                Ok(found.iter().zip(chosen).map(fact).collect())
            }
            Probe::Tactics => {
                let suite = read_suite(suite.as_deref().unwrap_or_default()).map_err(failed)?;
                let suite = tactics::of_game::<P>(&suite, arm.rules, rules).map_err(failed)?;
                let mut facts = Vec::new();
                for simulations in size.suite {
                    stopped()?;
                    let positions = suite.iter().map(|(position, _)| Game::new(*position));
                    let chosen = choose(simulations, positions.collect())?;
                    let solved = suite.iter().zip(chosen).map(|((_, best), chosen)| best.contains(&chosen));
                    facts.extend(solved.map(|solved| [f64::from(simulations), f64::from(solved)]));
                }
                Ok(facts)
            }
        }
    }
}

/// Returns true if a game of chess ends as a fifty-move draw with a rook or queen against a bare
/// king.
fn is_rook_draw(record: &GameRecord) -> Result<bool, String> {
    if record.outcome != Outcome::HundredPlies {
        return Ok(false);
    }
    let game = verify_game::<Chess>(record, Standard).map_err(|error| error.to_string())?;
    Ok(Color::ALL.into_iter().any(|side| has_rook_against_bare_king(game.position(), side)))
}

fn has_rook_against_bare_king(position: &Chess, side: Color) -> bool {
    let has = |kind| !position.pieces(side, kind).is_empty();
    position.occupied_by(!side).count() == 1 && (has(PieceKind::Rook) || has(PieceKind::Queen))
}

fn failed(unit: &ProbeUnit, reason: impl std::fmt::Display) -> StudyError {
    StudyError::unit(unit.name(), reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rook_or_queen_against_a_bare_king_counts() {
        for (fen, is_counted) in [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", true),
            ("4k2q/8/8/8/8/8/8/4K3 w - - 99 90", true),
            ("4k3/8/8/8/8/8/8/B3KB2 w - - 99 90", false),
            ("4k3/4p3/8/8/8/8/8/R3K3 w - - 99 90", false),
            // The fifty-move rule does not end this game.
            ("4k3/8/8/8/8/8/8/R3K3 w - - 98 90", false),
        ] {
            let record = GameRecord::of_texts(Variant::Chess, Some(fen), "e1e2").unwrap();
            assert_eq!(is_rook_draw(&record), Ok(is_counted), "{fen}");
        }
    }
}
