//! The commands `catapult cluster units` and `catapult cluster unit`, which distribute runs and
//! studies over machines.

use catapult_network::DeviceName;
use catapult_store::Location;
use catapult_study::config::StudyFile;
use catapult_study::{StudyError, spread};
use catapult_training::progress::Progress;
use catapult_training::{Machine, TrainConfig, TrainingError, units};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Exit code if a retry may succeed, later or on another machine: `EX_TEMPFAIL` of sysexits.h.
const TRY_AGAIN: u8 = 75;

#[derive(Args)]
pub(crate) struct UnitsArguments {
    /// Run or study: a folder that all machines share, or a URL (s3://, gs://, az://, file:///).
    place: String,
    /// Begin the run or study from this config or study file. If it exists, keys that may change
    /// get the file's values.
    #[arg(long, value_name = "CONFIG")]
    begin: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct UnitArguments {
    /// Run or study: a folder that all machines share, or a URL.
    place: String,
    /// Name of the unit, as `cluster units` lists it.
    name: String,
    /// Number of threads, at most one per processor. The default is the config's.
    #[arg(long)]
    threads: Option<usize>,
    /// Device: `cpu`, `cuda`, `cuda:N` or `auto`. The default is the config's.
    #[arg(long)]
    device: Option<DeviceName>,
}

/// The line that `catapult cluster unit` prints, as JSON.
#[derive(Serialize)]
struct UnitLine<'a> {
    unit: &'a str,
    /// True if this command built the unit, false if the unit existed.
    made: bool,
    seconds: f64,
    /// Name of the numeric kernel (see the glossary).
    #[serde(rename = "arithmetic")]
    kernel: String,
}

/// Prints the units that are ready to be built, one JSON object per line.
pub(crate) fn list(arguments: &UnitsArguments) -> anyhow::Result<()> {
    let stop = crate::stop::on_signal()?;
    let location =
        Location::open(&arguments.place, arguments.begin.is_some()).map_err(TrainingError::from)?;
    if let Some(file) = &arguments.begin {
        begin(&location, file)?;
    }
    let open = match spread::is_study(&location)? {
        true => spread::open_units(&location, &Warnings, stop)?,
        false => units::open_units(&location)?,
    };
    for unit in open {
        say!("{}", serde_json::to_string(&unit)?);
    }
    Ok(())
}

/// Begins a study or a run from its file ([`StudyFile::is_study`]).
fn begin(location: &Location, file: &Path) -> anyhow::Result<()> {
    // Other errors of files are worth a retry.
    anyhow::ensure!(file.is_file(), "--begin {}: there is no such file", file.display());
    if StudyFile::is_study(file) {
        Ok(spread::begin(&StudyFile::read(file)?, location)?)
    } else {
        Ok(units::begin(location, &TrainConfig::read(file, &[])?)?)
    }
}

/// Builds a unit unless it exists, and prints the result line.
pub(crate) fn make(arguments: &UnitArguments) -> anyhow::Result<()> {
    let stop = crate::stop::on_signal()?;
    let began = Instant::now();
    let location = Location::open(&arguments.place, false).map_err(TrainingError::from)?;
    let machine = Machine { threads: arguments.threads, device: arguments.device };
    let made = match spread::is_study(&location)? {
        true => spread::make_unit(&location, &arguments.name, &machine, &Warnings, stop)?,
        false => units::make_unit(&location, &arguments.name, &machine, &Warnings, stop)?,
    };
    let line = UnitLine {
        unit: &arguments.name,
        made: made.is_new,
        seconds: (1e3 * began.elapsed().as_secs_f64()).round() / 1e3,
        kernel: made.kernel,
    };
    say!("{}", serde_json::to_string(&line)?);
    Ok(())
}

/// Returns the exit code [`TRY_AGAIN`] if a retry may succeed after this error, or else `None`.
pub(crate) fn exit_code(error: &anyhow::Error) -> Option<ExitCode> {
    let is_transient = error.downcast_ref::<TrainingError>().is_some_and(TrainingError::is_transient)
        || error.downcast_ref::<StudyError>().is_some_and(StudyError::is_transient)
        // Standard output could not be written, for example because a disk is full.
        || (error.is::<std::io::Error>() && !crate::is_closed_pipe(error));
    is_transient.then(|| ExitCode::from(TRY_AGAIN))
}

/// Progress display that prints only warnings, to standard error. Standard output has only the
/// result line.
struct Warnings;

impl Progress for Warnings {
    fn warn(&self, message: &str) {
        note!("warning: {message}");
    }
}

impl catapult_study::progress::StudyProgress for Warnings {}
