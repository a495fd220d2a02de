//! Results that need no estimate, and draws that prove nothing.

use super::paper;
use super::toy::{Graph, Nim, Table, Walk, step};
use crate::evaluators::{HashRandom, Uniform};
use crate::{Algorithm, Outlook, Proven, Search, SearchConfig, run};
use catapult_rules::{Color, Outcome, Position};

/// Every position of Nim up to 3-3-3 is proven as Bouton's theorem has it, by both algorithms.
#[test]
fn nim_is_solved() {
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let config = SearchConfig { algorithm, considered: 64, ..paper(20_000) };
        let mut search = Search::new(config);
        for heaps in (0..64u8).map(|i| [i / 16, i / 4 % 4, i % 4]).filter(|&heaps| heaps != [0; 3]) {
            for mover in Color::ALL {
                let position = Nim { heaps, mover };
                search.start_at(position, 0, &[], 3);
                let result = run(&mut search, &mut HashRandom { seed: 4 }).unwrap();
                let expected = if position.mover_wins() { Outlook::Win } else { Outlook::Loss };
                assert_eq!(result.proven.map(|p| p.outlook), Some(expected), "{position}");
                let q = result.value.wdl[0] - result.value.wdl[2];
                assert_eq!(q, if position.mover_wins() { 1.0 } else { -1.0 });
                let total: f32 = result.policy.iter().map(|p| p.1).sum();
                assert!((total - 1.0).abs() < 1e-5);
                if position.mover_wins() {
                    for &(mv, p) in result.policy.iter().filter(|p| p.1 > 0.0) {
                        let mut after = position;
                        after.play(mv);
                        assert!(!after.mover_wins(), "{position}: {mv:?} has {p}");
                    }
                }
            }
        }
    }
}

/// White to move at 0 can go to 1 or 2. By way of 1 Black may choose 3, from where White's only move leads back to
/// the start, a repetition: no win is proven there although Black's other reply, 4, lets White mate in 5. By way of
/// 2 Black must go to 3 too, but White has come from elsewhere and after 3 -> 6 it mates: that line, through the very
/// state that was scored as a draw on the other path, is won.
#[test]
fn a_win_through_a_repetition_trap() {
    let graph = |black_at_2: usize| {
        Graph {
            //              0           1           2                3        4        5       6        7
            following: vec![
                vec![1, 2],
                vec![3, 4],
                vec![black_at_2],
                vec![8],
                vec![5],
                vec![],
                vec![7],
                vec![5],
                //              8: Black's reply leads back to 0 if that is new, or on to 6 where White mates.
                vec![0],
            ],
            outcomes: vec![None, None, None, None, None, Some(Outcome::Checkmate), None, None, None],
            repeats: true,
            logits: vec![
                vec![0.0, 0.0],
                vec![0.0, 0.0],
                vec![0.0],
                vec![0.0],
                vec![0.0],
                vec![],
                vec![0.0],
                vec![0.0],
                vec![0.0],
            ],
            values: vec![0.0; 9],
            ..Graph::default()
        }
    };
    // 2 -> 3 -> 8 -> 0 repeats as well: nothing is proven, and the root is no win.
    let mut search = Search::new(paper(200));
    search.start_at(Walk::start(graph(3).leak()), 0, &[], 1);
    let result = run(&mut search, &mut Table).unwrap();
    assert_eq!(result.proven, None);
    let q = |i: usize| result.moves[i].q.unwrap();
    assert!(q(0).abs() < 0.7 && q(1).abs() < 0.1, "{} {}", q(0), q(1));
    // 2 -> 4 -> mate: a win in 3.
    search.start_at(Walk::start(graph(4).leak()), 0, &[], 1);
    let result = run(&mut search, &mut Table).unwrap();
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 3 }));
    assert_eq!(result.best, Some(step(1)));
}

