//! What the tests of several modules share.

use crate::{Architecture, Network, TrainingBatch, TrainingRow, random_positions};
use catapult_encoding::{CHESS_LAYOUT, Encode, Layout, PolicyIndex};
use catapult_mcts::Batch;
use catapult_model::shaken_network;
use catapult_rules::{ChessPp, Plain, Position};
use half::bf16;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub fn random(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// A small tower with a pooled block.
pub fn architecture() -> Architecture {
    Architecture { pooled_every: 2, ..Architecture::new(16, 3) }
}

/// A network whose every parameter has been shaken, so that no layer is left out of a comparison.
pub fn shaken(architecture: Architecture, seed: u64) -> Network {
    shaken_for(architecture, CHESS_LAYOUT, seed)
}

/// The same for a layout.
pub fn shaken_for(architecture: Architecture, layout: Layout, seed: u64) -> Network {
    shaken_network(architecture, layout, [0.3, 0.4], seed).unwrap()
}

/// Positions of random games.
pub fn positions(count: usize, seed: u64) -> Vec<ChessPp> {
    random_positions(ChessPp::start(Plain), count, seed)
}

pub fn requests<P: Position>(positions: &[P]) -> Batch<P> {
    let mut batch = Batch::default();
    for position in positions {
        batch.push(*position, 0, &position.legal_moves());
    }
    batch
}

/// Positions with targets drawn from a seed: one likely move, a value, what stands now as the future.
pub fn lessons<P: Encode>(positions: &[P], seed: u64) -> TrainingBatch {
    let mut random = random(seed);
    let layout = P::LAYOUT;
    let mut batch = TrainingBatch::new(layout);
    let mut planes = vec![bf16::ZERO; layout.squares() * layout.planes];
    let mut globals = vec![0.0; layout.globals];
    let mut occupancy = vec![0; layout.squares() * layout.future_planes];
    for position in positions {
        position.encode(0, false, &mut planes, &mut globals);
        position.occupancy(position.side_to_move(), false, &mut occupancy);
        let future: Vec<u8> = occupancy
            .chunks_exact(layout.future_planes)
            .flat_map(|square| [square, square].concat())
            .collect();
        let moves: Vec<PolicyIndex> =
            position.legal_moves().iter().map(|&mv| position.policy_index(mv, false)).collect();
        let mut policy = vec![0.0; moves.len()];
        policy[random.random_range(0..moves.len())] = 1.0;
        let mut wdl = [0.0; 3];
        wdl[random.random_range(0..3)] = 1.0;
        let row = TrainingRow {
            planes: &planes,
            globals: &globals,
            moves: &moves,
            policy: &policy,
            policy_weight: 1.0,
            wdl,
            value_weight: 1.0,
            moves_left: random.random_bool(0.8).then(|| random.random_range(1.0..150.0f32)),
            future: &future,
            future_weight: [1.0, random.random_range(0..2) as f32],
        };
        batch.push(&row).unwrap();
    }
    batch
}
