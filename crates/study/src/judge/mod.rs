//! From registered endpoints and what was measured to judgements.
//!
//! A claim is *supported* if, for the rule and not only for these agents, the difference at the strongest level is
//! significant after adjusting for the number of endpoints, has the claimed sign there and at the second-strongest
//! level, and lies on the same side of zero with its whole interval at equal strength; it is *contradicted* if the same
//! holds of the opposite sign. Anything else leaves it *open*, with the reason and what would settle it. A fixed value
//! has no strength, so a claim against one needs no matching.
//!
//! Everything that is chosen is chosen by what was registered, never by results: levels are ranked by simulations, and
//! where several agents play both sides the one with most networks is taken. Strength comes from matches, which are no
//! games of the study.

mod matched;
mod sides;
mod words;

use crate::results::{
    Contrast, Direction, Endpoint, Estimate, Judgement, Measure, MetricInfo, Strength, Verdict,
};
use crate::stats::{Difference, benjamini_hochberg, networks_needed, power};
use sides::Side;
use words::Words;

/// Adjusted p-values below this are significant.
const SIGNIFICANT: f64 = 0.05;

/// The power that is asked of a study that would settle a claim.
const WANTED_POWER: f64 = 0.8;

/// An endpoint and what was found of it.
struct Finding<'a> {
    endpoint: &'a Endpoint,
    /// Weakest level first.
    levels: Vec<(Side<'a>, Difference)>,
    /// At equal strength, or why it could not be matched.
    matched: Result<Estimate, String>,
}

/// Judges each endpoint by the measures and the strength of their samples. `metrics` say how numbers are printed.
pub fn judge(
    endpoints: &[Endpoint],
    measures: &[Measure],
    strengths: &[Strength],
    metrics: &[MetricInfo],
) -> Vec<Judgement> {
    let findings: Vec<Finding> =
        endpoints.iter().map(|endpoint| find(endpoint, measures, strengths)).collect();
    let p: Vec<Option<f64>> = findings.iter().map(|finding| finding.levels.last()?.1.rule_p).collect();
    // Alone among many, an effect must pass the strictest of Benjamini and Hochberg's thresholds.
    let alpha = SIGNIFICANT / endpoints.len().max(1) as f64;
    let adjusted = benjamini_hochberg(&p);
    findings.into_iter().zip(adjusted).map(|(finding, p)| finding.judgement(p, alpha, metrics)).collect()
}

fn find<'a>(endpoint: &'a Endpoint, measures: &'a [Measure], strengths: &[Strength]) -> Finding<'a> {
    let sides = sides::levels(endpoint, measures);
    let matched = match sides.last().and_then(|side| Some((side.arm, side.control?))) {
        Some((arm, control)) => {
            matched::matched((&arm.sample, &control.sample), &endpoint.metric, measures, strengths)
        }
        None => Err("there is nothing to match".to_owned()),
    };
    let levels = sides.into_iter().map(|side| (side, side.difference(endpoint))).collect();
    Finding { endpoint, levels, matched }
}

impl Finding<'_> {
    fn judgement(self, adjusted_p: Option<f64>, alpha: f64, metrics: &[MetricInfo]) -> Judgement {
        let words = Words::new(self.endpoint, metrics);
        let (verdict, reason, would_settle) = self.verdict(adjusted_p, alpha, &words);
        let effect = self.endpoint.smallest_effect;
        let levels = self.levels.iter().map(|(side, difference)| Contrast {
            power: difference.spread.map(|(error, df)| power(effect, error, df, alpha)),
            ..side.contrast(difference)
        });
        let levels: Vec<Contrast> = levels.collect();
        Judgement {
            endpoint: self.endpoint.clone(),
            effect: levels.last().cloned(),
            levels,
            seeds: Vec::new(),
            adjusted_p,
            matched: self.matched.ok(),
            sensitivity: Vec::new(),
            gates: Vec::new(),
            verdict,
            reason,
            would_settle,
        }
    }

    /// The verdict, its reason, and what would settle it.
    fn verdict(&self, adjusted_p: Option<f64>, alpha: f64, words: &Words) -> (Verdict, String, String) {
        let open = |reason: String, would_settle: String| (Verdict::Open, reason, would_settle);
        let Some((side, strongest)) = self.levels.last() else {
            return open(words.not_measured(), "Games in which it can be measured on both sides.".to_owned());
        };
        let value = strongest.estimate.value;
        let found = words.found(side, strongest);
        let Some(p) = adjusted_p else {
            return open(words.too_few_networks(&found, side), words.more_networks());
        };
        if p >= SIGNIFICANT {
            let settle = words.enough_networks(self.needed(side, strongest, alpha), strongest);
            return open(words.not_significant(&found, p, strongest), settle);
        }
        let Some((second_side, second)) = self.levels.iter().rev().nth(1) else {
            return open(
                format!("{found} Only one level of search was measured, and a claim must hold at two."),
                "The same games at a second level of search.".to_owned(),
            );
        };
        if !same_sign(value, second.estimate.value) {
            return open(
                format!(
                    "{found} At the level below the sign is another: {}",
                    words.found(second_side, second)
                ),
                "More games at both levels, or stronger networks: the effect may depend on strength."
                    .to_owned(),
            );
        }
        let matched = match (&self.matched, self.endpoint.control) {
            (_, None) => String::new(),
            (Err(why), Some(_)) => {
                let settle = "Matches that tell the strength of networks of both sides, at levels where they are alike.";
                return open(
                    format!(
                        "{found} Whether it would be there between equally strong players can't be said: {why}."
                    ),
                    settle.to_owned(),
                );
            }
            (Ok(matched), Some(_)) if !keeps_sign(value, matched) => {
                return open(words.explained_by_strength(&found, matched), words.equal_strength());
            }
            (Ok(matched), Some(_)) => words.at_equal_strength(matched),
        };
        let as_claimed = match self.endpoint.direction {
            Direction::Lower => value < 0.0,
            Direction::Higher => value > 0.0,
        };
        let verdict = if as_claimed { Verdict::Supported } else { Verdict::Contradicted };
        (verdict, words.significant(&found, p, second_side, &matched), String::new())
    }

    /// The networks a side that would find the smallest effect, if networks differ as these do.
    fn needed(&self, side: &Side, difference: &Difference, alpha: f64) -> Option<usize> {
        let (error, _) = difference.spread?;
        let effect = self.endpoint.smallest_effect;
        networks_needed(effect, (error, side.networks()), side.independent_sides(), alpha, WANTED_POWER)
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

#[cfg(test)]
mod tests;
