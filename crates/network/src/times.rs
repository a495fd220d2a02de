//! Time that evaluations on a device take, by stage.

use serde::Serialize;

/// Stage of an evaluation on a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Threads encode positions as bits and moves as numbers.
    Encode,
    /// The encoded inputs are copied to the device.
    CopyIn,
    /// The device converts bits to input planes.
    Unpack,
    /// The device computes the tower, which consists of the residual blocks.
    Tower,
    /// The device computes the heads: logits of legal moves, and values.
    Heads,
    /// The evaluations are copied from the device to the CPU's memory.
    CopyOut,
    /// A thread waits until the device has finished a batch.
    Wait,
    /// Threads copy the evaluations into the batches that requested them.
    TakeOut,
}

impl Stage {
    /// All stages, in the order in which an evaluation passes them.
    pub const ALL: [Stage; 8] = [
        Stage::Encode,
        Stage::CopyIn,
        Stage::Unpack,
        Stage::Tower,
        Stage::Heads,
        Stage::CopyOut,
        Stage::Wait,
        Stage::TakeOut,
    ];

    /// Returns the stage's name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Encode => "encode",
            Stage::CopyIn => "copy in",
            Stage::Unpack => "unpack",
            Stage::Tower => "tower",
            Stage::Heads => "heads",
            Stage::CopyOut => "copy out",
            Stage::Wait => "wait",
            Stage::TakeOut => "take out",
        }
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
