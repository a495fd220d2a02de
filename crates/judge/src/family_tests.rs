//! Tests of gates that apply to every endpoint, and of families of tests.

use super::paired_tests::{LEVELS, NOISE, Shared, averaged, variant};
use super::tests::fewer_draws;
use super::*;
use crate::results::Verdict;
use catapult_measures::results::Placebo;
use catapult_stats::Scatter;
use catapult_stats::testing::{close, frequency};

#[test]
fn nothing_is_claimed_of_a_rule_that_was_never_used() {
    let mut played = Shared::new(8, 10);
    played.levels("draw_rate", &LEVELS, |_| -0.05);
    let judge = |placebos: &[Placebo]| {
        let design = played.design();
        let endpoint = [averaged()];
        let case = Case {
            design: &design,
            measures: &played.measures,
            strengths: &[],
            placebos,
            alpha: SIGNIFICANT,
            scheme: Scheme::Registered,
            withheld: None,
        };
        judge(&endpoint, &case).pop().unwrap()
    };
    let never = |arm: &str, rule: &str| Placebo { arm: variant(arm), rule: rule.to_owned(), games: 900 };
    let unused = |arm: &str| never(arm, "+third");
    let judgement = judge(&[unused("chesspp")]);
    assert_eq!((judgement.verdict, judgement.adjusted_p), (Verdict::Open, None));
    assert_eq!(judgement.gates[0].kind, GateKind::Used { rule: "+third".to_owned() });
    assert_eq!(judgement.gates[0].passed, Some(false));
    assert_eq!(judge(&[unused("chesspp+free")]).verdict, Verdict::Supported);
    // A rule that neither side used does not separate them.
    assert_eq!(judge(&[unused("chesspp"), unused("chess")]).verdict, Verdict::Supported);
    let other = never("chess", "+free");
    assert_eq!(judge(&[unused("chesspp"), other]).verdict, Verdict::Open);
}

/// A rule that the control has too is not what the arm adds. Here the arm does not use it because
/// it forbids teleports.
#[test]
fn a_rule_of_both_sides_may_be_unused_in_the_arm() {
    let masked = variant("chesspp+instant-without-teleports");
    let verdict = |control: &str| {
        let control = variant(control);
        let mut played = Shared::new(8, 10);
        played.levels("draw_rate", &LEVELS, |_| -0.05);
        for measure in &mut played.measures {
            let is_arm = measure.sample.arm == variant("chesspp");
            measure.sample.arm = if is_arm { masked } else { control };
        }
        let rules = Agent { name: "rules".to_owned(), arms: vec![masked, control], seeds: 8 };
        let design = Design { agents: vec![rules], ..played.design() };
        let endpoint = [Endpoint { arm: masked, control: Some(control), ..averaged() }];
        let never = [Placebo { arm: masked, rule: "+instant".to_owned(), games: 900 }];
        let case = Case {
            design: &design,
            measures: &played.measures,
            strengths: &[],
            placebos: &never,
            alpha: SIGNIFICANT,
            scheme: Scheme::Registered,
            withheld: None,
        };
        judge(&endpoint, &case).pop().unwrap().verdict
    };
    assert_eq!(verdict("chesspp+instant"), Verdict::Supported);
    assert_eq!(verdict("chess"), Verdict::Open);
    // A control that forbids moves differs from the arm in more than its rules.
    assert_eq!(verdict("chesspp+instant-without-catapult-moves"), Verdict::Open);
}

#[test]
fn a_claim_true_by_construction_leaves_the_family() {
    let mut played = Shared::new(4, 11);
    played.levels("draw_rate", &LEVELS, |_| -0.06);
    let sure = Endpoint { by_construction: true, ..fewer_draws(Some(0.9)) };
    let alone = played.one(averaged());
    let both = played.judge(&[sure, averaged()], |_| {});
    assert_eq!(both[1], alone, "as if it were not there");
    assert_eq!((both[0].verdict, both[0].adjusted_p), (Verdict::Supported, None));
    assert!(both[0].effect.is_some());
    assert_eq!((both[0].tests, both[1].tests), (0, 1));
    // Every possible test counts.
    let twice = played.judge(&[fewer_draws(Some(0.41)), averaged()], |_| {});
    assert!(twice[1].adjusted_p > alone.adjusted_p);
    assert!(twice[1].effect.as_ref().unwrap().power < alone.effect.as_ref().unwrap().power);
}

#[test]
fn a_family_is_adjusted_as_if_the_others_were_not_there() {
    let mut played = Shared::new(4, 14);
    played.levels("draw_rate", &LEVELS, |_| -0.06);
    played.levels("repetition_rate", &LEVELS, |_| 0.001);
    let of = |metric: &str, family: Option<&str>| Endpoint {
        metric: metric.to_owned(),
        family: family.map(str::to_owned),
        ..averaged()
    };
    let (draws, repetitions) = ("draw_rate", "repetition_rate");
    let alone = played.judge(&[of(draws, Some("a"))], |_| {});
    let apart =
        played.judge(&[of(draws, Some("a")), of(repetitions, None), of(repetitions, Some("b"))], |_| {});
    assert_eq!(apart[0], alone[0]);
    let together = played.judge(&[of(draws, Some("a")), of(repetitions, Some("a"))], |_| {});
    close(together[0].adjusted_p.unwrap(), 2.0 * alone[0].adjusted_p.unwrap(), 1e-12);
    assert!(together[0].effect.as_ref().unwrap().power < alone[0].effect.as_ref().unwrap().power);
}

