//! The folded tower in libtorch: board tensors in, features of the heads out.
//!
//! On a CPU with oneDNN each convolution, with its ReLU or with the addition of the residual and its ReLU, is one call
//! on weights packed beforehand. These fused operators have no binding in tch, but TorchScript reaches every operator,
//! so the tower is written as a small script ([`script`]). On CUDA cuDNN has the same two as single calls, which tch binds. Elsewhere plain
//! operators compute the same.
//!
//! Global pooling interrupts the script: on a CPU it runs in plain Rust, in place, in a fixed order of sums.

use crate::NetworkError;
use crate::torch::memory::{Scalar, values_mut};
use crate::torch::script::{self, Step};
use catapult_model::{Convolution, Dense, Folded};
use tch::{CModule, Device, IValue, Kind, Tensor};

/// Steps up to the next global pooling, or to the end.
struct Segment {
    /// Each with the number of its convolution.
    steps: Vec<(Step, usize)>,
    pool: Option<Pool>,
}

/// `x = x + dense(mean(y), max(y))`, the same on all squares.
enum Pool {
    InPlace(Dense),
    Torch { weight: Tensor, bias: Tensor },
}

/// The tower, ready to run on one device.
pub(crate) struct Tower {
    segments: Vec<Segment>,
    /// Weight and bias of each convolution.
    weights: Vec<Tensor>,
    script: Option<CModule>,
    /// Whether cuDNN's fused operators are in use.
    cudnn: bool,
    /// What each global input adds to each channel of the first convolution.
    globals: Dense,
    /// Ranks and files of the boards.
    board: [i64; 2],
    kind: Kind,
}

impl Tower {
    /// Prepares a tower that pools in Rust, with convolutions fused where the library can.
    pub(super) fn new(folded: Folded, kind: Kind) -> Tower {
        let device = Device::Cpu;
        let (mut tower, convolutions) = Tower::plain(folded, kind, device, true);
        if tch::utils::has_mkldnn() {
            // A library that lacks the fused operators, or changed them, leaves the plain ones.
            if let Some((script, packed)) = tower.fuse(&convolutions) {
                let plain = std::mem::replace(&mut tower.weights, packed);
                tower.script = Some(script);
                let [ranks, files] = tower.board;
                let board = |channels: usize| {
                    Tensor::zeros([2, ranks, files, channels as i64], (kind, device)).permute([0, 3, 1, 2])
                };
                let [state, planes] = [convolutions[0].outputs, convolutions[0].inputs].map(board);
                if tower.forward_segment(0, &state, &planes).is_err() {
                    (tower.script, tower.weights) = (None, plain);
                }
            }
        }
        tower
    }

