//! Streaming PGN reader.

use super::{PgnError, PgnGame, PgnMove, PgnResult};
use std::io::{self, BufRead, Read};

/// Maximum number of bytes read at once. Longer lines are read in several parts.
const PART: usize = 64 * 1024;
/// Maximum memory of one game's tags and moves, in bytes.
const LARGEST_GAME: usize = 4 * 1024 * 1024;
/// Maximum length of a token in bytes, as set by the PGN standard.
const LONGEST_TOKEN: usize = 255;
/// Maximum length of a quotation in an error, in characters.
const QUOTED: usize = 40;

/// Iterator over the games of a PGN file. It keeps one game in memory at a time.
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
    /// Number of games read so far, including invalid games.
    games: usize,
    done: bool,
}

/// Reader of lines. It holds the current line, or a part of the line if it is long.
struct Lines<R> {
    input: R,
    /// Number of the current line, from 1. It is 0 before the first line.
    number: usize,
    bytes: Vec<u8>,
    /// Number of bytes of `bytes` that are already consumed.
    at: usize,
    /// True if `bytes` begins a line, false if it continues a long one.
    begins: bool,
    /// Bytes of an incomplete word at the end of a part. The next part begins with them.
    kept: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, bytes: Vec::new(), at: 0, begins: true, kept: Vec::new(), ended: true }
    }

    /// Advances to the next line or part of a line. Returns false at the end of the input.
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

    /// Appends the next part of a long line to the unread rest of the current part.
    fn add_part(&mut self) -> io::Result<()> {
        let mut kept = self.rest().to_vec();
        kept.append(&mut self.kept);
        self.kept = kept;
        self.advance().map(drop)
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    /// Skips white space. Returns the byte after it without consuming it, or `None` at the end of
    /// `bytes`.
    fn skip_space(&mut self) -> Option<u8> {
        let space = self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at += space;
        self.rest().first().copied()
    }

    /// Returns true at the start of a line that begins with a tag, such as `[Name "`.
    fn at_tag(&self) -> bool {
        let Some(tag) = self.rest().strip_prefix(b"[") else { return false };
        let name = tag.iter().take_while(|byte| is_name(**byte)).count();
        let space = tag[name..].iter().take_while(|byte| **byte == b' ').count();
        self.begins && self.at == 0 && name > 0 && tag.get(name + space) == Some(&b'"')
    }

    /// Returns true if the tag at the current byte has the name of one of `tags`.
    fn repeats(&self, tags: &[(String, String)]) -> bool {
        split_tag(self.rest()).is_some_and(|(name, ..)| tags.iter().any(|tag| tag.0 == name))
    }
}

/// Reason why a game cannot be read.
enum ReadError {
    Io(io::Error),
    /// The text is not PGN: number of the wrong line, reason, and place to resume.
    Syntax(usize, String, Resume),
}

/// Place to look for the next game after an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resume {
    /// Reading resumes at the current byte, which begins the next game's first tag or is the end of
    /// the input.
    Here,
    /// Reading resumes at the next line that begins with a tag.
    AfterMoves,
    /// Reading resumes at the next game's first tag, after the remaining tags and the moves of the
    /// current game.
    AfterTags,
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

