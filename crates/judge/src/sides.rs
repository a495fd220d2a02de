//! The samples of games that an endpoint compares (its sides), and the effect between them.

use super::design::{Design, Side};
use crate::results::{Endpoint, SeedEffect};
use catapult_measures::data::{Checkpoint, SampleId};
use catapult_measures::metrics::{self, is_of_analysis, is_over_levels};
use catapult_measures::results::{Contrast, Measure, Unit};
use catapult_stats::{
    Difference, Scatter, Term, WithoutSeed, combination, error_of, harmonic_mean, inside, leave_one_out,
};
use std::collections::BTreeSet;

/// A checkpoint and a search level in simulations per move.
pub(super) type At = (Checkpoint, u32);

/// The arm, its control and the agents that an endpoint compares. The registration determines them.
pub(super) struct Comparison<'a> {
    pub endpoint: &'a Endpoint,
    pub design: &'a Design,
    pub measures: &'a [Measure],
    pub arm: Side<'a>,
    /// `None` if the arm is compared with a fixed value.
    pub control: Option<Side<'a>>,
}

/// A weighted sum of measures that is an effect, such as arm minus control, with its intervals.
#[derive(Clone)]
pub(super) struct Effect<'a> {
    /// Terms of the sum, grouped by networks. If the same networks play the arm and its control,
    /// there is one group. There is also one group if the arm is compared with a fixed value.
    /// Otherwise there are two groups, the arm's first.
    sides: Vec<Vec<Term<'a>>>,
    constant: f64,
    metric: &'a str,
    arm: SampleId,
    control: Option<SampleId>,
    pub difference: Difference,
}

impl<'a> Comparison<'a> {
    /// Creates the comparison of an endpoint. `None` if no agent plays the arm or the control.
    pub(super) fn new(
        endpoint: &'a Endpoint,
        design: &'a Design,
        measures: &'a [Measure],
    ) -> Option<Comparison<'a>> {
        let (arm, control) = design.sides(endpoint)?;
        Some(Comparison { endpoint, design, measures, arm, control })
    }

    /// Returns true if one agent plays both the arm and its control.
    pub(super) fn is_paired(&self) -> bool {
        self.control.is_some_and(|(_, agent)| agent == self.arm.1)
    }

    /// Returns true if the arm can play at half and at twice the simulations of its control, with
    /// the same networks. A metric of network analyses, and a metric over all levels, has no other
    /// level with which it could be compared.
    pub(super) fn has_budgets(&self) -> bool {
        self.is_paired() && !self.is_of_analysis() && !self.is_over_levels()
    }

    /// Returns true if the endpoint's metric is fitted to all levels together. Such a metric exists
    /// at one level per arm and agent.
    pub(super) fn is_over_levels(&self) -> bool {
        is_over_levels(&self.endpoint.metric)
    }

    /// Returns true if the endpoint's metric comes from network analyses. Such a metric exists at
    /// only one level per checkpoint.
    pub(super) fn is_of_analysis(&self) -> bool {
        is_of_analysis(&self.endpoint.metric)
    }

    /// Returns search levels of the last checkpoint, weakest first, in simulations per move. This is
    /// the level of a metric over all levels. Otherwise these are the endpoint's levels if it names
    /// any, else all registered levels.
    pub(super) fn levels(&self) -> Vec<u32> {
        let Endpoint { levels: named, metric, .. } = self.endpoint;
        let mut levels: Vec<u32> = if self.is_over_levels() {
            // The fit may include levels at which no claim is judged.
            let is_its = |it: &&Measure| it.metric == *metric && side_of(&it.sample) == self.arm;
            self.measures.iter().filter(is_its).map(|it| it.sample.simulations).collect()
        } else if named.is_empty() {
            self.design.levels.clone()
        } else {
            named.clone()
        };
        levels.sort_unstable();
        levels
    }

    /// Returns the effect at one checkpoint and level. `None` if the arm or its control was not
    /// measured.
    pub(super) fn effect(&self, at: At) -> Option<Effect<'a>> {
        self.between(at, at)
    }

    /// Returns the effect with the arm at `arm_at` and its control at `control_at`. `None` if the
    /// arm or its control was not measured.
    pub(super) fn between(&self, arm_at: At, control_at: At) -> Option<Effect<'a>> {
        let arm = sample(self.arm, arm_at);
        let control = self.control.map(|control| sample(control, control_at));
        let mut sides = vec![vec![self.term(&arm, 1.0)?]];
        if let Some(control) = &control {
            let term = self.term(control, -1.0)?;
            if self.is_paired() { sides[0].push(term) } else { sides.push(vec![term]) }
        }
        let constant = -self.endpoint.against.unwrap_or_default();
        Effect::new(sides, constant, &self.endpoint.metric, arm, control)
    }

    /// Returns the term of the endpoint's metric for a sample. `None` if it was not measured.
    fn term(&self, sample: &SampleId, weight: f64) -> Option<Term<'a>> {
        let games = self.measures.iter().position(|measure| measure.sample == *sample)?;
        let is_it = |measure: &&Measure| measure.metric == self.endpoint.metric && measure.sample == *sample;
        let Measure { estimate, networks, .. } = self.measures.iter().find(is_it)?;
        Some(Term { weight, estimate: *estimate, networks, games })
    }
}

fn sample((arm, agent): Side, (checkpoint, simulations): At) -> SampleId {
    SampleId { arm, agent: agent.to_owned(), checkpoint, simulations }
}

/// Returns the rule set and the agent of a sample.
pub(super) fn side_of(sample: &SampleId) -> Side<'_> {
    (sample.arm, &sample.agent)
}

