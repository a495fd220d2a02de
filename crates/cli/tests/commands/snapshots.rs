//! Snapshots of printed text, so that a change of the program shows every changed sentence and
//! table.
//! `UPDATE_EXPECT=1 cargo test -p catapult-cli --test commands snapshots` rewrites the files.

use super::{root, text};
use expect_test::{ExpectFile, expect_file};
use std::process::Command;

/// Runs commands in the workspace's root and compares their output and exit codes with a file.
fn printed(commands: &[&str], expected: ExpectFile) {
    let mut all = String::new();
    for command in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_catapult"))
            .args(command.split(' '))
            .current_dir(root())
            .output()
            .expect("the binary starts");
        let code = output.status.code().expect("it ends by itself");
        all += &format!("$ catapult {command}\n{}{}", text(&output.stdout), text(&output.stderr));
        all += &if code == 0 { "\n".to_owned() } else { format!("[exit code {code}]\n\n") };
    }
    expected.assert_eq(&all);
}

#[test]
fn errors() {
    printed(
        &[
            "train no/such.toml",
            "train rustfmt.toml",
            "train configs/test/tiny.toml --set games.shards=0",
            "train configs/test/tiny.toml --set selfplay.simulation=8",
            "train configs/test/tiny.toml --set selfplay.simulations=4 --set search.considered=16",
            "train configs/test/tiny.toml --set variant=checkers",
            "train configs/test/tiny.toml --set device=gpu",
            "study run configs/test/tiny.toml",
            "ablate configs/test/study-tiny.toml",
            "match random nobody",
            "match random alphabeta:99",
            "match random search:material:8@noise=1",
            "match random random --games 7",
            "match random random --variant chess --forbid-second teleports",
            "match random models/opponents/half-small.safetensors:8 --games 2 --variant chess",
            "match random models/no-such.safetensors:8 --games 2",
            "rate no/such-run",
            "inspect README.md",
            "inspect no/such-file",
            "perft checkers 1",
            "convert no/such.pgn",
            "cluster units no/such-place",
            "fly",
        ],
        expect_file!["snapshots/errors.txt"],
    );
}

#[test]
fn tables() {
    printed(
        &[
            "match random alphabeta:1 --games 20 --variant chess --seed 1",
            "match search:material:8 random --games 20 --variant chesspp --seed 1",
            "match search:material:8 random --games 20 --variant maxim --seed 1 --ply-cap 60",
            "games",
            "show chesspp",
            "inspect models/opponents/chesspp-quickstart.safetensors",
        ],
        expect_file!["snapshots/tables.txt"],
    );
}
