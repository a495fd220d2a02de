//! Tables with the arms side by side: a table a subject and level.

use super::parts::text;
use crate::results::{Chapter, Estimate, SampleTable, Unit};
use crate::tables::{row_names, strongest_tables, tables};
use crate::view::{Level, ResultsView, level, level_words};
use catapult_figures::format;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// A table of more columns than this is not read at one glance.
const WIDE: usize = 6;

/// More rows than this are not taken in as groups.
const MANY: usize = 12;

/// Tables that only repeat what is drawn above them need not be read at once.
const DRAWN: [&str; 2] = ["piece-values", "endings"];

/// Tables of a chapter at the strongest levels: a page of all levels would be read by nobody.
pub(super) fn of_chapter(view: &ResultsView, chapter: Chapter) -> Option<Markup> {
    let mut names: Vec<&str> = Vec::new();
    for table in &view.results.tables {
        if table.chapter == chapter && !names.contains(&table.table.as_str()) {
            names.push(&table.table);
        }
    }
    if names.is_empty() {
        return None;
    }
    Some(html! { @for name in names { (subject(view, name)) } })
}

fn subject(view: &ResultsView, name: &str) -> Markup {
    let strongest = strongest_tables(view, name);
    html! {
        details open=[(!DRAWN.contains(&name)).then_some("open")] {
            summary { (text(strongest.first().map_or("", |table| &table.title))) " as a table" }
            (side_by_side(view, &strongest))
            @if strongest.len() < tables(view, name).len() {
                p.small.dim { "metrics.json has the same at the other levels." }
            }
        }
    }
}

/// Tables of one subject as one: arms below each other where their rows fit beside each other, else beside each other.
fn side_by_side(view: &ResultsView, tables: &[&SampleTable]) -> Markup {
    let at: BTreeSet<Level> = tables.iter().map(|table| level(&table.sample)).collect();
    let one = at.len() == 1;
    // What differs between the tables stands with the arm.
    let joined = Joined {
        names: tables
            .iter()
            .map(|table| match view.series_of(&table.sample) {
                Some(series) if one => series.label.clone(),
                _ => view.words(&table.sample),
            })
            .collect(),
        tables,
        rows: row_names(tables),
        columns: columns(tables),
    };
    html! {
        @if let (true, Some(at)) = (one, at.first()) { p.small { b { (level_words(*at)) } } }
        @if joined.rows.is_empty() { p.dim { "Nothing of it happened." } }
        @else if tables.len() == 1 { (joined.alone()) }
        @else if joined.rows.len() * joined.columns.len() <= WIDE { (joined.arms_below()) }
        @else if joined.rows.len() <= MANY { (joined.grouped()) }
        @else { (joined.arms_beside()) }
        (joined.notes())
    }
}

/// A column of the single tables: its head and its unit.
type Column = (String, Unit);

fn columns(tables: &[&SampleTable]) -> Vec<Column> {
    let mut all: Vec<Column> = Vec::new();
    for column in tables.iter().flat_map(|table| &table.columns) {
        if !all.contains(column) {
            all.push(column.clone());
        }
    }
    all
}

/// The tables of one subject.
struct Joined<'a> {
    /// The arm of each.
    names: Vec<String>,
    tables: &'a [&'a SampleTable],
    rows: Vec<String>,
    columns: Vec<Column>,
}

