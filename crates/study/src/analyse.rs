//! Analyses of a study's networks, which evaluate positions in addition to the played games.

use crate::StudyError;
use crate::config::StudyConfig;
use crate::units::{Cost, Stage, StageUnit};
use catapult_encoding::Encode;
use catapult_measures::analysis::{AnalysisSettings, NetworkAnalysis, analyse};
use catapult_measures::data::Cell;
use catapult_measures::games::StudiedGame;
use catapult_network::{EvaluatorSettings, Network, NetworkEvaluator};
use catapult_rules::with_variant;
use catapult_seeds::Stream;
use catapult_selfplay::Counters;
use serde::{Deserialize, Serialize};

/// Cache key of an analysis: everything that its result depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CacheKey {
    cell: Cell,
    network: String,
    settings: AnalysisSettings,
    seed: u64,
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
        let cache_key = stage.analysis_key(self)?;
        let analysis = with_variant!(self.cell.arm.rules, |P, rules| stage.ask::<P>(rules, &cache_key))?;
        stage.keep(&self.name(), &cache_key, analysis)
    }
}

impl Stage<'_> {
    /// Returns the stored analyses of all analysed cells.
    ///
    /// # Errors
    /// An analysis is missing or cannot be read.
    pub(crate) fn analyses(&self) -> Result<Vec<(Cell, NetworkAnalysis)>, StudyError> {
        let read = |unit: AnalysisUnit| {
            let analysis = self.analysis_of(&unit)?.ok_or_else(|| StudyError::lost(unit.name()))?;
            Ok((unit.cell, analysis))
        };
        AnalysisUnit::all(self.config).into_iter().map(read).collect()
    }

    fn analysis_of(&self, unit: &AnalysisUnit) -> Result<Option<NetworkAnalysis>, StudyError> {
        self.kept(&unit.name(), &self.analysis_key(unit)?)
    }

    fn ask<P: StudiedGame + Encode>(
        &self,
        rules: P::Rules,
        cache_key: &CacheKey,
    ) -> Result<NetworkAnalysis, StudyError> {
        let device = self.config.machine.device.choose()?;
        let network = Network::load(self.network(&cache_key.cell)?.to_load()?, &P::LAYOUT)?;
        let mut evaluator = NetworkEvaluator::<P>::new(&network, EvaluatorSettings::on(device))?;
        Ok(analyse::<P>(rules, &mut evaluator, &cache_key.settings, cache_key.seed)?)
    }

    fn analysis_key(&self, unit: &AnalysisUnit) -> Result<CacheKey, StudyError> {
        Ok(CacheKey {
            cell: unit.cell.clone(),
            network: self.network(&unit.cell)?.hash.clone(),
            settings: self.config.analysis.clone(),
            seed: Stream::Analysis(&unit.cell).seed(self.config.seed),
        })
    }
}
