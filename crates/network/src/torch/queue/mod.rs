//! Network on an asynchronous device. All threads encode batches. Evaluations come back in the
//! order of the requests.
//!
//! A request queues its operations on the device and returns without waiting. The operations copy
//! the inputs from page-locked memory ([`arena`]), compute, copy the evaluations back and record an
//! [`Event`]. Only the reply waits for the event. Two batches may be in flight, so that the device
//! has work while the CPU prepares a batch.

mod arena;
mod heads;
#[cfg(test)]
mod tests;

use crate::raw::{RAW_MOVES, random_index};
use crate::times::{Stage, Times};
use crate::torch::event::Event;
use crate::torch::memory::values_mut;
use crate::torch::tower::Tower;
use crate::torch::use_one_thread;
use crate::{EvaluatorSettings, Network, NetworkError};
use arena::{Arena, Inputs, Shape, code};
use catapult_encoding::{Encode, Layout};
use catapult_mcts::Batch;
use catapult_model::{fold, value_of};
use heads::{Heads, Unpack};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::time::Instant;
use tch::{Device, Kind, Tensor};

/// Maximum number of batches in flight: their evaluations are requested and not yet collected.
const DEPTH: usize = 2;

/// Network on a device, with the queue of its batches.
pub(crate) struct DeviceQueue {
    tower: Tower,
    unpack: Unpack,
    heads: Heads,
    layout: Layout,
    settings: EvaluatorSettings,
    arenas: [Arena; DEPTH],
    /// Index in `arenas` of the block that the next batch uses.
    next: usize,
    under_way: VecDeque<UnderWay>,
    times: Times,
    /// True if a thread waits after every stage, so that the time of each stage is measured.
    by_stage: bool,
}

/// Batch in flight: its evaluations were requested and not yet collected.
struct UnderWay {
    shape: Shape,
    /// Evaluations in the CPU's memory. They are complete when the device has reached `event`.
    answers: Tensor,
    event: Event,
}

impl DeviceQueue {
    pub(crate) fn new(network: &Network, settings: &EvaluatorSettings) -> Result<DeviceQueue, NetworkError> {
        let layout = &network.layout;
        let device = Device::from(settings.device);
        use_one_thread();
        let kind = if settings.precision.is_bf16(settings.device) { Kind::BFloat16 } else { Kind::Float };
        tch::no_grad(|| {
            let model = network.tower()?;
            let folded = fold(&model, layout);
            Ok(DeviceQueue {
                unpack: Unpack::new(layout, &folded.globals, kind, device),
                tower: Tower::new(folded, kind, device, settings.fused),
                heads: Heads::new(model, layout, device),
                layout: *layout,
                settings: *settings,
                arenas: std::array::from_fn(|_| Arena::new(*layout, device)),
                next: 0,
                under_way: VecDeque::new(),
                times: Times::default(),
                by_stage: false,
            })
        })
    }

    /// Returns the time that each stage took since the last call. Resets the times to 0.
    pub(crate) fn take_times(&mut self) -> Times {
        std::mem::take(&mut self.times)
    }

    /// Sets the measurement of stages. If `by_stage` is true, a thread waits after each stage, so
    /// that its time is measured.
    pub(crate) fn time_stages(&mut self, by_stage: bool) {
        self.by_stage = by_stage;
    }

    /// Returns true if the device fuses convolutions with the operations that follow.
    pub(crate) fn is_fused(&self) -> bool {
        self.tower.is_fused()
    }

    pub(crate) fn submit<P: Encode>(&mut self, batches: &[&Batch<P>]) -> Result<(), NetworkError> {
        let rows = batches.iter().map(|batch| batch.leaves.len()).sum();
        let leaves = batches.iter().flat_map(|batch| &batch.leaves);
        let moves = leaves.map(|leaf| usize::from(leaf.move_count)).sum();
        let shape = Shape::new(rows, moves, &self.settings);
        if self.under_way.len() == DEPTH {
            return Err(NetworkError::Queue(format!("{DEPTH} batches are in flight; a third was submitted")));
        }
        let under_way = if rows == 0 {
            let answers = Tensor::f_zeros([0], (Kind::Float, Device::Cpu))?;
            UnderWay { shape, answers, event: Event::Done }
        } else {
            let began = Instant::now();
            self.arenas[self.next].encode(batches, &shape)?;
            let began = self.times.add(Stage::Encode, began);
            tch::no_grad(|| {
                let inputs = self.arenas[self.next].upload(&shape)?;
                let began = self.stage(Stage::CopyIn, began);
                self.compute(&inputs, shape, began)
            })?
        };
        self.under_way.push_back(under_way);
        self.next = (self.next + 1) % DEPTH;
        Ok(())
    }

