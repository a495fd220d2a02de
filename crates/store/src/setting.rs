//! Checks of config values. An error names the key, the value found and the values allowed.
//!
//! ```
//! use catapult_store::setting::in_range;
//!
//! let bad = in_range("share", 1.5, 0.0..=1.0).unwrap_err().within("games");
//! assert_eq!(bad.to_string(), "games.share = 1.5: must be from 0 to 1");
//! ```

use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;

/// Declares tables of settings. Each key is one row: its documentation, type, default value, and
/// the check of its range, if it has one.
///
/// A table is a struct with public fields, the defaults, and `check_ranges`, which returns the
/// first key out of range. A check is a function of [`setting`](crate::setting) without its first
/// two arguments, the key and the value.
///
/// ```
/// catapult_store::settings! {
///     /// Settings of an oven.
///     #[derive(Clone, Debug)]
///     pub struct Oven {
///         /// Temperature in degrees.
///         degrees: u32 = 180, in_range(50..=250);
///         /// If true, the fan is on.
///         fan: bool = false;
///     }
/// }
/// let bad = Oven { degrees: 300, ..Oven::default() }.check_ranges().unwrap_err();
/// assert_eq!(bad.to_string(), "degrees = 300: must be from 50 to 250");
/// ```
#[macro_export]
macro_rules! settings {
    ($($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $key:ident: $type:ty = $default:expr $(, $check:ident($($allowed:expr),*))?;)*
    })*) => {$(
        $(#[$meta])*
        pub struct $name {
            $($(#[$doc])* pub $key: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($key: $default,)* }
            }
        }

        impl $name {
            /// Checks the range of every setting that has one.
            ///
            /// # Errors
            /// A setting is out of range. The error names the key, the value found and the allowed
            /// values.
            pub fn check_ranges(&self) -> Result<(), $crate::BadSetting> {
                $($($crate::setting::$check(stringify!($key), self.$key $(, $allowed)*)?;)?)*
                Ok(())
            }
        }
    )*};
}

/// Error about an invalid or missing config value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadSetting {
    /// Key of the value, after the names of its tables, such as `games.shards`.
    pub key: String,
    /// Value found, as written in a config file. `None` if the key is missing.
    pub found: Option<String>,
    /// Description of the values allowed, such as `must be at least 1`.
    pub allowed: String,
}

impl BadSetting {
    /// Creates an error for a value that is not allowed.
    pub fn new(key: impl Into<String>, found: impl Display, allowed: impl Into<String>) -> BadSetting {
        BadSetting { key: key.into(), found: Some(found.to_string()), allowed: allowed.into() }
    }

    /// Creates an error for a key that is missing.
    pub fn missing(key: impl Into<String>, allowed: impl Into<String>) -> BadSetting {
        BadSetting { key: key.into(), found: None, allowed: allowed.into() }
    }

    /// Returns the error with the table's name before the key: `shards` becomes `games.shards`.
    #[must_use]
    pub fn within(self, table: impl Display) -> BadSetting {
        BadSetting { key: format!("{table}.{}", self.key), ..self }
    }
}

impl Display for BadSetting {
    /// Formats the error for a message, such as `games.shards = 0: must be at least 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.found {
            Some(found) => write!(f, "{} = {found}: {}", self.key, self.allowed),
            None => write!(f, "{}: missing; {}", self.key, self.allowed),
        }
    }
}

impl std::error::Error for BadSetting {}

impl From<BadSetting> for String {
    fn from(bad: BadSetting) -> String {
        bad.to_string()
    }
}

/// Returns a value as JSON text. Config files write values in the same form.
pub fn written<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn check(
    is_allowed: bool,
    key: &str,
    found: impl Display,
    allowed: impl Into<String>,
) -> Result<(), BadSetting> {
    if is_allowed { Ok(()) } else { Err(BadSetting::new(key, found, allowed)) }
}

/// Checks that a number is at least `least`.
///
/// # Errors
/// `found` is less than `least` or not a number.
pub fn at_least<N: PartialOrd + Display>(key: &str, found: N, least: N) -> Result<(), BadSetting> {
    check(found >= least, key, found, format!("must be at least {least}"))
}

/// Checks that a number is in a range, including both ends.
///
/// # Errors
/// `found` is outside the range or not a number.
pub fn in_range<N: PartialOrd + Display>(
    key: &str,
    found: N,
    range: RangeInclusive<N>,
) -> Result<(), BadSetting> {
    let allowed = format!("must be from {} to {}", range.start(), range.end());
    check(range.contains(&found), key, found, allowed)
}

/// Checks that a number is finite and above 0.
///
/// # Errors
/// `found` is 0, negative, infinite or not a number.
pub fn above_zero(key: &str, found: impl Into<f64> + Copy + Display) -> Result<(), BadSetting> {
    let number: f64 = found.into();
    check(number > 0.0 && number.is_finite(), key, found, "must be above 0")
}

/// Checks that a number is at least 0 and below 1.
///
/// # Errors
/// `found` is negative, 1 or more, or not a number.
pub fn below_one(key: &str, found: f32) -> Result<(), BadSetting> {
    check((0.0..1.0).contains(&found), key, found, "must be from 0 to below 1")
}

