//! The command `catapult chart`: draws a run's chart as SVG.

use anyhow::{Context, ensure};
use catapult_training::ladder::strengths;
use catapult_training::{TrainConfig, chart, played_matches, run};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ChartArguments {
    /// Folder of the run.
    run: PathBuf,
    /// SVG file to write.
    #[arg(short, long, alias = "out")]
    output: PathBuf,
}

pub(crate) fn run(arguments: &ChartArguments) -> anyhow::Result<()> {
    let output = &arguments.output;
    let is_picture = output.extension().is_some_and(|extension| extension == "svg");
    ensure!(is_picture || !output.is_file(), "{}: not an SVG file; choose another output", output.display());
    let config = TrainConfig::read(&arguments.run.join("config.toml"), &[])?;
    let reports = run::read_reports(&arguments.run)?;
    let matches = played_matches(&config, &arguments.run)?;
    let games: u64 = reports.iter().filter_map(|report| report.games.as_ref()).map(|games| games.games).sum();
    let (games, variants) = (indicatif::HumanCount(games), config.variant_names());
    let TrainConfig { name, network, .. } = &config;
    let title = format!("{name}: {variants} learned from {games} games of its own by a network {network}");
    let strengths = strengths(&arguments.run, &config)?;
    let svg = chart::svg(&title, &reports, &strengths, &matches)
        .with_context(|| arguments.run.display().to_string())?;
    std::fs::write(output, svg).with_context(|| output.display().to_string())?;
    say!("{}", output.display());
    Ok(())
}
