//! Asks the networks of a study what their games do not say.

use crate::StudyError;
use crate::units::{Stage, StageUnit, Visitor};
use catapult_encoding::Encode;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_measures::analysis::{AnalysisSettings, NetworkAnalysis, analyse, shared_lines};
use catapult_measures::data::{Cell, CellGames, Checkpoint};
use catapult_measures::games::StudiedGame;
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator, device};
use catapult_records::GameRecord;
use catapult_rules::{Variant, with_variant};
use catapult_seeds::Stream;
use catapult_selfplay::Counters;
use catapult_training::units::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Games of each arm and agent from which positions are taken that all networks are asked about.
const SHARED_GAMES: usize = 64;

/// What an analysis was made with; anything else gives another one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Terms {
    cell: Cell,
    network: String,
    settings: AnalysisSettings,
    seed: u64,
    search_defaults: u32,
    /// The moves to the positions that all networks are asked about.
    shared: Vec<Vec<String>>,
}

/// What a network is asked about an arm.
struct AnalysisUnit<'a> {
    cell: Cell,
    /// What it has played there.
    games: &'a [GameRecord],
    shared: &'a [Vec<String>],
    evaluations: u64,
}

impl StageUnit for AnalysisUnit<'_> {
    type Made = NetworkAnalysis;
    const KIND: Kind = Kind::Analysis;

    fn name(&self) -> String {
        format!("analyses/{}", self.cell)
    }

    fn expected(&self) -> u64 {
        self.evaluations
    }

    fn find(&self, stage: &Stage<'_>) -> Result<Option<NetworkAnalysis>, StudyError> {
        stage.kept(&stage.folder.analysis(&self.cell), &stage.analysis_terms(&self.cell, self.shared)?)
    }

    fn make(&self, stage: &Stage<'_>, _: &Counters) -> Result<NetworkAnalysis, StudyError> {
        let terms = stage.analysis_terms(&self.cell, self.shared)?;
        let analysis = with_variant!(self.cell.arm, |P, rules| stage.ask::<P>(rules, self.games, &terms))?;
        stage.keep(&stage.folder.analysis(&self.cell), &terms, analysis)
    }
}

impl Stage<'_> {
    /// The analyses of all cells, made where they are not there.
    ///
    /// # Errors
    /// [`StudyError::Stopped`] soon after a stop: finished analyses stay; a network or game that can't be read.
    pub fn analyses(&self, cells: &[CellGames]) -> Result<Vec<(Cell, NetworkAnalysis)>, StudyError> {
        let shared = self.shared_lines(cells);
        let units = self.analysis_units(cells, &shared);
        let made = self.all("analyses", &units)?;
        Ok(units.into_iter().map(|unit| unit.cell).zip(made).collect())
    }

    /// Shows a visitor all analyses, which need the games.
    pub(crate) fn visit_analyses(
        &self,
        cells: &[CellGames],
        visitor: &mut impl Visitor,
    ) -> Result<bool, StudyError> {
        visitor.visit(self, &self.analysis_units(cells, &self.shared_lines(cells)))
    }

    fn analysis_units<'c>(&self, cells: &'c [CellGames], shared: &'c [Vec<String>]) -> Vec<AnalysisUnit<'c>> {
        let unit = |cell: Cell| {
            let games = cells.iter().find(|of_cell| of_cell.cell == cell);
            AnalysisUnit {
                games: games.map_or(&[][..], |found| &found.games),
                shared,
                evaluations: self.config.analysis.evaluations(),
                cell,
            }
        };
        self.config.analysed_cells().into_iter().map(unit).collect()
    }

    /// Moves to positions of the games of all arms and agents, the same for all networks: of the first games of the strongest
    /// level of each, its networks in turn.
    fn shared_lines(&self, cells: &[CellGames]) -> Vec<Vec<String>> {
        let strongest = self.config.games.simulations.last();
        let mut sources: BTreeMap<(Variant, &str), Vec<&CellGames>> = BTreeMap::new();
        for found in cells {
            if found.cell.checkpoint == Checkpoint::Last && Some(&found.cell.simulations) == strongest {
                sources.entry((found.cell.arm, &found.cell.network.agent)).or_default().push(found);
            }
        }
        let sources: Vec<_> =
            sources.into_iter().map(|((arm, _), networks)| (arm, in_turn(networks))).collect();
        shared_lines(&sources, &self.config.analysis)
    }

    fn ask<P: StudiedGame + Encode>(
        &self,
        rules: P::Rules,
        games: &[GameRecord],
        terms: &Terms,
    ) -> Result<NetworkAnalysis, StudyError> {
        let device = device::choose(&self.config.machine.device)?;
        let file = self.networks.file(&terms.cell.network, terms.cell.checkpoint)?;
        let network = Network::load(&file.path, &P::LAYOUT)?;
        let mut evaluator = NetworkEvaluator::<P>::new(&network, EvaluatorSettings::on(device))?;
        Ok(analyse::<P>(rules, &mut evaluator, games, &terms.shared, &terms.settings, terms.seed)?)
    }

    fn analysis_terms(&self, cell: &Cell, shared: &[Vec<String>]) -> Result<Terms, StudyError> {
        Ok(Terms {
            cell: cell.clone(),
            network: self.networks.file(&cell.network, cell.checkpoint)?.hash.clone(),
            settings: self.config.analysis.clone(),
            seed: Stream::Analysis(cell).seed(self.config.seed),
            search_defaults: SEARCH_DEFAULTS,
            shared: shared.to_vec(),
        })
    }
}

/// The first games of networks in turn.
fn in_turn(networks: Vec<&CellGames>) -> Vec<&GameRecord> {
    let longest = networks.iter().map(|cell| cell.games.len()).max().unwrap_or(0);
    let games = (0..longest).flat_map(|game| networks.iter().filter_map(move |cell| cell.games.get(game)));
    games.take(SHARED_GAMES).collect()
}
