//! Tests of endpoints whose networks play the arm and its control, and of measures of the prior.

use super::tests::fewer_draws;
use super::*;
use crate::results::{Direction, Verdict};
use catapult_measures::data::SampleId;
use catapult_measures::results::NetworkValue;
use catapult_stats::Evidence;
use catapult_stats::testing::close;
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

pub(super) const NOISE: f64 = 0.01;

pub(super) fn variant(name: &str) -> Arm {
    name.parse().unwrap()
}

/// Synthetic measures of networks that play both arms. Networks differ more from each other than
/// the arms do. Each value has a standard error of about [`NOISE`].
pub(super) struct Shared {
    own: Vec<f64>,
    random: Pcg64Mcg,
    pub measures: Vec<Measure>,
}

impl Shared {
    pub(super) fn new(networks: usize, seed: u64) -> Shared {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let own = (0..networks).map(|_| 0.1 * normal(&mut random)).collect();
        Shared { own, random, measures: Vec::new() }
    }

    fn play(&mut self, metric: &str, arm: &str, at: (Checkpoint, u32), rate: f64) {
        let values: Vec<f64> =
            self.own.iter().map(|own| own + rate + NOISE * normal(&mut self.random)).collect();
        self.measures.push(measure(metric, arm, at, &values));
    }

    /// Adds measures of both arms at each level. `effect` returns by how much the arm exceeds the
    /// control at a level.
    pub(super) fn levels(&mut self, metric: &str, levels: &[u32], effect: impl Fn(u32) -> f64) {
        for &level in levels {
            self.play(metric, "chesspp", (Checkpoint::Last, level), 0.4 + effect(level));
            self.play(metric, "chess", (Checkpoint::Last, level), 0.4);
        }
    }

    pub(super) fn design(&self) -> Design {
        let arms = ["chesspp", "chess"].map(variant).to_vec();
        let rules = Agent { name: "rules".to_owned(), arms, seeds: self.own.len() };
        let levels = vec![16, 32, 64, 128];
        Design { levels, early: 32, agents: vec![rules], ..Default::default() }
    }

    pub(super) fn judge(&self, endpoints: &[Endpoint], change: impl Fn(&mut Case)) -> Vec<Judgement> {
        let design = self.design();
        let mut case = Case {
            design: &design,
            measures: &self.measures,
            strengths: &[],
            placebos: &[],
            alpha: SIGNIFICANT,
            scheme: Scheme::Registered,
            withheld: None,
        };
        change(&mut case);
        judge(endpoints, &case)
    }

    pub(super) fn one(&self, endpoint: Endpoint) -> Judgement {
        self.judge(&[endpoint], |_| {}).pop().unwrap()
    }
}

fn normal(random: &mut Pcg64Mcg) -> f64 {
    StandardNormal.sample(random)
}

fn measure(metric: &str, arm: &str, (checkpoint, simulations): (Checkpoint, u32), values: &[f64]) -> Measure {
    let n = values.len() as f64;
    let sum: f64 = values.iter().sum();
    let network = |(i, &value): (usize, &f64)| {
        let without = Some((sum - value) / (n - 1.0)).filter(|_| n > 1.0);
        NetworkValue { seed: i as u64 + 1, value, error: NOISE, without }
    };
    let half = 1.96 * NOISE / n.sqrt();
    let networks = values.iter().enumerate().map(network).collect();
    let sample = SampleId { arm: variant(arm), agent: "rules".to_owned(), checkpoint, simulations };
    Measure::new(metric, sample, 100, Evidence::new(sum / n, [sum / n - half, sum / n + half], networks))
}

/// Returns the endpoint "fewer draws", averaged over levels 64 and 128.
pub(super) fn averaged() -> Endpoint {
    Endpoint { levels: vec![64, 128], smallest_effect: 0.02, ..fewer_draws(None) }
}

fn passed(judgement: &Judgement) -> Vec<(GateKind, Option<bool>)> {
    judgement.gates.iter().map(|gate| (gate.kind.clone(), gate.passed)).collect()
}

