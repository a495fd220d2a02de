//! Tests of the sparse network. Its integers are compared with a computation in `f64` from the
//! definition, and with themselves for other vectors and layouts.

use super::*;
use crate::testing::{positions, random, shaken_for};
use crate::{Architecture, Network, random_positions};
use catapult_encoding::{Encode, Layout};
use catapult_rules::{Century, Half, Maxim, Position as _};
use half::bf16;
use rand::Rng;

/// Returns a network whose weights have the sizes of trained ones.
fn network(layout: &Layout) -> Network {
    let mut network = shaken_for(Architecture::sparse(64), *layout, 3);
    let mut random = random(4);
    for spec in network.parameters.specs().to_vec() {
        if spec.name == "query.weight" || spec.name == "value.output.weight" {
            network.parameters.values[spec.range()].fill_with(|| random.random_range(-0.5..0.5));
        }
    }
    network
}

struct Position {
    planes: Vec<bf16>,
    globals: Vec<f32>,
    moves: Vec<PolicyIndex>,
}

fn encoded<P: Encode>(positions: &[P]) -> Vec<Position> {
    let layout = P::LAYOUT;
    let one = |position: &P| {
        let mut planes = vec![bf16::ZERO; layout.squares() * layout.planes];
        let mut globals = vec![0.0; layout.globals];
        position.encode(0, false, &mut planes, &mut globals);
        let moves = position.legal_moves().iter().map(|&mv| position.policy_index(mv, false)).collect();
        Position { planes, globals, moves }
    };
    positions.iter().map(one).collect()
}

/// Computes win minus loss and the logits of a position from the definition, in `f64`.
fn defined(network: &Network, position: &Position) -> (f64, Vec<f64>) {
    let crate::Model::Sparse(model) = network.model() else { panic!("a sparse network") };
    let sizes = &model.sizes;
    let mut features = Features::new(network.layout);
    features.read(&position.planes);
    let wide = |x: f32| f64::from(x);
    let dense = |layer: &crate::Linear<&[f32]>, input: &[f64]| -> Vec<f64> {
        let rows = layer.weight.chunks_exact(input.len()).zip(layer.bias);
        rows.map(|(row, &bias)| wide(bias) + row.iter().zip(input).map(|(w, x)| wide(*w) * x).sum::<f64>())
            .collect()
    };
    let globals: Vec<f64> = position.globals.iter().map(|&x| wide(x)).collect();
    let mut hidden = dense(&model.globals, &globals);
    for &feature in features.set() {
        let row = &model.bits[feature as usize * sizes.width..][..sizes.width];
        hidden.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += wide(weight));
    }
    let hidden: Vec<f64> = hidden.into_iter().map(|sum| sum.clamp(0.0, 1.0).powi(2)).collect();
    let query = dense(&model.query, &hidden);
    let logit = |index: &PolicyIndex| {
        let rows = features.rows(index);
        let size = sizes.policy_size;
        let vectors = |at: usize| {
            model
                .tables
                .iter()
                .zip(rows)
                .map(|(table, row)| wide(table.vectors[row * size + at]))
                .sum::<f64>()
        };
        let bias: f64 = model.tables.iter().zip(rows).map(|(table, row)| wide(table.bias[row])).sum();
        (0..size).map(|at| query[at] * vectors(at)).sum::<f64>() * 4.0 / (size as f64).sqrt() + bias
    };
    let logits = position.moves.iter().map(logit).collect();
    let relu = |x: Vec<f64>| -> Vec<f64> { x.into_iter().map(|x| x.max(0.0)).collect() };
    let [first, second] = &model.hidden;
    let output = dense(&model.output, &relu(dense(second, &relu(dense(first, &hidden)))));
    let most = output[..3].iter().copied().fold(f64::MIN, f64::max);
    let parts: Vec<f64> = output[..3].iter().map(|x| (x - most).exp()).collect();
    ((parts[0] - parts[2]) / parts.iter().sum::<f64>(), logits)
}

