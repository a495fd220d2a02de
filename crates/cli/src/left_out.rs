//! Error messages for commands of the full program in a build that only plays.
// The full program needs only the test.
#![cfg_attr(feature = "torch", allow(dead_code))]

use anyhow::bail;
use clap::CommandFactory;
use clap::error::ErrorKind;
use std::ffi::OsString;

const LEFT_OUT: [&str; 10] = [
    "ablate",
    "chart",
    "cluster",
    "endings",
    "inspect",
    "learn",
    "rate",
    "system bench",
    "system device",
    "train",
];

/// Rejects a command: it is either missing from this build or unknown.
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

    /// Each command either works without libtorch or is listed in [`LEFT_OUT`].
    #[test]
    fn what_is_left_out_is_all_that_does_not_play() {
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
