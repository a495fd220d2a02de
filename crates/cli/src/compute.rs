//! Command-line argument for the device that evaluates networks.

use catapult_network::Device;
use clap::Args;

#[derive(Args)]
pub(crate) struct ComputeArguments {
    /// Device that runs networks: cpu (plain Rust), cuda or cuda:N (libtorch), or auto (CUDA if available).
    #[arg(long, default_value = "auto", value_name = "auto|cpu|cuda|cuda:N")]
    pub(crate) device: Device,
}
