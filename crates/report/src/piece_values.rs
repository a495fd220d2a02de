//! Figure of piece values, with one dot per piece, arm and agent.

use super::figure::Figure;
use super::tables::{rows, strongest_tables};
use super::view::{PIECE_VALUES, ResultsView, level, level_words};
use crate::results::{Chapter, SampleTable, Unit};
use catapult_figures::chart::dots::{Dot, Dots};
use catapult_figures::chart::{Key, legend};
use catapult_figures::svg::Drawing;

/// Returns the figure of piece values at the strongest levels. `None` if no value was measured.
pub(super) fn figure(view: &ResultsView) -> Option<Figure> {
    let tables = strongest_tables(view, PIECE_VALUES);
    let series = tables.iter().filter_map(|table| view.series_of(&table.sample));
    let keys: Vec<Key> = series.map(|series| Key::mark(series.look, &series.label)).collect();
    let dots = |piece: &String| -> Vec<Dot> {
        let dot = |table: &&SampleTable| {
            let series = view.series_of(&table.sample)?;
            let (_, cells) = table.rows.iter().find(|(name, _)| name == piece)?;
            let estimate = cells.first().copied().flatten().filter(|e| e.value.is_finite())?;
            Some(Dot { look: series.look, name: String::new(), estimate, doubted: !table.notes.is_empty() })
        };
        tables.iter().filter_map(dot).collect()
    };
    let rows = rows(&tables).into_iter().map(|(piece, name)| (name, dots(&piece)));
    let groups: Vec<(String, Vec<Dot>)> = rows.filter(|(_, dots)| !dots.is_empty()).collect();
    if groups.is_empty() {
        return None;
    }
    let (axis, width) = ("worth in pawns".to_owned(), 760.0);
    let chart = Dots {
        axis,
        unit: Unit::Pawns,
        differences: false,
        zero: Some(0.0),
        band: None,
        numbers: false,
        groups,
        width,
    };
    let (legend, dots) = (legend(&keys, width), chart.draw());
    let mut drawing = Drawing::new(width, legend.height + dots.height + 4.0);
    drawing.place((0.0, 0.0), &legend);
    drawing.place((0.0, legend.height + 4.0), &dots);
    let at = level_words(level(&tables.first()?.sample));
    let noted = tables.iter().filter(|table| !table.notes.is_empty());
    let noted: Vec<&str> =
        noted.filter_map(|table| Some(view.series_of(&table.sample)?.label.as_str())).collect();
    let doubts = match noted.as_slice() {
        [] => String::new(),
        noted => format!(
            "Not to be relied on, for the reasons that stand below the table: the values of {}.{}",
            noted.join(", "),
            if noted.len() < tables.len() { " They do not set the axis." } else { "" }
        ),
    };
    let caption =
        format!("What each piece is worth in pawns, fitted from results at {at} (tanh regression). {doubts}");
    Some(Figure {
        id: "piece-values".to_owned(),
        chapter: Some(Chapter::Values),
        title: "Piece values".to_owned(),
        caption: caption.trim().to_owned(),
        drawing,
    })
}
