//! `catapult ablate`.

use crate::progress::Bars;
use catapult_study::ablation::{AblationFile, plan, run, told};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct AblateArguments {
    /// File of the plan, such as configs/ablate-recipe.toml, which explains every key.
    plan_file: PathBuf,
    /// Print the expected cost, from a few seconds of play on this machine, and exit.
    #[arg(long)]
    plan: bool,
    /// Number of threads, instead of the plan's; 0 takes all.
    #[arg(long)]
    threads: Option<usize>,
    /// Folder of the ablation. The default is ablations/NAME.
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn ablate(arguments: &AblateArguments) -> anyhow::Result<()> {
    let mut file = AblationFile::read(&arguments.plan_file)?;
    if let Some(threads) = arguments.threads {
        file.config.machine.threads = threads;
    }
    let dir = arguments.out.clone().unwrap_or_else(|| PathBuf::from("ablations").join(&file.config.name));
    if arguments.plan {
        say!("{}", plan(&file, &dir)?);
        return Ok(());
    }
    let stop = crate::stop::on_signal()?;
    let mut command = format!("scripts/catapult ablate {}", arguments.plan_file.display());
    if let Some(out) = &arguments.out {
        command.push_str(&format!(" --out {}", out.display()));
    }
    let bars = Bars::new();
    let result = run(&file, &dir, &command, &bars, stop);
    drop(bars);
    let results = result?;
    for line in told(&results) {
        say!("{line}");
    }
    for warning in &results.warnings {
        eprintln!("warning: {warning}");
    }
    say!("{}", dir.join("report.html").display());
    Ok(())
}
