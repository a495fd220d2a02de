//! The command `catapult study` and its subcommands.

use catapult_report as report;
use clap::{Args, Subcommand};
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
}

#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Folder of a finished study.
    study: PathBuf,
}

pub(crate) fn run(command: &StudyCommand) -> anyhow::Result<()> {
    match command {
        #[cfg(feature = "torch")]
        StudyCommand::Run(arguments) => crate::lab::study::run(arguments),
        #[cfg(not(feature = "torch"))]
        StudyCommand::Run { .. } => anyhow::bail!("{}", crate::left_out::missing("study run")),
        StudyCommand::Report(arguments) => render(arguments),
    }
}

fn render(arguments: &ReportArguments) -> anyhow::Result<()> {
    let dir = &arguments.study;
    report::write(&report::read(dir)?, dir)?;
    say!("{}", dir.join(report::PAGE_FILE).display());
    Ok(())
}
