//! Figures of a report, and wording that all figures share.

use super::view::{self, Level, ResultsView, level_label};
use crate::results::{Chapter, Estimate, Unit};
use catapult_figures::chart::levels::{Column, Levels, Series};
use catapult_figures::svg::Drawing;
use catapult_measures::data::Checkpoint;

/// A drawn figure with its texts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Figure {
    /// File name of the figure without its extension.
    pub id: String,
    /// Chapter that shows the figure. `None` for a figure outside the chapters, such as a claim's.
    pub chapter: Option<Chapter>,
    /// Title of the figure.
    pub title: String,
    /// Explanation of the figure and its method.
    pub caption: String,
    /// The drawing without title and caption.
    pub drawing: Drawing,
}

/// Explanation of the error bars ("whiskers") in figures. Pages print it below each claim and once
/// above the chapters.
pub(crate) const WHISKERS: &str = "Whiskers: 95 % intervals, thick for these networks, thin for other seeds of this recipe (none with fewer than three training \
     seeds). An arrow: the interval continues.";

/// Returns a name for files and HTML ids: lowercase ASCII letters, digits and hyphens. Only the
/// first twelve words are used.
pub(crate) fn slug(name: &str) -> String {
    let text: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    text.split('-').filter(|part| !part.is_empty()).take(12).collect::<Vec<_>>().join("-")
}

/// Returns the label of an axis: name and unit.
pub(crate) fn axis(name: &str, unit: Unit) -> String {
    let unit = catapult_figures::format::unit_name(unit);
    if unit.is_empty() || name.contains(unit) { name.to_owned() } else { format!("{name}\u{a0}({unit})") }
}

/// Draws a chart over search levels. `axis`, `unit` and `baseline` belong to the vertical axis.
/// `point` returns the estimate of a series at a level, and true if the page warns against it.
/// `None` if there is no estimate.
pub(crate) fn chart(
    view: &ResultsView,
    levels: &[Level],
    axis: String,
    unit: Unit,
    baseline: Option<f64>,
    point: impl Fn(&view::Series, Level) -> Option<(Estimate, bool)>,
) -> Option<Drawing> {
    let of_series = |series: &view::Series| Series {
        look: series.look,
        name: series.label.clone(),
        points: levels.iter().map(|at| point(series, *at)).collect(),
    };
    let mut series: Vec<Series> = view.series.iter().map(of_series).collect();
    series.retain(|series| series.points.iter().any(Option::is_some));
    let column = |at: &Level| Column { label: level_label(*at), joined: at.0 == Checkpoint::Last };
    let columns = levels.iter().map(column).collect();
    (!series.is_empty()).then(|| Levels { axis, unit, columns, series, baseline }.draw())
}

/// Returns a text with its first letter capitalised.
pub(crate) fn sentence(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
