//! The command `catapult exam`: checks one network for known faults.

use super::endings::pool;
use crate::progress::Bars;
use anyhow::bail;
use catapult_report::exam as words;
use catapult_study::exam::{self, Exam, PAGE_FILE, Size};
use clap::Args;
use std::path::{Path, PathBuf};

/// Default folder of the endgame tables.
const TABLES: &str = "exams/endings";
/// Default file of the positions with their best moves.
const SUITE: &str = "experiments/tactics/catapult.epd";

#[derive(Args)]
pub(crate) struct ExamArguments {
    /// File of the network (.safetensors).
    network: PathBuf,
    /// Folder of the exam. The default is exams/NAME, and exams/NAME-quick with --quick. Rerun the command to resume.
    #[arg(short, long, alias = "out", value_parser = crate::folder())]
    output: Option<PathBuf>,
    /// Play fewer games with fewer simulations: about a tenth of the work.
    #[arg(long)]
    quick: bool,
    /// Print the expected cost, from a few seconds of play on this machine, and exit.
    #[arg(long)]
    plan: bool,
    /// Number of threads; 0 takes all.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Folder of the endgame tables, which exams share. Missing tables are solved first.
    #[arg(long, default_value = TABLES, value_parser = crate::folder())]
    tables: PathBuf,
    /// Positions with their best moves (EPD with `bm`). Without the file, they are left out.
    #[arg(long, default_value = SUITE)]
    suite: PathBuf,
}

pub(crate) fn run(arguments: &ExamArguments) -> anyhow::Result<()> {
    let ExamArguments { network, output, quick, plan, threads, tables, suite } = arguments;
    if !network.is_file() {
        let found = if network.is_dir() { "is a folder" } else { "there is no such file" };
        bail!("{}: {found}; an exam takes one network (.safetensors)", network.display());
    }
    if suite != Path::new(SUITE) && !suite.exists() {
        bail!("--suite {}: there is no such file", suite.display());
    }
    let exam = Exam {
        network: network.clone(),
        tables: tables.clone(),
        suite: suite.clone(),
        size: if *quick { Size::quick() } else { Size::full() },
        threads: *threads,
    };
    let ending = if *quick { "-quick" } else { "" };
    let dir = output.clone().unwrap_or_else(|| PathBuf::from(format!("exams/{}{ending}", exam.name())));
    if *plan {
        say!("{}", exam::plan(&exam, &dir)?);
        return Ok(());
    }
    let stop = crate::stop::on_signal()?;
    let flag = if *quick { " --quick" } else { "" };
    let mut command = format!("scripts/catapult exam {}{flag}", crate::quoted(network));
    if let Some(output) = output {
        command += &format!(" --output {}", crate::quoted(output));
    }
    for (name, path, default) in [("tables", tables, TABLES), ("suite", suite, SUITE)] {
        if path != Path::new(default) {
            command += &format!(" --{name} {}", crate::quoted(path));
        }
    }
    let pool = pool(*threads)?;
    let found = Bars::new().during(|bars| pool.install(|| exam::run(&exam, &dir, &command, bars, stop)))?;
    say!("{}\nGates: {}.\n{}", words::tables(&found), words::summary(&found), dir.join(PAGE_FILE).display());
    Ok(())
}
