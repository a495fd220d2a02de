//! Tests of the tower. Its head features are compared with the definition of a convolution, between
//! vector widths and between batch sizes.

use super::gemm::LOOP;
use super::plan::{Plan, Scratch};
use super::{Tower, Vectors};
use crate::fold::{Convolution, Dense, Folded, fold};
use crate::testing::{random, shaken_for};
use crate::{Architecture, TowerSizes};
use catapult_encoding::{CHESS_LAYOUT, Encode, Layout};
use catapult_rules::{Century, Half, Maxim};
use half::bf16;
use rand::Rng;

/// Layouts of 8x8, 8x10 and 12x12 boards. They have whole tiles, partial tiles, and numbers of
/// tiles that are not a multiple of `ROWS`.
const LAYOUTS: [Layout; 4] = [CHESS_LAYOUT, Century::LAYOUT, Half::LAYOUT, Maxim::LAYOUT];

fn folded(sizes: TowerSizes, layout: &Layout) -> Folded {
    fold(&shaken_for(Architecture::Tower(sizes), *layout, 7).tower().unwrap(), layout)
}

/// Returns random planes, mostly zero, and random global inputs for `rows` boards. A plane is a
/// multiple of `1 / (ranks - 1)`, as in the encoding.
fn inputs(layout: &Layout, rows: usize, seed: u64) -> (Vec<bf16>, Vec<f32>) {
    let mut random = random(seed);
    let steps = (layout.ranks - 1) as f32;
    let plane = |x: f32| bf16::from_f32(if x < 0.7 { 0.0 } else { (x * steps).round() / steps });
    let planes = rows * layout.squares() * layout.planes;
    let planes = (0..planes).map(|_| plane(random.random_range(0.0..1.0))).collect();
    (planes, (0..rows * layout.globals).map(|_| random.random_range(-1.0..1.0)).collect())
}

/// Computes a convolution by its definition. `x` has the shape (squares, planes). It may have fewer
/// planes than the convolution has inputs, because unused channels are left out.
fn convolve(conv: &Convolution, x: &[f64], [ranks, files]: [usize; 2]) -> Vec<f64> {
    let given = x.len() / (ranks * files);
    let reach = conv.kernel / 2;
    let mut out = Vec::new();
    for (square, output) in (0..ranks * files).flat_map(|square| (0..conv.outputs).map(move |o| (square, o)))
    {
        let mut sum = f64::from(conv.bias[output]);
        for tap in 0..conv.kernel * conv.kernel {
            let rank = (square / files + tap / conv.kernel).wrapping_sub(reach);
            let file = (square % files + tap % conv.kernel).wrapping_sub(reach);
            if rank < ranks && file < files {
                let x = &x[(rank * files + file) * given..][..given];
                let weight = |input| conv.weight[(output * conv.inputs + input) * conv.kernel.pow(2) + tap];
                sum += x.iter().enumerate().map(|(input, x)| x * f64::from(weight(input))).sum::<f64>();
            }
        }
        out.push(sum);
    }
    out
}

fn dense(dense: &Dense, x: &[f64]) -> Vec<f64> {
    let outputs = dense.bias.len();
    let at = |output: usize| {
        let weights =
            x.iter().enumerate().map(|(input, x)| x * f64::from(dense.weight[input * outputs + output]));
        f64::from(dense.bias[output]) + weights.sum::<f64>()
    };
    (0..outputs).map(at).collect()
}

/// Rounds a layer's inputs as the tower does: to multiples of `largest / most`.
fn rounded(x: &[f64], largest: f64, most: f64) -> Vec<f64> {
    x.iter().map(|x| (x * most / largest).round_ties_even() * largest / most).collect()
}

