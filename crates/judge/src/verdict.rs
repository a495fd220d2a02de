//! Rules that turn gates into verdicts.

use crate::results::{Direction, Endpoint, Gate, GateKind, Scheme, Verdict};

/// Returns the verdict on an effect. `value` is the estimate of the effect, or `None` if nothing
/// was measured.
pub(super) fn verdict(scheme: Scheme, endpoint: &Endpoint, value: Option<f64>, gates: &[Gate]) -> Verdict {
    let unused = gates.iter().any(|gate| matches!(gate.kind, GateKind::Used { .. }));
    let value = value.filter(|_| !unused);
    match scheme {
        Scheme::Registered => registered(endpoint, value, gates),
        Scheme::Symmetric | Scheme::TheseNetworks => symmetric(endpoint.smallest_effect, value, gates),
    }
}

/// Returns the verdict of the registered scheme.
///
/// The verdict is equivalent if the whole interval lies inside the smallest effect of interest. The
/// gates do not matter then. Otherwise, if every gate passes, the effect's sign decides between
/// supported and contradicted.
fn registered(endpoint: &Endpoint, value: Option<f64>, gates: &[Gate]) -> Verdict {
    let Some(value) = value else { return Verdict::Open };
    if significance(gates).is_some_and(|gate| gate.is_inside(endpoint.smallest_effect)) {
        return Verdict::Equivalent;
    }
    let as_claimed = match endpoint.direction {
        Direction::Lower => value < 0.0,
        Direction::Higher => value > 0.0,
    };
    match (all_passed(gates), as_claimed) {
        (false, _) => Verdict::Open,
        (true, true) => Verdict::Supported,
        (true, false) => Verdict::Contradicted,
    }
}

/// Returns the verdict of the symmetric scheme.
///
/// There is no difference that matters if the whole interval lies inside the smallest effect of
/// interest. The intervals of the strength gates must also lie inside it. Otherwise every gate must
/// pass. The verdict then depends on the interval: beyond the smallest effect, or beyond 0 only.
fn symmetric(smallest: f64, value: Option<f64>, gates: &[Gate]) -> Verdict {
    let effect = value.and(significance(gates));
    let Some([low, high]) = effect.and_then(|gate| gate.interval) else { return Verdict::NotSettled };
    let mut asked = effect.into_iter().chain(gates.iter().filter(|gate| gate.is_of_strength()));
    if asked.all(|gate| gate.is_inside(smallest)) {
        return Verdict::NoDifferenceThatMatters;
    }
    match () {
        () if !all_passed(gates) => Verdict::NotSettled,
        () if low > smallest => Verdict::More,
        () if high < -smallest => Verdict::Fewer,
        () if low > 0.0 => Verdict::MoreSizeUnclear,
        () if high < 0.0 => Verdict::FewerSizeUnclear,
        () => Verdict::NotSettled,
    }
}

/// Returns the gate of significance, whose interval is that of the effect.
fn significance(gates: &[Gate]) -> Option<&Gate> {
    gates.iter().find(|gate| gate.kind == GateKind::Significant)
}

fn all_passed(gates: &[Gate]) -> bool {
    gates.iter().all(|gate| gate.passed == Some(true))
}

#[cfg(test)]
mod tests {
    use super::super::tests::fewer_draws;
    use super::*;
    use crate::results::{Place, Times};

    /// Returns a gate with this interval. It passes if the whole interval has the sign of `sign`.
    fn gate(kind: GateKind, interval: Option<[f64; 2]>, sign: f64) -> Gate {
        let passed = interval.map(|ends| ends.iter().all(|end| end * sign > 0.0));
        let value = interval.map(|[low, high]| (low + high) / 2.0);
        Gate { kind, value, interval, threshold: Some(0.0), passed, power: None, seeds: None, scatter: None }
    }

    fn budget(times: Times, interval: Option<[f64; 2]>, sign: f64) -> Gate {
        gate(GateKind::Budget { times, levels: vec![(64, 128)] }, interval, sign)
    }

    /// Returns the verdict for four intervals. They are of the effect, of the effect at the level
    /// below, and of the effects with the arm at half and at twice the control's simulations. The
    /// smallest effect of interest is 0.05.
    fn judged(scheme: Scheme, effect: [f64; 2], below: [f64; 2], half: [f64; 2], twice: [f64; 2]) -> Verdict {
        let value = (effect[0] + effect[1]) / 2.0;
        let gates = [
            gate(GateKind::Significant, Some(effect), value),
            gate(GateKind::Sign { at: Place::Level(64) }, Some(below), value),
            budget(Times::Half, Some(half), value),
            budget(Times::Twice, Some(twice), value),
        ];
        verdict(scheme, &fewer_draws(None), Some(value), &gates)
    }

    fn alike(effect: [f64; 2]) -> Verdict {
        judged(Scheme::Symmetric, effect, effect, effect, effect)
    }

