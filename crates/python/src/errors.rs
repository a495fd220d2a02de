//! Conversion of errors to Python exceptions.

use catapult_records::rules_file;
use catapult_rules::Variant;
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use std::fmt::Display;
use std::path::Path;

/// Returns a Python `ValueError` with the text of an error.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns a Python `FileNotFoundError` for a missing file, and an `OSError` for any other failure.
pub(crate) fn file_error(path: &Path, error: std::io::Error) -> PyErr {
    let text = format!("{}: {error}", path.display());
    if error.kind() == std::io::ErrorKind::NotFound {
        PyFileNotFoundError::new_err(text)
    } else {
        PyOSError::new_err(text)
    }
}

/// Parses the name of a variant, or reads the rules file of this path. Returns a Python `ValueError`
/// if the name is unknown or the file is invalid.
pub(crate) fn variant(name: &str) -> Result<Variant, PyErr> {
    rules_file::variant(name, Path::new("")).map_err(value_error)
}
