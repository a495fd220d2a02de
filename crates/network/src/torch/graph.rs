//! Network as a training graph, with gradients and batch statistics. Its outputs equal the outputs
//! of the folded tower and the heads, which evaluate leaves.

use crate::torch::memory::bf16_tensor;
use crate::{Architecture, NetworkError, TrainingBatch};
use catapult_encoding::Layout;
use catapult_model::{
    BATCH_NORM_EPSILON, Features, Linear, Model, Norm, Role, SparseModel, Spec, TowerModel,
};
use tch::{Device, Kind, Tensor};

/// Network for one forward pass, with its parameters as tensors.
pub(crate) struct Graph {
    model: Model<Tensor>,
    /// Parameters of `model` in the order in which network files store them.
    stored: Vec<(Spec, Tensor)>,
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
    /// Logits of the future occupancy: `[rows, squares, 2 * future_planes]`. A sparse network has
    /// none.
    pub future: Option<Tensor>,
}

impl Graph {
    /// Creates the network. Its parameters share the memory of `values`, a flat tensor in storage
    /// order. With `training`, weights and biases get gradients. Batch normalisation then uses the
    /// statistics of the batch and writes them to separate tensors.
    pub(super) fn new(
        architecture: &Architecture,
        layout: &Layout,
        values: &Tensor,
        kind: Kind,
        training: bool,
    ) -> Graph {
        let mut stored = Vec::new();
        let model = Model::new(architecture, layout, |spec| {
            let shape: Vec<i64> = spec.shape.iter().map(|&size| size as i64).collect();
            let tensor = values.narrow(0, spec.offset as i64, spec.len() as i64).view(&shape[..]).detach();
            let tensor = match (training, spec.role) {
                (false, _) => tensor,
                (true, Role::Statistic) => tensor.zeros_like(),
                (true, Role::Weight | Role::Bias) => tensor.set_requires_grad(true),
            };
            stored.push((spec, tensor.shallow_clone()));
            tensor
        });
        Graph { model, stored, kind, training, device: values.device() }
    }

