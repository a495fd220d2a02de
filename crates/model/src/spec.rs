//! Metadata of one parameter.

use std::ops::Range;

/// Role of a parameter for the optimizer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Trained, with weight decay.
    Weight,
    /// Trained, without weight decay: biases and batch normalisation.
    Bias,
    /// Not trained: running mean and variance of batch normalisation.
    Statistic,
}

/// Initial values of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Init {
    /// All zero.
    Zeros,
    /// All one.
    Ones,
    /// Normally distributed with this standard deviation.
    Normal(f32),
}

/// Metadata of one parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// Name, unique in the network.
    pub name: String,
    /// Shape as in libtorch (convolutions: outputs, inputs, height, width).
    pub shape: Vec<usize>,
    /// Offset of its first value.
    pub offset: usize,
    /// Role for the optimizer.
    pub role: Role,
    /// Initial values.
    pub init: Init,
}

impl Spec {
    /// Number of values.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// True without values (a layout without global inputs).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Range of its values.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.len()
    }
}
