//! The command `catapult study` and its subcommands.

use catapult_report as report;
use clap::{Args, Subcommand};
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum StudyCommand {
    /// Train or take a study's agents, play its games, measure, judge and report. The same command starts and resumes.
    #[cfg(feature = "torch")]
    Run(crate::lab::study::RunArguments),
    /// Run a study: not in this build.
    #[cfg(not(feature = "torch"))]
    #[command(disable_help_flag = true)]
    Run {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        _words: Vec<std::ffi::OsString>,
    },
    /// Render the report of a finished study again, from its `metrics.json`.
    Report(ReportArguments),
    /// Compare finished studies: tables and figures side by side.
    Compare(CompareArguments),
}

#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Folder of a finished study.
    study: PathBuf,
}

#[derive(Args)]
pub(crate) struct CompareArguments {
    /// Folders of finished studies.
    #[arg(required = true)]
    studies: Vec<PathBuf>,
    /// Folder for the comparison.
    #[arg(long, default_value = "studies/comparison")]
    out: PathBuf,
}

pub(crate) fn run(command: &StudyCommand) -> anyhow::Result<()> {
    match command {
        #[cfg(feature = "torch")]
        StudyCommand::Run(arguments) => crate::lab::study::run(arguments),
        #[cfg(not(feature = "torch"))]
        StudyCommand::Run { .. } => anyhow::bail!("{}", crate::left_out::missing("study run")),
        StudyCommand::Report(arguments) => render(arguments),
        StudyCommand::Compare(arguments) => compare(arguments),
    }
}

fn render(arguments: &ReportArguments) -> anyhow::Result<()> {
    let dir = &arguments.study;
    report::write(&report::read(dir)?, dir)?;
    say!("{}", dir.join(report::PAGE_FILE).display());
    Ok(())
}

fn compare(arguments: &CompareArguments) -> anyhow::Result<()> {
    let (dirs, out) = (&arguments.studies, &arguments.out);
    // Only an earlier comparison may be replaced. A study's own report has the same file names.
    let has = |name: &str| out.join(name).exists();
    if has(report::METRICS_FILE) || (has(report::PAGE_FILE) && !has("metrics.csv")) {
        anyhow::bail!("{} holds another report; choose another --out folder", out.display());
    }
    let mut results: Vec<_> = dirs.iter().map(|dir| report::read(dir)).collect::<Result<_, _>>()?;
    // All judged rules have one name, and so have all exams.
    let names: BTreeSet<&str> = results.iter().map(|study| study.name.as_str()).collect();
    if names.len() < results.len() {
        for (study, dir) in results.iter_mut().zip(dirs) {
            study.name = dir.display().to_string();
        }
    }
    report::compare(&results, out)?;
    say!("{}", out.join(report::PAGE_FILE).display());
    Ok(())
}