/// Computes the head features of one board by the definitions of the layers, in `f64`.
fn expected(folded: &Folded, planes: &[bf16], globals: &[f32]) -> Vec<f64> {
    let size = folded.board.map(|size| size as usize);
    let channels = folded.input.outputs;
    let relu = |x: Vec<f64>| -> Vec<f64> { x.into_iter().map(|x| x.max(0.0)).collect() };
    let add = |x: &mut [f64], y: &[f64]| {
        x.chunks_exact_mut(y.len()).for_each(|x| x.iter_mut().zip(y).for_each(|(x, y)| *x += y));
    };
    let of_board = |x: &[f64], most: f64| rounded(x, x.iter().fold(0.0, |most: f64, &x| most.max(x)), most);
    let planes: Vec<f64> = planes.iter().map(|x| x.to_f64()).collect();
    let mut x = convolve(&folded.input, &rounded(&planes, 1.0, size[0] as f64 - 1.0), size);
    add(&mut x, &dense(&folded.globals, &globals.iter().map(|&x| f64::from(x)).collect::<Vec<_>>()));
    x = relu(x);
    for block in &folded.blocks {
        let y = relu(convolve(&block.first, &of_board(&x, 480.0), size));
        if let Some(pool) = &block.pool {
            let of = |channel: usize| y.iter().skip(channel).step_by(channels);
            let mean = (0..channels).map(|channel| of(channel).sum::<f64>() / (size[0] * size[1]) as f64);
            let max = (0..channels).map(|channel| of(channel).copied().fold(0.0, f64::max));
            add(&mut x, &dense(pool, &mean.chain(max).collect::<Vec<_>>()));
        }
        add(&mut x, &convolve(&block.second, &of_board(&y, 480.0), size));
        x = relu(x);
    }
    convolve(&folded.head, &of_board(&x, 4095.0), size)
}

/// Changes a network so that the tower represents each of its weights exactly. The last channel
/// becomes 0 on every square, which frees the weights of that channel to set the size of a step.
fn without_rounding(folded: &mut Folded) {
    let last = folded.input.outputs - 1;
    let Folded { globals, input, blocks, head, .. } = folded;
    let dense = blocks.iter_mut().filter_map(|block| block.pool.as_mut()).chain([globals]);
    for dense in dense {
        for weights in dense.weight.chunks_exact_mut(dense.bias.len()) {
            weights[last] = 0.0;
        }
        dense.bias[last] = 0.0;
    }
    let inside = blocks.iter_mut().flat_map(|block| [&mut block.first, &mut block.second]);
    for conv in inside.chain([input, head]) {
        let taps = conv.kernel * conv.kernel;
        let largest = conv.weight.iter().fold(0f32, |most, weight| most.max(weight.abs()));
        // The transform of a 3x3 filter divides by 36 at most.
        let unit = if taps == 9 { 36.0 } else { 1.0 };
        let (counted, free) = (if taps == 9 { 10.0 } else { 1000.0 }, conv.inputs - 1);
        let step = (largest / (counted * unit)).log2().ceil().exp2();
        for (index, filter) in conv.weight.chunks_exact_mut(taps).enumerate() {
            let (output, input) = (index / conv.inputs, index % conv.inputs);
            filter.iter_mut().for_each(|weight| *weight = (*weight / (step * unit)).round() * step * unit);
            if taps == 9 && output == last {
                filter.fill(0.0);
            }
            if input == free {
                filter.fill(0.0);
                filter[taps - 1] = f32::from(i16::MAX) * step;
            }
        }
        if taps == 9 {
            conv.bias[last] = 0.0;
        }
    }
}

