//! Count of the moves in a game that hang a piece.

use catapult_arena::{AlphaBeta, Anchor, MATE};
use catapult_measures::games::StudiedGame;
use catapult_rules::Game;

/// Value of a knight or bishop in centipawns.
const MINOR: i32 = 300;

/// Absolute scores from this value on mean a forced mate.
const MATES: i32 = MATE - 1000;

/// Returns the number of moves of a game that hang a piece. The first `skipped` plies and moves of
/// the set-up do not count.
///
/// Scores are in centipawns from the mover's view, by `alphabeta:2q`. A move hangs a piece if the
/// score after it is at least 300 lower than both of these:
///
/// * the evaluation of the position before the move. This excludes moves that only miss a win.
/// * the score before the move. This excludes pieces that were already lost.
///
/// A move does not count if one of the two scores is a mate.
pub(super) fn count<P: StudiedGame + Anchor>(game: &Game<P>, skipped: usize) -> u32 {
    let mut search = AlphaBeta::new(2, true);
    let mut score = |position: &P| match position.outcome() {
        None => search.analyse(&Game::new(*position)).score,
        Some(outcome) if outcome.winner(position.side_to_move()).is_some() => -MATE,
        Some(_) => 0,
    };
    let mut position = *game.start();
    let mut before = None;
    let mut hung = 0;
    for (ply, &mv) in game.moves().iter().enumerate() {
        let mut after = position;
        after.play(mv);
        if ply >= skipped && !position.is_setup(mv) {
            let now = before.unwrap_or_else(|| score(&position));
            let reply = score(&after);
            hung += u32::from(hangs(position.evaluate(), now, -reply));
            before = Some(reply);
        }
        position = after;
    }
    hung
}

/// Returns true if a move with these scores hangs a piece. `before` and `after` are the scores
/// before and after the move. `balance` is the evaluation before it. All are in centipawns for the
/// mover.
fn hangs(balance: i32, before: i32, after: i32) -> bool {
    [before, after].iter().all(|score| score.abs() < MATES) && after <= balance.min(before) - MINOR
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{Chess, ChessPp, Plain, Position, Standard};

    fn hung<P: StudiedGame + Anchor>(fen: &str, rules: P::Rules, mv: &str) -> u32 {
        let mut game = Game::new(P::from_fen(fen, rules).unwrap());
        game.push(game.position().parse_move(mv).unwrap());
        count(&game, 0)
    }

    #[test]
    fn moves_worked_out_by_hand() {
        let chess = |fen: &str, mv: &str| hung::<Chess>(fen, Standard, mv);
        // The knight goes to where a pawn takes it; elsewhere it is safe.
        let knight = "4k3/pp3ppp/4p3/8/8/2N5/PP3PPP/4K3 w - - 0 1";
        assert_eq!(chess(knight, "c3d5"), 1);
        assert_eq!(chess(knight, "c3e4"), 0);
        // A pawn forks knight and bishop, so that one is lost whatever is played.
        let forked = "4k3/pp3ppp/8/8/3p4/2N1B3/PP3PPP/4K3 w - - 0 1";
        assert_eq!(chess(forked, "h2h3"), 0);
        // A queen that could be taken and is not: a chance missed, not a piece hung.
        let missed = "4k3/5ppp/8/3q4/8/2N5/5PPP/4K3 w - - 0 1";
        assert_eq!(chess(missed, "h2h3"), 0);
        // Knight for knight is an exchange.
        let exchange = "4k3/pp3ppp/5n2/3n4/8/2N5/PP3PPP/4K3 w - - 0 1";
        assert_eq!(chess(exchange, "c3d5"), 0);
    }

    #[test]
    fn a_piece_is_hung_to_a_teleport_too() {
        let chesspp = |fen: &str, mv: &str| hung::<ChessPp>(fen, Plain, mv);
        // Black's rook on h8 teleports to d5, if something is there to be taken.
        let fen = "1k5r/pp6/8/8/8/2N5/PP3PPP/4K3 w - - 0 1 -/d5h8";
        assert_eq!(chesspp(fen, "c3d5"), 1);
        assert_eq!(chesspp(fen, "c3e2"), 0);
    }

    #[test]
    fn mates_and_skipped_plies_do_not_count() {
        assert!(hangs(0, 0, -300) && !hangs(0, 0, -299));
        assert!(!hangs(-400, 0, -300) && !hangs(0, -250, -300));
        assert!(!hangs(0, 0, -MATE + 3) && !hangs(0, MATE - 1, -500));
        let mut game =
            Game::new(Chess::from_fen("4k3/pp3ppp/4p3/8/8/2N5/PP3PPP/4K3 w - - 0 1", Standard).unwrap());
        game.push(game.position().parse_move("c3d5").unwrap());
        assert_eq!(count(&game, 1), 0);
    }
}
