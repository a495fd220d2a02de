//! Warnings as data.

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
    /// No value could be fitted.
    Unfitted,
    /// The weight of a pawn is not certainly above 0.
    UselessPawn,
    /// The order pawn < knight, bishop < rook < queen does not hold.
    Order {
        /// Pieces ([`Term::id`](crate::games::Term::id)) and their values in pawns, `None` for a
        /// piece without a value.
        values: Vec<(String, Option<f64>)>,
    },
    /// The order holds, but intervals of adjacent pieces overlap.
    Overlap {
        /// The adjacent pieces, the less valuable first.
        pairs: Vec<[String; 2]>,
    },
}

impl Doubt {
    /// Returns true if reports omit the values in pawns. Otherwise the values are only uncertain.
    pub fn is_insane(&self) -> bool {
        !matches!(self, Doubt::Overlap { .. })
    }
}

/// An endpoint whose variance between training seeds is explained by the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alike {
    /// The endpoint's metric.
    pub metric: String,
    /// The arm.
    pub arm: SampleId,
    /// The control, if the same networks played it and their differences were tested.
    pub control: Option<SampleId>,
    /// Variance between the networks' values.
    pub between: f64,
    /// Mean squared error of a value: the variance that games explain.
    pub within: f64,
    /// Probability of at least this variance if all networks were equal.
    pub p: f64,
}

/// Limits at which games are truncated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Caps {
    /// Half-move clock at which games are truncated. The fifty-move rule ends games at 100.
    pub no_progress: Option<u32>,
    /// Plies of a game.
    pub plies: Option<u32>,
}

/// Mean and median of a number per game, far apart in this sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Skewed {
    /// The sample.
    pub sample: SampleId,
    /// Mean over games.
    pub mean: f64,
    /// Median over games.
    pub median: f64,
}

/// Something that the reader of a study must know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// Training truncated games earlier than the study does.
    TruncatedEarlier {
        /// The networks.
        networks: Vec<NetworkId>,
        /// Limits of their training.
        training: Caps,
        /// Limits of the study.
        study: Caps,
    },
    /// It is unknown at which limits training truncated games, or how its games ended.
    TrainingUnknown {
        /// The networks.
        networks: Vec<NetworkId>,
    },
    /// An outcome that decides an endpoint never ended a training game.
    UnknownOutcome {
        /// The endpoint's metric.
        metric: String,
        /// The outcome.
        outcome: Outcome,
        /// Share of the study's games that it ended, by sample.
        shares: Vec<(SampleId, f64)>,
        /// Networks without this outcome in training.
        networks: Vec<NetworkId>,
    },
    /// Players gain nothing from a kind of move that their arm has.
    Worthless {
        /// The metric of its worth.
        metric: String,
        /// The sample.
        sample: SampleId,
        /// Elo gained with the kind of move, below 0.
        worth: Estimate,
    },
    /// The mean of a number per game is far from its median.
    Skewed {
        /// The metric.
        metric: String,
        /// The samples, strongest level first.
        samples: Vec<Skewed>,
    },
    /// The variance between networks of other seeds cannot be distinguished from zero.
    NoSeedVariance {
        /// Networks.
        networks: u64,
        /// The affected endpoints.
        endpoints: Vec<Alike>,
    },
    /// Piece values of the control are not in the known order.
    PieceValues {
        /// The control at its strongest level.
        sample: SampleId,
        /// The doubt.
        doubt: Doubt,
    },
    /// Piece values fitted on other games are not in the known order. Comebacks by fitted values
    /// are therefore not measured.
    FittedValues {
        /// Arms, agents and checkpoints.
        groups: Vec<(Arm, String, Checkpoint)>,
    },
    /// One player won every game of a match of the skill ladder.
    SaturatedLadder {
        /// Arms and networks.
        networks: Vec<(Arm, NetworkId)>,
    },
    /// The games draw too few plies from the improved policy to measure the opening entropy as
    /// played.
    FewSampledPlies {
        /// Drawn plies.
        drawn: u32,
        /// Plies that the metric needs.
        needed: u32,
    },
    /// An agent has more training seeds than were registered.
    MoreSeeds {
        /// The agent.
        agent: String,
        /// Its training seeds.
        seeds: u64,
        /// Its registered training seeds.
        registered: u64,
    },
    /// An agent's number of training seeds was set after the first game.
    LateSeeds {
        /// The agent.
        agent: String,
    },
    /// The runs of an agent and of the control spent different shares of their budgets.
    UnequalBudgets {
        /// The agent.
        agent: String,
        /// Mean share of the budget that its runs spent.
        spent: f64,
        /// Mean share of the budget that the control's runs spent.
        control: f64,
    },
    /// The results were looked at before.
    LookedBefore {
        /// Earlier looks at effects.
        times: u64,
        /// Networks added since the last look.
        networks: Vec<String>,
        /// Levels added since the last look.
        levels: Vec<u32>,
        /// Significance level of the present look.
        alpha: f64,
    },
    /// The study's file has changed since it was registered.
    FileChanged {
        /// The changes.
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