impl<'a> Effect<'a> {
    /// Creates the effect whose value is the sum of all terms in `sides` plus `constant`. `None` if
    /// the value or its interval is not finite.
    fn new(
        sides: Vec<Vec<Term<'a>>>,
        constant: f64,
        metric: &'a str,
        arm: SampleId,
        control: Option<SampleId>,
    ) -> Option<Effect<'a>> {
        let borrowed: Vec<&[Term]> = sides.iter().map(Vec::as_slice).collect();
        let mut difference = combination(&borrowed, constant);
        if metrics::metric(metric).is_some_and(|it| it.unit == Unit::Share) {
            // Student's t interval may exceed the range of differences of shares.
            difference.estimate.rule.iter_mut().flatten().for_each(|end| *end = end.clamp(-1.0, 1.0));
        }
        let finite = difference.estimate.value.is_finite()
            && difference.estimate.agents.iter().all(|end| end.is_finite());
        finite.then_some(Effect { sides, constant, metric, arm, control, difference })
    }

    /// Returns the mean of several effects, which names the samples of the last one. `None` if
    /// `effects` is empty.
    pub(super) fn mean(effects: &[Effect<'a>]) -> Option<Effect<'a>> {
        let last = effects.last()?;
        let share = 1.0 / effects.len() as f64;
        let scaled = |term: &Term<'a>| Term { weight: term.weight * share, ..*term };
        let side = |i: usize| effects.iter().flat_map(|effect| effect.sides[i].iter().map(scaled)).collect();
        let sides = (0..last.sides.len()).map(side).collect();
        Effect::new(sides, last.constant, last.metric, last.arm.clone(), last.control.clone())
    }

    /// Returns the estimate of the effect: the arm's value minus the control's, or minus the fixed
    /// value.
    pub(super) fn value(&self) -> f64 {
        self.difference.estimate.value
    }

    /// Returns the number of networks of the arm and of its control, or of both together.
    fn counts(&self) -> Vec<usize> {
        self.sides.iter().map(|side| inside(side, 0.0).len()).collect()
    }

    /// Returns the number of networks of the arm or of its control, whichever is smaller.
    pub(super) fn networks(&self) -> usize {
        self.counts().into_iter().min().unwrap_or_default()
    }

    /// Returns the scatter of the effect between training seeds. `None` with fewer than three
    /// seeds.
    pub(super) fn scatter(&self) -> Option<Scatter> {
        scatter(&self.difference, &self.counts())
    }

    /// Returns the effect within each network. Empty if the arm and its control have separate
    /// networks.
    pub(super) fn seeds(&self) -> Vec<SeedEffect> {
        match self.sides.as_slice() {
            [side] => inside(side, self.constant),
            _ => Vec::new(),
        }
    }

    /// Returns the effect with one network left out, for each network in turn. Empty if the arm and
    /// its control have separate networks.
    pub(super) fn without(&self) -> Vec<WithoutSeed> {
        match self.sides.as_slice() {
            [side] => leave_one_out(side, self.constant),
            _ => Vec::new(),
        }
    }

    /// Converts the effect to the form in which reports show it, without power.
    pub(super) fn contrast(&self) -> Contrast {
        Contrast::of_samples(self.metric, self.arm.clone(), self.control.clone(), &self.difference)
    }
}

/// A difference and its scatter between training seeds, which is `None` with fewer than three seeds.
pub(super) type Compared = (Difference, Option<Scatter>);

/// Returns the scatter of a difference between training seeds. `networks` are the numbers of
/// networks of the arm and of its control, or of both together. `None` with fewer than three seeds.
pub(super) fn scatter(difference: &Difference, networks: &[usize]) -> Option<Scatter> {
    Some(Scatter {
        spread: difference.spread?,
        least: error_of(difference.estimate.agents),
        networks: harmonic_mean(networks),
        sides: networks.len(),
    })
}

/// Returns pairs (arm's level, control's level) whose ratio is `factor`, given as numerator and
/// denominator. Levels are in simulations per move. The control is at the levels in `judged`. If no
/// such pair was played, the arm is at the levels in `judged` instead.
pub(super) fn sensitivity_levels(judged: &[u32], played: &[u32], factor: (u32, u32)) -> Vec<(u32, u32)> {
    let played: BTreeSet<u32> = played.iter().chain(judged).copied().collect();
    let scaled = |level: u32, (by, over): (u32, u32)| {
        let level = (level * by).is_multiple_of(over).then_some(level * by / over);
        level.filter(|level| played.contains(level))
    };
    let of_control = |&control: &u32| Some((scaled(control, factor)?, control));
    let of_arm = |&arm: &u32| Some((arm, scaled(arm, (factor.1, factor.0))?));
    let found: Vec<_> = judged.iter().filter_map(of_control).collect();
    if found.is_empty() { judged.iter().filter_map(of_arm).collect() } else { found }
}

#[cfg(test)]
mod tests {
    use super::sensitivity_levels;

    #[test]
    fn the_arm_is_held_at_half_and_twice_of_what_is_played() {
        let played = [16, 32, 64, 128];
        assert_eq!(sensitivity_levels(&[64, 128], &played, (1, 2)), [(32, 64), (64, 128)]);
        assert_eq!(sensitivity_levels(&[64, 128], &played, (2, 1)), [(128, 64)]);
        assert_eq!(sensitivity_levels(&[128], &played, (2, 1)), [(128, 64)]);
        assert_eq!(sensitivity_levels(&[48], &played, (1, 2)), []);
        assert_eq!(sensitivity_levels(&[16], &[16], (2, 1)), []);
        assert_eq!(sensitivity_levels(&[15], &[7, 15], (1, 2)), [], "half of 15 is no level");
    }
}
