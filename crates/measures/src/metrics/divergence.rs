//! Divergence between a network's prior and the control's priors in the same positions.

use super::findings::Findings;
use super::sample::Analysed;
use crate::analysis::{NetworkAnalysis, SharedPosition};
use crate::arms::Arm;
use crate::data::SampleId;
use crate::rows::metrics;
use catapult_stats::{Clustered, Evidence, mean};
use std::collections::BTreeMap;

metrics! {
    METRICS =
    DIVERGENCE: Superset Nats "chess_divergence", "divergence from the control's play";
        "Jensen-Shannon divergence (at most ln 2) between the prior and the priors of the control's other networks. It is \
         taken over the moves that are legal in both arms, and averaged over positions and networks. The positions come in \
         equal numbers from the games of every arm and agent. They are reached by moves that are legal in all arms. The \
         control's own value is the divergence between its networks, which training alone makes.";
    NEW_MOVES: Superset Share "new_move_prior", "prior on moves that chess does not have";
        "The prior's share on moves that are not legal under the control, in the positions of the divergence from the \
         control's play.";
}

/// A network's priors by the index of a shared line (a line that is legal in all arms). Each prior
/// gives the moves at the end of the line with their probabilities.
type Priors<'a> = BTreeMap<u32, &'a [(String, f32)]>;

pub(super) fn measure(analysed: &[Analysed], control: Arm, findings: &mut Findings) {
    for sample in analysed {
        let Some(reference) = reference(analysed, control, &sample.id) else { continue };
        let same_agent = reference.id.agent == sample.id.agent;
        let is_control = sample.id.arm == control;
        let mut divergences = Vec::new();
        let mut new_moves = Vec::new();
        for (seed, analysis) in &sample.networks {
            let own = priors(analysis);
            // A network that plays both arms is compared with itself, and a control network with
            // the other ones.
            let others = reference
                .networks
                .iter()
                .filter(|(other, _)| if is_control { other != seed } else { !same_agent || other == seed });
            let others: Vec<Priors> = others.map(|(_, analysis)| priors(analysis)).collect();
            for (&line, prior) in &own {
                let pairs: Vec<(f64, f64)> =
                    others.iter().filter_map(|other| compare(prior, other.get(&line)?)).collect();
                let average =
                    |part: fn(&(f64, f64)) -> f64| pairs.iter().map(part).sum::<f64>() / pairs.len() as f64;
                if !pairs.is_empty() {
                    divergences.push((*seed, line, average(|pair| pair.0)));
                    new_moves.push((*seed, line, average(|pair| pair.1)));
                }
            }
        }
        for (metric, values) in [(&DIVERGENCE, divergences), (&NEW_MOVES, new_moves)] {
            let values = Clustered::new(values);
            let evidence = mean(&values, |value| *value, &findings.resampling);
            let evidence = if is_control { evidence.map(of_pairs) } else { evidence };
            findings.add(metric, &sample.id, values.len(), evidence);
        }
    }
}

/// Returns evidence for values that are each a network's mean over its pairs with the other
/// networks. A pair counts for both of its networks, so leaving out a network removes its pairs from
/// all values. This is exact if all pairs have equal weight.
fn of_pairs(Evidence { estimate, mut networks }: Evidence) -> Evidence {
    let n = networks.len() as f64;
    for network in &mut networks {
        network.without = (n > 2.0).then(|| (n * estimate.value - 2.0 * network.value) / (n - 2.0));
    }
    Evidence::new(estimate.value, estimate.agents, networks)
}

/// Returns the control's analyses with which the analyses of `sample` are compared. They have the
/// sample's checkpoint. Analyses of the same agent are preferred, then of the same level, then of
/// the agent with the most networks. `None` if the control has none.
fn reference<'a, 'b>(
    analysed: &'b [Analysed<'a>],
    control: Arm,
    sample: &SampleId,
) -> Option<&'b Analysed<'a>> {
    let of_control =
        analysed.iter().filter(|other| other.id.arm == control && other.id.checkpoint == sample.checkpoint);
    of_control.max_by_key(|other| {
        let same = (other.id.agent == sample.agent, other.id.simulations == sample.simulations);
        (same, other.networks.len())
    })
}

