//! Registered endpoints and their judgements.

use catapult_arena::MatchResult;
use catapult_measures::Arm;
use catapult_measures::data::NetworkId;
use catapult_measures::results::{Contrast, Estimate};
pub use catapult_stats::{Scatter, SeedEffect, SeedsNeeded, WithoutSeed};
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

/// Equivalence test (two one-sided tests) of a network trained across arms and one trained on a
/// single arm.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Equivalence {
    /// The rules.
    pub arm: Arm,
    /// The network trained across arms.
    pub shared: NetworkId,
    /// The network trained only on this arm.
    pub dedicated: NetworkId,
    /// Simulations per move of both.
    pub simulations: u32,
    /// Equivalence margin in Elo.
    pub margin: f64,
    /// Match of the shared network against the dedicated one.
    pub result: MatchResult,
    /// Position of the 90 % interval of Elo: within the margin (supported), outside (contradicted),
    /// or neither (open).
    pub verdict: catapult_stats::Verdict,
}

/// Claimed direction of an effect.
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
    /// The rules that the claim is about.
    pub arm: Arm,
    /// The rules that the arm is compared with. Exactly one of this and `against` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<Arm>,
    /// The fixed value that the arm is compared with, in the metric's unit: 0.5 for a share that
    /// chance would halve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<f64>,
    /// A second metric ([`MetricInfo::id`](catapult_measures::results::MetricInfo::id)) that is
    /// subtracted from the first, network by network. The endpoint is then a difference of two
    /// measures of one sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minus: Option<String>,
    /// The agent whose networks play both sides, so that each is compared with itself. By default,
    /// the one or two agents with most networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The search levels over which the effect is averaged. By default, the strongest level alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<u32>,
    /// True for a main effect of a factorial: the mean over all pairs of arms that differ as the
    /// arm and the control do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub main_effect: bool,
    /// The family of tests within which its p-value is adjusted. Each family has the study's
    /// significance level. Endpoints without a name form one family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// True for a fact about the rules. It is reported, but is not a test of any family.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_construction: bool,
    /// The claimed direction.
    pub direction: Direction,
    /// The smallest effect of interest, in the metric's unit. Power refers to it.
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

/// Verdict on a claim. The first four belong to [`Scheme::Registered`], the others to
/// [`Scheme::Symmetric`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claimed effect exists.
    Supported,
    /// The opposite effect exists.
    Contradicted,
    /// Any effect is smaller than the smallest effect of interest.
    Equivalent,
    /// Not decided.
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
    /// Not decided.
    NotSettled,
}

impl Verdict {
    /// Returns true if the verdict decides nothing.
    pub fn is_open(self) -> bool {
        matches!(self, Verdict::Open | Verdict::NotSettled)
    }
}

/// Reason why a judgement has only scatter between seeds, and no effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Withheld {
    /// Only the scatter was requested.
    VariancesOnly,
    /// Registered training seeds are missing.
    MissingSeeds {
        /// The agent with missing seeds.
        agent: String,
        /// Number of its existing seeds.
        present: usize,
        /// Number of its registered seeds.
        registered: usize,
    },
}

/// A place at which an effect must have the same sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A search level.
    Level(u32),
    /// The level below the strongest. It was not measured.
    LevelBelow,
    /// The earlier checkpoint.
    Early,
}

/// Simulations of the arm, relative to its control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Times {
    /// Half as many.
    Half,
    /// Twice as many.
    Twice,
}

/// Reason why a difference cannot be matched for strength.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Unmatched {
    /// No match measures the strength of one side.
    NoMatches {
        /// Rule set of the side without matches.
        arm: Arm,
        /// Agent of the side without matches.
        agent: String,
    },
    /// One side is stronger at every level. The values are the lowest and highest Elo of each side.
    StrongerThroughout {
        /// The arm's.
        arm: [f64; 2],
        /// The control's.
        control: [f64; 2],
    },
    /// Too few levels have both games and matches.
    TooFewLevels,
}

/// Kind of a gate.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "gate", rename_all = "kebab-case")]
pub enum GateKind {
    /// Some game uses the rule that the arm adds. The gate exists only if none does.
    Used {
        /// The rule's name.
        rule: String,
    },
    /// The effect is significant for other seeds. `value` is p, adjusted within the family.
    Significant,
    /// The effect has the same sign elsewhere.
    Sign {
        /// The place.
        at: Place,
    },
    /// The effect has the same sign with the arm at other simulations than its control.
    Budget {
        /// The ratio of simulations.
        times: Times,
        /// Played levels of the arm and of its control with this ratio.
        levels: Vec<(u32, u32)>,
    },
    /// The effect has the same sign between equally strong players.
    EqualStrength {
        /// The reason, if players cannot be matched.
        unmatched: Option<Unmatched>,
    },
}

