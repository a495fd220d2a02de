//! Judgements in words.

use super::sides::Side;
use crate::report::format;
use crate::results::{Endpoint, Estimate, MetricInfo, Unit};
use crate::stats::{Difference, error_of};

/// What sentences about an endpoint need.
pub(super) struct Words<'a> {
    endpoint: &'a Endpoint,
    name: &'a str,
    unit: Unit,
}

impl<'a> Words<'a> {
    pub fn new(endpoint: &'a Endpoint, metrics: &'a [MetricInfo]) -> Words<'a> {
        let info = metrics.iter().find(|info| info.id == endpoint.metric);
        Words {
            endpoint,
            name: info.map_or(endpoint.metric.as_str(), |info| info.name),
            unit: info.map_or(Unit::Ratio, |info| info.unit),
        }
    }

    /// The difference at a level in a sentence.
    pub fn found(&self, side: &Side, difference: &Difference) -> String {
        let value = difference.estimate.value;
        let way = if value < 0.0 { "below" } else { "above" };
        format!(
            "At {} simulations a move, {}: {} is {} {way} {}.",
            side.arm.sample.simulations,
            self.name,
            self.endpoint.arm,
            self.amount(value.abs()),
            self.other(),
        )
    }

    pub fn not_measured(&self) -> String {
        format!("Not measured on {} and {}: {}.", self.endpoint.arm, self.other(), self.name)
    }

    pub fn too_few_networks(&self, found: &str, side: &Side) -> String {
        let networks = match side.networks() {
            1 => "one trained network".to_owned(),
            n => format!("{n} trained networks"),
        };
        format!("{found} With {networks} a side nobody knows how much another training would change that.")
    }

    pub fn more_networks(&self) -> String {
        "Networks of at least three training seeds on each side.".to_owned()
    }

    pub fn not_significant(&self, found: &str, p: f64, difference: &Difference) -> String {
        let smallest = self.endpoint.smallest_effect;
        let rule = difference.estimate.rule.unwrap_or(difference.estimate.agents);
        if rule.iter().all(|end| end.abs() < smallest) {
            let smallest = self.amount(smallest);
            return format!(
                "{found} If there is an effect, it is smaller than {smallest}, the smallest worth knowing."
            );
        }
        let [low, high] = rule.map(|end| self.signed(end));
        format!(
            "{found} Networks of other seeds might show anything from {low} to {high} (adjusted p {}).",
            format::probability(p)
        )
    }

    pub fn enough_networks(&self, needed: Option<usize>, difference: &Difference) -> String {
        let smallest = self.amount(self.endpoint.smallest_effect);
        let Some(needed) = needed else {
            return format!(
                "Stronger or more alike networks: no affordable number of these would show {smallest}."
            );
        };
        let games = match difference.spread {
            Some((error, _)) if error_of(difference.estimate.agents).powi(2) > error * error / 2.0 => {
                "; most of the uncertainty is from too few games, so more games a network would do as well"
            }
            _ => "",
        };
        format!(
            "Networks of {needed} training seeds on each side would find an effect of {smallest} four times in five, if \
             they differ as these do{games}."
        )
    }

    pub fn explained_by_strength(&self, found: &str, matched: &Estimate) -> String {
        let interval = match matched.rule {
            Some([low, high]) => {
                format!("({} to {} for other networks)", self.signed(low), self.signed(high))
            }
            None => "(for other networks nobody knows)".to_owned(),
        };
        format!(
            "{found} But between equally strong players it is {} {interval}: strength may explain it.",
            self.signed(matched.value)
        )
    }

    pub fn equal_strength(&self) -> String {
        "Networks of both sides that are equally strong, at the strongest level.".to_owned()
    }

    pub fn at_equal_strength(&self, matched: &Estimate) -> String {
        format!(" and between equally strong players ({})", self.signed(matched.value))
    }

    pub fn significant(&self, found: &str, p: f64, second: &Side, matched: &str) -> String {
        format!(
            "{found} Networks of other seeds would show the same (adjusted p {}), and the sign is the same at {} \
             simulations{matched}.",
            format::probability(p),
            second.arm.sample.simulations
        )
    }

    /// What the arm is held against.
    fn other(&self) -> String {
        match (self.endpoint.control, self.endpoint.against) {
            (Some(control), _) => control.to_string(),
            (None, value) => format::value(value.unwrap_or_default(), self.unit),
        }
    }

    /// The size of a difference with its unit.
    fn amount(&self, size: f64) -> String {
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