fn sign(at: Place) -> GateKind {
    GateKind::Sign { at }
}

fn budget(times: Times, levels: &[(u32, u32)]) -> GateKind {
    GateKind::Budget { times, levels: levels.to_vec() }
}

pub(super) const LEVELS: [u32; 4] = [16, 32, 64, 128];

#[test]
fn one_network_a_seed_shows_what_networks_of_their_own_would_hide() {
    let mut played = Shared::new(8, 1);
    played.levels("draw_rate", &LEVELS, |_| -0.04);
    let judgement = played.one(averaged());
    assert_eq!(judgement.verdict, Verdict::Supported, "{:?}", judgement.gates);
    let met = Some(true);
    assert_eq!(
        passed(&judgement),
        [
            (GateKind::Significant, met),
            (sign(Place::Level(64)), met),
            (sign(Place::Level(128)), met),
            (budget(Times::Half, &[(32, 64), (64, 128)]), met),
            (budget(Times::Twice, &[(128, 64)]), met),
        ]
    );
    assert_eq!((judgement.levels.len(), judgement.sensitivity.len(), judgement.seeds.len()), (2, 2, 8));
    // The effect is the mean over levels, and also the mean over networks of their means over
    // levels.
    let effect = judgement.effect.as_ref().unwrap();
    let of = |i: usize| judgement.levels[i].difference.value;
    close(effect.difference.value, (of(0) + of(1)) / 2.0, 1e-12);
    let mean = judgement.seeds.iter().map(|seed| seed.value).sum::<f64>() / 8.0;
    close(effect.difference.value, mean, 1e-12);
    // Four measures have half weight each.
    close(judgement.seeds[0].error, NOISE, 1e-12);
    // Student's t by hand.
    let squares: f64 = judgement.seeds.iter().map(|seed| (seed.value - mean).powi(2)).sum();
    let half = 2.364_624 * (squares / 7.0 / 8.0).sqrt();
    let games = 1.96 * NOISE / 8f64.sqrt();
    close(effect.difference.rule.unwrap()[1], mean + half.max(games), 1e-5);
    // The power is the lowest over all gates.
    let least = judgement.gates.iter().map(|gate| gate.power.unwrap()).fold(1.0, f64::min);
    assert_eq!(effect.power, Some(least));
    assert_eq!(judgement.matched, None);
}

#[test]
fn the_arm_at_half_and_at_twice_the_simulations_is_what_it_says() {
    let mut played = Shared::new(8, 2);
    played.levels("draw_rate", &LEVELS, |_| -0.04);
    let of = |played: &Shared, arm: &str, level: u32| {
        let its = |m: &&Measure| m.sample.arm == variant(arm) && m.sample.simulations == level;
        played.measures.iter().find(its).unwrap().estimate.value
    };
    let judgement = played.one(averaged());
    let half = (of(&played, "chesspp", 32) - of(&played, "chess", 64) + of(&played, "chesspp", 64)
        - of(&played, "chess", 128))
        / 2.0;
    close(judgement.sensitivity[0].difference.value, half, 1e-12);
    let twice = of(&played, "chesspp", 128) - of(&played, "chess", 64);
    close(judgement.sensitivity[1].difference.value, twice, 1e-12);
    assert_eq!(judgement.sensitivity[1].arm.simulations, 128);
    assert_eq!(judgement.sensitivity[1].control.as_ref().unwrap().simulations, 64);
    close(judgement.gates[3].value.unwrap(), half, 1e-12);
    assert_eq!(judgement.gates[3].interval, judgement.sensitivity[0].difference.rule);
    // By default, the strongest level is judged, and the level below must have the same sign.
    let judgement = played.one(Endpoint { levels: Vec::new(), ..averaged() });
    assert_eq!(judgement.verdict, Verdict::Supported, "{:?}", judgement.gates);
    assert_eq!(judgement.gates[1].kind, sign(Place::Level(64)));
    assert_eq!((judgement.levels.len(), judgement.effect.unwrap().arm.simulations), (4, 128));
    close(judgement.sensitivity[1].difference.value, twice, 1e-12);
}

