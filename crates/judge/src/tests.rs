use super::*;
use crate::results::{Direction, Verdict};
use catapult_measures::Arm;
use catapult_measures::data::{Checkpoint, NetworkId, SampleId};
use catapult_measures::results::{Alike, Warning};
use catapult_measures::testing::played;
use catapult_stats::testing::{close, frequency, synthetic};
use catapult_stats::{Pentanomial, SeedEffect, score_of_elo, share};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn variant(name: &str) -> Arm {
    name.parse().unwrap()
}

fn sample(arm: &str, agent: &str, simulations: u32) -> SampleId {
    SampleId { arm: variant(arm), agent: agent.to_owned(), checkpoint: Checkpoint::Last, simulations }
}

/// Returns the endpoint "fewer draws" of Chess++. It is compared with chess, or with the share
/// `against` if that is given.
pub(super) fn fewer_draws(against: Option<f64>) -> Endpoint {
    Endpoint {
        claim: "fewer draws".to_owned(),
        metric: "draw_rate".to_owned(),
        arm: variant("chesspp"),
        control: against.is_none().then(|| variant("chess")),
        against,
        agent: None,
        levels: Vec::new(),
        family: None,
        by_construction: false,
        direction: Direction::Lower,
        smallest_effect: 0.05,
    }
}

/// Synthetic games and matches of agents with known draw rates and strengths.
struct Played {
    networks: u64,
    scatter: f64,
    random: Pcg64Mcg,
    measures: Vec<Measure>,
    strengths: Vec<Strength>,
}

impl Played {
    fn new(networks: u64, scatter: f64, seed: u64) -> Played {
        let random = Pcg64Mcg::seed_from_u64(seed);
        Played { networks, scatter, random, measures: Vec::new(), strengths: Vec::new() }
    }

    /// Adds games at a search level, played by the agent that is named after the arm. The metric
    /// has the mean value `rate`.
    fn games(&mut self, metric: &str, arm: &str, simulations: u32, rate: f64) {
        self.games_of(metric, arm, arm, simulations, rate);
    }

    fn games_of(&mut self, metric: &str, agent: &str, arm: &str, simulations: u32, rate: f64) {
        let games = synthetic(self.networks, 300, rate, self.scatter, &mut self.random);
        let evidence = share(&games, |&game| (game, 1.0)).unwrap();
        let sample = sample(arm, agent, simulations);
        self.measures.push(Measure::new(metric, sample, games.len() as u64, evidence));
    }

    /// Adds one match per network of the agent that is named after the arm. The networks' mean
    /// strength is `elo`.
    fn strength(&mut self, arm: &str, simulations: u32, elo: f64) {
        for seed in 1..=self.networks {
            let elo = elo + self.random.random_range(-40.0..40.0);
            self.match_of(arm, seed, simulations, "alphabeta:1", pairs_of(elo));
        }
    }

    fn match_of(&mut self, arm: &str, seed: u64, simulations: u32, opponent: &str, pairs: Pentanomial) {
        self.strengths.push(Strength {
            arm: variant(arm),
            network: NetworkId { agent: arm.to_owned(), seed },
            checkpoint: Checkpoint::Last,
            simulations,
            opponent: opponent.to_owned(),
            result: played(pairs.0),
        });
    }

    /// Returns a design that registers everything played. The reference opponent is `alphabeta:1`.
    fn design(&self) -> Design {
        let mut design =
            Design { early: 16, reference_opponents: vec!["alphabeta:1".to_owned()], ..Default::default() };
        for Measure { sample, networks, .. } in &self.measures {
            if sample.checkpoint == Checkpoint::Last && !design.levels.contains(&sample.simulations) {
                design.levels.push(sample.simulations);
            }
            match design.agents.iter_mut().find(|player| player.name == sample.agent) {
                Some(player) if player.arms.contains(&sample.arm) => {}
                Some(player) => player.arms.push(sample.arm),
                None => design.agents.push(Agent {
                    name: sample.agent.clone(),
                    arms: vec![sample.arm],
                    seeds: networks.len(),
                }),
            }
        }
        design.levels.sort_unstable();
        design
    }

    fn judge(&self, endpoint: Endpoint) -> Judgement {
        self.judge_all(&[endpoint], |_| {}).pop().unwrap()
    }

