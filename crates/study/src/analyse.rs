//! Asks the networks of a study what their games do not say.

use crate::StudyError;
use crate::analysis::{AnalysisSettings, NetworkAnalysis, analyse};
use crate::data::{Cell, CellGames, Checkpoint};
use crate::games::StudiedGame;
use crate::kept;
use crate::play::{IsFound, Stage};
use crate::units::seed_of;
use catapult_encoding::Encode;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator, device};
use catapult_records::GameRecord;
use catapult_rules::{Variant, with_variant};
use serde::{Deserialize, Serialize};

/// Games of chess from which positions are taken that all networks are asked about.
const CHESS_GAMES: usize = 64;

/// What an analysis was made with; anything else gives another one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Terms {
    cell: Cell,
    network: String,
    settings: AnalysisSettings,
    seed: u64,
    search_defaults: u32,
    /// Hashes of the networks that played the games of chess.
    chess: Vec<String>,
}

impl Stage<'_> {
    /// Makes the analyses that have not been made, and gives all of them.
    ///
    /// # Errors
    /// [`StudyError::Stopped`] soon after a stop: finished analyses stay; a network or game that can't be read.
    pub fn analyses(&self, cells: &[CellGames]) -> Result<Vec<(Cell, NetworkAnalysis)>, StudyError> {
        let chess = self.chess_games(cells);
        let units = self.config.analysed_cells();
        let expected = self.config.analysis.evaluations();
        self.work(
            "analyses",
            &units,
            |_| expected,
            |cell, _| {
                let (path, terms) = (self.folder.analysis(cell), self.analysis_terms(cell, &chess)?);
                if kept::read::<_, NetworkAnalysis>(&path, &terms, self.progress).is_some() {
                    return Ok(IsFound::Yes);
                }
                let games =
                    cells.iter().find(|of_cell| of_cell.cell == *cell).map_or(&[][..], |found| &found.games);
                let analysis =
                    with_variant!(cell.arm, |P, rules| self.ask::<P>(rules, games, &chess, &terms))?;
                kept::write(&path, &terms, &analysis)?;
                Ok(IsFound::No)
            },
        )?;
        let kept = |cell: &Cell| {
            let gone =
                || StudyError::Cell { cell: Box::new(cell.clone()), reason: "its analysis has gone".into() };
            let terms = self.analysis_terms(cell, &chess)?;
            let found = kept::read(&self.folder.analysis(cell), &terms, self.progress);
            Ok((cell.clone(), found.ok_or_else(gone)?))
        };
        units.iter().map(kept).collect()
    }

    /// Games of chess, the same for all networks: the first of the strongest level of the study's first network for chess;
    /// none in a study without chess.
    fn chess_games(&self, cells: &[CellGames]) -> Vec<GameRecord> {
        let is_chess = |found: &&CellGames| {
            found.cell.arm == Variant::Chess
                && found.cell.checkpoint == Checkpoint::Last
                && Some(&found.cell.simulations) == self.config.games.simulations.last()
        };
        let games = cells.iter().find(is_chess).map_or(&[][..], |found| &found.games);
        games.iter().take(CHESS_GAMES).cloned().collect()
    }

    fn ask<P: StudiedGame + Encode>(
        &self,
        rules: P::Rules,
        games: &[GameRecord],
        chess: &[GameRecord],
        terms: &Terms,
    ) -> Result<NetworkAnalysis, StudyError> {
        let device = device::choose(&self.config.machine.device)?;
        let file = self.networks.file(&terms.cell.network, terms.cell.checkpoint)?;
        let network = Network::load(&file.path, &P::LAYOUT)?;
        let mut evaluator = NetworkEvaluator::<P>::new(&network, EvaluatorSettings::on(device))?;
        analyse::<P>(rules, &mut evaluator, games, chess, &terms.settings, terms.seed)
    }

    fn analysis_terms(&self, cell: &Cell, chess: &[GameRecord]) -> Result<Terms, StudyError> {
        let mut networks: Vec<String> = chess.iter().map(|game| game.network.clone()).collect();
        networks.dedup();
        Ok(Terms {
            cell: cell.clone(),
            network: self.networks.file(&cell.network, cell.checkpoint)?.hash.clone(),
            settings: self.config.analysis.clone(),
            seed: seed_of(self.config.seed, &format!("analysis {cell}")),
            search_defaults: SEARCH_DEFAULTS,
            chess: networks,
        })
    }
}
