//! Where networks are computed, as arguments of the commands that play.

use catapult_network::{BackendChoice, Compute};
use clap::Args;

#[derive(Args)]
pub(crate) struct ComputeArguments {
    /// cpu, cuda or auto.
    #[arg(long, default_value = "auto")]
    device: String,
    /// What computes networks: torch (libtorch), portable (plain Rust, on the CPU), or auto, which takes what is faster.
    #[arg(long, default_value = "auto", value_name = "auto|torch|portable")]
    backend: BackendChoice,
}

impl ComputeArguments {
    pub(crate) fn compute(&self) -> Compute {
        Compute { device: self.device.clone(), backend: self.backend }
    }
}
