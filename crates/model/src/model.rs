//! Structure of a network. Files, training, inference and growth use this one definition.

use crate::sparse::features::{TABLES, features, table_rows};
use crate::spec::{Init, Role, Spec};
use crate::{Architecture, FUTURE_PLIES, SparseSizes, TowerSizes};
use catapult_encoding::Layout;

/// Parts of a network with their parameters. The type `P` of a parameter is its [`Spec`], its
/// values or a tensor.
pub enum Model<P> {
    /// Parts of a tower and its heads.
    Tower(TowerModel<P>),
    /// Parts of a sparse network.
    Sparse(SparseModel<P>),
}

/// Parts of a residual convolutional tower and its heads.
pub struct TowerModel<P> {
    /// Sizes of the layers.
    pub sizes: TowerSizes,
    /// Input layer, for planes and global inputs.
    pub input: Input<P>,
    /// Residual blocks of the tower, in the order of computation.
    pub blocks: Vec<ResidualBlock<P>>,
    /// Dense layer, applied to each square, from the tower's channels to policy features, keys and
    /// value features, in this order.
    pub features: Linear<P>,
    /// Dense layer, applied to each square, from the tower's channels to the query of the policy
    /// head.
    pub query: Linear<P>,
    /// Weights of the policy head.
    pub policy: Policy<P>,
    /// Hidden layer of the value head. Its input is the mean and the maximum of the value features
    /// over squares.
    pub hidden: Linear<P>,
    /// Output layer of the value head: win, draw, loss, moves left.
    pub output: Linear<P>,
    /// Dense layer, applied to each square, from the tower's channels to the future occupancy. It
    /// has one output per horizon ([`FUTURE_PLIES`]) and plane. Only training uses it.
    pub future: Linear<P>,
}

/// Input layer: `relu(norm(convolution(planes) + globals))`.
pub struct Input<P> {
    /// Weights of the 3x3 convolution.
    pub convolution: P,
    /// Weights of the dense layer from the global inputs to the channels.
    pub globals: P,
    /// Batch normalisation after the sum.
    pub norm: Norm<P>,
}

/// Residual block: `relu(x + second_norm(second(y)) + pool(mean(y), max(y)))` with `y =
/// relu(first_norm(first(x)))`. Mean and maximum are over squares.
pub struct ResidualBlock<P> {
    /// Weights of the first 3x3 convolution.
    pub first: P,
    /// Batch normalisation after `first`.
    pub first_norm: Norm<P>,
    /// Weights of the second 3x3 convolution.
    pub second: P,
    /// Batch normalisation after `second`.
    pub second_norm: Norm<P>,
    /// Dense layer of the global pooling. `None` if the block has no pooling.
    pub pool: Option<Linear<P>>,
}

/// Batch normalisation: `weight * (x - mean) / sqrt(variance + epsilon) + bias`. Each parameter has
/// one value per channel.
pub struct Norm<P> {
    /// Trained scale of the normalised channel.
    pub weight: P,
    /// Trained shift of the normalised channel.
    pub bias: P,
    /// Running mean of the channel over training batches.
    pub mean: P,
    /// Running variance of the channel over training batches.
    pub variance: P,
}

/// Dense layer: `weight * x + bias`.
pub struct Linear<P> {
    /// Weights in the shape (outputs, inputs).
    pub weight: P,
    /// Bias, one value per output.
    pub bias: P,
}

/// Weights of the policy head. Each policy plane has weights for the features of a move's origin
/// and for those of its destination.
pub struct Policy<P> {
    /// Weights for the features of a move's origin, in the shape (planes, features).
    pub from: P,
    /// Weights for the features of a move's destination, in the shape (planes, features).
    pub to: P,
    /// Bias, one value per policy plane.
    pub bias: P,
}

/// Parts of a sparse network. Its hidden layer is `clamp(sum of bits + globals + bias, 0, 1)²`.
pub struct SparseModel<P> {
    /// Sizes of the layers.
    pub sizes: SparseSizes,
    /// Weights of each set bit, in the shape (features, width). The indices come from
    /// [`Features::set`](crate::Features::set).
    pub bits: P,
    /// Weights of the dense layer from the global inputs to the hidden layer, which also has the
    /// bias of the hidden layer.
    pub globals: Linear<P>,
    /// Dense layer from the hidden layer to the query of the policy.
    pub query: Linear<P>,
    /// Tables of the policy. The logit of a move is `4 / √size` times the dot product of the query
    /// and the sum of the move's vectors, plus the sum of its biases.
    pub tables: [Table<P>; TABLES],
    /// First and second hidden layer of the value head, with ReLU.
    pub hidden: [Linear<P>; 2],
    /// Output layer of the value head: win, draw, loss, moves left.
    pub output: Linear<P>,
}

/// Table of the policy with one vector and one bias per row.
pub struct Table<P> {
    /// Vectors in the shape (rows, policy size).
    pub vectors: P,
    /// Biases, one per row.
    pub bias: P,
}

impl<P> Model<P> {
    /// Builds the model of a network with these sizes. Calls `make` with the spec of each
    /// parameter, in the order of storage.
    pub fn new(architecture: &Architecture, layout: &Layout, make: impl FnMut(Spec) -> P) -> Model<P> {
        match architecture {
            Architecture::Tower(sizes) => Model::Tower(TowerModel::new(sizes, layout, make)),
            Architecture::Sparse(sizes) => Model::Sparse(SparseModel::new(sizes, layout, make)),
        }
    }
}

