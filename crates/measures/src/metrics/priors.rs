//! Metrics from analyses of networks: opening entropy of the prior.

use super::facts::OPENING_PLIES;
use super::findings::Findings;
use super::openings::FIGURE as OPENINGS;
use super::sample::Analysed;
use crate::analysis::{NetworkAnalysis, OpeningLine};
use crate::rows::metrics;
use catapult_stats::{Clustered, mean, ratio};

metrics! {
    METRICS =
    OPENING_ENTROPY: Openings Nats "opening_entropy", "opening entropy";
        "H(20): entropy of the 20-ply lines of the network's prior at temperature 1 (after Tomašev et al. 2020). Lines are \
         drawn, and the entropies of the moves along them are summed (chain rule). An \
         `analysis.line_plies` below 20 shortens the lines.";
    OPENING_ENTROPY_PER_PLY: Openings Nats "opening_entropy_per_ply", "opening entropy per ply";
        "The entropy of the prior's move at a ply, mean over the first 20 plies of lines drawn from it.";
    OPENING_ENTROPY_SHARE: Openings Share "opening_entropy_share", "opening entropy, share of uniform play's";
        "H(20) of the prior over H(20) of uniform play over the legal moves: how much of what the rules allow is open.";
}

/// Returns true if the metric with this id comes from network analyses: from networks' priors, not
/// from search. Such a metric exists at the strongest level of the last checkpoint and at one level
/// of the early checkpoint.
pub fn is_of_analysis(metric: &str) -> bool {
    METRICS.iter().any(|info| info.id == metric)
}

pub(super) fn measure(analyses: &Analysed, findings: &mut Findings) {
    let id = &analyses.id;
    let lines = lines(&analyses.networks, |analysis| &analysis.lines);
    let resampling = findings.resampling;
    let entropy = mean(&lines, |line| total(line), &resampling);
    let uniform = analyses.networks.iter().flat_map(|(_, analysis)| &analysis.uniform);
    let uniform: Vec<f64> = uniform.map(total).collect();
    let uniform = uniform.iter().sum::<f64>() / uniform.len() as f64;
    let relative = entropy.clone().filter(|_| uniform > 0.0).map(|entropy| entropy.times(1.0 / uniform));
    let plies = |line: &OpeningLine| line.entropies.len().min(OPENING_PLIES) as f64;
    let per_ply = ratio(&lines, |line| (total(line), plies(line)), &resampling);
    findings.add(&OPENING_ENTROPY, id, lines.len(), entropy);
    findings.add(&OPENING_ENTROPY_PER_PLY, id, lines.len(), per_ply);
    findings.add(&OPENING_ENTROPY_SHARE, id, lines.len(), relative);
    curves(analyses, &lines, findings);
}

/// Returns the sum of the entropies of a line's first plies, in nats.
fn total(line: &OpeningLine) -> f64 {
    line.entropies.iter().take(OPENING_PLIES).map(|&entropy| f64::from(entropy)).sum()
}

/// Groups lines by network. `part` returns lines of a network's analysis. Each line is a group of
/// its own, because lines are independent.
fn lines<'a>(
    networks: &[(u64, &'a NetworkAnalysis)],
    part: fn(&NetworkAnalysis) -> &[OpeningLine],
) -> Clustered<&'a OpeningLine> {
    let of_network = |&(seed, analysis): &(u64, &'a NetworkAnalysis)| {
        part(analysis).iter().enumerate().map(move |(index, line)| (seed, index, line))
    };
    Clustered::new(networks.iter().flat_map(of_network))
}

/// Adds curves of the entropy of lines by their length. One curve is for the prior, one for moves
/// drawn with equal probability.
fn curves(analyses: &Analysed, prior: &Clustered<&OpeningLine>, findings: &mut Findings) {
    // One network's lines suffice, because uniform play does not depend on the network.
    let uniform = lines(&analyses.networks[..1], |analysis| &analysis.uniform);
    for (series, lines) in [("prior", prior), ("uniform-play", &uniform)] {
        let of_length = |plies: usize| {
            let sum = |line: &&OpeningLine| line.entropies.iter().take(plies).map(|&e| f64::from(e)).sum();
            Some((plies as f64, mean(lines, sum, &findings.resampling)?.estimate))
        };
        let points = (1..=OPENING_PLIES).filter_map(of_length).collect();
        findings.curve(&OPENINGS, &analyses.id, series, points);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::analysed;
    use super::super::testing::{RESAMPLING, cell, value};
    use super::*;
    use catapult_rules::Variant;

    #[test]
    fn later_plies_do_not_count() {
        let line = OpeningLine { entropies: vec![1.0; 25] };
        let analysis =
            NetworkAnalysis { lines: vec![line.clone(); 2], uniform: vec![line; 2], ..Default::default() };
        let cells =
            [1, 2, 3, 4].map(|seed| (cell("chess", "agent", seed, 8, Vec::new()).0, analysis.clone()));
        let mut findings = Findings::new(RESAMPLING);
        measure(&analysed(&cells)[0], &mut findings);
        let measures = findings.finish(Variant::Chess).measures;
        let names = ["opening_entropy", "opening_entropy_per_ply", "opening_entropy_share"];
        assert_eq!(names.map(|name| value(&measures, name)), [20.0, 1.0, 1.0]);
    }

    #[test]
    fn entropies_by_hand() {
        let line = |entropies: [f32; 2]| OpeningLine { entropies: entropies.to_vec() };
        let analysis = NetworkAnalysis {
            lines: vec![line([1.0, 2.0]), line([3.0, 4.0])],
            uniform: vec![line([4.0, 6.0]); 5],
            ..Default::default()
        };
        let cells =
            [1, 2, 3, 4].map(|seed| (cell("chess", "agent", seed, 8, Vec::new()).0, analysis.clone()));
        let mut findings = Findings::new(RESAMPLING);
        measure(&analysed(&cells)[0], &mut findings);
        let measured = findings.finish(Variant::Chess);
        assert_eq!(value(&measured.measures, "opening_entropy"), 5.0);
        assert_eq!(value(&measured.measures, "opening_entropy_per_ply"), 2.5);
        assert_eq!(value(&measured.measures, "opening_entropy_share"), 0.5);
        let ends = |series: &str| {
            let curve = measured.curves.iter().find(|curve| curve.series == series).unwrap();
            [0, 1].map(|point| curve.points[point].1.value)
        };
        assert_eq!([ends("prior"), ends("uniform-play")], [[2.0, 5.0], [4.0, 10.0]]);
    }
}
