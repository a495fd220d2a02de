//! Metrics from analyses of networks: opening entropy of the prior, policy loss, second-best moves.

use super::divergence;
use super::facts::OPENING_PLIES;
use super::findings::Findings;
use super::openings::FIGURE as OPENINGS;
use super::sample::Analysed;
use crate::analysis::{NetworkAnalysis, OpeningLine, SearchedPosition};
use crate::data::{Checkpoint, SampleId};
use crate::results::{Estimate, MetricInfo};
use crate::rows::{figure, metrics};
use catapult_stats::{Clustered, Evidence, mean, ratio, share};

/// A position is critical if the Q of the best move exceeds the Q of the second-best move by more
/// than this. Q is P(win) - P(loss).
const CRITICAL_LOSS: f32 = 0.1;

metrics! {
    METRICS =
    OPENING_ENTROPY: Openings Nats "opening_entropy", "opening entropy";
        "H(20): entropy of the 20-ply lines of the network's prior at temperature 1 (after Tomašev et al. 2020). Lines are \
         drawn, and the entropies of the moves along them are summed (chain rule).";
    OPENING_ENTROPY_PER_PLY: Openings Nats "opening_entropy_per_ply", "opening entropy per ply";
        "The entropy of the prior's move at a ply, mean over the first 20 plies of lines drawn from it.";
    OPENING_ENTROPY_SHARE: Openings Share "opening_entropy_share", "opening entropy, share of uniform play's";
        "H(20) of the prior over H(20) of uniform play over the legal moves: how much of what the rules allow is open.";
    POLICY_LOSS: Openings Nats "prior_loss", "policy loss of the prior";
        "Cross-entropy of the prior against the improved policy with which the games were played, mean over positions drawn \
         from them.";
    POLICY_GAP: Openings Nats "prior_gap", "policy loss above its least";
        "Policy loss less the improved policy's own entropy: how far the network is from what its search finds. Entropies \
         of openings compare only between networks with a similar value.";
    CRITICAL_POSITIONS: Openings Share "only_move_plies", "plies with one good move";
        "Plies at which the second-best move loses more than 0.1 of Q = P(win) - P(loss) against the best. Positions are \
         drawn from the games, and both Q are from one search.";
    SECOND_BEST_LOSS: Openings Ratio "second_best_loss", "loss of the second-best move";
        "Q of the best move less Q of the second best, mean over positions drawn from the games.";
}

/// Returns true if the metric with this [`MetricInfo::id`] depends only on networks' priors, not on
/// search.
pub fn is_of_prior(metric: &str) -> bool {
    let lines = [OPENING_ENTROPY, OPENING_ENTROPY_PER_PLY, OPENING_ENTROPY_SHARE];
    let is_it = |info: &MetricInfo| info.id == metric;
    lines.iter().any(is_it) || divergence::METRICS.iter().any(is_it)
}

/// Returns true if the metric with this [`MetricInfo::id`] comes from network analyses. Such a
/// metric exists at the strongest level of the last checkpoint and at one level of the early
/// checkpoint.
pub fn is_of_analysis(metric: &str) -> bool {
    is_of_prior(metric) || METRICS.iter().any(|info| info.id == metric)
}

figure! {
    FIGURE: Openings Nats "opening-entropy-by-loss", "Opening entropy and how well the network knows the game";
        "policy loss above its least, nats", "H(20) of the prior, nats"; [];
        "One point per checkpoint. A network that has learned less is less sure of its moves, so its openings look richer. \
         Compare arms at equal loss only.";
}

