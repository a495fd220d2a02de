//! Warnings as data.

use crate::arms::Arm;
use crate::data::{Checkpoint, NetworkId, SampleId};
use catapult_rules::Outcome;
use catapult_stats::Estimate;
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

/// A reason not to rely on piece values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "doubt", rename_all = "kebab-case")]
pub enum Doubt {
    /// No value could be fitted.
    Unfitted,
    /// The weight of a pawn is not certainly above 0.
    UselessPawn,
    /// The order pawn < knight, bishop < rook < queen does not hold.
    Order {
        /// Pieces ([`Term::id`](crate::games::Term::id)) and their values in pawns, none where a piece was not valued.
        values: Vec<(String, Option<f64>)>,
    },
    /// The order holds, but intervals of neighbours in it overlap.
    Overlap {
        /// The neighbours.
        pairs: Vec<[String; 2]>,
    },
}

impl Doubt {
    /// Whether the values in pawns are left out; else they are only uncertain.
    pub fn is_insane(&self) -> bool {
        !matches!(self, Doubt::Overlap { .. })
    }
}

/// An endpoint in which networks of other seeds do not differ.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alike {
    /// The endpoint's metric.
    pub metric: String,
    /// The arm.
    pub arm: SampleId,
    /// The control, if the networks played both and their differences were tested.
    pub control: Option<SampleId>,
    /// Variance between the networks' values.
    pub between: f64,
    /// Mean squared error of a value.
    pub within: f64,
    /// Probability of at least this variance if all networks were alike.
    pub p: f64,
}

/// Limits at which games are truncated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Caps {
    /// Plies without a restart of the half-move clock; the fifty-move rule ends games at 100.
    pub no_progress: Option<u32>,
    /// Plies of a game.
    pub plies: Option<u32>,
}

/// A number per game in one sample, with a mean far from its median.
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
    /// It is unknown where training truncated games, or how its games ended.
    TrainingUnknown {
        /// The networks.
        networks: Vec<NetworkId>,
    },
    /// An outcome that decides an endpoint never ended a game of training.
    UnknownOutcome {
        /// The endpoint's metric.
        metric: String,
        /// The outcome.
        outcome: Outcome,
        /// Share of the games that it ended in the study, by arm.
        shares: Vec<(SampleId, f64)>,
        /// The networks whose training never met it.
        networks: Vec<NetworkId>,
    },
    /// Players gain nothing by a kind of move that their arm has.
    Worthless {
        /// The metric of its worth.
        metric: String,
        /// The sample.
        sample: SampleId,
        /// Elo of having the kind of move, below 0.
        worth: Estimate,
    },
    /// Means of a number per game that are far from the medians.
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
        /// The endpoints of which this holds.
        endpoints: Vec<Alike>,
    },
    /// Piece values of the control do not come out in the known order.
    PieceValues {
        /// The control at its strongest level.
        sample: SampleId,
        /// The doubt.
        doubt: Doubt,
    },
    /// Piece values fitted on other games do not come out in the known order, so no comebacks are measured by them.
    FittedValues {
        /// Arms, agents and checkpoints.
        groups: Vec<(Arm, String, Checkpoint)>,
    },
    /// A rung of the ladder from random play was won without a loss.
    SaturatedLadder {
        /// Arms and networks.
        networks: Vec<(Arm, NetworkId)>,
    },
    /// Too few plies were drawn from the improved policy for the entropy of openings as played.
    FewSampledPlies {
        /// Plies that were drawn.
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
        /// Those that were registered.
        registered: u64,
    },
    /// The number of an agent's training seeds was set after the first game.
    LateSeeds {
        /// The agent.
        agent: String,
    },
    /// The runs of an agent spent another share of their budget than those of the control.
    UnequalBudgets {
        /// The agent.
        agent: String,
        /// Mean share that its runs spent.
        spent: f64,
        /// Mean share that those of the control spent.
        control: f64,
    },
    /// The results were looked at before.
    LookedBefore {
        /// Earlier looks at effects.
        times: u64,
        /// Networks that were added since the last one.
        networks: Vec<String>,
        /// Levels that were added since.
        levels: Vec<u32>,
        /// Level of significance of the present look.
        alpha: f64,
    },
    /// The study's file has changed since it was registered.
    FileChanged {
        /// The changes.
        changes: Vec<Difference>,
    },
}

impl Warning {
    /// Whether it limits what the study can show, so that it is read before the verdicts.
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
