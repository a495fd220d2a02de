//! Network as a training graph, with gradients and batch statistics. Its outputs equal the outputs
//! of the folded tower and the heads, which evaluate leaves.

use crate::torch::memory::bf16_tensor;
use crate::{Architecture, NetworkError, TrainingBatch};
use catapult_encoding::Layout;
use catapult_model::{BATCH_NORM_EPSILON, Linear, Model, Norm, Role, Spec};
use tch::{Device, Kind, Tensor};

/// Network for one forward pass, with its parameters as tensors.
pub(crate) struct Graph<'a> {
    architecture: &'a Architecture,
    model: Model<Tensor>,
    /// Parameters of `model` in the order in which network files store them.
    stored: Vec<(Spec, Tensor)>,
    /// Means and variances that batch normalisation writes in training, as a flat tensor in storage
    /// order.
    statistics: Tensor,
    /// Number format of the tower and of those layers of the heads that apply to each square. All
    /// other layers are computed in `f32`.
    kind: Kind,
    training: bool,
    device: Device,
}

/// Outputs of a network's heads for a batch of training samples.
pub(crate) struct Outputs {
    /// Logits of all legal moves, one sample after the other: `[moves]`.
    pub moves: Tensor,
    /// Logits of win, draw and loss, and then the output for the plies left: `[rows, 4]`.
    pub value: Tensor,
    /// Logits of the future occupancy: `[rows, squares, 2 * future_planes]`.
    pub future: Tensor,
}

