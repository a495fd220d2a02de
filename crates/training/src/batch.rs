//! Encoding of training samples as a batch for the learner.

use catapult_encoding::Encode;
use catapult_network::{NetworkError, TrainingBatch, TrainingRow};
use catapult_rows::{Row, RowEncoder, flipped};
use rand_pcg::Pcg64Mcg;

/// Encoder of training samples. It reuses the memory of its batch in every call.
pub(crate) struct BatchEncoder {
    batch: TrainingBatch,
    encoder: RowEncoder,
}

impl BatchEncoder {
    pub(crate) fn new<P: Encode>() -> BatchEncoder {
        BatchEncoder { batch: TrainingBatch::new(P::LAYOUT), encoder: RowEncoder::new::<P>() }
    }

    /// Encodes training samples into the batch, replacing its content. If `mirror` is true, each
    /// sample is flipped left to right with probability 1/2. Samples whose rules forbid it are
    /// never flipped.
    pub(crate) fn encode<P: Encode>(
        &mut self,
        rows: &[&Row<P>],
        mirror: bool,
        rng: &mut Pcg64Mcg,
    ) -> Result<&TrainingBatch, NetworkError> {
        self.batch.clear();
        for row in rows {
            let encoded = self.encoder.encode(row, flipped(row, mirror, rng));
            self.batch.push(&TrainingRow {
                planes: encoded.planes,
                globals: encoded.globals,
                moves: encoded.moves,
                policy: &row.policy,
                wdl: row.wdl,
                value_weight: row.value_weight,
                moves_left: row.moves_left,
                future: encoded.future,
                future_weight: row.future_weight,
            })?;
        }
        Ok(&self.batch)
    }
}
