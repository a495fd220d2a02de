//! Conversion of errors to Python exceptions.

use catapult_records::rules_file;
use catapult_rules::Variant;
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;

/// Returns a Python `ValueError` with the text of an error.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns a Python `OSError`. If the operating system gave a code, Python sets `errno` and
/// `filename`, and the class is that of the code, such as `FileNotFoundError`.
pub(crate) fn file_error(path: &Path, error: std::io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(code) => {
            let text = error.to_string();
            let reason = text.split(" (os error").next().unwrap_or(&text).to_owned();
            PyOSError::new_err((code, reason, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

/// Converts a whole number from Python. Returns a Python `ValueError` with its name if it is not in
/// the range.
pub(crate) fn whole<T: TryFrom<i128> + PartialOrd + Display>(
    name: &str,
    value: i128,
    range: RangeInclusive<T>,
) -> Result<T, PyErr> {
    let found = T::try_from(value).ok().filter(|found| range.contains(found));
    let (least, most) = range.into_inner();
    found.ok_or_else(|| value_error(format!("{name} = {value}: must be from {least} to {most}")))
}

/// Parses the name of a variant, or reads the rules file of this path. Returns a Python `ValueError`
/// if the name is unknown or the file is invalid.
pub(crate) fn variant(name: &str) -> Result<Variant, PyErr> {
    rules_file::variant(name, Path::new("")).map_err(value_error)
}
