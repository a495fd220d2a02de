//! Measures the time per position of a tower on one thread, with each instruction set of this
//! processor.
//!
//! ```text
//! cargo run --release -p catapult-model --example vectors -- [NETWORK]
//! ```
//!
//! NETWORK is a size, by default `32x4`. The instruction sets take turns, and the output has the
//! fastest round of each.

#![allow(clippy::print_stdout)]

use catapult_encoding::Encode;
use catapult_model::winograd::{Tower, Vectors};
use catapult_model::{Architecture, Model, fold, random_positions, shaken_network};
use catapult_rules::{ChessPp, Plain, Position};
use half::bf16;
use std::time::{Duration, Instant};

const ROUNDS: usize = 40;
const CALLS: u32 = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (size, layout) = (std::env::args().nth(1).unwrap_or("32x4".to_string()), ChessPp::LAYOUT);
    let network = shaken_network(size.parse::<Architecture>()?, layout, [0.3, 0.4], 1)?;
    let Model::Tower(model) = network.model() else { return Err(format!("{size} is not a tower").into()) };
    let folded = fold(&model, &layout);
    let tower = |vectors| (vectors, Tower::new(&folded, layout.planes, vectors), Duration::MAX);
    let mut towers: Vec<_> = Vectors::all().into_iter().map(tower).collect();

    let positions = random_positions(ChessPp::start(Plain), towers[0].1.rows(), 1);
    let per_row = layout.squares() * layout.planes;
    let mut planes = vec![bf16::ZERO; positions.len() * per_row];
    let mut globals = vec![0.0; positions.len() * layout.globals];
    let rows = planes.chunks_mut(per_row).zip(globals.chunks_mut(layout.globals));
    for (position, (planes, globals)) in positions.iter().zip(rows) {
        position.encode(0, false, planes, globals);
    }
    for _ in 0..ROUNDS {
        for (_, tower, fastest) in &mut towers {
            let start = Instant::now();
            for _ in 0..CALLS {
                std::hint::black_box(tower.forward(&planes, &globals));
            }
            *fastest = start.elapsed().min(*fastest);
        }
    }
    for (vectors, _, fastest) in &towers {
        let micros = fastest.as_secs_f64() * 1e6 / (f64::from(CALLS) * positions.len() as f64);
        println!("{size}, {} vectors: {micros:.1} µs", vectors.name());
    }
    Ok(())
}
