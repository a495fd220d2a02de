//! The engine held against the definition, on random games and on scattered positions.
//!
//! `CATAPULT_SCATTERED=1000000 cargo test --release -p catapult-rules --test maxim_agrees` for a long run.

#[path = "definition/maxim.rs"]
mod maxim;
#[path = "definition/maxim_scatter.rs"]
mod maxim_scatter;

use catapult_rules::{Maxim, Position, conformance, perft};
use maxim::Board;
use maxim_scatter::{is_valid, scattered};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Everything the two can be compared in; gives the outcome.
fn compare(position: &Maxim, board: &Board) -> Option<&'static str> {
    let fen = board.fen();
    assert_eq!(position.to_string(), fen, "FEN");
    assert_eq!(position.in_check(), board.in_check(), "check in `{fen}`");
    let mut moves = BTreeMap::new();
    let list = position.legal_moves();
    for mv in &list {
        let mut next = *position;
        next.play(*mv);
        let text = position.move_text(*mv);
        assert_eq!(next.key(), next.recomputed_key(), "key after {text} in {fen}");
        let fewer = pieces(&next) < pieces(position);
        assert_eq!(next.forgets_history(), fewer, "what is for ever after {text} in {fen}");
        assert!(moves.insert(text, next.to_string()).is_none(), "a move twice in {fen}");
    }
    assert_eq!(moves, board.legal_moves(), "moves in `{fen}`");
    assert_eq!(position.count_legal_moves(), list.len(), "count in {fen}");
    assert_eq!(position.has_legal_move(), !list.is_empty(), "any move in {fen}");
    let outcome = position.outcome().map(|outcome| outcome.name());
    assert_eq!(outcome, board.outcome(&moves), "outcome of `{fen}`");
    outcome
}

fn pieces(position: &Maxim) -> usize {
    let fen = position.to_string();
    let placement = fen.split(' ').next().unwrap_or("");
    placement.chars().filter(char::is_ascii_alphabetic).count()
}

#[test]
fn random_games() {
    for game in 0..12 {
        let mut random = Pcg64Mcg::seed_from_u64(game);
        let mut position = Maxim::start(());
        for _ in 0..300 {
            if position.outcome().is_some() {
                break;
            }
            compare(&position, &Board::from_fen(&position.to_string()));
            position.play(*position.legal_moves().choose(&mut random).expect("no outcome"));
        }
    }
}

#[test]
fn scattered_positions() {
    let wanted: u64 = std::env::var("CATAPULT_SCATTERED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let seed: u64 = std::env::var("CATAPULT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let seen = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let seen = &seen;
            scope.spawn(move || {
                // Each position has its own seed, so that the set does not depend on the number of workers.
                for n in (worker..wanted).step_by(workers as usize) {
                    let what = one_scattered(seed << 40 | n, n.is_multiple_of(8));
                    *seen.lock().unwrap().entry(what).or_insert(0u64) += 1;
                }
            });
        }
    });
    let seen = seen.into_inner().unwrap();
    println!("{wanted} positions, seed {seed}: {seen:?}");
    let kinds = [Some("checkmate"), Some("stalemate"), Some("dead"), Some("hundred-plies"), None];
    for what in kinds.map(|outcome| (outcome, "-")).into_iter().chain([(None, "?"), (None, "@")]) {
        assert!(wanted < 20_000 || seen.contains_key(&what), "{what:?} never came up: {seen:?}");
    }
}

/// Gives the outcome and the phase.
fn one_scattered(seed: u64, conforms: bool) -> (Option<&'static str>, &'static str) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    loop {
        let board = scattered(&mut random);
        let valid = is_valid(&board);
        match Maxim::from_fen(&board.fen(), ()) {
            Ok(position) => {
                assert!(valid, "accepted `{}`", board.fen());
                if conforms {
                    conformance::check_position(&position);
                }
                let phase = match board.phase {
                    maxim::Phase::Move => "-",
                    maxim::Phase::First => "?",
                    maxim::Phase::Second(_) => "@",
                };
                return (compare(&position, &board), phase);
            }
            Err(error) => assert!(!valid, "refused `{}`: {error}", board.fen()),
        }
    }
}

/// Leaves that both engines count.
#[test]
fn leaves_of_trees() {
    let start = Maxim::start(());
    let board = Board::from_fen(&start.to_string());
    for depth in 1..=3 {
        assert_eq!(perft(&start, depth), board.perft(depth), "depth {depth}");
    }
}
