//! Matches as units of work, and their stored results.

use super::{MatchUnit, Opponent};
use crate::StudyError;
use crate::folder::unit_path;
use crate::rows::{CELL, NamedColumn, Rows, cell_values};
use crate::units::{Cost, Stage, StageUnit};
use catapult_arena::{
    ANCHOR_VERSION, GameEnd, MatchError, MatchFiles, MatchResult, MatchSettings, NamedMatch, NamedPlayer,
    PlayerSpec, play_named_match,
};
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_measures::data::{Cell, NetworkId};
use catapult_network::file_hash;
use catapult_report::results::{PopulationMatch, Strength};
use catapult_rules::{Color, Outcome};
use catapult_seeds::Stream;
use catapult_selfplay::Counters;
use catapult_stats::Pentanomial;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

/// Cache key of a match: everything that its result depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CacheKey {
    cell: Cell,
    opponent: String,
    networks: Vec<String>,
    games: u32,
    ply_cap: u32,
    seed: u64,
    anchor_version: u32,
    search_defaults: u32,
}

/// Result of a match whose counts add up.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Counted(#[serde(deserialize_with = "counted")] MatchResult);

/// Result of a match, with White's points and the draws of each pair of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    #[serde(deserialize_with = "counted")]
    result: MatchResult,
    /// Number of game pairs by White's points in both games together.
    white: Pentanomial,
    /// Number of game pairs by their games without a winner. Each such game counts as one point.
    drawn: Pentanomial,
}

/// Result of one game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchGame {
    /// True if the match's first player had White.
    is_white: bool,
    outcome: Outcome,
    /// Half points of the match's first player: 2 for a win, 1 without a winner, 0 for a loss.
    #[serde(deserialize_with = "half_points")]
    half_points: u8,
}

/// Reads a result. It is damaged if its counts do not add up.
fn counted<'de, D: Deserializer<'de>>(from: D) -> Result<MatchResult, D::Error> {
    let result = MatchResult::deserialize(from)?;
    let MatchResult { games, wins, draws, losses, capped, pairs, .. } = &result;
    // Damaged counts may be large.
    let [games, wins, draws, losses, capped] = [games, wins, draws, losses, capped].map(|&n| u128::from(n));
    let points = |of: Pentanomial| (0_u128..).zip(of.0).map(|(i, n)| i * u128::from(n)).sum::<u128>();
    let level = draws + capped;
    let found = [wins + level + losses, points(*pairs), points(pairs.reversed())];
    match found == [games, 2 * wins + level, 2 * losses + level] {
        true => Ok(result),
        false => Err(D::Error::custom("its counts of games do not add up")),
    }
}

fn half_points<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let points = u8::deserialize(from)?;
    if points <= 2 { Ok(points) } else { Err(D::Error::custom(format!("half_points: {points}; at most 2"))) }
}

impl Played {
    fn new(result: MatchResult, ends: &[GameEnd]) -> Played {
        let (mut white, mut drawn) = (Pentanomial::default(), Pentanomial::default());
        // The two games of a pair are adjacent.
        for pair in ends.chunks_exact(2) {
            white.add(pair.iter().map(|game| game.half_points(Color::White)).sum());
            drawn.add(pair.iter().map(|game| if game.winner.is_none() { 2 } else { 0 }).sum());
        }
        Played { result, white, drawn }
    }
}

impl StageUnit for MatchUnit {
    fn name(&self) -> String {
        format!("matches/{}", self.file_name())
    }

    fn cost(&self, plies: f64) -> Cost {
        let simulations = f64::from(self.cell.simulations);
        let (opponent, player) = match &self.opponent {
            Opponent::Half => (simulations / 2.0, None),
            Opponent::Times(times) => (simulations * f64::from(*times), None),
            Opponent::Network(_) | Opponent::Without(_) => (simulations, None),
            // The random player takes no time.
            Opponent::Player(PlayerSpec::Random) => (0.0, None),
            Opponent::Player(player) => (0.0, Some(player.clone())),
        };
        let moves = f64::from(self.games) * plies / 2.0;
        Cost {
            agent: self.cell.network.agent.clone(),
            games: u64::from(self.games),
            evaluations: (f64::from(self.games) * plies * (simulations + opponent) / 2.0) as u64,
            moves: player.map(|player| (self.cell.arm.rules, player, moves)),
        }
    }

