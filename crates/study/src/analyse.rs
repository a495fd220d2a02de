//! Analyses of a study's networks, which evaluate and search positions in addition to the played
//! games.

use crate::StudyError;
use crate::config::StudyConfig;
use crate::units::{Cost, Stage, StageUnit};
use catapult_encoding::Encode;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_measures::analysis::{AnalysisSettings, NetworkAnalysis, analyse, shared_lines};
use catapult_measures::data::{Cell, Checkpoint};
use catapult_measures::games::{GameInfo, StudiedGame};
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator};
use catapult_records::GameRecord;
use catapult_rules::{Variant, with_variant};
use catapult_seeds::Stream;
use catapult_selfplay::Counters;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of games, per arm and agent, from which shared positions are taken. All networks
/// evaluate the shared positions.
const SHARED_GAMES: usize = 64;

/// Cache key of an analysis: everything that its result depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Terms {
    cell: Cell,
    network: String,
    settings: AnalysisSettings,
    seed: u64,
    search_defaults: u32,
    /// Move sequences that lead from the start to the positions that all networks evaluate.
    shared: Vec<Vec<String>>,
}

/// Analysis of a network in one arm: a unit of work.
pub(crate) struct AnalysisUnit {
    cell: Cell,
    evaluations: u64,
}

impl AnalysisUnit {
    /// Returns one unit per cell that is analysed ([`StudyConfig::analysed_cells`]).
    pub(crate) fn all(config: &StudyConfig) -> Vec<AnalysisUnit> {
        let evaluations = config.analysis.evaluations();
        config.analysed_cells().into_iter().map(|cell| AnalysisUnit { cell, evaluations }).collect()
    }
}

impl StageUnit for AnalysisUnit {
    fn name(&self) -> String {
        format!("analyses/{}", self.cell)
    }

    fn cost(&self, _plies: f64) -> Cost {
        let agent = self.cell.network.agent.clone();
        Cost { agent, games: 0, evaluations: self.evaluations, moves: None }
    }

    fn is_whole(&self, stage: &Stage<'_>) -> Result<bool, StudyError> {
        Ok(stage.analysis_of(self)?.is_some())
    }

    fn build(&self, stage: &Stage<'_>, _: &Counters) -> Result<(), StudyError> {
        let terms = stage.analysis_terms(self)?;
        let games = stage.cell_games(&self.cell)?;
        let analysis = with_variant!(self.cell.arm.rules, |P, rules| stage.ask::<P>(rules, &games, &terms))?;
        stage.keep(&self.name(), &terms, analysis)
    }
}

impl Stage<'_> {
    /// Returns the stored analyses of all analysed cells.
    ///
    /// # Errors
    /// An analysis is missing or cannot be read.
    pub(crate) fn analyses(&self) -> Result<Vec<(Cell, NetworkAnalysis)>, StudyError> {
        let lost = |unit: &AnalysisUnit| StudyError::unit(unit.name(), "its file vanished after it was made");
        let read = |unit: AnalysisUnit| {
            let analysis = self.analysis_of(&unit)?.ok_or_else(|| lost(&unit))?;
            Ok((unit.cell, analysis))
        };
        AnalysisUnit::all(self.config).into_iter().map(read).collect()
    }

    fn analysis_of(&self, unit: &AnalysisUnit) -> Result<Option<NetworkAnalysis>, StudyError> {
        self.kept(&unit.name(), &self.analysis_terms(unit)?)
    }

    /// Returns the move sequences that lead to the positions that all networks evaluate. They come
    /// from the first games of each arm and agent at the strongest level. The networks of an agent
    /// contribute one game each in turn.
    fn shared_lines(&self) -> Result<&[Vec<String>], StudyError> {
        if let Some(lines) = self.shared_lines.get() {
            return Ok(lines);
        }
        let cells = self.config.analysed_cells().into_iter();
        let mut sources: BTreeMap<(Variant, String), Vec<Vec<Vec<String>>>> = BTreeMap::new();
        for cell in cells.filter(|cell| cell.checkpoint == Checkpoint::Last) {
            let plies = GameInfo::of(cell.arm.rules).setup_plies + self.config.analysis.shared_plies as usize;
            let games = self.cell_games(&cell)?.into_iter().take(SHARED_GAMES);
            let line = |game: GameRecord| {
                let texts = game.texts().map_err(|error| StudyError::unit(cell.to_string(), error))?;
                Ok(texts.moves.into_iter().take(plies).collect())
            };
            let lines = games.map(line).collect::<Result<_, StudyError>>()?;
            sources.entry((cell.arm.rules, cell.network.agent)).or_default().push(lines);
        }
        let sources: Vec<_> = sources.iter().map(|((arm, _), networks)| (*arm, in_turn(networks))).collect();
        let lines = shared_lines(&sources, &self.config.analysis);
        Ok(self.shared_lines.get_or_init(|| lines))
    }

    fn ask<P: StudiedGame + Encode>(
        &self,
        rules: P::Rules,
        games: &[GameRecord],
        terms: &Terms,
    ) -> Result<NetworkAnalysis, StudyError> {
        let device = self.config.machine.device()?;
        let network = Network::load(self.network(&terms.cell)?.to_load()?, &P::LAYOUT)?;
        let mut evaluator = NetworkEvaluator::<P>::new(&network, EvaluatorSettings::on(device))?;
        Ok(analyse::<P>(rules, &mut evaluator, games, &terms.shared, &terms.settings, terms.seed)?)
    }

    fn analysis_terms(&self, unit: &AnalysisUnit) -> Result<Terms, StudyError> {
        Ok(Terms {
            cell: unit.cell.clone(),
            network: self.network(&unit.cell)?.hash.clone(),
            settings: self.config.analysis.clone(),
            seed: Stream::Analysis(&unit.cell).seed(self.config.seed),
            search_defaults: SEARCH_DEFAULTS,
            shared: self.shared_lines()?.to_vec(),
        })
    }
}

/// Returns at most [`SHARED_GAMES`] games: the first game of each network, then the second of each,
/// and so on.
fn in_turn(networks: &[Vec<Vec<String>>]) -> Vec<&[String]> {
    let longest = networks.iter().map(Vec::len).max().unwrap_or(0);
    let games = (0..longest).flat_map(|game| networks.iter().filter_map(move |games| games.get(game)));
    games.take(SHARED_GAMES).map(Vec::as_slice).collect()
}
