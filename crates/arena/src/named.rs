//! Matches between named players in a named variant.

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
