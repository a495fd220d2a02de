//! Compares an engine with its game's definition, a slow second engine. The definition must first
//! agree with the positions of `tests/data/vectors.jsonl`.

use catapult_rules::{Position, conformance, perft};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Mutex;

/// A definition of a game: a slow second engine that is simple enough to trust.
pub(crate) trait Definition: Sized {
    /// Reads a canonical FEN.
    fn from_fen(fen: &str) -> Self;

    /// Writes the canonical FEN.
    fn fen(&self) -> String;

    /// Returns true if the board is a valid position of the game. The engine must reject the FENs
    /// of all other boards.
    fn is_valid(&self) -> bool;

    fn in_check(&self) -> bool;

    /// Returns the FEN of the position after each legal move, by the move's text.
    fn legal_moves(&self) -> BTreeMap<String, String>;

    fn is_dead(&self) -> bool;

    /// Returns the half-move clock.
    fn clock(&self) -> u32;

    /// Returns true if the next decision starts a turn. Only then do mates and the fifty-move rule
    /// apply.
    fn is_turn_start(&self) -> bool {
        true
    }

    /// Returns the outcome that follows from the position alone, given its legal moves.
    fn outcome(&self, moves: &BTreeMap<String, String>) -> Option<&'static str> {
        match (moves.is_empty(), self.in_check()) {
            _ if !self.is_turn_start() => None,
            (true, true) => Some("checkmate"),
            (true, false) => Some("stalemate"),
            _ if self.is_dead() => Some("dead"),
            _ => (self.clock() >= 100).then_some("hundred-plies"),
        }
    }

    /// Returns the number of leaves of the tree of legal moves that is `depth` plies deep.
    fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.values().map(|fen| Self::from_fen(fen).perft(depth - 1)).sum(),
        }
    }
}

/// Compares a definition with the valid positions of a variant in `tests/data/vectors.jsonl`. The
/// definition is slow: it counts leaves only where they are at most `most`. Returns the number of
/// positions.
pub(crate) fn compare_with_vectors<D: Definition>(variant: &str, most: u64) -> usize {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut checked = 0;
    for line in lines.filter(|line| line["variant"] == variant) {
        let fen = line["fen"].as_str().expect("fen");
        let board = D::from_fen(fen);
        assert_eq!(board.fen(), fen);
        if !board.is_valid() {
            // The crate rejects this position. The test of the vectors covers it.
            continue;
        }
        assert_eq!(board.in_check(), line["check"].as_bool().expect("check"), "check in {fen}");
        let moves = board.legal_moves();
        let expected: BTreeMap<String, String> =
            serde_json::from_value(line["after"].clone()).expect("texts and FENs");
        assert_eq!(moves, expected, "moves in {fen}");
        assert_eq!(board.outcome(&moves), line["outcome"].as_str(), "outcome of {fen}");
        let leaves = line["perft2"].as_u64().expect("perft2");
        if leaves <= most {
            assert_eq!(board.perft(2), leaves, "leaves of {fen}");
        }
        checked += 1;
    }
    checked
}

/// Comparison of an engine (`P`) with its game's definition (`D`).
pub(crate) struct Agreement<P, D> {
    /// Function that returns a board with randomly placed pieces. The board may be invalid.
    pub scattered: fn(&mut Pcg64Mcg) -> D,
    /// Additional check of a move. The arguments are the positions before and after the move.
    pub after_move: fn(&P, &P),
}

