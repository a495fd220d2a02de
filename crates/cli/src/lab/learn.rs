//! The command `catapult learn`: trains a network on existing games.

use crate::progress::Bars;
use catapult_training::{TrainConfig, TrainingError, learn_from};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct LearnArguments {
    /// Config of a run. `learn` uses its variant, [network], [learning], `initial`, `seed` and [window] rows_per_game.
    config: PathBuf,
    /// Games to learn from: PGN files, shards, folders of shards, runs. Repeatable.
    #[arg(long, required = true, num_args = 1..)]
    from: Vec<PathBuf>,
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
    let bars = Bars::of(1);
    let lesson = learn_from(&config, &arguments.from, &arguments.output, &bars, stop);
    drop(bars);
    let lesson = lesson.map_err(|error| match error {
        TrainingError::Stopped => anyhow::Error::new(error).context("nothing was written"),
        error => error.into(),
    })?;
    say!(
        "{} games ({} more could not be used), {} positions, {} steps",
        lesson.games,
        lesson.skipped,
        lesson.rows,
        lesson.steps
    );
    say!("losses while learning: policy {:.3}, value {:.3}", lesson.losses.policy, lesson.losses.value);
    for (variant, losses) in &lesson.held_out {
        say!(
            "losses on games held out ({variant}, {} positions): policy {:.3}, value {:.3}",
            losses.rows,
            losses.policy,
            losses.value
        );
    }
    say!("{}: BLAKE3 {}", arguments.output.display(), lesson.network);
    Ok(())
}
