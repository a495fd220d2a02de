//! Commands that train, study, solve and measure. A build without libtorch does not have them.

mod ablate;
pub(crate) mod bench;
mod chart;
pub(crate) mod device;
mod endings;
mod exam;
mod inspect;
mod judge;
mod learn;
mod pack;
mod rate;
mod selfplay;
pub(crate) mod study;
mod train;
mod units;

use catapult_endings::EndingsError;
use catapult_study::StudyError;
use catapult_training::TrainingError;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum LabCommand {
    /// Train an agent by self-play. The same command starts and resumes a run.
    Train(train::TrainArguments),
    /// Train a network on existing games: PGN, or the records of runs.
    Learn(learn::LearnArguments),
    /// Measure training options in Elo, at equal budgets, over several seeds.
    Ablate(ablate::AblateArguments),
    /// Examine a network: gates with a threshold and a verdict. The same command starts and resumes.
    Exam(exam::ExamArguments),
    /// Measure what a rule changes: self-play under it, under Chess++ and under chess. The same command starts and resumes.
    Judge(judge::JudgeArguments),
    /// Rate networks of runs, and other players, on one Elo scale.
    Rate(rate::RateArguments),
    /// Solve small endings exactly, probe positions, verify tables.
    #[command(subcommand)]
    Endings(endings::EndingsCommand),
    /// Show and verify a network, shard, training state or run.
    Inspect(inspect::InspectArguments),
    /// Draw a run as SVG: how games end, losses, strength.
    Chart(chart::ChartArguments),
    /// Spread a run or study over machines: units, shards, archives.
    #[command(subcommand)]
    Cluster(ClusterCommand),
}

#[derive(Subcommand)]
pub(crate) enum ClusterCommand {
    /// List the units of a run or study that can be built now, one JSON object per line.
    Units(units::UnitsArguments),
    /// Build and publish one unit, and print one line. Exit code 75 means that another try may succeed.
    Unit(units::UnitArguments),
    /// Play one shard of a run, or verify an existing one.
    Selfplay(selfplay::SelfplayArguments),
    /// Pack into one archive what a run needs to continue elsewhere.
    Pack(pack::PackArguments),
    /// Unpack an archive of a run.
    Unpack(pack::UnpackArguments),
}

pub(crate) fn run(command: &LabCommand) -> ExitCode {
    let result = match command {
        LabCommand::Train(arguments) => train::run(arguments),
        LabCommand::Learn(arguments) => learn::run(arguments),
        LabCommand::Ablate(arguments) => ablate::ablate(arguments),
        LabCommand::Exam(arguments) => exam::run(arguments),
        LabCommand::Judge(arguments) => judge::run(arguments),
        LabCommand::Rate(arguments) => rate::run(arguments),
        LabCommand::Endings(command) => endings::run(command),
        LabCommand::Inspect(arguments) => inspect::run(arguments),
        LabCommand::Chart(arguments) => chart::run(arguments),
        LabCommand::Cluster(command) => match command {
            ClusterCommand::Units(arguments) => return of_unit(units::list(arguments)),
            ClusterCommand::Unit(arguments) => return of_unit(units::make(arguments)),
            ClusterCommand::Selfplay(arguments) => selfplay::run(arguments),
            ClusterCommand::Pack(arguments) => pack::pack(arguments),
            ClusterCommand::Unpack(arguments) => pack::unpack(arguments),
        },
    };
    crate::report(result)
}

/// Prints the error of a unit's command, if there is one. Returns the process's exit code, which is
/// 75 if a retry may succeed.
fn of_unit(result: anyhow::Result<()>) -> ExitCode {
    let passing = result.as_ref().err().and_then(units::exit_code);
    let code = crate::report(result);
    passing.unwrap_or(code)
}

/// Returns true if the error means that the work was stopped and the same command resumes it.
pub(crate) fn is_resumable(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StudyError::Stopped))
        || matches!(error.downcast_ref(), Some(TrainingError::Stopped))
        || matches!(error.downcast_ref(), Some(EndingsError::Stopped))
}
