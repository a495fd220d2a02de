//! Parser of the commands of the Universal Chess Interface.

use std::time::Duration;

/// A command of the Universal Chess Interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`: requests the engine's name and options.
    Uci,
    /// `isready`: requests `readyok`.
    IsReady,
    /// `debug on` or `debug off`: true for `on`.
    Debug(bool),
    /// `ucinewgame`: the next position is from another game.
    NewGame,
    /// `setoption name NAME value VALUE`: sets an option.
    SetOption {
        /// Name of the option. Its words are joined by single spaces.
        name: String,
        /// Value of the option. Empty if the command has no `value`.
        value: String,
    },
    /// `position startpos|fen FEN moves ...`: sets the position to search.
    Position {
        /// FEN of the start of the game. `None` for the start position (`startpos`).
        fen: Option<String>,
        /// Moves played from the start of the game, as text.
        moves: Vec<String>,
    },
    /// `go ...`: starts a search.
    Go(Box<Go>),
    /// `stop`: ends the search.
    Stop,
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit,
    /// `quit`: ends the program.
    Quit,
}

/// Parameters of the command `go`. A parameter that is absent is `None`, false, zero or empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// `searchmoves`: root moves to search, as text. Empty for all.
    pub search_moves: Vec<String>,
    /// `ponder`: search in ponder mode.
    pub ponder: bool,
    /// `infinite`: search until `stop`.
    pub infinite: bool,
    /// `wtime` and `btime`: remaining time of White and Black.
    pub time: [Option<Duration>; 2],
    /// `winc` and `binc`: increment per move of White and Black.
    pub increment: [Duration; 2],
    /// `movestogo`: number of moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// `depth`: search depth in plies. The engine converts it to 2^depth simulations.
    pub depth: Option<u32>,
    /// `nodes`: maximum number of simulations.
    pub nodes: Option<u32>,
    /// `mate`: number of moves in which to search for a mate.
    pub mate: Option<u32>,
    /// `movetime`: thinking time of the move.
    pub move_time: Option<Duration>,
}

const COMMANDS: [&str; 10] =
    ["uci", "isready", "debug", "ucinewgame", "setoption", "position", "go", "stop", "ponderhit", "quit"];

const GO_WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Command {
    /// Returns the name of a line's command: the first word that is one.
    pub(super) fn name(line: &str) -> Option<&str> {
        line.split_whitespace().find(|word| COMMANDS.contains(word))
    }

    /// Parses a line. Unknown words before a command and after `go` are skipped, as the protocol
    /// requires. Returns `None` for an empty line.
    ///
    /// # Errors
    /// A message with the invalid part of the line and the expected form.
    pub fn read(line: &str) -> Result<Option<Command>, String> {
        let mut all = line.split_whitespace();
        let Some(first) = all.clone().next() else { return Ok(None) };
        let Some(name) = all.find(|word| COMMANDS.contains(word)) else {
            return Err(format!("unknown command `{}`; known are {}", clip(first), COMMANDS.join(", ")));
        };
        let words = &all.collect::<Vec<_>>()[..];
        Ok(Some(match name {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "debug" => match words.first() {
                Some(&"on") => Command::Debug(true),
                Some(&"off") => Command::Debug(false),
                _ => return Err("debug: expected `on` or `off`".to_owned()),
            },
            "setoption" => set_option(words, line)?,
            "position" => position(words)?,
            _ => Command::Go(Box::new(go(words)?)),
        }))
    }
}

/// Returns the first 40 characters of a word, for a message.
fn clip(word: &str) -> String {
    word.chars().take(40).collect()
}

fn set_option(words: &[&str], line: &str) -> Result<Command, String> {
    let Some((&"name", words)) = words.split_first() else {
        return Err("setoption: expected `name NAME value VALUE`".to_owned());
    };
    let at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = words[..at].join(" ");
    if name.is_empty() {
        return Err("setoption: the name is missing".to_owned());
    }
    // A path may contain adjacent spaces.
    let value = words.get(at).and_then(|_| line.split_once("value")).map_or("", |(_, value)| value.trim());
    Ok(Command::SetOption { name, value: value.to_owned() })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let moves = words.get(at + 1..).unwrap_or_default().iter().map(|&word| word.to_owned()).collect();
    let fen = match words[..at].split_first() {
        Some((&"startpos", [])) => None,
        Some((&"fen", fen)) if !fen.is_empty() => Some(fen.join(" ")),
        _ => return Err("position: expected `startpos` or `fen FEN`, then `moves ...`".to_owned()),
    };
    Ok(Command::Position { fen, moves })
}

