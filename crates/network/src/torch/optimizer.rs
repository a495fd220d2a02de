//! Steps of optimizers.

use crate::torch::memory::values_mut;
use crate::{AdamW, NetworkError, Optimizer, Sgd};
use catapult_model::{Role, Spec};
use rayon::prelude::*;
use tch::Tensor;

/// Weight of the newest batch in the running mean and variance of batch normalisation.
const STATISTICS_MOMENTUM: f32 = 0.1;

/// Number of values that one thread updates at once.
const CHUNK: usize = 1 << 16;

/// Values that a step changes, as flat tensors in storage order.
pub(crate) struct State {
    pub raw: Tensor,
    /// Moving average of `raw`.
    pub averaged: Tensor,
    pub moments: [Tensor; 2],
}

/// Roles of the flat values as numbers 0 and 1. `decays` is 1 at values with weight decay.
/// `statistics` is 1 at the means and variances of batch normalisation. `bytes` is 1 at values with
/// [`Spec::bytes`].
pub(crate) struct Masks {
    pub decays: Tensor,
    pub statistics: Tensor,
    pub bytes: Tensor,
}

/// Rates of one step.
pub(crate) struct Rates {
    /// Number of the step, counted from 1.
    pub step: u64,
    pub learning: f32,
    /// Factor by which all gradients are scaled, at most 1.
    pub gradient: f32,
    /// Weight of the new values in the average.
    pub averaging: f32,
}

/// Consecutive values with the same role.
struct Values<'a> {
    role: Role,
    /// True if an evaluation limits the values to -1 to 1.
    bytes: bool,
    /// Weights, averages, and first and second moments.
    state: [&'a mut [f32]; 4],
    updates: &'a [f32],
}

impl State {
    /// Makes a step on a CPU. `updates` has the gradient or the batch statistic of each parameter,
    /// flat. Each value is read and written once, because a large network does not fit into caches.
    /// The result does not depend on the number of threads.
    pub(crate) fn step(
        &mut self,
        optimizer: &Optimizer,
        rates: &Rates,
        specs: &[Spec],
        updates: &mut [Tensor],
        threads: Option<&rayon::ThreadPool>,
    ) {
        let State { raw, averaged, moments: [first, second] } = self;
        let mut state = [raw, averaged, first, second].map(values_mut::<f32>);
        let mut parts = Vec::new();
        for (spec, updates) in specs.iter().zip(updates) {
            for updates in values_mut::<f32>(updates).chunks(CHUNK) {
                let state =
                    state.each_mut().map(|rest| rest.split_off_mut(..updates.len()).unwrap_or_default());
                parts.push(Values { role: spec.role, bytes: spec.bytes, state, updates });
            }
        }
        for_each(parts, threads, |part| optimizer.step(rates, part));
    }

    /// Makes a step with few calls of a device. Rounding may differ from [`State::step`].
    pub(crate) fn step_on_device(
        &mut self,
        optimizer: &Optimizer,
        rates: &Rates,
        masks: &Masks,
        updates: &[Tensor],
    ) -> Result<(), NetworkError> {
        let State { raw, averaged, moments: [first, second] } = self;
        let updates = Tensor::f_cat(updates, 0)?;
        let gradient: Tensor = &updates * f64::from(rates.gradient) * (1.0 - &masks.statistics);
        let learning = f64::from(rates.learning);
        let (change, weight_decay) = match *optimizer {
            Optimizer::AdamW(AdamW { beta1, beta2, epsilon, weight_decay }) => {
                let [beta1, beta2] = [beta1, beta2].map(f64::from);
                let correction = |beta: f64| 1.0 - beta.powf(rates.step as f64);
                *first *= beta1;
                *first += &gradient * (1.0 - beta1);
                *second *= beta2;
                *second += gradient.f_square()? * (1.0 - beta2);
                let root = second.f_sqrt()? / correction(beta2).sqrt() + f64::from(epsilon);
                (&*first * (learning / correction(beta1)) / root, weight_decay)
            }
            Optimizer::Sgd(Sgd { momentum, weight_decay }) => {
                *first *= f64::from(momentum);
                *first += gradient;
                (&*first * learning, weight_decay)
            }
        };
        *raw *= 1.0 - &masks.decays * (learning * f64::from(weight_decay));
        *raw -= change;
        *raw += (updates - &*raw) * &masks.statistics * f64::from(STATISTICS_MOMENTUM);
        let limited = raw.f_clamp(-1.0, 1.0)? - &*raw;
        *raw += limited * &masks.bytes;
        let _ = averaged.f_lerp_(raw, f64::from(rates.averaging))?;
        Ok(())
    }
}

