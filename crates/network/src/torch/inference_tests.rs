//! Tests of evaluations. They compare plain Rust and a device with the training graph, and batches
//! of different sizes with each other.

use crate::torch::graph::Graph;
use crate::torch::testing::{architecture, lessons, positions, requests, shaken, shaken_for};
use crate::{Architecture, EvaluatorSettings, Network, NetworkEvaluator, Precision, TowerSizes};
use catapult_encoding::{CHESS_LAYOUT, Encode};
use catapult_mcts::{Batch, Evaluator, Value};
use catapult_model::{random_positions, value_of};
use catapult_rules::{Century, Chess, ChessPp, Half, Maxim, Plain, Position, Standard};
use tch::{Kind, Tensor};

fn settings(precision: Precision, max_batch: usize) -> EvaluatorSettings {
    EvaluatorSettings { precision, max_batch, ..EvaluatorSettings::default() }
}

/// Returns settings with which the CPU evaluates in libtorch and through a queue, as a CUDA device
/// does.
fn as_device(precision: Precision) -> EvaluatorSettings {
    EvaluatorSettings { as_device: true, ..settings(precision, 32) }
}

/// Returns two settings in `f32`. The first evaluates in libtorch as on a CUDA device, the second
/// in plain Rust.
fn libtorch_and_rust() -> [EvaluatorSettings; 2] {
    [as_device(Precision::F32), settings(Precision::F32, 64)]
}

fn evaluate<P: Encode>(evaluator: &mut NetworkEvaluator<P>, positions: &[P]) -> Batch<P> {
    let mut batch = requests(positions);
    evaluator.evaluate(&mut batch).unwrap();
    batch
}

/// Returns the logits and values that the training graph computes, with running statistics in batch
/// normalisation.
fn reference<P: Encode>(network: &Network, positions: &[P], kind: Kind) -> (Vec<f32>, Vec<Value>) {
    let batch = lessons(positions, 0);
    let values = Tensor::from_slice(&network.parameters.values);
    let graph = Graph::new(&network.architecture, &network.layout, &values, kind, false);
    let outputs = graph.forward(&batch).unwrap();
    let logits = Vec::<f32>::try_from(&outputs.moves).unwrap();
    let values = Vec::<f32>::try_from(outputs.value.view([-1])).unwrap();
    (logits, values.as_chunks::<4>().0.iter().map(|&output| value_of(output)).collect())
}

/// Returns the largest absolute differences between two evaluations: of logits, of win, draw and
/// loss, and of plies left.
fn differences<P: Encode>(batch: &Batch<P>, (logits, values): &(Vec<f32>, Vec<Value>)) -> [f32; 3] {
    assert_eq!((batch.logits.len(), batch.values.len()), (logits.len(), values.len()));
    let most =
        |pairs: &mut dyn Iterator<Item = (f32, f32)>| pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let values = || batch.values.iter().zip(values);
    [
        most(&mut batch.logits.iter().copied().zip(logits.iter().copied())),
        most(&mut values().flat_map(|(a, b)| a.wdl.into_iter().zip(b.wdl))),
        most(&mut values().map(|(a, b)| (a.moves_left, b.moves_left))),
    ]
}

#[test]
fn folded_inference_agrees_with_the_training_graph() {
    let positions = positions(50, 1);
    for architecture in [architecture(), Architecture::tower(32, 4), Architecture::tower(24, 0)] {
        let network = shaken(architecture, 7);
        let exact = reference(&network, &positions, Kind::Float);
        let spread = exact.0.iter().fold(0f32, |most, logit| most.max(logit.abs()));
        assert!(spread > 1.0, "logits of at most {spread} compare nothing");
        let [libtorch, rust] = libtorch_and_rust();
        // Plain Rust multiplies integers. On a network of noise, their rounding is seen more than on a
        // trained one.
        for (settings, most) in [(libtorch, [5e-6, 1e-5, 2e-3]), (rust, [0.02, 0.02, 6.0])] {
            let mut evaluator = NetworkEvaluator::new(&network, settings).unwrap();
            let [logits, wdl, moves_left] = differences(&evaluate(&mut evaluator, &positions), &exact);
            let small = logits < most[0] * spread && wdl < most[1] && moves_left < most[2];
            assert!(small, "{settings:?}: {logits} of {spread}, {wdl}, {moves_left}");
        }
    }
}

