//! Errors as Python has them.

use catapult_rules::Variant;
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use std::fmt::Display;
use std::path::Path;

/// A `ValueError` with the text of an error of ours.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What the system says of a file.
pub(crate) fn file_error(path: &Path, error: std::io::Error) -> PyErr {
    let text = format!("{}: {error}", path.display());
    if error.kind() == std::io::ErrorKind::NotFound {
        PyFileNotFoundError::new_err(text)
    } else {
        PyOSError::new_err(text)
    }
}

/// A variant by its name.
pub(crate) fn variant(name: &str) -> Result<Variant, PyErr> {
    name.parse().map_err(value_error)
}
