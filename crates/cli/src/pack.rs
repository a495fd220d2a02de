//! `catapult pack` and `catapult unpack`: a run in one small file.

use catapult_training::Packed;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct PackArguments {
    /// The run's folder.
    run: PathBuf,
    /// The file that is written, e.g. run.tar.zst.
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(Args)]
pub(crate) struct UnpackArguments {
    /// What `catapult pack` wrote.
    pack: PathBuf,
    /// The run's folder, which is made; `catapult train CONFIG --run RUN` goes on in it.
    run: PathBuf,
}

pub(crate) fn pack(arguments: &PackArguments) -> anyhow::Result<()> {
    let packed = catapult_training::pack(&arguments.run, &arguments.output)?;
    say!("{}: {}", arguments.output.display(), describe(&packed));
    Ok(())
}

pub(crate) fn unpack(arguments: &UnpackArguments) -> anyhow::Result<()> {
    let packed = catapult_training::unpack(&arguments.pack, &arguments.run)?;
    say!("{}: {}", arguments.run.display(), describe(&packed));
    Ok(())
}

fn describe(packed: &Packed) -> String {
    let Packed { generation, games_from, files, bytes } = packed;
    format!(
        "{files} files, packed {}; {generation} generations complete, games from generation {games_from} on",
        indicatif::HumanBytes(*bytes)
    )
}