fn answers(network: &Network, vectors: Vectors, positions: &[Position]) -> Vec<(Value, Vec<f32>)> {
    let crate::Model::Sparse(model) = network.model() else { panic!("a sparse network") };
    let mut sparse = Sparse::new(&model, vectors);
    let mut features = Features::new(network.layout);
    let one = |position: &Position| {
        let mut logits = vec![0.0; position.moves.len()];
        features.read(&position.planes);
        let inputs = Inputs { features: &features, globals: &position.globals, moves: &position.moves };
        let value = sparse.answer(inputs, &mut logits);
        (value, logits)
    };
    positions.iter().map(one).collect()
}

#[test]
fn integers_are_close_to_the_definition() {
    fn check<P: Encode>(positions: Vec<P>) {
        let network = network(&P::LAYOUT);
        let positions = encoded(&positions);
        let found = answers(&network, Vectors::best(), &positions);
        let (mut spread, mut errors, mut count) = ([0f64; 2], [0f64; 2], [0f64; 2]);
        let mut compare = |number: usize, found: f32, expected: f64| {
            errors[number] += (f64::from(found) - expected).abs();
            spread[number] += expected.abs();
            count[number] += 1.0;
        };
        for (position, (value, logits)) in positions.iter().zip(found) {
            let (q, expected) = defined(&network, position);
            compare(0, value.wdl[0] - value.wdl[2], q);
            logits.iter().zip(expected).for_each(|(found, expected)| compare(1, *found, expected));
        }
        let [q, logit] = [0, 1].map(|number| spread[number] / count[number]);
        assert!(q > 0.05 && logit > 0.3, "{q} and {logit}: the answers say something");
        assert!(errors[0] < 0.1 * spread[0] && errors[1] < 0.1 * spread[1], "{errors:?} of {spread:?}");
    }
    check(positions(200, 5));
    check(random_positions(Century::start(()), 50, 6));
    check(random_positions(Half::start(()), 50, 7));
    check(random_positions(Maxim::start(()), 50, 8));
}

#[test]
fn sums_of_any_number_of_features_are_exact() {
    let network = network(&catapult_encoding::CHESS_LAYOUT);
    let crate::Model::Sparse(model) = network.model() else { panic!("a sparse network") };
    let width = model.sizes.width;
    let bits = bytes(model.bits);
    let weight = |feature: u32, unit: usize| i32::from(bits[feature as usize * width + unit]);
    let sparse = Sparse::new(&model, Vectors::Portable);
    // Words are summed in groups of 256.
    for count in [0, 1, 255, 256, 257, 600] {
        let set: Vec<u32> = (0..count).map(|number| 5 * number).collect();
        let mut active = vec![(0, 0.0); width + 1];
        let found = sparse.weights.wide(&set, &[], &mut active);
        let activation = |unit: usize| {
            let bias = i32::from(integers(model.globals.bias, ONE)[unit]);
            let sum = bias + set.iter().map(|&feature| weight(feature, unit)).sum::<i32>();
            (unit as u32, (sum.clamp(0, 127).pow(2) >> ACTIVATION_SHIFT) as f32)
        };
        let expected: Vec<(u32, f32)> = (0..width).map(activation).filter(|unit| unit.1 > 0.0).collect();
        assert!(count == 0 || expected.len() > 5, "{count} features activate {} units", expected.len());
        assert_eq!(active[..found], expected, "{count} features");
    }
}

#[test]
fn vectors_of_every_width_give_the_same_bits() {
    let positions = encoded(&positions(100, 9));
    let network = network(&catapult_encoding::CHESS_LAYOUT);
    let expected = answers(&network, Vectors::Portable, &positions);
    for vectors in Vectors::all() {
        assert_eq!(answers(&network, vectors, &positions), expected, "{}", vectors.name());
    }
}

#[test]
fn an_untrained_network_has_no_opinion() {
    let network = Network::untrained(Architecture::sparse(64), catapult_encoding::CHESS_LAYOUT, 1).unwrap();
    for (value, logits) in answers(&network, Vectors::best(), &encoded(&positions(5, 10))) {
        assert_eq!(value.wdl, [1.0 / 3.0; 3]);
        assert!(logits.iter().all(|logit| *logit == 0.0));
    }
}