    fn judge_all(&self, endpoints: &[Endpoint], change: impl Fn(&mut Case)) -> Vec<Judgement> {
        let design = self.design();
        let mut case = Case {
            design: &design,
            measures: &self.measures,
            strengths: &self.strengths,
            placebos: &[],
            alpha: SIGNIFICANT,
            scheme: Scheme::Registered,
            withheld: None,
        };
        change(&mut case);
        judge(endpoints, &case)
    }
}

/// Returns 2000 decisive pairs against a player that is weaker by `elo`. Their standard error is
/// about 8 Elo.
fn pairs_of(elo: f64) -> Pentanomial {
    let won = (2000.0 * score_of_elo(elo)).round() as u64;
    Pentanomial([2000 - won, 0, 0, 0, won])
}

/// Returns games of Chess++ and chess at three levels, with equally strong networks. The draw rate
/// is `ours` in Chess++ and `chess` in chess.
fn two_arms(networks: u64, ours: f64, chess: f64) -> Played {
    let mut played = Played::new(networks, 0.02, 1);
    for (simulations, elo) in [(16, 0.0), (64, 150.0), (128, 250.0)] {
        for (arm, rate) in [("chesspp", ours), ("chess", chess)] {
            played.games("draw_rate", arm, simulations, rate);
            played.strength(arm, simulations, elo);
        }
    }
    played
}

#[test]
fn a_planted_effect_is_found() {
    let judgement = two_arms(3, 0.2, 0.4).judge(fewer_draws(None));
    assert_eq!(judgement.verdict, Verdict::Supported, "{:?}", judgement.gates);
    let simulations: Vec<u32> = judgement.levels.iter().map(|level| level.arm.simulations).collect();
    assert_eq!(simulations, [16, 64, 128]);
    close(judgement.levels[2].difference.value, -0.2, 0.06);
    assert_eq!(judgement.levels[2].control.as_ref().unwrap().arm, variant("chess"));
    let matched = judgement.matched.unwrap();
    close(matched.value, -0.2, 0.06);
    assert!(matched.agents[0] < -0.2 && -0.2 < matched.agents[1] && matched.rule.is_some(), "{matched:?}");
    assert_eq!(judgement.adjusted_p, judgement.levels[2].rule_p);
    assert!(judgement.levels.iter().all(|level| level.power.is_some_and(|power| power > 0.05)));
    assert_eq!((judgement.tests, judgement.networks), (1, 3));
    let significant = &judgement.gates[0];
    assert_eq!((significant.value, significant.threshold), (judgement.adjusted_p, Some(SIGNIFICANT)));
    assert_eq!(significant.interval, judgement.effect.unwrap().difference.rule);
}

#[test]
fn effects_of_networks_that_vary_no_more_than_games_do_are_named() {
    let mut judgement = two_arms(3, 0.2, 0.4).judge(fewer_draws(None));
    assert_eq!(alike(std::slice::from_ref(&judgement)), [], "the arms have separate networks");
    let mut effects = |values: [f64; 4]| {
        let seeds = values.into_iter().zip(1..);
        judgement.seeds = seeds.map(|(value, seed)| SeedEffect { seed, value, error: 0.05 }).collect();
        alike(std::slice::from_ref(&judgement))
    };
    // The variance is 0.000667, compared with 0.05^2. Chi squared is 0.8 with 3 degrees of freedom.
    let found = effects([0.1, 0.06, 0.12, 0.08]);
    let [Warning::NoSeedVariance { networks: 4, endpoints }] = found.as_slice() else { panic!("{found:?}") };
    let [Alike { arm, between, within, p, .. }] = endpoints.as_slice() else { panic!("{endpoints:?}") };
    assert_eq!(arm.arm, variant("chesspp"));
    assert!((between - 0.002 / 3.0).abs() < 1e-12 && (within - 0.0025).abs() < 1e-12);
    assert!((p - 0.849_47).abs() < 1e-4, "{p}");
    assert_eq!(effects([0.4, -0.02, 0.82, 0.22]), []);
}

#[test]
fn the_opposite_effect_contradicts() {
    let judgement = two_arms(3, 0.4, 0.2).judge(fewer_draws(None));
    assert_eq!(judgement.verdict, Verdict::Contradicted, "{:?}", judgement.gates);
}

#[test]
fn fewer_than_three_networks_leave_a_claim_open() {
    let judgement = two_arms(2, 0.1, 0.6).judge(fewer_draws(None));
    assert_eq!((judgement.verdict, judgement.adjusted_p), (Verdict::Open, None));
    assert_eq!(judgement.networks, 2);
    assert_eq!((judgement.gates[0].passed, judgement.gates[0].interval), (None, None));
    assert!(judgement.levels[0].power.is_none());
}

