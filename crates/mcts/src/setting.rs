//! A search setting: its values as text, and the allowed values.

use std::fmt;

/// Error: a search setting has a value that is not allowed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("search setting `{key}` is {found}; allowed: {allowed}")]
pub struct ConfigError {
    /// Name of the setting, as in the `[search]` table.
    pub key: &'static str,
    /// The invalid value as text.
    pub found: String,
    /// Allowed values as text, such as "a number from 0 to 1".
    pub allowed: String,
}

/// Allowed values of a setting. Bounds are included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SettingValues {
    /// A number between two bounds, with or without a fraction.
    Number(f64, f64),
    /// A whole number between two bounds.
    Whole(u64, u64),
    /// A whole number from 1 on, or no value.
    WholeOrNone,
    /// A number of bytes, at least this many.
    Bytes(u64),
    /// `true` or `false`.
    Flag,
    /// One of these names.
    Names(&'static [&'static str]),
}

impl SettingValues {
    fn allow(self, text: &str) -> bool {
        let whole = |low: u64, high: u64| text.parse().is_ok_and(|n: u64| (low..=high).contains(&n));
        match self {
            SettingValues::Number(low, high) => text.parse().is_ok_and(|n: f64| (low..=high).contains(&n)),
            SettingValues::Whole(low, high) => whole(low, high),
            SettingValues::WholeOrNone => text.is_empty() || whole(1, u32::MAX.into()),
            SettingValues::Bytes(least) => whole(least, u64::MAX),
            SettingValues::Flag => matches!(text, "true" | "false"),
            SettingValues::Names(names) => names.contains(&text),
        }
    }
}

impl fmt::Display for SettingValues {
    /// Formats the values for a message, such as "a number from 0 to 1".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingValues::Number(low, high) => write!(f, "a number from {low} to {high}"),
            SettingValues::Whole(low, high) => write!(f, "a whole number from {low} to {high}"),
            SettingValues::WholeOrNone => f.write_str("a whole number of at least 1"),
            SettingValues::Bytes(least) => write!(f, "a number of bytes, at least {least}"),
            SettingValues::Flag => f.write_str("true or false"),
            SettingValues::Names(names) => f.write_str(&names.join(" or ")),
        }
    }
}

/// Type of a setting's value.
pub(crate) trait Setting: Sized {
    /// Reads a value. It is the inverse of [`text`](Self::text).
    fn read(text: &str) -> Option<Self>;

    /// Returns the value as text. It is empty if the setting has no value.
    fn text(&self) -> String;
}

/// Implements [`Setting`] by `FromStr` and `Display`.
macro_rules! by_display {
    ($($type:ty)*) => {$(
        impl Setting for $type {
            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn text(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

pub(crate) use by_display;

by_display!(f32 u32 usize bool);

impl Setting for Option<u32> {
    fn read(text: &str) -> Option<Self> {
        if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
    }

    fn text(&self) -> String {
        self.map_or(String::new(), |number| number.to_string())
    }
}

/// Returns true if a setting has no value, so that files leave it out.
pub(crate) fn is_unset(value: &impl Setting) -> bool {
    value.text().is_empty()
}

/// Returns an error if the setting `key` may not have the value `found`.
pub(crate) fn check(key: &'static str, found: &str, values: SettingValues) -> Result<(), ConfigError> {
    if values.allow(found) {
        return Ok(());
    }
    Err(ConfigError { key, found: found.to_owned(), allowed: values.to_string() })
}

/// Overwrites `value` with the value in `text`. The text must be allowed.
pub(crate) fn store<T: Setting>(value: &mut T, text: &str) {
    if let Some(found) = T::read(text) {
        *value = found;
    }
}

/// Checks the number of simulations of a search.
///
/// # Errors
/// More than 100,000,000 simulations.
pub fn check_simulations(simulations: u32) -> Result<(), ConfigError> {
    check("simulations", &simulations.to_string(), SettingValues::Whole(0, 100_000_000))
}
