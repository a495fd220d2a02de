//! `catapult train`.

use crate::progress::Bars;
use catapult_store::Location;
use catapult_training::{TrainConfig, TrainingError, evaluate, train};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct TrainArguments {
    /// The config file; configs/ holds commented ones.
    config: PathBuf,
    /// The run's folder, or a URL (s3://, gs://, az://, file:///); runs/<name> if none is given.
    #[arg(long)]
    run: Option<String>,
    /// Replaces a key of the config, e.g. --set selfplay.simulations=64; may be given more than once.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Stops after so many minutes as after Ctrl-C (exit code 130 too); the same command goes on.
    #[arg(long)]
    minutes: Option<f64>,
}

pub(crate) fn run(arguments: &TrainArguments) -> anyhow::Result<()> {
    let config = TrainConfig::read(&arguments.config, &arguments.settings)?;
    let place = arguments.run.clone().unwrap_or_else(|| format!("runs/{}", config.name));
    let location = Location::open(&place, true).map_err(TrainingError::from)?;
    let stop = crate::stop::on_signal()?;
    arguments.minutes.map_or(Ok(()), crate::stop::after)?;
    eprintln!("{place}: {} generations of {}", config.generations, config.variant_names());
    if location.is_mirror() {
        eprintln!("{} mirrors it", location.dir().display());
    }
    let bars = Bars::of(config.generations);
    let result =
        train(&config, location.clone(), &bars, stop).and_then(|_| evaluate(&config, location, &bars, stop));
    drop(bars);
    let table = result?;
    if !table.rows.is_empty() {
        say!("{table}");
    }
    Ok(())
}
