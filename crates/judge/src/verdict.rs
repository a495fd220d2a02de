//! From conditions to a verdict.

use super::condition::Condition;
use super::words::Words;
use super::{Finding, SIGNIFICANT};
use crate::results::{Direction, Verdict};
use catapult_stats::interval_for_the_rule;

impl Finding<'_> {
    /// The verdict, its reason, and what would settle it.
    pub(super) fn verdict(
        &self,
        conditions: &[Condition],
        p: Option<f64>,
        words: &Words,
    ) -> (Verdict, String, String) {
        let marked = |reason: String| {
            if self.endpoint.by_construction {
                format!("{} {reason}", words.by_construction())
            } else {
                reason
            }
        };
        let Some(effect) = &self.effect else {
            let settle = conditions.first().map(|condition| condition.settle.clone()).unwrap_or_default();
            return (Verdict::Open, marked(words.not_measured()), settle);
        };
        let value = effect.value();
        let found = words.found(effect);
        let failed: Vec<&Condition> = conditions.iter().filter(|c| c.gate.passed != Some(true)).collect();
        let level = if self.endpoint.by_construction { SIGNIFICANT } else { self.case.alpha };
        let smallest = self.endpoint.smallest_effect;
        let within = interval_for_the_rule(&effect.difference, level)
            .is_some_and(|ends| ends.iter().all(|end| end.abs() < smallest));
        if self.placebo().is_none() && within {
            let is_significant = p.is_some_and(|p| p < level);
            let reason = words.equivalent(&found, value, is_significant);
            return (Verdict::Equivalent, marked(reason), String::new());
        }
        if let Some(first) = failed.first() {
            let settle = words.would_settle(conditions, &failed);
            return (Verdict::Open, marked(format!("{found} {}", first.gate.found)), settle);
        }
        let as_claimed = match self.endpoint.direction {
            Direction::Lower => value < 0.0,
            Direction::Higher => value > 0.0,
        };
        let verdict = if as_claimed { Verdict::Supported } else { Verdict::Contradicted };
        (verdict, marked(words.all_hold(&found, conditions)), String::new())
    }
}
