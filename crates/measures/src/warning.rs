//! Warnings about a study, as data.

use crate::arms::Arm;
use crate::data::{NetworkId, SampleId};
use catapult_rules::Outcome;
use catapult_stats::Estimate;
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

/// Reason not to rely on fitted piece values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "doubt", rename_all = "kebab-case")]
pub enum Doubt {
    /// The regression failed, or the numbers of pawns differ in too few games to fit the value of
    /// the pawn.
    Unfitted,
    /// The fitted weight of the pawn is missing, or its interval is not wholly above 0.
    UselessPawn,
    /// The fitted values are not in the order pawn < knight, bishop < rook < queen.
    Order {
        /// Names of pieces with their values in pawns. `None` for a piece without a value.
        values: Vec<(String, Option<f64>)>,
    },
    /// The fitted values are in the order pawn < knight, bishop < rook < queen. The intervals of
    /// some adjacent pieces overlap.
    Overlap {
        /// Names of the adjacent pieces with overlapping intervals, the less valuable first.
        pairs: Vec<[String; 2]>,
    },
}

impl Doubt {
    /// Returns true if the values in pawns are not credible. Reports then omit them. If false, the
    /// values are only uncertain.
    pub fn is_implausible(&self) -> bool {
        !matches!(self, Doubt::Overlap { .. })
    }
}

/// A judged effect whose variance between training seeds is not significantly larger than the
/// variance that a finite number of games alone would cause.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alike {
    /// Id of the endpoint's metric.
    pub metric: String,
    /// The arm's sample. For a mean over levels, that of the strongest level.
    pub arm: SampleId,
    /// The control's sample. `None` if the effect is against a fixed value.
    pub control: Option<SampleId>,
    /// Variance between the networks' values, in the squared unit of the metric.
    pub between: f64,
    /// Mean squared standard error of a network's value: the variance that a finite number of games
    /// alone would cause.
    pub within: f64,
    /// Probability of at least the variance `between` if all networks were equal.
    pub p: f64,
}

/// Limits at which games are truncated (stopped without a result). `None` means no limit or an
/// unknown limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Caps {
    /// Half-move clock in plies at which games are truncated. The fifty-move rule ends games at
    /// 100.
    pub no_progress: Option<u32>,
    /// Number of plies at which games are truncated.
    pub plies: Option<u32>,
}

/// Mean and median of a number per game that are far apart in one sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Skewed {
    /// The sample of games over which mean and median are taken.
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
    /// Either the limits at which training truncated games or the outcomes of training games are
    /// unknown.
    TrainingUnknown {
        /// Networks with unknown limits or outcomes.
        networks: Vec<NetworkId>,
    },
    /// According to their files, networks have not learned the rules of an arm that they play.
    Unlearned {
        /// The arm.
        arm: Arm,
        /// Networks that were not trained under its rules, as far as their files say.
        networks: Vec<NetworkId>,
        /// True if the rules have options that the inputs of these networks do not encode.
        unread: bool,
    },
    /// An outcome (cause of the end of a game) makes up at least 5 % of an endpoint's metric, but
    /// ended no training game of some networks.
    UnknownOutcome {
        /// Id of the endpoint's metric.
        metric: String,
        /// The outcome that is missing from training.
        outcome: Outcome,
        /// Share of the study's games that end by the outcome, 0 to 1, by sample.
        shares: Vec<(SampleId, f64)>,
        /// Networks whose training games never ended by the outcome.
        networks: Vec<NetworkId>,
    },
    /// The measured gain in Elo from a kind of move that an arm has is below 0.
    Worthless {
        /// Id of the metric that measures the gain from the kind of move.
        metric: String,
        /// The sample whose matches measure the gain.
        sample: SampleId,
        /// Gain in Elo from having the kind of move. Its interval may include 0.
        worth: Estimate,
    },
    /// The mean of a number per game is far from its median.
    Skewed {
        /// Id of the metric.
        metric: String,
        /// Samples with skewed numbers. The last checkpoint and the strongest level come first.
        samples: Vec<Skewed>,
    },
    /// The variance between networks of different seeds is not significantly above zero.
    NoSeedVariance {
        /// Number of networks from which the variance of each endpoint was estimated.
        networks: u64,
        /// The affected endpoints.
        endpoints: Vec<Alike>,
    },
    /// There is a reason to doubt the control's piece values, for example an order other than pawn
    /// < knight, bishop < rook < queen.
    PieceValues {
        /// The control's sample at its strongest level. Deep levels come after all others.
        sample: SampleId,
        /// The reason to doubt the values that are fitted by maximum likelihood.
        doubt: Doubt,
    },
    /// One player won every game of a match on the skill ladder, the chain of matches from random
    /// play to the network. The difference in Elo has only one bound.
    SaturatedLadder {
        /// Arm and network of each ladder that has such a match.
        networks: Vec<(Arm, NetworkId)>,
    },
    /// The moves of too few plies are drawn from the improved policy. The opening entropy as played
    /// cannot be measured.
    FewSampledPlies {
        /// Number of plies per game whose moves are drawn.
        drawn: u32,
        /// Number of such plies that the metric needs.
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
        /// Mean share of their budget that the agent's runs spent. 1 is the whole budget.
        spent: f64,
        /// Mean share of their budget that the control's runs spent. 1 is the whole budget.
        control: f64,
    },
    /// The study's results were looked at before, which reduces the significance level.
    LookedBefore {
        /// Number of earlier looks that showed effects.
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
                | Unlearned { .. }
                | UnknownOutcome { .. }
                | Worthless { .. }
                | Skewed { .. }
                | NoSeedVariance { .. }
        )
    }
}
