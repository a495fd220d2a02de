//! Tests of players and matches. They cover named players, networks, external programs, clocks,
//! forbidden moves and openings from files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

use catapult_arena::{Anchor, Contender, Match, MatchError, MatchSettings, play_match};
use std::ops::ControlFlow;

mod alphabeta;
#[cfg(unix)]
mod external;
mod forbidden;
mod golden;
mod networks;
mod played;
mod timed;

/// Plays a match from random openings, without a folder.
fn play_fresh<P: Anchor>(
    variant: &str,
    rules: P::Rules,
    player: &Contender<'_, P>,
    opponent: &Contender<'_, P>,
    settings: &MatchSettings,
    progress: &(dyn Fn(u32) -> ControlFlow<()> + Sync),
) -> Result<Match<P>, MatchError> {
    let openings = settings.openings::<P>(rules)?;
    play_match(variant, rules, [player, opponent], settings, &openings, (None, Vec::new()), progress)
}
