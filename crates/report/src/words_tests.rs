//! Tests of the sentences for each kind of claim and of gate.

use super::*;
use crate::results::{Contrast, Direction, Robustness, SeedEffect};
use catapult_measures::data::{Checkpoint, SampleId};

fn variant(name: &str) -> Arm {
    name.parse().unwrap()
}

fn sample(arm: Arm) -> SampleId {
    SampleId { arm, agent: "rules".to_owned(), checkpoint: Checkpoint::Last, simulations: 128 }
}

/// Returns a supported claim that compares Chess++ with chess, where each network played both
/// games. `value` is the effect, `interval` its interval for other seeds. `networks` has the effect
/// of each network.
fn claim(metric: &str, value: f64, interval: Option<[f64; 2]>, networks: &[f64]) -> Judgement {
    let (arm, control) = (variant("chesspp"), variant("chess"));
    let difference = Estimate { value, agents: [value - 0.01, value + 0.01], rule: interval };
    let seed = |(seed, &value): (u64, &f64)| SeedEffect { seed, value, error: 0.01 };
    Judgement {
        endpoint: Endpoint {
            claim: "a claim".to_owned(),
            metric: metric.to_owned(),
            arm,
            control: Some(control),
            against: None,
            agent: None,
            levels: vec![64, 128],
            family: None,
            by_construction: false,
            direction: Direction::Lower,
            smallest_effect: 0.05,
        },
        scheme: Scheme::Registered,
        verdict: Verdict::Supported,
        withheld: None,
        alpha: 0.05,
        tests: 6,
        networks: networks.len(),
        levels: Vec::new(),
        effect: Some(Contrast {
            metric: metric.to_owned(),
            arm: sample(arm),
            control: Some(sample(control)),
            difference,
            rule_p: Some(0.001),
            agents_p: 0.001,
            probability_above: 0.999,
            power: None,
        }),
        seeds: (1..).zip(networks).map(seed).collect(),
        adjusted_p: Some(0.004),
        matched: None,
        sensitivity: Vec::new(),
        robustness: Robustness::default(),
        gates: Vec::new(),
    }
}

/// Returns the claim about draws that the published study made.
fn draws() -> Judgement {
    claim("draw_rate", 0.0746, Some([0.0601, 0.0891]), &[0.07; 12])
}

fn against(metric: &str, value: f64, interval: [f64; 2], fixed: f64) -> Judgement {
    let mut judgement = claim(metric, value, Some(interval), &[value; 12]);
    (judgement.endpoint.control, judgement.endpoint.against) = (None, Some(fixed));
    judgement
}

fn gate_of(kind: GateKind, value: Option<f64>, interval: Option<[f64; 2]>, passed: Option<bool>) -> Gate {
    let scatter = Some(Scatter { spread: (0.02, 11.0), least: 0.005, networks: 12, sides: 1 });
    Gate { kind, value, interval, threshold: Some(0.0), passed, power: Some(0.5), seeds: None, scatter }
}

fn needing(mut gate: Gate, estimate: usize) -> Gate {
    gate.seeds = Some(SeedsNeeded { estimate, low: estimate - 2, high: Some(estimate + 9) });
    gate
}

#[test]
fn shares_of_games_go_up_and_down() {
    let up = "Chess++ is drawn 7.5 points more often than chess [6.0, 8.9], in 12 of 12 networks.";
    assert_eq!(summary(&draws()), up);
    let down = claim("draw_rate", -0.0351, Some([-0.1363, -0.0101]), &[-0.1, -0.05, 0.02]);
    assert_eq!(
        summary(&down),
        "Chess++ is drawn 3.5 points less often than chess [1.0, 13.6], in 2 of 3 networks."
    );
    let either = claim("drawn_clock", -0.0351, Some([-0.1363, 0.0662]), &[-0.1, -0.05, 0.02]);
    assert_eq!(
        summary(&either),
        "Chess++ is drawn by the fifty-move rule 3.5 points less often than chess [13.6 less, 6.6 more], in 2 of 3 networks."
    );
}

