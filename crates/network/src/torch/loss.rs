//! Losses of training as tensors, for gradients.

use crate::torch::graph::Outputs;
use crate::{FUTURE_PLIES, LossWeights, Losses, MOVES_LEFT_SCALE, NetworkError, TrainingBatch};
use tch::{Device, Kind, Reduction, Tensor};

/// Difference at which the Huber loss of the plies left changes from squared to linear. Its unit is
/// [`MOVES_LEFT_SCALE`] plies.
const HUBER_DELTA: f64 = 0.4;

/// Returns the weighted total loss as a tensor, and all losses as numbers. `batch` is one part of a
/// larger batch with `of_rows` samples. Weighted sums over its samples are divided by `of_rows`, so
/// the losses of all parts add up to those of the whole batch.
pub(crate) fn losses(
    outputs: &Outputs,
    batch: &TrainingBatch,
    of_rows: usize,
    weights: &LossWeights,
    device: Device,
) -> Result<(Tensor, Losses), NetworkError> {
    let rows = batch.rows() as i64;
    let column = |values: &[f32]| Tensor::from_slice(values).to_device(device);
    let sum_rows = |x: Tensor| x.sum_dim_intlist(&[1i64][..], false, None);
    let mean = |losses: Tensor| losses.sum(Kind::Float) / of_rows as f64;

    // Policy: legal moves in a padded table. The padding has probability 0.
    let width = batch.move_counts.iter().copied().max().unwrap_or(1) as i64;
    let place =
        |(row, &count): (usize, &usize)| (0..count as i64).map(move |move_| row as i64 * width + move_);
    let places: Vec<i64> = batch.move_counts.iter().enumerate().flat_map(place).collect();
    let places = Tensor::from_slice(&places).to_device(device);
    let table = |fill: f64, values: &Tensor| {
        let empty = Tensor::full([rows * width], fill, (Kind::Float, device));
        Ok::<_, NetworkError>(empty.f_index_copy(0, &places, values)?.f_view([rows, width])?)
    };
    let log_policy = table(-1e9, &outputs.moves)?.log_softmax(1, Kind::Float);
    let target = table(0.0, &column(&batch.policy))?;
    let policy = mean(-sum_rows(target * log_policy));

    let log_wdl = outputs.value.narrow(1, 0, 3).log_softmax(1, Kind::Float);
    let value = -sum_rows(column(&batch.wdl).view([rows, 3]) * log_wdl);
    let value = mean(value * column(&batch.value_weight));

    let plies = outputs.value.select(1, 3).softplus();
    let target = column(&batch.moves_left) / f64::from(MOVES_LEFT_SCALE);
    let moves_left = plies.huber_loss(&target, Reduction::None, HUBER_DELTA);
    let moves_left = mean(moves_left * column(&batch.moves_left_weight));

    let future = match &outputs.future {
        Some(future) => occupancy_loss(future, batch, of_rows, device)?,
        None => policy.zeros_like(),
    };

    let total = &policy * f64::from(weights.policy)
        + &value * f64::from(weights.value)
        + &moves_left * f64::from(weights.moves_left)
        + &future * f64::from(weights.future);
    let parts = [&total, &policy, &value, &moves_left, &future];
    let mut numbers = [0f32; 5];
    Tensor::f_stack(&parts, 0)?.f_copy_data(&mut numbers, parts.len())?;
    let [all, policy, value, moves_left, future] = numbers;
    Ok((total, Losses { total: all, policy, value, moves_left, future, gradient_norm: 0.0 }))
}

/// Returns the loss of the future occupancy, like [`losses`].
fn occupancy_loss(
    logits: &Tensor,
    batch: &TrainingBatch,
    of_rows: usize,
    device: Device,
) -> Result<Tensor, NetworkError> {
    let (rows, horizons) = (batch.rows() as i64, FUTURE_PLIES.len() as i64);
    let target = Tensor::from_slice(&batch.future).to_device(device).to_kind(Kind::Float);
    let target = target.f_view_as(logits)?;
    let cross_entropy =
        logits.binary_cross_entropy_with_logits(&target, None::<Tensor>, None::<Tensor>, Reduction::None);
    let squares = batch.layout().squares() as i64;
    let per_horizon = cross_entropy.f_view([rows, squares, horizons, -1])?.f_sum_dim_intlist(
        &[1i64, 3][..],
        false,
        None,
    )?;
    let weight = Tensor::from_slice(&batch.future_weight).to_device(device).view([rows, horizons]);
    Ok((per_horizon * weight).sum(Kind::Float) / (of_rows as i64 * squares) as f64)
}
