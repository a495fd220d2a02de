//! Parameter values of a network in one `f32` array, with names, shapes and offsets.

use crate::model::Model;
use crate::spec::{Init, Role, Spec};
use crate::{Architecture, ModelError};
use catapult_encoding::Layout;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;

/// Parameter values of a network. The type is also used for other values of the same shapes, such
/// as moments or averages.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    specs: Arc<[Spec]>,
    /// Values of all parameters, one parameter after the other.
    pub values: Vec<f32>,
}

impl Parameters {
    /// Creates the parameters of an untrained network. It evaluates every position with a uniform
    /// policy and equal probabilities of win, draw and loss. `seed` determines the random weights.
    ///
    /// # Errors
    /// The architecture is invalid.
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

    /// Creates parameters from their specs and from all values, in the order of the specs.
    pub fn new(specs: &Arc<[Spec]>, values: Vec<f32>) -> Parameters {
        Parameters { specs: specs.clone(), values }
    }

    /// Creates the parameters of a network with these sizes, with all values zero.
    pub fn zeros(architecture: &Architecture, layout: &Layout) -> Parameters {
        let mut specs = Vec::new();
        Model::new(architecture, layout, |spec| specs.push(spec));
        let len = specs.last().map_or(0, |last| last.range().end);
        Parameters { specs: specs.into(), values: vec![0.0; len] }
    }

    /// Creates parameters with the names and shapes of these, and with all values zero.
    pub fn zeros_like(&self) -> Parameters {
        Parameters { specs: self.specs.clone(), values: vec![0.0; self.values.len()] }
    }

    /// Returns names, shapes and offsets of the parameters, in the order of storage.
    pub fn specs(&self) -> &[Spec] {
        &self.specs
    }

    /// Returns the specs like [`Parameters::specs`], as a shared pointer.
    pub fn shared_specs(&self) -> Arc<[Spec]> {
        self.specs.clone()
    }

    /// Returns the number of trained values. Running statistics of batch normalisation are not
    /// trained.
    pub fn trained(&self) -> usize {
        self.specs.iter().filter(|spec| spec.role != Role::Statistic).map(Spec::len).sum()
    }
}

/// Copies the weights of a smaller shape (outputs, inputs, ...) into a larger shape. In the copied
/// outputs, the weights of new inputs become zero. New outputs keep their weights. The inputs
/// consist of `groups` equal parts that grow alike.
pub(crate) fn embed(from: &[f32], from_shape: &[usize], to: &mut [f32], to_shape: &[usize], groups: usize) {
    let width = |shape: &[usize]| shape.iter().skip(1).product::<usize>();
    let (from_width, to_width) = (width(from_shape), width(to_shape));
    for output in 0..from_shape[0] {
        let (from, to) =
            (&from[output * from_width..][..from_width], &mut to[output * to_width..][..to_width]);
        to.fill(0.0);
        let (from_group, to_group) = (from_width / groups, to_width / groups);
        for group in 0..groups {
            to[group * to_group..][..from_group].copy_from_slice(&from[group * from_group..][..from_group]);
        }
    }
}

/// Returns a standard normal random number (Box-Muller transform).
fn standard_normal(random: &mut Pcg64Mcg) -> f32 {
    let radius = (-2.0 * libm::log(1.0 - random.random::<f64>())).sqrt();
    (radius * libm::cos(std::f64::consts::TAU * random.random::<f64>())) as f32
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