impl<P: Position<Rules = ()>, D: Definition> Agreement<P, D> {
    /// Compares FEN, check, moves and outcome of a position in the engine and in the definition.
    /// Returns the outcome.
    fn compare(&self, position: &P, board: &D) -> Option<&'static str> {
        let fen = board.fen();
        assert_eq!(position.to_string(), fen, "FEN");
        assert_eq!(position.in_check(), board.in_check(), "check in `{fen}`");
        let mut moves = BTreeMap::new();
        let list = position.legal_moves();
        for mv in &list {
            let mut next = *position;
            next.play(*mv);
            (self.after_move)(position, &next);
            let (text, written) = (position.move_text(*mv), next.to_string());
            let read = P::from_fen(&written, ()).map(|read| read.key());
            assert_eq!(read, Ok(next.key()), "key after {text} in {fen}");
            assert!(position.is_legal(*mv), "{text} in {fen}");
            assert!(moves.insert(text, written).is_none(), "a move twice in {fen}");
        }
        assert_eq!(moves, board.legal_moves(), "moves in `{fen}`");
        assert_eq!(position.count_legal_moves(), list.len(), "count in {fen}");
        assert_eq!(position.has_legal_move(), !list.is_empty(), "any move in {fen}");
        let outcome = position.outcome().map(|outcome| outcome.name());
        assert_eq!(outcome, board.outcome(&moves), "outcome of `{fen}`");
        outcome
    }

    /// Compares engine and definition in games of random moves.
    pub(crate) fn on_random_games(&self, games: u64, plies: usize) {
        for game in 0..games {
            let mut random = Pcg64Mcg::seed_from_u64(game);
            let mut position = P::start(());
            for _ in 0..plies {
                if position.outcome().is_some() {
                    break;
                }
                conformance::check_position(&position);
                self.compare(&position, &D::from_fen(&position.to_string()));
                position.play(*position.legal_moves().choose(&mut random).expect("no outcome"));
            }
        }
    }

    /// Compares the engine's and the definition's numbers of leaves below the start position, at
    /// depths from 1 to `depth`.
    pub(crate) fn on_leaves(&self, depth: u32) {
        let start = P::start(());
        let defined = D::from_fen(&start.to_string());
        for depth in 1..=depth {
            assert_eq!(perft(&start, depth), defined.perft(depth), "depth {depth}");
        }
    }

    /// Compares engine and definition on the first valid board that `scattered` returns with a
    /// seed. Returns the outcome and the board. If `conforms` is true, also checks the position
    /// with the conformance suite.
    pub(crate) fn on_scattered(&self, seed: u64, conforms: bool) -> (Option<&'static str>, D) {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        loop {
            let board = (self.scattered)(&mut random);
            let valid = board.is_valid();
            match P::from_fen(&board.fen(), ()) {
                Ok(position) => {
                    assert!(valid, "accepted `{}`", board.fen());
                    if conforms {
                        conformance::check_position(&position);
                    }
                    return (self.compare(&position, &board), board);
                }
                Err(error) => assert!(!valid, "refused `{}`: {error}", board.fen()),
            }
        }
    }
}

/// Calls `one` with the number and the seed of many random positions, in several threads. If the
/// number of positions is at least 2,000, each element of `wanted` must be among the results.
///
/// The environment variable `CATAPULT_SCATTERED` sets the number of positions. The default is
/// 2,000, and `scripts/test-long` sets 20,000. `CATAPULT_SEED` sets the seed (1 if not set).
pub(crate) fn scatter<K: Ord + Debug + Send>(one: impl Fn(u64, u64) -> K + Sync, wanted: &[K]) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let (count, seed) = (number("CATAPULT_SCATTERED").unwrap_or(2_000), number("CATAPULT_SEED").unwrap_or(1));
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let seen = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (one, seen) = (&one, &seen);
            scope.spawn(move || {
                // Each position has its own seed, so the set does not depend on the number of
                // workers.
                for n in (worker..count).step_by(workers as usize) {
                    let what = one(n, seed << 40 | n);
                    *seen.lock().expect("no worker has failed").entry(what).or_insert(0u64) += 1;
                }
            });
        }
    });
    let seen = seen.into_inner().expect("no worker has failed");
    println!("{count} positions, seed {seed}: {seen:?}");
    for what in wanted {
        assert!(count < 2_000 || seen.contains_key(what), "{what:?} never came up: {seen:?}");
    }
}
