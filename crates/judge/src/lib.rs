//! Judgements of registered endpoints from measurements, as data.
//!
//! An arm is a rule set of a study, and its control is the rule set that it is compared with. An
//! endpoint is one registered claim about an effect: the value of a metric for an arm minus its
//! value for the control. The effect is judged at the strongest search level (simulations per
//! move). Instead, an endpoint can average the effect over registered levels.
//!
//! A gate is a condition that a verdict requires. The same gates apply to every effect (`gates`):
//!
//! 1. *Significance.* The effect must be significant for other training seeds, not only for these
//!    networks. The test is Student's t over training seeds. It is paired if one network per seed
//!    plays both the arm and the control. The p-value is adjusted for the number of endpoints in
//!    the family. Each earlier look at the results reduces the significance level.
//! 2. *Sign.* The effect must have the same sign at the next weaker level, or at each averaged
//!    level. Measures from network analyses exist at one level only. For these, an earlier
//!    checkpoint is compared instead.
//! 3. *Strength.* Strength must not explain the effect. If the same networks play both, the effect
//!    must keep its sign with the arm at half and at twice the simulations of its control
//!    (`sides`). If the arm and the control have separate networks, the whole interval between
//!    equally strong players must have the effect's sign (`matched`). This gate does not apply to
//!    comparisons with a fixed value. It does not apply to paired measures of the prior either,
//!    because they involve no search.
//!
//! A [`Scheme`] turns the gates into a verdict (`verdict`). The smallest effect of interest is
//! registered with the endpoint.
//!
//! | whole interval for other seeds | [`Scheme::Symmetric`] | [`Scheme::Registered`] |
//! |---|---|---|
//! | beyond the smallest effect, gates passed | more or fewer | supported or contradicted |
//! | beyond 0 only, gates passed | more or fewer, size unclear | supported or contradicted |
//! | inside the smallest effect | no difference that matters, if gate 3 agrees | equivalent |
//! | anything else | not settled | open |
//!
//! Gate 3 agrees if its intervals are inside the smallest effect, too.
//!
//! In the symmetric scheme, gates 2 and 3 pass only if their 95 % intervals exclude 0. In the
//! registered scheme, the sign of the estimate suffices for gate 2 and for half and twice the
//! simulations. [`Scheme::TheseNetworks`] uses the verdicts of the symmetric scheme. It uses the
//! interval for these networks and omits gates 2 and 3.
//!
//! Nothing is settled about a rule that no game has used (a placebo), or while registered seeds are
//! missing. A claim that is true by construction is judged alone and belongs to no family of tests.
//!
//! All choices follow from the registration ([`Design`]), never from results. Strength comes from
//! matches that are not games of the study.
//!
//! ```
//! use catapult_judge::results::Scheme;
//! use catapult_judge::{Case, Design, judge};
//!
//! let design = Design::default();
//! let case = Case {
//!     design: &design,
//!     measures: &[],
//!     strengths: &[],
//!     placebos: &[],
//!     alpha: 0.05,
//!     scheme: Scheme::Symmetric,
//!     withheld: None,
//! };
//! assert!(judge(&[], &case).is_empty(), "without endpoints there is nothing to judge");
//! ```

mod alike;
mod design;
mod gates;
mod matched;
pub mod results;
mod sides;
mod strength;
mod verdict;

pub use alike::alike;
pub use design::{Agent, Design, Side};

use crate::results::{
    Endpoint, Gate, GateKind, Judgement, Place, Robustness, Scheme, Times, Unmatched, Withheld,
};
use catapult_measures::Arm;
use catapult_measures::data::Checkpoint;
use catapult_measures::games::GameInfo;
use catapult_measures::results::{Contrast, Measure, Placebo, Strength};
use catapult_stats::{Criterion, benjamini_hochberg};
use sides::{Compared, Comparison, Effect, sensitivity_levels};
use std::collections::BTreeMap;

/// Significance level of a study whose results are looked at only once.
pub const SIGNIFICANT: f64 = 0.05;

/// Inputs of [`judge`] besides the endpoints.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The registered parts of the study on which judgements depend.
    pub design: &'a Design,
    /// Values of metrics by sample, as measured from the study's games.
    pub measures: &'a [Measure],
    /// Results of the matches that measure each network's strength.
    pub strengths: &'a [Strength],
    /// Rules that no game of an arm used, with the arm.
    pub placebos: &'a [Placebo],
    /// Significance level of the present look at the results, after earlier looks spent their
    /// parts. All endpoints of a family share it.
    pub alpha: f64,
    /// The scheme that turns gates into a verdict.
    pub scheme: Scheme,
    /// Reason to withhold effects and report only the scatter between training seeds. `None` if
    /// effects are reported.
    pub withheld: Option<&'a Withheld>,
}

