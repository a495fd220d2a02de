//! The engine held against the definition, on random games and on scattered positions, over all option sets.
//!
//! `CATAPULT_SCATTERED=1000000 cargo test --release -p catapult-rules --test definition_agrees` for a long run.

mod definition;

use catapult_rules::{MoveList, Position, Proposals, Variant, with_variant};
use definition::scatter::{lost_catapults, scattered};
use definition::{Board, Options};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;

fn variants() -> Vec<Variant> {
    std::iter::once(Variant::Chess).chain(Proposals::all_sets().map(Variant::ChessPp)).collect()
}

/// Everything the two can be compared in.
fn compare<P: Position>(position: &P, board: &Board) {
    let fen = board.fen();
    assert_eq!(position.to_string(), fen, "FEN");
    assert_eq!(position.in_check(), board.in_check(), "check in {:?} `{fen}`", board.options);
    let mut moves = BTreeMap::new();
    let list = position.legal_moves();
    for mv in &list {
        let mut next = *position;
        next.play(*mv);
        assert!(position.is_legal(*mv), "{} in {fen}", position.move_text(*mv));
        let text = position.move_text(*mv);
        assert!(moves.insert(text, next.to_string()).is_none(), "a move twice in {fen}");
    }
    assert_eq!(moves, board.legal_moves(), "moves in {:?} `{fen}`", board.options);
    assert_eq!(position.count_legal_moves(), list.len(), "count in {fen}");
    assert_eq!(position.has_legal_move(), !list.is_empty(), "any move in {fen}");
}

#[test]
fn random_games() {
    for (seed, variant) in variants().into_iter().enumerate() {
        with_variant!(variant, |P, rules| {
            let options = Options::of(&variant.to_string());
            for game in 0..2 {
                let mut random = Pcg64Mcg::seed_from_u64(seed as u64 * 100 + game);
                let mut position = P::start(rules);
                for _ in 0..60 {
                    let mut moves = MoveList::new();
                    position.legal_moves_into(&mut moves);
                    if position.outcome().is_some() {
                        break;
                    }
                    compare(&position, &Board::from_fen(&position.to_string(), options));
                    position.play(*moves.choose(&mut random).expect("no outcome"));
                }
            }
        });
    }
}

#[test]
fn scattered_positions() {
    let wanted: u64 = std::env::var("CATAPULT_SCATTERED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let seed: u64 = std::env::var("CATAPULT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let variants = variants();
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let variants = &variants;
            scope.spawn(move || {
                // Each position has its own seed, so that the set does not depend on the number of workers.
                for n in (worker..wanted).step_by(workers as usize) {
                    let variant = variants[n as usize % variants.len()];
                    with_variant!(variant, |P, rules| one_scattered::<P>(variant, rules, seed << 40 | n));
                }
            });
        }
    });
}

fn one_scattered<P: Position>(variant: Variant, rules: P::Rules, seed: u64) {
    let options = Options::of(&variant.to_string());
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    loop {
        let board = scattered(options, &mut random);
        let valid = !lost_catapults(&board) && !board.captures_king();
        match P::from_fen(&board.fen(), rules) {
            Ok(position) => {
                assert!(valid, "{variant} accepted `{}`", board.fen());
                return compare(&position, &board);
            }
            Err(error) => assert!(!valid, "{variant} refused `{}`: {error}", board.fen()),
        }
    }
}
