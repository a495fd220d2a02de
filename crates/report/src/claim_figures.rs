//! Figure of a claim. It is a forest plot with one row per network if each network has an effect of
//! its own. Otherwise it shows the values of the arm and of its control, and their difference.

use super::claims::{at_levels, judged};
use super::figure::{Figure, WHISKERS, axis, sentence, slug};
use super::view::{ResultsView, info, level, level_label, name_of};
use super::words::{other, title};
use crate::results::{Contrast, Direction, Endpoint, Estimate, Judgement, NetworkValue, SeedEffect};
use catapult_figures::chart::forest::{Forest, Kind, Row};
use catapult_figures::chart::sides::{Column, Side, Sides};
use catapult_figures::format;
use catapult_measures::data::SampleId;
use catapult_stats::Z95;

/// Returns the figure of a claim. `None` if nothing was measured.
pub(super) fn figure(view: &ResultsView, judgement: &Judgement) -> Option<Figure> {
    let endpoint = &judgement.endpoint;
    let (drawing, said) = match (judgement.seeds.is_empty(), endpoint.against) {
        (true, _) => (sides(view, judgement)?.draw(), UNPAIRED),
        (false, None) => (forest(view, judgement).draw(), PAIRED),
        (false, Some(_)) => (forest(view, judgement).draw(), FIXED),
    };
    let way = match endpoint.direction {
        Direction::Lower => "below 0",
        Direction::Higher => "above 0",
    };
    Some(Figure {
        id: slug(&format!("claim {} {}", endpoint.claim, endpoint.arm)),
        chapter: None,
        title: title(endpoint),
        caption: format!(
            "{said} The claim says that the difference is {way}; in the pale band it would be too small to matter. {WHISKERS}{}",
            measure(&endpoint.metric)
        ),
        drawing,
    })
}

/// Returns the name and the definition of a metric as a sentence. Empty if the metric is unknown.
fn measure(metric: &str) -> String {
    let definition = info(metric).definition;
    if definition.is_empty() {
        String::new()
    } else {
        format!(" {}: {definition}", sentence(&name_of(metric)))
    }
}

const PAIRED: &str = "Each disc is one network that played both rule sets. The diamond is the mean with the \
                      interval for other seeds. Squares are single search levels, and the same levels with \
                      more and with fewer simulations.";
const FIXED: &str = "Each disc is one network, minus the fixed value. The diamond is their mean with the \
                     interval for other seeds. Squares are single search levels.";
const UNPAIRED: &str = "Above, both sides at each search level: pale discs are single networks, marks are all of them together. \
                        Below, the difference.";

/// Returns the label of the axis that shows differences, with its unit.
fn difference_axis(endpoint: &Endpoint) -> String {
    let unit = match format::difference_unit(info(&endpoint.metric).unit) {
        "" => String::new(),
        "pp" => " (percentage\u{a0}points)".to_owned(),
        unit => format!(" ({unit})"),
    };
    format!("{} less {}{unit}", endpoint.arm, other(endpoint))
}

fn forest(view: &ResultsView, judgement: &Judgement) -> Forest {
    let endpoint = &judgement.endpoint;
    let row = |kind, name: String, estimate| Row { kind, name, estimate };
    let network = |seed: &SeedEffect| {
        let agents = [seed.value - Z95 * seed.error, seed.value + Z95 * seed.error];
        row(
            Kind::Network,
            format!("network {}", seed.seed),
            Estimate { value: seed.value, agents, rule: None },
        )
    };
    let mut networks: Vec<Row> = judgement.seeds.iter().map(network).collect();
    networks.extend(judged(judgement).map(|mean| row(Kind::Mean, "mean".to_owned(), mean.difference)));
    let beside = |name: String, contrast: &Contrast| row(Kind::Beside, name, contrast.difference);
    let levels = judgement.levels.iter().map(|c| beside(level_label(level(&c.arm)), c)).collect();
    let simulations = |contrast: &Contrast| {
        let control = contrast.control.as_ref().map_or(0, |control| control.simulations);
        format!("{} against {control}", contrast.arm.simulations)
    };
    let others = judgement.sensitivity.iter().map(|c| beside(simulations(c), c)).collect();
    let inside = if endpoint.against.is_some() { "network by network" } else { "inside each network" };
    let head = format!("{}, {inside}", sentence(&at_levels(judgement)));
    let groups = [
        (head, networks),
        ("Each level (simulations per move)".to_owned(), levels),
        ("The arm with other simulations than its control".to_owned(), others),
    ];
    Forest {
        axis: format!("{}: {}", name_of(&endpoint.metric), difference_axis(endpoint)),
        unit: info(&endpoint.metric).unit,
        color: view.look(endpoint.arm).color(),
        smallest: endpoint.smallest_effect.abs(),
        groups: groups.into_iter().filter(|(_, rows): &(String, Vec<Row>)| !rows.is_empty()).collect(),
    }
}

fn sides(view: &ResultsView, judgement: &Judgement) -> Option<Sides> {
    let endpoint = &judgement.endpoint;
    let unit = info(&endpoint.metric).unit;
    let mut columns: Vec<Column> = Vec::new();
    for contrast in &judgement.levels {
        let of = |sample: &SampleId| side(view, judgement, sample);
        columns.push(Column {
            label: level_label(level(&contrast.arm)),
            sides: [of(&contrast.arm), contrast.control.as_ref().and_then(of)],
            difference: contrast.difference,
            corrected: false,
        });
    }
    if let Some(matched) = judgement.matched {
        let label = "equal strength".to_owned();
        columns.push(Column { label, sides: [None, None], difference: matched, corrected: true });
    }
    let arms = std::iter::once(endpoint.arm).chain(endpoint.control);
    (!columns.is_empty()).then(|| Sides {
        axes: [axis(&name_of(&endpoint.metric), unit), difference_axis(endpoint)],
        unit,
        keys: arms.map(|arm| (view.look(arm), arm.to_string())).collect(),
        fixed: endpoint.against,
        smallest: endpoint.smallest_effect.abs(),
        columns,
    })
}

/// Returns a sample's value of the claim's metric and the values of the sample's networks. `None`
/// if the metric was not measured.
fn side(view: &ResultsView, judgement: &Judgement, sample: &SampleId) -> Option<Side> {
    let metric = &judgement.endpoint.metric;
    let found = view.measure(metric, view.series_of(sample)?, level(sample))?;
    let unit = info(metric).unit;
    let network = |network: &NetworkValue| {
        let tip = format!("network {}: {}", network.seed, format::value(network.value, unit));
        (network.value, tip)
    };
    Some(Side { estimate: found.estimate, networks: found.networks.iter().map(network).collect() })
}
