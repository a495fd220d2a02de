//! Registered endpoints and their judgements.

use catapult_measures::Arm;
use catapult_measures::results::{Contrast, Estimate};
pub use catapult_stats::{Scatter, SeedEffect, SeedsNeeded, WithoutSeed};
use catapult_store::Difference;
use serde::{Deserialize, Serialize};

/// Claimed direction of an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The arm's value is below the control's.
    Lower,
    /// The arm's value is above the control's.
    Higher,
}

/// One primary endpoint: a claim about an effect, registered in the study's file before its games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// The claim in words, such as `fewer draws`.
    pub claim: String,
    /// Id of the measured metric: [`MetricInfo::id`](catapult_measures::results::MetricInfo::id).
    pub metric: String,
    /// The rule set that the claim is about.
    pub arm: Arm,
    /// The rule set that the arm is compared with. An endpoint has either `control` or `against`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<Arm>,
    /// The fixed value with which the arm is compared, in the metric's unit. For example, 0.5 is an
    /// even score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<f64>,
    /// The agent whose networks play both the arm and its control, so that each network is compared
    /// with itself. `None` uses the one or two agents with the most networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The search levels over which the effect is averaged, in simulations per move. If empty, only
    /// the effect at the strongest level is judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<u32>,
    /// Name of the family of tests within which the endpoint's p-value is adjusted. Each family has
    /// the study's significance level. Endpoints without a name form one family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// True for a claim that follows from the rules alone. The claim is reported, but its p-value
    /// is not a test of any family.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_construction: bool,
    /// The claimed direction of the effect.
    pub direction: Direction,
    /// The smallest effect of interest, in the metric's unit. Power is computed for an effect of
    /// this size.
    pub smallest_effect: f64,
}

/// Scheme that turns gates into a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Verdicts on a claim: supported, contradicted, equivalent to no effect, or open.
    Registered,
    /// Verdicts on an effect: more, fewer, no difference that matters, or not settled.
    #[default]
    Symmetric,
    /// The verdicts of [`Scheme::Symmetric`], about these networks instead of other seeds. The only
    /// gate is significance, so one network suffices.
    TheseNetworks,
}

catapult_rules::named! {
    /// Verdict on an endpoint. The first four belong to [`Scheme::Registered`], the others to the
    /// other schemes.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        /// The claimed effect exists.
        Supported = "supported",
        /// The opposite effect exists.
        Contradicted = "contradicted",
        /// The effect, if any, is smaller than the smallest effect of interest.
        Equivalent = "equivalent",
        /// The gates do not decide the claim.
        Open = "open",
        /// The arm's value is higher than the control's, by more than the smallest effect of
        /// interest.
        More = "more",
        /// The arm's value is lower than the control's, by more than the smallest effect of
        /// interest.
        Fewer = "fewer",
        /// The arm's value is higher than the control's. The difference may be too small to matter.
        MoreSizeUnclear = "more, size unclear",
        /// The arm's value is lower than the control's. The difference may be too small to matter.
        FewerSizeUnclear = "fewer, size unclear",
        /// The difference, if any, is smaller than the smallest effect of interest.
        NoDifferenceThatMatters = "no difference that matters",
        /// The results show neither a difference nor its absence.
        NotSettled = "not settled",
    }
}

impl Verdict {
    /// Returns true for `Open` and `NotSettled`, which decide nothing.
    pub fn is_open(self) -> bool {
        matches!(self, Verdict::Open | Verdict::NotSettled)
    }
}

/// Reason why a judgement reports only the scatter between training seeds, and no effect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Withheld {
    /// The user requested only the scatter between training seeds.
    VariancesOnly,
    /// Some registered training seeds of an agent have no network yet.
    MissingSeeds {
        /// The agent with missing seeds.
        agent: String,
        /// Number of the agent's existing seeds.
        present: usize,
        /// Number of the agent's registered seeds.
        registered: usize,
    },
}

/// A search level or checkpoint at which an effect must have the sign of the judged effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A search level, in simulations per move.
    Level(u32),
    /// The level below the strongest, if no such level was measured.
    LevelBelow,
    /// The earlier checkpoint of the networks.
    Early,
}