/// A condition of a verdict.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gate {
    /// The condition.
    #[serde(flatten)]
    pub kind: GateKind,
    /// The deciding value: a p-value, or a difference in the metric's unit. `None` if it was not
    /// measured.
    pub value: Option<f64>,
    /// Interval of the difference, or of the effect for a p-value, for other seeds of the recipe.
    /// It is a 95 % interval, except for significance, which uses the level left to this look.
    /// `None` with fewer than three training seeds.
    pub interval: Option<[f64; 2]>,
    /// Bound of the value: the significance level for p, 0 for a difference.
    pub threshold: Option<f64>,
    /// True if the gate passes. `None` if it cannot be checked.
    pub passed: Option<bool>,
    /// Probability that a study of this size passes the gate if the effect is the smallest effect
    /// of interest.
    pub power: Option<f64>,
    /// Number of training seeds that passes the gate four times in five, with a 95 % interval,
    /// because the scatter is itself estimated. `None` if unknown or not affordable.
    pub seeds: Option<SeedsNeeded>,
    /// Scatter of the difference between training seeds. `None` with fewer than three.
    pub scatter: Option<Scatter>,
}

/// The judgement of an endpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// The registered endpoint.
    pub endpoint: Endpoint,
    /// The scheme of the verdict.
    pub scheme: Scheme,
    /// The verdict.
    pub verdict: Verdict,
    /// Reason to withhold the effect, if it is withheld.
    pub withheld: Option<Withheld>,
    /// Significance level of the p-value.
    pub alpha: f64,
    /// Number of tests in the family, within which the p-value is adjusted. 0 for a claim that is
    /// true by construction.
    pub tests: usize,
    /// Number of pairs of an arm and its control over which the effect is averaged.
    pub pairs: usize,
    /// Number of networks of the smaller side. 0 if nothing was measured.
    pub networks: usize,
    /// Effects at each level of the last checkpoint, weakest first, or at the endpoint's levels if
    /// it names any. A measure from network analyses has one level, preceded by the earlier
    /// checkpoint.
    pub levels: Vec<Contrast>,
    /// The judged effect: the mean of the endpoint's levels, else the strongest level. `None` if
    /// nothing was measured. A mean carries the names of the strongest level's samples and the
    /// endpoint's own arms.
    pub effect: Option<Contrast>,
    /// The effect of each network that played both sides, or the arm less the fixed value, by
    /// increasing seed. Empty if each side has its own networks.
    pub seeds: Vec<SeedEffect>,
    /// The p-value of the effect, adjusted over the endpoints of the family (Benjamini-Hochberg).
    /// `None` if it is unknown or the claim is true by construction.
    pub adjusted_p: Option<f64>,
    /// The difference at equal strength, by regression of the metric on strength. `None` if it
    /// cannot be matched, and for paired endpoints, which are compared at other simulations
    /// instead.
    pub matched: Option<Estimate>,
    /// For a paired endpoint, the effect with the arm at half and at twice the simulations of its
    /// control.
    pub sensitivity: Vec<Contrast>,
    /// Dependence of the effect on the choice of levels and on single networks.
    pub robustness: Robustness,
    /// Every condition of the verdict, in the order of evaluation.
    pub gates: Vec<Gate>,
}

/// The effect for other choices of levels or networks. It is reported, not judged.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Robustness {
    /// Mean over all played levels. `None` if it is the judged effect, or if the metric exists at
    /// one level only.
    pub all_levels: Option<Contrast>,
    /// Effect at the strongest level alone. `None` in the same cases.
    pub strongest: Option<Contrast>,
    /// Effect without each network that played both sides, by increasing seed. Empty if each side
    /// has its own networks.
    pub without: Vec<WithoutSeed>,
}

/// A look: one computation of a study's results from its games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookTaken {
    /// BLAKE3 of the study's file at that time, without comments, title, machine and
    /// resampling.
    pub file: String,
    /// Trained or imported networks, as `agent-seed`.
    pub networks: Vec<String>,
    /// Search levels.
    pub levels: Vec<u32>,
    /// True if only the scatter between seeds was shown, and no effect.
    pub variances_only: bool,
}

/// The registration before the first game, and all looks at the results.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Registration {
    /// BLAKE3 of the registered study file.
    pub hash: String,
    /// Keys that changed since the registration, with both values.
    pub changes: Vec<Difference>,
    /// The distinct looks, the present one last.
    pub looks: Vec<LookTaken>,
    /// Significance level left to the present look, for all endpoints of a family together. 0 for a
    /// look at the scatter alone.
    pub alpha: f64,
}
