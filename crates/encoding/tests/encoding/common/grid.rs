//! Encodings that tests read by plane name, for the games of [`catapult_encoding::planes`], and
//! test positions.

use catapult_encoding::{Encode, Planes};
use catapult_rules::Position;
use rand::seq::IndexedRandom;
use rand_pcg::{Pcg64, rand_core::SeedableRng};
use std::marker::PhantomData;

/// Planes and globals of a position, encoded as if it had occurred once before in its game.
#[derive(PartialEq, Debug)]
pub(crate) struct Encoded<P> {
    encoded: super::Encoded,
    game: PhantomData<P>,
}

impl<P: Planes> Encoded<P> {
    pub(crate) fn new(position: &P, mirror: bool) -> Encoded<P> {
        Encoded { encoded: super::Encoded::new(position, 1, mirror), game: PhantomData }
    }

    pub(crate) fn has(&self, plane: usize, square: usize) -> bool {
        self.encoded.planes[square * P::LAYOUT.planes + plane].to_f32() != 0.0
    }

    /// Returns the names of the squares with a 1 on a plane. `a1` is the left end of the first rank
    /// of the side to move.
    pub(crate) fn squares(&self, plane: &str) -> String {
        let plane = P::plane_names().iter().position(|name| name == plane).expect("a plane's name");
        let name = |at: usize| format!("{}{}", (b'a' + (at % P::FILES) as u8) as char, at / P::FILES + 1);
        let set = (0..P::LAYOUT.squares()).filter(|square| self.has(plane, *square));
        set.map(name).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn global(&self, name: &str) -> f32 {
        let global = P::global_names().iter().position(|global| global == name);
        self.encoded.globals[global.expect("a global's name")]
    }
}

pub(crate) fn read<P: Position<Rules = ()>>(fen: &str) -> P {
    P::from_fen(fen, ()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Calls `visit` with all positions of `games` random games of at most `plies` plies.
pub(crate) fn random_games<P: Position<Rules = ()>>(games: u64, plies: usize, mut visit: impl FnMut(&P)) {
    for game in 0..games {
        let mut random = Pcg64::seed_from_u64(game);
        let mut position = P::start(());
        for _ in 0..plies {
            visit(&position);
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(&mut random) else { break };
            position.play(mv);
        }
    }
}

/// Calls `visit` with the positions of a variant's test vectors, and with every position one
/// decision later. Returns the number of vectors.
pub(crate) fn vectors<P: Position<Rules = ()>>(variant: &str, mut visit: impl FnMut(&P)) -> usize {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/tests/data/vectors.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let vectors = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let mut count = 0;
    for vector in vectors.filter(|vector| vector["variant"] == variant) {
        visit(&read(vector["fen"].as_str().expect("a FEN")));
        for fen in vector["after"].as_object().expect("moves").values() {
            visit(&read(fen.as_str().expect("a FEN")));
        }
        count += 1;
    }
    count
}
