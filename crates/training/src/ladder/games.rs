//! Games of a pairing of two players. Each pairing has one file, to which new games are added.

use super::{Entrant, RateSettings};
use crate::TrainingError;
use crate::progress::Watch;
use catapult_arena::rating::{BLOCK_PAIRS, Ended, Pair};
use catapult_arena::{ANCHOR_VERSION, GameEnd, MatchFiles, MatchSettings, NamedPlayer, play_named_match};
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_rules::Outcome;
use catapult_seeds::Stream;
use catapult_store::{StoreError, Unit, differences, read_cached, read_json, write_cached};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Cache key of a pairing's games: all inputs that determine them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CacheKey {
    variant: String,
    /// Ids of the two players. Results are recorded for the first of them.
    players: [String; 2],
    seed: u64,
    ply_cap: u32,
    anchor_version: u32,
    search_defaults: u32,
}

impl CacheKey {
    fn new(players: [&Entrant; 2], settings: &RateSettings) -> CacheKey {
        CacheKey {
            variant: settings.variant.to_string(),
            players: players.map(|player| player.id.clone()),
            seed: settings.seed,
            ply_cap: settings.ply_cap,
            anchor_version: ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
        }
    }
}

/// Cache key in the file of a pairing.
#[derive(Deserialize)]
struct Kept {
    #[serde(rename = "terms")]
    key: CacheKey,
}

/// Checks that the folder `dir` has a pairing with the same variant, seed and ply cap, or no games.
///
/// # Errors
/// All its games are of other settings. New games would replace them. The error names the keys.
pub(super) fn check_folder(dir: &Path, settings: &RateSettings) -> Result<(), TrainingError> {
    let RateSettings { variant, seed, ply_cap, .. } = settings;
    let mut changed = Vec::new();
    for entry in dir.read_dir().map_err(|error| StoreError::file(dir, error))?.flatten() {
        // Damaged pairings are played again. Other files have no cache key.
        let Ok(Kept { key }) = read_json::<Kept>(&entry.path()) else { continue };
        let now = CacheKey { variant: variant.to_string(), seed: *seed, ply_cap: *ply_cap, ..key.clone() };
        changed = differences(&key, &now);
        if changed.is_empty() {
            break;
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    let keys: Vec<String> = changed.iter().map(ToString::to_string).collect();
    let reason = "it contains games with other settings; choose another --output folder";
    Err(TrainingError::config(dir, format!("{reason} or undo these changes: {}", keys.join(", "))))
}

/// Unit of work: the first `count` pairs of games between two players. Missing pairs are played and
/// added to the pairing's file.
pub(super) struct PairsUnit<'a> {
    /// Folder of the ladder.
    pub dir: &'a Path,
    pub settings: &'a RateSettings,
    pub watch: Watch<'a>,
    pub players: [&'a Entrant; 2],
    pub count: u32,
}

impl Unit for PairsUnit<'_> {
    type Output = Vec<Pair>;
    type Error = TrainingError;

    fn expected(&self) -> u64 {
        // All units of a round play one block, except for pairs that exist already.
        u64::from(2 * BLOCK_PAIRS)
    }

    fn find(&self) -> Result<Option<Vec<Pair>>, TrainingError> {
        let warn = |text: &str| self.watch.progress.warn(text);
        let mut pairs = self.kept(&warn)?;
        let is_whole = pairs.len() >= self.count as usize;
        pairs.truncate(self.count as usize);
        Ok(is_whole.then_some(pairs))
    }

    fn make(&self) -> Result<Vec<Pair>, TrainingError> {
        // `find` has reported a damaged file.
        let mut pairs = self.kept(&|_| ())?;
        let more = self.play(pairs.len() as u32)?;
        pairs.extend(more);
        write_cached(&self.path(), &CacheKey::new(self.players, self.settings), &pairs)?;
        Ok(pairs)
    }
}

impl PairsUnit<'_> {
    /// Reads all pairs of games in the pairing's file. They may be more than `count`. Calls `warn`
    /// if the file is damaged.
    ///
    /// # Errors
    /// The file has games of other players. New games would replace them.
    fn kept(&self, warn: &dyn Fn(&str)) -> Result<Vec<Pair>, TrainingError> {
        let (path, key) = (self.path(), CacheKey::new(self.players, self.settings));
        if let Ok(before) = read_json::<Kept>(&path)
            && before.key.players != key.players
        {
            let reason = "it contains games of another player with this name; move it away or choose \
                          another --output folder";
            return Err(TrainingError::config(&path, reason));
        }
        Ok(read_cached(&self.dir.into(), &path, &key, warn)?.unwrap_or_default())
    }

    fn path(&self) -> PathBuf {
        self.dir.join(self.players.map(Entrant::file_name).join("--") + ".json")
    }

    /// Plays the pairs of games from number `first` (from 0) up to `count`.
    fn play(&self, first: u32) -> Result<Vec<Pair>, TrainingError> {
        let RateSettings { variant, seed, ply_cap, threads, device, .. } = self.settings;
        let (watch, [one, other]) = (self.watch, self.players);
        let settings = MatchSettings {
            games: 2 * (self.count - first),
            first_pair: first,
            // It depends on no other players, so adding some does not change these games.
            seed: Stream::Pairing(&one.id, &other.id).seed(*seed),
            ply_cap: *ply_cap,
            threads: *threads,
            ..Default::default()
        };
        let names = self.players.map(Entrant::full_name);
        watch.progress.match_begins(&names.join(" against "), settings.games);
        let named = [
            (Some(names[0].as_str()), NamedPlayer::Spec(&one.spec)),
            (Some(names[1].as_str()), NamedPlayer::Spec(&other.spec)),
        ];
        self.players.into_iter().try_for_each(Entrant::check_file)?;
        let progress = |state| watch.of_match(state);
        let files = MatchFiles::default();
        let played = play_named_match(*variant, &named, *device, &settings, files, &progress)?;
        Ok(played.ends.chunks_exact(2).map(pair).collect())
    }
}

fn pair(ends: &[GameEnd]) -> Pair {
    let ended = |game: &GameEnd| match game.winner {
        Some(winner) if winner == game.player_color => Ended::Won,
        Some(_) => Ended::Lost,
        None if game.outcome == Outcome::Capped => Ended::Capped,
        None => Ended::Drawn,
    };
    Pair { as_white: ended(&ends[0]), as_black: ended(&ends[1]) }
}
