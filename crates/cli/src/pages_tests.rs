//! Tests that the program's arguments accept every command line on the project's Markdown pages. No
//! command is run.

use crate::Arguments;
use clap::Parser;
use clap::error::ErrorKind;
use std::fs;
use std::path::{Path, PathBuf};

/// A command line found on a page.
struct Found {
    words: Vec<String>,
    /// True if the command is in a code block. A command within a sentence may omit words.
    is_whole: bool,
}

/// Adds the paths of all Markdown pages of a folder and its subfolders to `into`.
#[allow(clippy::unwrap_used)]
fn pages(folder: &Path, into: &mut Vec<PathBuf>) {
    const ELSEWHERE: [&str; 6] = ["target", "node_modules", "runs", "studies", "dist", "site"];
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            if !name.starts_with('.') && !ELSEWHERE.contains(&name.as_str()) {
                pages(&path, into);
            }
        } else if name.ends_with(".md") {
            into.push(path);
        }
    }
}

/// Splits a call of `catapult` into words, up to a pipe, redirection, next command or comment.
/// Returns `None` if the text contains no call.
fn command(text: &str, is_whole: bool) -> Option<Found> {
    let start = match text.find("scripts/catapult ") {
        Some(at) => at + "scripts/".len(),
        None if text.starts_with("catapult ") => 0,
        None => return None,
    };
    let words = shlex::split(&text[start..])?;
    // `<STUDY>` is an argument, not a redirection.
    let is_argument = |word: &String| word.starts_with('<') && word.ends_with('>');
    let ends = |word: &String| {
        !is_argument(word) && ["|", "&&", ";", ">", "<", "&", "#"].iter().any(|end| word.starts_with(end))
    };
    let words: Vec<String> = words.iter().take_while(|word| !ends(word)).cloned().collect();
    Some(Found { words, is_whole })
}

/// Returns all calls of `catapult` on a page.
fn commands(page: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for (index, part) in page.split("```").enumerate() {
        if index % 2 == 1 {
            let joined = part.replace("\\\n", " ");
            // Lines may start with a prompt.
            found.extend(joined.lines().filter_map(|line| command(line.trim_start_matches("$ "), true)));
        } else {
            let spans = part.split('`').skip(1).step_by(2);
            found.extend(spans.filter_map(|span| command(&span.replace('\n', " "), false)));
        }
    }
    found
}

/// Returns true if a word is a placeholder, such as `FILE`, `NAME.safetensors`, `[--token]` or
/// `...`.
fn is_placeholder(word: &str) -> bool {
    let capitals = |part: &str| {
        part.len() > 1 && part.chars().all(|letter| letter.is_ascii_uppercase() || letter == '-')
    };
    word.starts_with('[')
        || word.contains("...")
        || word.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').any(capitals)
}

#[test]
fn the_program_takes_every_command_of_the_pages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    pages(&root, &mut paths);
    let (mut whole, mut refused) = (0, Vec::new());
    for path in &paths {
        for Found { mut words, is_whole } in commands(&fs::read_to_string(path).unwrap()) {
            // Rules files are read while arguments are parsed, relative to the current folder.
            for word in words.iter_mut().filter(|word| word.starts_with("configs/rules/")) {
                *word = root.join(&*word).display().to_string();
            }
            let is_pattern = !is_whole || words.iter().any(|word| is_placeholder(word));
            whole += usize::from(!is_pattern);
            let Err(error) = Arguments::try_parse_from(&words) else { continue };
            let is_taken = match error.kind() {
                ErrorKind::DisplayHelp
                | ErrorKind::DisplayVersion
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => true,
                // A pattern may be incomplete, but the commands and options it names must exist.
                ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => {
                    words.iter().any(|word| word.starts_with('[') || word.contains('|'))
                }
                _ => is_pattern,
            };
            if !is_taken {
                refused.push(format!("{}: {}\n{error}", path.display(), words.join(" ")));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(whole > 50, "only {whole} commands were found");
}
