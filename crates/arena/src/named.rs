//! Matches of players that are named, in a variant that is named.

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

/// How a game of a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The side that the match's player had.
    pub player_color: Color,
    /// Why it is over.
    pub outcome: Outcome,
    /// Who has won.
    pub winner: Option<Color>,
}

/// A match's result, and how its games ended: two of a pair together, the player's White game first.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedMatch {
    /// The counts and what follows from them.
    pub result: MatchResult,
    /// The games' ends.
    pub ends: Vec<GameEnd>,
}

/// [`play_match`] for those who need no positions: no type of a game is left in what goes in and comes out, so that matches are
/// compiled here and not by every crate that plays them. Players go by the names given; `compute` says where networks run.
///
/// # Errors
/// As [`play_match`]; [`MatchError::Player`] of who can't be made.
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

/// Moves a second of one thread, by a player against itself, from so long a time or one move; games are given up after so many plies.
///
/// # Errors
/// What the player reports.
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