fn go(words: &[&str]) -> Result<Go, String> {
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    go.search_moves.push(mv.to_owned());
                }
            }
            "wtime" => go.time[0] = Some(milliseconds(word, words.next())?),
            "btime" => go.time[1] = Some(milliseconds(word, words.next())?),
            "winc" => go.increment[0] = milliseconds(word, words.next())?,
            "binc" => go.increment[1] = milliseconds(word, words.next())?,
            "movetime" => go.move_time = Some(milliseconds(word, words.next())?),
            "movestogo" => go.moves_to_go = Some(number(word, words.next())?),
            "depth" => go.depth = Some(number(word, words.next())?),
            "nodes" => go.nodes = Some(number(word, words.next())?),
            "mate" => go.mate = Some(number(word, words.next())?),
            _ => {}
        }
    }
    Ok(go)
}

/// Parses an integer and clamps it to the range of `u32`. `key` is the parameter's name, for the
/// error message.
fn number(key: &str, word: Option<&str>) -> Result<u32, String> {
    let word = word.ok_or_else(|| format!("go {key}: the number is missing"))?;
    let number: i128 =
        word.parse().map_err(|_| format!("go {key}: `{}` is not a whole number", clip(word)))?;
    Ok(number.clamp(0, u32::MAX.into()) as u32)
}

/// Parses a time in milliseconds. Negative times count as 0.
fn milliseconds(key: &str, word: Option<&str>) -> Result<Duration, String> {
    Ok(Duration::from_millis(number(key, word)?.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        Command::read(line).unwrap().unwrap()
    }

    #[test]
    fn lines_of_the_protocol() {
        assert_eq!(read("joho uci"), Command::Uci);
        assert_eq!(Command::read("  \t"), Ok(None));
        let set = |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
        assert_eq!(read("setoption name Move Overhead value 50"), set("Move Overhead", "50"));
        assert_eq!(read("setoption name Clear Hash"), set("Clear Hash", ""));
        assert_eq!(read("setoption name NetworkFile value /a  b c\r"), set("NetworkFile", "/a  b c"));
        assert_eq!(read("setoption name Hash\tvalue\t16"), set("Hash", "16"));
        let moves = vec!["e2e4".to_owned(), "e7e5".to_owned()];
        assert_eq!(
            read("position startpos moves e2e4 e7e5"),
            Command::Position { fen: None, moves: moves.clone() }
        );
        assert_eq!(
            read("position fen 8/8 w - - 0 1 -/- - moves e2e4 e7e5"),
            Command::Position { fen: Some("8/8 w - - 0 1 -/- -".into()), moves }
        );
        let Command::Go(go) = read("go ponder searchmoves e2e4 d2d4 wtime 1000 btime -5 winc 10 movestogo 4")
        else {
            panic!("not go")
        };
        let ms = Duration::from_millis;
        let expected = Go {
            ponder: true,
            search_moves: vec!["e2e4".into(), "d2d4".into()],
            time: [Some(ms(1000)), Some(ms(0))],
            increment: [ms(10), ms(0)],
            moves_to_go: Some(4),
            ..Go::default()
        };
        assert_eq!(*go, expected);
        assert_eq!(
            read("go fast nodes 99999999999"),
            Command::Go(Box::new(Go { nodes: Some(u32::MAX), ..Go::default() }))
        );
    }

    #[test]
    fn errors_name_the_problem_of_a_line() {
        for (line, words) in [
            ("castle", &["castle", "position"][..]),
            ("debug", &["`on` or `off`"]),
            ("setoption value 3", &["name NAME"]),
            ("setoption name value 3", &["the name is missing"]),
            ("position", &["startpos"]),
            ("position fen moves e2e4", &["fen FEN"]),
            ("position startpos e2e4", &["startpos"]),
            ("go depth", &["go depth", "missing"]),
            ("go nodes many", &["go nodes", "many"]),
        ] {
            let error = Command::read(line).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{line}: {error}");
        }
    }
}
