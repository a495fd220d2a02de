//! Learner in libtorch: computes gradients, makes steps, averages weights, and saves and restores
//! its state exactly.

use crate::device::Device;
use crate::torch::graph::Graph;
use crate::torch::loss::losses;
use crate::torch::optimizer::{Masks, Rates, State, Updates, norm, total};
use crate::torch::{memory, use_one_thread};
use crate::{
    Architecture, Losses, Network, NetworkError, Parameters, Provenance, TrainingBatch, TrainingSettings,
    part_rows,
};
use catapult_encoding::Layout;
use catapult_model::files::{self, Header};
use catapult_model::{Role, Spec};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use tch::{Kind, Tensor};

/// Learner that trains one network. Its state is on the device.
pub struct Learner {
    architecture: Architecture,
    layout: Layout,
    provenance: Provenance,
    specs: Arc<[Spec]>,
    state: State,
    /// `None` on a CPU.
    masks: Option<Masks>,
    step: u64,
    settings: TrainingSettings,
    device: Device,
    /// Pool of threads for training on a CPU. `None` if the calling thread does all work.
    threads: Option<rayon::ThreadPool>,
}

impl Learner {
    /// Starts training from a network's weights.
    ///
    /// # Errors
    /// A setting is invalid, the threads can't be started, or the build has no libtorch.
    pub fn new(
        network: Network,
        settings: TrainingSettings,
        device: Device,
    ) -> Result<Learner, NetworkError> {
        let averaged = network.parameters.clone();
        let moments = [network.parameters.zeros_like(), network.parameters.zeros_like()];
        Learner::with_state(network, &averaged, &moments, 0, settings, device)
    }

    fn with_state(
        network: Network,
        averaged: &Parameters,
        moments: &[Parameters; 2],
        step: u64,
        settings: TrainingSettings,
        device: Device,
    ) -> Result<Learner, NetworkError> {
        settings.validate()?;
        memory::keep_freed();
        let Network { architecture, layout, parameters: raw, provenance } = network;
        let on_device =
            |parameters: &Parameters| Tensor::from_slice(&parameters.values).to_device(device.into());
        let mask = |is_one: &dyn Fn(&Spec) -> bool| {
            let mut mask = raw.zeros_like();
            for spec in raw.specs().iter().filter(|spec| is_one(spec)) {
                mask.values[spec.range()].fill(1.0);
            }
            on_device(&mask)
        };
        let masks = (device != Device::Cpu).then(|| Masks {
            decays: mask(&|spec| spec.role == Role::Weight),
            statistics: mask(&|spec| spec.role == Role::Statistic),
            bytes: mask(&|spec| spec.bytes),
        });
        let refused = |error| NetworkError::BadTraining(format!("threads = {}: {error}", settings.threads));
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build().map_err(refused);
        let threads = (device == Device::Cpu && settings.threads > 1).then(pool).transpose()?;
        Ok(Learner {
            specs: raw.shared_specs(),
            state: State {
                raw: on_device(&raw),
                averaged: on_device(averaged),
                moments: moments.each_ref().map(on_device),
            },
            masks,
            architecture,
            layout,
            provenance,
            step,
            settings,
            device,
            threads,
        })
    }

    /// Returns the number of training steps so far.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// Returns the network with averaged weights, which plays games.
    ///
    /// # Errors
    /// The weights can't be copied from the device.
    pub fn averaged(&self, provenance: Provenance) -> Result<Network, NetworkError> {
        self.network(&self.state.averaged, provenance)
    }

    /// Returns the network with the trained weights, which are not averaged.
    ///
    /// # Errors
    /// The weights can't be copied from the device.
    pub fn raw(&self) -> Result<Network, NetworkError> {
        self.network(&self.state.raw, self.provenance.clone())
    }

    fn network(&self, values: &Tensor, provenance: Provenance) -> Result<Network, NetworkError> {
        let (architecture, layout) = (self.architecture.clone(), self.layout);
        Ok(Network { architecture, layout, parameters: self.parameters(values)?, provenance })
    }

    fn parameters(&self, flat: &Tensor) -> Result<Parameters, NetworkError> {
        let mut values = vec![0f32; flat.numel()];
        flat.f_copy_data(&mut values, flat.numel())?;
        Ok(Parameters::new(&self.specs, values))
    }

    /// Makes one training step. Returns the losses of the batch, computed with the weights before
    /// the step.
    ///
    /// # Errors
    /// The batch has another layout or fewer than 2 samples, or a loss or the gradient is not
    /// finite. The learner is then unchanged.
    pub fn step(&mut self, batch: &TrainingBatch, learning_rate: f32) -> Result<Losses, NetworkError> {
        let parts = self.each_part(batch, &self.state.raw, true, |graph, loss, losses, share| {
            Ok((losses, Updates { tensors: graph.updates(&loss)?, share }))
        })?;
        use_one_thread();
        tch::no_grad(|| self.apply(parts, learning_rate))
    }

