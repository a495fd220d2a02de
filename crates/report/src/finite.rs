//! Removal of NaN and infinite numbers from results, because JSON cannot represent them.

use crate::results::{Contrast, Estimate, Measure, Scatter, StudyResults};

fn are_finite(ends: &[f64; 2]) -> bool {
    ends.iter().all(|end| end.is_finite())
}

/// Removes the interval for other seeds if it is infinite. Returns `None` if the value or the
/// interval for these networks is not finite.
fn estimate(found: Estimate) -> Option<Estimate> {
    let rule = found.rule.filter(are_finite);
    (found.value.is_finite() && are_finite(&found.agents)).then_some(Estimate { rule, ..found })
}

fn known<const N: usize>(numbers: [&mut Option<f64>; N]) {
    numbers.into_iter().for_each(|number| *number = number.filter(|number| number.is_finite()));
}

/// Removes the p-value for other seeds, the power and the interval for other seeds if they are not
/// finite. Returns `None` if another number is not finite.
fn contrast(mut found: Contrast) -> Option<Contrast> {
    found.difference = estimate(found.difference)?;
    known([&mut found.rule_p, &mut found.power]);
    are_finite(&[found.agents_p, found.probability_above]).then_some(found)
}

fn contrasts(found: &mut Vec<Contrast>) {
    *found = std::mem::take(found).into_iter().filter_map(contrast).collect();
}

/// Returns the results without numbers that are not finite. In heat maps, 0 replaces them. Examples
/// with such a number are removed.
pub(super) fn cleaned(results: &StudyResults) -> StudyResults {
    let mut results = results.clone();
    let measure = |mut measure: Measure| {
        measure.estimate = estimate(measure.estimate)?;
        measure.networks.retain(|network| are_finite(&[network.value, network.error]));
        Some(measure)
    };
    results.measures = results.measures.into_iter().filter_map(measure).collect();
    contrasts(&mut results.contrasts);
    for judgement in &mut results.judgements {
        contrasts(&mut judgement.levels);
        contrasts(&mut judgement.sensitivity);
        let robustness = &mut judgement.robustness;
        for one in [&mut judgement.effect, &mut robustness.all_levels, &mut robustness.strongest] {
            *one = one.take().and_then(contrast);
        }
        robustness.without.retain(|left| left.value.is_finite());
        robustness.without.iter_mut().for_each(|left| left.rule = left.rule.filter(are_finite));
        judgement.seeds.retain(|seed| are_finite(&[seed.value, seed.error]));
        for gate in &mut judgement.gates {
            known([&mut gate.value, &mut gate.threshold, &mut gate.power]);
            gate.interval = gate.interval.filter(are_finite);
            let is_known = |it: &Scatter| are_finite(&[it.spread.0, it.spread.1]) && it.least.is_finite();
            gate.scatter = gate.scatter.filter(is_known);
        }
        judgement.matched = judgement.matched.and_then(estimate);
        known([&mut judgement.adjusted_p]);
    }
    for curve in &mut results.curves {
        let points = curve.points.iter().filter(|(x, _)| x.is_finite());
        curve.points = points.filter_map(|(x, found)| Some((*x, estimate(*found)?))).collect();
    }
    for cell in results.tables.iter_mut().flat_map(|t| &mut t.rows).flat_map(|(_, cells)| cells) {
        *cell = cell.and_then(estimate);
    }
    // A gap in the graph would look like a jump.
    results.examples.retain(|example| example.values.iter().all(|value| value.is_finite()));
    let squares = results.heat_maps.iter_mut().flat_map(|map| &mut map.values);
    squares.filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
    results
}