#[test]
fn games_take_longer_and_other_measures_are_higher() {
    let mut longer = claim("length", 23.01, Some([17.91, 28.11]), &[23.0; 12]);
    assert_eq!(
        summary(&longer),
        "Chess++ takes 23.0 plies longer than chess [17.9, 28.1], in 12 of 12 networks."
    );
    let shorter = claim("length", -4.1, Some([-7.1, 0.4]), &[-4.0; 12]);
    assert_eq!(
        summary(&shorter),
        "Chess++ is 4.1 plies shorter than chess [7.1 shorter, 0.4 longer], in 12 of 12 networks."
    );
    longer.endpoint.arm = variant("chesspp+free+third");
    longer.endpoint.control = Some(variant("chesspp"));
    assert!(
        summary(&longer).starts_with("Chess++ with +free and +third takes 23.0 plies longer than Chess++ [")
    );
    let score = claim("comeback_score", 0.0284, Some([0.0121, 0.0446]), &[0.02; 12]);
    assert_eq!(
        summary(&score),
        "In Chess++ the score from three pawns down is 2.8 points higher than in chess [1.2, 4.5], in 12 of 12 networks."
    );
    let unknown = claim("some_new_measure", -1.5, Some([-2.25, -0.75]), &[-1.5; 3]);
    assert_eq!(
        summary(&unknown),
        "In Chess++ the metric \u{201c}some new measure\u{201d} is 1.50 lower than in chess [0.750, 2.25], \
         in 3 of 3 networks."
    );
}

#[test]
fn measures_of_networks_say_when_they_were_asked() {
    let entropy = claim("opening_entropy_share", -0.01007, Some([-0.02047, 0.00033]), &[-0.01; 12]);
    assert_eq!(
        summary(&entropy),
        "Without search, in Chess++ the metric \u{201c}opening entropy, share of uniform play's\u{201d} is \
         1.0 points lower than in chess [2.0 lower, 0.0 higher], in 12 of 12 networks."
    );
}

#[test]
fn a_fixed_value_is_what_an_effect_is_above_or_below() {
    let judgement = against("draw_rate", -0.1, [-0.12, -0.08], 0.5);
    assert_eq!(
        summary(&judgement),
        "In Chess++ the metric \u{201c}draw rate\u{201d} is 10.0 points below 50.0 % [8.0, 12.0], in 12 of \
         12 networks."
    );
    assert_eq!(rules(&judgement.endpoint), "chesspp against 50.0 %");
    let excess = against("attacking_excess", -0.157, [-0.223, -0.091], 0.0);
    assert!(summary(&excess).contains("is 0.157 below 0 [0.091, 0.223]"), "{}", summary(&excess));
    let mut fact = against("superset_plies", 0.071, [0.06, 0.08], 0.9);
    fact.endpoint.by_construction = true;
    assert_eq!(
        summary(&fact),
        "In Chess++ the share of plies of chess that stay legal is 7.1 points above 90.0 % [6.0, 8.0], in 12 of 12 networks, \
         which follows from the rules."
    );
}

#[test]
fn own_networks_are_counted_per_rule_set() {
    // Each side has its own networks: three, then one.
    let mut judgement = draws();
    judgement.seeds.clear();
    judgement.networks = 3;
    assert!(summary(&judgement).ends_with("[6.0, 8.9], with 3 networks per rule set."));
    judgement.networks = 1;
    judgement.effect.as_mut().unwrap().difference.rule = None;
    assert_eq!(
        summary(&judgement),
        "Chess++ is drawn 7.5 points more often than chess [unknown for other seeds], with 1 network per rule set."
    );
}

#[test]
fn every_verdict_says_how_the_effect_compares_with_what_matters() {
    let of = |verdict| {
        let said = summary(&Judgement { verdict, ..draws() });
        said.strip_prefix(
            "Chess++ is drawn 7.5 points more often than chess [6.0, 8.9], in 12 of 12 networks",
        )
        .unwrap()
        .to_owned()
    };
    for plain in [Verdict::Supported, Verdict::Contradicted, Verdict::Open, Verdict::NotSettled] {
        assert_eq!(of(plain), ".");
    }
    for none in [Verdict::Equivalent, Verdict::NoDifferenceThatMatters] {
        assert_eq!(of(none), ": less than the 5.0 points that would matter.");
    }
    for sure in [Verdict::More, Verdict::Fewer] {
        assert_eq!(of(sure), ": more than the 5.0 points that would matter.");
    }
    for unclear in [Verdict::MoreSizeUnclear, Verdict::FewerSizeUnclear] {
        assert_eq!(of(unclear), ": perhaps less than the 5.0 points that would matter.");
    }
    assert_eq!(Verdict::MoreSizeUnclear.name(), "more, size unclear");
    assert_eq!(Verdict::NoDifferenceThatMatters.name(), "no difference that matters");
}

