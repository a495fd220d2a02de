//! Helpers for several test modules: the helpers of the model crate, and training samples.

#[path = "../../../model/src/testing.rs"]
mod model;

pub(super) use model::*;

use crate::{TrainingBatch, TrainingRow};
use catapult_encoding::{Encode, PolicyIndex};
use half::bf16;
use rand::Rng;

/// Returns training samples with random targets, drawn from `seed`. One random move has probability
/// 1 in the policy. The result is random. The future occupancy equals the current one.
pub(super) fn lessons<P: Encode>(positions: &[P], seed: u64) -> TrainingBatch {
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
