//! Rows as a training batch.

use crate::rows::{FUTURE_PLIES, Row};
use catapult_encoding::{Encode, PolicyIndex};
use catapult_network::{NetworkError, TrainingBatch, TrainingRow};
use half::bf16;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// Encodes rows into a batch that is filled again and again.
pub(crate) struct RowEncoder {
    batch: TrainingBatch,
    planes: Vec<bf16>,
    globals: Vec<f32>,
    moves: Vec<PolicyIndex>,
    /// What stands where, by horizon, and the same with a square's horizons side by side.
    standing: [Vec<u8>; FUTURE_PLIES.len()],
    future: Vec<u8>,
}

impl RowEncoder {
    pub(crate) fn new<P: Encode>() -> RowEncoder {
        let layout = P::LAYOUT;
        let standing = layout.squares() * layout.future_planes;
        RowEncoder {
            batch: TrainingBatch::new(layout),
            planes: vec![bf16::ZERO; layout.squares() * layout.planes],
            globals: vec![0.0; layout.globals],
            moves: Vec::new(),
            standing: std::array::from_fn(|_| vec![0; standing]),
            future: vec![0; standing * FUTURE_PLIES.len()],
        }
    }

    /// Encodes rows; with `mirror`, every other one (by chance) whose rules allow it is flipped left to right.
    pub(crate) fn encode<P: Encode>(
        &mut self,
        rows: &[&Row<P>],
        mirror: bool,
        rng: &mut Pcg64Mcg,
    ) -> Result<&TrainingBatch, NetworkError> {
        self.batch.clear();
        for row in rows {
            let mirror = mirror && rng.random_bool(0.5) && row.position.can_mirror();
            row.position.encode(row.repetitions, mirror, &mut self.planes, &mut self.globals);
            self.moves.clear();
            self.moves.extend(row.moves.iter().map(|&mv| row.position.policy_index(mv, mirror)));
            let side = row.position.side_to_move();
            for (later, standing) in row.future.iter().zip(&mut self.standing) {
                later.occupancy(side, mirror, standing);
            }
            let planes = P::LAYOUT.future_planes;
            for (at, square) in self.future.chunks_exact_mut(planes * FUTURE_PLIES.len()).enumerate() {
                for (horizon, standing) in square.chunks_exact_mut(planes).zip(&self.standing) {
                    horizon.copy_from_slice(&standing[at * planes..][..planes]);
                }
            }
            self.batch.push(&TrainingRow {
                planes: &self.planes,
                globals: &self.globals,
                moves: &self.moves,
                policy: &row.policy,
                policy_weight: 1.0,
                wdl: row.wdl,
                value_weight: 1.0,
                moves_left: row.moves_left,
                future: &self.future,
                future_weight: row.future_weight,
            })?;
        }
        Ok(&self.batch)
    }
}
