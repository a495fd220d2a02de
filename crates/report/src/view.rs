//! View of a study's results: order, colours and names of arms, and search levels.

use crate::results::{
    Chapter, Estimate, Measure, MetricInfo, Phrase, SampleTable, Strength, StudyResults, Unit,
};
use catapult_figures::chart::{Fill, Look};
use catapult_measures::data::{Checkpoint, SampleId};
use catapult_measures::{Arm, metrics};
use catapult_stats::Pentanomial;
use std::collections::BTreeSet;

/// An arm as played by one agent. Each series has its own colour, mark and name in figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series {
    /// The arm (rule set).
    pub arm: Arm,
    /// Name of the agent that plays the arm.
    pub agent: String,
    /// Colour and fill of the series in figures.
    pub look: Look,
    /// Name of the arm. If several agents play the arm, the agent's name follows.
    pub label: String,
}

impl Series {
    /// Returns true if a sample belongs to the series.
    pub(crate) fn has(&self, sample: &SampleId) -> bool {
        sample.agent == self.agent && sample.arm == self.arm
    }
}

/// Definition of a metric that this version does not know. It has no id and no name.
static UNKNOWN: MetricInfo = MetricInfo {
    id: "",
    name: "",
    unit: Unit::Ratio,
    chapter: Chapter::Others,
    neutral: None,
    phrase: Phrase::Named,
    definition: "",
};

/// Returns the definition of the metric with this id. [`name_of`] returns its name.
pub(crate) fn info(metric: &str) -> &'static MetricInfo {
    metrics::metric(metric).unwrap_or(&UNKNOWN)
}

/// Returns the name of a metric in running text. If this version does not know the metric, the name
/// is derived from the id.
pub(crate) fn name_of(metric: &str) -> String {
    metrics::metric(metric).map_or_else(|| metric.replace('_', " "), |known| known.name.to_owned())
}

/// Id of a metric that every sample with played games has.
pub(super) const PLAYED: &str = "draw_rate";

/// Id of the table of piece values.
pub(super) const PIECE_VALUES: &str = "piece-values";

/// A checkpoint and its simulations per move.
pub(super) type Level = (Checkpoint, u32);

/// Results of a study with the order, colours and names in which they are shown.
pub struct ResultsView<'a> {
    /// The results that are shown.
    pub results: &'a StudyResults,
    /// All series, in the order of the arms.
    pub series: Vec<Series>,
    /// All levels at which something was measured: the early checkpoint first, then by simulations.
    pub levels: Vec<Level>,
}

impl<'a> ResultsView<'a> {
    /// Creates a view. The index of an arm in the study's file selects its colour.
    pub fn new(results: &'a StudyResults) -> ResultsView<'a> {
        let arms = &results.arms;
        let samples: BTreeSet<&SampleId> = results.measures.iter().map(|m| &m.sample).collect();
        let played: BTreeSet<&SampleId> =
            results.measures.iter().filter(|m| m.metric == PLAYED).map(|m| &m.sample).collect();
        let mut series = Vec::new();
        for (index, arm) in arms.iter().enumerate() {
            let agents: BTreeSet<&str> =
                samples.iter().filter(|s| s.arm == *arm).map(|s| s.agent.as_str()).collect();
            // Full: the agent plays one arm. Hollow: it plays several arms. Pointed: it does not
            // play this arm, whose rules replay its games of another arm.
            let fill = |agent: &str| {
                let of_agent = played.iter().filter(|s| s.agent == agent);
                let arms: BTreeSet<Arm> = of_agent.map(|s| s.arm).collect();
                match arms.len() {
                    _ if !arms.contains(arm) => Fill::Pointed,
                    1 => Fill::Full,
                    _ => Fill::Hollow,
                }
            };
            let mut agents: Vec<(Fill, &str)> =
                agents.into_iter().map(|agent| (fill(agent), agent)).collect();
            agents.sort_unstable();
            let mut taken = Vec::new();
            for (fill, agent) in &agents {
                let alone = agents.iter().filter(|(other, _)| *other != Fill::Pointed).count() <= 1;
                let is_player = *fill != Fill::Pointed || agents.len() == 1;
                let label = if alone && is_player { arm.to_string() } else { format!("{arm} ({agent})") };
                let mut free = [*fill, Fill::Full, Fill::Hollow, Fill::Pointed].into_iter();
                let fill = free.find(|fill| !taken.contains(fill)).unwrap_or(*fill);
                taken.push(fill);
                // With a single arm, colours distinguish agents.
                let look = if arms.len() == 1 {
                    Look { index: series.len(), fill: Fill::Full }
                } else {
                    Look { index, fill }
                };
                series.push(Series { arm: *arm, agent: (*agent).to_owned(), look, label });
            }
        }
        let levels: BTreeSet<Level> = results.measures.iter().map(|m| level(&m.sample)).collect();
        ResultsView { results, series, levels: levels.into_iter().collect() }
    }

    /// Returns the colour and fill of an arm. They do not depend on the players.
    pub(crate) fn look(&self, arm: Arm) -> Look {
        let index = self.results.arms.iter().position(|known| *known == arm).unwrap_or(0);
        Look { index, fill: Fill::Full }
    }

    /// Returns the series to which a sample belongs. `None` if there is none.
    pub fn series_of(&self, sample: &SampleId) -> Option<&Series> {
        self.series.iter().find(|series| series.has(sample))
    }

    /// Returns a sample in words: `chesspp, 128 simulations per move`.
    pub fn words(&self, sample: &SampleId) -> String {
        let arm = self.series_of(sample).map_or_else(|| sample.arm.to_string(), |s| s.label.clone());
        format!("{arm}, {}", level_words(level(sample)))
    }

    /// Returns the ids of the measured metrics, in the order of the results.
    pub fn metrics(&self) -> Vec<&'a str> {
        unique(self.results.measures.iter().map(|m| m.metric.as_str()))
    }

