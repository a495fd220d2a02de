use super::super::testing::INPUT;
use super::*;
use crate::results::Estimate;
use catapult_rules::Variant;
use catapult_stats::NetworkValue;

fn network(seed: u64) -> NetworkId {
    NetworkId { agent: "rules".to_owned(), seed }
}

fn training(seed: u64, no_progress: Option<u32>, outcomes: &[(Outcome, u64)]) -> Training {
    Training {
        network: network(seed),
        caps: Caps { no_progress, plies: Some(400) },
        outcomes: Some(outcomes.iter().copied().collect()),
    }
}

/// Returns a measure whose estimate is `value`. `networks` contains the value and the standard
/// error of each network.
fn measure(metric: &str, arm: &str, simulations: u32, value: f64, networks: &[(f64, f64)]) -> Measure {
    let sample = SampleId {
        arm: arm.parse().unwrap(),
        agent: "rules".to_owned(),
        checkpoint: Checkpoint::Last,
        simulations,
    };
    let networks =
        (1..).zip(networks).map(|(seed, &(value, error))| NetworkValue { seed, value, error, without: None });
    Measure {
        metric: metric.to_owned(),
        sample,
        observations: 100,
        estimate: Estimate { value, agents: [value - 9.0, value + 3.0], rule: None },
        median: None,
        networks: networks.collect(),
    }
}

#[test]
fn training_that_truncated_earlier_is_told_from_what_is_unknown() {
    let all = [
        training(1, Some(60), &[]),
        training(2, Some(100), &[]),
        training(3, Some(60), &[]),
        training(4, None, &[]),
    ];
    let found = truncated(&StudyInput { training: &all, ..INPUT });
    let caps = |no_progress| Caps { no_progress: Some(no_progress), plies: Some(400) };
    assert_eq!(
        found,
        [
            Warning::TruncatedEarlier {
                networks: vec![network(1), network(3)],
                training: caps(60),
                study: caps(100)
            },
            Warning::TrainingUnknown { networks: vec![network(4)] },
        ]
    );
}

#[test]
fn an_outcome_that_training_never_met_is_named_if_it_decides_an_endpoint() {
    let met = [(Outcome::Repetition, 40), (Outcome::Dead, 7), (Outcome::Stalemate, 3), (Outcome::Capped, 90)];
    let all = [training(1, Some(60), &met), training(2, Some(100), &[(Outcome::HundredPlies, 1)])];
    let endpoints = [("chesspp".parse().unwrap(), Some(Variant::Chess.into()), "draw_rate".to_owned())];
    let input = StudyInput { training: &all[..1], endpoints: &endpoints, ..INPUT };
    let measures = |clock: f64| {
        vec![
            measure("draw_rate", "chesspp", 64, 0.2, &[]),
            measure("drawn_clock", "chesspp", 64, clock, &[]),
            measure("drawn_repetition", "chesspp", 64, 0.1, &[]),
        ]
    };
    let found = unknown_outcomes(&input, &measures(0.1));
    let [Warning::UnknownOutcome { outcome, shares, networks, .. }] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!((*outcome, shares[0].1, networks.as_slice()), (Outcome::HundredPlies, 0.1, &[network(1)][..]));
    // One draw in forty does not decide the metric.
    assert_eq!(unknown_outcomes(&input, &measures(0.005)), []);
    // The second network met the fifty-move rule, but no repetition, which ends half of the draws.
    let input = StudyInput { training: &all[1..], ..input };
    let found = unknown_outcomes(&input, &measures(0.1));
    assert!(matches!(found[..], [Warning::UnknownOutcome { outcome: Outcome::Repetition, .. }]), "{found:?}");
}

#[test]
fn moves_that_are_worth_less_than_nothing_are_named() {
    let measures = [
        measure("worth_teleports", "chesspp", 64, 24.0, &[]),
        measure("worth_catapult_moves", "chesspp", 64, -30.0, &[]),
        measure("worth_teleports_forced", "chesspp", 64, -1.0, &[]),
    ];
    let found = worthless(&measures);
    assert!(matches!(&found[..], [Warning::Worthless { metric, worth, .. }]
        if metric == "worth_catapult_moves" && worth.agents == [-39.0, -27.0]));
}

#[test]
fn a_mean_that_few_games_make_is_named_with_its_median() {
    let of = |simulations, mean, median| Measure {
        median: Some(median),
        ..measure("catapult_moves", "chesspp", simulations, mean, &[])
    };
    let found = skewed(&[of(64, 27.0, 4.0), of(128, 1.5, 0.0), of(256, 8.0, 4.0), of(512, 1.0, 0.0)]);
    let [Warning::Skewed { metric, samples }] = found.as_slice() else { panic!("{found:?}") };
    let samples: Vec<_> = samples.iter().map(|s| (s.sample.simulations, s.mean, s.median)).collect();
    assert_eq!((metric.as_str(), samples), ("catapult_moves", vec![(128, 1.5, 0.0), (64, 27.0, 4.0)]));
}