#[test]
fn other_levels_and_fewer_networks_are_told_beside_it() {
    let mut played = Shared::new(8, 10);
    played.levels("draw_rate", &LEVELS, |level| -0.01 * f64::from(level).log2());
    let judgement = played.one(averaged());
    let told = &judgement.robustness;
    let at = |levels: &[u32]| {
        let of = |arm: &str, level: u32| {
            let its = |m: &&Measure| m.sample.arm == variant(arm) && m.sample.simulations == level;
            played.measures.iter().find(its).unwrap().estimate.value
        };
        let effects = levels.iter().map(|&level| of("chesspp", level) - of("chess", level));
        effects.sum::<f64>() / levels.len() as f64
    };
    close(told.all_levels.as_ref().unwrap().difference.value, at(&LEVELS), 1e-12);
    close(told.strongest.as_ref().unwrap().difference.value, at(&[128]), 1e-12);
    for (left, seed) in told.without.iter().zip(&judgement.seeds) {
        assert_eq!(left.seed, seed.seed);
        close(left.value, (8.0 * at(&[64, 128]) - seed.value) / 7.0, 1e-12);
        let [low, high] = left.rule.unwrap();
        assert!(low < left.value && left.value < high);
    }
    assert_eq!(told.without.len(), 8);
    // The judged effect is not repeated.
    let strongest = played.one(Endpoint { levels: Vec::new(), ..averaged() }).robustness;
    assert_eq!((strongest.strongest, strongest.all_levels.is_some()), (None, true));
    let all = played.one(Endpoint { levels: LEVELS.to_vec(), ..averaged() }).robustness;
    assert_eq!((all.all_levels, all.strongest.is_some()), (None, true));
    // Withheld effects have no robustness.
    let withheld = played.judge(&[averaged()], |case| case.withheld = Some(&Withheld::VariancesOnly));
    assert_eq!(withheld[0].robustness, Robustness::default());
}

#[test]
fn an_effect_of_strength_alone_is_open() {
    // Draws rise with the player's simulations. The rules only reduce strength.
    let mut played = Shared::new(8, 3);
    for level in LEVELS {
        let doublings = f64::from(level).log2();
        played.play("draw_rate", "chesspp", (Checkpoint::Last, level), 0.1 * (doublings - 0.5));
        played.play("draw_rate", "chess", (Checkpoint::Last, level), 0.1 * doublings);
    }
    let judgement = played.one(averaged());
    assert_eq!(judgement.verdict, Verdict::Open);
    assert_eq!(passed(&judgement)[4], (budget(Times::Twice, &[(128, 64)]), Some(false)));
    // The gate is unknown if no levels have the ratio.
    played.measures.retain(|measure| [16, 64].contains(&measure.sample.simulations));
    let judgement = played.one(Endpoint { levels: vec![16, 64], ..averaged() });
    assert_eq!(judgement.verdict, Verdict::Open);
    assert_eq!(passed(&judgement)[3], (budget(Times::Half, &[]), None));
    assert_eq!(judgement.effect.unwrap().power, None);
}

#[test]
fn each_averaged_level_must_have_the_sign() {
    let mut played = Shared::new(8, 4);
    played.levels("draw_rate", &LEVELS, |level| if level == 64 { 0.03 } else { -0.12 });
    let judgement = played.one(averaged());
    assert_eq!(passed(&judgement)[1], (sign(Place::Level(64)), Some(false)));
    assert_eq!(judgement.verdict, Verdict::Open);
    // There is no mean if a level was not measured.
    played.measures.retain(|measure| measure.sample.simulations != 64);
    let judgement = played.one(averaged());
    assert_eq!((judgement.verdict, judgement.effect), (Verdict::Open, None));
}

