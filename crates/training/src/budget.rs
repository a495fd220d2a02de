//! Budget of a run, measured in evaluations. A run spends it on evaluations that its games request
//! and on training samples. [`BudgetConfig::row_cost`] converts training samples to evaluations.
//!
//! Runs with the same budget cost the same, even if their other settings differ. If `row_cost` is
//! 0, such runs request the same number of evaluations.

use crate::report::{GenerationReport, Work};
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

    /// Returns the total cost of the generations in `reports`, in evaluations.
    pub fn spent(&self, reports: &[GenerationReport]) -> f64 {
        reports.iter().filter_map(|report| report.work).map(|work| self.cost(work)).sum()
    }

    /// Returns the shares of the budget that are spent before and after a generation. `before` are
    /// the reports of the earlier generations. `work` is the work of the generation. A share
    /// exceeds 1 if the cost exceeds the budget.
    pub(crate) fn shares(&self, before: &[GenerationReport], work: Work) -> [f64; 2] {
        let spent = self.spent(before);
        [spent, spent + self.cost(work)].map(|spent| spent / self.work as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrainConfig;

    fn reports(work: &[(u64, u64)]) -> Vec<GenerationReport> {
        let worked = work.iter().map(|&(asked, rows)| Some(Work { asked, rows }));
        let work = std::iter::once(None).chain(worked);
        work.zip(0..)
            .map(|(work, generation)| GenerationReport { generation, work, ..Default::default() })
            .collect()
    }

    fn config(budget: &str) -> TrainConfig {
        let text = "name = \"a\"\nvariant = \"chess\"\nseed = 1\ngenerations = 4\n[network]\nchannels = 8\nblocks = 1\n";
        TrainConfig::parse(&format!("{text}{budget}"), &[]).unwrap()
    }

    #[test]
    fn a_run_ends_where_its_budget_does() {
        let config = config("[budget]\nwork = 1000\nrow_cost = 2.5\n");
        let budget = config.budget.unwrap();
        // 300 + 2.5 * 40 = 400 per generation: 800 after two, 1200 after three.
        let worked = reports(&[(300, 40), (300, 40), (300, 40), (300, 40)]);
        assert_eq!(budget.spent(&worked[..3]), 800.0);
        assert_eq!(budget.shares(&worked[..3], Work { asked: 300, rows: 40 }), [0.8, 1.2]);
        assert_eq!(config.ends_with(&worked[..3]), None);
        assert_eq!(config.ends_with(&worked[..4]), Some(3));
        // Generations after the end change nothing.
        assert_eq!(config.ends_with(&worked), Some(3));
        // Exactly the budget suffices, and so does the last generation.
        assert_eq!(config.ends_with(&reports(&[(500, 0), (250, 100)])), Some(2));
        assert_eq!(config.ends_with(&reports(&[(1, 1), (1, 1), (1, 1)])), None);
        assert_eq!(config.ends_with(&reports(&[(1, 1), (1, 1), (1, 1), (1, 1)])), Some(4));
        // 400 of 1000 are spent after one generation: two more. Without a cost so far, the config's
        // last generation is expected.
        let expected = |work: &[(u64, u64)]| config.expected_to_end_with(&reports(work));
        assert_eq!([expected(&[(300, 40)]), expected(&[(300, 40); 3]), expected(&[(1, 0)])], [3, 3, 4]);
        assert_eq!([expected(&[]), expected(&[(0, 0)])], [4, 4]);
    }

    #[test]
    fn without_a_budget_a_run_ends_with_its_last_generation() {
        let config = config("");
        let none = reports(&[(1 << 40, 0); 4]);
        assert_eq!(config.ends_with(&none[..4]), None);
        assert_eq!(config.ends_with(&none), Some(4));
        assert!(!toml::to_string(&config).unwrap().contains("budget"));
    }
}
