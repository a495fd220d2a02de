//! Reading and atomic writing of JSON files.

use crate::{StoreError, write_atomically};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

/// Reads a JSON file into a value of type `T`.
///
/// # Errors
/// The file cannot be read, or its contents are not a `T`. The error names the file.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let text = fs::read_to_string(path).map_err(|error| StoreError::file(path, error))?;
    serde_json::from_str(&text).map_err(|error| StoreError::damaged(path, error))
}

/// Writes a value as a JSON file, atomically and with a final line feed.
///
/// # Errors
/// The file cannot be written, or the value cannot be serialised. The error names the file.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), StoreError> {
    write_atomically(path, &json_bytes(path, value)?).map_err(|error| StoreError::file(path, error))
}

/// Returns the bytes that [`write_json`] writes to `path`.
///
/// # Errors
/// The value cannot be serialised. The error names `path`.
pub fn json_bytes<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>, StoreError> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| StoreError::damaged(path, error))?;
    text.push('\n');
    Ok(text.into_bytes())
}
