//! Losses of training, and their weights.

use serde::{Deserialize, Serialize};
use std::iter::Sum;

catapult_store::settings! {
    /// Weight of each training loss in the total loss.
    #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct LossWeights {
        /// Weight of the cross-entropy of the policy.
        policy: f32 = 1.0, at_least_zero();
        /// Weight of the cross-entropy of win, draw and loss.
        value: f32 = 1.0, at_least_zero();
        /// Weight of the Huber loss of the plies left. The plies are divided by
        /// [`crate::MOVES_LEFT_SCALE`].
        moves_left: f32 = 0.2, at_least_zero();
        /// Weight of the binary cross-entropy of the future occupancy. The loss is summed over
        /// planes and [`crate::FUTURE_PLIES`], and averaged over squares.
        future: f32 = 0.2, at_least_zero();
    }
}

/// Mean losses of a batch and the norm of the gradient. Only `total` includes [`LossWeights`].
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Losses {
    /// Weighted sum of the losses, which training minimises.
    pub total: f32,
    /// Cross-entropy of the policy, in nats.
    pub policy: f32,
    /// Cross-entropy of win, draw and loss, in nats. Samples count by their `value_weight`.
    pub value: f32,
    /// Huber loss of the plies left, of the samples that have this target. 0 without such samples.
    /// The plies are divided by [`crate::MOVES_LEFT_SCALE`].
    pub moves_left: f32,
    /// Binary cross-entropy of the future occupancy, in nats per square. Targets of weight 0 count
    /// as 0.
    pub future: f32,
    /// Norm of the gradient before clipping. It is 0 if no gradient was computed.
    pub gradient_norm: f32,
}

impl Sum for Losses {
    /// Adds the losses of the parts of a batch. The losses of each part are its contribution to the
    /// batch's means, so the sums are the batch's means.
    fn sum<I: Iterator<Item = Losses>>(parts: I) -> Losses {
        parts.fold(Losses::default(), |sum, part| Losses {
            total: sum.total + part.total,
            policy: sum.policy + part.policy,
            value: sum.value + part.value,
            moves_left: sum.moves_left + part.moves_left,
            future: sum.future + part.future,
            gradient_norm: sum.gradient_norm + part.gradient_norm,
        })
    }
}
