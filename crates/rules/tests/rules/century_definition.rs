//! Twenty-First Century Chess: compares the engine with the definition, a slow second engine, on
//! random games and random placements. Also compares the definition with the positions of
//! `tests/data/vectors.jsonl`.
//!
//! For a long run: `CATAPULT_SCATTERED=1000000 cargo test --release -p catapult-rules --test rules
//! century_definition`

use crate::definition::agreement::{Agreement, compare_with_vectors, scatter};
use crate::definition::century::Board;
use crate::definition::century_scatter::scattered;
use catapult_rules::Century;

const AGREEMENT: Agreement<Century, Board> = Agreement { scattered, after_move: |_, _| {} };

#[test]
fn the_definition_agrees_with_the_vectors() {
    assert_eq!(compare_with_vectors::<Board>("century", u64::MAX), 42);
}

#[test]
fn random_games() {
    AGREEMENT.on_random_games(5, 150);
}

#[test]
#[ignore = "long"]
fn many_random_games() {
    AGREEMENT.on_random_games(40, 150);
}

#[test]
fn leaves_from_the_start() {
    AGREEMENT.on_leaves(3);
}

#[test]
fn scattered_positions() {
    scatter(
        |n, seed| AGREEMENT.on_scattered(seed, n.is_multiple_of(16)).0,
        &[Some("checkmate"), Some("dead"), Some("hundred-plies"), None],
    );
}