/// Checks that a number is finite and at least 0.
///
/// # Errors
/// `found` is negative, infinite or not a number.
pub fn at_least_zero(key: &str, found: f32) -> Result<(), BadSetting> {
    check(found >= 0.0 && found.is_finite(), key, found, "must be at least 0 and finite")
}

/// Checks that a number of games is even, so that each player can play half of them with each
/// colour.
///
/// # Errors
/// `found` is odd.
pub fn even_games(key: &str, found: u32) -> Result<(), BadSetting> {
    check(found.is_multiple_of(2), key, found, "must be even, half of them with each colour")
}

/// Checks that a seed is below 2^63, because TOML and records store it as a signed number.
///
/// # Errors
/// `found` is 2^63 or more.
pub fn seed(key: &str, found: u64) -> Result<(), BadSetting> {
    check(found < 1 << 63, key, found, "must be below 2^63")
}

/// Checks that a name can be the name of a folder.
///
/// # Errors
/// The name is empty, begins with a dot, or has other characters than ASCII letters, digits, `-`,
/// `_` and `.`.
pub fn folder_name(key: &str, found: &str) -> Result<(), BadSetting> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_allowed = !found.is_empty() && !found.starts_with('.') && found.chars().all(fits);
    let allowed = "must be made of letters, digits, `-`, `_` and `.`";
    check(is_allowed, key, format!("\"{found}\""), allowed)
}

/// Checks that no value occurs twice in a list.
///
/// # Errors
/// A value occurs twice.
pub fn once<T: PartialEq + Serialize>(key: &str, values: &[T]) -> Result<(), BadSetting> {
    match (1..values.len()).find(|&i| values[..i].contains(&values[i])) {
        Some(i) => Err(BadSetting::new(key, written(&values[i]), "occurs twice; must occur once")),
        None => Ok(()),
    }
}

/// Checks that a list has at least one value and that no value occurs twice.
///
/// # Errors
/// The list is empty, or a value occurs twice.
pub fn some_once<T: PartialEq + Serialize>(key: &str, values: &[T]) -> Result<(), BadSetting> {
    if values.is_empty() {
        return Err(BadSetting::new(key, "[]", "must hold at least one"));
    }
    once(key, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(result: Result<(), BadSetting>) -> String {
        result.map_or_else(|bad| bad.to_string(), |()| String::new())
    }

    #[test]
    fn errors_name_key_value_and_allowed_values() {
        for (result, text) in [
            (at_least("shards", 0, 1), "shards = 0: must be at least 1"),
            (at_least("rate", f64::NAN, 0.0), "rate = NaN: must be at least 0"),
            (in_range("share", 1.1f32, 0.0..=1.0), "share = 1.1: must be from 0 to 1"),
            (in_range("share", f64::NAN, 0.0..=1.0), "share = NaN: must be from 0 to 1"),
            (above_zero("margin", 0.0), "margin = 0: must be above 0"),
            (above_zero("margin", f64::INFINITY), "margin = inf: must be above 0"),
            (below_one("momentum", 1.0), "momentum = 1: must be from 0 to below 1"),
            (below_one("momentum", f32::NAN), "momentum = NaN: must be from 0 to below 1"),
            (at_least_zero("policy", -0.5), "policy = -0.5: must be at least 0 and finite"),
            (at_least_zero("policy", f32::INFINITY), "policy = inf: must be at least 0 and finite"),
            (even_games("games", 3), "games = 3: must be even, half of them with each colour"),
            (seed("seed", 1 << 63), "seed = 9223372036854775808: must be below 2^63"),
            (folder_name("name", "a/b"), "name = \"a/b\": must be made of letters, digits, `-`, `_` and `.`"),
            (some_once("seeds", &[1, 2, 1]), "seeds = 1: occurs twice; must occur once"),
            (once("arms", &["a", "b", "b"]), "arms = \"b\": occurs twice; must occur once"),
            (some_once::<u32>("seeds", &[]), "seeds = []: must hold at least one"),
        ] {
            assert_eq!(text_of(result), text);
        }
        assert!(["", "..", ".a", "a b"].iter().all(|name| folder_name("name", name).is_err()));
    }

    #[test]
    fn allowed_values_pass() {
        for result in [
            at_least("shards", 1, 1),
            in_range("share", 1.0, 0.0..=1.0),
            above_zero("margin", f64::MIN_POSITIVE),
            below_one("momentum", 0.0),
            at_least_zero("policy", 0.0),
            even_games("games", 0),
            seed("seed", (1 << 63) - 1),
            folder_name("name", "a-b_c.d"),
            some_once("seeds", &[1, 2]),
            once::<u32>("opponents", &[]),
        ] {
            assert_eq!(result, Ok(()));
        }
    }

    #[test]
    fn tables_precede_the_key() {
        let bad = BadSetting::missing("train", "name a training config").within("both").within("agents");
        assert_eq!(bad.key, "agents.both.train");
        assert_eq!(String::from(bad), "agents.both.train: missing; name a training config");
    }
}