impl<R: BufRead> PgnReader<R> {
    /// Creates a reader of a file or any other buffered input.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader { lines: Lines::new(input), games: 0, done: false }
    }

    fn syntax<T>(&self, reason: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError::Syntax(self.lines.number, reason.into(), Resume::AfterMoves))
    }

    /// Skips a comment in braces. The next byte must be the opening brace.
    fn skip_comment(&mut self) -> Result<(), ReadError> {
        let opened = self.lines.number;
        loop {
            if let Some(end) = self.lines.rest().iter().position(|byte| *byte == b'}') {
                self.lines.at += end + 1;
                return Ok(());
            }
            // Comments do not contain tags. A tag here means that the brace is missing.
            if !self.lines.advance()? || self.lines.at_tag() {
                let reason = "a comment is opened with `{` and never closed";
                return Err(ReadError::Syntax(opened, reason.into(), Resume::Here));
            }
        }
    }

    /// Reads the next game into `game`. Returns false if no game is left.
    fn read_game(&mut self, game: &mut PgnGame) -> Result<bool, ReadError> {
        // Depth of open variations, and the line where the outermost one begins.
        let (mut depth, mut opened) = (0usize, 0);
        let unclosed = |opened| {
            ReadError::Syntax(opened, "a variation is opened with `(` and never closed".into(), Resume::Here)
        };
        let mut size = 0;
        // True if a blank line follows the last tag.
        let mut parted = false;
        loop {
            let Some(first) = self.lines.skip_space() else {
                if !self.lines.advance()? {
                    self.done = true;
                    return if depth > 0 {
                        Err(unclosed(opened))
                    } else {
                        Ok(!game.tags.is_empty() || !game.moves.is_empty())
                    };
                }
                if self.lines.begins && self.lines.rest().first() == Some(&b'%') {
                    self.skip_whole_line()?;
                } else if self.lines.at_tag() && depth > 0 {
                    return Err(unclosed(opened));
                } else if self.lines.at_tag()
                    && (!game.moves.is_empty() || parted && self.lines.repeats(&game.tags))
                {
                    // The result is missing, but a new game begins.
                    return Ok(true);
                } else {
                    let is_blank = self.lines.rest().trim_ascii().is_empty();
                    parted |= is_blank && self.lines.begins && !game.tags.is_empty();
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
                    parted = false;
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
            // Each text has an overhead in memory, estimated at 64 bytes.
            if size + 64 * (game.tags.len() + game.moves.len()) > LARGEST_GAME {
                return self.syntax(format!("the game takes more than {LARGEST_GAME} bytes"));
            }
        }
    }

    /// Skips the rest of the line, including the parts of a long line that are not read yet.
    fn skip_whole_line(&mut self) -> io::Result<()> {
        while !self.lines.ended && self.lines.advance()? {}
        self.lines.at = self.lines.bytes.len();
        Ok(())
    }

    /// Reads the next token of the current line. A token has at least one byte.
    fn token(&mut self) -> String {
        let rest = self.lines.rest();
        let length = match rest.first() {
            Some(b'*' | b'[' | b']' | b'}') => 1,
            Some(b'$') => 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
            _ => rest
                .iter()
                .take_while(|byte| !byte.is_ascii_whitespace() && !b"{}();[]*$".contains(byte))
                .count(),
        };
        let token = text_of(&rest[..length]);
        self.lines.at += length;
        token
    }

    /// Reads `[Name "value"]`. A backslash within the value is dropped, and the character after it
    /// is copied.
    fn read_tag(&mut self) -> Result<(String, String), ReadError> {
        let mut found = split_tag(self.lines.rest());
        if found.is_none() && !self.lines.ended && self.lines.rest().len() < PART / 2 {
            self.lines.add_part()?;
            found = split_tag(self.lines.rest());
        }
        let Some((name, value, length)) = found else {
            let reason =
                format!("`{}` is not a tag, which is written [Name \"value\"]", quote(self.lines.rest()));
            return Err(ReadError::Syntax(self.lines.number, reason, Resume::AfterTags));
        };
        self.lines.at += length;
        Ok((name, value))
    }

    /// After an error, skips to the place where reading resumes.
    fn recover(&mut self, next: Resume) -> io::Result<()> {
        if next == Resume::Here {
            return Ok(());
        }
        let mut in_tags = next == Resume::AfterTags;
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
            Err(ReadError::Io(error)) => error,
            Err(ReadError::Syntax(line, reason, next)) => {
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

/// Returns the name, the value and the length in bytes of the tag at the start of `bytes`. Returns
/// `None` if no complete tag is there.
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

/// Returns the first [`QUOTED`] characters of a text that an error quotes.
fn quote(bytes: &[u8]) -> String {
    text_of(bytes.trim_ascii()).chars().take(QUOTED).collect()
}

/// Decodes UTF-8. Other bytes are decoded as Latin-1, which the PGN standard prescribes and old
/// files use.
fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Returns the move in a token, without its move number (`12.`, `12...e4`) and annotation (`!?`).
/// Returns `None` for a number alone and for an annotation alone (`$6`, `+/-`).
fn move_of(token: &str) -> Option<&str> {
    if token.starts_with('$') {
        return None;
    }
    let digits = token.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = match digits.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        // A number alone is not a move, unlike `0-0`.
        None if digits.is_empty() => "",
        None => token,
    };
    let text = text.trim_end_matches(['!', '?']);
    // Some programs write `--` for a passed turn. It counts as a move so that the replay reports
    // it.
    let is_move = text == "--" || text.contains(|c: char| c.is_alphanumeric());
    (is_move && text != "e.p.").then_some(text)
}