#[test]
fn folded_bf16_inference_agrees_with_the_training_graph() {
    // bfloat16 keeps 8 bits. Logits differ by up to a fiftieth of the largest, probabilities by up
    // to a fiftieth.
    let positions = positions(50, 1);
    let network = shaken(architecture(), 7);
    let exact = reference(&network, &positions, Kind::Float);
    let spread = exact.0.iter().fold(0f32, |most, logit| most.max(logit.abs()));
    let mut evaluator = NetworkEvaluator::new(&network, as_device(Precision::Bf16)).unwrap();
    let found = evaluate(&mut evaluator, &positions);
    let [logits, wdl, _] = differences(&found, &exact);
    assert!(logits < 0.02 * spread && wdl < 0.02, "logits {logits} of {spread}, wdl {wdl}");
    // Its error is at most twice the error of the bf16 training graph.
    let graph = reference(&network, &positions, Kind::BFloat16);
    let error = |logits: &[f32]| logits.iter().zip(&exact.0).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
    assert!(error(&found.logits) < 4.0 * error(&graph.0), "{} {}", error(&found.logits), error(&graph.0));
}

#[test]
fn other_boards_are_answered_as_the_training_graph_answers_them() {
    other_board(Century::start(()));
    other_board(Half::start(()));
    other_board(Maxim::start(()));
}

fn other_board<P: Encode>(start: P) {
    let positions = random_positions(start, 50, 1);
    let network = shaken_for(architecture(), P::LAYOUT, 7);
    let exact = reference(&network, &positions, Kind::Float);
    let spread = exact.0.iter().fold(0f32, |most, logit| most.max(logit.abs()));
    assert!(spread > 1.0, "logits of at most {spread} compare nothing");
    // bfloat16 keeps 8 bits. Logits and probabilities differ by up to 3 %.
    let [libtorch, rust] = libtorch_and_rust();
    let bf16 = as_device(Precision::Bf16);
    let most = [(libtorch, 5e-6 * spread, 1e-5), (rust, 0.03 * spread, 0.03), (bf16, 0.03 * spread, 0.03)];
    for (settings, most_logits, most_wdl) in most {
        let mut evaluator = NetworkEvaluator::<P>::new(&network, settings).unwrap();
        let [logits, wdl, _] = differences(&evaluate(&mut evaluator, &positions), &exact);
        assert!(logits < most_logits && wdl < most_wdl, "{settings:?}: {logits} of {spread}, {wdl}");
    }
}

#[test]
fn a_sparse_network_plays_as_it_was_trained() {
    let positions = positions(100, 2);
    let network = shaken(Architecture::sparse(128), 8);
    let exact = reference(&network, &positions, Kind::Float);
    let spread = exact.0.iter().fold(0f32, |most, logit| most.max(logit.abs()));
    assert!(spread > 1.0, "logits of at most {spread} compare nothing");
    // A sparse network never runs on a device, so the results are the same.
    for settings in libtorch_and_rust() {
        let found = evaluate(&mut NetworkEvaluator::new(&network, settings).unwrap(), &positions);
        let [logits, wdl, plies] = differences(&found, &exact);
        assert!(logits < 0.06 * spread && wdl < 0.06 && plies < 3.0, "{logits} of {spread}, {wdl}, {plies}");
    }
}

