//! The training graph: the same network as the folded tower and the heads, with gradients and batch statistics.

use crate::memory::bf16_tensor;
use crate::parameters::{Parameters, Role};
use crate::{Architecture, BATCH_NORM_EPSILON, NetworkError, TrainingBatch};
use std::collections::HashMap;
use tch::{Device, Kind, Tensor};

/// Weight of the newest batch in the running mean and variance.
const STATISTICS_MOMENTUM: f64 = 0.1;

/// Parameters as tensors for one step.
pub(crate) struct Graph<'a> {
    architecture: &'a Architecture,
    tensors: HashMap<&'a str, Tensor>,
    /// The tower's number format; heads and losses are computed in `f32`.
    kind: Kind,
    training: bool,
    device: Device,
}

/// What the heads say.
pub(crate) struct Outputs {
    /// Logits of all legal moves, row after row.
    pub moves: Tensor,
    /// `[rows, 4]`: win, draw, loss, moves left.
    pub value: Tensor,
    /// `[rows, squares, 2 * future_planes]`: logits.
    pub future: Tensor,
}

impl<'a> Graph<'a> {
    /// Trained parameters get gradients where `training` is set, and batch normalisation then uses and updates the
    /// statistics of the batch.
    pub fn new(
        architecture: &'a Architecture,
        parameters: &'a Parameters,
        kind: Kind,
        training: bool,
        device: Device,
    ) -> Graph<'a> {
        let tensors = parameters.specs().iter().map(|spec| {
            let shape: Vec<i64> = spec.shape.iter().map(|&size| size as i64).collect();
            let tensor =
                Tensor::from_slice(&parameters.values[spec.range()]).view(&shape[..]).to_device(device);
            let tensor = tensor.set_requires_grad(training && spec.role != Role::Statistic);
            (spec.name.as_str(), tensor)
        });
        Graph { architecture, tensors: tensors.collect(), kind, training, device }
    }

    /// A parameter of this network.
    pub fn get(&self, name: &str) -> &Tensor {
        &self.tensors[name]
    }

    fn cast(&self, name: &str) -> Tensor {
        self.get(name).to_kind(self.kind)
    }

    fn batch_norm(&self, x: &Tensor, name: &str) -> Tensor {
        let get = |part| Some(self.get(&format!("{name}.{part}")));
        x.batch_norm(
            get("weight"),
            get("bias"),
            get("mean"),
            get("variance"),
            self.training,
            STATISTICS_MOMENTUM,
            BATCH_NORM_EPSILON,
            true,
        )
    }

    fn convolve(&self, x: &Tensor, name: &str) -> Tensor {
        x.conv2d(&self.cast(name), None::<&Tensor>, [1, 1], [1, 1], [1, 1], 1)
    }

    /// The tower: `[rows, squares, channels]`.
    fn tower(&self, batch: &TrainingBatch) -> Tensor {
        let layout = batch.layout();
        let rows = batch.rows() as i64;
        let size = [rows, layout.ranks as i64, layout.files as i64, layout.planes as i64];
        let planes = bf16_tensor(&batch.planes).view(size).to_device(self.device).to_kind(self.kind);
        let globals =
            Tensor::from_slice(&batch.globals).view([rows, layout.globals as i64]).to_device(self.device);
        let per_channel = |x: Tensor| x.to_kind(self.kind).unsqueeze(-1).unsqueeze(-1);

        let x = self.convolve(&planes.permute([0, 3, 1, 2]), "input.conv.weight");
        let x = x + per_channel(globals.matmul(&self.get("input.globals.weight").tr()));
        let mut x = self.batch_norm(&x, "input.norm").relu();
        for block in 0..self.architecture.blocks {
            let name = |part: &str| format!("block.{block}.{part}");
            let y = self.batch_norm(&self.convolve(&x, &name("conv1.weight")), &name("norm1")).relu();
            let residual = self.batch_norm(&self.convolve(&y, &name("conv2.weight")), &name("norm2"));
            x = &x + residual;
            if self.architecture.is_pooled(block) {
                let pooled =
                    Tensor::cat(&[y.mean_dim(&[2i64, 3][..], false, None), y.amax([2i64, 3], false)], 1);
                let (weight, bias) = (self.get(&name("pool.weight")), self.get(&name("pool.bias")));
                x = &x + per_channel(pooled.to_kind(Kind::Float).linear(weight, Some(bias)));
            }
            x = x.relu();
        }
        x.permute([0, 2, 3, 1]).reshape([rows, layout.squares() as i64, self.architecture.channels as i64])
    }

    /// A dense layer in the tower's number format, its output in `f32`.
    fn dense(&self, x: &Tensor, name: &str) -> Tensor {
        let (weight, bias) = (self.cast(&format!("{name}.weight")), self.cast(&format!("{name}.bias")));
        x.linear(&weight, Some(&bias)).to_kind(Kind::Float)
    }

    /// Runs the network on a batch.
    pub fn forward(&self, batch: &TrainingBatch) -> Result<Outputs, NetworkError> {
        let squares = batch.layout().squares() as i64;
        let tower = self.tower(batch);
        let split = [
            self.architecture.policy_channels as i64,
            self.architecture.attention_channels as i64,
            self.architecture.value_channels as i64,
        ];
        let features = self.dense(&tower, "head.features").f_split_with_sizes(split, 2)?;
        let [policy, keys, values] = &features[..] else { unreachable!("it is split into three") };
        let queries = self.dense(&tower, "head.query");

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
        let moves = dot(at(&policy, &from), at(self.get("policy.from.weight"), &plane))
            + dot(at(&policy, &to), at(self.get("policy.to.weight"), &plane))
            + attention
            + self.get("policy.bias").index_select(0, &plane);

        let values = values.relu();
        let pooled = Tensor::cat(&[values.mean_dim(&[1i64][..], false, None), values.amax([1i64], false)], 1);
        let dense = |x: &Tensor, name: &str| {
            x.linear(self.get(&format!("{name}.weight")), Some(self.get(&format!("{name}.bias"))))
        };
        let value = dense(&dense(&pooled, "value.hidden").relu(), "value.output");
        Ok(Outputs { moves, value, future: self.dense(&tower, "future") })
    }
}
