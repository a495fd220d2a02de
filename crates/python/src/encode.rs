//! Encodings of positions and moves as network inputs, observations and actions.

use crate::errors::value_error;
use catapult_encoding::{Layout, PolicyIndex, layout, policy_indices};
use catapult_rules::{AnyGame, Move as Bits, Variant};
use half::bf16;
use numpy::ndarray::{Array, Dimension, ShapeBuilder};
use numpy::{Element, IntoPyArray, PyArray};
use pyo3::{Bound, PyResult, Python};
use std::collections::BTreeMap;

/// Returns the number of channels in an observation: planes plus globals.
pub(crate) const fn channels(layout: &Layout) -> usize {
    layout.planes + layout.globals
}

/// Returns the number of actions. The action of a move is `plane * squares + square`.
pub(crate) const fn actions(layout: &Layout) -> usize {
    layout.policy_planes * layout.squares()
}

/// Returns the sizes of a layout, by the names that Python uses.
pub(crate) fn shapes(layout: &Layout) -> BTreeMap<&'static str, usize> {
    BTreeMap::from([
        ("ranks", layout.ranks),
        ("files", layout.files),
        ("planes", layout.planes),
        ("globals", layout.globals),
        ("policy_planes", layout.policy_planes),
        ("future_planes", layout.future_planes),
        ("actions", actions(layout)),
    ])
}

/// Creates a numpy array from its values in row-major order.
pub(crate) fn array<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl ShapeBuilder<Dim = D>,
    values: Vec<T>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    Ok(Array::from_shape_vec(shape, values).map_err(value_error)?.into_pyarray(py))
}

/// Converts a bfloat16 number to float32. Planes contain no NaN, so it suffices to shift the bits.
#[inline]
pub(crate) fn widen(value: bf16) -> f32 {
    f32::from_bits(u32::from(value.to_bits()) << 16)
}

/// Writes the observation with these planes and globals to `out`: `[ranks, files, channels]`, from
/// the view of the side to move. Each global is repeated on every square.
pub(crate) fn widened(layout: &Layout, planes: &[bf16], globals: &[f32], out: &mut [f32]) {
    let rows = out.chunks_exact_mut(channels(layout)).zip(planes.chunks_exact(layout.planes));
    for (row, planes) in rows {
        let (row, repeated) = row.split_at_mut(layout.planes);
        for (value, plane) in row.iter_mut().zip(planes) {
            *value = widen(*plane);
        }
        repeated.copy_from_slice(globals);
    }
}

/// Returns the actions of legal moves of a game's current position: `plane * squares + square`.
pub(crate) fn actions_of(game: &dyn AnyGame, moves: &[Bits]) -> Vec<u32> {
    let layout = layout(game.variant());
    policy_indices(game, moves).into_iter().map(|index| number(&layout, index)).collect()
}

/// Checks that different moves have different actions in every position of a variant.
///
/// # Errors
/// A side can have four catapults. The error is a Python `ValueError`.
pub(crate) fn check_actions(variant: Variant) -> PyResult<()> {
    if matches!(variant, Variant::ChessPp(options) if options.catapults_at_start().count() > 3) {
        return Err(value_error(format!("{variant}: with four catapults, two moves can share an action")));
    }
    Ok(())
}

/// Returns the action with this policy index.
pub(crate) fn number(layout: &Layout, index: PolicyIndex) -> u32 {
    u32::from(index.plane) * layout.squares() as u32 + u32::from(index.square)
}
