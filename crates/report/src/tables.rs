//! The tables of a study, in the order in which they are read.

use super::view::{ResultsView, level};
use crate::results::SampleTable;
use catapult_measures::data::SampleId;

/// The tables of a name, in the order of series and levels.
pub(super) fn tables<'a>(view: &ResultsView<'a>, table: &str) -> Vec<&'a SampleTable> {
    let mut tables: Vec<&SampleTable> = view.results.tables.iter().filter(|t| t.table == table).collect();
    tables.sort_by_key(|t| (view.series_of(&t.sample).map(|s| s.look), level(&t.sample)));
    tables
}

/// The tables of a name at the strongest levels.
pub(super) fn strongest_tables<'a>(view: &ResultsView<'a>, table: &str) -> Vec<&'a SampleTable> {
    let all = tables(view, table);
    let samples: Vec<&SampleId> = all.iter().map(|t| &t.sample).collect();
    let strongest = |t: &&SampleTable| view.is_strongest(&t.sample, samples.iter().copied());
    all.iter().copied().filter(|t| strongest(t)).collect()
}

/// Names of the rows of tables, each once, in the order in which they first stand.
pub(super) fn row_names(tables: &[&SampleTable]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in tables.iter().flat_map(|t| &t.rows) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}