#[test]
fn no_effect_is_left_open_with_what_would_settle_it() {
    let judgement = two_arms(3, 0.3, 0.31).judge(fewer_draws(None));
    assert_eq!(judgement.verdict, Verdict::Open, "{:?}", judgement.gates);
    assert_eq!(judgement.gates[0].passed, Some(false));
    let needed = judgement.gates.iter().filter_map(|gate| gate.seeds).map(|seeds| seeds.estimate).max();
    assert!(needed.is_some_and(|needed| (4..200).contains(&needed)), "{:?}", judgement.gates);
    // An effect that matters is excluded.
    let judgement = two_arms(12, 0.3, 0.3).judge(Endpoint { smallest_effect: 0.2, ..fewer_draws(None) });
    assert_eq!(judgement.verdict, Verdict::Equivalent);
}

#[test]
fn the_sign_must_hold_at_two_levels() {
    let mut played = two_arms(3, 0.2, 0.4);
    played.measures.retain(|measure| measure.sample.simulations == 128);
    let judgement = played.judge(fewer_draws(None));
    assert_eq!(judgement.verdict, Verdict::Open);
    let below = |judgement: &Judgement| judgement.gates[1].clone();
    let kind = GateKind::Sign { at: Place::LevelBelow };
    assert_eq!((below(&judgement).kind, below(&judgement).passed), (kind, None));
    played.games("draw_rate", "chesspp", 64, 0.4);
    played.games("draw_rate", "chess", 64, 0.3);
    let judgement = played.judge(fewer_draws(None));
    assert_eq!(judgement.verdict, Verdict::Open);
    let kind = GateKind::Sign { at: Place::Level(64) };
    assert_eq!((below(&judgement).kind, below(&judgement).passed), (kind, Some(false)));
    assert!(below(&judgement).value.unwrap() > 0.0);
}

#[test]
fn what_strength_explains_is_not_the_rules() {
    // The draw rate rises by 1 per 1000 Elo in both arms. Chess++ has weaker networks.
    let mut played = Played::new(4, 0.01, 2);
    for (simulations, elo) in [(16, 0.0), (64, 150.0), (128, 300.0)] {
        for (arm, elo) in [("chesspp", elo), ("chess", elo + 150.0)] {
            played.games("draw_rate", arm, simulations, 0.2 + elo / 1000.0);
            played.strength(arm, simulations, elo);
        }
    }
    let judgement = played.judge(fewer_draws(None));
    assert!(judgement.adjusted_p.unwrap() < 0.05);
    close(judgement.matched.unwrap().value, 0.0, 0.05);
    assert_eq!(judgement.verdict, Verdict::Open, "{:?}", judgement.gates);
    let matched = judgement.gates.last().unwrap();
    assert_eq!((&matched.kind, matched.passed), (&GateKind::EqualStrength { unmatched: None }, Some(false)));
    assert_eq!(matched.interval, judgement.matched.unwrap().rule);
}

fn why_unmatched(judgement: &Judgement) -> Option<&Unmatched> {
    match &judgement.gates.last()?.kind {
        GateKind::EqualStrength { unmatched } => unmatched.as_ref(),
        _ => None,
    }
}

#[test]
fn unmatched_strength_leaves_a_claim_open() {
    let mut played = two_arms(3, 0.2, 0.4);
    let strengths = std::mem::take(&mut played.strengths);
    let judgement = played.judge(fewer_draws(None));
    assert_eq!((judgement.verdict, judgement.matched), (Verdict::Open, None));
    let no_matches = Unmatched::NoMatches { arm: variant("chesspp"), agent: "chesspp".to_owned() };
    assert_eq!(why_unmatched(&judgement), Some(&no_matches));
    // The control is stronger at every level.
    for mut strength in strengths {
        if strength.arm == variant("chess") {
            strength.result.pairs = pairs_of(strength.result.pairs.elo().value + 900.0);
        }
        played.strengths.push(strength);
    }
    let judgement = played.judge(fewer_draws(None));
    assert_eq!(judgement.verdict, Verdict::Open);
    assert!(matches!(
        why_unmatched(&judgement),
        Some(Unmatched::StrongerThroughout { arm: [_, high], control: [low, _] }) if high < low
    ));
}

