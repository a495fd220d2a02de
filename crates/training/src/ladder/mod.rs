//! Ratings of a run's networks, other players and the anchors on one scale. A *ladder* is such a
//! set of players. An *anchor* is a fixed player without a network. The number of games is limited.
//! The program plays the games that narrow the ratings' intervals most.
//!
//! ```text
//! ratings/<first>--<second>.json   games of a pairing, in pairs and in order, with their cache key
//! ratings/ratings.json             the ratings, written anew each time
//! ratings/lock                     locked while a process uses the folder
//! ```
//!
//! A pairing's games depend only on its two players, the seed, the ply cap and the versions of
//! players. If more pairs are played later, the first pairs are the same. The results of earlier
//! games determine who plays next ([`Plan`]).
//!
//! Repeating a command therefore gives the same bytes on any number of threads, even after an
//! interruption. A command with more games continues from the existing ones.

mod entrants;
mod file;
mod games;

pub use entrants::{Entrant, Roster, entrants, gauntlet};
pub use file::{
    Pairing, RatedPlayer, RatingsFile, Strength, Strengths, ratings_dir, ratings_path, strengths,
};

use crate::TrainingError;
use crate::progress::{Progress, Watch};
use catapult_arena::rating::{BLOCK_PAIRS, Contest, Plan, RESAMPLES, Seat, rate as fit_ratings};
use catapult_network::Device;
use catapult_rules::Variant;
use catapult_store::{StoreError, find_or_make_all, lock, write_json};
use games::{PairsUnit, check_folder};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Settings of a ladder. The games do not depend on `threads`. They can depend on `device`,
/// because the last bits of evaluations differ between kinds of devices.
#[derive(Clone, Debug)]
pub struct RateSettings {
    /// Variant of all games.
    pub variant: Variant,
    /// Maximum number of games per pairing. Games are played in blocks of ten pairs, which are
    /// twenty games.
    pub games_per_pairing: u32,
    /// Maximum total number of games, including existing ones.
    pub budget_games: u32,
    /// Seed of openings and random choices. Each pairing derives its own seed from it.
    pub seed: u64,
    /// Number of plies, including the opening, after which a game is truncated.
    pub ply_cap: u32,
    /// Number of threads that play.
    pub threads: usize,
    /// Device that evaluates the networks.
    pub device: Device,
}

/// Rates the players of a roster in the folder `dir`. Plays the missing games, fits the ratings,
/// writes `ratings.json` and returns its content.
///
/// # Errors
/// [`TrainingError::Stopped`] soon after `stop` becomes true. Games of finished blocks are kept.
/// Another error if a player fails, a file cannot be read or written, or another process uses the
/// folder. Also if all games in the folder are of another variant, seed or ply cap, or if games are
/// of another player with the same name.
pub fn rate(
    roster: &Roster,
    settings: &RateSettings,
    dir: &Path,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<RatingsFile, TrainingError> {
    std::fs::create_dir_all(dir).map_err(|e| StoreError::file(dir, e))?;
    let _lock = lock(dir)?;
    check_folder(dir, settings)?;
    let entrants = &roster.entrants;
    // Guesses of anchors are relative to `alphabeta:1q`, those of a plan to its zero. If the zero
    // has no guess, they remain.
    let of_zero = entrants[roster.zero].guess.unwrap_or_default();
    let guess = |e: &Entrant| e.guess.map(|guess| guess - of_zero);
    let plan = Plan {
        seats: entrants
            .iter()
            .map(|e| Seat { guess: guess(e), cost: e.cost, is_target: e.is_rated })
            .collect(),
        zero: roster.zero,
        games: settings.budget_games,
        games_per_pairing: settings.games_per_pairing,
    };
    let watch = Watch { progress, stop };
    // Sorted by name and id, the players of a pairing have the same order in every ladder.
    let ordered = |&(a, b): &(usize, usize)| {
        let mut players = [a, b];
        players.sort_by_key(|&player| (entrants[player].full_name(), &entrants[player].id));
        players
    };
    let mut contests: BTreeMap<(usize, usize), Contest> = BTreeMap::new();
    loop {
        let known: Vec<Contest> = contests.values().cloned().collect();
        let round = plan.next_round(&known);
        if round.is_empty() {
            let players = entrants.len();
            let ratings = fit_ratings(&known, players, roster.zero, RESAMPLES, settings.seed);
            let file = RatingsFile::new(roster, settings, &ratings);
            write_json(&ratings_path(dir), &file)?;
            return Ok(file);
        }
        let unit = |pairing: &(usize, usize)| PairsUnit {
            dir,
            settings,
            watch,
            players: ordered(pairing).map(|player| &entrants[player]),
            count: contests.get(pairing).map_or(0, Contest::pairs) + BLOCK_PAIRS,
        };
        let units: Vec<PairsUnit<'_>> = round.iter().map(unit).collect();
        // Each match uses all threads.
        let played = find_or_make_all(&units, 1, stop, |_, _| ())?;
        for (pairing, pairs) in round.into_iter().zip(&played) {
            let [first, second] = ordered(&pairing);
            contests.insert(pairing, Contest::new(first, second, pairs));
        }
    }
}