#[test]
fn a_look_may_claim_what_is_left_to_it() {
    let mut played = Shared::new(4, 12);
    played.levels("draw_rate", &LEVELS, |_| -0.06);
    let first = played.one(averaged());
    let p = first.adjusted_p.unwrap();
    assert_eq!(first.verdict, Verdict::Supported, "{:?}", first.gates);
    let later = played.judge(&[averaged()], |case| case.alpha = p / 2.0).pop().unwrap();
    assert_eq!(later.verdict, Verdict::Open);
    assert_eq!((later.gates[0].threshold, later.alpha), (Some(p / 2.0), p / 2.0));
    assert!(later.effect.unwrap().power < first.effect.unwrap().power);
    let nothing = played.judge(&[averaged()], |case| case.alpha = 0.0).pop().unwrap();
    assert_eq!((nothing.verdict, nothing.gates[0].interval), (Verdict::Open, None));
}

#[test]
fn what_is_withheld_tells_of_scatter_and_of_no_effect() {
    let judged = |effect: f64| {
        let mut played = Shared::new(4, 13);
        played.levels("draw_rate", &LEVELS, |_| effect);
        let why = Withheld::MissingSeeds { agent: "rules".to_owned(), present: 4, registered: 12 };
        let design = played.design();
        let case = Case {
            design: &design,
            measures: &played.measures,
            strengths: &[],
            placebos: &[],
            alpha: SIGNIFICANT,
            scheme: Scheme::Registered,
            withheld: Some(&why),
        };
        judge(&[averaged()], &case).pop().unwrap()
    };
    let judgement = judged(-0.05);
    assert_eq!((judgement.verdict, &judgement.effect, judgement.levels.len()), (Verdict::Open, &None, 0));
    assert_eq!((judgement.seeds.len(), judgement.sensitivity.len(), judgement.adjusted_p), (0, 0, None));
    assert!(matches!(judgement.withheld, Some(Withheld::MissingSeeds { present: 4, registered: 12, .. })));
    let is_blind = |gate: &Gate| (gate.value, gate.interval, gate.passed) == (None, None, None);
    assert!(judgement.gates.iter().all(|gate| is_blind(gate) && gate.scatter.is_some()));
    assert!(judgement.gates.iter().all(|gate| gate.seeds.is_some()));
    // Withheld judgements do not depend on the effect, except for rounding of the scatter.
    for (a, b) in judgement.gates.iter().zip(&judged(0.11).gates) {
        assert_eq!((&a.kind, a.seeds), (&b.kind, b.seeds));
        close(a.scatter.unwrap().spread.0, b.scatter.unwrap().spread.0, 1e-12);
    }
}

#[test]
#[ignore = "long"]
fn few_studies_without_effects_claim_one_and_planted_effects_are_found() {
    let metric = |i: usize| format!("share_{i}");
    let study = |seed: u64, planted: f64| {
        let mut played = Shared::new(8, seed);
        // The smallest effect is so small that nothing is equivalent to no effect.
        let endpoint = |i| Endpoint { metric: metric(i), smallest_effect: 0.001, ..averaged() };
        let endpoints: Vec<Endpoint> = (0..6).map(endpoint).collect();
        for i in 0..6 {
            played.levels(&metric(i), &LEVELS, |_| if i == 2 { planted } else { 0.0 });
        }
        played.judge(&endpoints, |_| {})
    };
    let claims =
        |judgement: &Judgement| matches!(judgement.verdict, Verdict::Supported | Verdict::Contradicted);
    let mut seed = 100;
    let found = frequency(120, || {
        seed += 1;
        study(seed, 0.0).iter().any(claims)
    });
    assert!(found <= 0.05, "{found}");
    let seen = frequency(40, || {
        seed += 1;
        study(seed, -0.03)[2].verdict == Verdict::Supported
    });
    assert!(seen > 0.8, "{seen}");
}

#[test]
fn an_effect_as_large_as_the_margin_is_rarely_called_equivalent() {
    let endpoint = Endpoint { smallest_effect: 0.02, ..averaged() };
    let mut seed = 5000;
    let called = frequency(400, || {
        seed += 1;
        let mut played = Shared::new(6, seed);
        played.levels("draw_rate", &[64, 128], |_| -0.02);
        played.one(endpoint.clone()).verdict == Verdict::Equivalent
    });
    assert!(called <= 0.04, "2.5 % but for chance: {called}");
}

#[test]
fn power_is_how_often_an_effect_of_the_smallest_size_is_significant() {
    // The mean of two levels and two arms scatters by NOISE, and the smallest effect equals it.
    let endpoint = Endpoint { smallest_effect: NOISE, ..averaged() };
    let mut seed = 1000;
    let seen = frequency(400, || {
        seed += 1;
        let mut played = Shared::new(6, seed);
        played.levels("draw_rate", &[64, 128], |_| -NOISE);
        let comparison = Comparison::new(&endpoint, &played.design(), &played.measures).map(|comparison| {
            let effects: Vec<Effect> =
                [64, 128].iter().filter_map(|&level| comparison.effect((Checkpoint::Last, level))).collect();
            Effect::mean(&effects).and_then(|effect| effect.difference.spread.map(|s| (effect.value(), s)))
        });
        let (value, (error, df)) = comparison.flatten().unwrap();
        let t = catapult_stats::testing::t_quantile(0.975, df);
        value.abs() / error > t
    });
    let scatter = Scatter { spread: (NOISE / 6f64.sqrt(), 5.0), least: 0.0, networks: 6, sides: 1 };
    close(seen, scatter.power(NOISE, catapult_stats::Criterion::Significance(0.05)), 0.06);
}