#[test]
fn the_ruler_is_what_was_registered() {
    let mut played = two_arms(3, 0.2, 0.4);
    let before = played.judge(fewer_draws(None)).matched;
    // Matches against other opponents do not count.
    for (arm, seed) in ["chesspp", "chess"].into_iter().flat_map(|arm| (1..=3).map(move |seed| (arm, seed))) {
        for simulations in [16, 64, 128] {
            played.match_of(arm, seed, simulations, "alphabeta:0", pairs_of(1000.0 * seed as f64));
            played.match_of(arm, seed, simulations, "half", Pentanomial([1, 1, 1, 1, 9]));
        }
    }
    assert_eq!(played.judge(fewer_draws(None)).matched, before);
    // A network without matches against all reference opponents has no strength.
    let fewer = |played: &Played| {
        let design = Design {
            reference_opponents: vec!["alphabeta:1".to_owned(), "alphabeta:9".to_owned()],
            ..played.design()
        };
        let endpoints = [fewer_draws(None)];
        let case = |case: &Case| judge(&endpoints, &Case { design: &design, ..*case }).pop().unwrap();
        let found = std::cell::RefCell::new(None);
        played.judge_all(&endpoints, |given| *found.borrow_mut() = Some(case(given)));
        found.into_inner().unwrap()
    };
    assert!(matches!(why_unmatched(&fewer(&played)), Some(Unmatched::NoMatches { .. })));
}

#[test]
fn the_scatter_at_equal_strength_is_that_of_both_sides() {
    let mut played = two_arms(3, 0.2, 0.4);
    // The networks of Chess++ agree and those of chess do not. All have the strength of their level.
    for strength in &mut played.strengths {
        strength.result.pairs = pairs_of(f64::from(strength.simulations));
    }
    for measure in &mut played.measures {
        let is_control = measure.sample.arm == variant("chess");
        for (network, value) in measure.networks.iter_mut().zip([0.3, 0.4, 0.5]) {
            network.value = if is_control { value } else { 0.2 };
        }
    }
    let matched = played.judge(fewer_draws(None)).matched.unwrap();
    close(matched.value, -0.2, 1e-9);
    // By hand: the mean of chess has the standard error 0.1 / sqrt(3). Student's t with 2 degrees of
    // freedom is 4.302653.
    let half = 4.302_653 * 0.1 / 3f64.sqrt();
    let [low, high] = matched.rule.unwrap();
    close(low, -0.2 - half, 1e-6);
    close(high, -0.2 + half, 1e-6);
}

#[test]
fn a_match_won_outright_moves_strength_and_is_not_dropped() {
    let mut played = two_arms(3, 0.2, 0.4);
    let matched = |played: &Played| played.judge(fewer_draws(None)).matched.unwrap();
    let set = |played: &mut Played, pairs: Pentanomial| {
        let is_it = |strength: &&mut Strength| {
            strength.simulations == 128 && strength.network.seed == 1 && strength.arm == variant("chesspp")
        };
        played.strengths.iter_mut().find(is_it).unwrap().result.pairs = pairs;
    };
    // Draws fall with strength here, so a stronger Chess++ leaves less of the difference to its
    // rules.
    set(&mut played, Pentanomial([0, 0, 0, 0, 50]));
    let won = matched(&played);
    set(&mut played, Pentanomial([50, 0, 0, 0, 0]));
    let lost = matched(&played);
    let dropped = {
        played
            .strengths
            .retain(|s| s.simulations != 128 || s.network.seed != 1 || s.arm != variant("chesspp"));
        matched(&played)
    };
    assert!(won != dropped && lost != dropped && won != lost, "{won:?} {lost:?} {dropped:?}");
}

#[test]
fn a_claim_against_a_fixed_value_needs_no_strength() {
    let mut played = Played::new(3, 0.02, 3);
    played.games("draw_rate", "chesspp", 64, 0.3);
    played.games("draw_rate", "chesspp", 128, 0.3);
    let judgement = played.judge(fewer_draws(Some(0.5)));
    assert_eq!(judgement.verdict, Verdict::Supported, "{:?}", judgement.gates);
    assert_eq!((&judgement.levels[1].control, judgement.matched), (&None, None));
    let judgement = played.judge(fewer_draws(Some(0.1)));
    assert_eq!(judgement.verdict, Verdict::Contradicted, "{:?}", judgement.gates);
}

#[test]
fn what_was_not_measured_is_open() {
    let judgement = Played::new(3, 0.0, 4).judge(fewer_draws(None));
    assert_eq!((judgement.verdict, judgement.levels.len()), (Verdict::Open, 0));
    assert_eq!((judgement.effect, judgement.networks), (None, 0));
}

