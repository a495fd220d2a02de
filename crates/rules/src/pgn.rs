//! Portable game notation: a streaming reader and a writer.

use crate::{FenError, Game, MoveError, Position, Variant, VariantError};
use std::fmt;
use std::io::{self, BufRead, Write};

/// How a PGN game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PgnResult {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Unknown,
}

impl PgnResult {
    fn read(token: &str) -> Option<PgnResult> {
        Some(match token {
            "1-0" => PgnResult::White,
            "0-1" => PgnResult::Black,
            "1/2-1/2" => PgnResult::Draw,
            "*" => PgnResult::Unknown,
            _ => return None,
        })
    }

    /// The result of a game that is over, [`PgnResult::Unknown`] of one that is not or was capped.
    pub fn of<P: Position>(game: &Game<P>) -> PgnResult {
        match game.outcome() {
            None | Some(crate::Outcome::Capped) => PgnResult::Unknown,
            Some(outcome) => match outcome.winner(game.position().side_to_move()) {
                Some(crate::Color::White) => PgnResult::White,
                Some(crate::Color::Black) => PgnResult::Black,
                None => PgnResult::Draw,
            },
        }
    }
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PgnResult::White => "1-0",
            PgnResult::Black => "0-1",
            PgnResult::Draw => "1/2-1/2",
            PgnResult::Unknown => "*",
        })
    }
}

/// A game as it stands in a file; the moves are not looked at yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// Tags in their order.
    pub tags: Vec<(String, String)>,
    /// The moves' texts; comments, variations, move numbers and annotation glyphs are gone.
    pub moves: Vec<String>,
    /// The result at the end of the moves.
    pub result: PgnResult,
    /// The line of the file on which the game begins, from 1.
    pub line: usize,
}

/// A file that can't be read as PGN.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The file could not be read.
    #[error("line {line}: {error}")]
    Io {
        /// The line that was wanted.
        line: usize,
        /// What the system says.
        error: io::Error,
    },
    /// The text is not PGN.
    #[error("line {line}: {reason}")]
    Syntax {
        /// The line at fault, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// Why a game could not be played through.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The `FEN` tag was refused.
    #[error("game on line {line}: {error}")]
    Start {
        /// Where the game begins.
        line: usize,
        /// Why.
        error: FenError,
    },
    /// A move is not one of the position's.
    #[error("game on line {line}, ply {ply}: {error}")]
    Move {
        /// Where the game begins.
        line: usize,
        /// How many moves could be played before it.
        ply: usize,
        /// Why.
        error: MoveError,
    },
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The variant named by the `Variant` tag; standard chess without one, or by its usual names.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        match self.tag("Variant") {
            None => Ok(Variant::Chess),
            Some(name) => match name.to_ascii_lowercase().as_str() {
                "standard" | "chess" | "normal" | "from position" | "" => Ok(Variant::Chess),
                other => other.parse(),
            },
        }
    }

    /// Plays the game through under a game's rules, from its `FEN` tag or else the start. On an illegal move the
    /// game up to there is given with the error.
    pub fn replay<P: Position>(&self, rules: P::Rules) -> Result<Game<P>, (Option<Game<P>>, ReplayError)> {
        let start = match self.tag("FEN") {
            None => P::start(rules),
            Some(fen) => P::from_fen(fen, rules)
                .map_err(|error| (None, ReplayError::Start { line: self.line, error }))?,
        };
        let mut game = Game::new(start);
        for text in &self.moves {
            match game.position().parse_san(text) {
                Ok(mv) => game.push(mv),
                Err(error) => {
                    let ply = game.ply();
                    return Err((Some(game), ReplayError::Move { line: self.line, ply, error }));
                }
            }
        }
        Ok(game)
    }
}

