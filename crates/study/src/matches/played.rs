//! Plays matches, and keeps their results.

use super::{EquivalenceMatch, MatchUnit, Opponent};
use crate::StudyError;
use crate::play::PLIES;
use crate::units::{Stage, StageUnit, Visitor};
use catapult_arena::{
    ANCHOR_VERSION, GameEnd, MatchError, MatchResult, MatchSettings, NamedMatch, PlayerSpec, play_named_match,
};
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_measures::data::{Cell, NetworkId};
use catapult_network::Compute;
use catapult_report::results::{PopulationMatch, Strength};
use catapult_rules::Color;
use catapult_seeds::Stream;
use catapult_selfplay::Counters;
use catapult_stats::Pentanomial;
use catapult_training::units::Kind;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

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

/// What can be known of a match; which part of it is kept is up to its kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    result: MatchResult,
    /// Pairs by White's points in both games.
    white: Pentanomial,
    /// Pairs by the games that nobody won, each counting a point.
    drawn: Pentanomial,
}

impl From<Played> for MatchResult {
    fn from(played: Played) -> MatchResult {
        played.result
    }
}

impl Played {
    fn new(played: NamedMatch) -> Played {
        let (mut white, mut drawn) = (Pentanomial::default(), Pentanomial::default());
        // Both games of a pair stand together.
        for pair in played.ends.chunks_exact(2) {
            let half_points = |game: &GameEnd| match game.winner {
                Some(Color::White) => 2,
                Some(Color::Black) => 0,
                None => 1,
            };
            white.add(pair.iter().map(half_points).sum());
            drawn.add(pair.iter().map(|game| if game.winner.is_none() { 2 } else { 0 }).sum());
        }
        Played { result: played.result, white, drawn }
    }
}

/// What of a match is kept.
trait Keep: Serialize + DeserializeOwned + From<Played> + Send + Sync {}

impl<M: Serialize + DeserializeOwned + From<Played> + Send + Sync> Keep for M {}

/// A match of which this much is kept.
struct KeptMatch<'a, M>(&'a MatchUnit, PhantomData<M>);

fn kept<M>(units: &[MatchUnit]) -> Vec<KeptMatch<'_, M>> {
    units.iter().map(|unit| KeptMatch(unit, PhantomData)).collect()
}

impl<M: Keep> StageUnit for KeptMatch<'_, M> {
    type Made = M;
    const KIND: Kind = Kind::Match;

    fn name(&self) -> String {
        format!("matches/{}", self.0.name())
    }

    fn expected(&self) -> u64 {
        self.0.evaluations(PLIES)
    }

    fn find(&self, stage: &Stage<'_>) -> Result<Option<M>, StudyError> {
        stage.kept(&stage.folder.game_match(&self.0.name()), &stage.terms(self.0)?)
    }

    fn make(&self, stage: &Stage<'_>, counters: &Counters) -> Result<M, StudyError> {
        let (unit, terms) = (self.0, stage.terms(self.0)?);
        let played = stage.one_match(unit, &terms, counters)?;
        stage.keep(&stage.folder.game_match(&unit.name()), &terms, M::from(played))
    }
}

