//! The command `catapult train`: trains a run and plays its final matches.

use crate::progress::Bars;
use catapult_arena::result_table;
use catapult_store::Location;
use catapult_training::{TrainConfig, TrainingError, evaluate, train};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct TrainArguments {
    /// Config file, such as configs/quickstart.toml, which explains every key.
    config: PathBuf,
    /// Folder of the run, or a URL (s3://, gs://, az://, file:///). The default is runs/NAME.
    #[arg(long)]
    run: Option<String>,
    /// Replace a key of the config, e.g. --set selfplay.simulations=64. Repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Stop after this many minutes, with exit code 130 as after Ctrl-C. Rerun the command to resume.
    #[arg(long, allow_negative_numbers = true)]
    minutes: Option<f64>,
}

pub(crate) fn run(arguments: &TrainArguments) -> anyhow::Result<()> {
    let config = TrainConfig::read(&arguments.config, &arguments.settings)?;
    let place = arguments.run.clone().unwrap_or_else(|| format!("runs/{}", config.name));
    let location = Location::open(&place, true).map_err(TrainingError::from)?;
    let stop = crate::stop::on_signal()?;
    arguments.minutes.map_or(Ok(()), crate::stop::after)?;
    note!("{place}: {} generations of {}", config.generations, config.variant_names());
    if location.is_mirror() {
        note!("{} mirrors it", location.dir().display());
    }
    let results = Bars::of(config.generations).during(|bars| {
        train(&config, location.clone(), bars, stop)?;
        evaluate(&config, location, bars, stop)
    })?;
    for results in results.chunk_by(|a, b| a.variant == b.variant) {
        if config.variants().len() > 1 {
            say!("{}:", results[0].variant);
        }
        say!("{}", result_table(results));
    }
    Ok(())
}
