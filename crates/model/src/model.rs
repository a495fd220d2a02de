//! The parts of a network and what each is made of, written once: files, training, inference and growth read it here.

use crate::spec::{Init, Role, Spec};
use crate::{Architecture, FUTURE_PLIES};
use catapult_encoding::Layout;

/// A network part by part. `P` is what a parameter is: its [`Spec`], its values, a tensor.
pub struct Model<P> {
    /// From planes and global inputs to the tower.
    pub input: Input<P>,
    /// The tower.
    pub blocks: Vec<ResidualBlock<P>>,
    /// Each square's features for the policy, its keys, and its features for the value, in this order.
    pub features: Linear<P>,
    /// Each square's queries.
    pub query: Linear<P>,
    /// The policy head.
    pub policy: Policy<P>,
    /// The value head's hidden layer: reads the mean and the maximum of its features.
    pub hidden: Linear<P>,
    /// Its output. Rows: win, draw, loss, moves left.
    pub output: Linear<P>,
    /// What will stand on each square, one output a number of plies ([`FUTURE_PLIES`]) and plane. Only trained with.
    pub future: Linear<P>,
}

/// `relu(norm(convolution(planes) + globals))`
pub struct Input<P> {
    /// 3x3.
    pub convolution: P,
    /// What each global input adds to each channel.
    pub globals: P,
    /// Batch normalisation.
    pub norm: Norm<P>,
}

/// `relu(x + second_norm(second(y)) + pool(mean(y), max(y)))` with `y = relu(first_norm(first(x)))`
pub struct ResidualBlock<P> {
    /// 3x3.
    pub first: P,
    /// Its batch normalisation.
    pub first_norm: Norm<P>,
    /// 3x3.
    pub second: P,
    /// Its batch normalisation.
    pub second_norm: Norm<P>,
    /// Global pooling, if the block has it.
    pub pool: Option<Linear<P>>,
}

/// Batch normalisation, each of one value a channel.
pub struct Norm<P> {
    /// The factor.
    pub weight: P,
    /// What is added.
    pub bias: P,
    /// Running mean.
    pub mean: P,
    /// Running variance.
    pub variance: P,
}

/// A dense layer.
pub struct Linear<P> {
    /// Out, in.
    pub weight: P,
    /// One an output.
    pub bias: P,
}

/// What a move's plane makes of the features of its origin and destination.
pub struct Policy<P> {
    /// Weights of the origin's features: planes, features.
    pub from: P,
    /// Weights of the destination's.
    pub to: P,
    /// One a plane.
    pub bias: P,
}

impl<P> Model<P> {
    /// The model of these sizes, each parameter made from what is said of it, in the order in which they are stored.
    pub fn new(architecture: &Architecture, layout: &Layout, make: impl FnMut(Spec) -> P) -> Model<P> {
        let &Architecture {
            channels, policy_channels, attention_channels, value_channels, value_hidden, ..
        } = architecture;
        let mut next = Maker { offset: 0, make };
        // Fields of a struct are made in the order in which they stand.
        Model {
            input: Input {
                convolution: next.convolution("input.conv", layout.planes, channels),
                globals: next.weight("input.globals", layout.globals, channels, he(layout.globals)),
                norm: next.norm("input.norm", channels),
            },
            blocks: (0..architecture.blocks)
                .map(|block| ResidualBlock {
                    first: next.convolution(&format!("block.{block}.conv1"), channels, channels),
                    first_norm: next.norm(&format!("block.{block}.norm1"), channels),
                    second: next.convolution(&format!("block.{block}.conv2"), channels, channels),
                    second_norm: next.norm(&format!("block.{block}.norm2"), channels),
                    pool: architecture.is_pooled(block).then(|| {
                        next.linear(&format!("block.{block}.pool"), 2 * channels, channels, Init::Zeros)
                    }),
                })
                .collect(),
            // The last layer of each head starts at zero (of the attention term, the query): an untrained network has a
            // uniform policy and gives win, draw and loss a third each.
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

/// He initialisation, for layers of so many inputs that are followed by a ReLU.
fn he(inputs: usize) -> Init {
    Init::Normal((2.0 / inputs.max(1) as f32).sqrt())
}

/// Makes parameters, each behind the one before.
struct Maker<F> {
    offset: usize,
    make: F,
}

impl<P, F: FnMut(Spec) -> P> Maker<F> {
    fn parameter(&mut self, name: String, shape: &[usize], role: Role, init: Init) -> P {
        let spec = Spec { name, shape: shape.to_vec(), offset: self.offset, role, init };
        self.offset = spec.range().end;
        (self.make)(spec)
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
