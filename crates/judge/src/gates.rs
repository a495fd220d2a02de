//! Gates: the conditions of a verdict. Each gate has its power and the number of training seeds
//! that it needs.

use super::sides::{Compared, Effect};
use super::{Finding, SIGNIFICANT};
use crate::results::{Gate, GateKind, Scheme};
use catapult_stats::{Criterion, Scatter, interval_for_the_rule, interval_for_these_networks, seeds_needed};

impl Finding<'_> {
    /// Returns all gates of the endpoint, in the order of evaluation.
    ///
    /// `p` is the effect's p-value, adjusted within the family. `alpha` is the significance level
    /// for which the power of the significance gate is computed.
    pub(super) fn gates(&self, p: Option<f64>, alpha: f64) -> Vec<Gate> {
        let effect = self.effect.as_ref();
        let mut gates = Vec::new();
        if let Some(rule) = self.unused().filter(|_| self.case.withheld.is_none()) {
            // No number of networks would pass this gate.
            let kind = GateKind::Used { rule: rule.to_owned() };
            gates.push(Gate { passed: Some(false), ..self.gate(kind, None, Criterion::Sign) });
        }
        let level = self.level();
        let scatter = effect.and_then(Effect::scatter);
        let finite = |ends: &[f64; 2]| ends.iter().all(|end| end.is_finite());
        let of_networks = self.case.scheme == Scheme::TheseNetworks;
        let interval = |it: &Effect| match of_networks {
            true => Some(interval_for_these_networks(&it.difference, level)),
            false => interval_for_the_rule(&it.difference, level),
        };
        gates.push(Gate {
            value: p,
            interval: effect.and_then(interval).filter(finite),
            threshold: Some(level),
            passed: p.map(|p| p < level),
            ..self.gate(GateKind::Significant, scatter, Criterion::Significance(alpha))
        });
        if of_networks {
            return gates;
        }
        // In the registered scheme, the estimate at other levels must have the sign. In the symmetric
        // scheme, the whole interval must have it.
        let beyond_noise = self.case.scheme != Scheme::Registered;
        let compared = |effect: &Effect| (effect.difference, effect.scatter());
        for (kind, other) in self.signs.iter().chain(&self.budgets) {
            gates.push(self.sign(kind.clone(), other.as_ref().map(compared), beyond_noise));
        }
        if let Some(matched) = &self.matched {
            let unmatched = matched.as_ref().err().cloned();
            // The whole interval must have the sign. If strength explained the effect, half of the
            // estimates would have the sign by chance.
            let matched = matched.as_ref().ok().copied();
            gates.push(self.sign(GateKind::EqualStrength { unmatched }, matched, true));
        }
        gates
    }

    /// Returns a gate that passes if `other` has the sign of the judged effect. If `beyond_noise` is
    /// true, both ends of the 95 % interval for other seeds must have the sign. Otherwise the
    /// estimate suffices.
    fn sign(&self, kind: GateKind, other: Option<Compared>, beyond_noise: bool) -> Gate {
        let criterion = if beyond_noise { Criterion::Significance(SIGNIFICANT) } else { Criterion::Sign };
        let estimate = other.map(|(difference, _)| difference.estimate);
        let passed = self.effect.as_ref().zip(estimate).map(|(effect, other)| {
            let has_sign = |end: f64| effect.value() * end > 0.0;
            match beyond_noise {
                true => other.rule.is_some_and(|ends| ends.into_iter().all(has_sign)),
                false => has_sign(other.value),
            }
        });
        let (value, interval) = (estimate.map(|it| it.value), estimate.and_then(|it| it.rule));
        let scatter = other.and_then(|(_, scatter)| scatter);
        Gate { value, interval, threshold: Some(0.0), passed, ..self.gate(kind, scatter, criterion) }
    }

    /// Creates a gate with its power and the number of seeds that it needs. Its value, interval,
    /// threshold and `passed` are `None`.
    fn gate(&self, kind: GateKind, scatter: Option<Scatter>, criterion: Criterion) -> Gate {
        let smallest = self.endpoint.smallest_effect;
        Gate {
            kind,
            value: None,
            interval: None,
            threshold: None,
            passed: None,
            power: scatter.as_ref().map(|scatter| scatter.power(smallest, criterion)),
            seeds: scatter.as_ref().and_then(|scatter| seeds_needed(smallest, scatter, criterion)),
            scatter,
        }
    }
}