    /// Prepares a tower that runs on the device alone; with `fused` in cuDNN's fused operators, where it has them for these sizes.
    pub(super) fn on_device(folded: Folded, kind: Kind, device: Device, fused: bool) -> Tower {
        let (mut tower, convolutions) = Tower::plain(folded, kind, device, false);
        // Weights in the order of the boards, which cuDNN would else bring into it at every call.
        for weight in tower.weights.iter_mut().step_by(2) {
            *weight = weight.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2]);
        }
        if fused && device.is_cuda() && tch::Cuda::cudnn_is_available() {
            tower.cudnn = true;
            let [ranks, files] = tower.board;
            let boards = Tensor::zeros([64, ranks, files, convolutions[0].inputs as i64], (kind, device));
            let state = Tensor::zeros([64, convolutions[0].outputs as i64, 1, 1], (kind, device));
            tower.cudnn = tower.forward_on_device(&boards, state).is_ok();
        }
        tower
    }

    /// The tower in plain operators, and its convolutions.
    fn plain(folded: Folded, kind: Kind, device: Device, in_rust: bool) -> (Tower, Vec<Convolution>) {
        let mut steps = vec![(Step::Second, 0)];
        let mut convolutions = vec![folded.input];
        let mut segments = Vec::new();
        for block in folded.blocks {
            steps.push((Step::First, convolutions.len()));
            convolutions.push(block.first);
            if let Some(dense) = block.pool {
                let pool = if in_rust { Pool::InPlace(dense) } else { torch_pool(&dense, kind, device) };
                segments.push(Segment { steps: std::mem::take(&mut steps), pool: Some(pool) });
            }
            steps.push((Step::Second, convolutions.len()));
            convolutions.push(block.second);
        }
        steps.push((Step::Head, convolutions.len()));
        convolutions.push(folded.head);
        segments.push(Segment { steps, pool: None });

        let weights = convolutions.iter().flat_map(|conv| plain_weights(conv, kind, device)).collect();
        let (globals, board) = (folded.globals, folded.board);
        (Tower { segments, weights, script: None, cudnn: false, globals, board, kind }, convolutions)
    }

    /// Runs the tower on boards `[rows, ranks, files, channels]` and the global inputs of each row; the features come
    /// back in the order of the boards.
    pub(super) fn forward<T: Scalar>(
        &self,
        boards: &Tensor,
        globals: &[f32],
    ) -> Result<Tensor, NetworkError> {
        let state = self.first_state::<T>(boards, globals)?;
        self.forward_from::<T>(boards, state)
    }

    /// The same from the state that the global inputs make, `[rows, channels, 1, 1]`, for towers that run on the device alone.
    pub(super) fn forward_on_device(&self, boards: &Tensor, state: Tensor) -> Result<Tensor, NetworkError> {
        // Nothing is done in Rust, so the number matters to nothing.
        self.forward_from::<f32>(boards, state)
    }

    fn forward_from<T: Scalar>(&self, boards: &Tensor, mut state: Tensor) -> Result<Tensor, NetworkError> {
        debug_assert_eq!(boards.kind(), self.kind);
        let mut inside = boards.permute([0, 3, 1, 2]);
        for (index, segment) in self.segments.iter().enumerate() {
            let (x, y) = self.forward_segment(index, &state, &inside)?;
            state = match &segment.pool {
                None => x,
                Some(Pool::InPlace(dense)) => {
                    let (mut x, mut y) = (channels_last(&x)?, channels_last(&y)?);
                    let squares = squares(&y);
                    pool_in_place::<T>(values_mut(&mut x), values_mut(&mut y), squares, dense);
                    inside = y.permute([0, 3, 1, 2]);
                    x.permute([0, 3, 1, 2])
                }
                Some(Pool::Torch { weight, bias }) => {
                    let pooled = Tensor::f_cat(
                        &[y.f_mean_dim(&[2i64, 3][..], false, None)?, y.f_amax([2i64, 3], false)?],
                        1,
                    )?;
                    let sum =
                        x.f_add(&pooled.f_linear(weight, Some(bias))?.f_unsqueeze(-1)?.f_unsqueeze(-1)?)?;
                    inside = y;
                    sum
                }
            };
        }
        channels_last(&state)
    }

    /// What the global inputs add to each channel: a whole board of it for the fused operators, which add and
    /// overwrite, and one square of it elsewhere.
    fn first_state<T: Scalar>(&self, boards: &Tensor, globals: &[f32]) -> Result<Tensor, NetworkError> {
        let size = boards.size();
        let (rows, channels) = (size[0] as usize, self.globals.bias.len());
        let mut sums = vec![0f32; rows * channels];
        for (row, sums) in sums.chunks_exact_mut(channels).enumerate() {
            let inputs = globals.len() / rows;
            self.globals.apply(&globals[row * inputs..][..inputs], sums);
        }
        if self.script.is_none() {
            let sums = Tensor::from_slice(&sums).f_view([rows as i64, channels as i64, 1, 1])?;
            return Ok(sums.f_to_device(boards.device())?.f_to_kind(self.kind)?);
        }
        let mut state =
            Tensor::f_empty([size[0], size[1], size[2], channels as i64], (self.kind, Device::Cpu))?;
        let values = values_mut::<T>(&mut state);
        let mut narrowed = vec![T::narrow(0.0); channels];
        for (board, sums) in
            values.chunks_exact_mut(values_per_row(&size, channels)).zip(sums.chunks_exact(channels))
        {
            narrowed.iter_mut().zip(sums).for_each(|(narrowed, &sum)| *narrowed = T::narrow(sum));
            board.chunks_exact_mut(channels).for_each(|square| square.copy_from_slice(&narrowed));
        }
        Ok(state.permute([0, 3, 1, 2]))
    }

    /// Whether fused operators are in use.
    pub(super) fn is_fused(&self) -> bool {
        self.script.is_some() || self.cudnn
    }

    fn forward_segment(
        &self,
        index: usize,
        x: &Tensor,
        y: &Tensor,
    ) -> Result<(Tensor, Tensor), NetworkError> {
        if let Some(script) = &self.script {
            let tensor = |t: &Tensor| IValue::Tensor(t.shallow_clone());
            let weights = IValue::TensorList(self.weights.iter().map(Tensor::shallow_clone).collect());
            let result = script.method_is(&script::method(index), &[tensor(x), tensor(y), weights])?;
            return Ok(<(Tensor, Tensor)>::try_from(result)?);
        }
        let (mut x, mut y) = (x.shallow_clone(), y.shallow_clone());
        for &(step, conv) in &self.segments[index].steps {
            let (weight, bias) = (&self.weights[2 * conv], &self.weights[2 * conv + 1]);
            let convolve = |input: &Tensor, padding: i64| {
                input.f_conv2d(weight, Some(bias), [1, 1], [padding, padding], [1, 1], 1)
            };
            let one = [1i64; 2];
            match step {
                Step::First if self.cudnn => {
                    y = x.f_cudnn_convolution_relu(weight, Some(bias), one, one, one, 1)?;
                }
                // The first state has one square.
                Step::Second if self.cudnn && x.size()[2] == y.size()[2] => {
                    x = y.f_cudnn_convolution_add_relu(weight, &x, 1.0, Some(bias), one, one, one, 1)?;
                }
                Step::First => y = convolve(&x, 1)?.f_relu_()?,
                Step::Second => x = convolve(&y, 1)?.f_add_(&x)?.f_relu_()?,
                Step::Head => x = convolve(&x, 0)?,
            }
        }
        Ok((x, y))
    }

    /// The script of all segments and the packed weights.
    fn fuse(&self, convolutions: &[Convolution]) -> Option<(CModule, Vec<Tensor>)> {
        let mut packed = Vec::new();
        for (conv, plain) in convolutions.iter().zip(self.weights.chunks_exact(2)) {
            let padding = [conv.kernel as i64 / 2; 2];
            // Packing may depend on the input's shape; 64 boards stand for all.
            let shape = [64, conv.inputs as i64, self.board[0], self.board[1]];
            let opaque = plain[0].f_to_mkldnn(None).ok()?;
            packed.push(
                opaque.f_mkldnn_reorder_conv2d_weight(padding, [1, 1], [1, 1], 1, Some(&shape[..])).ok()?,
            );
            packed.push(plain[1].shallow_clone());
        }
        let steps = self.segments.iter().map(|segment| &segment.steps[..]);
        Some((script::module(steps)?, packed))
    }
}

