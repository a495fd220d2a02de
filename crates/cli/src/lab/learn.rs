//! The command `catapult learn`: trains a network on existing games.

use crate::progress::Bars;
use catapult_training::report::ArmLosses;
use catapult_training::{Lesson, TrainConfig, TrainingError, learn_from};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct LearnArguments {
    /// Config of a run. `learn` uses its variant, [network], [learning], [machine], `initial`, `seed` and the
    /// limits per game in [window].
    config: PathBuf,
    /// Games to learn from: PGN files, shards, folders of shards, runs. Repeatable.
    #[arg(long, required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// Network whose outputs on the positions of the games are learned, instead of moves and results. The losses on
    /// games held out still compare with the games.
    #[arg(long, value_name = "FILE")]
    teacher: Option<PathBuf>,
    /// Network file to write. It must not exist yet.
    #[arg(short, long)]
    output: PathBuf,
    /// Replace a key of the config, e.g. --set learning.passes=4. Repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

pub(crate) fn run(arguments: &LearnArguments) -> anyhow::Result<()> {
    let config = TrainConfig::read(&arguments.config, &arguments.settings)?;
    let stop = crate::stop::on_signal()?;
    let LearnArguments { from, teacher, output, .. } = arguments;
    let lesson = Bars::of(1).during(|bars| learn_from(&config, from, teacher.as_deref(), output, bars, stop));
    let lesson = lesson.map_err(|error| match error {
        TrainingError::Stopped => anyhow::Error::new(error).context("nothing was written"),
        error => error.into(),
    })?;
    let Lesson { games, skipped, rows, steps, losses, held_out, network } = lesson;
    say!("{games} games ({skipped} more could not be used), {rows} positions, {steps} steps");
    say!("losses while learning: policy {:.3}, value {:.3}", losses.policy, losses.value);
    for (variant, ArmLosses { rows, policy, value }) in held_out {
        say!("losses on games held out ({variant}, {rows} positions): policy {policy:.3}, value {value:.3}");
    }
    say!("{}: BLAKE3 {network}", output.display());
    Ok(())
}