pub(super) fn measure(analyses: &Analysed, findings: &mut Findings) {
    let id = &analyses.id;
    let lines = grouped(analyses, |analysis| analysis.lines.iter().enumerate().collect());
    let resampling = findings.resampling;
    let entropy = mean(&lines, |line| line.total(), &resampling);
    let loss =
        searched(analyses, |position| Some(position.policy_loss? - position.target_entropy?), findings);
    let uniform = analyses.networks.iter().flat_map(|(_, analysis)| &analysis.uniform);
    let uniform: Vec<f64> = uniform.map(OpeningLine::total).collect();
    let uniform = uniform.iter().sum::<f64>() / uniform.len() as f64;
    let relative = entropy.clone().filter(|_| uniform > 0.0).map(|entropy| entropy.times(1.0 / uniform));
    let per_ply = ratio(&lines, |line| (line.total(), line.entropies.len() as f64), &resampling);
    findings.add(&OPENING_ENTROPY, id, lines.len(), entropy);
    findings.add(&OPENING_ENTROPY_PER_PLY, id, lines.len(), per_ply);
    findings.add(&OPENING_ENTROPY_SHARE, id, lines.len(), relative);
    curves(analyses, &lines, findings);

    let positions = positions(analyses);
    let policy_loss = searched(analyses, |position| position.policy_loss, findings);
    let second_best = searched(analyses, |position| Some(position.best - position.second), findings);
    let critical =
        share(&positions, |position| (f64::from(position.best - position.second > CRITICAL_LOSS), 1.0));
    findings.add(&POLICY_LOSS, id, positions.len(), policy_loss);
    findings.add(&POLICY_GAP, id, positions.len(), loss);
    findings.add(&CRITICAL_POSITIONS, id, positions.len(), critical);
    findings.add(&SECOND_BEST_LOSS, id, positions.len(), second_best);
}

/// Adds curves of opening entropy by policy loss, one per arm, agent and level. Each curve has one
/// point per checkpoint.
pub(super) fn by_loss(analysed: &[Analysed], findings: &mut Findings) {
    for last in analysed.iter().filter(|analyses| analyses.id.checkpoint == Checkpoint::Last) {
        let checkpoints = [Checkpoint::Early, Checkpoint::Last];
        let point = |checkpoint| {
            let id = SampleId { checkpoint, ..last.id.clone() };
            Some((findings.value(&POLICY_GAP, &id)?.value, findings.value(&OPENING_ENTROPY, &id)?))
        };
        let mut points: Vec<(f64, Estimate)> = checkpoints.into_iter().filter_map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        findings.curve(&FIGURE, &last.id, "", points);
    }
}

/// Collects items of each network's analysis. `part` returns the items of one analysis, each with
/// the index of its group. Items of one group are not independent.
fn grouped<'a, T>(
    analyses: &Analysed<'a>,
    part: impl Fn(&'a NetworkAnalysis) -> Vec<(usize, &'a T)>,
) -> Clustered<&'a T> {
    let of_network = |(seed, analysis): &(u64, &'a NetworkAnalysis)| {
        let seed = *seed;
        part(analysis).into_iter().map(move |(group, item)| (seed, group, item))
    };
    Clustered::new(analyses.networks.iter().flat_map(of_network))
}

/// Returns the searched positions, grouped by game because positions of one game are not
/// independent.
fn positions<'a>(analyses: &Analysed<'a>) -> Clustered<&'a SearchedPosition> {
    grouped(analyses, |analysis| {
        analysis.searched.iter().map(|position| (position.game as usize, position)).collect()
    })
}

/// Returns the mean of `value` over the searched positions. Positions for which `value` returns
/// `None` are ignored.
fn searched(
    analyses: &Analysed,
    value: impl Fn(&SearchedPosition) -> Option<f32>,
    findings: &Findings,
) -> Option<Evidence> {
    let values = positions(analyses).filter_map(|position| value(position).map(f64::from));
    mean(&values, |value| *value, &findings.resampling)
}

/// Adds curves of the entropy of lines by their length. One curve is for the prior, one for moves
/// drawn with equal probability.
fn curves(analyses: &Analysed, lines: &Clustered<&OpeningLine>, findings: &mut Findings) {
    // One network's lines suffice, because uniform play does not depend on the network.
    let first = Analysed { id: analyses.id.clone(), networks: analyses.networks[..1].to_vec() };
    let uniform = grouped(&first, |analysis| analysis.uniform.iter().enumerate().collect());
    for (series, lines) in [("prior", lines), ("uniform-play", &uniform)] {
        let of_length = |plies: usize| {
            let sum = |line: &&OpeningLine| line.entropies.iter().take(plies).map(|&e| f64::from(e)).sum();
            Some((plies as f64, mean(lines, sum, &findings.resampling)?.estimate))
        };
        let points = (1..=OPENING_PLIES).filter_map(of_length).collect();
        findings.curve(&OPENINGS, &analyses.id, series, points);
    }
}
