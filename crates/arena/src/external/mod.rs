//! External programs as players, by the Universal Chess Interface (UCI):
//! `uci:COMMAND?OPTION=VALUE&...`.

mod engine;
mod player;

pub use engine::read_lines;
pub use player::ExternalPlayer;

use std::fmt;
use std::str::FromStr;

/// Command that starts an external program, and its UCI options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalSpec {
    /// Program and arguments. No shell interprets them.
    pub command: Vec<String>,
    /// Names and values of UCI options, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// Limit of a search in a match without clocks, as arguments of the UCI command `go`, such as
    /// `movetime 100`.
    pub go: String,
}

/// Limit of a search in a match without clocks, if the player's name has no `go=`.
const DEFAULT_GO: &str = "movetime 100";

/// Kinds of search limits that the option `go=` of a player's name accepts. Each is followed by a
/// number, at least 1.
const GO_LIMITS: [&str; 3] = ["movetime", "nodes", "depth"];

impl FromStr for ExternalSpec {
    type Err = String;

    /// Reads the text after `uci:`. Special characters are escaped: `%26` for `&` in an option,
    /// `%3D` for `=` in an option's name, `%3F` for `?` in the command, `%20` for a space within a
    /// word of the command, `%25` for `%`.
    fn from_str(text: &str) -> Result<ExternalSpec, String> {
        let (command, options) = text.split_once('?').unwrap_or((text, ""));
        let command =
            command.split(' ').filter(|word| !word.is_empty()).map(decoded).collect::<Result<Vec<_>, _>>()?;
        if command.is_empty() {
            return Err(
                "the command is missing; write uci:COMMAND or uci:COMMAND?OPTION=VALUE&OPTION=VALUE".into()
            );
        }
        let mut spec = ExternalSpec { command, options: Vec::new(), go: DEFAULT_GO.to_owned() };
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option
                .split_once('=')
                .ok_or_else(|| format!("`{option}` is not an option; write NAME=VALUE, separated by &"))?;
            let (name, value) = (decoded(name)?, decoded(value)?);
            if name == "go" {
                spec.go = checked_go(&value)?;
            } else if name.is_empty()
                || spec.options.iter().any(|(known, _)| known.eq_ignore_ascii_case(&name))
            {
                return Err(format!("`{option}`: an option needs a name and may occur only once"));
            } else {
                spec.options.push((name, value));
            }
        }
        Ok(spec)
    }
}

fn checked_go(text: &str) -> Result<String, String> {
    let refused = || {
        format!(
            "go is `{text}`; must be one of {} followed by a number, such as `go=nodes 1000`",
            GO_LIMITS.join(", ")
        )
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [limit, number] if GO_LIMITS.contains(&limit) && number.parse::<u32>().is_ok_and(|n| n > 0) => {
            Ok(format!("{limit} {number}"))
        }
        _ => Err(refused()),
    }
}

/// Replaces each `%XX` by the byte with this hexadecimal code. Control characters are an error,
/// because a line of the protocol can't contain them.
fn decoded(text: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let code = rest.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(
            code.ok_or_else(|| format!("`{text}`: a % is followed by two hexadecimal digits; %25 is a %"))?,
        );
        rest = &rest[2..];
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("`{text}` is not UTF-8"))?;
    match text.contains(|c: char| c.is_control()) {
        true => Err(format!("{text:?} holds control characters")),
        false => Ok(text),
    }
}

fn encoded(text: &str, marks: &[char]) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c == '%' || marks.contains(&c) {
            true => out += &format!("%{:02X}", u32::from(c)),
            false => out.push(c),
        }
    }
    out
}

impl fmt::Display for ExternalSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.command.iter().map(|word| encoded(word, &['?', ' '])).collect();
        f.write_str(&words.join(" "))?;
        let go = (self.go != DEFAULT_GO).then(|| ("go".to_owned(), self.go.clone()));
        for (number, (name, value)) in self.options.iter().chain(&go).enumerate() {
            let mark = if number == 0 { '?' } else { '&' };
            write!(f, "{mark}{}={}", encoded(name, &['&', '=']), encoded(value, &['&']))?;
        }
        Ok(())
    }
}
