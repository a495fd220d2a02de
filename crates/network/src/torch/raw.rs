//! How fast libtorch runs a network by itself: see [`crate::raw_evaluations`].

use crate::raw::rate;
use crate::torch::memory::{Scalar, values_mut};
use crate::torch::queue::DeviceQueue;
use crate::torch::threads::use_threads;
use crate::torch::tower::Tower;
use crate::{EvaluatorSettings, Network, NetworkError};
use catapult_model::{fold, input_channels};
use half::bf16;
use tch::{Device, Kind, Tensor};

/// Evaluations a second on a device, or of the tower in libtorch.
pub(crate) fn raw_evaluations(
    network: &Network,
    settings: EvaluatorSettings,
    batch: usize,
    seconds: f64,
) -> Result<f64, NetworkError> {
    use_threads(settings.threads);
    if settings.queued() {
        DeviceQueue::new(network, &settings)?.raw_rate(batch, seconds)
    } else if settings.precision.is_bf16(settings.device) {
        in_libtorch::<bf16>(network, batch, seconds)
    } else {
        in_libtorch::<f32>(network, batch, seconds)
    }
}

fn in_libtorch<T: Scalar>(network: &Network, batch: usize, seconds: f64) -> Result<f64, NetworkError> {
    let Network { architecture, layout, .. } = network;
    let folded = fold(network);
    tch::no_grad(|| {
        let tower = Tower::new(folded, T::KIND);
        let size = [batch, layout.ranks, layout.files, input_channels(layout)].map(|size| size as i64);
        let boards = Tensor::rand(size, (Kind::Float, Device::Cpu)).to_kind(T::KIND);
        let globals = vec![0.5; batch * layout.globals];
        let mut outputs = vec![T::narrow(0.0); batch * layout.squares() * architecture.head_channels()];
        rate(batch, seconds, || {
            let mut features = tower.forward::<T>(&boards, &globals)?;
            outputs.copy_from_slice(values_mut(&mut features));
            Ok(())
        })
    })
}
