//! Budget of a run, measured in evaluations. A run spends it on evaluations that its games request
//! and on training samples. [`BudgetConfig::row_cost`] converts training samples to evaluations.
//!
//! Runs with the same budget cost the same, even if their other settings differ. If `row_cost` is
//! 0, such runs request the same number of evaluations.

use crate::report::GenerationReport;
use crate::{BudgetConfig, TrainConfig, Work};

impl BudgetConfig {
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

impl TrainConfig {
    /// Returns the generation that ends the run, or `None` if `reports` do not contain it. It is
    /// the first generation after which the budget is spent, but at most `self.generations`.
    /// `reports` begin with generation 0.
    pub fn ends_with(&self, reports: &[GenerationReport]) -> Option<u32> {
        let spent = self.budget.and_then(|budget| {
            let is_spent = |reports: &[GenerationReport]| budget.spent(reports) >= budget.work as f64;
            (0..reports.len()).find(|&last| is_spent(&reports[..=last]))
        });
        let last = self.generations as usize;
        spent.into_iter().chain((reports.len() > last).then_some(last)).min().map(|last| last as u32)
    }

    /// Returns the generation that will probably end the run. The estimate assumes that every
    /// further generation costs as much as the last of `reports`. Without a budget or a positive
    /// cost, it is `self.generations`.
    pub fn expected_to_end_with(&self, reports: &[GenerationReport]) -> u32 {
        let (Some(budget), Some(last)) = (self.budget, reports.last()) else { return self.generations };
        let left = budget.work as f64 - budget.spent(reports);
        match last.work.map(|work| budget.cost(work)) {
            Some(cost) if left <= 0.0 || cost > 0.0 => {
                let more = if left > 0.0 { (left / cost).ceil() } else { 0.0 };
                // The cast saturates.
                self.generations.min(last.generation.saturating_add(more as u32))
            }
            _ => self.generations,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports(work: &[(u64, u64)]) -> Vec<GenerationReport> {
        let report = |generation: usize, work| GenerationReport {
            generation: generation as u32,
            initial: None,
            network: String::new(),
            state: None,
            games: None,
            learning: None,
            work,
        };
        let worked = work.iter().map(|&(asked, rows)| Some(Work { asked, rows }));
        std::iter::once(None).chain(worked).enumerate().map(|(number, work)| report(number, work)).collect()
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