/// Returns the largest error of the tower's features, as a share of the largest feature. The
/// definition rounds the inputs of layers as the tower does. `prepare` may change the network.
fn largest_error(layout: &Layout, sizes: &TowerSizes, prepare: impl Fn(&mut Folded)) -> f64 {
    let mut folded = folded(sizes.clone(), layout);
    prepare(&mut folded);
    // With some seeds, f32 and f64 round an input near a half to different integers.
    let (mut planes, globals) = inputs(layout, 1, 5);
    if folded.input.inputs == layout.planes {
        planes.iter_mut().skip(layout.planes - 1).step_by(layout.planes).for_each(|x| *x = bf16::ZERO);
    }
    let expected = expected(&folded, &planes, &globals);
    let most = expected.iter().fold(0f64, |most, x| most.max(x.abs()));
    assert!(most > 1.0, "features of at most {most} compare nothing");
    let errors = Vectors::all().into_iter().map(|vectors| {
        let mut tower = Tower::new(&folded, layout.planes, vectors);
        let found = tower.forward(&planes, &globals);
        assert_eq!(found.len(), expected.len());
        let pairs = found.iter().zip(&expected);
        pairs.map(|(&found, x)| (f64::from(found) - x).abs()).fold(0.0, f64::max) / most
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn the_tower_computes_what_its_definition_says() {
    for layout in &LAYOUTS {
        // Channels that fill the vectors, and others that do not.
        for sizes in [
            TowerSizes { pooled_every: 2, ..TowerSizes::new(32, 3) },
            TowerSizes { pooled_every: 1, policy_channels: 5, ..TowerSizes::new(11, 1) },
            TowerSizes::new(24, 0),
        ] {
            let error = largest_error(layout, &sizes, without_rounding);
            assert!(error < 1e-6, "{}, {sizes:?}: {error}", layout.name);
            // Weights are rounded to integers of up to 16 bits.
            let error = largest_error(layout, &sizes, |_| ());
            assert!(error < 1e-2, "{}, {sizes:?}: {error}", layout.name);
        }
    }
}

#[test]
fn features_depend_on_neither_place_nor_company() {
    for layout in &LAYOUTS {
        let folded = folded(TowerSizes { pooled_every: 2, ..TowerSizes::new(20, 2) }, layout);
        let mut tower = Tower::new(&folded, layout.planes, Vectors::best());
        let (planes, globals) = inputs(layout, tower.rows(), 4);
        let (per_row, per_globals) = (layout.squares() * layout.planes, layout.globals);
        let all: Vec<f32> = tower.forward(&planes, &globals).to_vec();
        let features = all.len() / tower.rows();
        for row in 0..tower.rows() {
            // Once alone and once last of several, in a tower that has evaluated other boards.
            for first in [row, row / 2] {
                let planes = &planes[first * per_row..(row + 1) * per_row];
                let found = tower.forward(planes, &globals[first * per_globals..(row + 1) * per_globals]);
                let found = found[found.len() - features..].iter().map(|x| x.to_bits());
                assert!(found.eq(all[row * features..][..features].iter().map(|x| x.to_bits())), "row {row}");
            }
        }
    }
}

#[test]
fn vectors_of_every_width_give_the_same_bits() {
    for layout in &LAYOUTS {
        let folded = folded(TowerSizes { pooled_every: 1, ..TowerSizes::new(24, 1) }, layout);
        let (planes, globals) = inputs(layout, 2, 5);
        fn bits<const N: usize, const WORDS: usize>(
            folded: &Folded,
            layout: &Layout,
            planes: &[bf16],
            globals: &[f32],
        ) -> Vec<u32> {
            let plan = Plan::new(folded, layout.planes, N);
            let mut scratch = Scratch::new(&plan);
            plan.run::<N, WORDS, LOOP>(&mut scratch, planes, globals).iter().map(|x| x.to_bits()).collect()
        }
        let four = bits::<4, 8>(&folded, layout, &planes, &globals);
        assert_eq!(four, bits::<8, 16>(&folded, layout, &planes, &globals), "{}", layout.name);
        assert_eq!(four, bits::<16, 32>(&folded, layout, &planes, &globals), "{}", layout.name);
        // Compares the processor's own instruction sets.
        for vectors in Vectors::all() {
            let mut tower = Tower::new(&folded, layout.planes, vectors);
            let found = tower.forward(&planes, &globals).iter().map(|x| x.to_bits());
            assert!(found.eq(four.iter().copied()), "{}, {vectors:?}", layout.name);
        }
    }
}
