//! Ratings of a ladder in the file `ratings.json`, their table, and the strengths for charts and
//! logs.

use super::entrants::full_name;
use super::{RateSettings, Roster};
use crate::{TrainConfig, TrainingError};
use catapult_arena::ANCHOR_VERSION;
use catapult_arena::rating::{Rating, Ratings};
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_rules::Variant;
use catapult_stats::Interval;
use catapult_store::read_json;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// Minimum absolute residual of a pairing that the table lists, in standard deviations.
const STANDS_OUT: f64 = 2.0;
/// Maximum number of pairings that the table lists.
const MOST_SHOWN: usize = 5;

/// Ratings of all players of a ladder: the content of `ratings.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingsFile {
    /// Name of the variant.
    pub variant: String,
    /// Name of the player whose rating is 0, followed by its simulations.
    pub zero: String,
    /// Seed of openings, random choices and intervals ([`RateSettings::seed`]).
    pub seed: u64,
    /// Number of plies after which games were truncated. Truncated games count as draws.
    pub ply_cap: u32,
    /// Version of the anchors ([`ANCHOR_VERSION`]), which are fixed alpha-beta players.
    pub anchor_version: u32,
    /// Version of the search's default settings ([`SEARCH_DEFAULTS`]).
    pub search_defaults: u32,
    /// Total number of games of all pairings.
    pub games: u32,
    /// Advantage of playing White, in Elo, with its 95 % interval.
    pub white: Interval,
    /// Davidson's nu with its 95 % interval. Between equal players, nu is the number of draws
    /// divided by the number of one player's wins.
    pub draws: Interval,
    /// The rated players, and other players that have games, strongest first. Players without a
    /// rating come last.
    pub players: Vec<RatedPlayer>,
    /// All pairings that have games.
    pub pairings: Vec<Pairing>,
}

/// Rating of one player of a ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedPlayer {
    /// Name of the player without its simulations.
    pub name: String,
    /// Simulations per move. `None` if the player does not search with simulations.
    pub simulations: Option<u32>,
    /// Number of the generation whose network the player is. `None` if the player is not a run's
    /// network.
    pub generation: Option<u32>,
    /// Key that determines the player's moves. It is a network's hash with simulations and
    /// settings, or the player's name.
    pub id: String,
    /// Rating of the player, in Elo above [`RatingsFile::zero`].
    pub rating: Rating,
    /// Number of games of the player.
    pub games: u32,
    /// Number of opponents against which the player has games.
    pub opponents: u32,
}

/// Observed and expected score of two players against each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// Name of the first player, with simulations. Both scores are of this player.
    pub player: String,
    /// Name of the second player, with simulations.
    pub opponent: String,
    /// Number of games of the pairing.
    pub games: u32,
    /// Mean score of `player`, from 0 to 1.
    pub observed: f64,
    /// Mean score of `player` that the ratings predict, from 0 to 1.
    pub expected: f64,
    /// `observed` minus `expected`, in standard deviations of the mean score.
    pub residual: f64,
}

/// Returns the path of `ratings.json` in a ladder's folder.
pub fn ratings_path(dir: &Path) -> PathBuf {
    dir.join("ratings.json")
}

impl RatingsFile {
    pub(super) fn new(roster: &Roster, settings: &RateSettings, ratings: &Ratings) -> RatingsFile {
        let name = |player: usize| roster.entrants[player].full_name();
        let all = roster.entrants.iter().zip(&ratings.players);
        // Anchors without games are left out.
        let listed = all.filter(|(entrant, rated)| entrant.is_rated || rated.games > 0);
        let players = listed.map(|(entrant, rated)| RatedPlayer {
            name: entrant.name.clone(),
            simulations: entrant.simulations,
            generation: entrant.generation,
            id: entrant.id.clone(),
            rating: rated.rating,
            games: rated.games,
            opponents: rated.opponents,
        });
        let mut players: Vec<RatedPlayer> = players.collect();
        // Players without a rating come last.
        let height = |player: &RatedPlayer| player.rating.elos()[0].unwrap_or(f64::NEG_INFINITY);
        players.sort_by(|a, b| height(b).total_cmp(&height(a)));
        let pairings = ratings.meetings.iter().map(|meeting| Pairing {
            player: name(meeting.first),
            opponent: name(meeting.second),
            games: meeting.games,
            observed: meeting.observed,
            expected: meeting.expected,
            residual: meeting.residual,
        });
        RatingsFile {
            variant: settings.variant.to_string(),
            zero: name(roster.zero),
            seed: settings.seed,
            ply_cap: settings.ply_cap,
            anchor_version: ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
            games: ratings.meetings.iter().map(|meeting| meeting.games).sum(),
            white: ratings.white,
            draws: ratings.draws,
            players,
            pairings: pairings.collect(),
        }
    }
}

