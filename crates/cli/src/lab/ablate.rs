//! `catapult ablate`.

use crate::progress::Bars;
use catapult_report::{effect_lines, warnings};
use catapult_study::config::StudyFile;
use catapult_study::{plan, run as studies};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct AblateArguments {
    /// The plan's file; configs/ablate-recipe.toml is a commented one.
    plan_file: PathBuf,
    /// Print what it will take, from a few seconds of play on this machine, and do nothing.
    #[arg(long)]
    plan: bool,
    /// Threads, instead of those of the plan; 0 takes all.
    #[arg(long)]
    threads: Option<usize>,
    /// The ablation's folder; ablations/<name> if none is given.
    #[arg(long)]
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
    let mut command = format!("scripts/catapult ablate {}", arguments.plan_file.display());
    if let Some(out) = &arguments.out {
        command.push_str(&format!(" --out {}", out.display()));
    }
    let bars = Bars::new();
    let result = studies::run(&study, dir.as_path(), &command, &bars, stop);
    drop(bars);
    let results = result?;
    for line in effect_lines(&results.measures) {
        say!("{line}");
    }
    for warning in &results.warnings {
        eprintln!("warning: {}", warnings::warning(warning));
    }
    say!("{}", dir.join("report.html").display());
    Ok(())
}
