//! Folder of a match on disk. If the process is killed, the match resumes after its finished games.
//!
//! ```text
//! match.json     inputs: players, rules, openings, clocks
//! games.jsonl    one line per finished game
//! games.pgn      games with times and the players' thoughts, written when the match ends
//! result.json    result, written when the match ends
//! lock           locked while a process plays the match
//! ```

use crate::match_error::MatchError;
use crate::played::PlayedGame;
use crate::reply::Thought;
use crate::result::MatchResult;
use catapult_rules::{Color, Game, Outcome, PgnResult, Position, Variant, write_pgn};
use catapult_store::{StoreError, differences, open_folder, read_json, write_atomically, write_json};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Inputs that determine the games of a match. The number of games is not an input, so a match can
/// be extended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchKey {
    /// Name of the variant.
    pub variant: String,
    /// Name of the first player, whose wins are counted.
    pub player: String,
    /// Name of the second player.
    pub opponent: String,
    /// BLAKE3 hash of the first player's network file. `None` for a player without a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_network: Option<String>,
    /// BLAKE3 hash of the second player's network file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_network: Option<String>,
    /// Version of the search's defaults. 0 in folders of earlier versions.
    #[serde(default)]
    pub search_defaults: u32,
    /// Version of the alpha-beta players. 0 in folders of earlier versions.
    #[serde(default)]
    pub anchor_version: u32,
    /// Seed of openings and random choices.
    pub seed: u64,
    /// Number of plies, including the opening, after which a game is truncated.
    pub ply_cap: u32,
    /// Time control, such as `60+0.6`. `None` without clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Kind of move that the second player may not make. `None` if all moves are allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forbidden: Option<String>,
    /// Path of the file of openings. `None` if the match draws its openings by `seed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
}

/// One line of `games.jsonl`: a finished game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    pair: usize,
    player_is_white: bool,
    start: String,
    moves: String,
    opening_plies: u32,
    outcome: Outcome,
    /// True if White won, false if Black won, `None` without a winner.
    white_won: Option<bool>,
    thoughts: Vec<Thought>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// Open folder of a match, locked for this process as long as this value exists.
pub struct MatchFolder {
    dir: PathBuf,
    _lock: File,
    games: Mutex<File>,
}

impl MatchFolder {
    /// Creates or opens the folder `dir` of a match with this key. Returns it with the finished
    /// games that it contains. Without a finished game, the key of an earlier match is replaced.
    ///
    /// # Errors
    /// The folder contains files of something else, games of a match with another key or a damaged
    /// game, another process plays the match, or a file can't be read or written.
    pub fn open<P: Position>(
        dir: &Path,
        key: &MatchKey,
        rules: P::Rules,
    ) -> Result<(MatchFolder, Vec<PlayedGame<P>>), MatchError> {
        let lock = open_folder(dir, "games.jsonl", &[])?;
        let path = dir.join("games.jsonl");
        let io = |error| StoreError::file(&path, error);
        let file = OpenOptions::new().append(true).create(true).open(&path).map_err(io)?;
        let bytes = std::fs::read(&path).map_err(io)?;
        // A kill can leave an incomplete line, which is removed. It may end inside a character.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let text = str::from_utf8(&bytes[..whole]).map_err(|error| StoreError::damaged(&path, error))?;
        // The key of a match that failed before its first game must not bind the corrected match.
        match whole {
            0 => write_json(&dir.join("match.json"), key)?,
            _ => check_key(dir, key)?,
        }
        file.set_len(whole as u64).map_err(io)?;
        let mut games = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let bad = |reason: String| StoreError::damaged(&path, format!("line {}: {reason}", number + 1));
            let line: GameLine = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
            games.push(line.game(rules).map_err(bad)?);
        }
        Ok((MatchFolder { dir: dir.to_owned(), _lock: lock, games: Mutex::new(file) }, games))
    }

    /// Appends a finished game to `games.jsonl` and syncs the file to disk.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn keep<P: Position>(&self, game: &PlayedGame<P>) -> Result<(), MatchError> {
        let path = self.dir.join("games.jsonl");
        let line = serde_json::to_string(&GameLine::of(game));
        let mut line = line.map_err(|error| StoreError::damaged(&path, error))?;
        line.push('\n');
        let mut file = self.games.lock().unwrap_or_else(|e| e.into_inner());
        let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
        Ok(written.map_err(|error| StoreError::file(&path, error))?)
    }

    /// Writes `games.pgn` and `result.json`. Existing files are replaced.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn finish<P: Position>(
        &self,
        variant: Variant,
        key: &MatchKey,
        result: &MatchResult,
        games: &[PlayedGame<P>],
    ) -> Result<(), MatchError> {
        let mut pgn = Vec::new();
        let path = self.dir.join("games.pgn");
        let io = |error| StoreError::file(&path, error);
        write_games(&mut pgn, variant, key, games).map_err(io)?;
        write_atomically(&path, &pgn).map_err(io)?;
        Ok(write_json(&self.dir.join("result.json"), result)?)
    }
}