catapult_rules::named! {
    /// Simulations per move of the arm, as a multiple of the control's.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Times {
        /// The arm has half the control's simulations.
        Half = "half",
        /// The arm has twice the control's simulations.
        Twice = "twice",
    }
}

/// Reason why the arm and its control cannot be compared at equal strength.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Unmatched {
    /// The arm or the control has no match that measures its strength.
    NoMatches {
        /// Rule set without matches.
        arm: Arm,
        /// Agent without matches under this rule set.
        agent: String,
    },
    /// The ranges of Elo of the arm and of the control do not overlap. One of them is therefore
    /// stronger at every level.
    StrongerThroughout {
        /// Lowest and highest Elo of the arm's networks.
        arm: [f64; 2],
        /// Lowest and highest Elo of the control's networks.
        control: [f64; 2],
    },
    /// Too few networks and levels have both games and matches.
    TooFewLevels,
}

/// Kind of a gate (a condition of a verdict).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "gate", rename_all = "kebab-case")]
pub enum GateKind {
    /// A gate that always fails: no game uses the rule that the arm adds. If games use the rule,
    /// the gate is absent.
    Used {
        /// Id of the unused rule ([`AddedRule::id`](catapult_measures::games::AddedRule::id)).
        rule: String,
    },
    /// The effect is significant for other training seeds. The gate's `value` is the p-value,
    /// adjusted within the family.
    Significant,
    /// The effect has the same sign at another level or checkpoint.
    Sign {
        /// The other level or checkpoint.
        at: Place,
    },
    /// The effect has the same sign with the arm at half or twice the simulations of its control.
    Budget {
        /// The arm's simulations, as a multiple of the control's.
        times: Times,
        /// Played levels of the arm and of its control, in simulations per move, whose ratio is
        /// `times`.
        levels: Vec<(u32, u32)>,
    },
    /// The effect has the same sign between equally strong players.
    EqualStrength {
        /// The reason why equally strong players cannot be compared. `None` if they are compared.
        unmatched: Option<Unmatched>,
    },
}

/// A gate: one condition of a verdict, with its result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gate {
    /// The kind of the gate.
    #[serde(flatten)]
    pub kind: GateKind,
    /// The number that decides the gate: a p-value, or a difference in the metric's unit. `None` if
    /// it was not measured.
    pub value: Option<f64>,
    /// Interval for other training seeds. For the significance gate, it is the interval of the
    /// judged effect, at the significance level left to this look. For other gates, it is the 95 %
    /// interval of `value`. `None` with fewer than three training seeds.
    pub interval: Option<[f64; 2]>,
    /// Bound for `value`: the significance level for a p-value, 0 for a difference. `None` if the
    /// gate has no value.
    pub threshold: Option<f64>,
    /// True if the gate passes, false if it fails. `None` if it cannot be checked.
    pub passed: Option<bool>,
    /// Probability that a study of this size passes the gate if the effect is the smallest effect
    /// of interest. `None` if the scatter is unknown.
    pub power: Option<f64>,
    /// Number of training seeds with which 80 % of studies pass the gate. It has a 95 % interval,
    /// because the scatter is an estimate. `None` if the scatter is unknown or ten thousand seeds
    /// are too few.
    pub seeds: Option<SeedsNeeded>,
    /// Scatter of the compared difference between training seeds. `None` with fewer than three
    /// seeds.
    pub scatter: Option<Scatter>,
}

impl Gate {
    /// Returns true if the gate asks for the effect at half or twice the simulations, or between equally
    /// strong players.
    pub fn is_of_strength(&self) -> bool {
        matches!(self.kind, GateKind::Budget { .. } | GateKind::EqualStrength { .. })
    }

    /// Returns true if the whole interval lies inside the smallest effect of interest. Returns false
    /// without an interval.
    pub fn is_inside(&self, smallest_effect: f64) -> bool {
        self.interval.is_some_and(|ends| ends.iter().all(|end| end.abs() < smallest_effect))
    }
}

impl Scheme {
    /// Returns the 95 % interval for the networks that a verdict is about. `None` if it is unknown.
    pub fn interval(self, found: &Estimate) -> Option<[f64; 2]> {
        if self == Scheme::TheseNetworks { Some(found.agents) } else { found.rule }
    }
}

