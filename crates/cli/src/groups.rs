//! Groups of commands, such as `catapult system`, and names of grouped commands without their
//! group.

#[cfg(feature = "torch")]
use crate::lab::SystemLabCommand;
use crate::{doctor, told};
use clap::Subcommand;
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum SystemCommand {
    /// Check libtorch, bfloat16, CUDA and threads.
    Doctor(doctor::DoctorArguments),
    #[cfg(feature = "torch")]
    #[command(flatten)]
    Lab(SystemLabCommand),
    #[cfg(not(feature = "torch"))]
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

pub(crate) fn system(command: &SystemCommand) -> ExitCode {
    match command {
        SystemCommand::Doctor(arguments) => told(doctor::run(arguments)),
        #[cfg(feature = "torch")]
        SystemCommand::Lab(command) => crate::lab::system(command),
        #[cfg(not(feature = "torch"))]
        SystemCommand::Other(words) => told(crate::left_out::refuse(&["system"], words)),
    }
}

/// Names of grouped commands, each with its group. These commands also work without the group's
/// name, for older scripts.
const UNGROUPED: [(&str, &str); 8] = [
    ("bench", "system"),
    ("device", "system"),
    ("doctor", "system"),
    ("pack", "cluster"),
    ("selfplay", "cluster"),
    ("unit", "cluster"),
    ("units", "cluster"),
    ("unpack", "cluster"),
];

/// Inserts the group into a command line that omits it. Other command lines are returned unchanged.
/// `words` begin with the program's name.
pub(crate) fn with_group(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let at = if words.get(1).is_some_and(|word| word == "help") { 2 } else { 1 };
    let group = words.get(at).and_then(|word| UNGROUPED.iter().find(|(name, _)| word == name));
    if let Some((_, group)) = group {
        words.insert(at, group.into());
    }
    words
}

#[cfg(all(test, feature = "torch"))]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    fn grouped(line: &str) -> String {
        let words = with_group(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_command_of_a_group_may_be_called_without_it() {
        let program = crate::Arguments::command();
        let members = |group: &str| -> Vec<String> {
            let group = program.find_subcommand(group).unwrap();
            group.get_subcommands().map(|one| one.get_name().to_owned()).collect()
        };
        let all: BTreeSet<(String, String)> = ["cluster", "system"]
            .into_iter()
            .flat_map(|group| members(group).into_iter().map(|name| (name, group.to_owned())))
            .collect();
        let known = UNGROUPED.map(|(name, group)| (name.to_owned(), group.to_owned()));
        assert_eq!(all, known.into_iter().collect());
        for (name, group) in UNGROUPED {
            assert!(program.find_subcommand(name).is_none(), "{name} hides the command of its group");
            assert_eq!(grouped(&format!("catapult {name} units")), format!("catapult {group} {name} units"));
        }
    }

    #[test]
    fn other_words_stay() {
        for line in ["catapult", "catapult cluster units runs/mine", "catapult train unit", "catapult help"] {
            assert_eq!(grouped(line), line);
        }
        assert_eq!(grouped("catapult help unit"), "catapult help cluster unit");
    }
}
