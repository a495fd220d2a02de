//! Chess and Chess++: compares the engine with the definition, a slow second engine, on random
//! games and random placements. All sets of proposals are covered.
//!
//! For a long run: `CATAPULT_SCATTERED=1000000 cargo test --release -p catapult-rules --test rules
//! definition_agrees`

use crate::common::random_rules;
use crate::definition::agreement::scatter;
use crate::definition::chesspp::{Board, Options};
use crate::definition::chesspp_scatter::{lost_catapults, rests_for_nothing, scattered};
use catapult_rules::{
    ChessMove, ChessMoveKind, ChessPosition, ChessRules, MoveList, Position, Proposals, Variant, conformance,
    perft, with_chess_rules, with_variant,
};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;

fn variants() -> Vec<Variant> {
    std::iter::once(Variant::Chess).chain(Proposals::all_sets().map(Variant::ChessPp)).collect()
}

/// Compares FEN, key, check, moves and outcome of a position in the engine and in the definition.
/// Returns the outcome.
fn compare<R: ChessRules>(position: &ChessPosition<R>, board: &Board) -> Option<&'static str> {
    let fen = board.fen();
    assert_eq!(position.to_string(), fen, "FEN");
    assert_eq!(position.in_check(), board.in_check(), "check in {:?} `{fen}`", board.options);
    let mut moves = BTreeMap::new();
    let list = position.legal_moves();
    let mut catapult_moves = 0;
    for mv in &list {
        let mut next = *position;
        next.play(*mv);
        let (text, written) = (position.move_text(*mv), next.to_string());
        let read = ChessPosition::from_fen(&written, position.rules()).map(|read| read.key());
        assert_eq!(read, Ok(next.key()), "key after {text} in {fen}");
        catapult_moves += (ChessMove::of(*mv).kind == ChessMoveKind::Catapult) as usize;
        assert!(position.is_legal(*mv), "{text} in {fen}");
        assert!(moves.insert(text, written).is_none(), "a move twice in {fen}");
    }
    assert_eq!(moves, board.legal_moves(), "moves in {:?} `{fen}`", board.options);
    assert_eq!(position.count_legal_moves(), list.len(), "count in {fen}");
    assert_eq!(position.has_legal_move(), !list.is_empty(), "any move in {fen}");
    let steps = if board.in_check() { 0 } else { board.count_catapult_steps() };
    if !board.options.block {
        assert_eq!(catapult_moves, steps, "rule 5 in {:?} `{fen}`", board.options);
    }
    let outcome = position.outcome().map(|outcome| outcome.name());
    assert_eq!(outcome, board.outcome(&moves), "outcome of {:?} `{fen}`", board.options);
    outcome
}

fn agree_on_random_games(variants: Vec<Variant>, games: u64) {
    for (seed, variant) in variants.into_iter().enumerate() {
        with_chess_rules!(variant, |P, rules| {
            let options = Options::of(&variant.to_string());
            for game in 0..games {
                let mut random = Pcg64Mcg::seed_from_u64(seed as u64 * 100 + game);
                let mut position = P::start(rules);
                for _ in 0..60 {
                    let mut moves = MoveList::new();
                    position.legal_moves_into(&mut moves);
                    if position.outcome().is_some() {
                        break;
                    }
                    conformance::check_position(&position);
                    compare(&position, &Board::from_fen(&position.to_string(), options));
                    position.play(*moves.choose(&mut random).expect("no outcome"));
                }
            }
        });
    }
}

/// Compares engine and definition in a random game of each set of proposals.
#[test]
fn random_games() {
    agree_on_random_games(variants(), 1);
}

#[test]
#[ignore = "long"]
fn many_random_games() {
    agree_on_random_games(variants(), 2);
}

/// Returns each variant once, and once more for each of its proposals except `+free`. A random
/// board does not depend on `+free`.
fn weighted_variants() -> Vec<Variant> {
    let weight = |variant: &Variant| variant.to_string().replace("+free", "").split('+').count();
    variants().into_iter().flat_map(|variant| std::iter::repeat_n(variant, weight(&variant))).collect()
}

