//! Tables of samples. Tables of one kind are joined, so that arms can be compared.

use super::parts::text;
use crate::results::{Chapter, Estimate, RowNames, SampleTable, TableInfo, Unit};
use crate::view::{Level, ResultsView, level, level_words};
use crate::warnings;
use catapult_figures::format;
use catapult_measures::Arm;
use catapult_measures::games::{GameInfo, term_id};
use catapult_measures::metrics::{TABLES, metric};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Maximum number of rows of joined tables that are shown as one table. This table has one group
/// per row, with the arms below each other.
const MANY: usize = 12;

/// Returns the tables of a chapter at the strongest levels. `None` if there are none. Other levels
/// would make the page too long.
pub(super) fn of_chapter(view: &ResultsView, chapter: Chapter) -> Option<Markup> {
    let is_found = |info: &&TableInfo| view.results.tables.iter().any(|table| table.table == info.id);
    let infos: Vec<&TableInfo> =
        TABLES.iter().filter(|info| info.chapter == chapter).filter(is_found).collect();
    (!infos.is_empty()).then(|| html! { @for info in infos { (subject(view, info)) } })
}

fn subject(view: &ResultsView, info: &TableInfo) -> Markup {
    let mut all: Vec<&SampleTable> = view.results.tables.iter().filter(|t| t.table == info.id).collect();
    all.sort_by_key(|t| (view.series_of(&t.sample).map(|series| series.look), level(&t.sample)));
    let is_strongest = |t: &&SampleTable| view.is_strongest(&t.sample, all.iter().map(|other| &other.sample));
    let strongest: Vec<&SampleTable> = all.iter().copied().filter(is_strongest).collect();
    html! {
        details open="open" {
            summary { (info.title) " as a table" }
            (side_by_side(view, info, &strongest))
            @if strongest.len() < all.len() {
                p.small.dim { "metrics.json has the same at the other levels." }
            }
        }
    }
}

/// Joins the tables of one kind. With up to [`MANY`] rows, it is one table with the arms below each
/// other. With more, it is one table per column with the arms side by side.
fn side_by_side(view: &ResultsView, info: &TableInfo, tables: &[&SampleTable]) -> Markup {
    let at: BTreeSet<Level> = tables.iter().map(|table| level(&table.sample)).collect();
    let one = at.len() == 1;
    // If levels differ, the name contains the level.
    let joined = Joined {
        names: tables
            .iter()
            .map(|table| match view.series_of(&table.sample) {
                Some(series) if one => series.label.clone(),
                _ => view.words(&table.sample),
            })
            .collect(),
        tables,
        rows: rows(info, tables),
        columns: info.columns.iter().copied().enumerate().filter(|(at, _)| is_filled(tables, *at)).collect(),
        note: info.note,
    };
    html! {
        @if let (true, Some(at)) = (one, at.first()) { p.small { b { (level_words(*at)) } } }
        @if joined.rows.is_empty() || joined.columns.is_empty() { p.dim { "None occurred." } }
        @else if tables.len() == 1 { (joined.alone()) }
        @else if joined.rows.len() <= MANY { (joined.grouped()) }
        @else { (joined.arms_beside()) }
        (joined.notes())
    }
}

/// Returns the ids and names of the rows that any of these tables has, in the order of first
/// occurrence.
fn rows(info: &TableInfo, tables: &[&SampleTable]) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for table in tables {
        for (id, _) in &table.rows {
            if rows.iter().all(|(known, _)| known != id) {
                rows.push((id.clone(), row_name(info.rows, table.sample.arm, id)));
            }
        }
    }
    rows
}

/// Returns the name of the row with this id. If the id has no name, it is returned itself.
fn row_name(names: RowNames, arm: Arm, id: &str) -> String {
    let named = match names {
        RowNames::Named(names) => names.iter().find(|(known, _)| *known == id).map(|(_, name)| *name),
        RowNames::Metrics => metric(id).map(|info| info.name),
        RowNames::Terms => GameInfo::of(arm.rules).terms.into_iter().find(|term| term_id(term) == id),
        RowNames::Verbatim => None,
    };
    named.unwrap_or(id).to_owned()
}

/// Returns true if any table has a value in the column with this index.
fn is_filled(tables: &[&SampleTable], column: usize) -> bool {
    let mut cells = tables.iter().flat_map(|table| &table.rows).map(|(_, cells)| cells.get(column));
    cells.any(|cell| cell.is_some_and(Option::is_some))
}

