//! Recorded games of a run. A shard is written after its last game has ended, so unfinished games
//! never appear.

use crate::error::{Answer, Refusal};
use crate::runs::{generations, shards};
use catapult_records::{GameRecord, read_shard};
use catapult_rules::{Color, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A recorded game, sent as JSON.
#[derive(Clone, Serialize)]
pub(crate) struct Replay {
    generation: u32,
    /// File name of the shard. `index` is the number of the game in it, from 0.
    shard: String,
    index: usize,
    variant: String,
    /// FEN of the first position. Empty if it is the variant's start position.
    start: String,
    /// Move texts separated by spaces. One string takes less memory than a list.
    moves: String,
    plies: usize,
    outcome: &'static str,
    winner: Option<&'static str>,
}

/// Filter and page of a request for recorded games. Absent filters match every game.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ReplayQuery {
    generation: Option<u32>,
    outcome: Option<Outcome>,
    /// Winner of the games: `white`, `black` or `none`.
    winner: Option<String>,
    /// Minimum number of plies of the games. `longest` is the maximum.
    shortest: Option<usize>,
    longest: Option<usize>,
    /// Number of shards to skip, counted from the newest.
    skip: Option<usize>,
    /// Number of games from which on no further shard is read, 1 to 100. The default is 12.
    count: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct ReplayPage {
    games: Vec<Replay>,
    /// Value of `skip` for the next page. `None` if this page has the last shard.
    next: Option<usize>,
    /// Messages about shards that cannot be read.
    problems: Vec<String>,
}

/// Maximum number of shards in the cache.
const CACHED_SHARDS: usize = 64;
/// Maximum number of shards that a request reads.
const AT_ONCE: usize = 16;
/// Maximum of `count` in a request. A page can have more games, because its last shard is returned
/// completely.
const MOST_GAMES: usize = 100;
/// Default of `count` in a request.
const FEW_GAMES: usize = 12;

/// Path of a shard, and its games.
type Read = (PathBuf, Arc<Vec<Replay>>);

/// Cache of the shards that were read last.
#[derive(Default)]
pub(crate) struct Replays(Mutex<VecDeque<Read>>);

impl ReplayQuery {
    fn matches(&self, game: &Replay) -> bool {
        let plies = game.plies;
        self.outcome.is_none_or(|outcome| outcome.name() == game.outcome)
            && self.winner.as_deref().is_none_or(|winner| winner == game.winner.unwrap_or("none"))
            && self.shortest.is_none_or(|shortest| plies >= shortest)
            && self.longest.is_none_or(|longest| plies <= longest)
    }
}

impl Replays {
    /// Returns a page of a run's games that match `query`, newest shard first.
    pub(crate) fn find(&self, run: &Path, query: &ReplayQuery) -> Answer<ReplayPage> {
        if !matches!(query.winner.as_deref(), None | Some("white" | "black" | "none")) {
            return Err(Refusal::bad("winner: it must be white, black or none"));
        }
        let enough = query.count.unwrap_or(FEW_GAMES).clamp(1, MOST_GAMES);
        let numbers = match query.generation {
            Some(number) => vec![number],
            None => generations(run),
        };
        let mut page = ReplayPage { games: Vec::new(), next: None, problems: Vec::new() };
        let skip = query.skip.unwrap_or(0);
        let all = numbers
            .into_iter()
            .flat_map(|number| shards(run, number).into_iter().map(move |path| (number, path)));
        for (at, (generation, path)) in all.enumerate().skip(skip) {
            if page.games.len() >= enough || at >= skip + AT_ONCE {
                page.next = Some(at);
                break;
            }
            match self.read(generation, &path) {
                Ok(games) => page.games.extend(games.iter().filter(|game| query.matches(game)).cloned()),
                Err(error) => page.problems.push(error),
            }
        }
        Ok(page)
    }

    /// Returns the games of a shard. The hash of a shard is part of its file name, so cached games
    /// are never out of date.
    ///
    /// # Errors
    /// The shard cannot be read. The message has its file name, but not its path.
    fn read(&self, generation: u32, path: &Path) -> Result<Arc<Vec<Replay>>, String> {
        let cache = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, games)) = cache().iter().find(|(cache, _)| cache == path) {
            return Ok(games.clone());
        }
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        // The record's own error contains the full path, which clients should not see.
        let shard =
            read_shard(path).map_err(|_| format!("{name} can't be read, or is not what its name says"))?;
        let games = shard.games.into_iter().enumerate();
        let games = games.map(|(index, game)| replay(generation, &name, index, game));
        let games = Arc::new(games.collect::<Result<Vec<_>, _>>()?);
        let mut cache = cache();
        cache.push_front((path.to_owned(), Arc::clone(&games)));
        cache.truncate(CACHED_SHARDS);
        Ok(games)
    }
}

fn replay(generation: u32, shard: &str, index: usize, game: GameRecord) -> Result<Replay, String> {
    let moves = game.texts().map_err(|error| format!("{shard}: {error}"))?.moves;
    let is_usual = game.variant.start().fen() == game.start_fen;
    Ok(Replay {
        generation,
        shard: shard.to_owned(),
        index,
        start: if is_usual { String::new() } else { game.start_fen },
        variant: game.variant.to_string(),
        plies: moves.len(),
        moves: moves.join(" "),
        outcome: game.outcome.name(),
        winner: game.winner.map(Color::name),
    })
}