#[test]
fn what_was_not_measured_used_or_shown_is_said() {
    let mut judgement = Judgement { verdict: Verdict::Open, ..draws() };
    let unused = GateKind::Used { rule: "+promote".to_owned() };
    judgement.gates = vec![gate_of(unused, None, None, Some(false))];
    assert_eq!(summary(&judgement), "No game used +promote, so nothing can be said about it.");
    assert_eq!(
        gate(&judgement, &judgement.gates[0]),
        "No game used +promote: whatever differs comes from elsewhere."
    );
    assert_eq!(why_open(&judgement), None);
    assert_eq!(would_settle(&judgement).unwrap(), "Players that use the rule.");

    judgement.gates = vec![gate_of(GateKind::Significant, None, None, None)];
    judgement.effect = None;
    assert_eq!(
        summary(&judgement),
        "Not measured in Chess++ and chess: the metric \u{201c}draw rate\u{201d}."
    );
    assert_eq!(why_open(&judgement), None);
    assert_eq!(would_settle(&judgement).unwrap(), "Games in which it can be measured on both sides.");

    judgement.withheld = Some(Withheld::VariancesOnly);
    assert_eq!(summary(&judgement), "Not shown: only the scatter between training seeds was requested.");
    judgement.withheld =
        Some(Withheld::MissingSeeds { agent: "rules".to_owned(), present: 4, registered: 12 });
    assert_eq!(summary(&judgement), "Not shown yet: 4 of 12 registered seeds of `rules` are there.");
    judgement.gates = vec![needing(judgement.gates[0].clone(), 20)];
    // 6.9 points is 0.02 times the root of 12.
    assert_eq!(
        gate(&judgement, &judgement.gates[0]),
        "Between training seeds it scatters by 6.9 points (standard deviation of 12)."
    );
    assert_eq!(
        would_settle(&judgement).unwrap(),
        "Networks of 20 training seeds (from 18 to 29: the scatter is known from few networks) would find an effect of \
         5.0 points four times in five, if they differ as these do."
    );
    judgement.gates[0].scatter.as_mut().unwrap().sides = 2;
    assert_eq!(
        gate(&judgement, &judgement.gates[0]),
        "The standard error of the difference is 2.0 points, equivalent to 12 networks per side."
    );
    judgement.gates[0].scatter = None;
    assert!(gate(&judgement, &judgement.gates[0]).starts_with("So few networks"));
    assert_eq!(would_settle(&judgement).unwrap(), MORE_NETWORKS);
}

#[test]
fn too_few_seeds_say_nothing_about_others() {
    let mut judgement = Judgement { verdict: Verdict::Open, networks: 2, ..draws() };
    let significant = gate_of(GateKind::Significant, None, None, None);
    judgement.gates = vec![Gate { scatter: None, ..significant.clone() }];
    assert_eq!(
        why_open(&judgement).unwrap(),
        "With 2 networks nothing is known about other seeds of this recipe."
    );
    assert_eq!(would_settle(&judgement).unwrap(), MORE_NETWORKS);
    assert_eq!(gate(&judgement, &significant), "It was not tested.");
}

