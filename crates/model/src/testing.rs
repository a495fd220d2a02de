//! Helpers that several test modules use.

use crate::{Architecture, Network, TowerSizes, random_positions, shaken_network};
use catapult_encoding::{CHESS_LAYOUT, Layout};
use catapult_mcts::Batch;
use catapult_rules::{ChessPp, Plain, Position};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::fs;
use std::path::Path;

pub(crate) fn random(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// Returns the sizes of a small network with three blocks. Its second block has global pooling.
pub(crate) fn sizes() -> TowerSizes {
    TowerSizes { pooled_every: 2, ..TowerSizes::new(16, 3) }
}

/// Returns the architecture with the sizes of [`sizes`].
pub(crate) fn architecture() -> Architecture {
    Architecture::Tower(sizes())
}

/// Returns an untrained network with noise, so that every parameter affects the evaluations. It has
/// the layout of chess.
pub(crate) fn shaken(architecture: Architecture, seed: u64) -> Network {
    shaken_for(architecture, CHESS_LAYOUT, seed)
}

/// Returns a network like [`shaken`] for the given layout.
pub(crate) fn shaken_for(architecture: Architecture, layout: Layout, seed: u64) -> Network {
    shaken_network(architecture, layout, [0.3, 0.4], seed).unwrap()
}

/// Returns `count` Chess++ positions from games of random moves.
pub(crate) fn positions(count: usize, seed: u64) -> Vec<ChessPp> {
    random_positions(ChessPp::start(Plain), count, seed)
}

pub(crate) fn requests<P: Position>(positions: &[P]) -> Batch<P> {
    let mut batch = Batch::default();
    for position in positions {
        batch.push(*position, 0, &position.legal_moves());
    }
    batch
}

/// Checks that any flipped byte and any cut of a file is noticed. `load` loads the file and returns
/// the error, if any. The errors must name the file.
pub(crate) fn check_damage(path: &Path, load: impl Fn() -> Option<String>) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut random = random(4);
    let good = fs::read(path).unwrap();
    assert_eq!(load(), None);
    let header = usize::from(u16::from_le_bytes([good[0], good[1]])) + 8;
    let some: Vec<usize> = (0..200).map(|_| random.random_range(header..good.len())).collect();
    for at in (0..16).chain((16..header).step_by(5)).chain(some).chain([good.len() - 1]) {
        let mut damaged = good.clone();
        damaged[at] ^= 1 << random.random_range(0..8);
        fs::write(path, &damaged).unwrap();
        let error = load().unwrap_or_else(|| panic!("{name}: byte {at} of {}", good.len()));
        assert!(error.contains(name), "{error}");
    }
    for len in [0, 7, 8, 100, header, good.len() - 1] {
        fs::write(path, &good[..len]).unwrap();
        assert!(load().unwrap().contains("damaged"), "cut to {len}");
    }
}
