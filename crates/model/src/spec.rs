//! What is said of one parameter.

use std::ops::Range;

/// What a parameter is to the optimizer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Trained, with weight decay.
    Weight,
    /// Trained, without weight decay: biases and batch normalisation.
    Bias,
    /// Not trained: running mean and variance of batch normalisation.
    Statistic,
}

/// How a parameter starts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Init {
    /// All zero.
    Zeros,
    /// All one.
    Ones,
    /// Normal, with this standard deviation.
    Normal(f32),
}

/// One parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    /// Its name, unique in the network.
    pub name: String,
    /// Its shape, as libtorch has it (convolutions: out, in, height, width).
    pub shape: Vec<usize>,
    /// Where it begins in the values.
    pub offset: usize,
    /// What it is to the optimizer.
    pub role: Role,
    /// How it starts.
    pub init: Init,
}

impl Spec {
    /// How many values it has.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it has no values (a layout without global inputs).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its place in the values.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.len()
    }
}
