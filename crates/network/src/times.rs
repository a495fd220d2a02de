//! Time that evaluations take, by stage.

use serde::Serialize;

/// Stage of an evaluation on a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Positions are encoded as bits and moves as numbers, on all threads.
    Encode,
    /// The inputs are copied to the device.
    CopyIn,
    /// Bits are converted to planes.
    Unpack,
    /// The tower is computed.
    Tower,
    /// The heads compute the logits of legal moves and the values.
    Heads,
    /// The evaluations are copied from the device.
    CopyOut,
    /// A thread waits for the device.
    Wait,
    /// The evaluations are copied into their batches, on all threads.
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

/// Seconds by stage, summed over evaluations. Unless
/// [`time_stages`](crate::NetworkEvaluator::time_stages) is on, the work of a device counts as
/// [`Stage::Wait`].
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Times([f64; Stage::ALL.len()]);

impl Times {
    /// Returns the seconds that a stage took.
    pub fn of(&self, stage: Stage) -> f64 {
        self.0[stage as usize]
    }

    /// Adds the time since `began` to a stage. Returns the current time.
    #[cfg(feature = "torch")]
    pub(crate) fn add(&mut self, stage: Stage, began: std::time::Instant) -> std::time::Instant {
        let now = std::time::Instant::now();
        self.0[stage as usize] += (now - began).as_secs_f64();
        now
    }
}