    /// Returns the value of a metric for a series at a level. `None` if it was not measured.
    pub fn measure(&self, metric: &str, series: &Series, at: Level) -> Option<&'a Measure> {
        let is_it = |m: &&Measure| m.metric == metric && level(&m.sample) == at && series.has(&m.sample);
        self.results.measures.iter().find(is_it)
    }

    /// Returns true if the metric is a piece value and the sample's table of piece values has a
    /// note. Such a value is unreliable.
    pub fn is_doubted(&self, metric: &str, sample: &SampleId) -> bool {
        let noted = |table: &&SampleTable| !table.notes.is_empty() && table.sample == *sample;
        info(metric).chapter == Chapter::Values
            && self.results.tables.iter().any(|table| table.table == PIECE_VALUES && noted(&table))
    }

    /// Returns the levels at which a metric was measured, in increasing order.
    pub fn levels_of(&self, metric: &str) -> Vec<Level> {
        let measures = self.results.measures.iter().filter(|m| m.metric == metric);
        measures.map(|m| level(&m.sample)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the control arm. If the results do not name one, returns the first arm. `None`
    /// without arms.
    pub fn control(&self) -> Option<Arm> {
        let judged = self.results.judgements.iter().find_map(|j| j.endpoint.control);
        let contrasted = || self.results.contrasts.iter().find_map(|c| Some(c.control.as_ref()?.arm));
        judged.or_else(contrasted).or_else(|| self.results.arms.first().copied())
    }

    /// Returns true if no other sample of the same arm and agent in `among` is stronger. Of two
    /// samples, the later checkpoint is stronger, then the higher level. Deep levels rank below all
    /// others, because they have fewer games.
    pub fn is_strongest<'s>(&self, sample: &SampleId, among: impl IntoIterator<Item = &'s SampleId>) -> bool {
        let rank =
            |sample: &SampleId| (!self.results.deep_levels.contains(&sample.simulations), level(sample));
        among.into_iter().all(|other| {
            (other.arm, &other.agent) != (sample.arm, &sample.agent) || rank(other) <= rank(sample)
        })
    }

    /// Returns the results of the pairs of games against an opponent, added up over a sample's
    /// networks. Returns `None` without such games.
    pub fn strength(&self, sample: &SampleId, opponent: &str) -> Option<Pentanomial> {
        let mut pairs = Pentanomial::default();
        let is_it = |strength: &&Strength| strength.opponent == opponent && strength.sample() == *sample;
        for strength in self.results.strengths.iter().filter(is_it) {
            for (sum, n) in pairs.0.iter_mut().zip(strength.result.pairs.0) {
                *sum += n;
            }
        }
        (pairs.pairs() > 0).then_some(pairs)
    }

    /// Returns the samples whose strength was measured, sorted by series and then by level, weakest
    /// first.
    pub fn measured_samples(&self) -> Vec<SampleId> {
        let samples: BTreeSet<SampleId> = self.results.strengths.iter().map(Strength::sample).collect();
        let mut samples: Vec<_> = samples.into_iter().collect();
        samples.sort_by_key(|sample| (self.series_of(sample).map(|s| s.look), level(sample)));
        samples
    }

    /// Returns the names of the opponents in strength matches, in the order of the results.
    pub fn opponents(&self) -> Vec<&'a str> {
        unique(self.results.strengths.iter().map(|s| s.opponent.as_str()))
    }
}

/// Returns the items without repetitions, in the order of first occurrence.
pub(super) fn unique<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

/// Returns the checkpoint and level of a sample.
pub(super) fn level(sample: &SampleId) -> Level {
    (sample.checkpoint, sample.simulations)
}

/// Returns the label of a level on an axis: `64`, `early 64`.
pub(super) fn level_label((checkpoint, simulations): Level) -> String {
    match checkpoint {
        Checkpoint::Early => format!("early {simulations}"),
        Checkpoint::Last => simulations.to_string(),
    }
}

/// Returns a level in words: `64 simulations per move`, with a note for the early checkpoint.
pub(super) fn level_words((checkpoint, simulations): Level) -> String {
    let early = if checkpoint == Checkpoint::Early { " (early checkpoint)" } else { "" };
    format!("{simulations} simulations per move{early}")
}

/// Converts an interval of a match to an estimate, which has no interval for other seeds.
pub(super) fn of_match(estimate: catapult_stats::Interval) -> Estimate {
    Estimate { value: estimate.value, agents: [estimate.low, estimate.high], rule: None }
}

/// Returns the Elo of a match. If one side won every game, the end of the interval on that side is
/// infinite.
pub(super) fn elo_of_match(pairs: Pentanomial) -> Estimate {
    let mut elo = of_match(pairs.elo());
    match pairs.is_saturated() {
        true if elo.value > 0.0 => elo.agents[1] = f64::INFINITY,
        true => elo.agents[0] = f64::NEG_INFINITY,
        false => {}
    }
    elo
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::Variant;

    #[test]
    fn deep_levels_are_no_strongest_ones_unless_there_are_no_others() {
        let sample = |simulations| SampleId {
            arm: Variant::Chess.into(),
            agent: "agent".to_owned(),
            checkpoint: Checkpoint::Last,
            simulations,
        };
        let [below, strongest, deep] = [64, 128, 1024].map(sample);
        let results = StudyResults { deep_levels: vec![1024], ..Default::default() };
        let view = ResultsView::new(&results);
        let all = [&below, &strongest, &deep];
        assert_eq!(all.map(|sample| view.is_strongest(sample, all)), [false, true, false]);
        assert!(view.is_strongest(&deep, [&deep]));
    }
}
