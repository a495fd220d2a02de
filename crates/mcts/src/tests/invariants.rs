//! Tests of invariants that hold for searches of every game.

use super::nodes;
use crate::evaluators::{HashRandom, Material, Uniform};
use crate::{Algorithm, Batch, EvaluationError, Evaluator, Search, SearchConfig, SettingValues, Value, run};
use catapult_rules::{Chess, ChessPp, Game, Half, Position};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns `count` unfinished games with 0, 7, 14, ... random moves.
fn games<P: Position>(rules: P::Rules, count: usize, seed: u64) -> Vec<Game<P>> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    (0..count)
        .map(|i| {
            let mut game = Game::new(P::start(rules));
            for _ in 0..i * 7 {
                let moves = game.position().legal_moves();
                let mut next = game.clone();
                next.push(moves[rng.random_range(0..moves.len())]);
                if next.outcome().is_some() {
                    break;
                }
                game = next;
            }
            game
        })
        .collect()
}

fn self_play() -> SearchConfig {
    SearchConfig { gumbel_scale: 1.0, ..SearchConfig::default() }
}

#[test]
fn a_row_at_once_equals_one_by_one() {
    let mut rows = Search::new(self_play());
    let mut single = rows.clone();
    for (seed, game) in games::<ChessPp>(Default::default(), 12, 1).iter().enumerate() {
        rows.start(game, 100, seed as u64);
        run(&mut rows, &mut HashRandom::default()).unwrap();
        single.start(game, 100, seed as u64);
        let mut batch = Batch::default();
        let mut largest = 0;
        while !single.is_done() {
            batch.clear();
            let asked = single.gather_at_most(&mut batch, 1);
            largest = largest.max(asked);
            HashRandom::default().evaluate(&mut batch).unwrap();
            single.apply(&batch, 0);
        }
        assert_eq!(largest, 1);
        assert_eq!(nodes(&rows), nodes(&single));
        assert_eq!(rows.result(), single.result());
    }
}

/// Moves by [`HashRandom`], and the same value everywhere.
struct Level;

impl Evaluator<Chess> for Level {
    fn evaluate(&mut self, batch: &mut Batch<Chess>) -> Result<(), EvaluationError> {
        HashRandom::default().evaluate(batch)?;
        batch.values.fill(Value { wdl: [0.25, 0.5, 0.25], moves_left: 40.0 });
        Ok(())
    }
}

/// If every move draws equally often, a score of draws must not change the search. All numbers are
/// exact in binary, so the trees are equal.
#[test]
fn a_draw_score_that_all_moves_share_changes_nothing() {
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let visits = |draw_score: f32| {
            let mut search = Search::new(SearchConfig { algorithm, draw_score, ..self_play() });
            search.start(&Game::new(Chess::start(Default::default())), 300, 1);
            run(&mut search, &mut Level).unwrap();
            nodes(&search).into_iter().map(|(path, seen)| (path, seen.0)).collect::<Vec<_>>()
        };
        assert_eq!(visits(-0.5), visits(0.0), "{algorithm:?}");
    }
}

#[test]
fn interleaved_searches_equal_lone_ones() {
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let config = SearchConfig { algorithm, dirichlet_fraction: 0.25, ..self_play() };
        let games = games::<Chess>(Default::default(), 9, 2);
        let mut together: Vec<Search<Chess>> = games.iter().map(|_| Search::new(config)).collect();
        for (i, (search, game)) in together.iter_mut().zip(&games).enumerate() {
            search.start(game, 60, i as u64);
        }
        let mut batch = Batch::default();
        while together.iter().any(|search| !search.is_done()) {
            batch.clear();
            let firsts: Vec<usize> = together
                .iter_mut()
                .map(|search| {
                    let first = batch.leaves.len();
                    search.gather(&mut batch);
                    first
                })
                .collect();
            Material.evaluate(&mut batch).unwrap();
            for (search, first) in together.iter_mut().zip(firsts) {
                search.apply(&batch, first);
            }
        }
        // A reused search must give the results of a fresh one.
        let mut alone = Search::new(config);
        for (i, game) in games.iter().enumerate() {
            alone.start(game, 60, i as u64);
            let result = run(&mut alone, &mut Material).unwrap();
            assert_eq!(result, together[i].result());
            assert_eq!(nodes(&alone), nodes(&together[i]));
        }
    }
}