/// The judgement of an endpoint: its verdict with the effect and all gates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// The registered endpoint.
    pub endpoint: Endpoint,
    /// The scheme that produced the verdict.
    pub scheme: Scheme,
    /// The verdict on the endpoint.
    pub verdict: Verdict,
    /// Reason why the effect is withheld. `None` if it is reported.
    pub withheld: Option<Withheld>,
    /// Significance level that the p-value must be below.
    pub alpha: f64,
    /// Number of tests in the family, within which the p-value is adjusted. 0 for a claim that is
    /// true by construction.
    pub tests: usize,
    /// Number of networks of the arm or of its control, whichever is smaller. 0 if nothing was
    /// measured.
    pub networks: usize,
    /// Effects at each search level of the last checkpoint, weakest first. If the endpoint names
    /// levels, only these are listed. A metric from network analyses has only one level. The effect
    /// at the earlier checkpoint precedes it.
    pub levels: Vec<Contrast>,
    /// The judged effect. It is the mean over the endpoint's levels, else the effect at the
    /// strongest level. `None` if nothing was measured or the effect is withheld. A mean names the
    /// samples of the strongest level.
    pub effect: Option<Contrast>,
    /// The effect within each network, by increasing seed. If the arm is compared with a fixed
    /// value, it is the arm's value minus the fixed value. Empty if the arm and its control have
    /// separate networks.
    pub seeds: Vec<SeedEffect>,
    /// The p-value of the effect, adjusted over the endpoints of the family (Benjamini-Hochberg).
    /// `None` if the p-value is unknown or the claim is true by construction.
    pub adjusted_p: Option<f64>,
    /// The difference at equal strength, by regression of the metric on strength. `None` if the arm
    /// and its control cannot be matched. Also `None` for paired endpoints, which have
    /// `sensitivity` instead.
    pub matched: Option<Estimate>,
    /// For an endpoint whose arm and control have the same networks: the effects with the arm at
    /// half and at twice the simulations of its control. Empty for other endpoints.
    pub sensitivity: Vec<Contrast>,
    /// Dependence of the effect on the choice of levels and on single networks.
    pub robustness: Robustness,
    /// Every gate of the endpoint, in the order of evaluation.
    pub gates: Vec<Gate>,
}

/// The effect for other choices of levels or networks. The verdict does not depend on these
/// effects.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Robustness {
    /// Mean effect over all played levels. `None` if this is the judged effect, or if the metric
    /// exists at one level only.
    pub all_levels: Option<Contrast>,
    /// Effect at the strongest level alone. `None` if this is the judged effect, or if the metric
    /// exists at one level only.
    pub strongest: Option<Contrast>,
    /// The effect with one network left out, for each network in turn, by increasing seed. Empty if
    /// the arm and its control have separate networks.
    pub without: Vec<WithoutSeed>,
}

/// A look: one computation of a study's results from its games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookTaken {
    /// BLAKE3 hash of the study's file at the time of the look. Comments, title, machine,
    /// resampling, the folder of the endgame tablebases and the order of agents are not hashed.
    pub file: String,
    /// Networks that existed at the time of the look, as `agent-seed`.
    pub networks: Vec<String>,
    /// BLAKE3 hashes of the files of these networks, in ascending order. Empty in looks of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hashes: Vec<String>,
    /// Search levels of the games, in simulations per move.
    pub levels: Vec<u32>,
    /// True if only the scatter between training seeds was shown, and no effect.
    pub variances_only: bool,
}

/// Registration of a study before its first game, and all looks at its results so far.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Registration {
    /// BLAKE3 hash of the registered study file, in hex.
    pub hash: String,
    /// Keys of the study's file that changed since the registration, with their old and new values.
    pub changes: Vec<Difference>,
    /// The distinct looks at the results, the present one last.
    pub looks: Vec<LookTaken>,
    /// Significance level of the present look, after earlier looks spent their parts. All endpoints
    /// of a family share it. 0 for a look at the scatter alone.
    pub alpha: f64,
}