fn check_key(dir: &Path, key: &MatchKey) -> Result<(), MatchError> {
    let path = dir.join("match.json");
    // Compared as JSON, because the key of another version may have other fields.
    let before: serde_json::Value = read_json(&path)?;
    let now = serde_json::to_value(key).map_err(|error| StoreError::damaged(&path, error))?;
    let found = differences(&before, &now);
    // Folders of earlier versions lack these keys.
    let late = ["player_network", "opponent_network", "search_defaults", "anchor_version"];
    let (added, changed): (Vec<_>, Vec<_>) =
        found.iter().partition(|it| it.is_under(&late) && it.before.is_none());
    if !changed.is_empty() {
        let changed: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let (path, changed) = (dir.display(), changed.join(", "));
        return Err(MatchError::Other(format!("{path}: the folder contains another match: {changed}")));
    }
    if !added.is_empty() {
        write_json(&path, key)?;
    }
    Ok(())
}

impl GameLine {
    fn of<P: Position>(game: &PlayedGame<P>) -> GameLine {
        let mut position = *game.game.start();
        let mut moves = Vec::new();
        for &mv in game.game.moves() {
            moves.push(position.move_text(mv));
            position.play(mv);
        }
        GameLine {
            pair: game.pair,
            player_is_white: game.player_color == Color::White,
            start: game.game.start().to_string(),
            moves: moves.join(" "),
            opening_plies: game.opening_plies,
            outcome: game.outcome,
            white_won: game.winner.map(|winner| winner == Color::White),
            thoughts: game.thoughts.clone(),
            note: game.note.clone(),
        }
    }

    fn game<P: Position>(self, rules: P::Rules) -> Result<PlayedGame<P>, String> {
        let start = P::from_fen(&self.start, rules).map_err(|error| error.to_string())?;
        let mut game = Game::new(start);
        for text in self.moves.split_whitespace() {
            let mv = game.position().parse_move(text).map_err(|error| error.to_string())?;
            game.push(mv);
        }
        let color = |white: bool| if white { Color::White } else { Color::Black };
        let winner = self.white_won.map(color);
        let by_moves = game.outcome().unwrap_or(Outcome::Capped);
        let agrees = match self.outcome {
            // A forfeit is not in the moves. A player can run out of time with the move that mates.
            Outcome::TimeForfeit | Outcome::IllegalMove | Outcome::Crash => winner.is_some(),
            outcome => outcome == by_moves && winner == by_moves.winner(game.position().side_to_move()),
        };
        if !agrees {
            return Err(format!("its outcome or winner is not that of its moves ({by_moves})"));
        }
        Ok(PlayedGame {
            pair: self.pair,
            player_color: color(self.player_is_white),
            game,
            opening_plies: self.opening_plies,
            outcome: self.outcome,
            winner,
            thoughts: self.thoughts,
            note: self.note,
        })
    }
}

/// Appends games as PGN to `out`. Each move after the opening has a comment with the player's
/// score, depth and time.
fn write_games<P: Position>(
    out: &mut Vec<u8>,
    variant: Variant,
    key: &MatchKey,
    games: &[PlayedGame<P>],
) -> std::io::Result<()> {
    for game in games {
        let (white, black) = match game.player_color {
            Color::White => (&key.player, &key.opponent),
            Color::Black => (&key.opponent, &key.player),
        };
        let round = format!("{}.{}", game.pair + 1, 1 + (game.player_color == Color::Black) as u32);
        let termination = match game.outcome {
            Outcome::TimeForfeit => "time forfeit",
            Outcome::IllegalMove => "rules infraction",
            Outcome::Crash => "abandoned",
            Outcome::Capped => "unterminated",
            _ => "normal",
        };
        let mut tags = vec![
            ("Event", format!("{} against {}", key.player, key.opponent)),
            ("Round", round),
            ("White", white.clone()),
            ("Black", black.clone()),
            ("Termination", termination.to_owned()),
            ("Outcome", game.outcome.to_string()),
        ];
        tags.extend(key.time.clone().map(|time| ("TimeControl", time)));
        tags.extend(game.note.clone().map(|note| ("Note", note)));
        let tags: Vec<(String, String)> =
            tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let opening = std::iter::repeat_n(String::new(), game.opening_plies as usize);
        let comments: Vec<String> = opening.chain(game.thoughts.iter().map(ToString::to_string)).collect();
        let result = PgnResult::new(game.outcome, game.winner);
        write_pgn(out, variant, &tags, &game.game, &comments, result)?;
    }
    Ok(())
}
