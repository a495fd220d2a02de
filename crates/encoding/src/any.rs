//! Encodings of games of any variant, for callers that are not compiled for each game.

use crate::{Encode, Layout, PolicyIndex};
use catapult_rules::{AnyGame, Move, Variant, with_variant};
use half::bf16;

/// Returns the layout of a variant.
pub fn layout(variant: Variant) -> Layout {
    with_variant!(variant, |P, _rules| P::LAYOUT)
}

/// Returns the names of a variant's input planes and globals, in order.
pub fn input_names(variant: Variant) -> [Vec<String>; 2] {
    with_variant!(variant, |P, _rules| [P::plane_names(), P::global_names()])
}

/// Returns the planes and the globals of a game's current position. Their shapes are those of
/// [`Encode::encode`].
pub fn inputs(game: &dyn AnyGame) -> (Vec<bf16>, Vec<f32>) {
    let layout = layout(game.variant());
    let mut planes = vec![bf16::ZERO; layout.squares() * layout.planes];
    let mut globals = vec![0.0; layout.globals];
    inputs_into(game, &mut planes, &mut globals);
    (planes, globals)
}

/// Writes the planes and the globals of a game's current position. Their shapes are those of
/// [`Encode::encode`].
///
/// # Panics
/// If a slice has the wrong length.
pub fn inputs_into(game: &dyn AnyGame, planes: &mut [bf16], globals: &mut [f32]) {
    with_variant!(game.variant(), |P, _rules| {
        if let Some(line) = game.line::<P>() {
            line.position().encode(game.repetitions().min(255) as u8, false, planes, globals);
        }
    })
}

/// Returns the policy index of each of these legal moves of a game's current position.
pub fn policy_indices(game: &dyn AnyGame, moves: &[Move]) -> Vec<PolicyIndex> {
    with_variant!(game.variant(), |P, _rules| {
        let Some(line) = game.line::<P>() else { return Vec::new() };
        moves.iter().map(|mv| line.position().policy_index(*mv, false)).collect()
    })
}
