//! Tests of proven results, and of draws that are not proven. Most games are walks on graphs with
//! numbered states ([`Graph`]).

use super::paper;
use super::toy::{Graph, Nim, Table, Walk, searched, step};
use crate::evaluators::HashRandom;
use crate::{Algorithm, Outlook, Proven, Search, SearchConfig, run};
use catapult_rules::{Color, Outcome, Position};

/// Both algorithms prove every position of Nim up to 3-3-3 in agreement with Bouton's theorem.
#[test]
fn nim_is_solved() {
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let config = SearchConfig { algorithm, considered: Some(64), ..paper() };
        let mut search = Search::new(config);
        for heaps in (0..64u8).map(|i| [i / 16, i / 4 % 4, i % 4]).filter(|&heaps| heaps != [0; 3]) {
            for mover in Color::ALL {
                let position = Nim { heaps, mover };
                search.start_at(position, 0, &[], 20_000, 3);
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

/// A game on a graph with numbered states. From state 0 White moves to 1 or 2. At 1 Black chooses
/// between 3 and 4; at 2 Black has one move. From 4, White mates by moving to 5. From 3, the path
/// over 8 back to 0 is a draw by repetition. So the move to 1 does not win, and the move to 2 wins
/// only if Black's move leads to 4.
#[test]
fn a_win_through_a_repetition_trap() {
    let trap = |black_at_2: usize| {
        let mut outcomes = vec![None; 9];
        outcomes[5] = Some(Outcome::Checkmate);
        let following =
            vec![vec![1, 2], vec![3, 4], vec![black_at_2], vec![8], vec![5], vec![], vec![], vec![], vec![0]];
        Graph { following, outcomes, repeats: true, values: vec![0.8; 9], ..Graph::default() }.leak()
    };
    let (mut search, result) = searched(&paper(), trap(3), 200);
    assert_eq!(result.proven, None);
    // All positions look good for White except the repetition that ends the forced line.
    let q = result.moves[1].q.unwrap();
    assert!(q.abs() < 0.1, "{q}");

    search.start_at(Walk::start(trap(4)), 0, &[], 200, 1);
    let result = run(&mut search, &mut Table).unwrap();
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 3 }));
    assert_eq!(result.best, Some(step(1)));
}

/// Below the root, the states form a cycle. If repetitions count, the second visit of a state on a
/// path is a draw, whatever its value.
#[test]
fn a_repetition_within_the_path() {
    let following = vec![vec![1], vec![2], vec![3], vec![4], vec![1]];
    for repeats in [true, false] {
        let following = following.clone();
        let graph = Graph { following, repeats, values: vec![0.8; 5], ..Graph::default() };
        let (_, result) = searched(&paper(), graph.leak(), 200);
        let q = result.moves[0].q.unwrap();
        assert!(if repeats { q < 0.05 } else { q > 0.79 }, "{q}");
        assert_eq!(result.proven, None);
    }
}

/// A game on a graph with numbered states reaches state 4 with either side to move. With Black to
/// move, the position has occurred in the game and is a draw. With White to move it wins.
#[test]
fn a_repetition_on_one_path_is_none_on_another() {
    let mut outcomes = vec![None; 8];
    outcomes[5] = Some(Outcome::Checkmate);
    let following = vec![vec![1, 6], vec![7], vec![], vec![], vec![5], vec![], vec![4], vec![4, 1]];
    let rules = Graph { following, outcomes, repeats: true, values: vec![0.0; 8], ..Graph::default() }.leak();
    // State 4 with Black to move occurred in the game; with White to move it never did.
    let at = |state, mover| Walk { rules, state, mover, plies: 9 };
    let mut search = Search::new(paper());
    search.start_at(at(0, Color::White), 0, &[at(4, Color::Black).key()], 100, 1);
    let result = run(&mut search, &mut Table).unwrap();
    // 0 -> 6 -> 4 (White) -> 5: Black is mated. 0 -> 1 -> 7 -> 4 has Black to move: a repetition.
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 3 }));
    assert_eq!(result.best, Some(step(1)));
    assert_eq!(result.moves[0].proven, None);
}

