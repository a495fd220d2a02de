//! The learner: gradients, steps, averaged weights, and a state that is saved and restored exactly.

use crate::device::{self, Device};
use crate::files::{self, Header};
use crate::graph::{Graph, Outputs};
use crate::optimizer::{Optimizer, clip};
use crate::parameters::Role;
use crate::{
    FUTURE_PLIES, MOVES_LEFT_SCALE, Network, NetworkError, Parameters, Precision, Provenance, TrainingBatch,
};
use catapult_encoding::Layout;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tch::{Kind, Reduction, Tensor};

/// Where the moves-left loss turns from squared to linear, in units of [`MOVES_LEFT_SCALE`].
const HUBER_DELTA: f64 = 0.4;

/// What each loss weighs in the sum.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossWeights {
    /// Cross-entropy of the policy.
    pub policy: f32,
    /// Cross-entropy of win, draw, loss.
    pub value: f32,
    /// Huber loss of the plies left, in units of [`MOVES_LEFT_SCALE`].
    pub moves_left: f32,
    /// Binary cross-entropy of what stands on a square later, summed over planes, averaged over squares.
    pub future: f32,
}

impl Default for LossWeights {
    fn default() -> Self {
        LossWeights { policy: 1.0, value: 1.0, moves_left: 0.2, future: 0.2 }
    }
}

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainingSettings {
    /// How gradients become steps.
    pub optimizer: Optimizer,
    /// The tower's number format; parameters are always `f32`.
    pub precision: Precision,
    /// Threads of one step on a CPU. Sums, and so results, depend on it.
    pub threads: usize,
    /// Gradients longer than this are shortened to it.
    pub clip_norm: f32,
    /// Decay a step of the averaged weights; the first steps use (1 + step) / (10 + step) where that is less.
    pub averaging: f32,
    /// What each loss weighs.
    pub loss: LossWeights,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        TrainingSettings {
            optimizer: Optimizer::default(),
            precision: Precision::Auto,
            threads: 1,
            clip_norm: 5.0,
            averaging: 0.995,
            loss: LossWeights::default(),
        }
    }
}

impl TrainingSettings {
    /// Refuses impossible values; the error names the key.
    pub fn validate(&self) -> Result<(), NetworkError> {
        let LossWeights { policy, value, moves_left, future } = self.loss;
        let weights = [policy, value, moves_left, future];
        let problem = if self.threads == 0 {
            Some("threads = 0: it must be at least 1".to_string())
        } else if self.clip_norm.is_nan() || self.clip_norm <= 0.0 {
            Some(format!("clip_norm = {}: it must be positive", self.clip_norm))
        } else if !(0.0..1.0).contains(&self.averaging) {
            Some(format!("averaging = {}: it may be from 0 to below 1", self.averaging))
        } else if weights.iter().any(|weight| !weight.is_finite() || *weight < 0.0) {
            Some(format!("{:?}: weights must be finite and not negative", self.loss))
        } else {
            self.optimizer.validate().err()
        };
        problem.map_or(Ok(()), |problem| Err(NetworkError::BadTraining(problem)))
    }
}

/// Mean losses of a batch, unweighted, and the gradient's norm before clipping.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Losses {
    /// The weighted sum that is minimised.
    pub total: f32,
    /// Cross-entropy of the policy, in nats.
    pub policy: f32,
    /// Cross-entropy of win, draw, loss, in nats.
    pub value: f32,
    /// Huber loss of the plies left.
    pub moves_left: f32,
    /// Binary cross-entropy of what stands on a square later, in nats a square.
    pub future: f32,
    /// Norm of the gradient; 0 where none was computed.
    pub gradient_norm: f32,
}

/// Trains one network.
pub struct Learner {
    network: Network,
    averaged: Parameters,
    moments: [Vec<f32>; 2],
    step: u64,
    settings: TrainingSettings,
    device: Device,
}

impl Learner {
    /// Starts from a network's weights.
    pub fn new(
        network: Network,
        settings: TrainingSettings,
        device: Device,
    ) -> Result<Learner, NetworkError> {
        settings.validate()?;
        let size = network.parameters.values.len();
        let averaged = network.parameters.clone();
        Ok(Learner {
            network,
            averaged,
            moments: [vec![0.0; size], vec![0.0; size]],
            step: 0,
            settings,
            device,
        })
    }

    /// How many steps have been made.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The network that plays: averaged weights.
    pub fn averaged(&self, provenance: Provenance) -> Network {
        Network { parameters: self.averaged.clone(), provenance, ..self.network.clone() }
    }

