//! Openings for pairs of games: random, short, roughly level, no two alike.

use crate::alphabeta::AlphaBeta;
use crate::anchor::Anchor;
use crate::player::random_move;
use crate::random::stream;
use catapult_rules::Game;
use rand::Rng;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// How many random plies an opening has.
pub const OPENING_PLIES: RangeInclusive<u32> = 6..=10;

/// The largest score, in centipawns to either side, that alpha-beta may see after an opening.
pub const OPENING_MAX_SCORE: i32 = 150;

/// The depth to which it looks.
pub const OPENING_DEPTH: u32 = 2;

/// How many openings in a row may be refused.
const MAX_REFUSED: u32 = 10_000;

/// Openings that could not be found.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("only {found} of {wanted} openings found: {MAX_REFUSED} random ones in a row were lopsided or known")]
pub struct OpeningError {
    /// How many there are.
    pub found: usize,
    /// How many were asked for.
    pub wanted: usize,
}

/// `count` openings drawn by the seed: 6 to 10 random plies from the start, refused if the game is over, if alpha-beta
/// to two plies sees more than 1.5 pawns for a side, or if an earlier one ends in the same position.
///
/// The first n are the same however many are asked for.
pub fn openings<P: Anchor>(rules: P::Rules, count: usize, seed: u64) -> Result<Vec<Game<P>>, OpeningError> {
    let mut random = stream(&[seed]);
    let mut judge = AlphaBeta::new(OPENING_DEPTH, false);
    let mut known = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    let mut refused = 0;
    while openings.len() < count {
        if refused == MAX_REFUSED {
            return Err(OpeningError { found: openings.len(), wanted: count });
        }
        refused += 1;
        let mut game = Game::new(P::start(rules));
        let plies = random.random_range(OPENING_PLIES);
        for _ in 0..plies {
            if game.outcome().is_some() {
                break;
            }
            let mv = random_move(game.position(), None, &mut random);
            game.push(mv);
        }
        if game.outcome().is_none()
            && judge.analyse(&game).score.abs() <= OPENING_MAX_SCORE
            && known.insert(game.position().key())
        {
            openings.push(game);
            refused = 0;
        }
    }
    Ok(openings)
}
