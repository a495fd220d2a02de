//! What is made once and kept beside the terms it was made on: on other terms it would be another.

use crate::StudyError;
use crate::progress::Progress;
use catapult_training::run::{read_json, write_json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// As it lies on disk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<T, M> {
    terms: T,
    made: M,
}

/// Writes what was made on these terms, whole or not at all.
pub(crate) fn write<T: Serialize, M: Serialize>(path: &Path, terms: &T, made: &M) -> Result<(), StudyError> {
    Ok(write_json(path, &Kept { terms, made })?)
}

/// Reads what was made on these terms; none if there is nothing. A damaged file, or one on other terms, is told of and counts
/// as nothing.
pub(crate) fn read<T: PartialEq + DeserializeOwned, M: DeserializeOwned>(
    path: &Path,
    terms: &T,
    progress: &dyn Progress,
) -> Option<M> {
    if !path.exists() {
        return None;
    }
    let reason = match read_json::<Kept<T, M>>(path) {
        Ok(kept) if kept.terms == *terms => return Some(kept.made),
        Ok(_) => format!("{}: it was made of other networks or settings", path.display()),
        Err(error) => error.to_string(),
    };
    progress.warn(&format!("{reason}; it is made again"));
    None
}
