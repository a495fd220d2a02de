//! Helpers that several test modules use.

use crate::{Architecture, Network, TowerSizes, random_positions, shaken_network};
use catapult_encoding::{CHESS_LAYOUT, Layout};
use catapult_mcts::Batch;
use catapult_rules::{ChessPp, Plain, Position};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

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