    #[test]
    fn the_symmetric_scheme_asks_where_the_whole_interval_lies() {
        for (effect, expected) in [
            ([0.06, 0.09], Verdict::More),
            ([-0.09, -0.06], Verdict::Fewer),
            ([0.01, 0.09], Verdict::MoreSizeUnclear),
            ([-0.09, -0.01], Verdict::FewerSizeUnclear),
            ([-0.04, 0.04], Verdict::NoDifferenceThatMatters),
            ([-0.01, 0.09], Verdict::NotSettled),
            ([-0.09, 0.09], Verdict::NotSettled),
            // An end on a bound is neither beyond nor inside it.
            ([0.05, 0.09], Verdict::MoreSizeUnclear),
            ([-0.09, -0.05], Verdict::FewerSizeUnclear),
            ([0.0, 0.09], Verdict::NotSettled),
            ([-0.05, 0.04], Verdict::NotSettled),
            // The effect is certain, but too small.
            ([0.01, 0.04], Verdict::NoDifferenceThatMatters),
        ] {
            assert_eq!(alike(effect), expected, "{effect:?}");
        }
    }

    #[test]
    fn no_difference_must_hold_at_half_and_twice_the_simulations() {
        let of = |effect, half, twice| judged(Scheme::Symmetric, effect, effect, half, twice);
        let (inside, outside) = ([0.01, 0.04], [0.02, 0.06]);
        assert_eq!(of(inside, inside, inside), Verdict::NoDifferenceThatMatters);
        // Otherwise it is a difference of unclear size, or not settled if its sign is uncertain.
        assert_eq!(of(inside, outside, inside), Verdict::MoreSizeUnclear);
        assert_eq!(of(inside, inside, outside), Verdict::MoreSizeUnclear);
        assert_eq!(of([-0.01, 0.04], inside, outside), Verdict::NotSettled);
        // The registered scheme checks only the effect for equivalence.
        let registered = judged(Scheme::Registered, inside, inside, [-0.2, -0.1], outside);
        assert_eq!(registered, Verdict::Equivalent);
    }

    #[test]
    fn more_needs_every_gate() {
        let far = [0.06, 0.09];
        let of = |below, half, twice| judged(Scheme::Symmetric, far, below, half, twice);
        assert_eq!(of(far, far, far), Verdict::More);
        for noise in [[-0.01, 0.02], [-0.09, -0.06], [0.0, 0.02]] {
            assert_eq!(of(noise, far, far), Verdict::NotSettled, "{noise:?}");
            assert_eq!(of(far, noise, far), Verdict::NotSettled, "{noise:?}");
            assert_eq!(of(far, far, noise), Verdict::NotSettled, "{noise:?}");
        }
        let endpoint = fewer_draws(None);
        let symmetric = |gates: &[Gate]| verdict(Scheme::Symmetric, &endpoint, Some(0.075), gates);
        let significant = gate(GateKind::Significant, Some(far), 1.0);
        assert_eq!(symmetric(std::slice::from_ref(&significant)), Verdict::More);
        // Adjusted for the family, it is not significant.
        assert_eq!(symmetric(&[Gate { passed: Some(false), ..significant.clone() }]), Verdict::NotSettled);
        // Cases: not measured at half the simulations, one network, a rule that no game used.
        assert_eq!(symmetric(&[significant.clone(), budget(Times::Half, None, 1.0)]), Verdict::NotSettled);
        assert_eq!(symmetric(&[Gate { interval: None, ..significant.clone() }]), Verdict::NotSettled);
        let unused = gate(GateKind::Used { rule: "+third".to_owned() }, None, 1.0);
        assert_eq!(symmetric(&[unused, significant.clone()]), Verdict::NotSettled);
        assert_eq!(verdict(Scheme::Symmetric, &endpoint, None, &[significant]), Verdict::NotSettled);
    }

    #[test]
    fn the_strength_gates_of_no_difference_are_asked_of_own_networks_too() {
        let inside = Some([-0.02, 0.01]);
        let of = |matched| {
            let gates = [
                gate(GateKind::Significant, inside, -1.0),
                gate(GateKind::EqualStrength { unmatched: None }, matched, -1.0),
            ];
            verdict(Scheme::Symmetric, &fewer_draws(None), Some(-0.005), &gates)
        };
        assert_eq!(of(Some([-0.03, 0.03])), Verdict::NoDifferenceThatMatters);
        assert_eq!(of(Some([-0.06, 0.03])), Verdict::NotSettled);
        assert_eq!(of(None), Verdict::NotSettled);
    }

    #[test]
    fn the_registered_scheme_asks_for_the_claims_direction() {
        let of = |effect| judged(Scheme::Registered, effect, effect, effect, effect);
        assert_eq!(of([-0.09, -0.01]), Verdict::Supported);
        assert_eq!(of([0.01, 0.09]), Verdict::Contradicted);
        assert_eq!(of([-0.09, 0.01]), Verdict::Open);
        assert_eq!(of([-0.04, 0.01]), Verdict::Equivalent);
        assert_eq!(of([-0.05, 0.01]), Verdict::Open);
    }
}
