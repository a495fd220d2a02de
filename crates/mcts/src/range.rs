//! Range checks of settings.

/// A setting outside its range.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("search setting `{key}` is {found}; allowed: {allowed}")]
pub struct ConfigError {
    /// Name of the setting.
    pub key: &'static str,
    /// Found value.
    pub found: String,
    /// Allowed range.
    pub allowed: &'static str,
}

/// Returns an error for a value outside `low..=high`.
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

/// Returns an error for more simulations than a search can count.
pub fn check_simulations(simulations: u32) -> Result<(), ConfigError> {
    check("simulations", simulations, [0, 100_000_000], "0 to 100000000")
}
