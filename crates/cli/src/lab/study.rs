//! The command `catapult study run`: runs a study.

use crate::progress::Bars;
use catapult_report::results::StudyResults;
use catapult_report::{warnings, words};
use catapult_store::Location;
use catapult_study::config::StudyFile;
use catapult_study::{StudyError, plan, run as studies};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct RunArguments {
    /// File of the study, such as configs/study/quick.toml, which explains every key.
    study: PathBuf,
    /// Print the expected cost, from a few seconds of play on this machine, and exit.
    #[arg(long)]
    plan: bool,
    /// Play and measure, but show only the scatter between training seeds and the number of seeds
    /// that each claim needs. This shows no effect and spends no significance.
    #[arg(long, conflicts_with = "plan")]
    variances: bool,
    /// Folder of the study, or a URL (s3://, gs://, az://, file:///). The default is studies/NAME.
    #[arg(short, long, alias = "output")]
    out: Option<String>,
}

pub(crate) fn run(arguments: &RunArguments) -> anyhow::Result<()> {
    let study = StudyFile::read(&arguments.study)?;
    let place = arguments.out.clone().unwrap_or_else(|| format!("studies/{}", study.config.name));
    let location = Location::open(&place, !arguments.plan).map_err(StudyError::from)?;
    if arguments.plan {
        say!("{}", plan::plan(&study, location.dir())?);
        return Ok(());
    }
    let stop = crate::stop::on_signal()?;
    let mut command = format!("scripts/catapult study run {}", crate::quoted(&arguments.study));
    if let Some(out) = &arguments.out {
        command.push_str(&format!(" --out {}", crate::quoted(Path::new(out))));
    }
    let results = Bars::new().during(|bars| match arguments.variances {
        true => studies::variances(&study, location.clone(), bars, stop),
        false => studies::run(&study, location.clone(), &command, bars, stop),
    })?;
    if results.registration.looks.last().is_some_and(|look| look.variances_only) {
        return variances(&results);
    }
    for judgement in &results.judgements {
        let (endpoint, verdict) = (&judgement.endpoint, judgement.verdict);
        say!("{} ({}): {verdict}. {}", endpoint.claim, endpoint.arm, words::summary(judgement));
    }
    print_warnings(&results);
    say!("{}", location.dir().join("report.html").display());
    Ok(())
}

/// Prints the warnings of a study to standard error.
pub(super) fn print_warnings(results: &StudyResults) {
    for warning in &results.warnings {
        note!("warning: {}", warnings::warning(warning));
    }
}

/// Prints the data that would settle each open claim. Prints no effect.
fn variances(results: &StudyResults) -> anyhow::Result<()> {
    for judgement in &results.judgements {
        let endpoint = &judgement.endpoint;
        say!("{} ({}): {}", endpoint.claim, endpoint.arm, words::summary(judgement));
        for gate in &judgement.gates {
            let power = gate.power.map(|power| format!(" Power {:.0} %.", 100.0 * power)).unwrap_or_default();
            say!("  {}: {}{power}", words::gate_name(&gate.kind), words::gate(judgement, gate));
        }
        if let Some(settle) = words::would_settle(judgement) {
            say!("  {settle}");
        }
    }
    print_warnings(results);
    say!("no effect was shown and no report written");
    Ok(())
}
