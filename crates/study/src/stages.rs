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
use catapult_training::units::Kind;

/// Returns the stages of a study that follow the training of its networks, in order.
pub(crate) fn stages(config: &StudyConfig) -> Vec<StagePlan> {
    vec![
        StagePlan::new("games (shards)", Kind::Games, GamesUnit::all(config)),
        StagePlan::new("control (matches)", Kind::Match, MatchUnit::control(config)),
        StagePlan::new("strength (matches)", Kind::Match, MatchUnit::strength(config)),
        StagePlan::new("population (matches)", Kind::Match, MatchUnit::population(config)),
        StagePlan::new("worth (matches)", Kind::Match, MatchUnit::worth(config)),
        StagePlan::new("endings (units)", Kind::Endings, EndingUnit::all(config)),
        StagePlan::new("analyses", Kind::Analysis, AnalysisUnit::all(config)),
        StagePlan::new("probes", Kind::Analysis, ProbeUnit::all(config)),
    ]
}
