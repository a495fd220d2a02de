//! Figures of curves along an axis: openings, comebacks, calibration.

use super::chart::curves::{Curve, Curves, Panel};
use super::chart::scatter::{Point, Scatter};
use super::chart::{Key, Look};
use super::figures::{Figure, WHISKERS, slug};
use super::sections::section_of;
use super::view::{View, level, level_label, level_words};
use crate::results::{self, Estimate, FigureInfo, Unit};

/// More curves than this are told apart in a panel for each arm.
const IN_ONE_PANEL: usize = 4;

/// Each figure of the study that has curves, at the strongest level.
pub fn figures(view: &View) -> Vec<Figure> {
    let of_info = |info: &FigureInfo| {
        let all = view.results.curves.iter().filter(|c| c.figure == info.id && !c.points.is_empty());
        let all: Vec<&results::Curve> = all.collect();
        match all.iter().map(|curve| curve.points.len()).max()? {
            1 => Some(points(view, info, &all)),
            _ => Some(curves(view, info, &all)),
        }
    };
    view.results.figures.iter().filter_map(of_info).collect()
}

/// Shares are printed in per cent. A figure does not say its unit, but its values do.
fn unit_of(info: &FigureInfo, curves: &[&results::Curve]) -> Unit {
    let within = |estimate: &Estimate| estimate.agents.iter().all(|end| (0.0..=1.0).contains(end));
    let all = curves.iter().all(|curve| curve.points.iter().all(|(_, estimate)| within(estimate)));
    if all && !info.y.contains("nats") { Unit::Share } else { Unit::Ratio }
}

fn curves(view: &View, info: &FigureInfo, all: &[&results::Curve]) -> Figure {
    let alike = |curve: &results::Curve| {
        let series = curve.series.clone();
        all.iter().filter(move |other| other.series == series).map(|other| &other.sample)
    };
    let strongest = all.iter().filter(|curve| View::is_strongest(&curve.sample, alike(curve)));
    let mut chosen: Vec<(&super::view::Series, &results::Curve)> =
        strongest.filter_map(|curve| Some((view.series_of(&curve.sample)?, *curve))).collect();
    chosen.sort_by_key(|(series, _)| (series.look.index, series.look.hollow));
    let mut names: Vec<&str> = Vec::new();
    for (_, curve) in &chosen {
        if !names.contains(&curve.series.as_str()) && !is_reference(&curve.series) {
            names.push(&curve.series);
        }
    }
    let of_arms = |wanted: &dyn Fn(&str) -> bool| -> Vec<Curve> {
        let kept = chosen.iter().filter(|(series, _)| wanted(&series.arm));
        kept.map(|(series, curve)| {
            let parts = [series.label.as_str(), curve.series.as_str()];
            // A second series of the same arm has the same colour, but hollow marks.
            let second = names.iter().position(|name| *name == curve.series).is_some_and(|at| at > 0);
            Curve {
                look: Look { hollow: series.look.hollow || second, ..series.look },
                name: parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
                reference: is_reference(&curve.series),
                points: curve.points.clone(),
            }
        })
        .collect()
    };
    let panels = if chosen.len() <= IN_ONE_PANEL {
        vec![Panel { title: String::new(), curves: of_arms(&|_| true) }]
    } else {
        let control = view.control().unwrap_or_default();
        let mut arms: Vec<&str> = chosen.iter().map(|(series, _)| series.arm.as_str()).collect();
        arms.dedup();
        arms.retain(|arm| *arm != control || chosen.iter().all(|(series, _)| series.arm == control));
        let panel = |arm: &&str| Panel {
            title: (*arm).to_owned(),
            curves: of_arms(&|other| other == control || other == *arm),
        };
        arms.iter().map(panel).collect()
    };
    let unit = unit_of(info, all);
    let y = if unit == Unit::Share { format!("{} (%)", info.y) } else { info.y.clone() };
    let drawing = Curves { x: info.x.clone(), y, unit, panels }.draw();
    let levels = all.iter().map(|curve| level(&curve.sample));
    let shown = match levels.max() {
        Some(at) if all.iter().any(|curve| level(&curve.sample) != at) => {
            format!(" Shown at the strongest level ({}); metrics.json has the others.", level_words(at))
        }
        _ => String::new(),
    };
    Figure {
        id: slug(&format!("curve {}", info.id)),
        section: section_of(&format!("{} {}", info.id, info.title)),
        title: info.title.clone(),
        caption: format!(
            "{}{shown} Ribbons: 95 % intervals, dark for these agents, pale for the rule.",
            info.caption
        ),
        drawing,
    }
}

/// Curves of one point each: a point a sample, as one picture of all levels and checkpoints.
fn points(view: &View, info: &FigureInfo, curves: &[&results::Curve]) -> Figure {
    let mut keys: Vec<Key> = Vec::new();
    let mut points = Vec::new();
    for series in &view.series {
        let before = points.len();
        for curve in curves.iter().filter(|curve| view.series_of(&curve.sample) == Some(series)) {
            let name = format!("{}, {}", series.label, level_label(level(&curve.sample)));
            let of = |(x, y): &(f64, Estimate)| {
                let x = Estimate { value: *x, agents: [*x; 2], rule: None };
                Point { look: series.look, name: name.clone(), x, y: *y }
            };
            points.extend(curve.points.iter().map(of));
        }
        if points.len() > before {
            keys.push(Key::mark(series.look, &series.label));
        }
    }
    let (x, y) = (info.x.clone(), info.y.clone());
    let chart = Scatter { x, x_unit: Unit::Ratio, y, y_unit: Unit::Ratio, keys, points, lines: Vec::new() };
    Figure {
        id: slug(&format!("curve {}", info.id)),
        section: section_of(&format!("{} {}", info.id, info.title)),
        title: info.title.clone(),
        caption: format!("{} {WHISKERS}", info.caption),
        drawing: chart.draw(),
    }
}

/// Whether a series is what the others are held against.
fn is_reference(series: &str) -> bool {
    ["martingale", "uniform", "fair"].iter().any(|word| series.contains(word))
}
