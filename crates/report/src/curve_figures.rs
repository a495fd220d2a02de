//! Figures of curves: openings, comebacks, calibration and others.

use super::figure::{Figure, sentence, slug};
use super::view::{ResultsView, Series, level, level_label, level_words, unique};
use crate::results::{self, Estimate, FigureInfo, Unit};
use catapult_figures::chart::Key;
use catapult_figures::chart::curves::{Curve, Curves, Panel};
use catapult_figures::chart::scatter::{Point, Scatter};
use catapult_figures::svg::Drawing;
use catapult_measures::Arm;
use catapult_measures::metrics::FIGURES;

/// Maximum number of series in one panel. If there are more, each arm gets its own panels.
const IN_ONE_PANEL: usize = 4;

/// Returns one figure per kind of curve. Curves with several points are shown at the strongest
/// level only. Curves with one point each become a scatter plot.
pub(super) fn figures(view: &ResultsView) -> Vec<Figure> {
    let of_info = |info: &FigureInfo| {
        let all = view.results.curves.iter().filter(|c| c.figure == info.id && !c.points.is_empty());
        let all: Vec<&results::Curve> = all.collect();
        match all.iter().map(|curve| curve.points.len()).max()? {
            1 => Some(points(view, info, &all)),
            _ => Some(curves(view, info, &all)),
        }
    };
    FIGURES.iter().filter_map(of_info).collect()
}

/// A curve that is shown, with its series.
type Chosen<'v, 'r> = (&'v Series, &'r results::Curve);

fn curves(view: &ResultsView, info: &FigureInfo, all: &[&results::Curve]) -> Figure {
    let strongest = all.iter().filter(|curve| {
        let alike = all.iter().filter(|other| other.series == curve.series);
        view.is_strongest(&curve.sample, alike.map(|other| &other.sample))
    });
    let mut chosen: Vec<Chosen> =
        strongest.filter_map(|curve| Some((view.series_of(&curve.sample)?, *curve))).collect();
    chosen.sort_by_key(|(series, _)| series.look);
    let unit = info.unit;
    let y = if unit == Unit::Share { format!("{}\u{a0}(%)", info.y) } else { info.y.to_owned() };
    let drawing = Curves { x: info.x.to_owned(), y, unit, rows: rows(view, info, &chosen) }.draw();
    let levels = all.iter().map(|curve| level(&curve.sample));
    let shown = match levels.max() {
        Some(at) if all.iter().any(|curve| level(&curve.sample) != at) => {
            format!(" Shown at the strongest level ({}); metrics.json has the others.", level_words(at))
        }
        _ => String::new(),
    };
    let caption = format!(
        "{}{shown} Ribbons: 95 % intervals, dark for these networks, pale for other seeds of this recipe.",
        info.caption
    );
    figure(info, caption, drawing)
}

/// Returns the rows of panels in which curves are shown.
///
/// Each kind of curve, such as a score or a share of wins, has its own panel. If there are more
/// series than a panel holds, each arm has its own panels. Such a panel also shows the control, as
/// played by the same agent or by an agent whose marks have the same fill.
fn rows(view: &ResultsView, info: &FigureInfo, chosen: &[Chosen]) -> Vec<Vec<Panel>> {
    let of_series = |id: &str| info.series.iter().find(|series| series.id == id);
    let is_reference = |id: &str| of_series(id).is_some_and(|series| series.is_reference);
    let name = |id: &str| of_series(id).map_or_else(|| id.to_owned(), |series| series.name.to_owned());
    let kinds = chosen.iter().map(|(_, curve)| curve.series.as_str());
    let kinds = unique(kinds.filter(|kind| !is_reference(kind)));
    let panel = |kind: &str, title: String, wanted: &dyn Fn(&Series) -> bool| {
        let of_panel = chosen.iter().filter(|(series, curve)| {
            wanted(series) && (curve.series == kind || is_reference(&curve.series))
        });
        let curve = |(series, curve): &Chosen| {
            let reference = is_reference(&curve.series);
            let name = if reference { name(&curve.series) } else { series.label.clone() };
            Curve { look: series.look, name, reference, points: curve.points.clone() }
        };
        Panel { title, curves: of_panel.map(curve).collect() }
    };
    let mut shown: Vec<&Series> = chosen.iter().map(|(series, _)| *series).collect();
    shown.dedup();
    if shown.len() <= IN_ONE_PANEL {
        let title = |kind: &str| if kinds.len() > 1 { sentence(&name(kind)) } else { String::new() };
        let row: Vec<Panel> = kinds.iter().map(|kind| panel(kind, title(kind), &|_| true)).collect();
        return row.chunks(2).map(<[Panel]>::to_vec).collect();
    }
    let control = view.control();
    let mut arms: Vec<Arm> = shown.iter().map(|series| series.arm).collect();
    arms.dedup();
    if arms.len() > 1 {
        arms.retain(|arm| Some(*arm) != control);
    }
    let mut rows = Vec::new();
    for kind in &kinds {
        let of_arm = |arm: &Arm| {
            let beside = |series: &Series| {
                let alike = |other: &&Series| {
                    other.arm == *arm && (other.agent == series.agent || other.look.fill == series.look.fill)
                };
                series.arm == *arm
                    || Some(series.arm) == control && shown.iter().copied().any(|other| alike(&other))
            };
            let title =
                if kinds.len() > 1 { format!("{}: {arm}", sentence(&name(kind))) } else { arm.to_string() };
            panel(kind, title, &beside)
        };
        let panels: Vec<Panel> = arms.iter().map(of_arm).collect();
        rows.extend(panels.chunks(3).map(<[Panel]>::to_vec));
    }
    rows
}

/// Returns a scatter plot of curves with one point each, over all levels and checkpoints.
fn points(view: &ResultsView, info: &FigureInfo, curves: &[&results::Curve]) -> Figure {
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
            keys.push((Some(series.look), series.label.clone()));
        }
    }
    let (x, y) = (info.x.to_owned(), info.y.to_owned());
    let y_unit = info.unit;
    let chart = Scatter { x, x_unit: Unit::Ratio, y, y_unit, keys, points, lines: Vec::new() };
    figure(info, info.caption.to_owned(), chart.draw())
}

fn figure(info: &FigureInfo, caption: String, drawing: Drawing) -> Figure {
    let (id, title) = (slug(&format!("curve {}", info.id)), info.title.to_owned());
    Figure { id, chapter: Some(info.chapter), title, caption, drawing }
}
