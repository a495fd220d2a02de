//! Tests of the queue of a device, with the CPU as the device. The CPU runs the operations of a
//! GPU.

use super::arena::{Arena, Shape};
use super::heads::Unpack;
use super::*;
use crate::torch::testing::{architecture, requests, shaken_for};
use crate::{NetworkEvaluator, Precision};
use catapult_mcts::{Evaluator, QueuedEvaluator};
use catapult_model::random_positions;
use catapult_rules::{Century, Chess, ChessPp, Half, Maxim, Plain, Position, Standard};
use half::bf16;

fn as_device(max_batch: usize) -> EvaluatorSettings {
    EvaluatorSettings {
        as_device: true,
        precision: Precision::F32,
        max_batch,
        ..EvaluatorSettings::default()
    }
}

/// Checks in every layout that planes unpacked on the device equal the planes that `Encode` writes.
/// This is possible because a plane has only one value besides 0 at each square.
#[test]
fn planes_survive_as_bits() {
    unpacked_are_encoded(Chess::start(Standard));
    unpacked_are_encoded(ChessPp::start(Plain));
    unpacked_are_encoded(Century::start(()));
    unpacked_are_encoded(Half::start(()));
    unpacked_are_encoded(Maxim::start(()));
}

fn unpacked_are_encoded<P: Encode>(start: P) {
    let layout = P::LAYOUT;
    let found = random_positions(start, 150, 4);
    let [first, second] = [requests(&found[..70]), requests(&found[70..])];
    let moves = first.moves.len() + second.moves.len();
    let shape = Shape::new(150, moves, &as_device(64));
    let mut arena = Arena::new(layout, Device::Cpu);
    arena.encode(&[&first, &second], &shape).unwrap();
    let inputs = arena.upload(&shape).unwrap();
    let network = shaken_for(architecture(), layout, 1);
    let folded = fold(&network.tower().unwrap(), &layout);
    let unpack = Unpack::new(&layout, &folded.globals, Kind::Float, Device::Cpu);
    let boards = Vec::<f32>::try_from(unpack.boards(&inputs.bits).unwrap().view([-1])).unwrap();
    let globals = Vec::<f32>::try_from(inputs.globals.view([-1])).unwrap();
    let channels = boards.len() / shape.padded / layout.squares();
    let (mut planes, mut expected) =
        (vec![bf16::ZERO; layout.squares() * layout.planes], vec![0.0; layout.globals]);
    for (row, position) in found.iter().enumerate() {
        position.encode(0, false, &mut planes, &mut expected);
        assert_eq!(&globals[row * layout.globals..][..layout.globals], expected);
        for (square, planes) in planes.chunks_exact(layout.planes).enumerate() {
            let board = &boards[(row * layout.squares() + square) * channels..][..channels];
            for (plane, (found, expected)) in board.iter().zip(planes).enumerate() {
                let expected = expected.to_f32();
                assert_eq!(*found, expected, "{}: square {square}, plane {plane}", layout.name);
            }
            assert!(board[layout.planes..].iter().all(|&unused| unused == 0.0));
        }
    }
    let codes = Vec::<i32>::try_from(inputs.codes).unwrap();
    let rows = Vec::<i32>::try_from(inputs.rows).unwrap();
    let mut at = 0;
    for (row, position) in found.iter().enumerate() {
        for mv in &position.legal_moves() {
            let index = position.policy_index(*mv, false);
            let [from, to, plane] = [codes[at] & 255, codes[at] >> 8 & 255, codes[at] >> 16];
            let expected = [index.square, index.to, index.plane].map(i32::from);
            assert_eq!((rows[at], [from, to, plane]), (row as i32, expected));
            at += 1;
        }
    }
    assert_eq!(at, moves);
}

/// Checks that queued batches get the evaluations that single batches get, in the order of the
/// requests. Empty batches keep their place in this order.
#[test]
fn queued_batches_are_answered_in_their_order() {
    let network = shaken_for(architecture(), ChessPp::LAYOUT, 3);
    let found = random_positions(ChessPp::start(Plain), 200, 5);
    let mut evaluator = NetworkEvaluator::<ChessPp>::new(&network, as_device(32)).unwrap();
    let alone = |range: std::ops::Range<usize>| {
        let mut batch = requests(&found[range]);
        NetworkEvaluator::new(&network, as_device(64)).unwrap().evaluate(&mut batch).unwrap();
        batch
    };
    let calls = [vec![0..30, 30..30, 30..100], vec![100..101, 101..101], vec![], vec![101..150, 150..200]];
    let mut under_way = VecDeque::new();
    for ranges in calls.iter().map(Some).chain([None, None]) {
        if under_way.len() == DEPTH || ranges.is_none() {
            let (ranges, mut batches): (&Vec<std::ops::Range<usize>>, Vec<Batch<ChessPp>>) =
                under_way.pop_front().unwrap();
            evaluator.collect(&mut batches.iter_mut().collect::<Vec<_>>()).unwrap();
            for (range, batch) in ranges.iter().zip(batches) {
                let expected = alone(range.clone());
                let close = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
                assert_eq!((batch.logits.len(), batch.values.len()), (expected.logits.len(), range.len()));
                assert!(batch.logits.iter().zip(&expected.logits).all(close));
                let wdl =
                    |batch: &Batch<ChessPp>| batch.values.iter().flat_map(|v| v.wdl).collect::<Vec<f32>>();
                assert!(wdl(&batch).iter().zip(&wdl(&expected)).all(close));
            }
        }
        let Some(ranges) = ranges else { continue };
        let batches: Vec<_> = ranges.iter().map(|range| requests(&found[range.clone()])).collect();
        evaluator.submit(&batches.iter().collect::<Vec<_>>()).unwrap();
        under_way.push_back((ranges, batches));
    }
    assert!(evaluator.collect(&mut []).unwrap_err().to_string().contains("no batch is in flight"));
    for _ in 0..DEPTH {
        evaluator.submit(&[&requests(&found[..1])]).unwrap();
    }
    assert!(evaluator.submit(&[]).unwrap_err().to_string().contains("a third"));
}

#[test]
fn batches_on_a_device_have_few_sizes() {
    let settings = EvaluatorSettings {
        device: crate::device::Device::Cuda(0),
        max_batch: 4096,
        ..EvaluatorSettings::default()
    };
    for (rows, padded) in
        [(0, 0), (1, 128), (128, 128), (129, 256), (4096, 4096), (4097, 4224), (10_000, 10_112)]
    {
        assert_eq!(Shape::new(rows, 0, &settings).padded, padded, "{rows} rows");
    }
}
