//! Tests of the learner. Losses fall, steps are deterministic, and a restored learner continues
//! exactly.

use crate::device::Device;
use crate::torch::testing::{architecture, lessons, positions, random, shaken, sizes};
use crate::{
    Architecture, EvaluatorSettings, Learner, Network, NetworkEvaluator, Optimizer, Precision, Provenance,
    Role, Sgd, TowerSizes, TrainingSettings, part_rows,
};
use catapult_encoding::CHESS_LAYOUT;
use catapult_mcts::Evaluator;
use rand::Rng;

fn learner(settings: TrainingSettings) -> Learner {
    learner_of(architecture(), settings)
}

fn learner_of(architecture: Architecture, settings: TrainingSettings) -> Learner {
    let network = Network::untrained(architecture, CHESS_LAYOUT, 3).unwrap();
    Learner::new(network, settings, Device::Cpu).unwrap()
}

fn settings(precision: Precision, threads: usize) -> TrainingSettings {
    TrainingSettings { precision, threads, ..TrainingSettings::default() }
}

/// Trains a network on one small batch until it knows the batch by heart.
fn learns_by_heart(architecture: Architecture, precision: Precision) {
    let positions = positions(32, 5);
    let batch = lessons(&positions, 5);
    let settings = TrainingSettings { averaging: 0.9, ..settings(precision, 1) };
    let mut learner = learner_of(architecture.clone(), settings);
    let before = learner.step(&batch, 5e-3).unwrap();
    let legal_moves = positions.iter().map(|p| (catapult_rules::Position::count_legal_moves(p) as f32).ln());
    let uniform = legal_moves.sum::<f32>() / 32.0;
    assert!((before.policy - uniform).abs() < 1e-3, "{} is not the uniform {uniform}", before.policy);
    assert!((before.value - 3f32.ln()).abs() < 1e-3, "{before:?}");
    for _ in 0..250 {
        learner.step(&batch, 5e-3).unwrap();
    }
    let after = learner.losses(&batch).unwrap();
    assert!(after.policy < 0.2 && after.value < 0.2, "{precision:?}: {before:?} {after:?}");
    assert!(after.moves_left < 0.2 * before.moves_left, "{after:?}");
    match architecture {
        Architecture::Tower(_) => assert!(after.future < 0.2 * before.future, "{after:?}"),
        Architecture::Sparse(_) => assert_eq!(after.future, 0.0),
    }

    // Inference agrees with the trained graph.
    let network = learner.averaged(Provenance::new()).unwrap();
    let mut evaluator = NetworkEvaluator::new(&network, EvaluatorSettings::default()).unwrap();
    let mut requests = crate::torch::testing::requests(&positions);
    evaluator.evaluate(&mut requests).unwrap();
    let found = requests.leaves.iter().filter(|leaf| {
        let best = leaf.range().max_by(|&a, &b| requests.logits[a].total_cmp(&requests.logits[b])).unwrap();
        batch.policy[best] == 1.0
    });
    assert!(found.count() >= 31, "{precision:?}");
}

#[test]
fn a_small_batch_is_learned_by_heart() {
    learns_by_heart(architecture(), Precision::F32);
}

#[test]
fn a_small_batch_is_learned_by_heart_in_bf16() {
    learns_by_heart(architecture(), Precision::Bf16);
}

#[test]
fn a_small_batch_is_learned_by_heart_by_a_sparse_network() {
    learns_by_heart(Architecture::sparse(64), Precision::Auto);
}