/// Heading and unit of a column.
type Column = (&'static str, Unit);

/// Tables of one kind that are joined.
struct Joined<'a> {
    /// Name of the arm of each table, with its level if levels differ.
    names: Vec<String>,
    tables: &'a [&'a SampleTable],
    /// Ids and names of the rows that any table has.
    rows: Vec<(String, String)>,
    /// Columns that have a value in any table, with their indices.
    columns: Vec<(usize, Column)>,
    /// Notes that apply to all tables.
    note: &'static [&'static str],
}

impl Joined<'_> {
    /// Returns the only table, with its rows and columns.
    fn alone(&self) -> Markup {
        html! {
            div.scroll tabindex="0" { table {
                tr { th { (text(&self.names[0])) } @for (_, column) in &self.columns { th { (head(column)) } } }
                @for (row, name) in &self.rows {
                    tr { td { (text(name)) } (self.cells(self.tables[0], row)) }
                }
            } }
        }
    }

    /// Returns the cells of the row with id `row` of a table.
    fn cells(&self, table: &SampleTable, row: &str) -> Markup {
        html! { @for (at, column) in &self.columns { td { (cell(table, row, *at, *column)) } } }
    }

    /// Returns one table with one group per row of the original tables. Each group has one row per
    /// arm.
    fn grouped(&self) -> Markup {
        html! {
            div.scroll tabindex="0" { table {
                tr { th { "" } @for (_, column) in &self.columns { th { (head(column)) } } }
                @for (row, name) in &self.rows {
                    tr { th colspan=(self.columns.len() + 1) { (text(name)) } }
                    @for (name, table) in self.names.iter().zip(self.tables) {
                        @if table.rows.iter().any(|(other, _)| other == row) {
                            tr { td.inner { (text(name)) } (self.cells(table, row)) }
                        }
                    }
                }
            } }
        }
    }

    /// Returns one table per column, with the arms as columns. Rows are sorted by their greatest
    /// value in the first column over all arms, greatest first.
    fn arms_beside(&self) -> Markup {
        let mut rows = self.rows.clone();
        let greatest = |(row, _): &(String, String)| {
            let values = self.tables.iter().filter_map(|table| found(table, row, self.columns[0].0));
            values.map(|estimate| estimate.value).fold(f64::NEG_INFINITY, f64::max)
        };
        rows.sort_by(|a, b| greatest(b).total_cmp(&greatest(a)));
        html! {
            @for (i, (at, column)) in self.columns.iter().enumerate() {
                details open=[(i == 0).then_some("open")] {
                    summary { (head(column)) }
                    div.scroll tabindex="0" { table {
                        tr { th { "" } @for name in &self.names { th.head { (text(&name.replace('+', "+\u{200b}"))) } } }
                        @for (row, name) in &rows {
                            tr { td { (text(name)) } @for table in self.tables { td { (cell(table, row, *at, *column)) } } }
                        }
                    } }
                }
            }
            p.small.dim { "A dash: too rare under those rules to be measured, or impossible." }
        }
    }

    /// Returns the notes below the tables. A note names its arms unless it applies to all arms.
    fn notes(&self) -> Markup {
        let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
        for (name, table) in self.names.iter().zip(self.tables) {
            let note = table.notes.iter().filter_map(warnings::note).collect::<Vec<_>>().join(" ");
            if note.is_empty() {
                continue;
            }
            match notes.iter_mut().find(|(known, _)| *known == note) {
                Some((_, names)) => names.push(name),
                None => notes.push((note, vec![name])),
            }
        }
        html! {
            @for note in self.note { p.small.dim { (note) } }
            @for (note, names) in &notes {
                p.small.dim {
                    @if names.len() < self.tables.len() { b { (text(&names.join(", "))) } ": " }
                    (text(note))
                }
            }
        }
    }
}

fn head((name, unit): &Column) -> Markup {
    let unit = format::unit_name(*unit);
    html! { (name) @if !unit.is_empty() { " (" (unit) ")" } }
}

fn found(table: &SampleTable, row: &str, column: usize) -> Option<Estimate> {
    let (_, cells) = table.rows.iter().find(|(id, _)| id == row)?;
    cells.get(column).copied().flatten()
}

fn cell(table: &SampleTable, row: &str, at: usize, column: Column) -> Markup {
    html! {
        @match found(table, row, at) {
            Some(estimate) => {
                (format::number(estimate.value, column.1))
                // An interval without width is not shown.
                @if estimate.agents[0] < estimate.agents[1] {
                    small { (format::interval(estimate.agents, column.1)) }
                }
            }
            None => { "–" }
        }
    }
}
