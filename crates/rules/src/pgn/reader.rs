//! Reading games one after the other.

use super::{PgnError, PgnGame, PgnMove, PgnResult};
use std::io::{self, BufRead, Read};

/// A line longer than this is read in parts.
const PART: usize = 64 * 1024;
/// What one game may take in memory, in bytes of its tags and moves.
const LARGEST_GAME: usize = 4 * 1024 * 1024;
/// The standard's limit for a symbol, in bytes.
const LONGEST_TOKEN: usize = 255;
/// How much of a text at fault an error quotes, in characters.
const QUOTED: usize = 40;

/// Reads games one after the other, holding one at a time.
///
/// ```
/// use catapult_rules::{Chess, PgnReader, Standard};
/// let text = "[White \"A\"]\n\n1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n";
/// let games: Vec<_> = PgnReader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
/// assert_eq!(games[0].moves[2].text, "Nf3");
/// assert_eq!(games[0].replay::<Chess>(Standard).unwrap().ply(), 3);
/// ```
pub struct PgnReader<R> {
    lines: Lines<R>,
    /// Games begun so far.
    games: usize,
    done: bool,
}

/// The current line, or a part of a long one.
struct Lines<R> {
    input: R,
    /// Number of the current line, from 1; 0 before the first.
    number: usize,
    bytes: Vec<u8>,
    /// What of `bytes` has been read.
    at: usize,
    /// Whether `bytes` begins a line, rather than goes on with a long one.
    begins: bool,
    /// Bytes at the end of a part that belong to a word not yet whole.
    kept: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, bytes: Vec::new(), at: 0, begins: true, kept: Vec::new(), ended: true }
    }

    /// Goes to the next line or part of one; false at the end of the input.
    fn advance(&mut self) -> io::Result<bool> {
        self.begins = self.ended;
        self.number += self.begins as usize;
        self.at = 0;
        self.bytes.clear();
        self.bytes.append(&mut self.kept);
        let room = (PART - self.bytes.len().min(PART - 1)) as u64;
        let read = (&mut self.input).take(room).read_until(b'\n', &mut self.bytes)?;
        self.ended = read == 0 || self.bytes.ends_with(b"\n");
        if self.number == 1 && self.begins && self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        if !self.ended
            && let Some(space) = self.bytes.iter().rposition(u8::is_ascii_whitespace)
        {
            self.kept = self.bytes.split_off(space + 1);
        }
        Ok(!self.bytes.is_empty())
    }

    /// Adds the next part of a long line to what is left of this one.
    fn add_part(&mut self) -> io::Result<()> {
        let mut kept = self.rest().to_vec();
        kept.append(&mut self.kept);
        self.kept = kept;
        self.advance().map(drop)
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    /// Passes over white space; the next byte, none at the end of the line.
    fn skip_space(&mut self) -> Option<u8> {
        let space = self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at += space;
        self.rest().first().copied()
    }

    fn skip_line(&mut self) {
        self.at = self.bytes.len();
    }

    /// Whether a line begins here that is a tag, beyond doubt: `[Name "`.
    fn at_tag(&self) -> bool {
        let Some(tag) = self.rest().strip_prefix(b"[") else { return false };
        let name = tag.iter().take_while(|byte| is_name(**byte)).count();
        let space = tag[name..].iter().take_while(|byte| **byte == b' ').count();
        self.begins && self.at == 0 && name > 0 && tag.get(name + space) == Some(&b'"')
    }
}

/// Why a game could not be read.
enum Stop {
    Io(io::Error),
    /// The text is not PGN: the line at fault, what is wrong, and where reading can go on.
    Syntax(usize, String, Next),
}

