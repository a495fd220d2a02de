//! Device and backend of networks, as arguments of the commands that play.

use catapult_network::{BackendChoice, Compute};
use clap::Args;

#[derive(Args)]
pub(crate) struct ComputeArguments {
    /// Device that runs networks: cpu, cuda or auto.
    #[arg(long, default_value = "auto")]
    device: String,
    /// Backend that runs networks: torch (libtorch), portable (plain Rust, on the CPU) or auto (the faster one).
    #[arg(long, default_value = "auto", value_name = "auto|torch|portable")]
    backend: BackendChoice,
}

impl ComputeArguments {
    pub(crate) fn compute(&self) -> Compute {
        Compute { device: self.device.clone(), backend: self.backend }
    }
}