impl Stage<'_> {
    /// Plays the matches that tell strength and have not been played, and gives all of them.
    ///
    /// # Errors
    /// [`StudyError::Stopped`] soon after a stop: finished matches stay.
    pub fn strengths(&self) -> Result<Vec<Strength>, StudyError> {
        self.told("strength matches", &MatchUnit::strength(self.config))
    }

    /// The same for the matches of networks against themselves without a kind of move.
    ///
    /// # Errors
    /// As [`Stage::strengths`].
    pub fn worths(&self) -> Result<Vec<Strength>, StudyError> {
        self.told("matches without a kind of move", &MatchUnit::worth(self.config))
    }

    /// Plays these matches, and tells how each ended.
    pub(crate) fn told(&self, name: &str, units: &[MatchUnit]) -> Result<Vec<Strength>, StudyError> {
        let results: Vec<MatchResult> = self.play_matches(name, units)?;
        let strength = |(unit, result): (&MatchUnit, MatchResult)| {
            let Cell { arm, network, checkpoint, simulations } = unit.cell.clone();
            Strength { arm, network, checkpoint, simulations, opponent: unit.opponent.name(), result }
        };
        Ok(units.iter().zip(results).map(strength).collect())
    }

    /// The same for the matches of the network trained across arms.
    ///
    /// # Errors
    /// As [`Stage::strengths`].
    pub fn equivalences(&self) -> Result<Vec<EquivalenceMatch>, StudyError> {
        let units = MatchUnit::equivalence(self.config);
        let results: Vec<MatchResult> = self.play_matches("equivalence matches", &units)?;
        let told = |(unit, result): (&MatchUnit, MatchResult)| {
            let Opponent::Network(dedicated) = unit.opponent.clone() else { return None };
            let Cell { arm, network, simulations, .. } = unit.cell.clone();
            Some(EquivalenceMatch { arm, shared: network, dedicated, simulations, result })
        };
        Ok(units.iter().zip(results).filter_map(told).collect())
    }

    /// The same for the matches between networks of one agent.
    ///
    /// # Errors
    /// As [`Stage::strengths`].
    pub fn populations(&self) -> Result<Vec<PopulationMatch>, StudyError> {
        let units = MatchUnit::population(self.config);
        let results: Vec<Played> = self.play_matches("population matches", &units)?;
        let told = |(unit, played): (&MatchUnit, Played)| {
            let Opponent::Network(opponent) = unit.opponent.clone() else { return None };
            let Cell { arm, network, simulations, .. } = unit.cell.clone();
            let Played { result, white, drawn } = played;
            Some(PopulationMatch { arm, network, opponent, simulations, result, white, drawn })
        };
        Ok(units.iter().zip(results).filter_map(told).collect())
    }

    /// Shows a visitor all matches.
    pub(crate) fn visit_matches(&self, visitor: &mut impl Visitor) -> Result<bool, StudyError> {
        for all in [MatchUnit::strength, MatchUnit::worth, MatchUnit::equivalence] {
            if !visitor.visit(self, &kept::<MatchResult>(&all(self.config)))? {
                return Ok(false);
            }
        }
        visitor.visit(self, &kept::<Played>(&MatchUnit::population(self.config)))
    }

    /// Plays what has not been played, and keeps this much of each.
    fn play_matches<M: Keep>(&self, name: &str, units: &[MatchUnit]) -> Result<Vec<M>, StudyError> {
        self.all(name, &kept::<M>(units))
    }

    fn one_match(&self, unit: &MatchUnit, terms: &Terms, counters: &Counters) -> Result<Played, StudyError> {
        let network = |id: &NetworkId, simulations: u32| -> Result<PlayerSpec, StudyError> {
            let file = self.networks.file(id, unit.cell.checkpoint)?.path.clone();
            Ok(PlayerSpec::network(file, simulations))
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
        let players = [(names[0].as_str(), &player), (names[1].as_str(), &opponent)];
        let Terms { games, ply_cap, seed, .. } = *terms;
        let forbidden = match unit.opponent {
            Opponent::Without(kind) => Some(kind),
            _ => None,
        };
        let settings = MatchSettings { games, seed, ply_cap, threads: 1, forbidden, ..Default::default() };
        let counted = AtomicU32::new(0);
        let watch = |state: catapult_arena::MatchProgress| {
            let before = counted.swap(state.games_done, Ordering::Relaxed);
            counters.games.fetch_add(u64::from(state.games_done - before), Ordering::Relaxed);
            if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let compute = Compute::on(&self.config.machine.device);
        match play_named_match(*arm, players, &compute, &settings, &watch) {
            Ok(played) => Ok(Played::new(played)),
            Err(MatchError::Stopped) => Err(StudyError::Stopped),
            Err(error) => Err(StudyError::Match { name: unit.name(), reason: error.to_string() }),
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
            seed: Stream::StudyMatch(&unit.name()).seed(self.config.seed),
            anchor_version: ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
        })
    }
}