    /// Returns one flat tensor per parameter, in storage order: the gradient of a loss, or the batch
    /// statistic of the forward pass.
    pub(super) fn updates(&self, loss: &Tensor) -> Result<Vec<Tensor>, NetworkError> {
        let trained = |spec: &Spec| spec.role != Role::Statistic && !spec.is_empty();
        let leaves: Vec<&Tensor> =
            self.stored.iter().filter(|(spec, _)| trained(spec)).map(|(_, tensor)| tensor).collect();
        let mut gradients = Tensor::f_run_backward(&[loss], &leaves, false, false)?.into_iter();
        let updates = self.stored.iter().map(|(spec, tensor)| {
            let gradient = if trained(spec) { gradients.next() } else { None };
            Ok(gradient.unwrap_or_else(|| tensor.detach()).f_reshape([-1])?)
        });
        updates.collect()
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

    fn globals(&self, batch: &TrainingBatch) -> Tensor {
        let size = [batch.rows() as i64, batch.layout().globals as i64];
        Tensor::from_slice(&batch.globals).view(size).to_device(self.device)
    }

    /// Computes the residual blocks. The output is `[rows, squares, channels]`.
    fn tower(&self, model: &TowerModel<Tensor>, batch: &TrainingBatch) -> Tensor {
        let (layout, input) = (batch.layout(), &model.input);
        let rows = batch.rows() as i64;
        let size = [rows, layout.ranks as i64, layout.files as i64, layout.planes as i64];
        let planes = bf16_tensor(&batch.planes).view(size).to_device(self.device).to_kind(self.kind);
        let globals = self.globals(batch);
        let per_channel = |x: Tensor| x.to_kind(self.kind).unsqueeze(-1).unsqueeze(-1);

        // Channels last, also in the backward pass: oneDNN's own order, so nothing is copied.
        let by_squares = |x: &Tensor| x.permute([0, 2, 3, 1]).flatten(1, 2);
        let mut x = self.convolve(&planes.permute([0, 3, 1, 2]), &input.convolution);
        let x = x.g_add_(&per_channel(globals.matmul(&input.globals.tr())));
        let mut x = self.batch_norm(&x, &input.norm).relu_();
        for block in &model.blocks {
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
        match &self.model {
            Model::Tower(model) => self.forward_tower(model, batch),
            Model::Sparse(model) => self.forward_sparse(model, batch),
        }
    }

    fn forward_tower(
        &self,
        model: &TowerModel<Tensor>,
        batch: &TrainingBatch,
    ) -> Result<Outputs, NetworkError> {
        let (sizes, squares) = (&model.sizes, batch.layout().squares() as i64);
        let tower = self.tower(model, batch);
        let split = [sizes.policy_channels, sizes.attention_channels, sizes.value_channels];
        let split = split.map(|size| size as i64);
        let features = self.dense(&tower, &model.features).f_split_with_sizes(split, 2)?;
        let [policy, keys, values] = &features[..] else { unreachable!("it is split into three") };
        let queries = self.dense(&tower, &model.query);

        let mut indices = [Vec::new(), Vec::new(), Vec::new()];
        for (index, row) in batch.moves.iter().zip(rows_of_moves(batch)) {
            indices[0].push(row * squares + i64::from(index.square));
            indices[1].push(row * squares + i64::from(index.to));
            indices[2].push(i64::from(index.plane));
        }
        let [from, to, plane] = indices.map(|indices| self.indices(&indices));
        let at = |features: &Tensor, index: &Tensor| {
            features.reshape([-1, *features.size().last().unwrap_or(&1)]).index_select(0, index)
        };
        let policy = policy.relu();
        let attention = dot(at(&queries, &from), at(keys, &to)) / (sizes.attention_channels as f64).sqrt();
        let planes = &model.policy;
        let moves = dot(at(&policy, &from), at(&planes.from, &plane))
            + dot(at(&policy, &to), at(&planes.to, &plane))
            + attention
            + planes.bias.index_select(0, &plane);

        let values = values.relu();
        let pooled = Tensor::cat(&[values.mean_dim(&[1i64][..], false, None), values.amax([1i64], false)], 1);
        let value = linear(&linear(&pooled, &model.hidden).relu(), &model.output);
        Ok(Outputs { moves, value, future: Some(self.dense(&tower, &model.future)) })
    }

    fn forward_sparse(
        &self,
        model: &SparseModel<Tensor>,
        batch: &TrainingBatch,
    ) -> Result<Outputs, NetworkError> {
        let layout = batch.layout();
        let mut features = Features::new(*layout);
        let (mut set, mut first) = (Vec::new(), Vec::new());
        let mut rows = model.tables.each_ref().map(|_| Vec::new());
        let mut moves = &batch.moves[..];
        let planes = batch.planes.chunks_exact(layout.squares() * layout.planes);
        for (planes, &count) in planes.zip(&batch.move_counts) {
            features.read(planes);
            first.push(set.len() as i64);
            set.extend(features.set().iter().map(|&feature| i64::from(feature)));
            let here;
            (here, moves) = moves.split_at(count);
            for index in here {
                let found = features.rows(index);
                rows.iter_mut().zip(found).for_each(|(rows, row)| rows.push(row as i64));
            }
        }
        let (set, first) = (self.indices(&set), self.indices(&first));
        let bits =
            Tensor::f_embedding_bag(&model.bits, &set, &first, false, 0, false, None::<Tensor>, false)?.0;
        let hidden = (bits + linear(&self.globals(batch), &model.globals)).clamp(0.0, 1.0).square();

        let rows = rows.map(|rows| self.indices(&rows));
        let of = |get: fn(&catapult_model::Table<Tensor>) -> &Tensor| {
            model
                .tables
                .iter()
                .zip(&rows)
                .map(|(table, rows)| get(table).index_select(0, rows))
                .sum::<Tensor>()
        };
        let row_of_move: Vec<i64> = rows_of_moves(batch).collect();
        let queries = linear(&hidden, &model.query).index_select(0, &self.indices(&row_of_move));
        let scale = 4.0 / (model.sizes.policy_size as f64).sqrt();
        let moves = dot(queries, of(|table| &table.vectors)) * scale + of(|table| &table.bias);

        let [first, second] = &model.hidden;
        let value = linear(&linear(&linear(&hidden, first).relu(), second).relu(), &model.output);
        Ok(Outputs { moves, value, future: None })
    }

    fn indices(&self, indices: &[i64]) -> Tensor {
        Tensor::from_slice(indices).to_device(self.device)
    }
}

/// Returns the row of each move's sample.
fn rows_of_moves(batch: &TrainingBatch) -> impl Iterator<Item = i64> {
    let rows = batch.move_counts.iter().enumerate();
    rows.flat_map(|(row, &count)| std::iter::repeat_n(row as i64, count))
}

fn dot(a: Tensor, b: Tensor) -> Tensor {
    (a * b).sum_dim_intlist(&[1i64][..], false, None)
}

fn linear(x: &Tensor, layer: &Linear<Tensor>) -> Tensor {
    x.linear(&layer.weight, Some(&layer.bias))
}