#[test]
fn the_same_steps_give_the_same_bytes_on_any_number_of_threads() {
    let sparse = Architecture::sparse(64);
    for (architecture, precision) in
        [(architecture(), Precision::F32), (architecture(), Precision::Bf16), (sparse, Precision::F32)]
    {
        let rows = 3 * part_rows(&architecture) + 8;
        let run = |threads: usize| {
            let mut learner = learner_of(architecture.clone(), settings(precision, threads));
            for seed in 0..3 {
                learner.step(&lessons(&positions(rows, seed), seed), 1e-3).unwrap();
            }
            let values = learner.averaged(Provenance::new()).unwrap().parameters.values;
            values.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        let alone = run(1);
        for threads in [2, 3] {
            assert!(alone == run(threads), "{architecture}, {precision:?} on {threads} threads");
        }
    }
}

#[test]
fn a_step_of_two_parts_is_the_mean_of_a_step_of_each() {
    let sgd = Optimizer::Sgd(Sgd { momentum: 0.0, weight_decay: 0.0 });
    let free = TrainingSettings { optimizer: sgd, clip_norm: f32::INFINITY, ..settings(Precision::F32, 2) };
    let network = crate::torch::testing::shaken(architecture(), 21);
    let stepped = |positions: &[_], batch: &crate::TrainingBatch| {
        assert_eq!(batch.rows(), positions.len());
        let mut learner = Learner::new(network.clone(), free, Device::Cpu).unwrap();
        let losses = learner.step(batch, 0.1).unwrap();
        (learner.raw().unwrap().parameters.values, losses)
    };
    let part = part_rows(&architecture());
    let positions = positions(2 * part, 22);
    let whole = lessons(&positions, 23);
    let (first, second) = positions.split_at(part);
    let (found, losses) = stepped(&positions, &whole);
    let [of_first, of_second] =
        [(first, 0..part), (second, part..2 * part)].map(|(half, rows)| stepped(half, &whole.part(rows)));
    for (at, value) in found.iter().enumerate() {
        let mean = (of_first.0[at] + of_second.0[at]) / 2.0;
        assert!((value - mean).abs() < 1e-5, "value {at}: {value} is not {mean}");
    }
    let mean = (of_first.1.total + of_second.1.total) / 2.0;
    assert!((losses.total - mean).abs() < 1e-4, "{} is not {mean}", losses.total);
}

#[test]
fn a_saved_learner_goes_on_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.safetensors");
    let sgd = Optimizer::Sgd(Sgd { momentum: 0.9, weight_decay: 1e-4 });
    let sparse = Architecture::sparse(64);
    for (architecture, optimizer) in
        [(architecture(), Optimizer::default()), (architecture(), sgd), (sparse, Optimizer::default())]
    {
        let settings = TrainingSettings { optimizer, ..settings(Precision::Auto, 1) };
        let mut unbroken = learner_of(architecture, settings);
        for seed in 0..3 {
            unbroken.step(&lessons(&positions(16, seed), seed), 1e-3).unwrap();
        }
        unbroken.save(&path).unwrap();
        let mut resumed = Learner::load(&path, &CHESS_LAYOUT, settings, Device::Cpu).unwrap();
        assert_eq!(resumed.steps(), 3);
        for seed in 3..6 {
            let batch = lessons(&positions(16, seed), seed);
            assert_eq!(unbroken.step(&batch, 1e-3).unwrap(), resumed.step(&batch, 1e-3).unwrap());
        }
        assert_eq!(unbroken.raw().unwrap(), resumed.raw().unwrap());
        let [unbroken, resumed] = [unbroken, resumed].map(|l| l.averaged(Provenance::new()).unwrap());
        assert_eq!(unbroken, resumed);
    }
}

#[test]
fn weights_of_rows_count() {
    let mut batch = lessons(&positions(16, 6), 6);
    let learner = learner(settings(Precision::F32, 1));
    let all = learner.losses(&batch).unwrap();
    // Only the total depends on the mean weights.
    batch.value_weight.fill(0.5);
    batch.moves_left_weight.iter_mut().for_each(|weight| *weight *= 0.5);
    let half = learner.losses(&batch).unwrap();
    assert!((half.value - all.value).abs() < 1e-5 && (half.moves_left - all.moves_left).abs() < 1e-5);
    assert!(half.total < all.total - 0.4 * all.value, "{half:?} {all:?}");
    batch.value_weight.fill(0.0);
    batch.moves_left_weight.fill(0.0);
    batch.future_weight.fill(0.5);
    let some = learner.losses(&batch).unwrap();
    assert_eq!((some.policy, some.value, some.moves_left), (all.policy, 0.0, 0.0));
    // In an untrained network each of 4 planes costs ln 2 at each of two horizons.
    assert!((some.future - 0.5 * 8.0 * 2f32.ln()).abs() < 1e-4, "{some:?}");
}