    fn is_whole(&self, stage: &Stage<'_>) -> Result<bool, StudyError> {
        let is_known = match self.is_in_detail() {
            true => stage.match_of::<Played>(self)?.is_some(),
            false => stage.match_of::<Counted>(self)?.is_some(),
        };
        // Folders of earlier versions have results without games.
        let games = unit_path(stage.folder.dir(), &self.games_name());
        Ok(is_known && !(games.exists() && stage.games_of_match(self)?.is_none()))
    }

    fn build(&self, stage: &Stage<'_>, counters: &Counters) -> Result<(), StudyError> {
        let cache_key = stage.cache_key(self)?;
        let NamedMatch { result, ends } = stage.one_match(self, &cache_key, counters)?;
        let game = |end: &GameEnd| MatchGame {
            is_white: end.player_color == Color::White,
            outcome: end.outcome,
            half_points: end.half_points(end.player_color) as u8,
        };
        stage.keep(&self.games_name(), &cache_key, ends.iter().map(game).collect::<Vec<_>>())?;
        match self.is_in_detail() {
            true => stage.keep(&self.name(), &cache_key, Played::new(result, &ends)),
            false => stage.keep(&self.name(), &cache_key, Counted(result)),
        }
    }
}

impl Stage<'_> {
    /// Returns the stored results of the matches `units`. Fails if a result is missing.
    pub(crate) fn strengths(&self, units: Vec<MatchUnit>) -> Result<Vec<Strength>, StudyError> {
        let strength = |unit: MatchUnit| {
            let Counted(result) = self.stored(&unit)?;
            let opponent = unit.opponent.name();
            let Cell { arm, network, checkpoint, simulations } = unit.cell;
            Ok(Strength { arm, network, checkpoint, simulations, opponent, result })
        };
        units.into_iter().map(strength).collect()
    }

    /// Returns the stored results of the matches between networks of one agent.
    pub(crate) fn populations(&self) -> Result<Vec<PopulationMatch>, StudyError> {
        let mut found = Vec::new();
        for unit in MatchUnit::population(self.config) {
            let Played { result, white, drawn } = self.stored(&unit)?;
            let Opponent::Network(opponent) = unit.opponent else { continue };
            let Cell { arm, network, simulations, .. } = unit.cell;
            found.push(PopulationMatch { arm, network, opponent, simulations, result, white, drawn });
        }
        Ok(found)
    }

    /// Returns the columns of a table with one row per game of every match whose games are stored.
    pub(crate) fn match_games(&self) -> Result<Vec<NamedColumn>, StudyError> {
        let units = [
            MatchUnit::control(self.config),
            MatchUnit::strength(self.config),
            MatchUnit::population(self.config),
            MatchUnit::worth(self.config),
        ];
        let of_game = [
            ("opponent", false),
            ("game", true),
            ("color", false),
            ("outcome", false),
            ("half_points", true),
        ];
        let mut rows = Rows::new(&[&CELL[..], &of_game].concat());
        for unit in units.concat() {
            let games = self.games_of_match(&unit)?.unwrap_or_default();
            for (game, MatchGame { is_white, outcome, half_points }) in games.into_iter().enumerate() {
                let color = if is_white { "white" } else { "black" };
                let mut row = cell_values(&unit.cell);
                row.extend([unit.opponent.name().into(), (game as i64).into(), color.into()]);
                row.extend([outcome.to_string().into(), i64::from(half_points).into()]);
                rows.add(row);
            }
        }
        Ok(rows.columns)
    }

    fn stored<M: DeserializeOwned>(&self, unit: &MatchUnit) -> Result<M, StudyError> {
        self.match_of(unit)?.ok_or_else(|| StudyError::lost(unit.file_name()))
    }

    fn games_of_match(&self, unit: &MatchUnit) -> Result<Option<Vec<MatchGame>>, StudyError> {
        self.kept(&unit.games_name(), &self.cache_key(unit)?)
    }

    fn match_of<M: DeserializeOwned>(&self, unit: &MatchUnit) -> Result<Option<M>, StudyError> {
        self.kept(&unit.name(), &self.cache_key(unit)?)
    }

    fn one_match(
        &self,
        unit: &MatchUnit,
        cache_key: &CacheKey,
        counters: &Counters,
    ) -> Result<NamedMatch, StudyError> {
        let network = |id: &NetworkId, simulations: u32| -> Result<PlayerSpec, StudyError> {
            let file = self.networks.file(id, unit.cell.checkpoint)?;
            Ok(PlayerSpec::network(file.to_load()?, simulations))
        };
        let Cell { arm, network: id, simulations, .. } = &unit.cell;
        let opponent = match &unit.opponent {
            Opponent::Half => network(id, simulations / 2)?,
            Opponent::Times(times) => network(id, simulations.saturating_mul(*times))?,
            Opponent::Network(other) => network(other, *simulations)?,
            Opponent::Without(_) => network(id, *simulations)?,
            Opponent::Player(spec) => spec.clone(),
        };
        let player = network(id, *simulations)?;
        let names = [format!("{id}:{simulations}"), unit.opponent.name()];
        let [one, two] = names.each_ref().map(|name| Some(name.as_str()));
        let players = [(one, NamedPlayer::Spec(&player)), (two, NamedPlayer::Spec(&opponent))];
        let settings = MatchSettings {
            games: cache_key.games,
            seed: cache_key.seed,
            ply_cap: cache_key.ply_cap,
            threads: 1,
            forbidden: match unit.opponent {
                Opponent::Without(kind) => Some(kind),
                _ => arm.without,
            },
            forbidden_to_both: arm.without.is_some(),
            ..Default::default()
        };
        let counted = AtomicU32::new(0);
        let watch = |games_done: u32| {
            let before = counted.swap(games_done, Ordering::Relaxed);
            counters.games.fetch_add(u64::from(games_done - before), Ordering::Relaxed);
            if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let device = self.config.machine.device.choose()?;
        let played = play_named_match(arm.rules, &players, device, &settings, MatchFiles::default(), &watch);
        played.map_err(|error| match error {
            MatchError::Stopped => StudyError::Stopped,
            MatchError::Store(error) => error.into(),
            error => StudyError::Match { unit: unit.file_name(), error: Box::new(error) },
        })
    }

    fn cache_key(&self, unit: &MatchUnit) -> Result<CacheKey, StudyError> {
        let mut networks = vec![self.network(&unit.cell)?.hash.clone()];
        if let Opponent::Network(other) = &unit.opponent {
            networks.push(self.networks.file(other, unit.cell.checkpoint)?.hash.clone());
        }
        if let Opponent::Player(player) = &unit.opponent
            && let Some(file) = player.file()
        {
            networks.push(file_hash(file)?);
        }
        Ok(CacheKey {
            cell: unit.cell.clone(),
            opponent: unit.opponent.name(),
            networks,
            games: unit.games,
            ply_cap: self.config.strength.ply_cap,
            seed: Stream::StudyMatch(&unit.file_name()).seed(self.config.seed),
            anchor_version: ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_whites_points_and_by_draws() {
        let (white, black) = (Color::White, Color::Black);
        let game = |player_color, winner: Option<Color>| {
            let outcome = if winner.is_none() { Outcome::Stalemate } else { Outcome::Checkmate };
            GameEnd { player_color, outcome, winner, plies: 60 }
        };
        // The first player wins both games, White wins both, both are drawn, and one is drawn.
        let winners = [[Some(white), Some(black)], [Some(white); 2], [None; 2], [None, Some(black)]];
        let ends = winners.map(|[one, two]| [game(white, one), game(black, two)]).concat();
        let Played { white, drawn, .. } = Played::new(MatchResult::default(), &ends);
        assert_eq!(white, Pentanomial([0, 1, 2, 0, 1]));
        assert_eq!(drawn, Pentanomial([2, 0, 1, 0, 1]));
    }

    #[test]
    fn results_whose_counts_do_not_add_up_are_damaged() {
        // Ten wins, three draws and three losses.
        let result = serde_json::to_value(catapult_measures::testing::played([1, 0, 2, 1, 4])).unwrap();
        serde_json::from_value::<Counted>(result.clone()).unwrap();
        for count in ["games", "wins", "draws", "losses", "capped"] {
            let mut result = result.clone();
            result[count] = (result[count].as_u64().unwrap() + 1).into();
            assert!(serde_json::from_value::<Counted>(result).is_err(), "{count}");
        }
        for score in 0..5_usize {
            let mut result = result.clone();
            result["pairs"][score] = u64::MAX.into();
            assert!(serde_json::from_value::<Counted>(result).is_err(), "{score}");
        }
        let read = |points: u8| {
            let game = format!(r#"{{"is_white":true,"outcome":"checkmate","half_points":{points}}}"#);
            serde_json::from_str::<MatchGame>(&game).is_ok()
        };
        assert_eq!([0, 1, 2, 3].map(read), [true, true, true, false]);
    }
}
