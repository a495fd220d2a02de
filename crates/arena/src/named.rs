//! Matches between named players in a named variant.

use crate::anchor::Anchor;
use crate::build::contender;
use crate::folder::{MatchFolder, MatchTerms};
use crate::match_error::MatchError;
use crate::matches::{Contender, MatchProgress, MatchSettings, Watch, play_match, play_match_with};
use crate::openings::openings_from;
use crate::played::PlayedGame;
use crate::player::{PlayerError, Turn};
use crate::result::MatchResult;
use crate::spec::PlayerSpec;
use catapult_network::Compute;
use catapult_rules::{Color, Game, Outcome, Position, Variant, with_variant};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// Result of one game in a match, without its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// Colour of the match's first player.
    pub player_color: Color,
    /// Outcome of the game, such as checkmate or stalemate.
    pub outcome: Outcome,
    /// Colour of the winner. `None` without a winner.
    pub winner: Option<Color>,
}

/// Result of a match and of each game. The games are sorted by pair. In each pair, the game in
/// which the first player has White comes first.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedMatch {
    /// Counts, score and Elo of the first player.
    pub result: MatchResult,
    /// Results of the games.
    pub ends: Vec<GameEnd>,
}

/// Plays a match like [`play_match`], for callers that need no positions. A player is given as a
/// pair: its name in results, and its spec. `compute` selects the device of networks.
///
/// The signature has no type of a game. The code of matches is therefore compiled only in this
/// crate, and not in every crate that plays matches.
///
/// # Errors
/// As [`play_match`], and [`MatchError::Player`] if a player can't be made.
pub fn play_named_match(
    variant: Variant,
    [player, opponent]: [(&str, &PlayerSpec); 2],
    compute: &Compute,
    settings: &MatchSettings,
    progress: &(dyn Fn(MatchProgress) -> ControlFlow<()> + Sync),
) -> Result<NamedMatch, MatchError> {
    with_variant!(variant, |P, rules| {
        let make = |(name, spec): (&str, &PlayerSpec)| match contender::<P>(spec, variant, compute) {
            Ok(made) => Ok(Contender { name: name.to_owned(), ..made }),
            Err(error) => Err(MatchError::Player { name: name.to_owned(), error }),
        };
        let (player, opponent) = (make(player)?, make(opponent)?);
        let played = play_match(&variant.to_string(), rules, &player, &opponent, settings, progress)?;
        let end = |game: &PlayedGame<P>| GameEnd {
            player_color: game.player_color,
            outcome: game.outcome,
            winner: game.winner,
        };
        Ok(NamedMatch { ends: played.games.iter().map(end).collect(), result: played.result })
    })
}

/// Files of a match.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatchFiles<'a> {
    /// Openings, one per pair of games ([`openings_from`]). `None` draws random openings.
    pub openings: Option<&'a Path>,
    /// Folder that keeps each game as it ends, so that the match can be resumed. `None` keeps no
    /// game.
    pub folder: Option<&'a Path>,
}

/// Stores each game in a folder, and calls `progress`.
struct Keeper<'a, F> {
    folder: Option<&'a MatchFolder>,
    progress: F,
}

impl<P: Anchor, F: Fn(MatchProgress) -> ControlFlow<()> + Sync> Watch<P> for Keeper<'_, F> {
    fn progress(&self, state: MatchProgress) -> ControlFlow<()> {
        (self.progress)(state)
    }

    fn finished(&self, game: &PlayedGame<P>) -> Result<(), MatchError> {
        self.folder.map_or(Ok(()), |folder| folder.keep(game))
    }
}

/// Plays a match between two players like [`play_named_match`], from the openings of a file and
/// with its games in a folder.
///
/// # Errors
/// As [`play_named_match`], and if a file cannot be used or the folder has another match.
pub fn play_kept_match(
    variant: Variant,
    [player, opponent]: [&PlayerSpec; 2],
    compute: &Compute,
    settings: &MatchSettings,
    files: MatchFiles<'_>,
    progress: impl Fn(MatchProgress) -> ControlFlow<()> + Sync,
) -> Result<MatchResult, MatchError> {
    with_variant!(variant, |P, rules| {
        let player = contender::<P>(player, variant, compute)?;
        let opponent = contender::<P>(opponent, variant, compute)?;
        let openings = match files.openings {
            Some(file) => openings_from::<P>(file, rules)?,
            None => settings.openings::<P>(rules)?,
        };
        let terms = MatchTerms {
            variant: variant.to_string(),
            player: player.name.clone(),
            opponent: opponent.name.clone(),
            seed: settings.seed,
            ply_cap: settings.ply_cap,
            time: settings.time.map(|time| time.to_string()),
            forbidden: settings.forbidden.map(|kind| kind.to_string()),
            openings: files.openings.map(|file| file.display().to_string()),
        };
        let opened = files.folder.map(|dir| MatchFolder::open::<P>(dir, &terms, rules)).transpose()?;
        let (folder, known) = opened.unzip();
        let keeper = Keeper { folder: folder.as_ref(), progress };
        let (players, known) = ([&player, &opponent], known.unwrap_or_default());
        let played = play_match_with(&terms.variant, rules, players, settings, &openings, known, &keeper)?;
        if let Some(folder) = &folder {
            folder.finish(variant, &terms, &played)?;
        }
        Ok(played.result)
    })
}

/// Returns the speed of a player on one thread, in moves per second. The player plays against
/// itself for at least `time`. Games are truncated after `ply_cap` plies.
///
/// # Errors
/// The player can't be made or fails.
pub fn moves_a_second(
    variant: Variant,
    spec: &PlayerSpec,
    compute: &Compute,
    time: Duration,
    ply_cap: usize,
) -> Result<f64, PlayerError> {
    with_variant!(variant, |P, rules| {
        let mut player = (contender::<P>(spec, variant, compute)?.make)()?;
        let began = Instant::now();
        let mut moves = 0;
        loop {
            let mut game = Game::new(P::start(rules));
            while game.outcome().is_none() && game.ply() < ply_cap {
                moves += 1;
                let chosen = player.choose(&[Turn::new(&game, moves)])?;
                if began.elapsed() >= time {
                    return Ok(moves as f64 / began.elapsed().as_secs_f64());
                }
                game.push(chosen[0]);
            }
        }
    })
}
