//! Generates the reference of all commands in `docs/commands.md` from the definitions of the
//! arguments.

use crate::Arguments;
use clap::builder::StyledStr;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write as _;

/// Line of the page that separates the part written by hand from the generated part.
const GENERATED: &str =
    "<!-- Generated from here on: run the tests of catapult-cli with UPDATE_EXPECT=1 after a change. -->\n";

const COLUMNS: usize = 100;

/// Returns the generated part of the page.
fn reference() -> String {
    let mut program = Arguments::command();
    program.build();
    let mut all = Vec::new();
    leaves(&program, "catapult", &mut all);
    let mut page = "\n## All commands\n\n| command | does |\n|---|---|\n".to_owned();
    for (name, command) in &all {
        let about = sentence(command.get_about());
        _ = writeln!(page, "| [`{name}`](#{}) | {about} |", name.replace(' ', "-"));
    }
    for (name, command) in &all {
        describe(name, command, &mut page);
    }
    page
}

/// Adds all commands with their full names to `into`, except groups and hidden commands.
fn leaves<'a>(command: &'a Command, name: &str, into: &mut Vec<(String, &'a Command)>) {
    for one in command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help") {
        let name = format!("{name} {}", one.get_name());
        if one.has_subcommands() { leaves(one, &name, into) } else { into.push((name, one)) }
    }
}

fn describe(name: &str, command: &Command, page: &mut String) {
    let about = sentence(command.get_long_about().or(command.get_about()));
    let usage = command.clone().render_usage().to_string();
    _ = write!(
        page,
        "\n### {name}\n\n{}\n```\n{}\n```\n",
        wrapped(&about),
        usage.trim_start_matches("Usage: ")
    );
    let is_shown = |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
    let mut rows = command.get_arguments().filter(is_shown).map(row).peekable();
    if rows.peek().is_some() {
        _ = writeln!(page, "\n| argument | meaning |\n|---|---|\n{}", rows.collect::<Vec<_>>().join("\n"));
    }
    for paragraph in
        command.get_after_help().map(StyledStr::to_string).iter().flat_map(|text| text.split("\n\n"))
    {
        _ = write!(page, "\n{}", paragraph.lines().map(wrapped).collect::<String>());
    }
}

/// Returns an argument as a row of a Markdown table.
fn row(arg: &Arg) -> String {
    let takes_value = arg.get_action().takes_values();
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let values = arg.get_value_names().filter(|_| takes_value).unwrap_or_default();
    let values: Vec<String> = values.iter().map(|value| format!("<{value}>")).collect();
    let all = [names.join(", "), values.join(" ")].join(" ");
    let mut meaning = sentence(arg.get_long_help().or(arg.get_help()));
    let possible = arg.get_possible_values();
    if takes_value && !possible.is_empty() {
        let told = possible.iter().filter(|value| !value.is_hide_set()).map(|value| match value.get_help() {
            Some(help) => format!("`{}` ({help})", value.get_name()),
            None => format!("`{}`", value.get_name()),
        });
        _ = write!(meaning, " Values: {}.", told.collect::<Vec<_>>().join(", "));
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if takes_value && !defaults.is_empty() {
        _ = write!(meaning, " Default: `{}`.", defaults.join(","));
    }
    format!("| `{}` | {} |", all.trim().replace('|', "\\|"), meaning.replace('|', "\\|"))
}

/// Returns a help text in one line. Adds the full stop that clap removes.
fn sentence(text: Option<&StyledStr>) -> String {
    let text = text.map(StyledStr::to_string).unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.ends_with('.') { text } else { text + "." }
}

fn wrapped(text: &str) -> String {
    let mut page = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        let separator = match column {
            0 => "",
            _ if column + 1 + length > COLUMNS => "\n",
            _ => " ",
        };
        column = if separator == " " { column + 1 + length } else { length };
        page.push_str(separator);
        page.push_str(word);
    }
    page + "\n"
}

#[test]
fn the_committed_reference_is_the_generated_one() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/commands.md"));
    let page = page.expect("the page can be read");
    let (by_hand, _) = page.split_once(GENERATED).expect("the page has the line that ends the part by hand");
    let whole = format!("{by_hand}{GENERATED}{}", reference());
    expect_test::expect_file!["../../../docs/commands.md"].assert_eq(&whole);
}

/// Tests that each command and each argument has a help text.
#[test]
fn everything_has_a_help_text() {
    let mut program = Arguments::command();
    program.build();
    let mut all = Vec::new();
    leaves(&program, "catapult", &mut all);
    assert!(all.len() > 25, "{}", all.len());
    for (name, command) in all {
        assert!(command.get_about().is_some(), "{name}");
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            assert!(arg.get_help().is_some(), "{name}: {}", arg.get_id());
        }
    }
}
