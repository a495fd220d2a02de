//! Metadata of a network's parameters.

use std::ops::Range;

/// Integer that stands for 1 in parameters with [`Spec::bytes`].
pub(crate) const ONE: f32 = 127.0;

/// Rounds numbers to multiples of 1/127 from -1 to 1.
pub(crate) fn bytes(values: &[f32]) -> Vec<i8> {
    values.iter().map(|value| (value * ONE).round_ties_even().clamp(-ONE, ONE) as i8).collect()
}

/// Role of a parameter in training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Trained parameter with weight decay: weights of layers.
    Weight,
    /// Trained parameter without weight decay: biases, scales and shifts of batch normalisation.
    Bias,
    /// Untrained parameter: running mean or variance of batch normalisation.
    Statistic,
}

/// Initial values of a parameter in an untrained network.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Init {
    /// All values are zero.
    Zeros,
    /// All values are one.
    Ones,
    /// Values are drawn from a normal distribution with mean 0 and this standard deviation.
    Normal(f32),
}

/// Metadata of one parameter. A parameter is an array of values.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// Name of the parameter, unique in the network.
    pub name: String,
    /// Shape of the array, as in libtorch. A convolution has the shape (outputs, inputs, height,
    /// width).
    pub shape: Vec<usize>,
    /// Index of the parameter's first value in [`Parameters::values`](crate::Parameters::values).
    pub offset: usize,
    /// Role of the parameter in training.
    pub role: Role,
    /// Initial values in an untrained network.
    pub init: Init,
    /// True if the network is evaluated with these values as multiples of 1/127 from -1 to 1. A
    /// network file stores them in 8 bits.
    pub bytes: bool,
}

impl Spec {
    /// Returns the number of values of the parameter.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns true if the parameter has no values, such as the weights of a layout without global
    /// inputs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the range of the parameter's values in
    /// [`Parameters::values`](crate::Parameters::values).
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.len()
    }
}
