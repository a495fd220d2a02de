//! The `catapult` command: reads arguments, draws progress, prints; everything of substance lives in the libraries.

#![allow(clippy::print_stdout, clippy::print_stderr)]
// Comments of arguments are the help that people read, not Markdown.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

/// `println!` that gives an error where standard output can't be written, instead of a panic.
macro_rules! say {
    ($($argument:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($argument)*)))?
    };
}

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[cfg(feature = "lab")]
mod ablate;
#[cfg(feature = "lab")]
mod bench;
mod board;
#[cfg(feature = "lab")]
mod chart;
mod compute;
mod convert;
#[cfg(feature = "lab")]
mod device;
mod doctor;
#[cfg(feature = "lab")]
mod endings;
mod games;
#[cfg(feature = "lab")]
mod inspect;
#[cfg(feature = "lab")]
mod learn;
#[cfg(any(test, not(feature = "lab")))]
mod left_out;
mod matches;
mod networks;
#[cfg(feature = "lab")]
mod pack;
#[cfg(all(test, feature = "lab"))]
mod pages;
mod play;
mod progress;
#[cfg(feature = "lab")]
mod rate;
mod replay;
mod rules;
#[cfg(feature = "lab")]
mod selfplay;
mod serve;
mod show;
mod stop;
mod study;
#[cfg(feature = "lab")]
mod train;
mod uci;
#[cfg(feature = "lab")]
mod units;

use clap::{Parser, Subcommand};
#[cfg(not(feature = "lab"))]
use std::ffi::OsString;
use std::process::ExitCode;

/// A self-play laboratory for Chess++ and its relatives.
#[derive(Parser)]
#[command(name = "catapult", version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "lab")]
    /// Train an agent by self-play, from the rules; the same command starts and resumes a run.
    Train(train::TrainArguments),
    #[cfg(feature = "lab")]
    /// Train a network on games that are there already: PGN, or the records of runs.
    Learn(learn::LearnArguments),
    /// Find out what rules do to a game: train or take agents, play, measure, judge, report.
    #[command(subcommand)]
    Study(study::StudyCommand),
    #[cfg(feature = "lab")]
    /// Find out what switches of the training give: arms from a common generation, equal budgets, several seeds.
    Ablate(ablate::AblateArguments),
    #[cfg(feature = "lab")]
    /// Solve small endings exactly, ask what a position is worth, verify.
    #[command(subcommand)]
    Endings(endings::EndingsCommand),
    /// Play a match between two players and print score, Elo and reasons.
    Match(matches::MatchArguments),
    #[cfg(feature = "lab")]
    /// Rate a run's networks, and any players, on one Elo scale against anchors; games go where they tell most.
    Rate(rate::RateArguments),
    /// Play against any player in the terminal.
    Play(play::PlayArguments),
    /// Be a chess engine: the UCI protocol on standard input and output, for every variant.
    Uci(uci::UciArguments),
    /// Serve the page from this machine: stronger play and analysis, runs to watch while they go on, games of two people over a link.
    Serve(serve::ServeArguments),
    #[cfg(feature = "lab")]
    /// Play one shard of a run anywhere, or verify one that is there.
    Selfplay(selfplay::SelfplayArguments),
    #[cfg(feature = "lab")]
    /// List what of a run or study can be made now, for those who spread it over machines: a JSON object a line.
    Units(units::UnitsArguments),
    #[cfg(feature = "lab")]
    /// Make one of what `units` lists, publish it, and tell so in a line; exit code 75 means: try again, here or elsewhere.
    Unit(units::UnitArguments),
    #[cfg(feature = "lab")]
    /// Tell what a network, a record, a state or a run is.
    Inspect(inspect::InspectArguments),
    #[cfg(feature = "lab")]
    /// Pack what a run or a study needs to go on elsewhere into one small file.
    Pack(pack::PackArguments),
    #[cfg(feature = "lab")]
    /// Make the folder of a run or a study of a pack; the same command goes on in it.
    Unpack(pack::UnpackArguments),
    #[cfg(feature = "lab")]
    /// Draw a run: how its games end, what it learns, how strong it has become.
    Chart(chart::ChartArguments),
    /// List the games: boards, pieces, what is special about each, and the proposals of Chess++.
    Games(games::GamesArguments),
    /// Count the leaves of the tree of legal moves; the last line is the bare count.
    Perft(rules::PerftArguments),
    /// Read FENs from standard input, one a line, and print their legal moves as JSON, one object a line.
    Moves(rules::MovesArguments),
    /// Draw a position in the terminal.
    Show(show::ShowArguments),
    /// Convert records to games (PGN), and both to lists of positions (FEN, EPD).
    Convert(convert::ConvertArguments),
    /// Play games of chess under the rules of Chess++: how many stay legal, where and why the others break.
    Replay(replay::ReplayArguments),
    #[cfg(feature = "lab")]
    /// Measure rules, search, network and self-play in one run.
    Bench(bench::BenchArguments),
    #[cfg(feature = "lab")]
    /// Hold a device's answers against those of the CPU, measure it, see where its time goes.
    #[command(subcommand)]
    Device(device::DeviceCommand),
    /// Check libtorch, bfloat16, CUDA and threads.
    Doctor(doctor::DoctorArguments),
    #[cfg(not(feature = "lab"))]
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// Panics are printed as ever, but for those that are caught and told as warnings.
#[cfg(feature = "lab")]
fn print_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !catapult_training::is_told(panic) {
            print(panic);
        }
    }));
}