#[test]
fn significance_is_of_other_seeds_of_the_recipe() {
    let mut judgement = draws();
    let of = |judgement: &Judgement, p: f64| {
        let passed = Some(p < judgement.alpha);
        gate(judgement, &gate_of(GateKind::Significant, Some(p), Some([0.0601, 0.0891]), passed))
    };
    assert_eq!(of(&judgement, 0.004), "The choice of seeds alone does not explain it (adjusted p = 0.004).");
    assert_eq!(
        of(&judgement, 0.12),
        "Other seeds of this recipe might show anything from +6.0 points to +8.9 points (adjusted p = 0.12)."
    );
    // About these networks, the sentence has the interval for these networks.
    let these = Judgement { scheme: Scheme::TheseNetworks, ..judgement.clone() };
    let [low, high] = these.effect.as_ref().unwrap().difference.agents.map(|end| signed(end, Unit::Share));
    assert!(of(&these, 0.12).contains(&format!("these networks might show anything from {low} to {high}")));
    let open = would_settle(&Judgement { verdict: Verdict::NotSettled, ..these }).unwrap();
    assert!(open.starts_with("More games, in a new study"), "{open}");
    judgement.alpha = 0.0;
    assert_eq!(of(&judgement, 0.03), "Earlier looks at this study have spent the whole significance level.");
    judgement.endpoint.by_construction = true;
    judgement.alpha = 0.05;
    assert!(of(&judgement, 0.12).ends_with("(p = 0.12)."), "{}", of(&judgement, 0.12));
}

/// A first look without registered seeds judges by 97.5 %. The page must show that interval: its
/// 95 % interval may lie inside the smallest effect although nothing is settled.
#[test]
fn the_interval_of_a_look_is_shown_with_its_level() {
    let mut judgement = claim("draw_rate", 0.026, Some([0.003, 0.049]), &[0.026; 12]);
    (judgement.alpha, judgement.verdict) = (0.025, Verdict::NotSettled);
    judgement.scheme = Scheme::Symmetric;
    judgement.gates = vec![gate_of(GateKind::Significant, Some(0.03), Some([-0.001, 0.053]), Some(false))];
    assert_eq!(
        summary(&judgement),
        "Chess++ is drawn 2.6 points more often than chess [0.1 less, 5.3 more] (97.5 %), in 12 of 12 networks."
    );
    assert_eq!(
        why_open(&judgement).unwrap(),
        "Other seeds of this recipe might show anything from −0.1 points to +5.3 points (97.5 % interval, \
         adjusted p = 0.03; this look needs p below 0.025)."
    );
    let level = |alpha| {
        let found = judgement.effect.as_ref().unwrap().difference;
        judged_interval(&Judgement { alpha, ..judgement.clone() }, &found)
    };
    assert_eq!(level(0.05), (Some([0.003, 0.049]), None));
    // 0.05 / 6 and 0.05 / 12 are left to the second and the third look.
    assert_eq!(level(0.05 / 6.0).1.unwrap(), "99.17 %");
    assert_eq!(level(0.05 / 12.0).1.unwrap(), "99.58 %");
}

#[test]
fn signs_are_told_with_their_place_and_their_noise() {
    let judgement = draws();
    let sign = |at, found: Option<(f64, [f64; 2])>, passed| {
        let value = found.map(|(value, _)| value);
        let found = gate_of(GateKind::Sign { at }, value, found.map(|(_, ends)| ends), passed);
        (gate_name(&found.kind), gate(&judgement, &found), gate_settles(&judgement, &found))
    };
    let (name, found, _) = sign(Place::Level(64), Some((0.092, [0.068, 0.116])), Some(true));
    assert_eq!(name, "sign at 64 simulations");
    assert_eq!(found, "At 64 simulations it is +9.2 points [+6.8, +11.6].");
    let (_, found, settles) = sign(Place::Early, Some((0.004, [-0.014, 0.021])), Some(false));
    assert_eq!(found, "At the earlier checkpoint it is +0.4 points [−1.4, +2.1], which may be chance.");
    assert_eq!(settles, Some("More games at each level."));
    let (_, found, settles) = sign(Place::Level(64), Some((-0.02, [-0.03, -0.01])), Some(false));
    assert_eq!(found, "At 64 simulations it is −2.0 points [−3.0, −1.0], not the same sign.");
    assert!(settles.unwrap().contains("may depend on strength"));
    for (at, said) in [
        (Place::Level(64), "Not measured at 64 simulations."),
        (Place::LevelBelow, "Only one search level was measured, and a claim must hold at two."),
        (Place::Early, "No earlier checkpoint was measured, and a claim about networks must hold at two."),
    ] {
        assert_eq!(sign(at, None, None).1, said);
    }
}

