//! Judgements in words.

use super::Place;
use super::condition::Condition;
use super::sides::{Comparison, Effect};
use crate::results::Endpoint;
use catapult_figures::format;
use catapult_measures::results::{Estimate, MetricInfo, Unit};
use catapult_stats::Difference;

/// What sentences about an endpoint need.
pub(super) struct Words<'a> {
    endpoint: &'a Endpoint,
    name: String,
    unit: Unit,
    /// Pairs of arms.
    pairs: usize,
    is_of_prior: bool,
    is_of_analysis: bool,
}

impl<'a> Words<'a> {
    pub(super) fn new(
        endpoint: &'a Endpoint,
        comparison: Option<&Comparison>,
        metrics: &[MetricInfo],
    ) -> Words<'a> {
        let info = |id: &str| metrics.iter().find(|info| info.id == id);
        let name = |id: &str| info(id).map_or_else(|| id.to_owned(), |info| info.name.to_owned());
        let minus = endpoint.minus.as_deref().map(|minus| format!(" less {}", name(minus)));
        Words {
            endpoint,
            name: name(&endpoint.metric) + &minus.unwrap_or_default(),
            unit: info(&endpoint.metric).map_or(Unit::Ratio, |info| info.unit),
            pairs: comparison.map_or(1, |comparison| comparison.pairs.len()),
            is_of_prior: comparison.is_some_and(Comparison::is_of_prior),
            is_of_analysis: comparison.is_some_and(Comparison::is_of_analysis),
        }
    }

    /// The effect in a sentence.
    pub(super) fn found(&self, effect: &Effect) -> String {
        let at = match self.endpoint.levels.as_slice() {
            _ if self.is_of_prior => "Asked without any search".to_owned(),
            _ if self.is_of_analysis => "At the end of training".to_owned(),
            [] | [_] => format!("At {} simulations a move", effect.simulations()),
            levels => format!("On average over {} simulations a move", list(levels)),
        };
        let value = effect.value();
        let way = if value < 0.0 { "below" } else { "above" };
        let pairs = match self.pairs {
            0 | 1 => String::new(),
            n => format!(", on average over {n} pairs of rule sets that differ like these"),
        };
        let (arm, amount, other) = (self.endpoint.arm, self.amount(value.abs()), self.other());
        format!("{at}, {}: {arm} is {amount} {way} {other}{pairs}.", self.name)
    }

    pub(super) fn not_measured(&self) -> String {
        format!("Not measured on {} and {}: {}.", self.endpoint.arm, self.other(), self.name)
    }

    pub(super) fn games_to_measure(&self) -> String {
        "Games in which it can be measured on both sides.".to_owned()
    }

    pub(super) fn by_construction(&self) -> String {
        "It asks for a fact about the rules, so it is told and is no test among the others.".to_owned()
    }

    pub(super) fn never_used(&self, unused: &str) -> String {
        let unused = unused.trim_end_matches('.');
        format!(
            "But a rule was never used, {unused}. Whatever differs comes from elsewhere and says nothing about it."
        )
    }

    pub(super) fn use_of_the_rule(&self) -> String {
        "Players that use the rule.".to_owned()
    }

    pub(super) fn too_few_networks(&self, networks: usize) -> String {
        let networks = match networks {
            1 => "one trained network".to_owned(),
            n => format!("{n} trained networks"),
        };
        format!("With {networks} a side nobody knows how much another training would change that.")
    }

    pub(super) fn more_networks(&self) -> String {
        "Networks of at least three training seeds on each side.".to_owned()
    }

    /// Where a rule that was never used keeps an effect from being tested.
    pub(super) fn not_tested(&self) -> String {
        "It was not tested.".to_owned()
    }

    /// What networks of other seeds would show; `level` is what the adjusted p-value must be below.
    pub(super) fn significance(&self, p: f64, level: f64, difference: &Difference) -> String {
        let kind = if self.endpoint.by_construction { "" } else { "adjusted " };
        let p_words = format!("{kind}p {}", format::probability(p));
        if p < level {
            return format!("That is more than the choice of networks by chance explains ({p_words}).");
        }
        if level <= 0.0 {
            return "Earlier looks at this study have left nothing of the level of significance to spend."
                .to_owned();
        }
        let [low, high] =
            difference.estimate.rule.unwrap_or(difference.estimate.agents).map(|end| self.signed(end));
        let left = match p < super::SIGNIFICANT {
            true => format!(
                ", where this look may only call what is below {} significant",
                format::probability(level)
            ),
            false => String::new(),
        };
        format!("Networks of other seeds might show anything from {low} to {high} ({p_words}{left}).")
    }

    /// A place where an effect must have its sign.
    pub(super) fn place(&self, place: Place) -> String {
        match place {
            Place::Level(level) => format!("at {level} simulations"),
            Place::LevelBelow => "at the level below".to_owned(),
            Place::Early => "at the earlier checkpoint".to_owned(),
        }
    }

    /// Whether the sign is the same at a place, and what would settle it if it is not.
    pub(super) fn sign(&self, place: &str, value: Option<f64>, passed: Option<bool>) -> (String, String) {
        match (value, passed) {
            (Some(value), Some(true)) => {
                (format!("The sign is the same {place} ({}).", self.signed(value)), String::new())
            }
            (Some(value), _) => (
                format!("But {place} the sign is another ({}).", self.signed(value)),
                "More games at each level, or stronger networks: the effect may depend on strength."
                    .to_owned(),
            ),
            (None, _) if self.is_of_analysis => (
                "No earlier checkpoint was measured, and a claim about networks must hold at two.".to_owned(),
                "An earlier checkpoint of the same networks (`early` of an agent).".to_owned(),
            ),
            (None, _) => (
                "Only one level of search was measured, and a claim must hold at two.".to_owned(),
                "The same games at a second level of search.".to_owned(),
            ),
        }
    }

    /// What the effect is with the arm at half or twice the simulations of its control.
    pub(super) fn budget(
        &self,
        times: &str,
        levels: &[(u32, u32)],
        value: Option<f64>,
        passed: Option<bool>,
    ) -> (String, String) {
        let arm = self.endpoint.arm;
        let Some(value) = value else {
            return (
                format!(
                    "Whether it would be there with {arm} at {times} the simulations of {} can't be said: no games \
                     were played so.",
                    self.other()
                ),
                format!("Games of both sides at levels of which one is {times} the other."),
            );
        };
        let pairs: Vec<String> =
            levels.iter().map(|(arm, control)| format!("{arm} against {control}")).collect();
        let (at, signed) = (list(&pairs), self.signed(value));
        if passed == Some(true) {
            return (format!("With {times} the simulations ({at}) it is {signed}."), String::new());
        }
        (
            format!(
                "But it depends on strength: with {arm} at {times} the simulations of {} ({at}) it is {signed}.",
                self.other()
            ),
            "Stronger networks, or more levels of search: strength may explain it.".to_owned(),
        )
    }

    pub(super) fn with_budget(&self, times: &str, value: Option<f64>) -> String {
        value
            .map(|value| format!("with {times} the simulations ({})", self.signed(value)))
            .unwrap_or_default()
    }

    pub(super) fn equal_strength(
        &self,
        matched: Result<Estimate, &String>,
        passed: Option<bool>,
    ) -> (String, String) {
        let matched = match matched {
            Ok(matched) => matched,
            Err(why) => {
                return (
                    format!("Whether it would be there between equally strong players can't be said: {why}."),
                    "Matches that tell the strength of networks of both sides, at levels where they are alike."
                        .to_owned(),
                );
            }
        };
        let interval = match matched.rule {
            Some([low, high]) => {
                format!("({} to {} for other networks)", self.signed(low), self.signed(high))
            }
            None => "(for other networks nobody knows)".to_owned(),
        };
        let value = self.signed(matched.value);
        if passed == Some(true) {
            return (format!("Between equally strong players it is {value} {interval}."), String::new());
        }
        (
            format!("But between equally strong players it is {value} {interval}: strength may explain it."),
            "Networks of both sides that are equally strong, at the strongest level.".to_owned(),
        )
    }

    pub(super) fn between_equals(&self, value: f64) -> String {
        format!("between equally strong players ({})", self.signed(value))
    }

    /// Why a claim is supported or contradicted.
    pub(super) fn all_hold(&self, found: &str, conditions: &[Condition]) -> String {
        let places: Vec<&str> =
            conditions.iter().map(|c| c.place.as_str()).filter(|place| !place.is_empty()).collect();
        let significance = conditions.first().map_or("", |condition| condition.gate.found.as_str());
        let same = if places.is_empty() {
            String::new()
        } else {
            format!(" The sign is the same {}.", list(&places))
        };
        format!("{found} {significance}{same}")
    }

    /// Why any effect is too small to matter.
    pub(super) fn equivalent(&self, found: &str, value: f64, is_significant: bool) -> String {
        let smallest = self.amount(self.endpoint.smallest_effect);
        let sign = match (is_significant, value < 0.0) {
            (false, _) => "",
            (true, true) => "; that it is below is significant",
            (true, false) => "; that it is above is significant",
        };
        format!(
            "{found} Its whole interval for networks of other seeds is smaller than {smallest}, the smallest worth \
             knowing{sign}."
        )
    }

    /// What the arm is held against.
    fn other(&self) -> String {
        match (self.endpoint.control, self.endpoint.against) {
            (Some(control), _) => control.to_string(),
            (None, value) => format::value(value.unwrap_or_default(), self.unit),
        }
    }

    /// The smallest effect worth knowing.
    pub(super) fn smallest_effect(&self) -> f64 {
        self.endpoint.smallest_effect
    }

    /// The size of a difference with its unit.
    pub(super) fn amount(&self, size: f64) -> String {
        match self.unit {
            Unit::Share => format!("{} percentage points", format::number(size, Unit::Share)),
            unit => format::value(size, unit),
        }
    }

    fn signed(&self, difference: f64) -> String {
        let sign = if difference < 0.0 { "−" } else { "+" };
        format!("{sign}{}", self.amount(difference.abs()))
    }
}

/// Things one after the other: `16, 64 and 128`.
fn list<T: ToString>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    match items.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} and {end}", rest.join(", ")),
        _ => items.concat(),
    }
}
