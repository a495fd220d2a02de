//! Strength on one scale: the networks of a run, other players and the anchors, rated by games that are chosen to tell most.
//!
//! ```text
//! ratings/<first>-<second>.json   a pairing's pairs of games, in their order, and the terms they were played on
//! ratings/ratings.json            the scale: made anew each time
//! ratings/lock                    held while a process works on it
//! ```
//!
//! A pairing's games are a function of its two players, the seed and the ply cap, and its first pairs are the same however many are
//! played. Who plays next follows from the games before ([`Plan`]), each decision from the pairs that the plan had by then. So the
//! same command ends with the same bytes, whether or not it was stopped, on any number of threads, and one with more games goes on
//! from where another ended.

mod entrants;
mod file;
mod games;

pub use entrants::{Entrant, Roster, entrants, gauntlet};
pub use file::{
    Pairing, RatedPlayer, RatingsFile, Strength, Strengths, ratings_dir, ratings_path, strengths,
};

use crate::TrainingError;
use crate::progress::Progress;
use catapult_arena::rating::{BLOCK_PAIRS, Contest, Plan, RESAMPLES, Seat, rate as fit_ratings};
use catapult_network::Compute;
use catapult_rules::Variant;
use catapult_store::{Tally, Workers, lock, write_json};
use games::{Book, PairsUnit, Terms};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// How players are rated. Of these only `threads` and `device` leave the games as they are.
#[derive(Clone, Debug)]
pub struct RateSettings {
    /// The game.
    pub variant: Variant,
    /// The most games of one pairing; pairs of games are played ten at a time.
    pub games_a_pairing: u32,
    /// Games in all.
    pub budget_games: u32,
    /// What openings and choices by chance are drawn from; each pairing has its own.
    pub seed: u64,
    /// Plies after which a game is cut.
    pub ply_cap: u32,
    /// Threads that play.
    pub threads: usize,
    /// Where networks run.
    pub compute: Compute,
}

/// Rates a roster in a folder: plays what its plan asks for and has not been played there, fits, and writes `ratings.json`.
///
/// # Errors
/// [`TrainingError::Stopped`] soon after `stop` becomes true, with the games of finished blocks kept; what the players report; a
/// folder in use.
pub fn rate(
    roster: &Roster,
    settings: &RateSettings,
    dir: &Path,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<RatingsFile, TrainingError> {
    std::fs::create_dir_all(dir).map_err(|e| TrainingError::file(dir, e))?;
    let _lock = lock(dir)?;
    let entrants = &roster.entrants;
    let plan = Plan {
        seats: entrants
            .iter()
            .map(|e| Seat { guess: e.guess, cost: e.cost, is_target: e.is_rated })
            .collect(),
        zero: roster.zero,
        games: settings.budget_games,
        games_a_pairing: settings.games_a_pairing,
    };
    let book = Book { dir, settings, progress, stop };
    let mut asked: BTreeMap<(usize, usize), u32> = BTreeMap::new();
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
        let mut units = Vec::new();
        for &(a, b) in &round {
            let pairs = asked.entry((a, b)).or_default();
            *pairs += BLOCK_PAIRS;
            let players = Terms::order([&entrants[a], &entrants[b]]);
            units.push(PairsUnit { book: &book, players, count: *pairs });
        }
        // Each match has all threads.
        let played = Workers { threads: 1, stop }.all(&units, &Tally::of(&units), |_, _| ())?;
        for (((a, b), unit), pairs) in round.into_iter().zip(&units).zip(&played) {
            let is_turned = !std::ptr::eq(unit.players[0], &entrants[a]);
            let (first, second) = if is_turned { (b, a) } else { (a, b) };
            contests.insert((a, b), Contest::new(first, second, pairs));
        }
    }
}
