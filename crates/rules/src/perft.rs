//! Perft: counts of the tree of legal moves.

use crate::{Move, Position};

/// Returns the number of leaves of the tree of legal moves that is `depth` plies deep. Moves of the
/// last ply are counted without being played.
///
/// ```
/// use catapult_rules::{Chess, Position, Standard, perft};
/// assert_eq!(perft(&Chess::start(Standard), 3), 8_902);
/// ```
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => {
            let mut leaves = 0;
            position.for_each_successor(|_, next| leaves += perft(next, depth - 1));
            leaves
        }
    }
}

/// Returns the number that [`perft`] returns, but plays the moves of the last ply too. Use it to
/// measure the speed of playing moves.
pub fn perft_made<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    position.for_each_successor(|_, next| leaves += perft_made(std::hint::black_box(next), depth - 1));
    leaves
}

/// Returns each legal move with the number of leaves below it. If `depth` is at least 1, these
/// numbers add up to the result of [`perft`].
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(Move, u64)> {
    let below = |mv: Move| {
        let mut next = *position;
        next.play(mv);
        perft(&next, depth.saturating_sub(1))
    };
    position.legal_moves().into_iter().map(|mv| (mv, below(mv))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chess, ChessPp, Plain, Standard};

    #[test]
    fn standard_positions() {
        let expected = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
            ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
            ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
        ];
        for (fen, depth, leaves) in expected {
            let position = Chess::from_fen(fen, Standard).unwrap();
            assert_eq!(perft(&position, depth), leaves, "{fen}");
            assert_eq!(perft_made(&position, depth - 1), perft(&position, depth - 1), "{fen}");
            assert_eq!(divide(&position, 3).iter().map(|(_, n)| n).sum::<u64>(), perft(&position, 3));
        }
    }

    #[test]
    fn chess_plus_plus_start() {
        let start = ChessPp::start(Plain);
        assert_eq!([1, 2, 3].map(|depth| perft(&start, depth)), [20, 400, 9_062]);
    }
}
