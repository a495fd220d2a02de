//! List of the stages of a study. `run`, `spread` and `plan` iterate over this list.
//!
//! To add a kind of work, implement [`StageUnit`](crate::units) in its own file and add a line to
//! [`stages`].

use crate::analyse::AnalysisUnit;
use crate::config::StudyConfig;
use crate::exact::EndingUnit;
use crate::matches::MatchUnit;
use crate::play::GamesUnit;
use crate::probes::ProbeUnit;
use crate::units::StagePlan;

/// Returns the stages of a study that follow the training of its networks, in order.
pub(crate) fn stages(config: &StudyConfig) -> Vec<StagePlan> {
    let analyses = StagePlan::new("analyses", AnalysisUnit::all(config));
    let probes = StagePlan::new("probes", ProbeUnit::all(config));
    vec![
        StagePlan::new("games (shards)", GamesUnit::all(config)),
        StagePlan::new("control (matches)", MatchUnit::control(config)),
        StagePlan::new("strength (matches)", MatchUnit::strength(config)),
        StagePlan::new("population (matches)", MatchUnit::population(config)),
        StagePlan::new("worth (matches)", MatchUnit::worth(config)),
        StagePlan::new("endings (units)", EndingUnit::all(config)),
        StagePlan { needs_games: true, ..analyses },
        StagePlan { needs_games: true, ..probes },
    ]
}