/// Effects of one endpoint, from which its gates are computed.
struct Finding<'a> {
    endpoint: &'a Endpoint,
    case: &'a Case<'a>,
    /// Effects by search level, weakest first. If the sign gate compares the earlier checkpoint,
    /// the effect at that checkpoint comes first.
    levels: Vec<Effect<'a>>,
    /// The judged effect. `None` if nothing was measured.
    effect: Option<Effect<'a>>,
    /// The effect for other choices of levels or networks.
    robustness: Robustness,
    /// The gates about the sign at other levels or checkpoints, with the effects that they check. An
    /// effect is `None` if it was not measured.
    signs: Vec<(GateKind, Option<Effect<'a>>)>,
    /// The gates about strength if the same networks play the arm and its control, with the mean
    /// effects that they check. An effect is `None` if there are no levels or no measures.
    budgets: Vec<(GateKind, Option<Effect<'a>>)>,
    /// The difference at equal strength if the arm and its control have separate networks. The
    /// error is the reason why it is unknown.
    matched: Option<Result<Compared, Unmatched>>,
}

/// The budgets of the arm that the gate about strength checks, with their ratios to the control's.
const BUDGETS: [(Times, (u32, u32)); 2] = [(Times::Half, (1, 2)), (Times::Twice, (2, 1))];

/// Judges the endpoints. Returns one judgement per endpoint, in the same order.
pub fn judge(endpoints: &[Endpoint], case: &Case) -> Vec<Judgement> {
    let findings: Vec<Finding> = endpoints.iter().map(|endpoint| Finding::new(endpoint, case)).collect();
    // Claims that are withheld, or about a rule that no game used, have no test.
    let p = |finding: &Finding| {
        let is_told = case.withheld.is_none() && finding.unused().is_none();
        let difference = &finding.effect.as_ref().filter(|_| is_told)?.difference;
        if case.scheme == Scheme::TheseNetworks { Some(difference.agents_p) } else { difference.rule_p }
    };
    let mut families: BTreeMap<Option<&str>, Vec<Option<f64>>> = BTreeMap::new();
    let tests = findings.iter().filter(|finding| !finding.endpoint.by_construction);
    for test in tests {
        families.entry(test.endpoint.family.as_deref()).or_default().push(p(test));
    }
    let adjust = |(name, tests): (_, Vec<_>)| (name, (tests.len(), benjamini_hochberg(&tests).into_iter()));
    let mut families: BTreeMap<_, _> = families.into_iter().map(adjust).collect();
    let judged = findings.iter().map(|finding| {
        let family = families.get_mut(&finding.endpoint.family.as_deref());
        // A single effect among many must pass the strictest of Benjamini and Hochberg's
        // thresholds.
        match family.filter(|_| !finding.endpoint.by_construction) {
            Some((tests, adjusted)) => {
                finding.judgement(adjusted.next().flatten(), case.alpha / *tests as f64, *tests)
            }
            None => finding.judgement(p(finding), SIGNIFICANT, 0),
        }
    });
    judged.collect()
}

/// Returns the gates of an endpoint about sign and simulations that cannot pass, because the
/// registered study measures nothing for them. With such a gate, no verdict of
/// [`Scheme::Symmetric`] or [`Scheme::Registered`] can find an effect.
///
/// `measured` are the search levels at which the study measures the endpoint's metric for the arm
/// and its control, in simulations per move. `has_early` is true if it also measures the metric for
/// the early checkpoint of both.
pub fn gates_without_games(
    endpoint: &Endpoint,
    design: &Design,
    measured: &[u32],
    has_early: bool,
) -> Vec<GateKind> {
    let Some(comparison) = Comparison::new(endpoint, design, &[]) else { return Vec::new() };
    let (levels, missing): (Vec<u32>, Vec<u32>) =
        comparison.levels().into_iter().partition(|level| measured.contains(level));
    let mut gates = Vec::new();
    if comparison.is_of_analysis() {
        if !has_early {
            gates.push(GateKind::Sign { at: Place::Early });
        }
    } else if !comparison.is_over_levels() {
        match endpoint.levels.as_slice() {
            [] if levels.len() < 2 => gates.push(GateKind::Sign { at: Place::LevelBelow }),
            [] => {}
            _ => gates.extend(missing.into_iter().map(|level| GateKind::Sign { at: Place::Level(level) })),
        }
    }
    if comparison.has_budgets() {
        let judged = if endpoint.levels.is_empty() { strongest_two(&levels) } else { &levels };
        let is_missing = |factor: &(u32, u32)| {
            let pairs = sensitivity_levels(judged, &design.levels, *factor);
            !pairs.iter().any(|(arm, control)| measured.contains(arm) && measured.contains(control))
        };
        let missing = BUDGETS.into_iter().filter(|(_, factor)| is_missing(factor));
        gates.extend(missing.map(|(times, _)| GateKind::Budget { times, levels: Vec::new() }));
    }
    gates
}

/// Returns the last two of levels that rise.
fn strongest_two(levels: &[u32]) -> &[u32] {
    &levels[levels.len().saturating_sub(2)..]
}

impl<'a> Finding<'a> {
    fn new(endpoint: &'a Endpoint, case: &'a Case<'a>) -> Finding<'a> {
        let mut finding = Finding {
            endpoint,
            case,
            levels: Vec::new(),
            effect: None,
            robustness: Robustness::default(),
            signs: Vec::new(),
            budgets: Vec::new(),
            matched: None,
        };
        if let Some(comparison) = Comparison::new(endpoint, case.design, case.measures) {
            finding.look_at(&comparison);
        }
        finding
    }

    fn look_at(&mut self, comparison: &Comparison<'a>) {
        let levels = comparison.levels();
        let at = |level: u32| comparison.effect((Checkpoint::Last, level));
        let sign = |level: &u32| (GateKind::Sign { at: Place::Level(*level) }, at(*level));
        let (measured, mut effects): (Vec<u32>, Vec<Effect>) =
            levels.iter().filter_map(|level| Some((*level, at(*level)?))).unzip();
        let judged: Vec<u32> = if comparison.is_of_analysis() {
            let early = comparison.effect((Checkpoint::Early, self.case.design.early));
            self.signs = vec![(GateKind::Sign { at: Place::Early }, early.clone())];
            effects.splice(0..0, early);
            measured.last().copied().into_iter().collect()
        } else if comparison.is_over_levels() {
            // One value over all levels: no other level can confirm its sign.
            levels.clone()
        } else if self.endpoint.levels.is_empty() {
            let strongest = strongest_two(&measured);
            self.signs = match strongest {
                [second, _] => vec![sign(second)],
                _ => vec![(GateKind::Sign { at: Place::LevelBelow }, None)],
            };
            strongest.to_vec()
        } else {
            self.signs = levels.iter().map(sign).collect();
            levels.clone()
        };
        self.effect = if self.endpoint.levels.is_empty() || comparison.is_of_analysis() {
            judged.last().and_then(|level| at(*level))
        } else if effects.len() == levels.len() {
            Effect::mean(&effects)
        } else {
            None
        };
        self.levels = effects;
        self.robustness = self.robustness(comparison);
        if comparison.has_budgets() {
            self.budgets = BUDGETS.map(|budget| self.budget(comparison, &judged, budget)).into();
        } else if let Some(control) = comparison.control.filter(|_| !comparison.is_paired()) {
            self.matched = Some(matched::matched(comparison, control, self.case.strengths));
        }
    }

    fn robustness(&self, comparison: &Comparison<'a>) -> Robustness {
        let without = self.effect.as_ref().map(Effect::without).unwrap_or_default();
        if comparison.is_of_analysis() {
            return Robustness { without, ..Robustness::default() };
        }
        let mut played = self.case.design.levels.clone();
        played.sort_unstable();
        let effects: Vec<Effect> =
            played.iter().filter_map(|&level| comparison.effect((Checkpoint::Last, level))).collect();
        let is_judged =
            |other: &Effect| self.effect.as_ref().is_some_and(|effect| effect.difference == other.difference);
        let unless_judged = |other: Option<Effect>| Some(other.filter(|it| !is_judged(it))?.contrast());
        let strongest = comparison.effect((Checkpoint::Last, played.last().copied().unwrap_or_default()));
        let [all_levels, strongest] = [Effect::mean(&effects), strongest].map(unless_judged);
        Robustness { all_levels, strongest, without }
    }

    /// Returns the gate for one of the [`BUDGETS`], with the mean effect that it checks.
    fn budget(
        &self,
        comparison: &Comparison<'a>,
        judged: &[u32],
        (times, factor): (Times, (u32, u32)),
    ) -> (GateKind, Option<Effect<'a>>) {
        let last = |level: u32| (Checkpoint::Last, level);
        let measured = |pair: &(u32, u32)| comparison.between(last(pair.0), last(pair.1));
        let mut levels = sensitivity_levels(judged, &self.case.design.levels, factor);
        levels.retain(|pair| measured(pair).is_some());
        let effects: Vec<Effect> = levels.iter().filter_map(measured).collect();
        (GateKind::Budget { times, levels }, Effect::mean(&effects))
    }

    /// Returns the first added rule that no game of the endpoint's arm used. Skips rules that no
    /// game of the control used either, because they do not separate the two. Skips rules that the
    /// control has too, if it forbids no kind of move, because the arm does not add them. `None` if
    /// there is no such rule.
    fn unused(&self) -> Option<&'a str> {
        let of = |arm: Arm| {
            let its = self.case.placebos.iter().filter(move |placebo| placebo.arm == arm);
            its.map(|placebo| placebo.rule.as_str())
        };
        // A rule without a list of uses stands for all rules of a game, under the same id in every
        // game.
        let has = |arm: Arm, rule: &str| {
            let mut added = GameInfo::of(arm.rules).added_rules.into_iter();
            added.any(|added| added.id == rule && !added.uses.is_empty())
        };
        let is_shared = |rule: &&str| {
            let control = self.endpoint.control;
            control.is_some_and(|control| {
                of(control).any(|it| it == *rule) || control.without.is_none() && has(control, rule)
            })
        };
        of(self.endpoint.arm).find(|rule| !is_shared(rule))
    }

    /// Returns the significance level of the endpoint's test. It is 5 % for a claim that is true by
    /// construction, else the level left to this look.
    fn level(&self) -> f64 {
        if self.endpoint.by_construction { SIGNIFICANT } else { self.case.alpha }
    }

    /// Returns the judgement for the adjusted p-value `p`. `alpha` is the significance level for
    /// which power is computed. `tests` is the number of tests in the family, 0 for a claim that is
    /// true by construction.
    fn judgement(&self, p: Option<f64>, alpha: f64, tests: usize) -> Judgement {
        let gates = self.gates(p, alpha);
        let value = self.effect.as_ref().filter(|_| self.case.withheld.is_none()).map(Effect::value);
        let judgement = Judgement {
            endpoint: self.endpoint.clone(),
            scheme: self.case.scheme,
            verdict: verdict::verdict(self.case.scheme, self.endpoint, value, &gates),
            withheld: self.case.withheld.cloned(),
            alpha: self.level(),
            tests,
            networks: self.effect.as_ref().map_or(0, Effect::networks),
            levels: Vec::new(),
            effect: None,
            seeds: Vec::new(),
            adjusted_p: None,
            matched: None,
            sensitivity: Vec::new(),
            robustness: Robustness::default(),
            gates,
        };
        if self.case.withheld.is_some() { withheld(judgement) } else { self.told(judgement, p, alpha) }
    }

    /// Adds the effect, and everything derived from the effect, to a judgement. `alpha` is the
    /// significance level for which power is computed.
    fn told(&self, judgement: Judgement, p: Option<f64>, alpha: f64) -> Judgement {
        let smallest = self.endpoint.smallest_effect;
        let told = |effect: &Effect| {
            let power = effect.scatter().map(|s| s.power(smallest, Criterion::Significance(alpha)));
            Contrast { power, ..effect.contrast() }
        };
        let mut levels: Vec<Contrast> = self.levels.iter().map(told).collect();
        let power = judgement.gates.iter().map(|gate| gate.power).reduce(|a, b| Some(a?.min(b?))).flatten();
        let effect = self.effect.as_ref().map(|effect| Contrast { power, ..effect.contrast() });
        // If the strongest level is the judged effect, both have the same power.
        if let (Some(last), Some(effect)) = (levels.last_mut(), &effect)
            && last.difference == effect.difference
        {
            last.power = effect.power;
        }
        let matched = self.matched.as_ref().and_then(|matched| matched.as_ref().ok());
        let sensitivity = self.budgets.iter().filter_map(|(_, effect)| effect.as_ref().map(Effect::contrast));
        Judgement {
            levels,
            effect,
            seeds: self.effect.as_ref().map(Effect::seeds).unwrap_or_default(),
            adjusted_p: p.filter(|_| !self.endpoint.by_construction),
            matched: matched.map(|(difference, _)| difference.estimate),
            sensitivity: sensitivity.collect(),
            robustness: self.robustness.clone(),
            ..judgement
        }
    }
}

/// Removes everything that reveals the effect from a judgement. Scatter, power and required seeds
/// remain.
fn withheld(judgement: Judgement) -> Judgement {
    let gate = |gate: Gate| {
        let kind = match gate.kind {
            GateKind::EqualStrength { .. } => GateKind::EqualStrength { unmatched: None },
            kind => kind,
        };
        Gate { kind, value: None, interval: None, passed: None, ..gate }
    };
    Judgement { gates: judgement.gates.into_iter().map(gate).collect(), ..judgement }
}

#[cfg(test)]
mod family_tests;
#[cfg(test)]
mod paired_tests;
#[cfg(test)]
mod tests;
