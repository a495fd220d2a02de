//! Prolonged searches, restricted root moves, and tree reuse from move to move.

use super::paper;
use crate::evaluators::{HashRandom, Material};
use crate::{Algorithm, Batch, Evaluator, Search, SearchConfig, SearchResult, run};
use catapult_rules::{Chess, Game, Move, Position};

const BOTH: [Algorithm; 2] = [Algorithm::Gumbel, Algorithm::Puct];

fn config(algorithm: Algorithm) -> SearchConfig {
    SearchConfig { algorithm, considered: None, ..paper() }
}

fn start() -> Game<Chess> {
    Game::new(Chess::start(Default::default()))
}

/// Runs a search to its end. Returns its result and the number of requested evaluations.
fn ask(search: &mut Search<Chess>, evaluator: &mut impl Evaluator<Chess>) -> (SearchResult, usize) {
    let (mut batch, mut asked) = (Batch::default(), 0);
    while !search.is_done() {
        batch.clear();
        asked += search.gather(&mut batch);
        evaluator.evaluate(&mut batch).unwrap();
        search.apply(&batch, 0);
    }
    (search.result(), asked)
}

fn total_visits(result: &SearchResult) -> u32 {
    result.moves.iter().map(|stats| stats.visits).sum()
}

#[test]
fn a_prolonged_search_makes_so_many_simulations_more() {
    for algorithm in BOTH {
        let mut search = Search::new(config(algorithm));
        search.start(&start(), 40, 1);
        let mut done = 0;
        for more in [0, 24, 100, 1] {
            search.prolong(more);
            let (result, asked) = ask(&mut search, &mut HashRandom { seed: 4 });
            done += if done == 0 { 40 } else { more };
            assert_eq!((result.simulations, total_visits(&result)), (done, done), "{algorithm:?}");
            // The first run includes the root's own evaluation.
            assert!(asked <= 41.max(more as usize));
        }
        // A proven root is not prolonged.
        let mate = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Default::default()).unwrap();
        search.start(&Game::new(mate), 40, 1);
        let (result, _) = ask(&mut search, &mut Material);
        assert!(result.proven.is_some());
        search.prolong(100);
        assert!(search.is_done());
    }
}

#[test]
fn only_the_moves_that_are_named_are_searched() {
    let game = start();
    let mv = |text: &str| game.position().parse_move(text).unwrap();
    for algorithm in BOTH {
        let mut search = Search::new(config(algorithm));
        search.set_root_moves(Some(vec![mv("g1f3"), mv("a2a3"), Move::new(0, 63, 0, 0)]));
        search.start(&game, 60, 1);
        let result = run(&mut search, &mut HashRandom { seed: 4 }).unwrap();
        let moves: Vec<Move> = result.moves.iter().map(|stats| stats.mv).collect();
        assert_eq!(moves, [mv("a2a3"), mv("g1f3")], "in legal-move order");
        assert_eq!(total_visits(&result), 60);
        search.set_root_moves(Some(vec![Move::new(0, 63, 0, 0)]));
        search.start(&game, 60, 1);
        assert_eq!(run(&mut search, &mut HashRandom { seed: 4 }).unwrap().simulations, 0);
        search.set_root_moves(None);
        search.start(&game, 60, 1);
        assert_eq!(run(&mut search, &mut HashRandom { seed: 4 }).unwrap().moves.len(), 20);
    }
}

/// After tree reuse, every node below the played moves has the same visits and values as before.
#[test]
fn what_is_known_of_a_position_is_kept_when_it_is_reached() {
    for algorithm in BOTH {
        let mut search = Search::new(config(algorithm));
        let mut game = start();
        search.start(&game, 800, 1);
        let (_, asked) = ask(&mut search, &mut HashRandom { seed: 4 });
        assert!(asked > 700);
        let line = &search.variation(search.result().best.unwrap())[..2];
        line.iter().for_each(|&mv| game.push(mv));
        let before = super::nodes(&search);
        let path: Vec<u32> = line.iter().map(|mv| mv.bits()).collect();
        let there = before[&path];
        assert!(there.0 > 5, "{algorithm:?}: {} visits", there.0);

        assert!(search.start_after(&game, line, 800, 2));
        let kept = super::nodes(&search);
        for (path_before, seen) in before.iter().filter(|(at, _)| at.len() > 2 && at[..2] == path) {
            assert_eq!(kept[&path_before[2..].to_vec()], *seen, "{algorithm:?}");
        }
        assert_eq!(kept[&Vec::new()].0, there.0, "the root's own visit is not counted again");
        let (result, _) = ask(&mut search, &mut HashRandom { seed: 4 });
        assert_eq!(result.moves.len(), game.position().legal_moves().len());
        let order: Vec<Move> = result.moves.iter().map(|stats| stats.mv).collect();
        assert_eq!(order, game.position().legal_moves().to_vec());
        assert_eq!((result.simulations, total_visits(&result)), (800, 800 + there.0 - 1));
        // Each prior belongs to the move at the same index.
        let mut fresh = Search::new(config(algorithm));
        fresh.start(&game, 1, 2);
        let expected = run(&mut fresh, &mut HashRandom { seed: 4 }).unwrap();
        for (kept, fresh) in result.moves.iter().zip(&expected.moves) {
            assert_eq!((kept.mv, kept.prior), (fresh.mv, fresh.prior));
        }
    }
}

#[test]
fn where_nothing_can_be_kept_a_search_starts_anew() {
    let mut search = Search::new(config(Algorithm::Gumbel));
    let mut game = start();
    let text = |game: &Game<Chess>, text: &str| game.position().parse_move(text).unwrap();
    let first = text(&game, "a2a3");
    game.push(first);
    assert!(!search.start_after(&game, &[first], 16, 1), "nothing was searched");
    run(&mut search, &mut HashRandom { seed: 4 }).unwrap();
    let result = search.result();
    let unvisited = result.moves.iter().find(|stats| stats.visits == 0).unwrap().mv;
    game.push(unvisited);
    assert!(!search.start_after(&game, &[unvisited], 16, 1), "it was not visited");
    assert_eq!(run(&mut search, &mut HashRandom { seed: 4 }).unwrap().simulations, 16);
    assert!(search.start_after(&game, &[], 16, 1), "the same position again");
    let mut batch = Batch::default();
    search.gather(&mut batch);
    assert!(!search.start_after(&game, &[], 16, 1), "an evaluation is outstanding");
    assert_eq!(run(&mut search, &mut HashRandom { seed: 4 }).unwrap().simulations, 16);
    search.set_mask(None);
    assert!(!search.start_after(&game, &[], 16, 1), "it may have been another game");
}