#[test]
fn what_would_settle_a_claim_is_asked_of_every_gate() {
    // The mean is precise and each level is not, because errors of levels cancel.
    let mut played = Shared::new(6, 5);
    let own = played.own.clone();
    let push = |played: &mut Shared, arm: &str, level: u32, off: &dyn Fn(usize) -> f64| {
        let values: Vec<f64> = own.iter().enumerate().map(|(i, own)| own + 0.4 + off(i)).collect();
        played.measures.push(measure("draw_rate", arm, (Checkpoint::Last, level), &values));
    };
    let swing = |i: usize| if i.is_multiple_of(2) { 0.15 } else { -0.15 };
    for level in LEVELS {
        push(&mut played, "chess", level, &|_| 0.0);
        let sign = if level == 64 { 1.0 } else { -1.0 };
        push(&mut played, "chesspp", level, &|i| -0.005 + 0.005 * i as f64 / 5.0 + sign * swing(i));
    }
    let judgement = played.one(Endpoint { smallest_effect: 0.01, ..averaged() });
    assert_eq!(judgement.verdict, Verdict::Open);
    let seeds = |i: usize| judgement.gates[i].seeds.unwrap();
    assert!(seeds(1).estimate > seeds(0).estimate, "{:?}", judgement.gates);
    // By hand: the deviation at a level is about 0.15 sqrt(6 / 5). A sign gate needs an effect of
    // 0.8416 standard errors.
    let by_hand = (0.841_62 * 0.15 * (6.0f64 / 5.0).sqrt() / 0.01).powi(2);
    close(seeds(1).estimate as f64, by_hand, 0.05 * by_hand);
    assert!(seeds(1).low < seeds(1).estimate && seeds(1).estimate < seeds(1).high.unwrap());
}

#[test]
fn measures_of_the_prior_are_held_against_an_earlier_checkpoint() {
    let endpoint = Endpoint {
        metric: "opening_entropy_share".to_owned(),
        direction: Direction::Higher,
        smallest_effect: 0.02,
        ..fewer_draws(None)
    };
    let play = |early: Option<f64>| {
        let mut played = Shared::new(6, 6);
        let at = [Some((Checkpoint::Last, 128, 0.05)), early.map(|effect| (Checkpoint::Early, 32, effect))];
        for (checkpoint, level, effect) in at.into_iter().flatten() {
            played.play("opening_entropy_share", "chesspp", (checkpoint, level), 0.3 + effect);
            played.play("opening_entropy_share", "chess", (checkpoint, level), 0.3);
        }
        played.one(endpoint.clone())
    };
    let judgement = play(Some(0.03));
    assert_eq!(judgement.verdict, Verdict::Supported, "{:?}", judgement.gates);
    assert_eq!(passed(&judgement), [(GateKind::Significant, Some(true)), (sign(Place::Early), Some(true))]);
    let checkpoints: Vec<Checkpoint> = judgement.levels.iter().map(|level| level.arm.checkpoint).collect();
    assert_eq!(checkpoints, [Checkpoint::Early, Checkpoint::Last]);
    let judgement = play(Some(-0.03));
    assert_eq!(judgement.verdict, Verdict::Open);
    assert_eq!(judgement.gates[1].passed, Some(false));
    let judgement = play(None);
    assert_eq!((judgement.verdict, judgement.gates[1].passed), (Verdict::Open, None));
    assert_eq!(judgement.gates[1].value, None);
}

#[test]
fn an_effect_too_small_to_matter_is_equivalent_even_if_its_sign_is_sure() {
    let mut played = Shared::new(12, 7);
    played.levels("draw_rate", &LEVELS, |_| -0.02);
    let margin = |smallest_effect: f64| played.one(Endpoint { smallest_effect, ..averaged() });
    let judgement = margin(0.05);
    assert!(judgement.adjusted_p.unwrap() < 0.05);
    assert_eq!(judgement.verdict, Verdict::Equivalent, "{:?}", judgement.gates);
    // The interval does not fit into a smaller margin.
    assert_eq!(margin(0.02).verdict, Verdict::Supported);
    // A lower significance level makes the interval wider.
    let ends = judgement.effect.unwrap().difference.rule.unwrap();
    let smallest_effect = ends[0].abs() + 1e-4;
    assert_eq!(margin(smallest_effect).verdict, Verdict::Equivalent);
    let later = played.judge(&[Endpoint { smallest_effect, ..averaged() }], |case| case.alpha = 0.01);
    assert_ne!(later[0].verdict, Verdict::Equivalent);
}

