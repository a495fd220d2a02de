//! Comparison of several studies: every metric on one scale, differences between equal samples,
//! differences in strength, and differences in provenance.

use super::figure::Figure;
use super::figures::{levels, of_metric};
use super::provenance::provenance;
use super::strength::itself;
use super::view::{Info, Level, ResultsView, level, level_label, level_words, of_match, unique};
use crate::results::{Estimate, Unit};
use catapult_figures::chart::levels::Levels;
use catapult_figures::svg::{Anchor, Drawing};
use catapult_measures::Arm;
use std::collections::{BTreeMap, BTreeSet};

/// A metric as measured in all studies.
pub(crate) struct Metric {
    /// Name of the metric in running text.
    pub name: String,
    /// Unit of the metric's values.
    pub unit: Unit,
    /// Charts of the metric, one per study, on a common scale.
    pub figure: Figure,
    /// Values of each sample that occurs in several studies.
    pub rows: Vec<BetweenStudies>,
}

/// Values of one sample in several studies.
pub(crate) struct BetweenStudies {
    /// Name of the sample's arm, followed by the agent's name if it differs.
    pub name: String,
    /// Search level as text, such as `64`.
    pub level: String,
    /// The value in each study, in the order of the studies. `None` if the study did not measure
    /// it.
    pub values: Vec<Option<Estimate>>,
    /// For each study, its value less the value of the first study that has one. `None` for that
    /// first study and for studies without a value.
    pub differences: Vec<Option<Estimate>>,
}

/// Returns every metric that any study measured, in the order of first occurrence.
pub(super) fn metrics(views: &[ResultsView]) -> Vec<Metric> {
    let ids = unique(views.iter().flat_map(ResultsView::metrics));
    ids.into_iter().filter_map(|id| metric(views, id)).collect()
}

fn metric(views: &[ResultsView], id: &str) -> Option<Metric> {
    let info = Info::of(id);
    let mut charts: Vec<(&str, Levels)> =
        views.iter().filter_map(|view| Some((view.results.name.as_str(), levels(view, id)?))).collect();
    let domain = Levels::domain_of(charts.iter().map(|(_, chart)| chart));
    let mut drawing = Drawing::new(0.0, 0.0);
    for row in charts.chunks_mut(2) {
        row.iter_mut().for_each(|(_, chart)| chart.domain = Some(domain));
        let row: Vec<(&str, Drawing)> = row.iter().map(|(name, chart)| (*name, chart.draw())).collect();
        let (mut x, y) = (0.0, drawing.height);
        let tallest = row.iter().map(|(_, drawn)| drawn.height).fold(0.0, f64::max);
        for (name, drawn) in row {
            drawing.text("strong", (x, y + 8.0), Anchor::Start, name);
            // Plots of a row share a baseline, whatever the height of their legends.
            drawing.place((x, y + 22.0 + tallest - drawn.height), &drawn);
            x += drawn.width;
        }
        drawing.width = drawing.width.max(x);
        drawing.height = y + 22.0 + tallest;
    }
    Some(Metric { name: info.name, unit: info.unit, figure: of_metric(id, drawing), rows: rows(views, id) })
}

/// Returns one row per arm, agent and level that several studies measured. A row has all values and
/// their differences from the first value.
fn rows(views: &[ResultsView], metric: &str) -> Vec<BetweenStudies> {
    let arms: Vec<(Arm, &str)> =
        unique(views.iter().flat_map(|v| v.series.iter().map(|s| (s.arm, s.agent.as_str()))));
    let all: BTreeSet<Level> = views.iter().flat_map(|view| view.levels.iter().copied()).collect();
    let mut rows = Vec::new();
    for (arm, agent) in &arms {
        for at in &all {
            let value = |view: &ResultsView| {
                let series = view.series.iter().find(|s| s.arm == *arm && s.agent == *agent)?;
                Some(view.measure(metric, series, *at)?.estimate)
            };
            let values: Vec<Option<Estimate>> = views.iter().map(value).collect();
            let Some(first) = values.iter().position(Option::is_some) else { continue };
            let less = |(i, other): (usize, &Option<Estimate>)| {
                if i > first { Some(difference(&values[first]?, other.as_ref()?)) } else { None }
            };
            let differences: Vec<Option<Estimate>> = values.iter().enumerate().map(less).collect();
            if differences.iter().any(Option::is_some) {
                let arm = arm.to_string();
                let name = if arm == *agent { arm } else { format!("{arm} ({agent})") };
                rows.push(BetweenStudies { name, level: level_label(*at), values, differences });
            }
        }
    }
    rows
}

