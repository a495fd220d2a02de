//! Residual tower of a network in libtorch, for evaluations on devices. It is folded: batch
//! normalisation is merged into the convolutions. The tower computes the features that the heads
//! use.
//!
//! cuDNN has two fused operators: convolution with ReLU, and convolution with addition of the
//! residual and ReLU. Devices without cuDNN use plain operators with the same result.

use crate::NetworkError;
use catapult_model::{Convolution, Dense, Folded};
use tch::{Device, Kind, Tensor};

/// Weight and bias of a layer, as `[weight, bias]`.
type Layer = [Tensor; 2];

/// Residual block: `x = relu(x + second(y) + pool(mean(y), max(y)))` with `y = relu(first(x))`.
/// Without `pool`, its term is 0.
struct Block {
    first: Layer,
    pool: Option<Layer>,
    second: Layer,
}

/// Residual tower of a network, on one device.
pub(crate) struct Tower {
    input: Layer,
    blocks: Vec<Block>,
    head: Layer,
    /// True if the tower uses cuDNN's fused operators.
    is_fused: bool,
}

impl Tower {
    /// Creates a tower on a device. If `fused` is true and cuDNN supports these sizes, the tower
    /// uses cuDNN's fused operators.
    pub(super) fn new(folded: Folded, kind: Kind, device: Device, fused: bool) -> Tower {
        let place = |tensor: Tensor| tensor.to_device(device).to_kind(kind);
        let convolution = |conv: &Convolution| {
            let size = [conv.outputs, conv.inputs, conv.kernel, conv.kernel].map(|size| size as i64);
            let weight = place(Tensor::from_slice(&conv.weight).view(size));
            // In the order of the boards. Otherwise cuDNN would reorder the weights at every call.
            let weight = weight.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2]);
            [weight, place(Tensor::from_slice(&conv.bias))]
        };
        let dense = |dense: &Dense| {
            let weight = Tensor::from_slice(&dense.weight).view([-1, dense.bias.len() as i64]).tr();
            [weight, Tensor::from_slice(&dense.bias)].map(place)
        };
        let blocks = folded.blocks.iter().map(|block| Block {
            first: convolution(&block.first),
            pool: block.pool.as_ref().map(dense),
            second: convolution(&block.second),
        });
        let mut tower = Tower {
            input: convolution(&folded.input),
            blocks: blocks.collect(),
            head: convolution(&folded.head),
            is_fused: false,
        };
        if fused && device.is_cuda() && tch::Cuda::cudnn_is_available() {
            tower.is_fused = true;
            let [ranks, files] = folded.board;
            let boards = Tensor::zeros([64, ranks, files, folded.input.inputs as i64], (kind, device));
            let state = Tensor::zeros([64, folded.input.outputs as i64, 1, 1], (kind, device));
            tower.is_fused = tower.forward(&boards, &state).is_ok();
        }
        tower
    }

    /// Returns true if the tower uses cuDNN's fused operators.
    pub(super) fn is_fused(&self) -> bool {
        self.is_fused
    }

    /// Computes the features `[rows, ranks, files, features]` from the boards `[rows, ranks, files,
    /// channels]`. `globals`, of shape `[rows, channels, 1, 1]`, is added to the output channels of
    /// the first convolution.
    pub(super) fn forward(&self, boards: &Tensor, globals: &Tensor) -> Result<Tensor, NetworkError> {
        let boards = boards.permute([0, 3, 1, 2]);
        let mut x = convolve(&boards, &self.input, 1)?.f_add_(globals)?.f_relu_()?;
        for Block { first, pool, second } in &self.blocks {
            let y = self.first(&x, first)?;
            if let Some([weight, bias]) = pool {
                let pooled = Tensor::f_cat(
                    &[y.f_mean_dim(&[2i64, 3][..], false, None)?, y.f_amax([2i64, 3], false)?],
                    1,
                )?;
                x = x.f_add(&pooled.f_linear(weight, Some(bias))?.f_unsqueeze(-1)?.f_unsqueeze(-1)?)?;
            }
            x = self.second(&y, &x, second)?;
        }
        // `f_contiguous` copies only if the memory has another order.
        Ok(convolve(&x, &self.head, 0)?.f_permute([0, 2, 3, 1])?.f_contiguous()?)
    }

    fn first(&self, x: &Tensor, layer @ [weight, bias]: &Layer) -> Result<Tensor, NetworkError> {
        if self.is_fused {
            return Ok(x.f_cudnn_convolution_relu(weight, Some(bias), ONE, ONE, ONE, 1)?);
        }
        Ok(convolve(x, layer, 1)?.f_relu_()?)
    }

    fn second(&self, y: &Tensor, x: &Tensor, layer @ [weight, bias]: &Layer) -> Result<Tensor, NetworkError> {
        if self.is_fused {
            return Ok(y.f_cudnn_convolution_add_relu(weight, x, 1.0, Some(bias), ONE, ONE, ONE, 1)?);
        }
        Ok(convolve(y, layer, 1)?.f_add_(x)?.f_relu_()?)
    }
}

const ONE: [i64; 2] = [1; 2];

fn convolve(input: &Tensor, [weight, bias]: &Layer, padding: i64) -> Result<Tensor, NetworkError> {
    Ok(input.f_conv2d(weight, Some(bias), ONE, [padding, padding], ONE, 1)?)
}