impl Optimizer {
    fn step(&self, rates: &Rates, Values { role, bytes, state, updates }: Values<'_>) {
        let length = updates.len();
        let [raw, averaged, first, second] = state.map(|values| &mut values[..length]);
        let decayed = |weight_decay: f32| match role {
            Role::Weight => 1.0 - rates.learning * weight_decay,
            Role::Bias | Role::Statistic => 1.0,
        };
        match (role, *self) {
            (Role::Statistic, _) => {
                for (value, update) in raw.iter_mut().zip(updates) {
                    *value += (update - *value) * STATISTICS_MOMENTUM;
                }
            }
            (_, Optimizer::AdamW(AdamW { beta1, beta2, epsilon, weight_decay })) => {
                let correction = |beta: f32| 1.0 - f64::from(beta).powf(rates.step as f64);
                let rate = (f64::from(rates.learning) / correction(beta1)) as f32;
                let root = correction(beta2).sqrt() as f32;
                let kept = decayed(weight_decay);
                for at in 0..length {
                    let gradient = updates[at] * rates.gradient;
                    first[at] = first[at] * beta1 + gradient * (1.0 - beta1);
                    second[at] = second[at] * beta2 + gradient * gradient * (1.0 - beta2);
                    let change = first[at] * rate / (second[at].sqrt() / root + epsilon);
                    raw[at] = raw[at] * kept - change;
                }
            }
            (_, Optimizer::Sgd(Sgd { momentum, weight_decay })) => {
                let kept = decayed(weight_decay);
                for at in 0..length {
                    first[at] = first[at] * momentum + updates[at] * rates.gradient;
                    raw[at] = raw[at] * kept - first[at] * rates.learning;
                }
            }
        }
        if bytes {
            // Inference clamps these weights too, so training must not exceed the limits.
            raw.iter_mut().for_each(|value| *value = value.clamp(-1.0, 1.0));
        }
        for (average, value) in averaged.iter_mut().zip(&*raw) {
            *average += (value - *average) * rates.averaging;
        }
    }
}

/// Gradient or batch statistic of each parameter, flat, from one part of a batch.
pub(crate) struct Updates {
    pub tensors: Vec<Tensor>,
    /// Share of the batch's samples that are in this part, from 0 to 1.
    pub share: f32,
}

/// Sums the gradients of all parts of a batch, in their order, and averages the statistics. The
/// result does not depend on the number of threads.
pub(crate) fn total(
    specs: &[Spec],
    mut parts: Vec<Updates>,
    threads: Option<&rayon::ThreadPool>,
) -> Vec<Tensor> {
    let mut others = parts.split_off(1);
    let mut first = parts.remove(0);
    if others.is_empty() {
        return first.tensors;
    }
    let others: Vec<(f32, Vec<&mut [f32]>)> = others
        .iter_mut()
        .map(|part| (part.share, part.tensors.iter_mut().map(values_mut::<f32>).collect()))
        .collect();
    let mut sums = Vec::new();
    for (number, (spec, tensor)) in specs.iter().zip(&mut first.tensors).enumerate() {
        for (chunk, sum) in values_mut::<f32>(tensor).chunks_mut(CHUNK).enumerate() {
            sums.push((spec.role == Role::Statistic, number, chunk * CHUNK, sum));
        }
    }
    let add = |(is_statistic, number, at, sum): (bool, usize, usize, &mut [f32])| {
        let weight = |share: f32| if is_statistic { share } else { 1.0 };
        sum.iter_mut().for_each(|value| *value *= weight(first.share));
        for (share, updates) in &others {
            for (value, update) in sum.iter_mut().zip(&updates[number][at..]) {
                *value += update * weight(*share);
            }
        }
    };
    for_each(sums, threads, add);
    first.tensors
}