impl fmt::Display for RatingsFile {
    /// Writes the table of players, then the pairings whose observed scores differ most from the
    /// expected ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |player: &RatedPlayer| player.name.chars().count();
        let width = self.players.iter().map(name).max().unwrap_or(0).max(6);
        writeln!(f, "{:<width$}  simulations  {:>24}  games  opponents", "player", "Elo [95 %]")?;
        for player in &self.players {
            let simulations = player.simulations.map_or("-".to_owned(), |n| n.to_string());
            let full_name = full_name(&player.name, player.simulations);
            let rating = if full_name == self.zero { "0".to_owned() } else { player.rating.to_string() };
            writeln!(
                f,
                "{:<width$}  {simulations:>11}  {rating:>24}  {:>5}  {:>9}",
                player.name, player.games, player.opponents
            )?;
        }
        let RatingsFile { variant, games, white, draws, .. } = self;
        if *games == 0 {
            return write!(f, "{variant}: no games");
        }
        let pairings = self.pairings.len();
        writeln!(
            f,
            "{variant}: {games} games of {pairings} pairings; White's advantage {:+.0} [{:+.0}, {:+.0}] Elo, \
             Davidson's nu {:.2} [{:.2}, {:.2}]",
            white.value, white.low, white.high, draws.value, draws.low, draws.high
        )?;
        let unplaced = self.players.iter().filter(|p| p.rating == Rating::Unknown);
        let unplaced: Vec<String> = unplaced.map(|p| full_name(&p.name, p.simulations)).collect();
        if !unplaced.is_empty() {
            writeln!(f, "not connected to {} by games: {}", self.zero, unplaced.join(", "))?;
        }
        let mut out: Vec<&Pairing> =
            self.pairings.iter().filter(|p| p.residual.abs() >= STANDS_OUT).collect();
        out.sort_by(|a, b| b.residual.abs().total_cmp(&a.residual.abs()));
        write!(
            f,
            "{} of {pairings} pairings have residuals of {STANDS_OUT} or more standard deviations",
            out.len()
        )?;
        for pairing in out.iter().take(MOST_SHOWN) {
            let Pairing { player, opponent, games, residual, .. } = pairing;
            let [observed, expected] = [pairing.observed, pairing.expected].map(|share| 100.0 * share);
            write!(
                f,
                "\n  {player} against {opponent}: {observed:.1} % of {games} games, {expected:.1} % expected ({residual:+.1})"
            )?;
        }
        Ok(())
    }
}

/// Strength of a generation's network at a number of simulations.
#[derive(Clone, PartialEq, Debug)]
pub struct Strength {
    /// Number of the generation.
    pub generation: u32,
    /// Simulations per move, as text: `64`. In a run with several variants, the variant comes
    /// first: `chess:64`.
    pub level: String,
    /// Strength in Elo above the player [`Strengths::zero`].
    pub rating: Rating,
}

/// Known strengths of a run's generations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Strengths {
    /// Name of the player whose rating is 0, with its simulations.
    pub zero: String,
    /// Strengths by variant, in the config's order. Within a variant they are sorted by
    /// simulations, then by generation.
    pub points: Vec<Strength>,
}

/// Returns the folder of a run's ratings in a variant. It is `ratings`, or its subfolder for the
/// variant if the run has several variants.
pub fn ratings_dir(run: &Path, config: &TrainConfig, variant: Variant) -> PathBuf {
    let dir = run.join("ratings");
    if config.variants().len() > 1 { dir.join(variant.to_string()) } else { dir }
}

/// Reads the strengths of a run's generations. Variants without a `ratings.json` have no points. All
/// points are on one scale: variants with another zero than the first rated variant are left out.
///
/// # Errors
/// A `ratings.json` cannot be read.
pub fn strengths(run: &Path, config: &TrainConfig) -> Result<Strengths, TrainingError> {
    let mut strengths = Strengths::default();
    for variant in config.variants() {
        let path = ratings_path(&ratings_dir(run, config, *variant));
        if !path.exists() {
            continue;
        }
        let mut file = read_json::<RatingsFile>(&path)?;
        if !strengths.zero.is_empty() && file.zero != strengths.zero {
            continue;
        }
        file.players.sort_by_key(|player| (player.simulations, player.generation));
        for player in file.players {
            if let (Some(generation), Some(simulations)) = (player.generation, player.simulations) {
                let of_several = config.variants().len() > 1;
                let arm = if of_several { format!("{variant}:") } else { String::new() };
                let level = format!("{arm}{simulations}");
                strengths.points.push(Strength { generation, level, rating: player.rating });
            }
        }
        strengths.zero = file.zero;
    }
    Ok(strengths)
}
