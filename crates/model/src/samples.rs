//! Sample networks and positions, for measurements and comparisons.

use crate::{Architecture, ModelError, Network, Role};
use catapult_encoding::Layout;
use catapult_rules::Position;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns `count` positions from games of random moves that begin at `start`. Positions in which
/// the game is over are left out. `start` must have a legal move.
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

/// Returns an untrained network with added noise, so that every parameter affects the evaluations.
///
/// Without the noise, an untrained network evaluates every position alike. Each zero weight gets
/// uniform noise between -`zeros` and `zeros`. Biases and parameters of batch normalisation get
/// noise between -`others` and `others`.
///
/// # Errors
/// The architecture is invalid.
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