fn main() -> ExitCode {
    #[cfg(feature = "lab")]
    print_panics();
    let result = match Arguments::parse().command {
        #[cfg(feature = "lab")]
        Command::Train(arguments) => train::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Study(command) => study::run(&command),
        #[cfg(feature = "lab")]
        Command::Ablate(arguments) => ablate::ablate(&arguments),
        #[cfg(feature = "lab")]
        Command::Endings(command) => endings::run(&command),
        Command::Match(arguments) => matches::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Rate(arguments) => rate::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Uci(arguments) => uci::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Selfplay(arguments) => selfplay::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Units(arguments) => return of_unit(units::list(&arguments)),
        #[cfg(feature = "lab")]
        Command::Unit(arguments) => return of_unit(units::make(&arguments)),
        #[cfg(feature = "lab")]
        Command::Inspect(arguments) => inspect::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Pack(arguments) => pack::pack(&arguments),
        #[cfg(feature = "lab")]
        Command::Unpack(arguments) => pack::unpack(&arguments),
        #[cfg(feature = "lab")]
        Command::Chart(arguments) => chart::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Perft(arguments) => rules::perft(&arguments),
        Command::Moves(arguments) => rules::moves(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Bench(arguments) => bench::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Device(command) => device::run(&command),
        Command::Doctor(arguments) => doctor::run(&arguments),
        #[cfg(not(feature = "lab"))]
        Command::Other(words) => left_out::refuse(&words),
    };
    told(result)
}

/// The same of a unit, whose exit code tells whether another try may do better.
#[cfg(feature = "lab")]
fn of_unit(result: anyhow::Result<()>) -> ExitCode {
    let passing = result.as_ref().err().and_then(units::exit_code);
    let code = told(result);
    passing.unwrap_or(code)
}

/// Tells of an error; the exit code of a command.
fn told(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    if let Some(told) = stop::told(&error) {
        eprintln!("{told}");
        // What a shell expects of a command that Ctrl-C has ended: nothing that follows is to run.
        return ExitCode::from(130);
    }
    eprintln!("catapult: {}", message(&error));
    ExitCode::FAILURE
}

/// An error and its causes in a line; what a cause repeats is said once.
fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.ends_with(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

/// Whether whoever read our output has stopped reading (`catapult moves chess | head`), which is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
