//! Time that evaluations on a device take, by stage.

use serde::Serialize;

catapult_rules::named! {
    /// Stage of an evaluation on a device.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Stage {
        /// Threads encode positions as bits and moves as numbers.
        Encode = "encode",
        /// The encoded inputs are copied to the device.
        CopyIn = "copy in",
        /// The device converts bits to input planes.
        Unpack = "unpack",
        /// The device computes the tower, which consists of the residual blocks.
        Tower = "tower",
        /// The device computes the heads: logits of legal moves, and values.
        Heads = "heads",
        /// The evaluations are copied from the device to the CPU's memory.
        CopyOut = "copy out",
        /// A thread waits until the device has finished a batch.
        Wait = "wait",
        /// Threads copy the evaluations into the batches that requested them.
        TakeOut = "take out",
    }
}

/// Seconds by stage, summed over evaluations. By default, all work of the device counts as
/// [`Stage::Wait`], and its other stages have only the time of queueing.
/// [`time_stages`](crate::NetworkEvaluator::time_stages) enables measuring each stage.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Times([f64; Stage::ALL.len()]);

impl Times {
    /// Returns the seconds that a stage took.
    pub fn of(&self, stage: Stage) -> f64 {
        self.0[stage as usize]
    }

    /// Adds the time since `began` to a stage. Returns the current time, at which the next stage
    /// begins.
    #[cfg(feature = "torch")]
    pub(crate) fn add(&mut self, stage: Stage, began: std::time::Instant) -> std::time::Instant {
        let now = std::time::Instant::now();
        self.0[stage as usize] += (now - began).as_secs_f64();
        now
    }
}
