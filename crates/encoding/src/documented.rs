//! For tests: the tables in a file's documentation against the layout it describes.

use crate::planes::{Planes, global_names, plane_names};

/// The first two cells of the rows of a file's tables, table by table; only tables with one of these heads.
pub(crate) fn tables(source: &str, heads: &[&str]) -> Vec<Vec<(String, String)>> {
    let mut tables: Vec<Vec<(String, String)>> = Vec::new();
    let mut wanted = false;
    for line in source.lines().take_while(|line| line.starts_with("//!")) {
        let cells: Vec<&str> = line.trim_start_matches("//!").split('|').map(str::trim).collect();
        let ["", first, second, ..] = cells.as_slice() else {
            wanted = false;
            continue;
        };
        if heads.contains(first) {
            wanted = true;
            tables.push(Vec::new());
        } else if let (true, false, Some(table)) = (wanted, first.starts_with('-'), tables.last_mut()) {
            table.push((first.to_string(), second.to_string()));
        }
    }
    tables
}

/// Names with their numbers, as a table has them.
pub(crate) fn rows<T: ToString>(names: &[T]) -> Vec<(String, String)> {
    names.iter().enumerate().map(|(index, name)| (index.to_string(), name.to_string())).collect()
}

/// Holds the tables `plane`, `global` and `planes` (of the policy) of a game's file against its layout: names in order,
/// and the first plane of each kind of move.
pub(crate) fn holds<P: Planes>(source: &str, policy: &[u16]) {
    assert_eq!(tables(source, &["plane", "global"]), [rows(&plane_names::<P>()), rows(&global_names::<P>())]);
    let [moves] = &tables(source, &["planes"])[..] else { panic!("one table of policy planes") };
    let ranges: Vec<(u16, u16)> = moves
        .iter()
        .map(|(range, _)| {
            let (first, end) = range.split_once("..").unwrap_or((range, ""));
            let first = first.parse().expect("a number");
            (first, end.parse().unwrap_or(first + 1))
        })
        .collect();
    assert_eq!(ranges.iter().map(|range| range.0).collect::<Vec<_>>(), policy);
    assert!(ranges.windows(2).all(|pair| pair[0].1 == pair[1].0), "{ranges:?}");
    assert_eq!(ranges.last().map(|range| range.1), Some(P::POLICY_PLANES));
}
