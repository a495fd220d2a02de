//! Searches of Maxim chess. A turn consists of several decisions of one side (rule 8 of Maxim
//! chess). Repetition and the fifty-move rule count only at the start of a turn.

use super::{nodes, paper};
use crate::evaluators::{HashRandom, Material, Uniform};
use crate::tree::ROOT;
use crate::{
    Algorithm, Batch, Evaluator, MoveStats, Outlook, Proven, Search, SearchConfig, SearchResult, run,
};
use catapult_rules::{Color, Game, Maxim, Move, Outcome, Position};

const BOTH: [Algorithm; 2] = [Algorithm::Gumbel, Algorithm::Puct];

fn read(fen: &str) -> Maxim {
    Maxim::from_fen(fen, ()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn game(fen: &str, decisions: &str) -> Game<Maxim> {
    let mut game = Game::new(read(fen));
    for text in decisions.split_whitespace() {
        game.push(game.position().parse_move(text).unwrap());
    }
    game
}

fn after(position: &Maxim, text: &str) -> Maxim {
    let mut next = *position;
    next.play(position.parse_move(text).unwrap());
    next
}

fn config(algorithm: Algorithm) -> SearchConfig {
    SearchConfig { algorithm, considered: Some(256), finish_turns: false, ..paper() }
}

fn stats(result: &SearchResult, position: &Maxim, text: &str) -> MoveStats {
    let mv = position.parse_move(text).unwrap();
    *result.moves.iter().find(|stats| stats.mv == mv).unwrap()
}

fn is_mate(position: &Maxim) -> bool {
    position.outcome() == Some(Outcome::Checkmate)
}

/// A rook mates on the back rank with the last decision of the turn, `done`. The win is two plies
/// away, and the winner makes both plies.
#[test]
fn a_win_of_two_decisions_is_a_win_at_both() {
    for (fen, key) in [
        ("6k1/5(pp)(pp)(pp)/8/8/8/8/8/R3K3 w - - 0 1 -/- -", "a1a8"),
        ("r3k3/8/8/8/8/8/5(PP)(PP)(PP)/6K1 b - - 0 1 -/- -", "a8a1"),
        // The mate has precedence over the half-move clock, which the move brings to 100.
        ("6k1/5(pp)(pp)(pp)/8/8/8/8/8/R3K3 w - - 99 80 -/- -", "a1a8"),
    ] {
        let position = read(fen);
        let chosen = after(&position, key);
        assert_eq!(chosen.side_to_move(), position.side_to_move());
        assert!(chosen.outcome().is_none() && is_mate(&after(&chosen, "done")), "{fen}");
        for algorithm in BOTH {
            let mut search = Search::new(config(algorithm));
            search.start_at(position, 0, &[], 2_000, 1);
            let result = run(&mut search, &mut Uniform).unwrap();
            assert_eq!(result.best.map(|mv| position.move_text(mv)).as_deref(), Some(key), "{fen}");
            let proven = Some(Proven { outlook: Outlook::Win, plies: 2 });
            assert_eq!((result.proven, result.value.wdl), (proven, [1.0, 0.0, 0.0]), "{fen} {algorithm:?}");
            assert_eq!(result.value.moves_left, 2.0);
            let white = if position.side_to_move() == Color::White { 1.0 } else { -1.0 };
            let path = vec![position.parse_move(key).unwrap().bits()];
            assert_eq!(nodes(&search)[&path].1, white, "{fen}");

            search.start_at(chosen, 0, &[], 2_000, 1);
            let result = run(&mut search, &mut Uniform).unwrap();
            let proven = Some(Proven { outlook: Outlook::Win, plies: 1 });
            assert_eq!((result.proven, result.value.wdl), (proven, [1.0, 0.0, 0.0]), "{fen} {algorithm:?}");
        }
    }
}

/// The rook's check leaves one flight square, g8 (g1). A portal on this square mates if the other
/// portal is beside the attacker's king. So the mate takes three decisions of one side in a row.
/// The search must find the last two.
#[test]
fn a_mate_by_portals_is_found() {
    for (fen, check, portals) in [
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1 -/- -", "a1h1", ["@e5", "@g8"]),
        ("r7/8/8/8/8/5k2/8/7K b - - 0 1 -/- -", "a8h8", ["@g1", "@e4"]),
    ] {
        let position = read(fen);
        let checking = after(&position, check);
        assert!(!is_mate(&after(&checking, "done")));
        assert!(is_mate(&after(&after(&checking, portals[0]), portals[1])));
        for algorithm in BOTH {
            let mut search = Search::new(config(algorithm));
            search.start_at(checking, 0, &[], 50_000, 1);
            let result = run(&mut search, &mut Uniform).unwrap();
            assert_eq!(result.proven, Some(Proven { outlook: Outlook::Win, plies: 2 }), "{fen}");
            let mut first = checking;
            first.play(result.best.unwrap());
            let seconds = first.legal_moves();
            let mates = |mv: &Move| {
                let mut next = first;
                next.play(*mv);
                is_mate(&next)
            };
            assert_eq!(first.side_to_move(), position.side_to_move());
            assert!(seconds.iter().any(mates), "{fen}: {first}");

            search.start_at(position, 0, &[], 50_000, 1);
            let result = run(&mut search, &mut Uniform).unwrap();
            assert_eq!(result.proven.map(|proven| proven.outlook), Some(Outlook::Win), "{fen} {algorithm:?}");
            assert_eq!(result.value.wdl, [1.0, 0.0, 0.0]);
        }
    }
}

/// A node visited once has the value of its position for White. This holds for either side to move
/// and after any number of decisions in a turn.
#[test]
fn values_are_seen_by_who_is_to_move() {
    let mut movers = [0; 2];
    for (fen, side) in [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- -", Color::White),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- ?", Color::White),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1 -/- @c3", Color::Black),
    ] {
        let position = read(fen);
        assert_eq!(position.side_to_move(), side);
        for algorithm in BOTH {
            let mut search = Search::new(config(algorithm));
            search.start_at(position, 0, &[], 1_500, 1);
            let result = run(&mut search, &mut Material).unwrap();
            // The rook is worth tanh(500 / 400).
            let lead = 1.25f32.tanh() * if side == Color::White { 1.0 } else { -1.0 };
            let q = |wdl: [f32; 3]| wdl[0] - wdl[2];
            assert!((q(result.raw_value.wdl) - lead).abs() < 1e-6, "{fen}");
            assert!((q(result.value.wdl) - lead).abs() < 0.1, "{fen}: {:?}", result.value.wdl);
            for (path, (visits, white_q, ..)) in nodes(&search) {
                let mut there = position;
                for &bits in &path {
                    there.play(Move::from_bits(bits));
                }
                if visits == 1 && there.outcome().is_none() {
                    let white = there.material(Color::White) - there.material(Color::Black);
                    assert!((white_q - (white as f32 / 400.0).tanh()).abs() < 1e-6, "{fen} to {there}");
                    movers[(there.side_to_move() != side) as usize] += 1;
                }
            }
        }
    }
    assert!(movers.iter().all(|&seen| seen > 20), "the mover's, the other's: {movers:?}");
}

/// A repeated position counts as a draw only at the start of a turn.
#[test]
fn a_repetition_is_judged_where_a_turn_starts() {
    let shuffle = "a1a2 done e8d8 done a2a1 done d8e8 done";
    let mut game = game("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- -", shuffle);
    assert_eq!(game.repetitions(), 1);
    for algorithm in BOTH {
        let mut game = game.clone();
        let mut search = Search::new(config(algorithm));
        search.start(&game, 1_500, 1);
        let result = run(&mut search, &mut Material).unwrap();
        // The position after the move, before the turn ends, has occurred as well.
        let again = stats(&result, game.position(), "a1a2");
        assert!(again.visits > 1 && again.q.unwrap() > 0.5, "{algorithm:?}: {again:?}");

        game.push(game.position().parse_move("a1a2").unwrap());
        assert_eq!((game.repetitions(), game.outcome()), (1, None));
        search.start(&game, 1_500, 1);
        let result = run(&mut search, &mut Material).unwrap();
        let done = stats(&result, game.position(), "done");
        assert_eq!((done.q, done.proven), (Some(0.0), None), "{algorithm:?}");
        assert!(stats(&result, game.position(), "@c3").q.unwrap() > 0.5, "{algorithm:?}");
        assert_ne!(result.best, Some(done.mv));
    }
    // A third occurrence ends the game at the end of the turn, not at the decision before.
    for text in shuffle.split(' ') {
        assert_eq!(game.outcome(), None, "before {text}");
        game.push(game.position().parse_move(text).unwrap());
    }
    assert_eq!(game.outcome(), Some(Outcome::Repetition));
}

/// The move brings the half-move clock to 100, and `done` then ends the game by the fifty-move
/// rule. This draw is not a proven result.
#[test]
fn the_clock_is_judged_where_a_turn_starts() {
    let game = game("4k3/8/8/8/8/8/8/R3K3 w - - 99 80 -/- -", "e1e2");
    assert_eq!((game.position().halfmove_clock(), game.outcome()), (100, None));
    for algorithm in BOTH {
        let mut search = Search::new(config(algorithm));
        search.start(&game, 200, 1);
        let result = run(&mut search, &mut Material).unwrap();
        assert!(result.raw_value.wdl[0] > 0.8, "not over: {:?}", result.raw_value);
        let done = stats(&result, game.position(), "done");
        assert_eq!((done.q, done.proven), (Some(0.0), None), "{algorithm:?}");
    }
}

/// With `finish_turns`, every evaluated position below the root is at the start of a turn. The
/// exception is a position after a first portal, because the search chooses the second portal. A
/// root within a turn still has all its moves.
#[test]
fn turns_are_finished_in_the_tree() {
    for (fen, phase) in [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- -", "-"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- ?", "?"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- @c3", "@c3"),
    ] {
        let position = read(fen);
        for algorithm in BOTH {
            let config = SearchConfig { finish_turns: true, ..config(algorithm) };
            let mut search = Search::new(config);
            search.start_at(position, 0, &[], 300, 1);
            let mut batch = Batch::default();
            let mut asked = Vec::new();
            while !search.is_done() {
                batch.clear();
                search.gather(&mut batch);
                asked.extend(batch.leaves.iter().map(|leaf| leaf.position));
                Evaluator::<Maxim>::evaluate(&mut Material, &mut batch).unwrap();
                search.apply(&batch, 0);
            }
            assert_eq!(search.result().moves.len(), position.legal_moves().len());
            let begun: Vec<&Maxim> = asked[1..].iter().filter(|leaf| !leaf.is_turn_start()).collect();
            // A first portal does not end the turn: the second is chosen by search.
            assert_eq!(begun.is_empty(), phase != "?", "{fen} {algorithm:?}");
            assert!(begun.iter().all(|leaf| leaf.turn_end().is_none()), "{fen}");
            let waits = asked[1..].iter().any(|leaf| leaf.side_to_move() == Color::Black);
            assert!(waits && asked.len() > 100, "{fen}: {}", asked.len());
        }
    }
}

/// Returns the moves to each node below the root that has its turn-ending move but no visit.
fn begun_turns(search: &Search<Maxim>) -> Vec<Vec<Move>> {
    let tree = &search.tree;
    let mut found = Vec::new();
    let mut stack = vec![(ROOT, Vec::new())];
    while let Some((index, path)) = stack.pop() {
        let node = &tree.nodes[index as usize];
        if node.narrowed && node.visits == 0 {
            found.push(path);
            continue;
        }
        for (i, &mv) in tree.edge_moves(node).iter().enumerate().take(node.child_count as usize) {
            let mut path = path.clone();
            path.push(mv);
            stack.push((node.first_child + i as u32, path));
        }
    }
    found
}

/// When memory is full, the last simulation may end between a node within a turn and the position
/// after the turn. A search that reuses the tree must not wait for the evaluation of that position.
#[test]
fn a_turn_that_memory_cut_off_is_begun_again_in_a_reused_tree() {
    for algorithm in BOTH {
        let mut reused = 0;
        for number in 0..24 {
            let memory_limit = (1 << 17) + 8_192 * number;
            let config = SearchConfig { finish_turns: true, memory_limit, ..config(algorithm) };
            let mut search = Search::new(config);
            let mut game = Game::new(Maxim::start(()));
            search.start(&game, 100_000, 1);
            run(&mut search, &mut HashRandom { seed: 4 }).unwrap();
            // The first turn of the path is a move and `done`.
            let Some(path) = begun_turns(&search).into_iter().find(|path| path.len() > 2) else { continue };
            let turn = &path[..2];
            turn.iter().for_each(|&mv| game.push(mv));
            if search.start_after(&game, turn, 50, 2) {
                reused += 1;
                assert!(begun_turns(&search).is_empty(), "{algorithm:?} {memory_limit}");
                // The search ends.
                run(&mut search, &mut HashRandom { seed: 4 }).unwrap();
            }
        }
        assert!(reused > 0, "{algorithm:?}: memory is never full within a turn");
    }
}