/// Returns the second estimate less the first. The estimates are taken as independent.
///
/// Intervals are combined by the MOVER method (Zou and Donner 2008). The lower end is
/// `difference - hypot(second - second_low, first_high - first)`, and the upper end is analogous.
fn difference(first: &Estimate, second: &Estimate) -> Estimate {
    let value = second.value - first.value;
    let ends = |of_first: [f64; 2], of_second: [f64; 2]| {
        let below = (second.value - of_second[0]).hypot(of_first[1] - first.value);
        let above = (of_second[1] - second.value).hypot(first.value - of_first[0]);
        [value - below, value + above]
    };
    let rule = first.rule.zip(second.rule).map(|(first, second)| ends(first, second));
    Estimate { value, agents: ends(first.agents, second.agents), rule }
}

/// Returns samples whose players differ in strength between studies: the 95 % intervals of their
/// scores against a fixed opponent do not overlap. A row has the sample, the opponent, and the
/// score in each study.
pub(super) fn unequal_strength(views: &[ResultsView]) -> Vec<(String, String, Vec<Option<Estimate>>)> {
    let samples = unique(views.iter().flat_map(ResultsView::measured_samples));
    let opponents =
        unique(views.iter().flat_map(ResultsView::opponents).filter(|opponent| itself(opponent).is_none()));
    let mut found = Vec::new();
    for sample in &samples {
        for opponent in &opponents {
            let score = |view: &ResultsView| Some(of_match(view.strength(sample, opponent)?.score()));
            let scores: Vec<Option<Estimate>> = views.iter().map(score).collect();
            let known = || scores.iter().flatten();
            let below = |one: &Estimate| known().any(|other| one.agents[1] < other.agents[0]);
            if known().any(below) {
                let name = format!("{} ({}), {}", sample.arm, sample.agent, level_words(level(sample)));
                found.push((name, (*opponent).to_owned(), scores));
            }
        }
    }
    found
}

/// Returns the entries of the provenance that differ between studies. Each has a name and one value
/// per study.
pub(super) fn unequal_provenance(views: &[ResultsView]) -> Vec<(String, Vec<String>)> {
    let told: Vec<BTreeMap<String, String>> =
        views.iter().map(|view| provenance(&view.results.provenance).into_iter().collect()).collect();
    let names: BTreeSet<&String> = told.iter().flat_map(BTreeMap::keys).collect();
    let values = |name: &&String| -> Vec<String> {
        told.iter().map(|of_study| of_study.get(*name).cloned().unwrap_or_default()).collect()
    };
    let all = names.into_iter().map(|name| (name.clone(), values(&name)));
    all.filter(|(_, values)| values.iter().any(|value| *value != values[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{other_study, study};

    /// Matches against itself at other numbers of simulations do not measure strength.
    #[test]
    fn only_other_opponents_show_unequal_strength() {
        let unequal = |opponent: &str| {
            let mut studies = [study(), other_study()];
            for strength in studies.iter_mut().flat_map(|study| &mut study.strengths) {
                strength.opponent = opponent.to_owned();
            }
            let views: Vec<ResultsView> = studies.iter().map(|study| ResultsView::new(study, &[])).collect();
            unequal_strength(&views).len()
        };
        assert!(unequal("alphabeta:2q") > 0);
        assert_eq!(["half", "x4", "x16"].map(unequal), [0, 0, 0]);
    }

    #[test]
    fn differences_of_symmetric_intervals_are_those_of_independent_errors() {
        let first = Estimate { value: 1.0, agents: [0.7, 1.3], rule: None };
        let second = Estimate { value: 3.0, agents: [2.6, 3.4], rule: Some([2.0, 4.0]) };
        let found = difference(&first, &second);
        // 3-4-5
        assert!((found.value - 2.0).abs() < 1e-12);
        assert!((found.agents[0] - 1.5).abs() < 1e-12 && (found.agents[1] - 2.5).abs() < 1e-12);
        assert_eq!(found.rule, None);
    }
}