/// 0 -> {1, 2}; 1 -> 3 and 2 -> 3 (both forced); at 3 White has two moves: 4, mate, and 5, which occurred in the game.
/// The same state 5 as a root child is a draw by the game's history, yet 3 is won on both paths.
#[test]
fn history_draws_but_never_proves() {
    let rules = Graph {
        following: vec![vec![1, 2, 5], vec![3], vec![3], vec![5, 4], vec![], vec![6], vec![0]],
        outcomes: vec![None, None, None, None, Some(Outcome::Checkmate), None, None],
        repeats: true,
        logits: vec![vec![0.0, 0.0, 9.0], vec![0.0], vec![0.0], vec![9.0, 0.0], vec![], vec![0.0], vec![0.0]],
        values: vec![0.0; 7],
        ..Graph::default()
    }
    .leak();
    let at = |state, mover| Walk { rules, state, mover, plies: 20 };
    let earlier = [at(5, Color::Black).key()];
    let mut search = Search::new(paper(64));
    search.start_at(at(0, Color::White), 0, &earlier, 1);
    let result = run(&mut search, &mut Uniform).unwrap();
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 3 }));
    assert_eq!(result.moves[2].q, Some(0.0), "a repetition scores as a draw");
    assert_eq!(result.moves[2].proven, None, "but is not proven");
    assert_eq!(result.policy[2].1, 0.0);
}

/// All of Black's replies but one lose; the one repeats. The move before must not count as won.
#[test]
fn a_repetition_keeps_a_win_open() {
    let rules = Graph {
        following: vec![vec![1], vec![2, 3], vec![4], vec![0, 0], vec![]],
        outcomes: vec![None, None, None, None, Some(Outcome::Checkmate)],
        repeats: true,
        logits: vec![vec![0.0], vec![0.0, 0.0], vec![0.0], vec![0.0, 0.0], vec![]],
        values: vec![0.0; 5],
        ..Graph::default()
    }
    .leak();
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        // 3 -> 0 with Black to move is another position than the start; from there 1 is White's, 3 Black's, 0 White's
        // again, which is the start.
        let mut search = Search::new(SearchConfig { algorithm, ..paper(300) });
        search.start_at(Walk::start(rules), 0, &[], 1);
        let result = run(&mut search, &mut Table).unwrap();
        assert_ne!(result.proven.map(|p| p.outlook), Some(Outlook::Win));
    }
}

/// The clock scores as a draw and proves nothing; stalemate and dead positions prove a draw.
#[test]
fn draws_by_the_clock_are_not_proven() {
    for (outcome, expected) in [
        (Outcome::HundredPlies, None),
        (Outcome::Stalemate, Some(Proven { outlook: Outlook::Draw, plies: 1 })),
        (Outcome::Dead, Some(Proven { outlook: Outlook::Draw, plies: 1 })),
    ] {
        let rules = Graph {
            following: vec![vec![1, 2], vec![0], vec![0]],
            outcomes: vec![None, Some(outcome), Some(outcome)],
            logits: vec![vec![0.0, 0.0]; 3],
            values: vec![0.9, 0.0, 0.0],
            ..Graph::default()
        }
        .leak();
        let mut search = Search::new(paper(40));
        search.start_at(Walk::start(rules), 0, &[], 1);
        let result = run(&mut search, &mut Table).unwrap();
        assert_eq!(result.proven, expected, "{outcome}");
        assert_eq!(result.value.wdl, [0.0, 1.0, 0.0], "{outcome}");
    }
}

/// A lost side holds out as long as it can, a winning one takes the shortest way, lost moves get no probability.
#[test]
fn shortest_win_longest_loss() {
    // 0: to 1 (Black is mated at once), or to 2 (a win in three).
    let mate = Some(Outcome::Checkmate);
    let rules = Graph {
        following: vec![vec![2, 1], vec![], vec![3], vec![1]],
        outcomes: vec![None, mate, None, None],
        logits: vec![vec![5.0, 0.0], vec![], vec![0.0], vec![0.0]],
        values: vec![0.0; 4],
        ..Graph::default()
    }
    .leak();
    let mut search = Search::new(paper(50));
    search.start_at(Walk::start(rules), 0, &[], 1);
    let result = run(&mut search, &mut Table).unwrap();
    assert_eq!(result.policy.iter().map(|p| p.1).collect::<Vec<_>>(), [0.0, 1.0]);

    // 0: to 1, where the other side mates at once, or to 3, after which it needs two moves.
    let rules = Graph {
        following: vec![vec![1, 3], vec![2], vec![], vec![4], vec![1]],
        outcomes: vec![None, None, mate, None, None],
        logits: vec![vec![5.0, 0.0], vec![0.0], vec![], vec![0.0], vec![0.0]],
        values: vec![0.0; 5],
        ..Graph::default()
    }
    .leak();
    search.start_at(Walk::start(rules), 0, &[], 1);
    let result = run(&mut search, &mut Table).unwrap();
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Loss, plies: 4 }));
    assert_eq!(result.best, Some(step(1)));
    assert_eq!(result.policy.iter().map(|p| p.1).collect::<Vec<_>>(), [0.0, 1.0]);
}
