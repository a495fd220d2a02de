//! Speed of a network's evaluations without search.

use crate::libtorch::DeviceQueue;
use crate::{EvaluatorSettings, Network, NetworkError};
use catapult_encoding::{Layout, PolicyIndex};
use catapult_mcts::Value;
use catapult_model::Portable;
use half::bf16;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::time::Instant;

/// Number of moves per position. Positions of chess games have somewhat fewer legal moves on
/// average.
pub(crate) const RAW_MOVES: usize = 40;

/// Returns how many evaluations per second a network makes without search, measured on one batch of
/// random numbers. It is an upper limit for self-play. The measurement takes about `seconds`.
///
/// The evaluations include all steps after the encoding, for 40 moves per position. From a device,
/// the logits and the values are copied back.
///
/// # Errors
/// The device can't be used, or libtorch fails.
pub fn raw_evaluations(
    network: &Network,
    settings: EvaluatorSettings,
    batch: usize,
    seconds: f64,
) -> Result<f64, NetworkError> {
    let batch = batch.max(1);
    match settings.queued() {
        true => DeviceQueue::new(network, &settings)?.raw_rate(batch, seconds),
        false => in_rust(network, batch, seconds),
    }
}

fn in_rust(network: &Network, batch: usize, seconds: f64) -> Result<f64, NetworkError> {
    let mut portable = Portable::new(network, batch);
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for row in 0..batch {
        // About 5 % of the values in a position's planes are set.
        let (planes, globals) = portable.row_mut(row);
        planes.fill_with(|| if random.random_bool(0.05) { bf16::ONE } else { bf16::ZERO });
        globals.fill(0.5);
    }
    let moves: Vec<PolicyIndex> =
        (0..batch * RAW_MOVES).map(|_| random_index(&network.layout, &mut random)).collect();
    let mut logits = vec![0.0; moves.len()];
    let mut values = vec![Value::default(); batch];
    rate(batch, seconds, || {
        portable.answer(&moves, &vec![RAW_MOVES; batch], &mut logits, &mut values);
        Ok(())
    })
}

/// Returns a random policy index within a layout.
pub(crate) fn random_index(layout: &Layout, random: &mut Pcg64Mcg) -> PolicyIndex {
    let mut below = |most: usize| random.random_range(0..most) as u16;
    let squares = layout.squares();
    PolicyIndex { plane: below(layout.policy_planes), square: below(squares), to: below(squares) }
}

/// Returns the number of positions per second that `run` computes, measured for about `seconds`.
/// Each call of `run` computes a batch of `batch` positions.
pub(crate) fn rate(
    batch: usize,
    seconds: f64,
    mut run: impl FnMut() -> Result<(), NetworkError>,
) -> Result<f64, NetworkError> {
    // The first calls compile and pack, so they do not count.
    for _ in 0..5 {
        run()?;
    }
    let start = Instant::now();
    let mut runs = 0;
    while start.elapsed().as_secs_f64() < seconds {
        run()?;
        runs += 1;
    }
    Ok((runs * batch) as f64 / start.elapsed().as_secs_f64())
}
