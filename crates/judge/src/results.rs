//! Registered endpoints and their judgements.

use catapult_arena::MatchResult;
use catapult_measures::Arm;
use catapult_measures::data::NetworkId;
use catapult_measures::results::{Contrast, Estimate};
pub use catapult_stats::{Scatter, SeedEffect, SeedsNeeded, WithoutSeed};
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

/// Whether the network trained across arms plays one of them as well as one trained on it alone (two one-sided tests).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Equivalence {
    /// The rules.
    pub arm: Arm,
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
    pub verdict: catapult_stats::Verdict,
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
    /// [`MetricInfo::id`](catapult_measures::results::MetricInfo::id).
    pub metric: String,
    /// The rules the claim is about.
    pub arm: Arm,
    /// The rules that the arm is compared with; exactly one of this and `against` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<Arm>,
    /// The fixed value that the arm is compared with, in the metric's unit: 0.5 for a share that chance would halve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<f64>,
    /// A second metric ([`MetricInfo::id`](catapult_measures::results::MetricInfo::id)) that is subtracted from the first, network by network: the endpoint is a difference
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

/// The rules that turn gates into a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// A claim is supported, contradicted, equivalent to no effect, or open.
    Registered,
    /// An effect is more, fewer, no difference that matters, or not settled.
    #[default]
    Symmetric,
}

/// The verdict on a claim. The first four belong to [`Scheme::Registered`], the others to [`Scheme::Symmetric`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The effect is there.
    Supported,
    /// The opposite effect is there.
    Contradicted,
    /// Any effect is smaller than the smallest effect of interest.
    Equivalent,
    /// None of these can be said.
    Open,
    /// The arm has more, by more than the smallest effect of interest.
    More,
    /// The arm has fewer, by more than the smallest effect of interest.
    Fewer,
    /// The arm has more; the difference may be too small to matter.
    MoreSizeUnclear,
    /// The arm has fewer; the difference may be too small to matter.
    FewerSizeUnclear,
    /// Any difference is smaller than the smallest effect of interest.
    NoDifferenceThatMatters,
    /// None of these can be said.
    NotSettled,
}

impl Verdict {
    /// Whether nothing can be said of the claim.
    pub fn is_open(self) -> bool {
        matches!(self, Verdict::Open | Verdict::NotSettled)
    }
}

/// The reason why a judgement holds scatter between seeds only, and no effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Withheld {
    /// Only the scatter was requested.
    VariancesOnly,
    /// Registered training seeds are missing.
    MissingSeeds {
        /// The agent that lacks them.
        agent: String,
        /// Seeds that are there.
        present: usize,
        /// Seeds that were registered.
        registered: usize,
    },
}

/// A place where an effect must have the same sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A search level.
    Level(u32),
    /// The level below the strongest, which was not measured.
    LevelBelow,
    /// The earlier checkpoint.
    Early,
}

/// Simulations of the arm, in those of its control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Times {
    /// Half as many.
    Half,
    /// Twice as many.
    Twice,
}

/// The reason why a difference can't be matched for strength.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Unmatched {
    /// No match gives the strength of one side.
    NoMatches {
        /// Its rules.
        arm: Arm,
        /// Its agent.
        agent: String,
    },
    /// One side is stronger at every level: the lowest and the highest Elo of each side.
    StrongerThroughout {
        /// The arm's.
        arm: [f64; 2],
        /// The control's.
        control: [f64; 2],
    },
    /// Too few levels have both games and matches.
    TooFewLevels,
}

/// The question of a gate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "gate", rename_all = "kebab-case")]
pub enum GateKind {
    /// Some game uses the rule that the arm adds. It is asked only where none does.
    Used {
        /// The rule's name.
        rule: String,
    },
    /// Networks of other seeds show the effect: `value` is p, adjusted within the family.
    Significant,
    /// The effect has the same sign elsewhere.
    Sign {
        /// Where.
        at: Place,
    },
    /// The effect has the same sign with the arm at other simulations than its control.
    Budget {
        /// The ratio.
        times: Times,
        /// Levels of the arm and of its control that were played so.
        levels: Vec<(u32, u32)>,
    },
    /// The effect has the same sign between equally strong players.
    EqualStrength {
        /// Why that can't be told.
        unmatched: Option<Unmatched>,
    },
}

/// One of the conditions of a verdict.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gate {
    /// The question.
    #[serde(flatten)]
    pub kind: GateKind,
    /// The value that decides: a p-value, or a difference in the metric's unit; none where it was not measured.
    pub value: Option<f64>,
    /// Interval of that difference (of a p-value: of the effect) for other seeds of the recipe: of 95 %, and for the significance of
    /// the level that is left to this look. None with fewer than three training seeds.
    pub interval: Option<[f64; 2]>,
    /// The bound of the value: the level that p must be below, or 0, which a difference must not reach.
    pub threshold: Option<f64>,
    /// Whether it is met; none where it can't be told.
    pub passed: Option<bool>,
    /// Probability that a study of this size meets it if the effect is the smallest effect of interest.
    pub power: Option<f64>,
    /// Training seeds that would meet it four times in five, with a 95 % interval (the scatter between seeds is itself
    /// estimated); none where it can't be told or no affordable number would do.
    pub seeds: Option<SeedsNeeded>,
    /// Scatter between training seeds of the difference; none with fewer than three.
    pub scatter: Option<Scatter>,
}

/// The judgement of an endpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// What was registered.
    pub endpoint: Endpoint,
    /// The scheme of the verdict.
    pub scheme: Scheme,
    /// The verdict.
    pub verdict: Verdict,
    /// Why only scatter is told, if so.
    pub withheld: Option<Withheld>,
    /// The level that the p-value must be below.
    pub alpha: f64,
    /// Tests of the family, within which the p-value is adjusted; 0 for a claim that is true by construction.
    pub tests: usize,
    /// Pairs of an arm and its control over which the effect is averaged.
    pub pairs: usize,
    /// Networks of the side that has fewer; 0 where nothing was measured.
    pub networks: usize,
    /// At each level of the last checkpoint, weakest first (those that are averaged, where the endpoint names some). A measure
    /// of networks beside their games has one, and before it that of the earlier checkpoint.
    pub levels: Vec<Contrast>,
    /// What is judged: the mean of the levels that the endpoint names, else the strongest level; none where nothing was measured.
    /// A mean, of levels or of pairs of arms, names the samples of the strongest level and of the endpoint's own arms.
    pub effect: Option<Contrast>,
    /// The effect inside each network that played both sides, or the arm against a fixed value, by rising seed; empty where each
    /// side has its own.
    pub seeds: Vec<SeedEffect>,
    /// The p-value of the effect, adjusted over all endpoints of the family (Benjamini-Hochberg); none where it is open, and where
    /// the claim is true by construction and so of no family.
    pub adjusted_p: Option<f64>,
    /// The difference at equal strength, by regression of the metric on strength; none where it can't be matched, and for paired
    /// endpoints, which are compared at other budgets instead.
    pub matched: Option<Estimate>,
    /// Of a paired endpoint: the same effect with the arm at half, and at twice, the simulations of its control.
    pub sensitivity: Vec<Contrast>,
    /// What the effect owes to the choice of levels and to single networks.
    pub robustness: Robustness,
    /// Every condition of the verdict, in the order in which they are asked.
    pub gates: Vec<Gate>,
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
    pub changes: Vec<Difference>,
    /// The looks, each told once, the present one last.
    pub looks: Vec<LookTaken>,
    /// The level of significance that is left to the present look, for all endpoints of a family together; 0 for one at variances only.
    pub alpha: f64,
}