    fn apply(&mut self, parts: Vec<(Losses, Updates)>, learning_rate: f32) -> Result<Losses, NetworkError> {
        let (of_parts, updates): (Vec<Losses>, Vec<Updates>) = parts.into_iter().unzip();
        let mut losses: Losses = of_parts.into_iter().sum();
        let mut updates = total(&self.specs, updates, self.threads.as_ref());
        losses.gradient_norm = norm(&self.specs, &updates)?;
        if !losses.gradient_norm.is_finite() || !losses.total.is_finite() {
            let reason =
                format!("step {}: the loss or its gradient is not finite ({losses:?})", self.step + 1);
            return Err(NetworkError::BadTraining(reason));
        }
        self.step += 1;
        let early = (1 + self.step) as f32 / (10 + self.step) as f32;
        let rates = Rates {
            step: self.step,
            learning: learning_rate,
            gradient: (self.settings.clip_norm / losses.gradient_norm).min(1.0),
            averaging: 1.0 - self.settings.averaging.min(early),
        };
        let optimizer = &self.settings.optimizer;
        match &self.masks {
            None => self.state.step(optimizer, &rates, &self.specs, &mut updates, self.threads.as_ref()),
            Some(masks) => self.state.step_on_device(optimizer, &rates, masks, &updates)?,
        }
        Ok(losses)
    }

    /// Returns the losses of a batch under the averaged weights, without a step. Batch
    /// normalisation uses running statistics, as in play.
    ///
    /// # Errors
    /// The batch has another layout or fewer than 2 samples.
    pub fn losses(&self, batch: &TrainingBatch) -> Result<Losses, NetworkError> {
        let parts = self.each_part(batch, &self.state.averaged, false, |_, _, losses, _| Ok(losses))?;
        Ok(parts.into_iter().sum())
    }

    /// Runs each part of a batch through the network with the parameters `values`. `then` receives
    /// the graph, the total loss, all losses and the part's share of the batch. Returns the results
    /// of `then` in the order of the parts.
    fn each_part<R: Send>(
        &self,
        batch: &TrainingBatch,
        values: &Tensor,
        training: bool,
        then: impl Fn(&Graph, Tensor, Losses, f32) -> Result<R, NetworkError> + Sync,
    ) -> Result<Vec<R>, NetworkError> {
        self.check_batch(batch)?;
        let rows = batch.rows();
        // Reported losses are weighted means. A loss without any weight is 0.
        let mean = |weights: &[f32]| (weights.iter().sum::<f32>() / rows as f32).max(f32::MIN_POSITIVE);
        let (value_weight, left_weight) = (mean(&batch.value_weight), mean(&batch.moves_left_weight));
        let parts =
            if self.device == Device::Cpu { (rows / part_rows(&self.architecture)).max(1) } else { 1 };
        let parts = (0..parts).map(|part| rows * part / parts..rows * (part + 1) / parts);
        let parts: Vec<_> = parts.map(|range| (batch.part(range), values.shallow_clone())).collect();

        let (architecture, layout, settings, device) =
            (&self.architecture, &self.layout, &self.settings, self.device);
        let kind = if settings.precision.is_bf16(device) { Kind::BFloat16 } else { Kind::Float };
        let run = |(part, values): (TrainingBatch, Tensor)| {
            use_one_thread();
            let run = || {
                let graph = Graph::new(architecture, layout, &values, kind, training);
                let outputs = graph.forward(&part)?;
                let (total, mut losses) = losses(&outputs, &part, rows, &settings.loss, device.into())?;
                losses.value /= value_weight;
                losses.moves_left /= left_weight;
                then(&graph, total, losses, part.rows() as f32 / rows as f32)
            };
            if training { run() } else { tch::no_grad(run) }
        };
        match &self.threads {
            Some(threads) if parts.len() > 1 => {
                threads.install(|| parts.into_par_iter().with_max_len(1).map(run).collect())
            }
            _ => parts.into_iter().map(run).collect(),
        }
    }

    fn check_batch(&self, batch: &TrainingBatch) -> Result<(), NetworkError> {
        if *batch.layout() != self.layout {
            let (found, wanted) = (batch.layout().name, self.layout.name);
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

    /// Writes the learner's state to a file and returns the file's BLAKE3 hash. The settings are
    /// not part of the state.
    ///
    /// # Errors
    /// The file can't be written, or the state can't be copied from the device.
    pub fn save(&self, path: &Path) -> Result<String, NetworkError> {
        let mut header = Header::new("state", &self.architecture, &self.layout);
        header.set_json("step", &self.step);
        header.set_json("provenance", &self.provenance);
        let State { raw, averaged, moments: [first, second] } = &self.state;
        let groups = [
            ("raw.", self.parameters(raw)?),
            ("averaged.", self.parameters(averaged)?),
            ("moment1.", self.parameters(first)?),
            ("moment2.", self.parameters(second)?),
        ];
        Ok(files::write(path, header, &groups.each_ref().map(|(prefix, values)| (*prefix, values)), false)?)
    }

    /// Restores a learner from a state file. With the same settings, the next step equals the step
    /// of the saved learner.
    ///
    /// # Errors
    /// The file can't be read, is damaged or has another layout, or the settings are invalid.
    pub fn load(
        path: &Path,
        layout: &Layout,
        settings: TrainingSettings,
        device: Device,
    ) -> Result<Learner, NetworkError> {
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
        Learner::with_state(network, &averaged, &[first, second], step, settings, device)
    }
}
