//! Speed of a network's evaluations without search.

use crate::libtorch::DeviceQueue;
use crate::{EvaluatorSettings, Network, NetworkError};
use catapult_model::fold;
use catapult_model::winograd::{self, Vectors};
use half::bf16;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::time::Instant;

/// Returns how many evaluations per second a network makes without search, measured on one batch of
/// random numbers. It is an upper limit for self-play. The measurement takes about `seconds`.
///
/// On a CPU, the evaluations include the tower and copying its outputs. They exclude the encoding
/// and the heads. On another device, they include all steps after the encoding. The logits of 40
/// moves per position and the values are copied back.
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
    let Network { architecture, layout, .. } = network;
    let folded = fold(network);
    let mut tower = winograd::Tower::new(&folded, layout.planes, Vectors::best());
    let planes = layout.squares() * layout.planes;
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let boards: Vec<bf16> =
        (0..batch * planes).map(|_| bf16::from_f32(random.random_range(0.0..1.0))).collect();
    let globals = vec![0.5; batch * layout.globals];
    let mut outputs = vec![0.0; batch * layout.squares() * architecture.head_channels()];
    rate(batch, seconds, || {
        let mut outputs = &mut outputs[..];
        for first in (0..batch).step_by(tower.rows()) {
            let rows = first..batch.min(first + tower.rows());
            let boards = &boards[rows.start * planes..rows.end * planes];
            let globals = &globals[rows.start * layout.globals..rows.end * layout.globals];
            let features = tower.forward(boards, globals);
            let (here, rest) = outputs.split_at_mut(features.len());
            here.copy_from_slice(features);
            outputs = rest;
        }
        Ok(())
    })
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