#[test]
fn strength_gates_say_what_was_compared() {
    let judgement = draws();
    let budget = |times, levels: &[(u32, u32)], value, passed| {
        let kind = GateKind::Budget { times, levels: levels.to_vec() };
        gate_of(kind, value, value.map(|value| [value - 0.01, value + 0.01]), passed)
    };
    let found = budget(Times::Half, &[(32, 64), (64, 128)], Some(0.09), Some(true));
    assert_eq!(gate_name(&found.kind), "half the simulations");
    assert_eq!(
        gate(&judgement, &found),
        "With half the control's simulations (32 against 64 and 64 against 128) it is +9.0 points [+8.0, +10.0]."
    );
    assert_eq!(
        gate(&judgement, &budget(Times::Twice, &[], None, None)),
        "No games were played with twice the control's simulations."
    );
    let equal = |unmatched, value, passed| {
        let found = gate_of(GateKind::EqualStrength { unmatched }, value, Some([-0.01, 0.03]), passed);
        gate(&judgement, &found)
    };
    assert_eq!(
        equal(None, Some(0.01), Some(false)),
        "Between equally strong players it is +1.0 points [−1.0, +3.0], which may be chance."
    );
    let no_matches = Unmatched::NoMatches { arm: variant("chesspp"), agent: "own".to_owned() };
    assert_eq!(
        equal(Some(no_matches), None, None),
        "The sides cannot be matched for strength: no match gives the strength of own in Chess++."
    );
    let stronger = Unmatched::StrongerThroughout { arm: [10.0, 90.0], control: [150.0, 300.0] };
    assert_eq!(
        equal(Some(stronger), None, None),
        "The sides cannot be matched for strength: one side is stronger at every level (+10 to +90 Elo in \
         Chess++, +150 to +300 in chess)."
    );
    assert!(equal(Some(Unmatched::TooFewLevels), None, None).contains("too few levels"));
}

#[test]
fn an_open_claim_says_what_stands_in_its_way_and_what_would_settle_it() {
    let significant = needing(gate_of(GateKind::Significant, Some(0.004), Some([0.01, 0.09]), Some(true)), 9);
    let twice = GateKind::Budget { times: Times::Twice, levels: vec![(128, 64)] };
    let twice = needing(gate_of(twice, Some(0.004), Some([-0.014, 0.021]), Some(false)), 40);
    let mut judgement = Judgement { verdict: Verdict::NotSettled, scheme: Scheme::Symmetric, ..draws() };
    judgement.gates = vec![significant, twice];
    assert_eq!(
        why_open(&judgement).unwrap(),
        "With twice the control's simulations (128 against 64) it is +0.4 points [−1.4, +2.1], which may be chance."
    );
    assert_eq!(
        would_settle(&judgement).unwrap(),
        "Networks of 40 training seeds (from 38 to 49: the scatter is known from few networks) would pass each gate (the \
         hardest is \u{201c}twice the simulations\u{201d}) at least four times in five for an effect of 5.0 points, and \
         all gates together less often, if they differ as these do. Stronger networks, or more search levels: strength \
         may explain it."
    );
    // The effect is too small to matter, except at twice the simulations.
    judgement.gates[0].interval = Some([-0.01, 0.02]);
    judgement.gates[0].passed = Some(false);
    judgement.gates[1].interval = Some([-0.02, 0.06]);
    assert_eq!(
        why_open(&judgement).unwrap(),
        "It is less than 5.0 points, but with twice the control's simulations (128 against 64) it is +0.4 points [−2.0, +6.0]."
    );
    judgement.gates[1].value = None;
    assert_eq!(
        why_open(&judgement).unwrap(),
        "It is less than 5.0 points here. No games were played with twice the control's simulations."
    );
    judgement.gates[1].seeds = None;
    assert!(
        would_settle(&judgement).unwrap().starts_with("Stronger or more similar networks: no affordable")
    );
    judgement.verdict = Verdict::More;
    assert_eq!((why_open(&judgement), would_settle(&judgement)), (None, None));
}
