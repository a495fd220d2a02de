//! `metrics.csv`: one row per metric and sample, for pandas, R or a spreadsheet.
//!
//! | column | content |
//! |---|---|
//! | `study` | name of the study |
//! | `metric` | id of the metric |
//! | `unit` | `share` (0 to 1), `plies`, `nats`, `count`, `elo`, `pawns` or `ratio` |
//! | `arm`, `agent`, `checkpoint`, `simulations` | the sample (checkpoint: `early` or `last`) |
//! | `observations` | number of games or positions |
//! | `value` | the estimate |
//! | `agents_low`, `agents_high` | 95 % interval for these networks |
//! | `rule_low`, `rule_high` | 95 % interval for other seeds; empty with fewer than three seeds |
//! | `median` | median over games, if the metric is a number per game; else empty |
//!
//! `networks.csv` has one row per metric, sample and network, in the same order: `study`, `metric`,
//! the sample, and
//!
//! | column | content |
//! |---|---|
//! | `seed` | training seed |
//! | `value`, `error` | the metric of the network's games alone, and its standard error |
//! | `without` | the metric of all games except the network's; empty if it is the only network |
//!
//! Numbers have full precision, so they read back exactly. A number that is not finite is left
//! empty.

use super::view::{ResultsView, info};
use catapult_measures::data::SampleId;

/// Header line of `metrics.csv`.
pub const HEAD: &str = "study,metric,unit,arm,agent,checkpoint,simulations,observations,value,agents_low,agents_high,rule_low,rule_high,median";

/// Header line of `networks.csv`.
pub const NETWORKS_HEAD: &str = "study,metric,arm,agent,checkpoint,simulations,seed,value,error,without";

/// Returns the text of `networks.csv`: the contribution of each network to each measure.
pub fn networks(view: &ResultsView) -> String {
    let mut text = format!("{NETWORKS_HEAD}\n");
    for measure in &view.results.measures {
        for network in &measure.networks {
            let without = network.without.unwrap_or(f64::NAN);
            let mut cells = vec![field(&view.results.name), field(&measure.metric)];
            cells.extend(sample_fields(&measure.sample));
            cells.push(network.seed.to_string());
            cells.extend([network.value, network.error, without].map(number));
            text += &cells.join(",");
            text.push('\n');
        }
    }
    text
}

/// Returns the text of `metrics.csv`: all measures.
pub fn measures(view: &ResultsView) -> String {
    let mut text = format!("{HEAD}\n");
    for measure in &view.results.measures {
        let estimate = &measure.estimate;
        let rule = estimate.rule.unwrap_or([f64::NAN; 2]);
        // The name of the unit in `metrics.json`.
        let unit = serde_json::json!(info(&measure.metric).unit);
        let unit = unit.as_str().unwrap_or_default().to_owned();
        let mut cells = vec![field(&view.results.name), field(&measure.metric), unit];
        cells.extend(sample_fields(&measure.sample));
        cells.push(measure.observations.to_string());
        let median = measure.median.unwrap_or(f64::NAN);
        let numbers = [estimate.value].into_iter().chain(estimate.agents).chain(rule).chain([median]);
        cells.extend(numbers.map(number));
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

/// Returns the cells that identify a sample.
fn sample_fields(sample: &SampleId) -> [String; 4] {
    let SampleId { arm, agent, checkpoint, simulations } = sample;
    [field(&arm.to_string()), field(agent), checkpoint.to_string(), simulations.to_string()]
}

fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

/// Returns the text of a CSV cell. It is quoted if necessary (RFC 4180).
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!([0.1, f64::NAN].map(number), ["0.1", ""]);
    }
}