#[test]
fn shares_differ_by_at_most_one() {
    let mut played = Shared::new(3, 1);
    let play = |arm: &str, values: [f64; 3]| measure("draw_rate", arm, (Checkpoint::Last, 128), &values);
    played.measures = vec![play("chesspp", [0.0, 0.5, 1.0]), play("chess", [0.5, 0.0, 0.5])];
    // scipy.stats.t.interval(.95, 2, loc=1 / 6, scale=scipy.stats.sem([-.5, .5, .5])): -1.27 to 1.60
    let effect = played.one(fewer_draws(None)).effect.unwrap();
    assert_eq!(effect.difference.rule, Some([-1.0, 1.0]));
}

/// The slope belongs to all levels together, so no other level can confirm it.
#[test]
fn a_slope_over_levels_is_judged_without_other_levels() {
    let mut played = Shared::new(8, 12);
    played.levels("draw_slope", &[4096], |_| -0.1);
    // Another agent has played at a higher level.
    let mut other = played.measures[0].clone();
    (other.sample.agent, other.sample.simulations) = ("other".to_owned(), 8192);
    played.measures.push(other);
    let slope = Endpoint { metric: "draw_slope".to_owned(), levels: vec![4096], ..averaged() };
    let judged = |slope: Endpoint| {
        let mut found = played.judge(&[slope], |case| case.scheme = Scheme::Symmetric);
        found.pop().unwrap()
    };
    // 4096 simulations are no registered level.
    for levels in [vec![4096], Vec::new()] {
        let judgement = judged(Endpoint { levels, ..slope.clone() });
        assert_eq!(judgement.verdict, Verdict::Fewer, "{:?}", judgement.gates);
        assert_eq!(judgement.gates.len(), 1, "only significance");
    }
}

#[test]
fn the_symmetric_scheme_asks_every_sign_to_exceed_its_noise() {
    // Both levels and the mean are significant. At twice the simulations, the effect is close to 0.
    let mut played = Shared::new(8, 11);
    for level in LEVELS {
        let doublings = f64::from(level).log2();
        played.play("draw_rate", "chesspp", (Checkpoint::Last, level), 0.05 * doublings - 0.053);
        played.play("draw_rate", "chess", (Checkpoint::Last, level), 0.05 * doublings);
    }
    let judged = |scheme| played.judge(&[averaged()], |case| case.scheme = scheme).pop().unwrap();
    let (registered, symmetric) = (judged(Scheme::Registered), judged(Scheme::Symmetric));
    assert_eq!(passed(&registered)[4].1, Some(true), "{:?}", registered.gates);
    assert_eq!(registered.verdict, Verdict::Supported);
    let noise = &symmetric.gates[4];
    assert!(noise.value.unwrap() < 0.0 && noise.interval.unwrap()[1] > 0.0, "{noise:?}");
    assert_eq!((noise.passed, symmetric.verdict), (Some(false), Verdict::NotSettled));
    // Stricter gates are passed less often.
    assert!(symmetric.effect.unwrap().power < registered.effect.unwrap().power);
    // Everything else is equal.
    assert_eq!((symmetric.adjusted_p, &symmetric.seeds), (registered.adjusted_p, &registered.seeds));
    let mut far = Shared::new(8, 12);
    far.levels("draw_rate", &LEVELS, |_| -0.06);
    let fewer = far.judge(&[averaged()], |case| case.scheme = Scheme::Symmetric).pop().unwrap();
    assert_eq!(fewer.verdict, Verdict::Fewer, "{:?}", fewer.gates);
    far.levels("repetition_rate", &LEVELS, |_| 0.001);
    let none = Endpoint { metric: "repetition_rate".to_owned(), smallest_effect: 0.03, ..averaged() };
    let none = far.judge(&[none], |case| case.scheme = Scheme::Symmetric).pop().unwrap();
    assert_eq!(none.verdict, Verdict::NoDifferenceThatMatters, "{:?}", none.gates);
}
