//! Maxim chess: compares the engine with the definition, a slow second engine, on random games and
//! random placements. Also compares the definition with the positions of
//! `tests/data/vectors.jsonl`.
//!
//! For a long run: `CATAPULT_SCATTERED=1000000 cargo test --release -p catapult-rules --test rules
//! maxim_definition`

use crate::definition::agreement::{Agreement, compare_with_vectors, scatter};
use crate::definition::maxim::{Board, Phase};
use crate::definition::maxim_scatter::scattered;
use catapult_rules::{Maxim, Position};

const AGREEMENT: Agreement<Maxim, Board> = Agreement {
    scattered,
    after_move: |before, after| {
        let fewer = pieces(after) < pieces(before);
        assert_eq!(after.forgets_history(), fewer, "what is for ever between {before} and {after}");
    },
};

fn pieces(position: &Maxim) -> usize {
    let fen = position.to_string();
    let placement = fen.split(' ').next().unwrap_or("");
    placement.chars().filter(char::is_ascii_alphabetic).count()
}

#[test]
fn the_definition_agrees_with_the_vectors() {
    assert_eq!(compare_with_vectors::<Board>("maxim", u64::MAX), 54);
}

#[test]
fn random_games() {
    AGREEMENT.on_random_games(2, 300);
}

#[test]
#[ignore = "long"]
fn many_random_games() {
    AGREEMENT.on_random_games(12, 300);
}

#[test]
fn leaves_from_the_start() {
    AGREEMENT.on_leaves(3);
}

/// Compares engine and definition on random boards. All outcomes and all phases must occur among
/// them.
#[test]
fn scattered_positions() {
    let one = |n: u64, seed| {
        let (outcome, board) = AGREEMENT.on_scattered(seed, n.is_multiple_of(8));
        let phase = match board.phase {
            Phase::Move => "-",
            Phase::First => "?",
            Phase::Second(_) => "@",
        };
        (outcome, phase)
    };
    let outcomes = [Some("checkmate"), Some("stalemate"), Some("dead"), Some("hundred-plies"), None];
    let moving = outcomes.map(|outcome| (outcome, "-"));
    scatter(one, &[&moving[..], &[(None, "?"), (None, "@")]].concat());
}
