//! Positions of games with a forced mate in up to three moves.

use catapult_measures::games::StudiedGame;
use catapult_rules::{Game, Move, Outcome, Position};

/// Largest number of moves to mate that is searched for.
const LONGEST: u8 = 3;

/// Minimum material lead of the side that mates, in centipawns. It is the value of a rook.
const AHEAD: i32 = 500;

/// Returns the first positions of a game with a mate in one move, in two and in three, if they
/// occur. Each position comes with its number of moves to mate.
///
/// A position counts only if its mover is ahead by at least the value of a rook. Repetitions of
/// positions are not considered.
pub(super) fn positions<P: StudiedGame>(game: &Game<P>) -> Vec<(P, u8)> {
    let mut found: Vec<(P, u8)> = Vec::new();
    let mut position = *game.start();
    for &mv in game.moves() {
        let mover = position.side_to_move();
        if position.material(mover) - position.material(!mover) >= AHEAD {
            let is_open = |moves: &u8| found.iter().all(|(_, known)| known != moves);
            let deepest = (1..=LONGEST).filter(is_open).max().unwrap_or_default();
            let shortest = (1..=deepest).find(|moves| mates(&position, *moves)).filter(is_open);
            found.extend(shortest.map(|moves| (position, moves)));
        }
        position.play(mv);
    }
    found
}

/// Returns true if the side to move can force mate in at most `moves` moves.
fn mates<P: Position>(position: &P, moves: u8) -> bool {
    position.legal_moves().iter().any(|&mv| keeps(position, mv, moves))
}

/// Returns true if `mv` is the first move of a forced mate in at most `moves` moves.
pub(super) fn keeps<P: Position>(position: &P, mv: Move, moves: u8) -> bool {
    let mut after = *position;
    after.play(mv);
    match after.outcome() {
        Some(outcome) => outcome == Outcome::Checkmate,
        None if moves < 2 => false,
        None => after.legal_moves().iter().all(|&reply| {
            let mut next = after;
            next.play(reply);
            next.outcome().is_none() && mates(&next, moves - 1)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{Chess, Standard};

    #[test]
    fn mates_are_proved_and_kept() {
        let position = Chess::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", Standard).unwrap();
        let keeps = |text: &str, moves| keeps(&position, position.parse_move(text).unwrap(), moves);
        assert!(!mates(&position, 1) && mates(&position, 2));
        // Kg6 and mate on a8, or Kf7 and mate on h1; a rook's check gives two moves away.
        assert!(keeps("f6g6", 2) && keeps("f6f7", 2) && !keeps("a1a8", 2) && !keeps("f6g6", 1));
    }

    #[test]
    fn the_first_position_of_each_length_counts() {
        let mut game = Game::new(Chess::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", Standard).unwrap());
        for text in ["f6g6", "h8g8", "a1b1", "g8h8", "b1a1", "h8g8", "a1a8"] {
            game.push(game.position().parse_move(text).unwrap());
        }
        let found: Vec<(u8, u32)> =
            positions(&game).iter().map(|(position, moves)| (*moves, position.fullmove_number())).collect();
        // In two at first, in one from move 2 on, when the king stands on g8.
        assert_eq!(found, [(2, 1), (1, 2)]);
    }
}
