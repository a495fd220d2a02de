//! Registered endpoints and their judgements.

use catapult_arena::MatchResult;
use catapult_measures::data::NetworkId;
use catapult_measures::results::{Contrast, Estimate};
use catapult_rules::Variant;
pub use catapult_stats::{SeedEffect, SeedsNeeded, Verdict, WithoutSeed};
use serde::{Deserialize, Serialize};

/// Whether the network trained across arms plays one of them as well as one trained on it alone (two one-sided tests).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Equivalence {
    /// The rules.
    pub arm: Variant,
    /// The network trained across arms.
    pub shared: NetworkId,
    /// The dedicated one.
    pub dedicated: NetworkId,
    /// Simulations a move of both.
    pub simulations: u32,
    /// Elo within which they count as equivalent.
    pub margin: f64,
    /// The shared one against the dedicated one.
    pub result: MatchResult,
    /// The 90 % interval of Elo lies within the margin (supported), outside (contradicted), or neither (open).
    pub verdict: Verdict,
}

/// Which way an effect is claimed to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The arm's value is below the control's.
    Lower,
    /// The arm's value is above the control's.
    Higher,
}

/// One primary endpoint, registered in the study's file before its games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// The claim in words: `fewer draws`.
    pub claim: String,
    /// [`MetricInfo::id`].
    pub metric: String,
    /// The rules the claim is about.
    pub arm: Variant,
    /// The rules they are held against; exactly one of this and `against` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<Variant>,
    /// The fixed value they are held against, in the metric's unit: 0.5 for a share that chance would halve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<f64>,
    /// A second metric ([`MetricInfo::id`]) that is subtracted from the first, network by network: the endpoint is a difference
    /// of two measures of one sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minus: Option<String>,
    /// The agent whose networks play both sides, so that each is compared with itself; where none is named, the one (or the
    /// two) with most networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The search levels over which the effect is averaged; where none is named, it is that of the strongest level.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<u32>,
    /// Whether it is the mean over all pairs of arms that differ as the arm and the control do: the main effect of a factorial.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub main_effect: bool,
    /// The family of tests among which its p-value is adjusted, each at the study's level of significance; endpoints that name none
    /// are one family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Whether it asks for a fact about the rules: told, but no test among the others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_construction: bool,
    /// The way the claim says.
    pub direction: Direction,
    /// The smallest effect worth knowing, in the metric's unit: what power is computed for.
    pub smallest_effect: f64,
}

/// One of the conditions that a claim must meet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gate {
    /// What it asks: `significant`, `sign at 64 simulations`, `equal strength`, `half the simulations`.
    pub name: String,
    /// Whether it is met; none where it can't be told.
    pub passed: Option<bool>,
    /// What was found, in a sentence.
    pub found: String,
    /// Probability that a study of this size meets it if the effect is the smallest worth knowing.
    pub power: Option<f64>,
    /// Training seeds that would meet it four times in five, with a 95 % interval (the scatter between seeds is itself
    /// estimated); none where it can't be told or no affordable number would do.
    pub seeds: Option<SeedsNeeded>,
}

/// The judgement of an endpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// What was registered.
    pub endpoint: Endpoint,
    /// At each level of the last checkpoint, weakest first (those that are averaged, where the endpoint names some). A measure
    /// of networks beside their games has one, and before it that of the earlier checkpoint.
    pub levels: Vec<Contrast>,
    /// What is judged: the mean of the levels that the endpoint names, else the strongest level; none where nothing was measured.
    /// A mean, of levels or of pairs of arms, names the samples of the strongest level and of the endpoint's own arms.
    #[serde(default)]
    pub effect: Option<Contrast>,
    /// The effect inside each network that played both sides, or the arm against a fixed value, by rising seed; empty where each
    /// side has its own.
    #[serde(default)]
    pub seeds: Vec<SeedEffect>,
    /// The p-value of the effect, adjusted over all endpoints of the family (Benjamini-Hochberg); none where it is open, and where
    /// the claim is true by construction and so of no family.
    pub adjusted_p: Option<f64>,
    /// The difference at equal strength, by regression of the metric on strength; none where it can't be matched, and for paired
    /// endpoints, which are held against other budgets instead.
    pub matched: Option<Estimate>,
    /// Of a paired endpoint: the same effect with the arm at half, and at twice, the simulations of its control.
    #[serde(default)]
    pub sensitivity: Vec<Contrast>,
    /// What the effect owes to the choice of levels and to single networks.
    #[serde(default)]
    pub robustness: Robustness,
    /// Every condition of the verdict, in the order in which they are asked.
    #[serde(default)]
    pub gates: Vec<Gate>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in a sentence a chess player understands.
    pub reason: String,
    /// What would settle it, if it is open.
    pub would_settle: String,
}

/// The same effect, had levels or networks been chosen otherwise: told, not judged.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Robustness {
    /// The mean over all levels that were played; none where it is what is judged, and of what exists at one level only.
    pub all_levels: Option<Contrast>,
    /// At the strongest level alone; none likewise.
    pub strongest: Option<Contrast>,
    /// Without each network that played both sides, by rising seed; empty where each side has its own.
    pub without: Vec<WithoutSeed>,
}

/// A time at which a study's results were computed from its games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookTaken {
    /// BLAKE3 of what the study's file said then, but for its comments, title and machine.
    pub file: String,
    /// Networks that had been trained or taken, as `agent-seed`.
    pub networks: Vec<String>,
    /// Search levels.
    pub levels: Vec<u32>,
    /// Whether only the scatter between seeds was shown, and no effect.
    pub variances_only: bool,
}

/// What was fixed before the first game, and how often the results were looked at.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Registration {
    /// BLAKE3 of the study's file as it was registered.
    pub hash: String,
    /// Keys that have changed since, with both values.
    pub changes: Vec<String>,
    /// The looks, each told once, the present one last.
    pub looks: Vec<LookTaken>,
    /// The level of significance that is left to the present look, for all endpoints of a family together; 0 for one at variances only.
    pub alpha: f64,
}
