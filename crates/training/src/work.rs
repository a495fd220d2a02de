//! What a generation takes, and what a run may spend on that.

use catapult_store::BadSetting;
use catapult_store::setting::in_range;
use serde::{Deserialize, Serialize};

/// What a run may spend. It is over with the first generation at whose end that is spent, or with its last one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// Evaluations, and what rows cost.
    pub work: u64,
    /// What a row that is learned from costs, in evaluations: the `learner_rate` example of the network crate measures it. 0 counts
    /// evaluations alone.
    #[serde(default)]
    pub row_cost: f64,
}

/// What a generation took: a function of the config and the generation, however often it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Positions that the searches of its games asked for, evaluated or answered from memory. What memory answers depends on how
    /// many games are under way at once; what is asked for does not.
    pub asked: u64,
    /// Rows that were learned from, each as often as it was.
    pub rows: u64,
}

impl BudgetConfig {
    /// Checks the values; the error names the key, what was found and what is allowed.
    pub(crate) fn validate(&self) -> Result<(), BadSetting> {
        if self.work == 0 || i64::try_from(self.work).is_err() {
            return Err(BadSetting::new("work", self.work, "must be at least 1 and below 2^63"));
        }
        in_range("row_cost", self.row_cost, 0.0..=1e6)
    }

    /// What work costs.
    pub fn cost(&self, work: Work) -> f64 {
        work.asked as f64 + self.row_cost * work.rows as f64
    }
}
