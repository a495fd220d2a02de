//! The games of a run's records. A shard is written whole when its last game has ended, so nothing of a game under way can be seen.

use crate::error::{Answer, Refusal};
use crate::play::side;
use crate::runs::{generations, shards};
use catapult_records::{GameRecord, read_shard};
use catapult_rules::{Position, Variant, with_variant};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A game of a record.
#[derive(Clone, Serialize)]
pub(crate) struct Replay {
    generation: u32,
    /// The file it is in, and its place there.
    shard: String,
    index: usize,
    variant: String,
    /// The FEN it began with; empty for the game's own start.
    start: String,
    /// Texts with spaces between: a hundred shards fit into memory so.
    moves: String,
    plies: usize,
    outcome: &'static str,
    winner: Option<&'static str>,
}

/// Which games are wanted.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Wanted {
    generation: Option<u32>,
    outcome: Option<String>,
    /// `white`, `black` or `none`.
    winner: Option<String>,
    /// Plies.
    shortest: Option<usize>,
    longest: Option<usize>,
    /// Shards, from the newest, that were looked at before.
    skip: Option<usize>,
    /// Games that are enough.
    count: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct Found {
    games: Vec<Replay>,
    /// Where to go on, if there are more shards.
    next: Option<usize>,
    /// Shards that can't be read.
    problems: Vec<String>,
}

/// Shards that are kept in memory.
const KEPT: usize = 64;
/// Shards that a request reads at most.
const AT_ONCE: usize = 16;
/// Games that a request may ask for; the last shard is told whole.
const MOST_GAMES: usize = 100;
const FEW_GAMES: usize = 12;

type Read = (PathBuf, Arc<Vec<Replay>>);

/// The shards that have been read last.
#[derive(Default)]
pub(crate) struct Replays(Mutex<VecDeque<Read>>);

impl Wanted {
    fn check(&self) -> Answer<()> {
        if let Some(winner) = self.winner.as_deref()
            && !matches!(winner, "white" | "black" | "none")
        {
            return Err(Refusal::bad("winner: it is white, black or none"));
        }
        Ok(())
    }

    fn takes(&self, game: &Replay) -> bool {
        let plies = game.plies;
        self.outcome.as_deref().is_none_or(|outcome| outcome == game.outcome)
            && self.winner.as_deref().is_none_or(|winner| winner == game.winner.unwrap_or("none"))
            && self.shortest.is_none_or(|shortest| plies >= shortest)
            && self.longest.is_none_or(|longest| plies <= longest)
    }
}

impl Replays {
    /// The games of a run that are wanted, newest shard first.
    pub(crate) fn find(&self, run: &Path, wanted: &Wanted) -> Answer<Found> {
        wanted.check()?;
        let enough = wanted.count.unwrap_or(FEW_GAMES).clamp(1, MOST_GAMES);
        let numbers = match wanted.generation {
            Some(number) => vec![number],
            None => generations(run),
        };
        let mut found = Found { games: Vec::new(), next: None, problems: Vec::new() };
        let skip = wanted.skip.unwrap_or(0);
        let all = numbers
            .into_iter()
            .flat_map(|number| shards(run, number).into_iter().map(move |path| (number, path)));
        for (at, (generation, path)) in all.enumerate().skip(skip) {
            if found.games.len() >= enough || at >= skip + AT_ONCE {
                found.next = Some(at);
                break;
            }
            match self.read(generation, &path) {
                Ok(games) => found.games.extend(games.iter().filter(|game| wanted.takes(game)).cloned()),
                Err(error) => found.problems.push(error),
            }
        }
        Ok(found)
    }

    /// The games of a shard. Its name has the hash of its bytes: what is in memory by that name is what is on the disk.
    fn read(&self, generation: u32, path: &Path) -> Result<Arc<Vec<Replay>>, String> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, games)) = kept().iter().find(|(kept, _)| kept == path) {
            return Ok(games.clone());
        }
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        // A message of a record names its file by its whole path, which is nobody's business.
        let shard =
            read_shard(path).map_err(|_| format!("{name} can't be read, or is not what its name says"))?;
        let games = shard.games.into_iter().enumerate();
        let games = games.map(|(index, game)| replay(generation, &name, index, game)).collect();
        let games = Arc::new(games);
        let mut kept = kept();
        kept.push_front((path.to_owned(), Arc::clone(&games)));
        kept.truncate(KEPT);
        Ok(games)
    }
}

fn replay(generation: u32, shard: &str, index: usize, game: GameRecord) -> Replay {
    let is_start =
        |variant: Variant| with_variant!(variant, |P, rules| P::start(rules).to_string() == game.start_fen);
    let start = match game.variant.parse() {
        Ok(variant) if is_start(variant) => String::new(),
        _ => game.start_fen,
    };
    Replay {
        generation,
        shard: shard.to_owned(),
        index,
        start,
        variant: game.variant,
        plies: game.moves.len(),
        moves: game.moves.join(" "),
        outcome: game.outcome.name(),
        winner: game.winner.map(side),
    }
}
