//! The command `catapult learn`: trains a network on existing games.

use crate::progress::Bars;
use catapult_training::report::VariantLosses;
use catapult_training::{SupervisedReport, TrainConfig, TrainingError, learn_from};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct LearnArguments {
    /// Config of a run. `learn` uses its variant, [network], [learning], [machine], `initial`, `seed` and the
    /// limits per game in [window].
    config: PathBuf,
    /// Games to learn from: PGN files, shards, folders of shards, runs. A PGN game without the tag Variant is
    /// chess. Repeatable. Put it after the other arguments.
    #[arg(long, required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// Network whose outputs on the positions of the games are learned, instead of moves and results. The losses on
    /// games held out still compare with the games.
    #[arg(long, value_name = "FILE")]
    teacher: Option<PathBuf>,
    /// Network file to write. It must not exist yet.
    #[arg(short, long, alias = "out")]
    output: PathBuf,
    /// Replace a key of the config, e.g. --set learning.passes=4. Repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

pub(crate) fn run(arguments: &LearnArguments) -> anyhow::Result<()> {
    let is_network = arguments.output.extension().is_some_and(|extension| extension == "safetensors");
    anyhow::ensure!(is_network, "{}: the name must end in .safetensors", arguments.output.display());
    crate::check_folder(&arguments.output)?;
    let config = TrainConfig::read(&arguments.config, &arguments.settings)?;
    let stop = crate::stop::on_signal()?;
    let LearnArguments { from, teacher, output, .. } = arguments;
    let report = Bars::of(1).during(|bars| learn_from(&config, from, teacher.as_deref(), output, bars, stop));
    let report = report.map_err(|error| match error {
        TrainingError::Stopped => anyhow::Error::new(error).context("nothing was written"),
        error => error.into(),
    })?;
    let SupervisedReport { games, skipped, rows, steps, losses, held_out, network } = report;
    say!("{games} games ({skipped} unusable ones skipped), {rows} training samples, {steps} steps");
    say!("training losses: policy {:.3}, value {:.3}", losses.policy, losses.value);
    for (variant, VariantLosses { rows, policy, value }) in held_out {
        say!("held-out losses ({variant}, {rows} training samples): policy {policy:.3}, value {value:.3}");
    }
    say!("{}: BLAKE3 {network}", output.display());
    Ok(())
}