/// Reads games one after the other, holding one at a time.
///
/// ```
/// use catapult_rules::{Chess, PgnReader, Standard};
/// let text = "[White \"A\"]\n\n1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n";
/// let games: Vec<_> = PgnReader::new(text.as_bytes()).collect::<Result<_, _>>().unwrap();
/// assert_eq!(games[0].moves, ["e4", "e5", "Nf3"]);
/// assert_eq!(games[0].replay::<Chess>(Standard).unwrap().ply(), 3);
/// ```
pub struct PgnReader<R> {
    input: R,
    line: usize,
    /// What is left of the current line.
    rest: String,
    done: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from a file or any other buffered input.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader { input, line: 0, rest: String::new(), done: false }
    }

    /// Reads the next line; false at the end. Bytes that are not UTF-8 (old files' names) are replaced.
    fn next_line(&mut self) -> Result<bool, PgnError> {
        let mut bytes = Vec::new();
        self.line += 1;
        let read = self.input.read_until(b'\n', &mut bytes);
        match read {
            Ok(0) => Ok(false),
            Ok(_) => {
                self.rest = String::from_utf8_lossy(&bytes).into_owned();
                if self.line == 1 {
                    self.rest = self.rest.trim_start_matches('\u{feff}').to_owned();
                }
                Ok(true)
            }
            Err(error) => Err(PgnError::Io { line: self.line, error }),
        }
    }

    fn syntax<T>(&self, line: usize, reason: impl Into<String>) -> Result<T, PgnError> {
        Err(PgnError::Syntax { line, reason: reason.into() })
    }

    /// Skips a comment whose brace has been taken off.
    fn skip_comment(&mut self) -> Result<(), PgnError> {
        let opened = self.line;
        loop {
            if let Some(end) = self.rest.find('}') {
                self.rest.drain(..=end);
                return Ok(());
            }
            if !self.next_line()? {
                return self.syntax(opened, "a comment is opened and never closed");
            }
        }
    }

    fn next_game(&mut self) -> Result<Option<PgnGame>, PgnError> {
        let mut game = PgnGame::default();
        // Open variations, and where the first began.
        let (mut depth, mut opened) = (0usize, 0);
        loop {
            let trimmed = self.rest.trim_start();
            let skipped = self.rest.len() - trimmed.len();
            let Some(first) = trimmed.chars().next() else {
                let at_tag = |line: &str| line.starts_with('[');
                if !self.next_line()? {
                    if depth > 0 {
                        return self.syntax(opened, "a variation is opened and never closed");
                    }
                    self.done = true;
                    return Ok((game.line > 0).then_some(game));
                }
                if self.rest.starts_with('%') {
                    self.rest.clear();
                } else if depth == 0 && !game.moves.is_empty() && at_tag(self.rest.trim_start()) {
                    // The result is missing, but a new game begins.
                    return Ok(Some(game));
                }
                continue;
            };
            self.rest.drain(..skipped);
            if game.line == 0 {
                game.line = self.line;
            }
            match first {
                '{' => {
                    self.rest.remove(0);
                    self.skip_comment()?;
                }
                ';' => self.rest.clear(),
                '(' => {
                    if depth == 0 {
                        opened = self.line;
                    }
                    depth += 1;
                    self.rest.remove(0);
                }
                ')' => {
                    if depth == 0 {
                        return self.syntax(self.line, "`)` without `(`");
                    }
                    depth -= 1;
                    self.rest.remove(0);
                }
                '[' if depth == 0 && game.moves.is_empty() => {
                    let tag = self.read_tag()?;
                    game.tags.push(tag);
                }
                _ => {
                    let end = self.rest.find(|c: char| c.is_whitespace() || "{}();[]".contains(c));
                    let token: String = self.rest.drain(..end.unwrap_or(self.rest.len())).collect();
                    if token.is_empty() {
                        return self.syntax(self.line, format!("`{first}` where a move was expected"));
                    }
                    if depth > 0 {
                        continue;
                    }
                    if let Some(result) = PgnResult::read(&token) {
                        game.result = result;
                        return Ok(Some(game));
                    }
                    game.moves.extend(move_of(&token).map(str::to_owned));
                }
            }
        }
    }

    /// Reads `[Name "value"]`; within the value `\"` and `\\` stand for the second character.
    fn read_tag(&mut self) -> Result<(String, String), PgnError> {
        let bad = "a tag is written [Name \"value\"]";
        let Some(quote) = self.rest.find('"') else { return self.syntax(self.line, bad) };
        let name = self.rest[1..quote].trim().to_owned();
        let mut value = String::new();
        let mut characters = self.rest[quote + 1..].char_indices();
        let mut end = None;
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    end = Some(quote + 1 + at + 1);
                    break;
                }
                '\\' => value.extend(characters.next().map(|(_, c)| c)),
                c => value.push(c),
            }
        }
        let Some(close) = end.and_then(|end| Some(end + self.rest[end..].find(']')?)) else {
            return self.syntax(self.line, bad);
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            return self.syntax(self.line, bad);
        }
        self.rest.drain(..=close);
        Ok((name, value))
    }
}

/// The move in a token: move numbers (`12.`, `12...e4`) and annotation glyphs (`$6`, `!?`) hold none or go away.
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
    (!text.is_empty() && text != "e.p.").then_some(text)
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = self.next_game();
        // Behind an error nothing can be trusted.
        self.done |= game.is_err();
        game.transpose()
    }
}

/// Writes a game: the tags given, then `Variant`, `SetUp` and `FEN` where they are needed, and the moves.
///
/// A tag is written for each of the seven of the standard's roster, `?` where none is given.
pub fn write_pgn<P: Position>(
    out: &mut impl Write,
    variant: Variant,
    tags: &[(String, String)],
    game: &Game<P>,
    result: PgnResult,
) -> io::Result<()> {
    let given = |name: &str| tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{}\"]", value.replace(['\n', '\r'], " "))
    };
    const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    const OURS: [&str; 3] = ["Variant", "SetUp", "FEN"];
    for name in ROSTER {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        let value =
            if name == "Result" { result.to_string() } else { given(name).unwrap_or(unknown).to_owned() };
        tag(name, &value)?;
    }
    for (name, value) in tags {
        if !ROSTER.contains(&name.as_str()) && !OURS.contains(&name.as_str()) {
            tag(name, value)?;
        }
    }
    if variant != Variant::Chess {
        tag("Variant", &variant.to_string())?;
    }
    let start = *game.start();
    if start.to_string() != P::start(start.rules()).to_string() {
        tag("SetUp", "1")?;
        tag("FEN", &start.to_string())?;
    }
    writeln!(out)?;
    let mut position = start;
    let mut column = 0;
    let mut word = |text: &str| {
        let wraps = column + 1 + text.len() > 79;
        let before = if column == 0 {
            ""
        } else if wraps {
            "\n"
        } else {
            " "
        };
        column = if wraps { text.len() } else { column + before.len() + text.len() };
        write!(out, "{before}{text}")
    };
    for (ply, mv) in game.moves().iter().enumerate() {
        if position.side_to_move() == crate::Color::White {
            word(&format!("{}.", position.fullmove_number()))?;
        } else if ply == 0 {
            word(&format!("{}...", position.fullmove_number()))?;
        }
        word(&position.san(*mv))?;
        position.play(*mv);
    }
    word(&result.to_string())?;
    writeln!(out, "\n")
}
