//! Mates that a search with a uniform evaluator must find. A plain solver (the function `mates`)
//! verifies them.

use super::paper;
use crate::evaluators::Uniform;
use crate::{Algorithm, Outlook, Proven, Search, SearchConfig, run};
use catapult_rules::{Chess, ChessPp, ChessPpProposals, Move, Plain, Position, Proposals, Standard};

/// Returns true if the side to move can force mate within n moves.
fn mates<P: Position>(position: &P, n: u32) -> bool {
    position.legal_moves().into_iter().any(|mv| is_mated(&after(position, mv), n - 1))
}

/// Returns true if the side to move is mated, or its opponent can force mate within the opponent's
/// next n moves.
pub(super) fn is_mated<P: Position>(position: &P, n: u32) -> bool {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.in_check();
    }
    n > 0
        && position.outcome().is_none()
        && moves.into_iter().all(|mv| {
            let next = after(position, mv);
            next.outcome().is_none() && mates(&next, n)
        })
}

pub(super) fn after<P: Position>(position: &P, mv: Move) -> P {
    let mut next = *position;
    next.play(mv);
    next
}

/// Positions with a mate in n moves: (n, key move, FEN).
const CHESS: [(u32, &str, &str); 5] = [
    (2, "d5f6", "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1"),
    (2, "b3b8", "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1"),
    (2, "d1d4", "rn3b1r/3p2pp/b4n2/q1k5/pp5P/P1P2B2/1P2P2R/RNBQK1N1 w Q - 2 20"),
    (2, "a1a6", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), // Paul Morphy's problem
    (3, "f6a6", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"),
];

/// Chess++ positions from random games, with a mate in n moves: (n, key move, FEN). A key move with
/// `t` is a teleport. In positions with another key move, teleports guard squares, block lines or
/// mate.
const CHESSPP: [(u32, &str, &str); 14] = [
    (2, "f4c7t", "k7/5p2/5P2/8/5K2/8/8/1R6 w - - 26 111 c7f4/c5d3"),
    (2, "b4d3", "2b1k1nr/1ppp2pp/7R/3rp3/PnP1p3/3P1PP1/P1q5/RBB1K1N1 b k - 4 17 b1*f1*/b6g6"),
    (2, "b3e3t", "8/8/8/1Q6/8/1K4p1/8/4k3 w - - 34 119 b3e3/e4f7"),
    (2, "b3e3t", "8/7Q/8/8/8/1K4p1/8/4k3 w - - 38 121 b3e3/e4f7"),
    (2, "b8e6t", "1r1k4/2p5/1p4q1/p2p4/5K2/8/5P2/1Nnb4 b - - 3 37 b1d2/b8*e6"),
    (2, "c1b3", "1r1k4/2p5/1p6/p2p4/6q1/4K3/5P2/1Nnb4 b - - 7 39 b1e1/b8*e6"),
    (2, "b8e5t", "1nb1k2r/1p1pp1b1/5p2/7p/6r1/P3pK2/1NP1B3/1RB4n b k - 5 24 b3f1*/b8*e5"),
    (2, "c5b6", "K7/8/8/2k5/8/8/8/3q4 b - - 1 125 e3g2/a6c7"),
    (2, "f1g3t", "8/2R5/5R2/p6k/P6P/6p1/5B2/5K2 w - - 0 97 f1g3/d8h6"),
    (2, "f1g3t", "8/R7/5R2/p6k/P6P/6p1/5B2/5K2 w - - 2 98 f1g3/e8h6"),
    (3, "a3g8t", "8/8/1r2B1K1/8/8/q7/8/2b3k1 b - - 19 103 a1c3/a3g8"),
    (3, "a3g8t", "8/8/1r2B1K1/8/8/q3b3/8/6k1 b - - 21 104 a1d3/a3g8"),
    (3, "b1g4t", "4r3/3p3Q/pr2pk2/1p6/1bP1B3/3P4/P1K5/RN5N w - - 1 43 b1*g4/b6g6"),
    (3, "f7f8q", "3k4/1r3P2/2R5/P7/8/K1Pp4/8/8 w - - 3 76 d1d3/a8h4"),
];

/// Positions of Chess++ with the proposal `+instant`, from random games: (n, key move, FEN). Each
/// has one key move, an instant teleport.
const INSTANT: [(u32, &str, &str); 4] = [
    (2, "h3f3b2", "r5n1/8/8/8/6k1/7r/8/1K6 b - - 57 337 d4d5/b2f3"),
    (2, "f6f8e4", "8/2k5/5q2/p4Pp1/p1p5/7p/8/3R3K b - - 8 107 e2h2/e4f8"),
    (2, "f8f2b7", "4NR1B/8/p3k3/P1B5/4P3/8/2K5/8 w - - 15 115 b7f2/b8c3"),
    (2, "f5f6c7", "1N1B4/k7/8/5K2/1P6/8/2R5/8 w - - 13 213 c7f6/e4h7"),
];

fn find<P: Position>(rules: P::Rules, cases: &[(u32, &str, &str)]) {
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let config = SearchConfig { algorithm, considered: Some(256), ..paper() };
        let mut search = Search::new(config);
        for &(n, key, fen) in cases {
            let position = P::from_fen(fen, rules).unwrap();
            assert!(mates(&position, n) && !mates(&position, n - 1), "{fen}");
            let key = position.parse_move(key).unwrap();
            assert!(is_mated(&after(&position, key), n - 1), "{fen}");

            search.start_at(position, 0, &[], 400_000, 0);
            let result = run(&mut search, &mut Uniform).unwrap();
            let proven = result.proven.unwrap_or_else(|| panic!("{fen}: no proof"));
            assert_eq!(proven.outlook, Outlook::Win, "{fen}");
            // The search may prove a longer mate first, but no shorter one.
            assert!(proven.plies as u32 >= 2 * n - 1, "{fen}");
            let best = result.best.unwrap();
            let moves = (proven.plies as u32).div_ceil(2);
            assert!(is_mated(&after(&position, best), moves - 1), "{fen}: {}", position.move_text(best));
            let line = search.variation(best);
            assert!(line.len() <= proven.plies as usize);

            // Every mate in one on the way must be found with a single simulation.
            let mut single = Search::new(SearchConfig { algorithm, ..paper() });
            if n == 2 {
                for reply in after(&position, key).legal_moves() {
                    let last = after(&after(&position, key), reply);
                    single.start_at(last, 0, &[], 1, 0);
                    let result = run(&mut single, &mut Uniform).unwrap();
                    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 1 }), "{last}");
                    let end = after(&last, result.best.unwrap());
                    assert!(end.in_check() && !end.has_legal_move(), "{last}");
                }
            }
        }
    }
}

#[test]
fn mates_of_chess() {
    find::<Chess>(Standard, &CHESS);
}

#[test]
fn mates_of_chesspp() {
    find::<ChessPp>(Plain, &CHESSPP);
}

#[test]
fn mates_by_instant_teleports() {
    find::<ChessPpProposals>(Proposals::INSTANT, &INSTANT);
}