#[test]
fn scattered_positions() {
    let variants = weighted_variants();
    let one = |n: u64, seed| {
        let variant = variants[n as usize % variants.len()];
        // Reading notation is slow, so only one position in four is checked.
        let conforms = n.is_multiple_of(4);
        let outcome = with_chess_rules!(variant, |P, rules| {
            let _: Option<P> = None;
            one_scattered(variant, rules, seed, conforms)
        });
        outcome.expect("a variant of the 8x8 engine")
    };
    scatter(one, &[Some("checkmate"), Some("dead"), Some("hundred-plies"), None]);
}

/// Compares engine and definition in a random game of each of many random sets of options.
#[test]
fn random_games_of_random_rules() {
    let mut random = Pcg64Mcg::seed_from_u64(42);
    agree_on_random_games((0..32).map(|_| random_rules(&mut random)).collect(), 1);
}

#[test]
fn scattered_positions_of_random_rules() {
    let one = |n: u64, seed| {
        let variant = random_rules(&mut Pcg64Mcg::seed_from_u64(seed));
        let outcome = with_chess_rules!(variant, |P, rules| {
            let _: Option<P> = None;
            one_scattered(variant, rules, seed, n.is_multiple_of(4))
        });
        outcome.expect("a variant of the 8x8 engine")
    };
    scatter(one, &[Some("checkmate"), Some("dead"), Some("hundred-plies"), None]);
}

fn one_scattered<R: ChessRules>(
    variant: Variant,
    rules: R,
    seed: u64,
    conforms: bool,
) -> Option<&'static str> {
    let options = Options::of(&variant.to_string());
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    loop {
        let board = scattered(options, &mut random);
        let is_stopped =
            |at| options.block && board.catapult(at).is_some_and(|c| c.side as usize == board.side);
        let valid = !lost_catapults(&board)
            && !rests_for_nothing(&board)
            && !board.en_passant.is_some_and(is_stopped)
            && !board.captures_king();
        match ChessPosition::from_fen(&board.fen(), rules) {
            Ok(position) => {
                assert!(valid, "{variant} accepted `{}`", board.fen());
                if conforms {
                    conformance::check_position(&position);
                }
                return compare(&position, &board);
            }
            Err(error) => assert!(!valid, "{variant} refused `{}`: {error}", board.fen()),
        }
    }
}

/// Compares the leaves that the engine and the definition count with `tests/data/perft.txt`. A line
/// of the file is `variant | FEN | depth | leaves`. The definition, which is slow, counts only lines
/// with at most `most` leaves. Returns how many it counts.
fn leaves_are_as_pinned(most: u64) -> usize {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft.txt");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (mut checked, mut defined, mut wrong) = (0, 0, String::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let &[variant, fen, depth, leaves] = fields.as_slice() else { panic!("{path}: `{line}`") };
        let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
        let by_definition = if leaves <= most {
            defined += 1;
            Board::from_fen(fen, Options::of(variant)).perft(depth)
        } else {
            leaves
        };
        let counted = with_variant!(variant.parse::<Variant>().unwrap(), |P, rules| {
            perft(&P::from_fen(fen, rules).unwrap_or_else(|error| panic!("{line}: {error}")), depth)
        });
        if [by_definition, counted] != [leaves; 2] {
            wrong += &format!("\n{variant} | {fen} | {depth} | {by_definition} (the engine: {counted})");
        }
        checked += 1;
    }
    assert!(wrong.is_empty() && checked >= 20, "{checked} lines; the definition has:{wrong}");
    defined
}

#[test]
fn pinned_leaves() {
    assert!(leaves_are_as_pinned(10_000) >= 12);
}

#[test]
#[ignore = "long"]
fn all_pinned_leaves_by_the_definition() {
    assert!(leaves_are_as_pinned(u64::MAX) >= 20);
}
