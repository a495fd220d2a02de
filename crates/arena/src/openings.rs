//! Openings for pairs of games: short, random and distinct, with a small advantage at most.

use crate::alphabeta::AlphaBeta;
use crate::anchor::Anchor;
use crate::match_error::MatchError;
use crate::player::random_move;
use crate::random::numbers;
use catapult_mcts::Mask;
use catapult_rules::{Epd, Game, PgnReader, Position};
use catapult_seeds::Stream;
use rand::Rng;
use std::collections::{HashMap, HashSet};
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::Path;

/// Range of the number of random plies in an opening.
pub const OPENING_PLIES: RangeInclusive<u32> = 6..=10;

/// Maximum absolute alpha-beta score after an opening, in centipawns.
const OPENING_MAX_SCORE: i32 = 150;

/// Depth in turns of the alpha-beta search that judges openings.
const OPENING_DEPTH: u32 = 2;

/// Number of consecutive rejected openings after which drawing openings fails.
const MAX_REJECTED: u32 = 10_000;

/// Draws `count` openings by `seed`. An opening has 6 to 10 random plies from the start position,
/// without the moves that the mask forbids. Without a mask, all legal moves are allowed. An opening
/// is rejected in these cases:
///
/// - The game is over after it.
/// - Alpha-beta of depth 2 scores it more than 1.5 pawns for either side.
/// - An earlier opening ends in the same position.
///
/// The first n openings are the same for any `count` of at least n.
///
/// # Errors
/// 10,000 consecutive openings were rejected.
pub fn openings<P: Anchor>(
    rules: P::Rules,
    mask: Option<&Mask<P>>,
    count: usize,
    seed: u64,
) -> Result<Vec<Game<P>>, MatchError> {
    let mut random = numbers(Stream::Choice.seed(seed));
    let mut judge = AlphaBeta::new(OPENING_DEPTH, false);
    let mut known = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    let mut refused = 0;
    while openings.len() < count {
        if refused == MAX_REJECTED {
            let (found, why) = (openings.len(), "consecutive random openings were unbalanced or repeated");
            let reason = format!("only {found} of {count} openings found: {MAX_REJECTED} {why}");
            return Err(MatchError::Other(reason));
        }
        refused += 1;
        let mut game = Game::new(P::start(rules));
        let plies = random.random_range(OPENING_PLIES);
        for _ in 0..plies {
            if game.outcome().is_some() {
                break;
            }
            let mv = random_move(game.position(), mask, &mut random);
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

/// Reads openings from a file, in their order.
///
/// In a `.pgn` file, each game is an opening with all its moves, which are played under `rules`
/// whatever its `Variant` tag says. Any other file has one position per line, as FEN or EPD. In
/// such a file, empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// The file can't be read or has no opening, a game or line is invalid, the game is over after an
/// opening, or two openings end in the same position, whatever its counters.
pub fn openings_from<P: Position>(file: &Path, rules: P::Rules) -> Result<Vec<Game<P>>, MatchError> {
    let refused = |reason: String| MatchError::Other(format!("{}: {reason}", file.display()));
    let open = std::fs::File::open(file).map_err(|error| refused(error.to_string()))?;
    let mut openings: Vec<(Game<P>, String)> = Vec::new();
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
        for game in PgnReader::new(BufReader::new(open)) {
            let game = game.map_err(|error| refused(error.to_string()))?;
            let place = format!("game {}", game.number);
            openings.push((game.replay::<P>(rules).map_err(|(_, error)| refused(error.to_string()))?, place));
        }
    } else {
        let text = std::io::read_to_string(open).map_err(|error| refused(error.to_string()))?;
        // Some editors begin a text file with a byte order mark.
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("line {}", number + 1);
            // After the fourth field, a FEN has counters and an EPD has operations.
            let start = match P::from_fen(line, rules) {
                Ok(start) => start,
                Err(as_fen) => Epd::read(line)
                    .and_then(|epd| P::from_fen(&epd.fen(), rules))
                    .map_err(|_| refused(format!("{place}: {as_fen}")))?,
            };
            openings.push((Game::new(start), place));
        }
    }
    if let Some((_, place)) = openings.iter().find(|(game, _)| game.outcome().is_some()) {
        return Err(refused(format!("{place}: the game is over there")));
    }
    if openings.is_empty() {
        return Err(refused("it contains no opening".to_owned()));
    }
    let mut known = HashMap::new();
    for (game, place) in &openings {
        if let Some(earlier) = known.insert(game.position().key(), place) {
            return Err(refused(format!("{place}: the same position as in {earlier}")));
        }
    }
    Ok(openings.into_iter().map(|(game, _)| game).collect())
}