    /// The network that is trained: raw weights.
    pub fn raw(&self) -> &Network {
        &self.network
    }

    fn kind(&self) -> Kind {
        if self.settings.precision.is_bf16(self.device) { Kind::BFloat16 } else { Kind::Float }
    }

    /// Makes one step. A gradient that is not finite is an error and changes nothing.
    pub fn step(&mut self, batch: &TrainingBatch, learning_rate: f32) -> Result<Losses, NetworkError> {
        self.check(batch)?;
        device::use_threads(self.settings.threads);
        let kind = self.kind();
        let Network { architecture, parameters, .. } = &self.network;
        let graph = Graph::new(architecture, parameters, kind, true, self.device);
        let (total, mut losses) = losses(&graph.forward(batch)?, batch, &self.settings.loss, self.device)?;

        let trained: Vec<_> = parameters
            .specs()
            .iter()
            .filter(|spec| spec.role != Role::Statistic && !spec.is_empty())
            .collect();
        let leaves: Vec<&Tensor> = trained.iter().map(|spec| graph.get(&spec.name)).collect();
        let found = Tensor::f_run_backward(&[&total], &leaves, false, false)?;
        let mut gradients = vec![0f32; parameters.values.len()];
        for (spec, gradient) in trained.iter().zip(&found) {
            gradient.f_copy_data(&mut gradients[spec.range()], spec.len())?;
        }
        losses.gradient_norm = clip(&mut gradients, self.settings.clip_norm);
        if !losses.gradient_norm.is_finite() || !losses.total.is_finite() {
            let reason =
                format!("step {}: the loss or its gradient is not finite ({losses:?})", self.step + 1);
            return Err(NetworkError::BadTraining(reason));
        }
        let mut statistics = Vec::new();
        for spec in parameters.specs().iter().filter(|spec| spec.role == Role::Statistic) {
            let mut values = vec![0f32; spec.len()];
            graph.get(&spec.name).f_copy_data(&mut values, spec.len())?;
            statistics.push((spec.range(), values));
        }
        drop(graph);

        self.step += 1;
        let parameters = &mut self.network.parameters;
        self.settings.optimizer.step(self.step, learning_rate, parameters, &gradients, &mut self.moments);
        for (range, values) in statistics {
            parameters.values[range].copy_from_slice(&values);
        }
        let early = (1 + self.step) as f32 / (10 + self.step) as f32;
        let decay = self.settings.averaging.min(early);
        for (average, &value) in self.averaged.values.iter_mut().zip(&parameters.values) {
            *average += (1.0 - decay) * (value - *average);
        }
        Ok(losses)
    }

    /// The losses of a batch under the averaged weights, as in play: no step, no gradient.
    pub fn losses(&self, batch: &TrainingBatch) -> Result<Losses, NetworkError> {
        self.check(batch)?;
        device::use_threads(self.settings.threads);
        tch::no_grad(|| {
            let graph =
                Graph::new(&self.network.architecture, &self.averaged, self.kind(), false, self.device);
            Ok(losses(&graph.forward(batch)?, batch, &self.settings.loss, self.device)?.1)
        })
    }

    fn check(&self, batch: &TrainingBatch) -> Result<(), NetworkError> {
        if *batch.layout() != self.network.layout {
            let (found, wanted) = (batch.layout().name, self.network.layout.name);
            let reason = format!("a batch of the layout {found:?} cannot train a network for {wanted:?}");
            return Err(NetworkError::BadTraining(reason));
        }
        // Batch normalisation needs a variance, and the losses a mean.
        if batch.rows() < 2 {
            return Err(NetworkError::BadTraining(format!(
                "a batch of {} rows: at least 2 are needed",
                batch.rows()
            )));
        }
        Ok(())
    }

    /// Writes everything that the next step depends on, but the settings. Gives the BLAKE3 of the file.
    pub fn save(&self, path: &Path) -> Result<String, NetworkError> {
        let mut header = Header::new("state", &self.network.architecture, &self.network.layout);
        header.set_json("step", &self.step);
        header.set_json("provenance", &self.network.provenance);
        let [first, second] = self.moments.each_ref().map(|values| {
            let mut moment = self.averaged.clone();
            moment.values.copy_from_slice(values);
            moment
        });
        let raw = &self.network.parameters;
        let groups =
            [("raw.", raw), ("averaged.", &self.averaged), ("moment1.", &first), ("moment2.", &second)];
        files::write(path, header, &groups)
    }

