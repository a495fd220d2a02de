//! Error messages of a build without libtorch for commands that need libtorch.
// A build with libtorch uses this module only in the test.
#![cfg_attr(feature = "torch", allow(dead_code))]

use anyhow::bail;
use clap::CommandFactory;
use clap::error::ErrorKind;
use std::ffi::OsString;

/// Commands that a build without libtorch does not have.
const LEFT_OUT: [&str; 12] = [
    "ablate",
    "chart",
    "cluster",
    "endings",
    "exam",
    "inspect",
    "judge",
    "learn",
    "rate",
    "system bench",
    "system device",
    "train",
];

/// Rejects a command that this build does not have. The error says that the command needs libtorch.
/// If the command is unknown, the function exits the process with clap's error. `groups` are the
/// words before `words`.
pub(crate) fn refuse(groups: &[&str], words: &[OsString]) -> anyhow::Result<()> {
    let name = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    let path = [groups, &[&*name]].concat().join(" ");
    if LEFT_OUT.contains(&&*path) {
        bail!("{}", missing(&path));
    }
    crate::Arguments::command()
        .error(ErrorKind::InvalidSubcommand, format!("unrecognized subcommand '{name}'"))
        .exit()
}

/// Returns the error message for a command that needs libtorch.
pub(crate) fn missing(command: &str) -> String {
    format!(
        "`catapult {command}` is not in this build, which has no libtorch: `scripts/catapult` builds the whole program with libtorch"
    )
}

#[cfg(all(test, feature = "torch"))]
mod tests {
    use super::LEFT_OUT;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// Tests that [`LEFT_OUT`] lists each command that needs libtorch, and no other command.
    #[test]
    fn left_out_lists_exactly_the_commands_that_need_libtorch() {
        let plays = [
            "convert",
            "games",
            "match",
            "moves",
            "perft",
            "play",
            "replay",
            "serve",
            "show",
            "study",
            "system doctor",
            "uci",
        ];
        let command = crate::Arguments::command();
        let of_system = |name: &str| format!("system {name}");
        let mut all = BTreeSet::new();
        for one in command.get_subcommands() {
            match one.get_name() {
                "system" => all.extend(one.get_subcommands().map(|one| of_system(one.get_name()))),
                name => drop(all.insert(name.to_owned())),
            }
        }
        assert_eq!(all, plays.into_iter().chain(LEFT_OUT).map(str::to_owned).collect());
    }
}
