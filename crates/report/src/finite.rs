//! Leaves out what is no number: JSON has none for it, and a reader nothing to learn from it.

use crate::results::{Contrast, Estimate, Scatter, StudyResults};

/// The estimate, without an interval for other seeds that is not finite; none if the rest is not finite.
fn estimate(found: Estimate) -> Option<Estimate> {
    let finite = |ends: &[f64; 2]| ends.iter().all(|end| end.is_finite());
    let rule = found.rule.filter(finite);
    (found.value.is_finite() && finite(&found.agents)).then_some(Estimate { rule, ..found })
}

fn contrast(mut found: Contrast) -> Option<Contrast> {
    found.difference = estimate(found.difference)?;
    found.rule_p = found.rule_p.filter(|p| p.is_finite());
    found.power = found.power.filter(|power| power.is_finite());
    (found.agents_p.is_finite() && found.probability_above.is_finite()).then_some(found)
}

/// The results without what is not finite. A square without a number counts as 0.
pub(super) fn cleaned(results: &StudyResults) -> StudyResults {
    let mut results = results.clone();
    results.measures = std::mem::take(&mut results.measures)
        .into_iter()
        .filter_map(|mut measure| {
            measure.estimate = estimate(measure.estimate)?;
            measure.networks.retain(|network| network.value.is_finite() && network.error.is_finite());
            for network in &mut measure.networks {
                network.without = network.without.filter(|value| value.is_finite());
            }
            Some(measure)
        })
        .collect();
    results.contrasts = results.contrasts.into_iter().filter_map(contrast).collect();
    for judgement in &mut results.judgements {
        judgement.levels = std::mem::take(&mut judgement.levels).into_iter().filter_map(contrast).collect();
        judgement.effect = judgement.effect.take().and_then(contrast);
        judgement.sensitivity =
            std::mem::take(&mut judgement.sensitivity).into_iter().filter_map(contrast).collect();
        let robustness = &mut judgement.robustness;
        robustness.all_levels = robustness.all_levels.take().and_then(contrast);
        robustness.strongest = robustness.strongest.take().and_then(contrast);
        robustness.without.retain(|left| left.value.is_finite());
        for left in &mut robustness.without {
            left.rule = left.rule.filter(|ends| ends.iter().all(|end| end.is_finite()));
        }
        judgement.seeds.retain(|seed| seed.value.is_finite() && seed.error.is_finite());
        for gate in &mut judgement.gates {
            for number in [&mut gate.value, &mut gate.threshold, &mut gate.power] {
                *number = number.filter(|number| number.is_finite());
            }
            gate.interval = gate.interval.filter(|ends| ends.iter().all(|end| end.is_finite()));
            let finite = |scatter: &Scatter| {
                [scatter.spread.0, scatter.spread.1, scatter.least].iter().all(|number| number.is_finite())
            };
            gate.scatter = gate.scatter.filter(finite);
        }
        judgement.matched = judgement.matched.and_then(estimate);
        judgement.adjusted_p = judgement.adjusted_p.filter(|p| p.is_finite());
        judgement.endpoint.against = judgement.endpoint.against.filter(|value| value.is_finite());
        if !judgement.endpoint.smallest_effect.is_finite() {
            judgement.endpoint.smallest_effect = 0.0;
        }
    }
    for curve in &mut results.curves {
        let points = curve.points.iter().filter(|(x, _)| x.is_finite());
        curve.points = points.filter_map(|(x, found)| Some((*x, estimate(*found)?))).collect();
    }
    for cell in results.tables.iter_mut().flat_map(|t| &mut t.rows).flat_map(|(_, cells)| cells) {
        *cell = cell.and_then(estimate);
    }
    // A graph with a gap would be read as a jump.
    results.examples.retain(|example| example.values.iter().all(|value| value.is_finite()));
    if !results.registration.alpha.is_finite() {
        results.registration.alpha = 0.0;
    }
    for value in results.heat_maps.iter_mut().flat_map(|map| &mut map.values) {
        if !value.is_finite() {
            *value = 0.0;
        }
    }
    results
}
