//! Command-line arguments for the device that evaluates networks and for the number of threads.

use catapult_network::Device;
use clap::Args;

#[derive(Args)]
pub(crate) struct ComputeArguments {
    /// Device that runs networks: cpu (plain Rust), cuda or cuda:N (libtorch), or auto (CUDA if available).
    #[arg(long, default_value = "auto", value_name = "auto|cpu|cuda|cuda:N")]
    pub(crate) device: Device,
}

/// Returns the number of threads to use for `--threads`: the argument, but at most one per
/// processor, and one per processor if it is 0.
pub(crate) fn threads(argument: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    if argument == 0 { processors } else { argument.min(processors) }
}