/// A game on a graph with numbered states. From state 0 White moves to 1 or 2. Both lead to 3 by a
/// forced move. At 3 White can mate (state 4) or move to state 5, which has occurred in the game.
/// State 5 is a draw by repetition, but 3 is won on both paths.
#[test]
fn history_draws_but_never_proves() {
    let rules = Graph {
        following: vec![vec![1, 2, 5], vec![3], vec![3], vec![5, 4], vec![], vec![6], vec![0]],
        outcomes: vec![None, None, None, None, Some(Outcome::Checkmate), None, None],
        repeats: true,
        logits: vec![vec![0.0, 0.0, 9.0], vec![0.0], vec![0.0], vec![3.0, 0.0], vec![], vec![0.0], vec![0.0]],
        values: vec![0.5; 7],
        ..Graph::default()
    }
    .leak();
    let at = |state, mover| Walk { rules, state, mover, plies: 20 };
    let earlier = [at(5, Color::Black).key()];
    let mut search = Search::new(paper());
    search.start_at(at(0, Color::White), 0, &earlier, 64, 1);
    let result = run(&mut search, &mut Table).unwrap();
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 3 }));
    assert_eq!(result.moves[2].q, Some(0.0), "a repetition scores as a draw");
    assert_eq!(result.moves[2].proven, None, "but is not proven");
    assert_eq!(result.policy[2].1, 0.0);
}

/// All of Black's replies lose, except one that repeats a position. White's move before must not
/// count as a proven win.
#[test]
fn a_repetition_keeps_a_win_open() {
    let rules = Graph {
        following: vec![vec![1], vec![2, 3], vec![4], vec![0, 0], vec![]],
        outcomes: vec![None, None, None, None, Some(Outcome::Checkmate)],
        repeats: true,
        values: vec![0.0; 5],
        ..Graph::default()
    }
    .leak();
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        // 3 -> 0 with Black to move is a different position from the start. From there 1 is
        // White's, 3 Black's and 0 White's again, which is the start.
        let (_, result) = searched(&SearchConfig { algorithm, ..paper() }, rules, 300);
        assert_eq!(result.proven, None);
    }
}

/// A draw by the fifty-move rule is not proven. Stalemates and dead positions are proven draws.
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
            values: vec![0.9, 0.0, 0.0],
            ..Graph::default()
        }
        .leak();
        let (_, result) = searched(&paper(), rules, 40);
        assert_eq!(result.proven, expected, "{outcome}");
        assert_eq!(result.value.wdl, [0.0, 1.0, 0.0], "{outcome}");
    }
}

/// A losing side chooses the longest loss and a winning side the shortest win. Losing moves get
/// probability 0.
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
    let (mut search, result) = searched(&paper(), rules, 50);
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
    search.start_at(Walk::start(rules), 0, &[], 50, 1);
    let result = run(&mut search, &mut Table).unwrap();
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Loss, plies: 4 }));
    assert_eq!(result.best, Some(step(1)));
    assert_eq!(result.policy.iter().map(|p| p.1).collect::<Vec<_>>(), [0.0, 1.0]);
}

/// Two candidates are proven to lose, so the search plays the third move, which was not considered.
#[test]
fn unconsidered_moves_step_in_for_lost_ones() {
    let mate = Some(Outcome::Checkmate);
    let following = vec![vec![1, 1, 2], vec![3], vec![4], vec![], vec![2]];
    let logits = vec![vec![5.0, 5.0, 0.0]];
    let outcomes = vec![None, None, None, mate, None];
    let rules = Graph { following, outcomes, logits, values: vec![0.0; 5], ..Graph::default() }.leak();
    let (_, result) = searched(&SearchConfig { considered: Some(2), ..paper() }, rules, 30);
    assert_eq!(result.best, Some(step(2)));
    assert_eq!(result.policy.iter().map(|p| p.1).collect::<Vec<_>>(), [0.0, 0.0, 1.0]);
    assert!(result.moves[2].visits > 5, "{}", result.moves[2].visits);
}