fn values_per_row(size: &[i64], channels: usize) -> usize {
    (size[1] * size[2]) as usize * channels
}

fn plain_weights(conv: &Convolution, kind: Kind, device: Device) -> [Tensor; 2] {
    let (kernel, outputs, inputs) = (conv.kernel as i64, conv.outputs as i64, conv.inputs as i64);
    let weight = Tensor::from_slice(&conv.weight).view([outputs, inputs, kernel, kernel]);
    [weight, Tensor::from_slice(&conv.bias)].map(|tensor| tensor.to_device(device).to_kind(kind))
}

fn torch_pool(dense: &Dense, kind: Kind, device: Device) -> Pool {
    let outputs = dense.bias.len() as i64;
    let weight = Tensor::from_slice(&dense.weight).view([-1, outputs]).tr().to_device(device).to_kind(kind);
    Pool::Torch { weight, bias: Tensor::from_slice(&dense.bias).to_device(device).to_kind(kind) }
}

/// `[rows, channels, ranks, files]` as `[rows, ranks, files, channels]`, copied only if its memory has another order.
fn channels_last(tensor: &Tensor) -> Result<Tensor, NetworkError> {
    Ok(tensor.f_permute([0, 2, 3, 1])?.f_contiguous()?)
}

fn squares(channels_last: &Tensor) -> usize {
    let size = channels_last.size();
    (size[1] * size[2]) as usize
}

/// Adds to each board of `x` what the dense layer makes of the mean and the maximum of each channel of `y`.
fn pool_in_place<T: Scalar>(x: &mut [T], y: &mut [T], squares: usize, dense: &Dense) {
    let channels = dense.bias.len();
    let mut pooled = vec![0f32; 2 * channels];
    let mut bias = vec![0f32; channels];
    for (x, y) in x.chunks_exact_mut(squares * channels).zip(y.chunks_exact(squares * channels)) {
        let (mean, max) = pooled.split_at_mut(channels);
        mean.fill(0.0);
        // What is pooled comes out of a ReLU.
        max.fill(0.0);
        for square in y.chunks_exact(channels) {
            for ((sum, most), &value) in mean.iter_mut().zip(max.iter_mut()).zip(square) {
                let value = value.widen();
                *sum += value;
                *most = if value > *most { value } else { *most };
            }
        }
        mean.iter_mut().for_each(|sum| *sum /= squares as f32);
        dense.apply(&pooled, &mut bias);
        for square in x.chunks_exact_mut(channels) {
            for (value, &add) in square.iter_mut().zip(&bias) {
                *value = T::narrow(value.widen() + add);
            }
        }
    }
}