#[test]
fn an_answer_depends_on_nothing_but_the_leaf() {
    let positions = positions(300, 3);
    let bits = |batch: &Batch<ChessPp>| -> Vec<u32> {
        let values = batch
            .values
            .iter()
            .flat_map(|value| [value.wdl[0], value.wdl[1], value.wdl[2], value.moves_left]);
        batch.logits.iter().copied().chain(values).map(f32::to_bits).collect()
    };
    let pooled = Architecture::Tower(TowerSizes { pooled_every: 1, ..TowerSizes::new(24, 2) });
    let settings = settings(Precision::F32, 512);
    for architecture in [Architecture::tower(32, 4), Architecture::tower(64, 3), pooled] {
        let network = shaken(architecture, 9);
        let mut large = NetworkEvaluator::new(&network, settings).unwrap();
        let all = evaluate(&mut large, &positions);
        let alone: Vec<Vec<u32>> = (0..positions.len())
            .map(|at| {
                let leaf = &all.leaves[at];
                let mut one = Batch { values: vec![all.values[at]], ..Batch::default() };
                one.logits.extend(&all.logits[leaf.range()]);
                bits(&one)
            })
            .collect();
        for size in [1, 2, 3, 5, 7, 8, 13, 16, 31, 32, 33, 64, 65, 100, 128, 200, 256] {
            let settings = EvaluatorSettings { max_batch: size.max(50), threads: 1 + size % 4, ..settings };
            let mut evaluator = NetworkEvaluator::new(&network, settings).unwrap();
            for (chunk, expected) in positions.chunks(size).zip(alone.chunks(size)) {
                let found = evaluate(&mut evaluator, chunk);
                for (at, expected) in expected.iter().enumerate() {
                    let leaf = &found.leaves[at];
                    let mut one = Batch { values: vec![found.values[at]], ..Batch::default() };
                    one.logits.extend(&found.logits[leaf.range()]);
                    assert_eq!(&bits(&one), expected, "batch of {size}, place {at}, {settings:?}");
                }
                // Batches of one and two are numerous, so the first positions suffice.
                if size < 3 && chunk[0] == positions[10] {
                    break;
                }
            }
        }
    }
}

#[test]
fn an_untrained_network_is_uniform() {
    let network = Network::untrained(Architecture::tower(32, 4), CHESS_LAYOUT, 5).unwrap();
    let mut evaluator = NetworkEvaluator::new(&network, EvaluatorSettings::default()).unwrap();
    let found = evaluate(&mut evaluator, &positions(20, 4));
    assert!(found.logits.iter().all(|&logit| logit == 0.0));
    assert!(found.values.iter().all(|value| value.wdl.iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-6)));
}

#[test]
fn chess_and_chesspp_share_a_network() {
    let network = shaken(architecture(), 1);
    let mut evaluator = NetworkEvaluator::<Chess>::new(&network, EvaluatorSettings::default()).unwrap();
    let start = Chess::start(Standard);
    let mut batch = Batch::default();
    batch.push(start, 0, &start.legal_moves());
    evaluator.evaluate(&mut batch).unwrap();
    let plusplus = ChessPp::start(Plain);
    let other =
        evaluate(&mut NetworkEvaluator::new(&network, EvaluatorSettings::default()).unwrap(), &[plusplus]);
    assert_ne!(batch.values, other.values, "the rule planes tell the games apart");
}

#[test]
fn another_layout_is_refused() {
    let mut network = shaken(architecture(), 1);
    network.layout.name = "other-1";
    let error = NetworkEvaluator::<ChessPp>::new(&network, EvaluatorSettings::default()).err().unwrap();
    assert!(error.to_string().contains("other-1"), "{error}");
}

#[test]
fn impossible_settings_are_refused() {
    let network = shaken(architecture(), 1);
    for (settings, name) in
        [(settings(Precision::F32, 0), "max_batch"), (settings(Precision::Bf16, 64), "precision")]
    {
        let error = NetworkEvaluator::<ChessPp>::new(&network, settings).err().unwrap();
        assert!(error.to_string().contains(name), "{error}");
    }
}