/// Of four candidates, two lose and one draws. Once these results are known, the three moves get no
/// more visits. The simulations go to the two open moves. One of them was not among the first
/// candidates.
#[test]
fn settled_moves_take_no_simulations() {
    // 1 is forced to 5, where White is mated; 2 is stalemate; 3 and 4 continue without end.
    let rules = Graph {
        following: vec![vec![1, 1, 2, 3, 4], vec![5], vec![], vec![3], vec![4], vec![]],
        outcomes: vec![None, None, Some(Outcome::Stalemate), None, None, Some(Outcome::Checkmate)],
        logits: vec![vec![3.0, 3.0, 3.0, 3.0, 0.0], vec![0.0], vec![], vec![0.0], vec![0.0], vec![]],
        values: vec![0.1, 0.1, 0.0, 0.2, 0.1, 0.0],
        ..Graph::default()
    }
    .leak();
    let (_, result) = searched(&SearchConfig { considered: Some(4), ..paper() }, rules, 64);
    let visits: Vec<u32> = result.moves.iter().map(|stats| stats.visits).collect();
    // The second visit of a losing move finds the mate.
    assert_eq!(visits[..3], [2, 2, 1], "{visits:?}");
    assert!(visits[3] + visits[4] == 59 && visits[3] > 20 && visits[4] > 20, "{visits:?}");
    assert_eq!(result.best, Some(step(3)));
}

/// A draw by repetition gets at most one visit. The search plays it if all other moves are bad, and
/// not if another move is better.
#[test]
fn a_settled_draw_is_played_if_it_is_best() {
    for (value, expected) in [(-0.6, 0), (0.6, 1)] {
        let rules = Graph {
            following: vec![vec![1, 2, 3], vec![1], vec![2], vec![3]],
            outcomes: vec![None, Some(Outcome::Repetition), None, None],
            values: vec![value, 0.0, value, value - 0.1],
            ..Graph::default()
        }
        .leak();
        for considered in [2, 16] {
            let (_, result) = searched(&SearchConfig { considered: Some(considered), ..paper() }, rules, 32);
            assert_eq!(result.best, Some(step(expected)), "{value} {considered}");
            assert!(result.moves[0].visits <= 1, "{:?}", result.moves);
            assert_eq!(result.simulations, 32);
        }
    }
}

/// With only draws by repetition there is nothing to search, and the search ends.
#[test]
fn a_search_among_draws_ends() {
    let rules = Graph {
        following: vec![vec![1, 1], vec![1]],
        outcomes: vec![None, Some(Outcome::Repetition)],
        values: vec![0.7, 0.0],
        ..Graph::default()
    }
    .leak();
    let (_, result) = searched(&paper(), rules, 1000);
    assert_eq!((result.simulations, result.proven), (2, None));
    assert_eq!(result.value.wdl, [0.0, 1.0, 0.0]);
}

/// White's turn continues at state 1. Ending the turn there loses (2, then 4); another decision
/// mates (3). The tree has only the turn-ending move, so it must not prove that the move to 1
/// loses. If ending the turn wins, it must still prove the win.
#[test]
fn a_turn_that_is_finished_for_its_owner_proves_only_wins() {
    let mate = Some(Outcome::Checkmate);
    for (end_of_2, expected) in [(None, None), (mate, Some(Proven { outlook: Outlook::Win, plies: 2 }))] {
        let rules = Graph {
            following: vec![vec![1], vec![2, 3], vec![4], vec![], vec![]],
            outcomes: vec![None, None, end_of_2, mate, mate],
            keeps_turn: vec![0],
            turn_ends: vec![(1, 0)],
            values: vec![0.0; 5],
            ..Graph::default()
        }
        .leak();
        for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
            for (finish_turns, expected) in
                [(true, expected), (false, Some(Proven { outlook: Outlook::Win, plies: 2 }))]
            {
                let (_, result) = searched(&SearchConfig { algorithm, finish_turns, ..paper() }, rules, 40);
                assert_eq!(result.proven, expected, "{algorithm:?}, finished: {finish_turns}");
            }
        }
    }
}