    /// Queues the computation for inputs on the device, and the copy of the evaluations to the CPU.
    /// `began` is the start of the current stage.
    fn compute(&mut self, inputs: &Inputs, shape: Shape, began: Instant) -> Result<UnderWay, NetworkError> {
        let boards = self.unpack.boards(&inputs.bits)?;
        let state = self.unpack.state(&inputs.globals)?;
        let began = self.stage(Stage::Unpack, began);
        let mut features = Vec::new();
        for first in (0..shape.padded).step_by(self.settings.max_batch) {
            let rows = (shape.padded - first).min(self.settings.max_batch) as i64;
            let part = |tensor: &Tensor| tensor.f_narrow(0, first as i64, rows);
            features.push(self.tower.forward(&part(&boards)?, &part(&state)?)?);
        }
        let features = if features.len() == 1 { features.remove(0) } else { Tensor::f_cat(&features, 0)? };
        let began = self.stage(Stage::Tower, began);
        let answers = self.heads.answers(&features, &inputs.rows, &inputs.codes, shape.rows)?;
        let began = self.stage(Stage::Heads, began);
        let answers = answers.f_to_device_(Device::Cpu, Kind::Float, true, false)?;
        let event = Event::record(self.settings.device.into());
        self.stage(Stage::CopyOut, began);
        Ok(UnderWay { shape, answers, event })
    }

    /// Adds the time since `began` to a stage and returns the current time. If stages are measured,
    /// it first waits until the device has finished the stage. Otherwise, the time covers only
    /// queueing.
    fn stage(&mut self, stage: Stage, began: Instant) -> Instant {
        if self.by_stage {
            Event::record(self.settings.device.into()).wait();
        }
        self.times.add(stage, began)
    }

    pub(crate) fn collect<P: Encode>(&mut self, batches: &mut [&mut Batch<P>]) -> Result<(), NetworkError> {
        let Some(UnderWay { shape, mut answers, event }) = self.under_way.pop_front() else {
            return Err(NetworkError::Queue("no batch is in flight".to_string()));
        };
        let began = Instant::now();
        event.wait();
        let began = self.times.add(Stage::Wait, began);
        let found: [usize; 2] =
            [batches.iter().map(|b| b.leaves.len()).sum(), batches.iter().map(|b| b.moves.len()).sum()];
        if found != [shape.rows, shape.moves] {
            let reason = format!("the batches have {found:?} leaves and moves, but {shape:?} was submitted");
            return Err(NetworkError::Queue(reason));
        }
        let (mut logits, values) = values_mut::<f32>(&mut answers).split_at(shape.moves);
        let mut outputs = values.as_chunks::<4>().0;
        let jobs: Vec<_> = batches
            .iter_mut()
            .map(|batch| {
                let (own_logits, rest) = logits.split_at(batch.moves.len());
                let (own_outputs, others) = outputs.split_at(batch.leaves.len());
                (logits, outputs) = (rest, others);
                (batch, own_logits, own_outputs)
            })
            .collect();
        jobs.into_par_iter().for_each(|(batch, mut logits, outputs)| {
            batch.logits.resize(batch.moves.len(), 0.0);
            batch.values.clear();
            batch.values.extend(outputs.iter().map(|&output| value_of(output)));
            for leaf in &batch.leaves {
                let (own, rest) = logits.split_at(usize::from(leaf.move_count));
                batch.logits[leaf.range()].copy_from_slice(own);
                logits = rest;
            }
        });
        self.times.add(Stage::TakeOut, began);
        Ok(())
    }

    /// Returns the number of evaluations per second for a batch of `rows` positions with random
    /// bits. The inputs are on the device before the measurement. Only logits and values are copied
    /// back, as in a search. The measurement takes about `seconds`.
    pub(crate) fn raw_rate(&mut self, rows: usize, seconds: f64) -> Result<f64, NetworkError> {
        let shape = Shape::new(rows, rows * RAW_MOVES, &self.settings);
        self.write_noise(&shape)?;
        let inputs = tch::no_grad(|| self.arenas[self.next].upload(&shape))?;
        let run = |queue: &mut DeviceQueue| -> Result<(), NetworkError> {
            let now = Instant::now();
            let under_way = tch::no_grad(|| queue.compute(&inputs, shape, now))?;
            queue.under_way.push_back(under_way);
            // As in self-play, one batch is queued behind the one in computation.
            if queue.under_way.len() == DEPTH
                && let Some(oldest) = queue.under_way.pop_front()
            {
                oldest.event.wait();
            }
            Ok(())
        };
        let rate = crate::raw::rate(rows, seconds, || run(self));
        self.under_way.drain(..).for_each(|last| last.event.wait());
        self.times = Times::default();
        rate
    }

    fn write_noise(&mut self, shape: &Shape) -> Result<(), NetworkError> {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let layout = self.layout;
        let [globals, rows, codes, bits] = self.arenas[self.next].sections(shape);
        globals.as_chunks_mut::<4>().0.fill(0.5f32.to_ne_bytes());
        // A random quarter of the bits.
        bits.fill_with(|| random.random::<u8>() & random.random::<u8>());
        let moves = rows.as_chunks_mut::<4>().0.iter_mut().zip(codes.as_chunks_mut::<4>().0);
        for (at, (row, room)) in moves.enumerate() {
            *row = ((at / RAW_MOVES) as i32).to_ne_bytes();
            *room = code(&random_index(&layout, &mut random), &layout)?.to_ne_bytes();
        }
        Ok(())
    }
}