#[test]
fn the_agents_with_most_networks_are_compared() {
    // One shared network and three dedicated ones per arm: the dedicated ones are compared.
    let mut played = two_arms(3, 0.2, 0.4);
    played.networks = 1;
    for simulations in [64, 128, 256] {
        played.games_of("draw_rate", "shared", "chesspp", simulations, 0.5);
        played.games_of("draw_rate", "shared", "chess", simulations, 0.1);
    }
    let judgement = played.judge(fewer_draws(None));
    assert_eq!(judgement.levels.len(), 3);
    assert!(judgement.levels.iter().all(|level| level.arm.agent == "chesspp"));
    // Without the dedicated networks, the shared one plays both sides.
    played.measures.retain(|measure| measure.sample.agent != "chesspp");
    let judgement = played.judge(fewer_draws(None));
    assert!(judgement.levels.iter().all(|level| level.control.as_ref().unwrap().agent == "shared"));
    assert_eq!(judgement.levels.last().unwrap().arm.simulations, 256);
}

#[test]
#[ignore = "long"]
fn a_study_without_effects_finds_nothing_and_a_planted_one_among_them_is_found() {
    const ENDPOINTS: usize = 20;
    let study = |seed: u64, planted: Option<f64>| {
        let mut played = Played::new(3, 0.05, seed);
        let mut endpoints = Vec::new();
        for i in 0..ENDPOINTS {
            let metric = format!("share_{i}");
            let rate = planted.filter(|_| i == 7).unwrap_or(0.3);
            played.games(&metric, "chesspp", 64, rate);
            played.games(&metric, "chesspp", 128, rate);
            endpoints.push(Endpoint { metric, ..fewer_draws(Some(0.3)) });
        }
        played.judge_all(&endpoints, |_| {})
    };
    let mut seed = 0;
    let found = frequency(60, || {
        seed += 1;
        study(seed, None).iter().any(|j| matches!(j.verdict, Verdict::Supported | Verdict::Contradicted))
    });
    assert!(found <= 0.1, "at most 5 % of studies but for chance: {found}");
    // With two degrees of freedom and twenty endpoints, only an effect far beyond the scatter of
    // networks is significant.
    let seen = frequency(20, || {
        seed += 1;
        study(seed, Some(0.98))[7].verdict == Verdict::Contradicted
    });
    assert!(seen > 0.7, "{seen}");
}

#[test]
fn one_network_settles_what_these_networks_do() {
    let judged = |ours, smallest_effect| {
        let endpoint = Endpoint { smallest_effect, ..fewer_draws(None) };
        let judge = |scheme| {
            two_arms(1, ours, 0.4).judge_all(std::slice::from_ref(&endpoint), |case| case.scheme = scheme)
        };
        assert_eq!(judge(Scheme::Symmetric)[0].verdict, Verdict::NotSettled, "one network is no recipe");
        judge(Scheme::TheseNetworks).remove(0)
    };
    let found = judged(0.1, 0.05);
    assert_eq!(found.verdict, Verdict::Fewer, "{:?}", found.gates);
    let effect = found.effect.unwrap();
    assert_eq!((found.gates.len(), found.gates[0].interval), (1, Some(effect.difference.agents)));
    assert_eq!((effect.difference.rule, found.adjusted_p), (None, Some(effect.agents_p)));
    assert_eq!(judged(0.7, 0.05).verdict, Verdict::More);
    assert_eq!(judged(0.4, 0.3).verdict, Verdict::NoDifferenceThatMatters);
    assert_eq!(judged(0.4, 0.001).verdict, Verdict::NotSettled);
    // The interval belongs to the level of significance that is left, and there may be none.
    let left = |alpha| {
        let endpoint = Endpoint { smallest_effect: 0.3, ..fewer_draws(None) };
        let found = two_arms(1, 0.4, 0.4).judge_all(&[endpoint], |case| {
            (case.scheme, case.alpha) = (Scheme::TheseNetworks, alpha);
        });
        (found[0].verdict, found[0].gates[0].interval)
    };
    let [low, high] = left(0.05).1.unwrap();
    let (verdict, wider) = left(0.01);
    // The quotient of the normal quantiles at .995 and .975 is 2.5758 / 1.9600.
    let ratio = (wider.unwrap()[1] - wider.unwrap()[0]) / (high - low);
    assert!((ratio - 1.3142).abs() < 1e-3, "{ratio}");
    assert_eq!(verdict, Verdict::NoDifferenceThatMatters);
    assert_eq!(left(0.0), (Verdict::NotSettled, None));
}
