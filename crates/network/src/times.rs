//! Time of evaluations by stage.

use serde::Serialize;

/// Stage of an evaluation on a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Encoding of positions as bits and moves as numbers, on all threads.
    Encode,
    /// Copy of the inputs to the device.
    CopyIn,
    /// Conversion of bits to planes.
    Unpack,
    /// The tower.
    Tower,
    /// The heads: logits of legal moves, and values.
    Heads,
    /// Copy of the evaluations from the device.
    CopyOut,
    /// Wait of a thread for the device.
    Wait,
    /// Copy of the evaluations into their batches, on all threads.
    TakeOut,
}

impl Stage {
    /// All stages, in order.
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

    /// Returns its name in tables.
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

/// Seconds by stage.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Times([f64; Stage::ALL.len()]);

impl Times {
    /// Returns the seconds of a stage.
    pub fn of(&self, stage: Stage) -> f64 {
        self.0[stage as usize]
    }

    /// Adds the time since `began` to a stage and returns the current time.
    #[cfg(feature = "torch")]
    pub(crate) fn add(&mut self, stage: Stage, began: std::time::Instant) -> std::time::Instant {
        let now = std::time::Instant::now();
        self.0[stage as usize] += (now - began).as_secs_f64();
        now
    }
}
