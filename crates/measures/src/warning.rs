//! Warnings about a study, as data.

use crate::arms::Arm;
use crate::data::{Checkpoint, NetworkId, SampleId};
use catapult_rules::Outcome;
use catapult_stats::Estimate;
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

/// Reason not to rely on piece values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "doubt", rename_all = "kebab-case")]
pub enum Doubt {
    /// The regression failed or the pawn could not be fitted.
    Unfitted,
    /// The pawn has no weight, or the interval of its weight does not lie above 0.
    UselessPawn,
    /// The fitted values are not in the order pawn < knight, bishop < rook < queen.
    Order {
        /// Names of pieces with their values in pawns. `None` for a piece without a value.
        values: Vec<(String, Option<f64>)>,
    },
    /// The order holds, but the intervals of some adjacent pieces overlap.
    Overlap {
        /// Names of the adjacent pieces with overlapping intervals, the less valuable first.
        pairs: Vec<[String; 2]>,
    },
}

impl Doubt {
    /// Returns true if the values in pawns are not credible, so that reports omit them. If false,
    /// the values are only uncertain.
    pub fn is_insane(&self) -> bool {
        !matches!(self, Doubt::Overlap { .. })
    }
}

/// An endpoint whose variance between training seeds is no larger than games explain.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alike {
    /// Id of the endpoint's metric.
    pub metric: String,
    /// The arm's sample at its strongest level.
    pub arm: SampleId,
    /// The control's sample, if the same networks played it and their differences were tested.
    /// Otherwise `None`.
    pub control: Option<SampleId>,
    /// Variance between the networks' values.
    pub between: f64,
    /// Mean squared error of a network's value: the variance that games explain.
    pub within: f64,
    /// Probability of at least this variance if all networks were equal.
    pub p: f64,
}

/// Limits at which games are truncated. `None` means no limit or an unknown limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Caps {
    /// Half-move clock at which games are truncated. The fifty-move rule ends games at 100.
    pub no_progress: Option<u32>,
    /// Number of plies at which games are truncated.
    pub plies: Option<u32>,
}

/// Mean and median of a number per game that are far apart in a sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Skewed {
    /// The sample whose games are counted.
    pub sample: SampleId,
    /// Mean over games.
    pub mean: f64,
    /// Median over games.
    pub median: f64,
}

/// A limit or problem of a study that its reader must know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// Training truncated games earlier than the study does. The networks have not seen later
    /// plies.
    TruncatedEarlier {
        /// Networks whose training truncated games earlier.
        networks: Vec<NetworkId>,
        /// Limits at which their training truncated games.
        training: Caps,
        /// Limits at which the study truncates games.
        study: Caps,
    },
    /// The limits at which training truncated games, or the outcomes of training games, are
    /// unknown.
    TrainingUnknown {
        /// Networks with unknown limits or outcomes.
        networks: Vec<NetworkId>,
    },
    /// An outcome decides an endpoint, but never ended a training game of some networks.
    UnknownOutcome {
        /// Id of the endpoint's metric.
        metric: String,
        /// The outcome that is missing from training.
        outcome: Outcome,
        /// Share of the study's games that end by the outcome, by sample.
        shares: Vec<(SampleId, f64)>,
        /// Networks whose training games never ended by the outcome.
        networks: Vec<NetworkId>,
    },
    /// Players gain nothing from a kind of move that their arm has.
    Worthless {
        /// Id of the metric of the kind's worth.
        metric: String,
        /// The sample with a negative worth.
        sample: SampleId,
        /// Elo that the players gain from the kind of move. It is below 0.
        worth: Estimate,
    },
    /// The mean of a number per game is far from its median.
    Skewed {
        /// Id of the metric.
        metric: String,
        /// Samples with skewed numbers. The last checkpoint and the strongest level come first.
        samples: Vec<Skewed>,
    },
    /// The variance between networks of different seeds cannot be distinguished from zero.
    NoSeedVariance {
        /// Number of networks from which the variance of each endpoint was estimated.
        networks: u64,
        /// The affected endpoints.
        endpoints: Vec<Alike>,
    },
    /// Piece values of the control are not in the known order.
    PieceValues {
        /// The control's sample at its strongest level.
        sample: SampleId,
        /// The reason to doubt the values.
        doubt: Doubt,
    },
    /// Piece values fitted on other games are not in the known order. Comebacks by fitted values
    /// are therefore not measured.
    FittedValues {
        /// Arm, agent and checkpoint whose fitted values are not in the known order.
        groups: Vec<(Arm, String, Checkpoint)>,
    },
    /// One player won every game of a match of the skill ladder. The difference in Elo has only one
    /// bound.
    SaturatedLadder {
        /// Arm and network of each ladder with such a match.
        networks: Vec<(Arm, NetworkId)>,
    },
    /// The games draw too few plies from the improved policy to measure the opening entropy as
    /// played.
    FewSampledPlies {
        /// Number of plies that are drawn.
        drawn: u32,
        /// Number of drawn plies that the metric needs.
        needed: u32,
    },
    /// An agent has more training seeds than were registered.
    MoreSeeds {
        /// Name of the agent.
        agent: String,
        /// Number of training seeds that the agent has.
        seeds: u64,
        /// Number of training seeds registered for the agent.
        registered: u64,
    },
    /// An agent's number of training seeds was set after the first game.
    LateSeeds {
        /// Name of the agent.
        agent: String,
    },
    /// The runs of an agent and of the control spent different shares of their budgets.
    UnequalBudgets {
        /// Name of the agent.
        agent: String,
        /// Mean share of the budget that the agent's runs spent, 1 for all.
        spent: f64,
        /// Mean share of the budget that the control's runs spent, 1 for all.
        control: f64,
    },
    /// The results were looked at before.
    LookedBefore {
        /// Number of earlier looks at effects.
        times: u64,
        /// Networks added since the last look, as `agent-seed`.
        networks: Vec<String>,
        /// Search levels added since the last look, in simulations per move.
        levels: Vec<u32>,
        /// Significance level of the present look.
        alpha: f64,
    },
    /// The study's file has changed since it was registered.
    FileChanged {
        /// Changed keys with their old and new values.
        changes: Vec<Difference>,
    },
}

impl Warning {
    /// Returns true if the warning limits what the study can show. Reports print such warnings
    /// before the verdicts.
    pub fn is_about_validity(&self) -> bool {
        use Warning::*;
        matches!(
            self,
            TruncatedEarlier { .. }
                | TrainingUnknown { .. }
                | UnknownOutcome { .. }
                | Worthless { .. }
                | Skewed { .. }
                | NoSeedVariance { .. }
        )
    }
}
