//! Where networks are computed, as an argument of the commands that play.

use catapult_network::Compute;
use clap::Args;

#[derive(Args)]
pub(crate) struct ComputeArguments {
    /// What computes networks: cpu (in plain Rust), cuda or cuda:N (in libtorch), or auto, which takes CUDA if it is there.
    #[arg(long, default_value = "auto", value_name = "auto|cpu|cuda|cuda:N")]
    device: String,
}

impl ComputeArguments {
    pub(crate) fn compute(&self) -> Compute {
        Compute::on(&self.device)
    }
}