#[test]
fn the_seed_decides() {
    let game = Game::new(Chess::start(Default::default()));
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let config = SearchConfig { algorithm, dirichlet_fraction: 0.25, ..self_play() };
        let mut search = Search::new(config);
        let mut answers = Vec::new();
        for seed in [7, 7, 8, 9, 10] {
            search.start(&game, 16, seed);
            answers.push(run(&mut search, &mut HashRandom::default()).unwrap());
        }
        assert_eq!(answers[0].policy, answers[1].policy);
        assert!(answers[2..].iter().any(|answer| answer.policy != answers[0].policy));
    }
}

#[test]
fn every_simulation_is_counted_once() {
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        for simulations in [1, 2, 3, 7, 16, 17, 33, 200, 1000] {
            let config = SearchConfig { algorithm, ..self_play() };
            let mut search = Search::new(config);
            for game in games::<Chess>(Default::default(), 4, 3) {
                search.start(&game, simulations, 1);
                let result = run(&mut search, &mut HashRandom::default()).unwrap();
                if result.proven.is_none() {
                    assert_eq!(result.simulations, simulations);
                    assert_eq!(result.moves.iter().map(|m| m.visits).sum::<u32>(), simulations);
                }
                let total: f32 = result.policy.iter().map(|p| p.1).sum();
                assert!((total - 1.0).abs() < 1e-4);
                assert!((result.value.wdl.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                assert!(search.tree.nodes.iter().all(|node| node.in_flight == 0));
                // The policy contains the legal moves, in legal-move order.
                let legal = game.position().legal_moves();
                assert!(result.policy.iter().map(|p| p.0).eq(legal.iter().copied()));
            }
        }
    }
}

#[test]
fn memory_has_a_limit() {
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        for memory_limit in [1 << 17, 1 << 18, 3_000_000] {
            let config = SearchConfig { algorithm, memory_limit, ..self_play() };
            config.validate().unwrap();
            let mut search = Search::new(config);
            let game = Game::new(Chess::start(Default::default()));
            search.start(&game, 1_000_000, 1);
            let result = run(&mut search, &mut Uniform).unwrap();
            let bytes = search.tree.bytes();
            assert!(bytes <= memory_limit && bytes > memory_limit / 2, "{bytes} of {memory_limit}");
            assert_eq!(result.bytes, memory_limit);
            assert!(result.simulations > memory_limit as u32 / 1000, "{}", result.simulations);
            assert!(result.best.is_some());
            assert!((result.policy.iter().map(|p| p.1).sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }
}

/// With one legal move, nearly the whole tree is kept.
#[test]
fn a_kept_tree_stays_within_the_limit() {
    let fen = "3qk3/p2p1Q2/nrp1p2p/3bb1B1/1p1P2n1/6RP/1PP1PPBR/1N2K1N1 b - - 0 20";
    for memory_limit in [1 << 18, 1 << 20, 3_000_000] {
        let mut search = Search::new(SearchConfig { memory_limit, ..self_play() });
        let mut game = Game::new(Chess::from_fen(fen, Default::default()).unwrap());
        search.start(&game, 1_000_000, 1);
        let moves = run(&mut search, &mut Uniform).unwrap().moves;
        let [only] = moves[..] else { panic!("{} moves", moves.len()) };
        game.push(only.mv);
        assert!(search.start_after(&game, &[only.mv], 1_000_000, 2));
        run(&mut search, &mut Uniform).unwrap();
        assert!(search.tree.bytes() <= memory_limit, "{} of {memory_limit}", search.tree.bytes());
    }
}

#[test]
fn a_search_without_free_indices_is_done() {
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let mut search = Search::new(SearchConfig { algorithm, ..self_play() });
        search.tree.most = 1000;
        search.start(&Game::new(Chess::start(Default::default())), 10_000, 1);
        let result = run(&mut search, &mut Uniform).unwrap();
        assert!(search.tree.nodes.len() <= 1000 && search.tree.moves.len() <= 1000);
        assert!(result.simulations > 10 && result.simulations < 1000, "{}", result.simulations);
    }
}

/// A board full of Star Cats, from the tests of the rules, has more than 1,024 legal moves.
#[test]
fn a_root_may_have_more_than_a_thousand_moves() {
    let fen = "k3SSSSSSSK/ppSppSSpppSS/pSpSpppSpppS/pSppppSpppSp/SpppSpSpppSp/ppSppSpSpSpS/SppSpSpSpppS/pSSppSSpSpSp/\
               SpppSpppSppp/pSpppSpppSpS/pppSpppSpppS/SSSSSSSSSSSS w - - 0 1 -";
    let position = Half::from_fen(fen, ()).unwrap();
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let mut search = Search::new(SearchConfig { algorithm, ..self_play() });
        search.start(&Game::new(position), 64, 1);
        let result = run(&mut search, &mut Uniform).unwrap();
        assert!(result.moves.len() > 1024);
        assert_eq!(result.moves.len(), position.count_legal_moves());
    }
}

/// In this position each pawn move gives stalemate, so known results matter without simulations too.
#[test]
fn settings_of_the_other_algorithm_have_no_effect() {
    let game = Game::new(Chess::from_fen("k7/P7/1K6/8/8/8/7P/8 w - - 0 1", Default::default()).unwrap());
    for algorithm in Algorithm::ALL {
        let plain = SearchConfig { algorithm, dirichlet_fraction: 0.25, ..self_play() };
        for row in SearchConfig::rows().iter().filter(|row| row.algorithm.is_some_and(|of| of != algorithm)) {
            let mut other = plain;
            let value = if let SettingValues::Number(..) = row.values { "0.75" } else { "3" };
            row.set(&mut other, value).unwrap();
            for simulations in [0, 40] {
                let [expected, found] = [plain, other].map(|config| {
                    let mut search = Search::new(config);
                    search.start(&game, simulations, 1);
                    run(&mut search, &mut Material).unwrap()
                });
                assert_ne!(plain, other);
                assert_eq!(expected, found, "{} {simulations}", row.key);
            }
        }
    }
}

#[test]
fn an_ended_game_is_done_at_once() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let game = Game::new(Chess::from_fen(mated, Default::default()).unwrap());
    let mut search = Search::new(SearchConfig::default());
    assert!(search.is_done());
    search.start(&game, 32, 0);
    assert!(search.is_done());
    let mut batch = Batch::default();
    assert_eq!(search.gather(&mut batch), 0);
    let result = search.result();
    assert_eq!(result.best, None);
    assert_eq!(result.value.wdl, [0.0, 0.0, 1.0]);
}

#[test]
fn a_broken_evaluator_breaks_nothing() {
    struct Nonsense;
    impl Evaluator<Chess> for Nonsense {
        fn evaluate(&mut self, batch: &mut Batch<Chess>) -> Result<(), crate::EvaluationError> {
            batch.logits.clear();
            batch.logits.extend((0..batch.moves.len()).map(|i| [f32::NAN, f32::INFINITY, 0.0, -1e30][i % 4]));
            batch.values.clear();
            let value = crate::Value { wdl: [f32::NAN, 2.0, f32::INFINITY], moves_left: f32::NAN };
            batch.values.resize(batch.leaves.len(), value);
            Ok(())
        }
    }
    let game = Game::new(Chess::start(Default::default()));
    for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
        let mut search = Search::new(SearchConfig { algorithm, ..self_play() });
        search.start(&game, 200, 1);
        let result = run(&mut search, &mut Nonsense).unwrap();
        assert!(result.policy.iter().all(|p| p.1.is_finite()));
        assert!(result.value.wdl.iter().all(|p| p.is_finite()));
        assert!(result.best.is_some());
    }
}
