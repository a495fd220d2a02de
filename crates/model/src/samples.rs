//! Networks and positions to measure and compare on.

use crate::{Architecture, ModelError, Network, Role};
use catapult_encoding::Layout;
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

/// A network whose every parameter counts, which no training has to precede: an untrained one says the same of every position. Noise of
/// up to `zeros` is added to weights that are zero, of up to `others` to biases and to what belongs to batch normalisation.
pub fn shaken_network(
    architecture: Architecture,
    layout: Layout,
    [zeros, others]: [f32; 2],
    seed: u64,
) -> Result<Network, ModelError> {
    let mut network = Network::untrained(architecture, layout, seed)?;
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    for spec in network.parameters.specs().to_vec() {
        for value in &mut network.parameters.values[spec.range()] {
            let noise = random.random_range(-1.0f32..1.0);
            *value += match spec.role {
                Role::Weight if *value == 0.0 => zeros * noise,
                Role::Weight => 0.0,
                _ => others * noise,
            };
        }
    }
    Ok(network)
}