    /// Continues from a file: the next step is the one that would have been made.
    pub fn load(
        path: &Path,
        layout: &Layout,
        settings: TrainingSettings,
        device: Device,
    ) -> Result<Learner, NetworkError> {
        settings.validate()?;
        let file = files::read(path, "state")?;
        let architecture = file.header.architecture(path)?;
        file.header.check_layout(path, layout)?;
        let empty = Parameters::zeros(&architecture, layout);
        let [mut raw, mut averaged, mut first, mut second] = [(); 4].map(|()| empty.clone());
        file.fill(path, "raw.", &mut raw)?;
        file.fill(path, "averaged.", &mut averaged)?;
        file.fill(path, "moment1.", &mut first)?;
        file.fill(path, "moment2.", &mut second)?;
        let provenance = file.header.json(path, "provenance")?;
        let network = Network { architecture, layout: *layout, parameters: raw, provenance };
        let step = file.header.json(path, "step")?;
        Ok(Learner { network, averaged, moments: [first.values, second.values], step, settings, device })
    }
}

/// The weighted sum as a tensor, and all losses as numbers.
fn losses(
    outputs: &Outputs,
    batch: &TrainingBatch,
    weights: &LossWeights,
    device: Device,
) -> Result<(Tensor, Losses), NetworkError> {
    let rows = batch.rows() as i64;
    let column = |values: &[f32]| Tensor::from_slice(values).to_device(device);
    let sum_rows = |x: Tensor| x.sum_dim_intlist(&[1i64][..], false, None);
    let mean = |losses: Tensor, weights: &[f32]| (losses * column(weights)).sum(Kind::Float) / rows as f64;

    // Policy: legal moves into a padded table, whose other places have no probability.
    let width = batch.move_counts.iter().copied().max().unwrap_or(1) as i64;
    let place =
        |(row, &count): (usize, &usize)| (0..count as i64).map(move |move_| row as i64 * width + move_);
    let places: Vec<i64> = batch.move_counts.iter().enumerate().flat_map(place).collect();
    let places = Tensor::from_slice(&places).to_device(device);
    let table = |fill: f64, values: &Tensor| {
        let empty = Tensor::full([rows * width], fill, (Kind::Float, device));
        Ok::<_, NetworkError>(empty.f_index_copy(0, &places, values)?.f_view([rows, width])?)
    };
    let log_policy = table(-1e9, &outputs.moves)?.log_softmax(1, Kind::Float);
    let target = table(0.0, &column(&batch.policy))?;
    let policy = mean(-sum_rows(target * log_policy), &batch.policy_weight);

    let log_wdl = outputs.value.narrow(1, 0, 3).log_softmax(1, Kind::Float);
    let value = mean(-sum_rows(column(&batch.wdl).view([rows, 3]) * log_wdl), &batch.value_weight);

    let plies = outputs.value.select(1, 3).softplus();
    let target = column(&batch.moves_left) / f64::from(MOVES_LEFT_SCALE);
    let moves_left = mean(plies.huber_loss(&target, Reduction::None, HUBER_DELTA), &batch.moves_left_weight);

    let horizons = FUTURE_PLIES.len() as i64;
    let target = Tensor::from_slice(&batch.future).to_device(device).to_kind(Kind::Float);
    let target = target.f_view_as(&outputs.future)?;
    let cross_entropy = outputs.future.binary_cross_entropy_with_logits(
        &target,
        None::<Tensor>,
        None::<Tensor>,
        Reduction::None,
    );
    let squares = batch.layout().squares() as i64;
    let per_horizon = cross_entropy.f_view([rows, squares, horizons, -1])?.f_sum_dim_intlist(
        &[1i64, 3][..],
        false,
        None,
    )?;
    let weight = column(&batch.future_weight).view([rows, horizons]);
    let future = (per_horizon * weight).sum(Kind::Float) / (rows * squares) as f64;

    let total = &policy * f64::from(weights.policy)
        + &value * f64::from(weights.value)
        + &moves_left * f64::from(weights.moves_left)
        + &future * f64::from(weights.future);
    let number = |tensor: &Tensor| tensor.double_value(&[]) as f32;
    let numbers = Losses {
        total: number(&total),
        policy: number(&policy),
        value: number(&value),
        moves_left: number(&moves_left),
        future: number(&future),
        gradient_norm: 0.0,
    };
    Ok((total, numbers))
}
