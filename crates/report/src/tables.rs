//! Selection of a study's tables, in the order in which a report shows them.

use super::view::{ResultsView, level};
use crate::results::{RowNames, SampleTable};
use catapult_measures::data::SampleId;
use catapult_measures::games::GameInfo;
use catapult_measures::metrics;

/// Returns the tables with the id `table`, in the order of series and levels.
pub(super) fn tables<'a>(view: &ResultsView<'a>, table: &str) -> Vec<&'a SampleTable> {
    let mut tables: Vec<&SampleTable> = view.results.tables.iter().filter(|t| t.table == table).collect();
    tables.sort_by_key(|t| (view.series_of(&t.sample).map(|s| s.look), level(&t.sample)));
    tables
}

/// Returns the tables with the id `table` at the strongest level of each arm and agent.
pub(super) fn strongest_tables<'a>(view: &ResultsView<'a>, table: &str) -> Vec<&'a SampleTable> {
    let mut tables = tables(view, table);
    let samples: Vec<&SampleId> = tables.iter().map(|t| &t.sample).collect();
    tables.retain(|t| view.is_strongest(&t.sample, samples.iter().copied()));
    tables
}

/// Returns the ids and names of the rows that any of these tables has, in the order of first
/// occurrence.
pub(super) fn rows(tables: &[&SampleTable]) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for (table, (id, _)) in tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row))) {
        if rows.iter().all(|(known, _)| known != id) {
            rows.push((id.clone(), row_name(table, id)));
        }
    }
    rows
}

/// Returns the name of the row with this id. If the id has no name, it is returned itself.
fn row_name(table: &SampleTable, id: &str) -> String {
    let named = match metrics::table(&table.table).map(|info| info.rows) {
        Some(RowNames::Named(names)) => names.iter().find(|(known, _)| *known == id).map(|(_, name)| *name),
        Some(RowNames::Metrics) => metrics::metric(id).map(|info| info.name),
        Some(RowNames::Terms) => {
            let terms = GameInfo::of(table.sample.arm.rules).terms;
            terms.into_iter().find(|term| term.id() == id).map(|term| term.name)
        }
        Some(RowNames::Verbatim) | None => None,
    };
    named.unwrap_or(id).to_owned()
}