impl<'a> Graph<'a> {
    /// Creates the network from its parameters, a flat tensor in storage order, without a copy.
    /// With `training`, the parameters get gradients, and batch normalisation uses the statistics
    /// of the batch.
    pub(super) fn new(
        architecture: &'a Architecture,
        layout: &Layout,
        values: &Tensor,
        kind: Kind,
        training: bool,
    ) -> Graph<'a> {
        let statistics = if training { values.zeros_like() } else { values.shallow_clone() };
        let mut stored = Vec::new();
        let model = Model::new(architecture, layout, |spec| {
            let of = if spec.role == Role::Statistic { &statistics } else { values };
            let shape: Vec<i64> = spec.shape.iter().map(|&size| size as i64).collect();
            let tensor = of.narrow(0, spec.offset as i64, spec.len() as i64).view(&shape[..]);
            let tensor = tensor.detach().set_requires_grad(training && spec.role != Role::Statistic);
            stored.push((spec, tensor.shallow_clone()));
            tensor
        });
        Graph { architecture, model, stored, statistics, kind, training, device: values.device() }
    }

    /// Returns the gradient of a loss and the batch statistics of the forward pass. Both are flat
    /// tensors in storage order. The gradient is 0 at statistics. The statistics are 0 at all other
    /// parameters.
    pub(super) fn gradient(&self, loss: &Tensor) -> Result<(Tensor, Tensor), NetworkError> {
        let trained = |spec: &Spec| spec.role != Role::Statistic && !spec.is_empty();
        let leaves: Vec<&Tensor> =
            self.stored.iter().filter(|(spec, _)| trained(spec)).map(|(_, tensor)| tensor).collect();
        let mut gradients = Tensor::f_run_backward(&[loss], &leaves, false, false)?.into_iter();
        let mut flat = Vec::new();
        for (spec, _) in &self.stored {
            let found = if trained(spec) { gradients.next() } else { None };
            flat.push(match found {
                Some(gradient) => gradient.f_reshape([-1])?,
                None => Tensor::f_zeros([spec.len() as i64], (Kind::Float, self.device))?,
            });
        }
        Ok((Tensor::f_cat(&flat, 0)?, self.statistics.shallow_clone()))
    }

    fn batch_norm(&self, x: &Tensor, norm: &Norm<Tensor>) -> Tensor {
        x.batch_norm(
            Some(&norm.weight),
            Some(&norm.bias),
            Some(&norm.mean),
            Some(&norm.variance),
            self.training,
            // The running statistics become those of this batch. The learner averages them.
            1.0,
            BATCH_NORM_EPSILON,
            true,
        )
    }

    fn convolve(&self, x: &Tensor, weight: &Tensor) -> Tensor {
        x.conv2d(&weight.to_kind(self.kind), None::<&Tensor>, [1, 1], [1, 1], [1, 1], 1)
    }

    /// Computes the residual blocks. The output is `[rows, squares, channels]`.
    fn tower(&self, batch: &TrainingBatch) -> Tensor {
        let (layout, input) = (batch.layout(), &self.model.input);
        let rows = batch.rows() as i64;
        let size = [rows, layout.ranks as i64, layout.files as i64, layout.planes as i64];
        let planes = bf16_tensor(&batch.planes).view(size).to_device(self.device).to_kind(self.kind);
        let globals =
            Tensor::from_slice(&batch.globals).view([rows, layout.globals as i64]).to_device(self.device);
        let per_channel = |x: Tensor| x.to_kind(self.kind).unsqueeze(-1).unsqueeze(-1);

        // Channels last, also in the backward pass: oneDNN's own order, so nothing is copied.
        let by_squares = |x: &Tensor| x.permute([0, 2, 3, 1]).flatten(1, 2);
        let mut x = self.convolve(&planes.permute([0, 3, 1, 2]), &input.convolution);
        let x = x.g_add_(&per_channel(globals.matmul(&input.globals.tr())));
        let mut x = self.batch_norm(&x, &input.norm).relu_();
        for block in &self.model.blocks {
            let y = self.batch_norm(&self.convolve(&x, &block.first), &block.first_norm).relu_();
            let mut residual = self.batch_norm(&self.convolve(&y, &block.second), &block.second_norm);
            let mut sum = residual.g_add_(&x);
            if let Some(pool) = &block.pool {
                let squares = by_squares(&y);
                let pooled = Tensor::cat(
                    &[squares.mean_dim(&[1i64][..], false, None), squares.amax([1i64], false)],
                    1,
                );
                let pooled = pooled.to_kind(Kind::Float).linear(&pool.weight, Some(&pool.bias));
                sum = sum.g_add_(&per_channel(pooled));
            }
            x = sum.relu_();
        }
        by_squares(&x)
    }

    /// Applies a dense layer in the tower's number format. Returns the output as `f32`.
    fn dense(&self, x: &Tensor, layer: &Linear<Tensor>) -> Tensor {
        let (weight, bias) = (layer.weight.to_kind(self.kind), layer.bias.to_kind(self.kind));
        x.linear(&weight, Some(&bias)).to_kind(Kind::Float)
    }

    /// Runs the network on a batch and returns the outputs of its heads.
    pub(super) fn forward(&self, batch: &TrainingBatch) -> Result<Outputs, NetworkError> {
        let squares = batch.layout().squares() as i64;
        let tower = self.tower(batch);
        let split = [
            self.architecture.policy_channels as i64,
            self.architecture.attention_channels as i64,
            self.architecture.value_channels as i64,
        ];
        let features = self.dense(&tower, &self.model.features).f_split_with_sizes(split, 2)?;
        let [policy, keys, values] = &features[..] else { unreachable!("it is split into three") };
        let queries = self.dense(&tower, &self.model.query);

        let rows = batch.move_counts.iter().enumerate();
        let row_of_move = rows.flat_map(|(row, &count)| std::iter::repeat_n(row as i64 * squares, count));
        let mut indices = [Vec::new(), Vec::new(), Vec::new()];
        for (index, row) in batch.moves.iter().zip(row_of_move) {
            indices[0].push(row + i64::from(index.square));
            indices[1].push(row + i64::from(index.to));
            indices[2].push(i64::from(index.plane));
        }
        let [from, to, plane] = indices.map(|indices| Tensor::from_slice(&indices).to_device(self.device));
        let at = |features: &Tensor, index: &Tensor| {
            features.reshape([-1, *features.size().last().unwrap_or(&1)]).index_select(0, index)
        };
        let dot = |a: Tensor, b: Tensor| (a * b).sum_dim_intlist(&[1i64][..], false, None);
        let policy = policy.relu();
        let attention =
            dot(at(&queries, &from), at(keys, &to)) / (self.architecture.attention_channels as f64).sqrt();
        let planes = &self.model.policy;
        let moves = dot(at(&policy, &from), at(&planes.from, &plane))
            + dot(at(&policy, &to), at(&planes.to, &plane))
            + attention
            + planes.bias.index_select(0, &plane);

        let values = values.relu();
        let pooled = Tensor::cat(&[values.mean_dim(&[1i64][..], false, None), values.amax([1i64], false)], 1);
        let dense = |x: &Tensor, layer: &Linear<Tensor>| x.linear(&layer.weight, Some(&layer.bias));
        let value = dense(&dense(&pooled, &self.model.hidden).relu(), &self.model.output);
        Ok(Outputs { moves, value, future: self.dense(&tower, &self.model.future) })
    }
}