#[test]
fn impossible_settings_and_batches_are_refused() {
    let message = |settings: TrainingSettings| settings.validate().unwrap_err().to_string();
    assert!(message(settings(Precision::F32, 0)).contains("threads = 0"));
    assert!(
        message(TrainingSettings { averaging: 1.0, ..TrainingSettings::default() }).contains("averaging = 1")
    );
    assert!(
        message(TrainingSettings { clip_norm: f32::NAN, ..TrainingSettings::default() })
            .contains("clip_norm")
    );
    let unknown = serde_json::from_str::<TrainingSettings>(r#"{"learning_rate": 1}"#).unwrap_err();
    assert!(unknown.to_string().contains("learning_rate"));

    let mut learner = learner(TrainingSettings::default());
    assert!(learner.step(&lessons(&positions(1, 0), 0), 1e-3).unwrap_err().to_string().contains("1 rows"));
    let mut batch = lessons(&positions(4, 0), 0);
    batch.wdl[0] = f32::NAN;
    let raw = learner.raw().unwrap();
    assert!(learner.step(&batch, 1e-3).unwrap_err().to_string().contains("not finite"));
    assert_eq!(learner.raw().unwrap(), raw, "a failed step changes nothing");
}

#[test]
fn gradients_agree_with_differences() {
    // Compares central differences of the loss along a random direction with SGD's first step.
    let batch = lessons(&positions(2 * part_rows(&architecture()) + 1, 8), 8);
    let sgd = Optimizer::Sgd(Sgd { momentum: 0.0, weight_decay: 0.0 });
    let free = TrainingSettings { optimizer: sgd, clip_norm: f32::INFINITY, ..settings(Precision::F32, 1) };
    let mut network = crate::torch::testing::shaken(architecture(), 11);
    let mut stepped = Learner::new(network.clone(), free, Device::Cpu).unwrap();
    stepped.step(&batch, 1.0).unwrap();
    let mut random = random(12);
    let trained: Vec<usize> = network
        .parameters
        .specs()
        .iter()
        .filter(|s| s.role != crate::Role::Statistic)
        .flat_map(|s| s.range())
        .collect();
    let direction: Vec<(usize, f32)> =
        trained.into_iter().map(|at| (at, random.random_range(-1.0f32..1.0))).collect();
    let stepped = stepped.raw().unwrap().parameters.values;
    let gradient: f64 =
        direction.iter().map(|&(at, d)| f64::from((network.parameters.values[at] - stepped[at]) * d)).sum();
    let mut loss_at = |scale: f32| {
        direction.iter().for_each(|&(at, d)| network.parameters.values[at] += scale * d);
        let loss = Learner::new(network.clone(), free, Device::Cpu).unwrap().step(&batch, 0.0).unwrap().total;
        direction.iter().for_each(|&(at, d)| network.parameters.values[at] -= scale * d);
        f64::from(loss)
    };
    let step = 1e-4;
    let difference = (loss_at(step) - loss_at(-step)) / f64::from(2.0 * step);
    assert!((gradient - difference).abs() < 0.05 * gradient.abs().max(1.0), "{gradient} {difference}");
}

#[test]
fn what_is_new_in_a_grown_network_learns() {
    let small = shaken(architecture(), 34);
    let larger = Architecture::Tower(TowerSizes { channels: 24, blocks: 5, ..sizes() });
    let grown = small.grown(&larger, 35).unwrap();
    // Growing a network of only NaN shows the new values: they are numbers.
    let mut marked = small.clone();
    marked.parameters.values.fill(f32::NAN);
    let marked = marked.grown(&larger, 35).unwrap().parameters;

    // Without weight decay, only gradients change a value.
    let optimizer = Optimizer::Sgd(Sgd { momentum: 0.9, weight_decay: 0.0 });
    let settings = TrainingSettings { optimizer, precision: Precision::F32, ..Default::default() };
    let mut learner = Learner::new(grown.clone(), settings, Device::Cpu).unwrap();
    let batch = lessons(&positions(64, 36), 36);
    let first = learner.step(&batch, 0.02).unwrap();
    let mut small = Learner::new(small, settings, Device::Cpu).unwrap();
    let expected = small.step(&batch, 0.02).unwrap();
    assert!((first.total - expected.total).abs() < 1e-3, "in training too: {first:?} {expected:?}");
    for _ in 0..4 {
        learner.step(&batch, 0.02).unwrap();
    }
    let trained = learner.raw().unwrap().parameters;
    for spec in marked.specs().iter().filter(|spec| spec.role != Role::Statistic) {
        let new = spec.range().filter(|&at| !marked.values[at].is_nan());
        let (mut count, mut moved) = (0, 0);
        for at in new {
            count += 1;
            moved += usize::from(trained.values[at] != grown.parameters.values[at]);
        }
        // The weights of inputs that are 0 in every row do not change.
        assert!(5 * moved >= count, "{}: {moved} of {count} new values have moved", spec.name);
    }
}
