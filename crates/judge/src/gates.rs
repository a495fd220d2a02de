//! The conditions of a verdict, each with its power and what would meet it.

use super::condition::Condition;
use super::sides::Effect;
use super::words::Words;
use super::{Budget, Finding, SIGNIFICANT, StrengthGate};
use crate::results::Gate;
use catapult_measures::results::Estimate;
use catapult_stats::{Asked, Scatter, seeds_needed};

impl Finding<'_> {
    /// Every condition, in the order in which they are asked. `p` is adjusted; `alpha` is what the only effect must pass.
    pub(super) fn conditions(&self, p: Option<f64>, alpha: f64, words: &Words) -> Vec<Condition> {
        let smallest = self.endpoint.smallest_effect;
        let known = |scatter: Option<Scatter>, asked: Asked| {
            let power = scatter.as_ref().map(|scatter| scatter.power(smallest, asked));
            (power, scatter.as_ref().and_then(|scatter| seeds_needed(smallest, scatter, asked)), scatter)
        };
        let mut conditions = Vec::new();
        let mut ask = |name: String, passed, found, place, settle, (power, seeds, scatter)| {
            let gate = Gate { name, passed, found, power, seeds };
            conditions.push(Condition { gate, place, settle, scatter });
        };

        if self.case.withheld.is_none()
            && let Some(unused) = self.placebo()
        {
            // No number of networks helps.
            let (found, settle) = (words.never_used(unused), words.use_of_the_rule());
            ask("rule used".to_owned(), Some(false), found, String::new(), settle, (None, None, None));
        }
        let effect = self.effect.as_ref();
        let level = if self.endpoint.by_construction { SIGNIFICANT } else { self.case.alpha };
        let scatter = known(effect.and_then(Effect::scatter), Asked::Significance(alpha));
        let (found, settle) = match (effect, p) {
            (None, _) => (words.not_measured(), words.games_to_measure()),
            (Some(effect), None) if scatter.2.is_none() => {
                (words.too_few_networks(effect.networks()), words.more_networks())
            }
            (Some(_), None) => (words.not_tested(), String::new()),
            (Some(effect), Some(p)) => (words.significance(p, level, &effect.difference), String::new()),
        };
        let passed = p.map(|p| p < level);
        ask("significant".to_owned(), passed, found, String::new(), settle, scatter);

        let same_sign = |other: &Effect| Some(same_sign(effect?.value(), other.value()));
        for (place, other) in &self.signs {
            let passed = other.as_ref().and_then(same_sign);
            let place = words.place(*place);
            let (found, settle) = words.sign(&place, other.as_ref().map(Effect::value), passed);
            let scatter = known(other.as_ref().and_then(Effect::scatter), Asked::Sign);
            ask(format!("sign {place}"), passed, found, place, settle, scatter);
        }
        match &self.strength {
            StrengthGate::Nothing => {}
            StrengthGate::Budgets(budgets) => {
                for Budget { times, levels, effect: other } in budgets {
                    let passed = other.as_ref().and_then(same_sign);
                    let value = other.as_ref().map(Effect::value);
                    let (found, settle) = words.budget(times, levels, value, passed);
                    let scatter = known(other.as_ref().and_then(Effect::scatter), Asked::Sign);
                    let place = words.with_budget(times, value);
                    ask(format!("{times} the simulations"), passed, found, place, settle, scatter);
                }
            }
            StrengthGate::Equal(matched) => {
                let estimate = matched.as_ref().map(|matched| matched.difference.estimate);
                let passed = match &estimate {
                    Ok(estimate) => effect.map(|effect| keeps_sign(effect.value(), estimate)),
                    Err(_) => None,
                };
                let (found, settle) = words.equal_strength(estimate, passed);
                let scatter = matched.as_ref().ok().and_then(|matched| matched.scatter);
                let place = estimate.map(|estimate| words.between_equals(estimate.value)).unwrap_or_default();
                let scatter = known(scatter, Asked::Significance(SIGNIFICANT));
                ask("equal strength".to_owned(), passed, found, place, settle, scatter);
            }
        }
        conditions
    }
}

fn same_sign(a: f64, b: f64) -> bool {
    a * b > 0.0
}

/// Whether the difference at equal strength is known, for the rule, to have this sign. An estimate of the same sign would
/// not do: where strength explains everything, every second one has it.
fn keeps_sign(value: f64, matched: &Estimate) -> bool {
    matched.rule.is_some_and(|ends| ends.iter().all(|&end| same_sign(value, end)))
}
