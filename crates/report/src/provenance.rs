//! Provenance of results as table rows.

use crate::results::{NetworkFile, Provenance};
use catapult_store::Difference;

/// Returns the provenance as rows of a name and a value. Empty for results without provenance.
pub(super) fn provenance(found: &Provenance) -> Vec<(String, String)> {
    if *found == Provenance::default() {
        return Vec::new();
    }
    let changes: Vec<String> = found.changes.iter().map(Difference::to_string).collect();
    let mut rows: Vec<(String, String)> = [
        ("command", found.command.clone()),
        ("version", found.version.clone()),
        ("study's file (BLAKE3)", found.file.clone()),
        ("study's file when registered, before the first game (BLAKE3)", found.registered_file.clone()),
        ("study's file changed since", if changes.is_empty() { "no".to_owned() } else { changes.join(", ") }),
        ("seed", found.seed.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let network = |NetworkFile { network, checkpoint, hash }: &NetworkFile| {
        (format!("network {network}, {checkpoint} (BLAKE3)"), hash.clone())
    };
    rows.extend(found.networks.iter().map(network));
    rows
}
