//! The commands of the whole program, in a build that only plays.
// In the whole program the test alone is of use.
#![cfg_attr(feature = "torch", allow(dead_code))]

use anyhow::bail;
use clap::CommandFactory;
use clap::error::ErrorKind;
use std::ffi::OsString;

const LEFT_OUT: [&str; 14] = [
    "ablate", "bench", "chart", "device", "endings", "inspect", "learn", "pack", "rate", "selfplay", "train",
    "unit", "units", "unpack",
];

/// Says of a command that is not here how to get it, or that there is none of that name.
pub(crate) fn refuse(words: &[OsString]) -> anyhow::Result<()> {
    let name = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    if LEFT_OUT.contains(&&*name) {
        bail!("{}", missing(&name));
    }
    crate::Arguments::command()
        .error(ErrorKind::InvalidSubcommand, format!("unrecognized subcommand '{name}'"))
        .exit()
}

pub(crate) fn missing(command: &str) -> String {
    format!(
        "`catapult {command}` is not in this build, which only plays: `scripts/catapult` builds the whole program with libtorch"
    )
}

#[cfg(all(test, feature = "torch"))]
mod tests {
    use super::LEFT_OUT;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// A new command is either named among those left out, or plays.
    #[test]
    fn what_is_left_out_is_all_that_does_not_play() {
        let plays = [
            "convert", "doctor", "games", "match", "moves", "perft", "play", "replay", "serve", "show",
            "study", "uci",
        ];
        let command = crate::Arguments::command();
        let all: BTreeSet<&str> = command.get_subcommands().map(|one| one.get_name()).collect();
        assert_eq!(all, plays.into_iter().chain(LEFT_OUT).collect());
    }
}
