//! Test helper that compares the documented table of policy planes with the code.

/// Checks the table in the `//!` comment of a source file. `first` contains the expected first
/// plane of each row, `planes` the number of planes. Rows have the form `| first..end | moves |` or
/// `| first | moves |`, and must cover all planes once.
pub(crate) fn holds(source: &str, first: &[u16], planes: u16) {
    let rows = source.lines().filter_map(|line| line.strip_prefix("//! | ")?.split(" | ").next());
    let ranges: Vec<(u16, u16)> = rows
        .filter_map(|range| {
            let (first, end) = range.split_once("..").unwrap_or((range, ""));
            let first = first.parse().ok()?;
            Some((first, end.parse().unwrap_or(first + 1)))
        })
        .collect();
    assert_eq!(ranges.iter().map(|range| range.0).collect::<Vec<_>>(), first);
    assert!(ranges.windows(2).all(|pair| pair[0].1 == pair[1].0), "{ranges:?}");
    assert_eq!(ranges.last().map(|range| range.1), Some(planes));
}
