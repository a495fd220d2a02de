//! The command `catapult ablate`: measures training options.

use crate::progress::Bars;
use catapult_report::effect_lines;
use catapult_study::config::StudyFile;
use catapult_study::{plan, run as studies};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct AblateArguments {
    /// File of the plan, such as configs/ablate/recipe.toml, which explains every key.
    plan_file: PathBuf,
    /// Print the expected cost, from a few seconds of play on this machine, and exit.
    #[arg(long)]
    plan: bool,
    /// Number of threads, instead of the plan's; 0 takes all.
    #[arg(long)]
    threads: Option<usize>,
    /// Folder of the ablation. The default is ablations/NAME.
    #[arg(short, long, alias = "output", value_parser = crate::folder())]
    out: Option<PathBuf>,
}

pub(crate) fn ablate(arguments: &AblateArguments) -> anyhow::Result<()> {
    let mut study = StudyFile::read_plan(&arguments.plan_file)?;
    if let Some(threads) = arguments.threads {
        study.config.machine.threads = threads;
    }
    let dir = arguments.out.clone().unwrap_or_else(|| PathBuf::from("ablations").join(&study.config.name));
    if arguments.plan {
        say!("{}", plan::plan(&study, &dir)?);
        return Ok(());
    }
    let stop = crate::stop::on_signal()?;
    let mut command = format!("scripts/catapult ablate {}", crate::quoted(&arguments.plan_file));
    if let Some(out) = &arguments.out {
        command.push_str(&format!(" --out {}", crate::quoted(out)));
    }
    let results = Bars::new().during(|bars| studies::run(&study, dir.as_path(), &command, bars, stop))?;
    for line in effect_lines(&results.measures) {
        say!("{line}");
    }
    super::study::print_warnings(&results);
    say!("{}", dir.join("report.html").display());
    Ok(())
}
