//! What would settle an open claim, in words.

use super::condition::Condition;
use super::words::Words;
use catapult_stats::Scatter;

impl Words<'_> {
    /// What would settle an open claim: enough networks for every gate, and what each gate that is not met asks beside them.
    pub(super) fn would_settle(&self, conditions: &[Condition], failed: &[&Condition]) -> String {
        let mut settle: Vec<String> =
            failed.iter().map(|c| c.settle.clone()).filter(|text| !text.is_empty()).collect();
        settle.dedup();
        // Without a test there is no telling how many.
        if failed.iter().all(|condition| condition.gate.name != "rule used") {
            let networks = self.enough_networks(conditions);
            if !settle.contains(&networks) {
                settle.insert(0, networks);
            }
        }
        settle.join(" ")
    }

    /// The networks that would meet every gate four times in five.
    pub(super) fn enough_networks(&self, conditions: &[Condition]) -> String {
        let smallest = self.amount(self.smallest_effect());
        let asked: Vec<&Condition> =
            conditions.iter().filter(|condition| condition.scatter.is_some()).collect();
        if asked.is_empty() {
            return self.more_networks();
        }
        let most = asked.iter().map(|c| Some((c.gate.seeds?, c))).reduce(|a, b| {
            let (a, b) = (a?, b?);
            Some(if b.0.estimate > a.0.estimate { b } else { a })
        });
        let Some((most, condition)) = most.flatten() else {
            return format!(
                "Stronger or more alike networks: no affordable number of these would show {smallest}."
            );
        };
        let seeds = || asked.iter().filter_map(|condition| condition.gate.seeds);
        let low = seeds().map(|seeds| seeds.low).max().unwrap_or(most.low);
        let high = seeds().map(|seeds| seeds.high).reduce(|a, b| Some(a?.max(b?))).flatten();
        let between = match high {
            Some(high) if (low, high) == (most.estimate, most.estimate) => String::new(),
            Some(high) => {
                format!(" (from {low} to {high}: how much networks differ is itself known from few)")
            }
            None => format!(
                " (from {low} to more than anyone can train: how much networks differ is known from too few)"
            ),
        };
        let gate = match condition.gate.name.as_str() {
            "significant" => "would find".to_owned(),
            other => format!("would meet every condition (the hardest is \u{201c}{other}\u{201d}) for"),
        };
        let is_games = condition.scatter.is_some_and(|s| s.least.powi(2) > s.spread.0.powi(2) / 2.0);
        let games = match is_games {
            true => {
                "; most of the uncertainty is from too few games, so more games a network would do as well"
            }
            false => "",
        };
        let side = if condition.scatter.is_some_and(|s| s.sides == 2) { " on each side" } else { "" };
        format!(
            "Networks of {} training seeds{side}{between} {gate} an effect of {smallest} four times in five, if they \
             differ as these do{games}.",
            most.estimate
        )
    }

    /// How much networks differ, without what they show.
    pub(super) fn scatter(&self, scatter: Option<&Scatter>) -> String {
        let Some(Scatter { spread: (error, _), networks, sides, .. }) = scatter else {
            return "How much networks of other seeds would differ can't be told from so few.".to_owned();
        };
        if *sides == 2 {
            let error = self.amount(*error);
            return format!(
                "The standard error of the difference is {error}, by {networks} networks a side."
            );
        }
        let deviation = self.amount(error * (*networks as f64).sqrt());
        format!("Between training seeds it scatters by {deviation} (standard deviation of {networks}).")
    }
}