impl<P> SparseModel<P> {
    fn new(sizes: &SparseSizes, layout: &Layout, make: impl FnMut(Spec) -> P) -> SparseModel<P> {
        let &SparseSizes { width, policy_size, value_hidden } = sizes;
        let mut next = Builder { offset: 0, make };
        // About a hundred bits are set, and their sum has to reach the range of the clamp.
        let (bits, vectors) = (Init::Normal(0.07), Init::Normal(0.1));
        // As in a tower, the policy's query and the value's output start at zero.
        SparseModel {
            sizes: sizes.clone(),
            bits: next.rows("bits", width, features(layout), bits),
            globals: next.linear("globals", layout.globals, width, bits),
            query: next.linear("query", width, policy_size, Init::Zeros),
            tables: table_rows(layout).map(|(name, rows)| Table {
                vectors: next.rows(&format!("policy.{name}"), policy_size, rows, vectors),
                bias: next.bias(&format!("policy.{name}"), rows),
            }),
            hidden: [
                next.linear("value.hidden1", width, value_hidden, he(width)),
                next.linear("value.hidden2", value_hidden, value_hidden, he(value_hidden)),
            ],
            output: next.linear("value.output", value_hidden, 4, Init::Zeros),
        }
    }
}

impl<P> TowerModel<P> {
    pub(crate) fn new(sizes: &TowerSizes, layout: &Layout, make: impl FnMut(Spec) -> P) -> TowerModel<P> {
        let &TowerSizes {
            channels, policy_channels, attention_channels, value_channels, value_hidden, ..
        } = sizes;
        let mut next = Builder { offset: 0, make };
        // Struct fields are evaluated in the order written, which is the storage order.
        TowerModel {
            sizes: sizes.clone(),
            input: Input {
                convolution: next.convolution("input.conv", layout.planes, channels),
                globals: next.weight("input.globals", layout.globals, channels, he(layout.globals)),
                norm: next.norm("input.norm", channels),
            },
            blocks: (0..sizes.blocks)
                .map(|block| ResidualBlock {
                    first: next.convolution(&format!("block.{block}.conv1"), channels, channels),
                    first_norm: next.norm(&format!("block.{block}.norm1"), channels),
                    second: next.convolution(&format!("block.{block}.conv2"), channels, channels),
                    second_norm: next.norm(&format!("block.{block}.norm2"), channels),
                    pool: sizes.is_pooled(block).then(|| {
                        next.linear(&format!("block.{block}.pool"), 2 * channels, channels, Init::Zeros)
                    }),
                })
                .collect(),
            // The last layer of each head starts at zero (in the attention term, the query). An
            // untrained network therefore has a uniform policy and equal probabilities of win, draw
            // and loss.
            features: next.linear(
                "head.features",
                channels,
                policy_channels + attention_channels + value_channels,
                he(channels),
            ),
            query: next.linear("head.query", channels, attention_channels, Init::Zeros),
            policy: Policy {
                from: next.weight("policy.from", policy_channels, layout.policy_planes, Init::Zeros),
                to: next.weight("policy.to", policy_channels, layout.policy_planes, Init::Zeros),
                bias: next.bias("policy", layout.policy_planes),
            },
            hidden: next.linear("value.hidden", 2 * value_channels, value_hidden, he(2 * value_channels)),
            output: next.linear("value.output", value_hidden, 4, Init::Zeros),
            future: next.linear("future", channels, FUTURE_PLIES.len() * layout.future_planes, Init::Zeros),
        }
    }
}

/// Returns the He initialisation of a layer with `inputs` inputs that is followed by a ReLU.
fn he(inputs: usize) -> Init {
    Init::Normal((2.0 / inputs.max(1) as f32).sqrt())
}

/// Builder of parameters that are stored one after the other. `offset` is the index of the next
/// value.
struct Builder<F> {
    offset: usize,
    make: F,
}

impl<P, F: FnMut(Spec) -> P> Builder<F> {
    fn parameter(&mut self, name: String, shape: &[usize], role: Role, init: Init) -> P {
        let bytes = false;
        self.add(Spec { name, shape: shape.to_vec(), offset: self.offset, role, init, bytes })
    }

    fn add(&mut self, spec: Spec) -> P {
        self.offset = spec.range().end;
        (self.make)(spec)
    }

    /// Adds 8-bit weights. An evaluation sums some of their rows.
    fn rows(&mut self, name: &str, size: usize, rows: usize, init: Init) -> P {
        let (name, shape, offset) = (format!("{name}.weight"), vec![rows, size], self.offset);
        self.add(Spec { name, shape, offset, role: Role::Weight, init, bytes: true })
    }

    fn convolution(&mut self, name: &str, inputs: usize, outputs: usize) -> P {
        let shape = [outputs, inputs, 3, 3];
        self.parameter(format!("{name}.weight"), &shape, Role::Weight, he(9 * inputs))
    }

    fn weight(&mut self, name: &str, inputs: usize, outputs: usize, init: Init) -> P {
        self.parameter(format!("{name}.weight"), &[outputs, inputs], Role::Weight, init)
    }

    fn bias(&mut self, name: &str, outputs: usize) -> P {
        self.parameter(format!("{name}.bias"), &[outputs], Role::Bias, Init::Zeros)
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize, init: Init) -> Linear<P> {
        Linear { weight: self.weight(name, inputs, outputs, init), bias: self.bias(name, outputs) }
    }

    fn norm(&mut self, name: &str, channels: usize) -> Norm<P> {
        Norm {
            weight: self.parameter(format!("{name}.weight"), &[channels], Role::Bias, Init::Ones),
            bias: self.bias(name, channels),
            mean: self.parameter(format!("{name}.mean"), &[channels], Role::Statistic, Init::Zeros),
            variance: self.parameter(format!("{name}.variance"), &[channels], Role::Statistic, Init::Ones),
        }
    }
}