/// Where the next game is to be looked for after a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Its first tag has been reached.
    Here,
    /// Behind the rest of the moves.
    AfterMoves,
    /// Behind the rest of the tags, and the moves.
    AfterTags,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from a file or any other buffered input.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader { lines: Lines::new(input), games: 0, done: false }
    }

    fn syntax<T>(&self, reason: impl Into<String>) -> Result<T, Stop> {
        Err(Stop::Syntax(self.lines.number, reason.into(), Next::AfterMoves))
    }

    /// Passes over a comment whose brace has been read.
    fn skip_comment(&mut self) -> Result<(), Stop> {
        let opened = self.lines.number;
        loop {
            if let Some(end) = self.lines.rest().iter().position(|byte| *byte == b'}') {
                self.lines.at += end + 1;
                return Ok(());
            }
            // Nobody comments with tags: the brace is missing, and the next game should not suffer.
            if !self.lines.advance()? || self.lines.at_tag() {
                let reason = "a comment is opened with `{` and never closed";
                return Err(Stop::Syntax(opened, reason.into(), Next::Here));
            }
        }
    }

    /// Reads into `game` until it is over; false if there is none.
    fn read_game(&mut self, game: &mut PgnGame) -> Result<bool, Stop> {
        // Open variations, and the line on which the first began.
        let (mut depth, mut opened) = (0usize, 0);
        let unclosed = |opened| {
            Stop::Syntax(opened, "a variation is opened with `(` and never closed".into(), Next::Here)
        };
        let mut size = 0;
        loop {
            let Some(first) = self.lines.skip_space() else {
                if !self.lines.advance()? {
                    self.done = true;
                    return if depth > 0 { Err(unclosed(opened)) } else { Ok(game.line > 0) };
                }
                if self.lines.begins && self.lines.rest().first() == Some(&b'%') {
                    self.skip_whole_line()?;
                } else if self.lines.at_tag() && depth > 0 {
                    return Err(unclosed(opened));
                } else if self.lines.at_tag() && !game.moves.is_empty() {
                    // The result is missing, but a new game begins.
                    return Ok(true);
                }
                continue;
            };
            if game.line == 0 {
                game.line = self.lines.number;
            }
            match first {
                b'{' => self.skip_comment()?,
                b';' => self.skip_whole_line()?,
                b'(' => {
                    if depth == 0 {
                        opened = self.lines.number;
                    }
                    depth += 1;
                    self.lines.at += 1;
                }
                b')' if depth == 0 => return self.syntax("`)` without `(`"),
                b')' => {
                    depth -= 1;
                    self.lines.at += 1;
                }
                b'[' if depth == 0 && game.moves.is_empty() => {
                    let (name, value) = self.read_tag()?;
                    size += name.len() + value.len();
                    game.tags.push((name, value));
                }
                _ => {
                    let token = self.token();
                    if depth > 0 {
                        continue;
                    }
                    if let Some(result) = PgnResult::from_text(&token) {
                        game.result = result;
                        return Ok(true);
                    }
                    if matches!(token.as_str(), "[" | "]" | "}") || token.len() > LONGEST_TOKEN {
                        let quoted = quote(token.as_bytes());
                        return self.syntax(format!("`{quoted}` where a move was expected"));
                    }
                    if let Some(text) = move_of(&token) {
                        size += text.len();
                        game.moves.push(PgnMove { text: text.to_owned(), line: self.lines.number });
                    }
                }
            }
            // What surrounds each text in memory counts too.
            if size + 64 * (game.tags.len() + game.moves.len()) > LARGEST_GAME {
                return self.syntax(format!("the game takes more than {LARGEST_GAME} bytes"));
            }
        }
    }

    /// Passes over the rest of the line, all its parts.
    fn skip_whole_line(&mut self) -> io::Result<()> {
        self.lines.skip_line();
        while !self.lines.ended && self.lines.advance()? {
            self.lines.skip_line();
        }
        Ok(())
    }

    /// Takes the next token, at least one byte.
    fn token(&mut self) -> String {
        let rest = self.lines.rest();
        let length = match rest.first() {
            Some(b'*' | b'[' | b']' | b'}') => 1,
            _ => rest
                .iter()
                .take_while(|byte| !byte.is_ascii_whitespace() && !b"{}();[]*".contains(byte))
                .count(),
        };
        let token = text_of(&rest[..length]);
        self.lines.at += length;
        token
    }

    /// Reads `[Name "value"]`; within the value `\"` and `\\` stand for the second character.
    fn read_tag(&mut self) -> Result<(String, String), Stop> {
        let mut found = split_tag(self.lines.rest());
        if found.is_none() && !self.lines.ended && self.lines.rest().len() < PART / 2 {
            self.lines.add_part()?;
            found = split_tag(self.lines.rest());
        }
        let Some((name, value, length)) = found else {
            let reason =
                format!("`{}` is not a tag, which is written [Name \"value\"]", quote(self.lines.rest()));
            return Err(Stop::Syntax(self.lines.number, reason, Next::AfterTags));
        };
        self.lines.at += length;
        Ok((name, value))
    }

    /// After a fault, goes to the first tag of the next game.
    fn recover(&mut self, next: Next) -> io::Result<()> {
        if next == Next::Here {
            return Ok(());
        }
        let mut in_tags = next == Next::AfterTags;
        loop {
            if !self.lines.advance()? {
                self.done = true;
                return Ok(());
            }
            in_tags &= !self.lines.begins || self.lines.rest().first() == Some(&b'[');
            if self.lines.at_tag() && !in_tags {
                return Ok(());
            }
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let mut game = PgnGame { number: self.games + 1, ..PgnGame::default() };
        let found = self.read_game(&mut game);
        let number = game.number;
        let failed = match found {
            Ok(false) => return None,
            Ok(true) => {
                self.games += 1;
                return Some(Ok(game));
            }
            Err(Stop::Io(error)) => error,
            Err(Stop::Syntax(line, reason, next)) => {
                self.games += 1;
                match self.recover(next) {
                    Ok(()) => {
                        let ply = game.moves.len();
                        return Some(Err(PgnError::Syntax { game: number, line, ply, reason }));
                    }
                    Err(error) => error,
                }
            }
        };
        self.done = true;
        Some(Err(PgnError::Io { game: number, line: self.lines.number, error: failed }))
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The name, the value and the length of the tag that the bytes begin with.
fn split_tag(bytes: &[u8]) -> Option<(String, String, usize)> {
    let quote = bytes.iter().position(|byte| *byte == b'"')?;
    let name = text_of(bytes[1..quote].trim_ascii());
    if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "[]".contains(c)) {
        return None;
    }
    let mut value = Vec::new();
    let mut at = quote + 1;
    loop {
        match bytes.get(at)? {
            b'"' => break,
            b'\\' => {
                at += 1;
                value.push(*bytes.get(at)?);
            }
            byte => value.push(*byte),
        }
        at += 1;
    }
    let close = at + bytes[at..].iter().position(|byte| *byte == b']')?;
    Some((name, text_of(&value), close + 1))
}

/// The beginning of a text at fault.
fn quote(bytes: &[u8]) -> String {
    text_of(bytes.trim_ascii()).chars().take(QUOTED).collect()
}

/// UTF-8, or else Latin-1, which the standard names and old files use.
fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The move in a token: move numbers (`12.`, `12...e4`) and annotations (`$6`, `!?`, `+/-`) hold none or go away.
fn move_of(token: &str) -> Option<&str> {
    if token.starts_with('$') {
        return None;
    }
    let digits = token.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = match digits.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        // A number alone; `0-0` is a move.
        None if digits.is_empty() => "",
        None => token,
    };
    let text = text.trim_end_matches(['!', '?']);
    // `--` is how some write that a side passes: not to be passed over in silence.
    let is_move = text == "--" || text.contains(|c: char| c.is_alphanumeric());
    (is_move && text != "e.p.").then_some(text)
}
