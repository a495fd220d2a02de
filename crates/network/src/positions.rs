//! Positions to measure and compare networks on.

use catapult_rules::Position;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// So many positions of games of random moves from a start, one after the other, the ends left out.
pub fn random_positions<P: Position>(start: P, count: usize, seed: u64) -> Vec<P> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut found = Vec::with_capacity(count);
    let mut position = start;
    while found.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.outcome().is_some() {
            position = start;
            continue;
        }
        found.push(position);
        position.play(moves[random.random_range(0..moves.len())]);
    }
    found
}
