//! Metrics of games between networks of one agent with different training seeds. They show whether
//! a finding depends on networks playing against themselves.

use super::findings::Findings;
use super::sample::grouped;
use super::skill::{Value, offsets, sum_over};
use crate::data::Checkpoint;
use crate::results::{NetworkValue, PopulationMatch};
use crate::rows::metrics;
use catapult_stats::{Evidence, Pentanomial, error_of};
use std::collections::BTreeSet;

metrics! {
    METRICS =
    DRAW_RATE: Endings Share "population_draw_rate", "draw rate between different networks";
        "Games without a winner, of the games between networks of one agent with different training seeds; mean over \
         matches. Games start from random balanced openings, with colours swapped. Games that the ply cap ends are among \
         them.";
    WHITE_SCORE: Endings Share "population_white_score", "White's score between different networks";
        "White's mean score, half a point for a game without a winner, in the same games between different networks.";
    OWN_DRAW_RATE: Endings Share "population_own_draw_rate", "draw rate against itself, same openings";
        "Games without a winner when each of these networks plays itself from the same kind of openings. The draw rate \
         between different networks is compared with it, because the study's own games begin at the start.";
    OWN_WHITE_SCORE: Endings Share "population_own_white_score", "White's score against itself, same openings";
        "White's mean score when each of these networks plays itself from the same kind of openings.";
}

pub(super) fn measure(matches: &[PopulationMatch], findings: &mut Findings) {
    let sample =
        |found: &PopulationMatch| found.network.sample(found.arm, Checkpoint::Last, found.simulations);
    for (id, matches) in grouped(matches, sample) {
        let (own, others): (Vec<_>, Vec<_>) =
            matches.into_iter().partition(|found| found.network == found.opponent);
        for (matches, draws, white) in
            [(others, &DRAW_RATE, &WHITE_SCORE), (own, &OWN_DRAW_RATE, &OWN_WHITE_SCORE)]
        {
            let games = matches.iter().map(|found| found.result.games as usize).sum();
            findings.add(draws, &id, games, evidence(&matches, |found| found.drawn));
            findings.add(white, &id, games, evidence(&matches, |found| found.white));
        }
    }
}

/// Returns the mean score over matches. `pairs` selects the pairs of games that are scored.
///
/// A network's own value is the mean over its matches, so each match between two networks counts
/// for both. The value without a network omits all matches of that network. The interval for other
/// seeds is therefore, if anything, too wide.
fn evidence(
    matches: &[&PopulationMatch],
    pairs: impl Fn(&PopulationMatch) -> Pentanomial,
) -> Option<Evidence> {
    let of: Vec<([u64; 2], Value)> = matches
        .iter()
        .map(|found| ([found.network.seed, found.opponent.seed], offsets(pairs(found).score())))
        .collect();
    let mean = |scores: &[&([u64; 2], Value)]| {
        let values = scores.iter().map(|(_, value)| value);
        (!scores.is_empty()).then(|| sum_over(values, scores.len() as f64))
    };
    let (value, below, above) = mean(&of.iter().collect::<Vec<_>>())?;
    let seeds: BTreeSet<u64> = of.iter().flat_map(|(seeds, _)| *seeds).collect();
    let network = |seed: u64| {
        let (with, without): (Vec<_>, Vec<_>) = of.iter().partition(|(seeds, _)| seeds.contains(&seed));
        let (value, below, above) = mean(&with)?;
        let error = error_of([value - below, value + above]);
        let without = mean(&without).map(|(value, ..)| value);
        Some(NetworkValue { seed, value, error, without })
    };
    let networks = seeds.into_iter().filter_map(network).collect();
    Some(Evidence::new(value, [value - below, value + above], networks))
}

#[cfg(test)]
mod tests {
    use super::super::testing::RESAMPLING;
    use super::*;
    use crate::data::NetworkId;
    use crate::results::Measure;
    use crate::testing::played;
    use catapult_rules::Variant;

    /// Returns a match of 100 pairs of games between networks with these two training seeds. In
    /// `drawn` pairs both games are drawn. In `white` pairs White wins both games. In all other
    /// pairs Black wins both.
    fn played_between(network: u64, opponent: u64, drawn: u64, white: u64) -> PopulationMatch {
        let id = |seed| NetworkId { agent: "agent".to_owned(), seed };
        let black = 100 - drawn - white;
        PopulationMatch {
            arm: Variant::Chess.into(),
            network: id(network),
            opponent: id(opponent),
            simulations: 16,
            // Each player wins with the same colour, so each pair is even.
            result: played([0, 0, 100, 0, 0]),
            white: Pentanomial([black, 0, drawn, 0, white]),
            drawn: Pentanomial([100 - drawn, 0, 0, 0, drawn]),
        }
    }

    #[test]
    fn different_networks_are_told_from_each_network_against_itself() {
        let matches = [
            played_between(1, 1, 50, 30),
            played_between(2, 2, 60, 30),
            played_between(3, 3, 70, 30),
            played_between(2, 1, 20, 50),
            played_between(3, 1, 30, 50),
            played_between(3, 2, 40, 50),
        ];
        let mut findings = Findings::new(RESAMPLING);
        measure(&matches, &mut findings);
        let measured = findings.finish(Variant::Chess).measures;
        let of = |metric: &str| -> &Measure { measured.iter().find(|found| found.metric == metric).unwrap() };
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");

        let between = of("population_draw_rate");
        close(between.estimate.value, 0.3);
        assert_eq!(between.observations, 600);
        // Network 1 played the matches with 20 and 30 %. The match without it has 40 %.
        close(between.networks[0].value, 0.25);
        close(between.networks[0].without.unwrap(), 0.4);
        // Jackknife by hand: 0.4, 0.3 and 0.2 have a sum of squares of 0.02 about their mean, times
        // 2/3. Student's t with 2 degrees of freedom is 4.303.
        let half = 4.302_652_73 * (0.02f64 * 2.0 / 3.0).sqrt();
        let [low, high] = between.estimate.rule.unwrap();
        assert!((high - low - (0.3 + half).min(1.0)).abs() < 1e-6, "{low} {high}, cut at 0");
        // White's score: draws count half.
        close(of("population_white_score").estimate.value, 0.5 + 0.3 / 2.0);

        close(of("population_own_draw_rate").estimate.value, 0.6);
        close(of("population_own_white_score").estimate.value, 0.3 + 0.6 / 2.0);
        assert_eq!(of("population_own_draw_rate").networks.len(), 3);
        close(of("population_own_draw_rate").networks[2].value, 0.7);
    }

    #[test]
    fn a_single_match_says_nothing_of_other_networks() {
        let mut findings = Findings::new(RESAMPLING);
        measure(&[played_between(2, 1, 20, 50)], &mut findings);
        let measured = findings.finish(Variant::Chess).measures;
        assert_eq!(measured.len(), 2, "no match of a network against itself");
        assert!(measured.iter().all(|found| found.estimate.rule.is_none() && found.networks.len() == 2));
    }
}
