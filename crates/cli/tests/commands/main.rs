//! Tests that run the binary `catapult` as users do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod ablate;
mod architecture;
mod endings;
mod errors;
mod files;
#[cfg(target_os = "linux")]
mod full_disk;
mod judge;
mod play;
mod rules;
mod snapshots;
mod units;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `catapult` with arguments and with `input` as standard input.
fn catapult_reading(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_catapult"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let input = input.to_vec();
    // A separate thread writes, because the program may answer before it has read everything. A
    // program that has ended reads no more.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    output
}

fn catapult(arguments: &[&str]) -> Output {
    catapult_reading(arguments, b"")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program prints UTF-8")
}

/// Runs a command that must succeed, and returns its standard output.
fn succeed(arguments: &[&str]) -> String {
    let output = catapult(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs a command that must fail. Its message must contain all `words`. Returns the message.
fn fail(arguments: &[&str], words: &[&str]) -> String {
    let output = catapult(arguments);
    let message = text(&output.stderr);
    // 1 is the program's own code, 2 is clap's for invalid arguments.
    assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {:?}, {message}", output.status);
    assert!(!message.contains("panicked") && !message.contains("RUST_BACKTRACE"), "{arguments:?}: {message}");
    for word in words {
        assert!(message.contains(word), "{arguments:?} does not say `{word}`: {message}");
    }
    message
}

/// Runs a command that must fail, like [`fail`]. The last line of the message must contain all
/// `words`.
fn fail_in_a_line(arguments: &[&str], words: &[&str]) {
    let message = fail(arguments, words);
    let last = message.lines().last().unwrap_or_default();
    assert!(last.starts_with("catapult: "), "{message}");
    for word in words {
        assert!(last.contains(word), "`{word}` is not in the last line of: {message}");
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("test folders have plain names")
}

/// Returns the path of the workspace's root.
fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
