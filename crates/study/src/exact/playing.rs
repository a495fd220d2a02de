//! Play of games from start positions of an ending.

use super::starts::Start;
use catapult_arena::{Player, PlayerError, Turn};
use catapult_endings::{Probe, Tables, Value};
use catapult_measures::games::StudiedGame;
use catapult_report::results::PlayedEnding;
use catapult_rules::{Color, Game, Move};
use catapult_seeds::Stream;

/// Number of plies after which a game is truncated and counts as not won. The fifty-move rule makes
/// won games shorter, because few moves on the way to mate reset the half-move clock.
const PLY_CAP: usize = 400;

/// The player that chooses Black's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Defence {
    /// The network that also plays White.
    Itself,
    /// The tablebase. It prefers a win, then a draw, then the longest way to mate.
    Best,
}

/// Plays one game from every start position. Returns the results in the same order, or `None` if
/// `is_stopped` returned true. `player` moves for White. With [`Defence::Itself`] it also moves for
/// Black.
pub(super) fn play_out<P: StudiedGame>(
    starts: &[Start<P>],
    player: &mut dyn Player<P>,
    defence: Defence,
    tables: &Tables,
    seed: u64,
    is_stopped: impl Fn() -> bool,
) -> Result<Option<Vec<PlayedEnding>>, PlayerError> {
    let begun = |start: &Start<P>| {
        let played = PlayedEnding { distance: start.distance, won: false, plies: 0, turns: 0, kept: 0 };
        (Game::new(start.position), played)
    };
    let mut games: Vec<(Game<P>, PlayedEnding)> = starts.iter().map(begun).collect();
    let mut under_way: Vec<usize> = (0..games.len()).collect();
    while !under_way.is_empty() {
        if is_stopped() {
            return Ok(None);
        }
        let by_table =
            |&&i: &&usize| defence == Defence::Best && games[i].0.position().side_to_move() == Color::Black;
        let (table, network): (Vec<&usize>, Vec<&usize>) = under_way.iter().partition(by_table);
        let turns: Vec<Turn<P>> = network
            .iter()
            .map(|&&i| {
                let game = &games[i].0;
                Turn::new(game, Stream::EndingTurn { game: i, ply: game.ply() }.seed(seed))
            })
            .collect();
        let mut moves: Vec<(usize, Move)> = Vec::new();
        if !turns.is_empty() {
            moves.extend(network.iter().map(|&&i| i).zip(player.choose(&turns)?));
        }
        for &i in table {
            moves.push((i, best_defence(games[i].0.position(), tables)?));
        }
        for (i, mv) in moves {
            let (game, played) = &mut games[i];
            let is_attackers = game.position().side_to_move() == Color::White;
            let was_won = is_attackers && white_wins(game.position(), tables)?;
            game.push(mv);
            if was_won {
                played.turns += 1;
                played.kept += u32::from(white_wins(game.position(), tables)?);
            }
            played.plies = game.ply() as u32;
            played.won = game
                .outcome()
                .is_some_and(|outcome| outcome.winner(game.position().side_to_move()) == Some(Color::White));
        }
        let mut left = Vec::new();
        for i in under_way {
            let game = &games[i].0;
            // Against the best defence, a lost win cannot be regained, so the game stops.
            let is_lost = defence == Defence::Best && !white_wins(game.position(), tables)?;
            if game.outcome().is_none() && game.ply() < PLY_CAP && !is_lost {
                left.push(i);
            }
        }
        under_way = left;
    }
    Ok(Some(games.into_iter().map(|(_, played)| played).collect()))
}

/// Returns true if White wins with best play, given the position's half-move clock. Returns false
/// for a position that no tablebase covers.
fn white_wins<P: StudiedGame>(position: &P, tables: &Tables) -> Result<bool, PlayerError> {
    let probe = position.probe(tables).map_err(|error| PlayerError::Other(error.to_string()))?;
    Ok(probe.is_some_and(|probe| probe.winner(position.side_to_move()) == Some(Color::White)))
}

/// Returns Black's best move by the tablebase. A win is best, then a draw, then the longest way to
/// mate. Ties go to the first legal move.
fn best_defence<P: StudiedGame>(position: &P, tables: &Tables) -> Result<Move, PlayerError> {
    let mut best: Option<((u8, u16), Move)> = None;
    for &mv in &position.legal_moves() {
        let mut after = *position;
        after.play(mv);
        let probe = after.probe(tables).map_err(|error| PlayerError::Other(error.to_string()))?;
        let worth = match probe {
            Some(Probe { result: Value::Lost(plies), .. }) => (2, u16::MAX - plies),
            Some(Probe { result: Value::Won(_), dtm: Value::Won(plies), .. }) => (0, plies),
            _ => (1, 0),
        };
        if best.is_none_or(|(before, _)| worth > before) {
            best = Some((worth, mv));
        }
    }
    best.map(|(_, mv)| mv).ok_or_else(|| PlayerError::Other(format!("no move in {position}")))
}
