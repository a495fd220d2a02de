//! The group of commands `catapult system`.

use crate::doctor;
#[cfg(feature = "torch")]
use crate::lab::{bench, device};
use clap::Subcommand;
#[cfg(not(feature = "torch"))]
use std::ffi::OsString;

#[derive(Subcommand)]
pub(crate) enum SystemCommand {
    /// Check libtorch, bfloat16, CUDA and threads.
    Doctor,
    /// Check a device against the CPU, benchmark and profile it.
    #[cfg(feature = "torch")]
    #[command(subcommand)]
    Device(device::DeviceCommand),
    /// Measure rules, search, network and self-play in one run.
    #[cfg(feature = "torch")]
    Bench(bench::BenchArguments),
    #[cfg(not(feature = "torch"))]
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

pub(crate) fn system(command: &SystemCommand) -> anyhow::Result<()> {
    match command {
        SystemCommand::Doctor => doctor::run(),
        #[cfg(feature = "torch")]
        SystemCommand::Device(command) => device::run(command),
        #[cfg(feature = "torch")]
        SystemCommand::Bench(arguments) => bench::run(arguments),
        #[cfg(not(feature = "torch"))]
        SystemCommand::Other(words) => crate::left_out::refuse(&["system"], words),
    }
}
