//! Settings that are refused, told in one way: the key, what was found and what is allowed.

use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;

/// A setting that is not what it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadSetting {
    /// The key, with the tables that it stands in: `games.shards`.
    pub key: String,
    /// What was found, as a file has it; none where the key is missing.
    pub found: Option<String>,
    /// What is allowed.
    pub allowed: String,
}

impl BadSetting {
    /// A value that is not allowed.
    pub fn new(key: impl Into<String>, found: impl Display, allowed: impl Into<String>) -> BadSetting {
        BadSetting { key: key.into(), found: Some(found.to_string()), allowed: allowed.into() }
    }

    /// A key that is missing.
    pub fn missing(key: impl Into<String>, allowed: impl Into<String>) -> BadSetting {
        BadSetting { key: key.into(), found: None, allowed: allowed.into() }
    }

    /// The same, told by whoever holds the table that the key stands in.
    #[must_use]
    pub fn within(self, table: impl Display) -> BadSetting {
        BadSetting { key: format!("{table}.{}", self.key), ..self }
    }
}

impl Display for BadSetting {
    /// As a message has it: `games.shards = 0: must be at least 1`.
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

/// A value as a file has it.
pub fn written<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A number that is at least so much.
///
/// # Errors
/// It is less.
pub fn at_least<N: PartialOrd + Display>(key: &str, found: N, least: N) -> Result<(), BadSetting> {
    if found >= least {
        Ok(())
    } else {
        Err(BadSetting::new(key, found, format!("must be at least {least}")))
    }
}

/// A number between two, both allowed.
///
/// # Errors
/// It is outside.
pub fn in_range<N: PartialOrd + Display>(
    key: &str,
    found: N,
    range: RangeInclusive<N>,
) -> Result<(), BadSetting> {
    if range.contains(&found) {
        return Ok(());
    }
    Err(BadSetting::new(key, found, format!("must be from {} to {}", range.start(), range.end())))
}

/// A finite number above 0.
///
/// # Errors
/// It is not.
pub fn above_zero(key: &str, found: f64) -> Result<(), BadSetting> {
    if found > 0.0 && found.is_finite() {
        Ok(())
    } else {
        Err(BadSetting::new(key, found, "must be above 0"))
    }
}

/// A number of games.
///
/// # Errors
/// It is odd.
pub fn even_games(key: &str, found: u32) -> Result<(), BadSetting> {
    if found.is_multiple_of(2) {
        return Ok(());
    }
    Err(BadSetting::new(key, found, "must be even, half of them with each colour"))
}

/// A seed, which TOML and records hold with a sign.
///
/// # Errors
/// It is too large for that.
pub fn seed(key: &str, found: u64) -> Result<(), BadSetting> {
    match i64::try_from(found) {
        Ok(_) => Ok(()),
        Err(_) => Err(BadSetting::new(key, found, "must be below 2^63")),
    }
}

/// A name that a folder can have.
///
/// # Errors
/// It is empty, hidden or has other characters.
pub fn folder_name(key: &str, found: &str) -> Result<(), BadSetting> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if found.is_empty() || found.starts_with('.') || !found.chars().all(fits) {
        let allowed = "must be made of letters, digits, `-`, `_` and `.`";
        return Err(BadSetting::new(key, format!("\"{found}\""), allowed));
    }
    Ok(())
}

/// A list without anything twice.
///
/// # Errors
/// Something stands in it twice.
pub fn once<T: PartialEq + Serialize>(key: &str, values: &[T]) -> Result<(), BadSetting> {
    match (1..values.len()).find(|&i| values[..i].contains(&values[i])) {
        Some(i) => Err(BadSetting::new(key, written(&values[i]), "stands twice; must stand once")),
        None => Ok(()),
    }
}

/// A list of at least one, without anything twice.
///
/// # Errors
/// It is empty, or something stands in it twice.
pub fn some_once<T: PartialEq + Serialize>(key: &str, values: &[T]) -> Result<(), BadSetting> {
    if values.is_empty() {
        return Err(BadSetting::new(key, "[]", "must hold at least one"));
    }
    once(key, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(result: Result<(), BadSetting>) -> String {
        result.map_or_else(|bad| bad.to_string(), |()| String::new())
    }

    #[test]
    fn what_is_refused_is_told_with_its_key_and_what_is_allowed() {
        for (result, text) in [
            (at_least("shards", 0, 1), "shards = 0: must be at least 1"),
            (at_least("rate", f64::NAN, 0.0), "rate = NaN: must be at least 0"),
            (in_range("share", 1.1f32, 0.0..=1.0), "share = 1.1: must be from 0 to 1"),
            (in_range("share", f64::NAN, 0.0..=1.0), "share = NaN: must be from 0 to 1"),
            (above_zero("margin", 0.0), "margin = 0: must be above 0"),
            (above_zero("margin", f64::INFINITY), "margin = inf: must be above 0"),
            (even_games("games", 3), "games = 3: must be even, half of them with each colour"),
            (seed("seed", 1 << 63), "seed = 9223372036854775808: must be below 2^63"),
            (folder_name("name", "a/b"), "name = \"a/b\": must be made of letters, digits, `-`, `_` and `.`"),
            (some_once("seeds", &[1, 2, 1]), "seeds = 1: stands twice; must stand once"),
            (once("arms", &["a", "b", "b"]), "arms = \"b\": stands twice; must stand once"),
            (some_once::<u32>("seeds", &[]), "seeds = []: must hold at least one"),
        ] {
            assert_eq!(told(result), text);
        }
        assert!(["", "..", ".a", "a b"].iter().all(|name| folder_name("name", name).is_err()));
    }

    #[test]
    fn what_is_allowed_passes() {
        for result in [
            at_least("shards", 1, 1),
            in_range("share", 1.0, 0.0..=1.0),
            above_zero("margin", f64::MIN_POSITIVE),
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
    fn tables_stand_before_the_key() {
        let bad = BadSetting::missing("train", "name a training config").within("both").within("agents");
        assert_eq!(bad.key, "agents.both.train");
        assert_eq!(String::from(bad), "agents.both.train: missing; name a training config");
    }
}
