//! The group of commands `catapult system`.

#[cfg(feature = "torch")]
use crate::lab::SystemLabCommand;
use crate::{doctor, told};
use clap::Subcommand;
#[cfg(not(feature = "torch"))]
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum SystemCommand {
    /// Check libtorch, bfloat16, CUDA and threads.
    Doctor,
    #[cfg(feature = "torch")]
    #[command(flatten)]
    Lab(SystemLabCommand),
    #[cfg(not(feature = "torch"))]
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

pub(crate) fn system(command: &SystemCommand) -> ExitCode {
    match command {
        SystemCommand::Doctor => told(doctor::run()),
        #[cfg(feature = "torch")]
        SystemCommand::Lab(command) => crate::lab::system(command),
        #[cfg(not(feature = "torch"))]
        SystemCommand::Other(words) => told(crate::left_out::refuse(&["system"], words)),
    }
}
