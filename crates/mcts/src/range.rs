//! Range checks of settings.

/// Error: a search setting is outside its range.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("search setting `{key}` is {found}; allowed: {allowed}")]
pub struct ConfigError {
    /// Name of the setting, as in the `[search]` table.
    pub key: &'static str,
    /// The invalid value as text.
    pub found: String,
    /// Allowed range as text, such as "0 to 1".
    pub allowed: &'static str,
}

/// Returns an error if `value` is outside `low..=high`. The error names the setting `key` and its
/// `allowed` range.
pub(crate) fn check<T: PartialOrd + ToString>(
    key: &'static str,
    value: T,
    [low, high]: [T; 2],
    allowed: &'static str,
) -> Result<(), ConfigError> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(ConfigError { key, found: value.to_string(), allowed })
    }
}

/// Checks the number of simulations of a search.
///
/// # Errors
/// More than 100,000,000 simulations.
pub fn check_simulations(simulations: u32) -> Result<(), ConfigError> {
    check("simulations", simulations, [0, 100_000_000], "0 to 100000000")
}
