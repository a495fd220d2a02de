//! Compares the captures that a position reports for a move with the pieces missing afterwards.

use catapult_rules::{
    Century, ChessPosition, ChessRules, Half, Maxim, Move, Position, Proposals, Role, Standard,
};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Plays random games. Calls `check` with each position, each of its moves, and the number of enemy
/// pieces that the move removes. Returns the number of played moves that removed at least one enemy
/// piece.
fn each_move<P: Position>(start: P, seed: u64, mut check: impl FnMut(&P, Move, u32)) -> u32 {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut captures = 0;
    for _ in 0..20 {
        let mut position = start;
        for _ in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.outcome().is_some() {
                break;
            }
            let them = !position.side_to_move();
            let pieces = |position: &P| {
                let counts = position.count_pieces(them);
                let pieces = P::PIECES.iter().zip(counts);
                pieces.filter(|(piece, _)| piece.role != Role::Marker).map(|(_, n)| u32::from(n)).sum::<u32>()
            };
            for &mv in &moves {
                let mut after = position;
                after.play(mv);
                let lost = pieces(&position) - pieces(&after);
                captures += u32::from(lost > 0);
                check(&position, mv, lost);
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
    }
    captures
}

fn of_chess<R: ChessRules>(rules: R) -> u32 {
    each_move(ChessPosition::start(rules), 1, |position, mv, lost| {
        assert_eq!(position.captures(mv).count(), lost, "{} in {position}", position.move_text(mv));
    })
}

#[test]
fn every_square_captured_on_is_a_piece_less() {
    let mut found = [
        of_chess(Standard),
        of_chess(Proposals::NONE),
        of_chess(Proposals::ALL.iter().fold(Proposals::NONE, |all, row| all.with(row.set))),
        each_move(Century::start(()), 1, |position, mv, lost| {
            assert_eq!(position.captures(mv).count(), lost, "{} in {position}", position.move_text(mv));
        }),
        each_move(Half::start(()), 1, |position, mv, lost| {
            assert_eq!(position.captures(mv).count(), lost, "{} in {position}", position.move_text(mv));
        }),
        // The set has one square even if both pieces of a stack are captured.
        each_move(Maxim::start(()), 1, |position, mv, lost| {
            assert_eq!(
                position.captures(mv).count(),
                lost.min(1),
                "{} in {position}",
                position.move_text(mv)
            );
        }),
    ];
    found.sort();
    assert!(found[0] > 500, "{found:?}");
}
