//! Rows as the arrays of a training step.

use crate::rows::Row;
use catapult_encoding::Encode;
use catapult_network::TrainingBatch;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// Encodes rows; with `mirror`, every other row (by chance) whose rules allow it is flipped left to right.
pub(crate) fn encode_rows<P: Encode>(rows: &[&Row<P>], mirror: bool, rng: &mut Pcg64Mcg) -> TrainingBatch {
    let layout = P::LAYOUT;
    let most_moves = rows.iter().map(|row| row.moves.len()).max().unwrap_or(1);
    let mut batch = TrainingBatch::zeros(&layout, rows.len(), most_moves);
    for (index, row) in rows.iter().enumerate() {
        let mirror = mirror && rng.random_bool(0.5) && row.position.can_mirror();
        let mut planes = batch.planes.row_mut(index);
        let mut globals = batch.globals.row_mut(index);
        // Rows of a freshly made array are contiguous.
        let (planes, globals) = (planes.as_slice_mut().unwrap(), globals.as_slice_mut().unwrap());
        row.position.encode(row.repetitions, mirror, planes, globals);
        let _ = (planes, globals);
        todo!()
    }
    batch
}