impl Joined<'_> {
    /// The table of a single arm.
    fn alone(&self) -> Markup {
        html! {
            @for (name, table) in self.names.iter().zip(self.tables) {
                div.scroll tabindex="0" { table {
                    tr { th { (text(name)) } @for column in &self.columns { th { (head(column)) } } }
                    @for row in &self.rows {
                        tr { td { (text(row)) } @for column in &self.columns { td { (cell(table, row, column)) } } }
                    }
                } }
            }
        }
    }

    /// A row an arm, a column for each of the single tables' cells.
    fn arms_below(&self) -> Markup {
        let single = self.columns.len() == 1;
        html! {
            div.scroll tabindex="0" { table {
                tr {
                    th { "" }
                    @for row in &self.rows {
                        th.head colspan=(self.columns.len()) {
                            (text(row))
                            @if single { (unit(&self.columns[0])) }
                        }
                    }
                }
                @if !single {
                    tr { th { "" } @for _ in &self.rows { @for column in &self.columns { th { (head(column)) } } } }
                }
                @for (name, table) in self.names.iter().zip(self.tables) {
                    tr {
                        td { (text(name)) }
                        @for row in &self.rows { @for column in &self.columns { td { (cell(table, row, column)) } } }
                    }
                }
            } }
        }
    }

    /// A group for each row of the single tables, in it a row an arm.
    fn grouped(&self) -> Markup {
        html! {
            div.scroll tabindex="0" { table {
                tr { th { "" } @for column in &self.columns { th { (head(column)) } } }
                @for row in &self.rows {
                    tr { th colspan=(self.columns.len() + 1) { (text(row)) } }
                    @for (name, table) in self.names.iter().zip(self.tables) {
                        @if table.rows.iter().any(|(other, _)| other == row) {
                            tr {
                                td.inner { (text(name)) }
                                @for column in &self.columns { td { (cell(table, row, column)) } }
                            }
                        }
                    }
                }
            } }
        }
    }

    /// A table a column, with the arms as its columns; what is greatest anywhere stands first.
    fn arms_beside(&self) -> Markup {
        let mut rows = self.rows.clone();
        let greatest = |row: &String| {
            let values = self.tables.iter().filter_map(|table| found(table, row, &self.columns[0]));
            values.map(|estimate| estimate.value).fold(f64::NEG_INFINITY, f64::max)
        };
        rows.sort_by(|a, b| greatest(b).total_cmp(&greatest(a)));
        html! {
            @for (i, column) in self.columns.iter().enumerate() {
                details open=[(i == 0).then_some("open")] {
                    summary { (head(column)) }
                    div.scroll tabindex="0" { table {
                        tr { th { "" } @for name in &self.names { th.head { (text(&name.replace('+', "+\u{200b}"))) } } }
                        @for row in &rows {
                            tr { td { (text(row)) } @for table in self.tables { td { (cell(table, row, column)) } } }
                        }
                    } }
                }
            }
            p.small.dim { "A dash: too rare under those rules to be told, or impossible." }
        }
    }

    /// What is said below the tables, with the arms it is said of unless it is all.
    fn notes(&self) -> Markup {
        let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
        for (name, table) in self.names.iter().zip(self.tables) {
            let Some(note) = &table.note else { continue };
            match notes.iter_mut().find(|(known, _)| known == note) {
                Some((_, names)) => names.push(name),
                None => notes.push((note, vec![name])),
            }
        }
        html! {
            @for (note, names) in &notes {
                p.small.dim {
                    @if names.len() < self.tables.len() { b { (text(&names.join(", "))) } ": " }
                    (text(note))
                }
            }
        }
    }
}

fn head(column: &Column) -> Markup {
    html! { (text(&column.0)) (unit(column)) }
}

fn unit((_, unit): &Column) -> Markup {
    let name = format::unit_name(*unit);
    html! { @if !name.is_empty() { " (" (name) ")" } }
}

fn found(table: &SampleTable, row: &str, column: &Column) -> Option<Estimate> {
    let at = table.columns.iter().position(|other| other == column)?;
    let (_, cells) = table.rows.iter().find(|(name, _)| name == row)?;
    cells.get(at).copied().flatten()
}

fn cell(table: &SampleTable, row: &str, column: &Column) -> Markup {
    html! {
        @match found(table, row, column) {
            Some(estimate) => {
                (format::number(estimate.value, column.1))
                // A count has no interval of its own.
                @if estimate.agents[0] < estimate.agents[1] {
                    small { (format::interval(estimate.agents, column.1)) }
                }
            }
            None => { "–" }
        }
    }
}