fn priors(analysis: &NetworkAnalysis) -> Priors<'_> {
    analysis.shared.iter().map(|SharedPosition { line, prior }| (*line, prior.as_slice())).collect()
}

/// Returns the Jensen-Shannon divergence, in nats, over the moves that both priors contain. The
/// second value is the probability that `own` gives to moves that `other` does not contain. `None`
/// if the priors have no common move.
fn compare(own: &[(String, f32)], other: &[(String, f32)]) -> Option<(f64, f64)> {
    let theirs: BTreeMap<&str, f64> = other.iter().map(|(text, p)| (text.as_str(), f64::from(*p))).collect();
    let both: Vec<(f64, f64)> =
        own.iter().filter_map(|(text, p)| Some((f64::from(*p), *theirs.get(text.as_str())?))).collect();
    let (a, b) = both.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let all: f64 = own.iter().map(|(_, p)| f64::from(*p)).sum();
    let towards = |p: f64, middle: f64| if p > 0.0 { p * (p / middle).ln() } else { 0.0 };
    let divergence = both.iter().map(|(p, q)| {
        let (p, q) = (p / a, q / b);
        (towards(p, (p + q) / 2.0) + towards(q, (p + q) / 2.0)) / 2.0
    });
    (a > 0.0 && b > 0.0).then(|| (divergence.sum(), 1.0 - a / all))
}

#[cfg(test)]
mod tests {
    use super::super::testing::RESAMPLING;
    use super::*;

    fn prior(moves: &[(&str, f32)]) -> Vec<(String, f32)> {
        moves.iter().map(|&(text, p)| (text.to_owned(), p)).collect()
    }

    #[test]
    fn divergence_is_that_of_shared_moves() {
        let chess = prior(&[("e2e4", 0.5), ("d2d4", 0.5)]);
        // The priors are equal without the new move.
        let same = prior(&[("e2e4", 0.3), ("d2d4", 0.3), ("b1f1t", 0.4)]);
        let (divergence, new) = compare(&same, &chess).unwrap();
        assert!(divergence.abs() < 1e-9 && (new - 0.4).abs() < 1e-6);
        // Priors on different moves diverge by ln 2.
        let [a, b] = [[1.0, 0.0], [0.0, 1.0]].map(|[e4, d4]| prior(&[("e2e4", e4), ("d2d4", d4)]));
        assert!((compare(&a, &b).unwrap().0 - 2f64.ln()).abs() < 1e-12);
        // By hand: p = (0.75, 0.25), q = (0.5, 0.5), m = (0.625, 0.375).
        let p = prior(&[("e2e4", 0.75), ("d2d4", 0.25)]);
        let by_hand = (0.75 * (0.75f64 / 0.625).ln()
            + 0.25 * (0.25f64 / 0.375).ln()
            + 0.5 * (0.5f64 / 0.625).ln()
            + 0.5 * (0.5f64 / 0.375).ln())
            / 2.0;
        assert!((compare(&p, &chess).unwrap().0 - by_hand).abs() < 1e-9);
        assert_eq!(compare(&p, &prior(&[("a2a3", 1.0)])), None);
    }

    #[test]
    fn leaving_out_a_control_network_removes_its_pairs() {
        let pairs = [(0, 1, 0.1), (0, 2, 0.2), (0, 3, 0.4), (1, 2, 0.3), (1, 3, 0.5), (2, 3, 0.9)];
        let over = |is_kept: &dyn Fn(usize, usize) -> bool| {
            let kept: Vec<f64> =
                pairs.iter().filter(|(a, b, _)| is_kept(*a, *b)).map(|pair| pair.2).collect();
            kept.iter().sum::<f64>() / kept.len() as f64
        };
        // Two lines, because one would leave no degree of freedom.
        let of = |i: usize| (i as u64 / 2, i % 2, over(&|a, b| a == i / 2 || b == i / 2));
        let values = (0..8).map(of);
        let found = of_pairs(mean(&Clustered::new(values), |value| *value, &RESAMPLING).unwrap());
        for (i, network) in found.networks.iter().enumerate() {
            assert!((network.without.unwrap() - over(&|a, b| a != i && b != i)).abs() < 1e-12);
        }
    }
}
