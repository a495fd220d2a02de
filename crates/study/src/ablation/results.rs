//! What an ablation has found.

use catapult_report::results::Estimate;
use catapult_stats::{Interval, Pentanomial};
use catapult_training::{BudgetConfig, Work};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whether an arm is stronger than its control or opponent: only where the interval over seeds leaves 0 out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The whole interval is above 0.
    Better,
    /// The whole interval is below 0.
    Worse,
    /// It holds 0, or there are fewer than three seeds and so no interval.
    NotResolved,
}

/// A seed's match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedElo {
    /// The training seed.
    pub seed: u64,
    /// Games.
    pub games: u32,
    /// Pairs by their points: 0, 1/2, 1, 3/2 and 2.
    pub pairs: Pentanomial,
    /// Elo with the 95 % interval of the pairs.
    pub elo: Interval,
}

/// An arm against the control, or against an opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// The arm.
    pub arm: String,
    /// The control, or the player's name.
    pub opponent: String,
    /// Elo, mean over seeds: with these seeds given (`agents`), and over seeds (`rule`).
    pub estimate: Estimate,
    /// What that says.
    pub verdict: Verdict,
    /// Seed by seed.
    pub seeds: Vec<SeedElo>,
}

/// What a run did after the fork.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    /// The arm.
    pub arm: String,
    /// The training seed.
    pub seed: u64,
    /// BLAKE3 of its last network.
    pub network: String,
    /// BLAKE3 of the trunk's network that it goes on from; none if it starts from nothing.
    pub trunk: Option<String>,
    /// Generations, the trunk's included.
    pub generations: u32,
    /// Games.
    pub games: u64,
    /// Share of them without a result, not even an adjudicated one.
    pub without_result: f64,
    /// What was asked of the network and learned from.
    pub work: Work,
    /// The share of the budget that it spent in all, the trunk's included.
    pub spent: f64,
}

/// How long a run took after the fork, in the processes that ended its generations: what an interrupted one had done is not in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunTime {
    /// The arm.
    pub arm: String,
    /// The training seed.
    pub seed: u64,
    /// Positions that the network evaluated.
    pub evaluations: u64,
    /// Seconds of playing.
    pub playing: f64,
    /// Seconds of learning.
    pub learning: f64,
}

/// What an ablation has found; the same plan and networks make the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AblationResults {
    /// Its name.
    pub name: String,
    /// What it asks.
    pub question: String,
    /// Where it comes from, by name, as printed.
    pub provenance: BTreeMap<String, String>,
    /// The arm that the others are compared with.
    pub control: String,
    /// The arms, and the settings in which each differs from the base.
    pub arms: Vec<(String, Vec<String>)>,
    /// Training seeds.
    pub seeds: Vec<u64>,
    /// The last generation in common.
    pub fork: u32,
    /// What each run might spend.
    pub budget: BudgetConfig,
    /// Simulations a move in matches.
    pub simulations: u32,
    /// Every other arm against the control of its seed.
    pub effects: Vec<Effect>,
    /// Every arm against opponents.
    pub opponents: Vec<Effect>,
    /// What each run did.
    pub runs: Vec<RunResult>,
    /// What must be said beside it.
    pub warnings: Vec<String>,
}
