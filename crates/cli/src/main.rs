//! The program `catapult`: arguments, progress and output. Library crates do the work.

// Doc comments of arguments are help texts for people, not Markdown.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

/// Prints a line like `println!`. If standard output cannot be written, the calling function
/// returns the error instead of panicking.
macro_rules! say {
    ($($argument:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($argument)*)))?
    };
}

/// Prints a line like `eprintln!`, without a panic if standard error cannot be written.
macro_rules! note {
    ($($text:tt)*) => {
        drop(std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{}\n", format_args!($($text)*))))
    };
}

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod board;
mod compute;
mod convert;
mod doctor;
mod games;
mod groups;
#[cfg(feature = "torch")]
mod lab;
#[cfg(any(test, not(feature = "torch")))]
mod left_out;
mod matches;
mod networks;
#[cfg(all(test, feature = "torch"))]
mod pages_tests;
mod play;
mod progress;
#[cfg(all(test, feature = "torch"))]
mod reference_tests;
mod replay;
mod rules;
#[cfg(all(test, feature = "torch"))]
mod search_settings_tests;
mod serve;
mod show;
mod stop;
mod study;
mod uci;

use anyhow::Context;
use catapult_records::rules_file;
use catapult_rules::Variant;
use catapult_store::is_url;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Parser, Subcommand};
use serde::Serialize;
#[cfg(not(feature = "torch"))]
use std::ffi::OsString;
use std::path::{Path, PathBuf};
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
    /// Measure what rules do to a game: train agents, play, measure, judge, report.
    #[command(subcommand)]
    Study(study::StudyCommand),
    /// Play a match between two players and print score, Elo and how games ended.
    Match(matches::MatchArguments),
    /// Play against any player in the terminal.
    Play(play::PlayArguments),
    /// Run as a UCI engine on standard input and output, for every variant.
    Uci(uci::UciArguments),
    /// Serve the page over HTTP, with searches on this machine, live runs and games of two people.
    Serve(serve::ServeArguments),
    /// List the games: boards, pieces, special rules, and the proposals of Chess++.
    Games(games::GamesArguments),
    /// Count the leaves of the tree of legal moves. The last line is the count alone.
    Perft(rules::PerftArguments),
    /// Read FENs from standard input, one per line, and print their legal moves as JSON, one object per line.
    Moves(rules::MovesArguments),
    /// Draw a position in the terminal.
    Show(show::ShowArguments),
    /// Convert records to PGN, and records or PGN to lists of positions (FEN, EPD).
    Convert(convert::ConvertArguments),
    /// Replay games of chess under the rules of Chess++, and count which stay legal.
    Replay(replay::ReplayArguments),
    /// Check this machine: libtorch, devices, speed.
    #[command(subcommand)]
    System(groups::SystemCommand),
    #[cfg(feature = "torch")]
    #[command(flatten)]
    Lab(lab::LabCommand),
    #[cfg(not(feature = "torch"))]
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// Lets freed memory stay with the program for up to 10 s instead of 1 s, unless the environment
/// sets another delay. The quickstart took a tenth less processor time with it, on an Intel Xeon.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn keep_freed_memory() {
    use libmimalloc_sys::{mi_option_set_default, mi_option_t};
    /// Number of the option `mi_option_purge_delay` in mimalloc 3. Its unit is milliseconds.
    const PURGE_DELAY: mi_option_t = 15;
    // SAFETY: the option exists, and no other thread runs yet.
    unsafe { mi_option_set_default(PURGE_DELAY, 10_000) }
}

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    keep_freed_memory();
    let result = match Arguments::parse().command {
        Command::Study(command) => study::run(&command),
        Command::Match(arguments) => matches::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Uci(arguments) => uci::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Perft(arguments) => rules::perft(&arguments),
        Command::Moves(arguments) => rules::moves(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::System(command) => groups::system(&command),
        #[cfg(feature = "torch")]
        Command::Lab(command) => return lab::run(&command),
        #[cfg(not(feature = "torch"))]
        Command::Other(words) => left_out::refuse(&[], &words),
    };
    report(result)
}

/// Parses a variant's name, or reads the rules file of this path.
fn variant(text: &str) -> Result<Variant, String> {
    rules_file::variant(text, Path::new(""))
}

/// Returns the parser of a folder's path, which rejects URLs.
fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path: PathBuf| {
        let is_url = path.to_str().is_some_and(is_url);
        if is_url { Err("must be a folder, not a URL") } else { Ok(path) }
    })
}

/// Rejects an output file whose folder does not exist. Otherwise a typing error could create it.
fn check_folder(output: &Path) -> anyhow::Result<()> {
    let has_folder = std::path::absolute(output)?.parent().is_some_and(Path::is_dir);
    anyhow::ensure!(has_folder, "{}: its folder does not exist", output.display());
    Ok(())
}

/// Writes a value to the JSON file that an option names.
fn write_json(file: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    std::fs::write(file, text).with_context(|| file.display().to_string())
}

/// Quotes a path for the shell, for a command in a report.
#[cfg(feature = "torch")]
fn quoted(path: &Path) -> String {
    // The only error is a NUL, which no argument contains.
    shlex::try_quote(&path.to_string_lossy()).unwrap_or_default().into_owned()
}

/// Prints an error, if there is one, and returns the process's exit code: 0, 1, 130 after a stop
/// request, or 141 if the reader of standard output has closed it.
fn report(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_closed_pipe(&error) {
        // The exit code of a command that SIGPIPE ended. It may not have finished its work.
        return ExitCode::from(141);
    }
    if let Some(message) = stop::message(&error) {
        note!("{message}");
        // The exit code of a command ended by Ctrl-C. Shells then run no further command.
        return ExitCode::from(130);
    }
    note!("catapult: {}", message(&error));
    ExitCode::FAILURE
}

/// Returns an error and its causes in one line, without repetitions.
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

/// Returns true if the reader of standard output has closed it, as in `catapult moves chess | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