/// Runs `work` for each item, on all threads of a pool if there is one.
fn for_each<T: Send>(items: Vec<T>, threads: Option<&rayon::ThreadPool>, work: impl Fn(T) + Send + Sync) {
    match threads {
        Some(threads) => threads.install(|| items.into_par_iter().for_each(work)),
        None => items.into_iter().for_each(work),
    }
}

/// Returns the norm of all gradients.
pub(crate) fn norm(specs: &[Spec], updates: &[Tensor]) -> Result<f32, NetworkError> {
    let gradients = specs.iter().zip(updates).filter(|(spec, _)| spec.role != Role::Statistic);
    let norms = gradients.map(|(_, gradient)| gradient.f_norm()).collect::<Result<Vec<_>, _>>()?;
    Ok(Tensor::f_stack(&norms, 0)?.f_norm()?.f_double_value(&[])? as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_model::Init;

    /// Returns the values of a weight and of a bias after each step. Both parameters get the
    /// gradients in `gradients`. A third one is a statistic, which is 1.7 in each batch.
    fn follow(optimizer: Optimizer, gradients: &[f32], rate: f32) -> (Vec<f32>, Vec<f32>) {
        let roles = [Role::Weight, Role::Bias, Role::Statistic];
        let specs: Vec<Spec> = roles
            .iter()
            .enumerate()
            .map(|(offset, &role)| Spec {
                name: String::new(),
                shape: vec![1],
                offset,
                role,
                init: Init::Zeros,
                bytes: false,
            })
            .collect();
        let masks = Masks {
            decays: Tensor::from_slice(&[1f32, 0.0, 0.0]),
            statistics: Tensor::from_slice(&[0f32, 0.0, 1.0]),
            bytes: Tensor::from_slice(&[0f32, 0.0, 0.0]),
        };
        let mut states = [(); 2].map(|()| {
            let raw = Tensor::from_slice(&[1f32, 1.0, 0.7]);
            State { averaged: raw.copy(), moments: [raw.zeros_like(), raw.zeros_like()], raw }
        });
        let mut seen = (Vec::new(), Vec::new());
        for (step, &gradient) in (1..).zip(gradients) {
            // Twice the gradient, clipped to half.
            let mut updates =
                [2.0 * gradient, 2.0 * gradient, 1.7].map(|update| Tensor::from_slice(&[update]));
            let rates = Rates { step, learning: rate, gradient: 0.5, averaging: 0.25 };
            let before = states.each_ref().map(|state| Vec::<f32>::try_from(&state.averaged).unwrap());
            states[1].step_on_device(&optimizer, &rates, &masks, &updates).unwrap();
            states[0].step(&optimizer, &rates, &specs, &mut updates, None);
            let [now, on_device] = states.each_ref().map(|state| Vec::<f32>::try_from(&state.raw).unwrap());
            assert_close(&on_device, &now);
            assert_close(&now[2..], &[1.7 - 0.9f32.powi(step as i32)]);
            for (state, before) in states.iter().zip(before) {
                let expected: Vec<f32> =
                    before.iter().zip(&now).map(|(old, new)| 0.75 * old + 0.25 * new).collect();
                assert_close(&Vec::<f32>::try_from(&state.averaged).unwrap(), &expected);
            }
            seen.0.push(now[0]);
            seen.1.push(now[1]);
        }
        seen
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 2e-6, "{found} is not {expected}");
        }
    }

    #[test]
    fn adamw_makes_the_steps_of_the_paper() {
        // Three steps computed by hand from the paper's update, with gradients 0.5, -1, 2, rate
        // 0.1, betas 0.9 and 0.99.
        let optimizer = Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0.1 });
        let (weight, bias) = follow(optimizer, &[0.5, -1.0, 2.0], 0.1);
        // Step 1: m/(1-0.9) = 0.5, v/(1-0.99) = 0.25: a whole rate. Step 2: m = -0.055, v =
        // 0.012475; -0.055/0.19 = -0.289474, sqrt(0.012475/0.0199) = 0.791759; ratio -0.365608.
        // Step 3: m = 0.1505, v = 0.05235025; 0.1505/0.271 = 0.555351, sqrt(0.05235025/0.029701) =
        // 1.327624; 0.418304.
        assert_close(&bias, &[0.9, 0.936_560_8, 0.894_730_4]);
        assert_close(&weight, &[0.89, 0.917_660_8, 0.866_653_8]);
    }

    #[test]
    fn momentum_accumulates() {
        let optimizer = Optimizer::Sgd(Sgd { momentum: 0.5, weight_decay: 0.1 });
        let (weight, bias) = follow(optimizer, &[1.0, 1.0], 0.1);
        assert_close(&bias, &[0.9, 0.75]);
        assert_close(&weight, &[0.89, 0.7311]);
    }

    #[test]
    fn values_of_bytes_stay_within_one() {
        let spec = |offset, bytes| Spec {
            name: String::new(),
            shape: vec![2],
            offset,
            role: Role::Weight,
            init: Init::Zeros,
            bytes,
        };
        let specs = [spec(0, true), spec(2, false)];
        let flat = |values: &[f32]| Tensor::from_slice(values);
        let masks = Masks {
            decays: flat(&[1.0; 4]),
            statistics: flat(&[0.0; 4]),
            bytes: flat(&[1.0, 1.0, 0.0, 0.0]),
        };
        let rates = Rates { step: 1, learning: 0.5, gradient: 1.0, averaging: 1.0 };
        let optimizer = Optimizer::Sgd(Sgd { momentum: 0.0, weight_decay: 0.0 });
        let mut updates = [[-1.0, 0.2], [-1.0, 0.2]].map(|updates| flat(&updates));
        for on_device in [false, true] {
            let raw = flat(&[0.8, -0.95, 0.8, -0.95]);
            let mut state =
                State { averaged: raw.copy(), moments: [raw.zeros_like(), raw.zeros_like()], raw };
            match on_device {
                false => state.step(&optimizer, &rates, &specs, &mut updates, None),
                true => state.step_on_device(&optimizer, &rates, &masks, &updates).unwrap(),
            }
            for values in [&state.raw, &state.averaged] {
                assert_close(&Vec::<f32>::try_from(values).unwrap(), &[1.0, -1.0, 1.3, -1.05]);
            }
        }
    }

    #[test]
    fn gradients_are_added_and_statistics_averaged() {
        let spec = |role| Spec {
            name: String::new(),
            shape: vec![2],
            offset: 0,
            role,
            init: Init::Zeros,
            bytes: false,
        };
        let part = |gradient: [f32; 2], statistic: [f32; 2], share| Updates {
            tensors: [gradient, statistic].map(|x| Tensor::from_slice(&x)).into(),
            share,
        };
        let parts = vec![part([1.0, 2.0], [8.0, 4.0], 0.25), part([10.0, 20.0], [4.0, 0.0], 0.75)];
        let sums = total(&[Role::Weight, Role::Statistic].map(spec), parts, None);
        assert_eq!(Vec::<f32>::try_from(&sums[0]).unwrap(), [11.0, 22.0]);
        assert_eq!(Vec::<f32>::try_from(&sums[1]).unwrap(), [5.0, 1.0]);
    }

    #[test]
    fn the_norm_is_of_all_gradients() {
        let spec = |role| Spec {
            name: String::new(),
            shape: vec![2],
            offset: 0,
            role,
            init: Init::Zeros,
            bytes: false,
        };
        let specs = [Role::Weight, Role::Bias, Role::Statistic].map(spec);
        let updates = [[2f32, 4.0], [5.0, 6.0], [100.0, 100.0]].map(|values| Tensor::from_slice(&values));
        assert_eq!(norm(&specs, &updates).unwrap(), 9.0);
    }
}
