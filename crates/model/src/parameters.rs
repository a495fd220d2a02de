//! All parameters of a network as one array of `f32`, each with a name, a shape and a place.

use crate::{Architecture, ModelError};
use catapult_encoding::Layout;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::ops::Range;
use std::sync::Arc;

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

/// The parameters of a network, or anything of the same shapes (moments, averages).
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    specs: Arc<[Spec]>,
    /// All values, parameter after parameter.
    pub values: Vec<f32>,
}

impl Parameters {
    /// Untrained parameters: a uniform policy, win, draw and loss a third each.
    pub fn untrained(
        architecture: &Architecture,
        layout: &Layout,
        seed: u64,
    ) -> Result<Parameters, ModelError> {
        architecture.validate()?;
        let mut parameters = Parameters::zeros(architecture, layout);
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        for spec in parameters.specs.clone().iter() {
            for value in &mut parameters.values[spec.range()] {
                *value = match spec.init {
                    Init::Zeros => 0.0,
                    Init::Ones => 1.0,
                    Init::Normal(deviation) => deviation * standard_normal(&mut random),
                };
            }
        }
        Ok(parameters)
    }

    /// Values in the order of their specs.
    pub fn new(specs: &Arc<[Spec]>, values: Vec<f32>) -> Parameters {
        Parameters { specs: specs.clone(), values }
    }

    /// All values zero.
    pub fn zeros(architecture: &Architecture, layout: &Layout) -> Parameters {
        let specs: Arc<[Spec]> = architecture.specs(layout).into();
        let len = specs.last().map_or(0, |last| last.range().end);
        Parameters { specs, values: vec![0.0; len] }
    }

    /// The same shapes with all values zero.
    pub fn zeros_like(&self) -> Parameters {
        Parameters { specs: self.specs.clone(), values: vec![0.0; self.values.len()] }
    }

    /// The parameters' names, shapes and places, in their order.
    pub fn specs(&self) -> &[Spec] {
        &self.specs
    }

    /// [`Parameters::specs`] to keep.
    pub fn shared_specs(&self) -> Arc<[Spec]> {
        self.specs.clone()
    }

    /// The values of one parameter, by name.
    ///
    /// # Panics
    /// If the architecture has no such parameter; names come from this crate only.
    pub fn get(&self, name: &str) -> &[f32] {
        let spec = self.specs.iter().find(|spec| spec.name == name);
        &self.values[spec.unwrap_or_else(|| panic!("no parameter {name}")).range()]
    }

    /// How many values are trained.
    pub fn trained(&self) -> usize {
        self.specs.iter().filter(|spec| spec.role != Role::Statistic).map(Spec::len).sum()
    }
}

/// Box and Muller's transform.
fn standard_normal(random: &mut Pcg64Mcg) -> f32 {
    let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
    (radius * (std::f64::consts::TAU * random.random::<f64>()).cos()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_are_normal() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let draws: Vec<f64> = (0..100_000).map(|_| standard_normal(&mut random) as f64).collect();
        let moment = |k| draws.iter().map(|x| x.powi(k)).sum::<f64>() / draws.len() as f64;
        assert!(moment(1).abs() < 0.01 && (moment(2) - 1.0).abs() < 0.02 && (moment(4) - 3.0).abs() < 0.15);
    }
}
