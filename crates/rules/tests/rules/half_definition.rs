//! Chess and a Half: compares the engine with the definition, a slow second engine, on random games
//! and random placements. Also compares the definition with the positions of
//! `tests/data/vectors.jsonl`.
//!
//! For a long run: `CATAPULT_SCATTERED=1000000 cargo test --release -p catapult-rules --test rules
//! half_definition`

use crate::definition::agreement::{Agreement, compare_with_vectors, scatter};
use crate::definition::half::Board;
use crate::definition::half_scatter::scattered;
use catapult_rules::Half;

const AGREEMENT: Agreement<Half, Board> = Agreement { scattered, after_move: |_, _| {} };

#[test]
fn the_definition_agrees_with_the_vectors() {
    assert_eq!(compare_with_vectors::<Board>("half", 5_000), 65);
}

#[test]
#[ignore = "long"]
fn the_definition_agrees_with_all_leaves_of_the_vectors() {
    assert_eq!(compare_with_vectors::<Board>("half", u64::MAX), 65);
}

#[test]
fn random_games() {
    AGREEMENT.on_random_games(3, 150);
}

#[test]
#[ignore = "long"]
fn many_random_games() {
    AGREEMENT.on_random_games(20, 150);
}

#[test]
fn leaves_from_the_start() {
    AGREEMENT.on_leaves(2);
}

#[test]
fn scattered_positions() {
    scatter(
        |n, seed| AGREEMENT.on_scattered(seed, n.is_multiple_of(16)).0,
        &[Some("checkmate"), Some("dead"), Some("hundred-plies"), None],
    );
}
