//! Conversion of settings and results between Rust and Python, as JSON.

use crate::errors::value_error;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Converts a value to Python objects: dicts, lists, texts and numbers.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(value_error)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Converts settings from Python. Missing keys get their defaults. Errors contain `name`.
pub(crate) fn from_python<T: DeserializeOwned>(name: &str, given: &Bound<'_, PyDict>) -> PyResult<T> {
    let text: String = given.py().import("json")?.call_method1("dumps", (given,))?.extract()?;
    // Read in two steps, so that errors have no line and column.
    let value = serde_json::from_str::<serde_json::Value>(&text).and_then(serde_json::from_value);
    value.map_err(|error| value_error(format!("{name}: {error}")))
}
