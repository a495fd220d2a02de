//! Work of a generation, and the budget of a run that limits it.

use catapult_store::BadSetting;
use catapult_store::setting::in_range;
use serde::{Deserialize, Serialize};

/// Budget of a run. The run ends with the generation in which the spent work reaches the budget, or
/// with the config's last generation if that comes first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// Size of the budget in evaluations. Training samples count towards it with `row_cost`.
    pub work: u64,
    /// Cost of one training sample, in evaluations. The `learner_rate` example of the network crate
    /// measures it. With 0, training samples cost nothing.
    #[serde(default)]
    pub row_cost: f64,
}

/// Work of a generation. It depends only on the config and the generation. Interruptions of the run
/// do not change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Number of evaluations that the searches of the generation's games requested, cache hits
    /// included. This number does not depend on the number of games in progress at once. The number
    /// of cache hits alone does.
    pub asked: u64,
    /// Number of training samples in all training steps. A sample counts each time that it is
    /// drawn.
    pub rows: u64,
}

impl BudgetConfig {
    /// Checks the values of `work` and `row_cost`.
    ///
    /// # Errors
    /// A key has an invalid value. The error has the key, the value found and the allowed values.
    pub(crate) fn validate(&self) -> Result<(), BadSetting> {
        if self.work == 0 || i64::try_from(self.work).is_err() {
            return Err(BadSetting::new("work", self.work, "must be at least 1 and below 2^63"));
        }
        in_range("row_cost", self.row_cost, 0.0..=1e6)
    }

    /// Returns the cost of a generation's work, in evaluations.
    pub fn cost(&self, work: Work) -> f64 {
        work.asked as f64 + self.row_cost * work.rows as f64
    }
}
