//! Matches by names of the variant and the players.

use crate::build::contender;
use crate::match_error::MatchError;
use crate::matches::{Contender, MatchProgress, MatchSettings, play_match};
use crate::played::PlayedGame;
use crate::player::{PlayerError, Turn};
use crate::result::MatchResult;
use crate::spec::PlayerSpec;
use catapult_network::Compute;
use catapult_rules::{Color, Game, Outcome, Position, Variant, with_variant};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// End of a game in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// Colour of the match's player.
    pub player_color: Color,
    /// Reason for the end.
    pub outcome: Outcome,
    /// Winner, if any.
    pub winner: Option<Color>,
}

/// Result of a match and the ends of its games, in the order of pairs, the player's White game
/// first.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedMatch {
    /// Counts, score and Elo.
    pub result: MatchResult,
    /// Ends of the games.
    pub ends: Vec<GameEnd>,
}

/// Plays a match like [`play_match`], for callers that need no positions. Its signature has no game
/// types, so that matches are compiled in this crate and not in every crate that plays them. The
/// result contains the given names. `compute` selects the device of networks.
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

/// Measures single-threaded speed in moves per second, from self-play for at least `time`. Games
/// are truncated at `ply_cap`.
///
/// # Errors
/// The player's error.
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
