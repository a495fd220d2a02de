//! The commands `catapult cluster pack` and `catapult cluster unpack`: archives of runs,
//! studies and ablations.

use catapult_study::pack::{self as study, PackedStudy};
use catapult_training::{Packed, archive_holds};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct PackArguments {
    /// Folder of a run, a study or an ablation.
    folder: PathBuf,
    /// Archive to write, e.g. run.tar.zst.
    #[arg(short, long)]
    output: PathBuf,
    /// Leave out a study's games, the largest part. They can be played again.
    #[arg(long)]
    without_games: bool,
}

#[derive(Args)]
pub(crate) struct UnpackArguments {
    /// Archive that `catapult cluster pack` wrote.
    pack: PathBuf,
    /// Folder to create. `catapult train CONFIG --run FOLDER` or `catapult study run STUDY --out FOLDER` resumes in it.
    folder: PathBuf,
}

pub(crate) fn pack(arguments: &PackArguments) -> anyhow::Result<()> {
    let PackArguments { folder, output, without_games } = arguments;
    let told = if study::FILES.iter().any(|name| folder.join(name).exists()) {
        of_study(&study::pack(folder, output, !without_games)?)
    } else {
        anyhow::ensure!(!without_games, "--without-games: {} is no study", folder.display());
        of_run(&catapult_training::pack(folder, output)?)
    };
    say!("{}: {told}", output.display());
    Ok(())
}

pub(crate) fn unpack(arguments: &UnpackArguments) -> anyhow::Result<()> {
    let UnpackArguments { pack, folder } = arguments;
    let told = if archive_holds(pack, &study::FILES)? {
        of_study(&study::unpack(pack, folder)?)
    } else {
        of_run(&catapult_training::unpack(pack, folder)?)
    };
    say!("{}: {told}", folder.display());
    Ok(())
}

fn of_run(packed: &Packed) -> String {
    let Packed { generation, games_from, files, bytes } = packed;
    format!(
        "{files} files, packed {}; {generation} generations complete, games from generation {games_from} on",
        indicatif::HumanBytes(*bytes)
    )
}

fn of_study(packed: &PackedStudy) -> String {
    let PackedStudy { agents: [complete, under_way], shards, files, bytes } = packed;
    format!(
        "{files} files, packed {}; training complete of {complete} networks and under way of {under_way}, {shards} shards of games",
        indicatif::HumanBytes(*bytes)
    )
}
