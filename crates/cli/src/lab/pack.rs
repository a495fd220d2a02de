//! The commands `catapult cluster pack` and `catapult cluster unpack`: archives of runs.

use catapult_training::Packed;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct PackArguments {
    /// Folder of a run.
    folder: PathBuf,
    /// Archive to write, e.g. run.tar.zst. Only an archive is replaced.
    #[arg(short, long, alias = "out")]
    output: PathBuf,
}

#[derive(Args)]
pub(crate) struct UnpackArguments {
    /// Archive that `catapult cluster pack` wrote.
    archive: PathBuf,
    /// Folder to create. `catapult train CONFIG --run FOLDER` resumes in it.
    #[arg(value_parser = crate::folder())]
    folder: PathBuf,
}

pub(crate) fn pack(arguments: &PackArguments) -> anyhow::Result<()> {
    crate::check_folder(&arguments.output)?;
    tell(&arguments.output, &catapult_training::pack(&arguments.folder, &arguments.output)?)
}

pub(crate) fn unpack(arguments: &UnpackArguments) -> anyhow::Result<()> {
    tell(&arguments.folder, &catapult_training::unpack(&arguments.archive, &arguments.folder)?)
}

fn tell(written: &Path, packed: &Packed) -> anyhow::Result<()> {
    let Packed { generation, games_from, files, bytes } = packed;
    say!(
        "{}: {files} files, packed {}; {generation} generations complete, games from generation {games_from} on",
        written.display(),
        indicatif::HumanBytes(*bytes)
    );
    Ok(())
}
