//! Work of a generation, and budget of a run.

use catapult_store::BadSetting;
use catapult_store::setting::in_range;
use serde::{Deserialize, Serialize};

/// Budget of a run. The run ends with the first generation that exhausts it, or with its last
/// generation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// Budget in evaluations, including the cost of training samples.
    pub work: u64,
    /// Cost of a training sample in evaluations. The `learner_rate` example of the network crate
    /// measures it. 0 counts only evaluations.
    #[serde(default)]
    pub row_cost: f64,
}

/// Work of a generation. It depends only on the config and the generation, not on interruptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Evaluations that the searches of its games requested, cache hits included. The number of
    /// cache hits depends on the games in progress at once. The number of requests does not.
    pub asked: u64,
    /// Training samples learned from, counted each time.
    pub rows: u64,
}

impl BudgetConfig {
    /// Checks the values. The error names the key, the value found and the allowed values.
    pub(crate) fn validate(&self) -> Result<(), BadSetting> {
        if self.work == 0 || i64::try_from(self.work).is_err() {
            return Err(BadSetting::new("work", self.work, "must be at least 1 and below 2^63"));
        }
        in_range("row_cost", self.row_cost, 0.0..=1e6)
    }

    /// Returns the cost of work in evaluations.
    pub fn cost(&self, work: Work) -> f64 {
        work.asked as f64 + self.row_cost * work.rows as f64
    }
}
