//! Cached results. A JSON file holds a value and its cache key: the inputs from which the value was
//! computed.

use crate::json::json_bytes;
use crate::{Location, StoreError, read_json, write_json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Contents of a JSON file with a cached value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cached<T, M> {
    /// Cache key: all inputs from which the value was computed.
    #[serde(rename = "terms")]
    key: T,
    /// The cached value.
    #[serde(rename = "made")]
    value: M,
}

/// Writes `value` with its cache key `key` to a JSON file, atomically.
///
/// # Errors
/// The file cannot be written. The error names the file.
pub fn write_cached<T: Serialize, M: Serialize>(path: &Path, key: &T, value: &M) -> Result<(), StoreError> {
    write_json(path, &Cached { key, value })
}

/// Publishes `value` with its cache key `key` at `path`. Returns the value that is published
/// there.
///
/// If another process published a value with an equal cache key first, the result is that value. In
/// a folder, a damaged file or a file with another cache key is replaced. In an object store,
/// nothing is replaced.
///
/// # Errors
/// The location cannot be written. In an object store, it is also an error if a damaged file or a
/// file with another cache key is already published.
pub fn publish_cached<T, M>(at: &Location, path: &Path, key: &T, value: M) -> Result<M, StoreError>
where
    T: PartialEq + Serialize + DeserializeOwned,
    M: Serialize + DeserializeOwned,
{
    let cached = Cached { key, value };
    if at.publish(path, &json_bytes(path, &cached)?)? {
        return Ok(cached.value);
    }
    match read_json::<Cached<T, M>>(path) {
        Ok(found) if found.key == *key => Ok(found.value),
        _ if at.is_mirror() => {
            let file = path.display();
            let reason = "was published with another cache key; choose another place";
            Err(StoreError::Unusable(format!("{file} {reason}")))
        }
        _ => write_json(path, &cached).map(|()| cached.value),
    }
}

/// Reads the cached value at `path` if its cache key equals `key`. Returns `None` if there is no
/// such value at `path`.
///
/// A damaged file or a file with another cache key is reported to `warn` and counts as missing.
///
/// # Errors
/// The object store is unreachable, or the operating system cannot read an existing file.
pub fn read_cached<T: PartialEq + DeserializeOwned, M: DeserializeOwned>(
    at: &Location,
    path: &Path,
    key: &T,
    warn: &dyn Fn(&str),
) -> Result<Option<M>, StoreError> {
    if !at.has(path)? {
        return Ok(None);
    }
    let reason = match read_json::<Cached<T, M>>(path) {
        Ok(cached) if cached.key == *key => return Ok(Some(cached.value)),
        Ok(_) => format!("{}: its cache key differs (other networks or settings)", path.display()),
        Err(StoreError::File { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(None);
        }
        // A file that is not text is damaged too.
        Err(StoreError::File { error, .. }) if error.kind() == std::io::ErrorKind::InvalidData => {
            format!("{}: {error}", path.display())
        }
        Err(error @ StoreError::Damaged { .. }) => error.to_string(),
        Err(error) => return Err(error),
    };
    warn(&format!("{reason}; it is computed again"));
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::fs;

    #[test]
    fn a_damaged_file_or_another_cache_key_counts_as_none_and_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("matches").join("a.json");
        let warnings = RefCell::new(Vec::new());
        let warn = |text: &str| warnings.borrow_mut().push(text.to_owned());
        let read = |key: &str| read_cached::<String, u32>(&dir.path().into(), &path, &key.to_owned(), &warn);
        assert_eq!(read("seed 1").unwrap(), None);
        assert_eq!(warnings.borrow().len(), 0, "a missing file is not reported");
        write_cached(&path, &"seed 1", &7).unwrap();
        assert_eq!(read("seed 1").unwrap(), Some(7));
        assert_eq!(read("seed 2").unwrap(), None);
        fs::write(&path, &fs::read(&path).unwrap()[..20]).unwrap();
        assert_eq!(read("seed 1").unwrap(), None);
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert_eq!(read("seed 1").unwrap(), None);
        let warnings = warnings.into_inner();
        assert!(
            warnings[0]
                .contains("a.json: its cache key differs (other networks or settings); it is computed again"),
            "{warnings:?}"
        );
        assert!(warnings[1].contains("a.json is damaged") && warnings[2].contains("a.json"), "{warnings:?}");
        assert_eq!(warnings.len(), 3);
    }

    #[test]
    fn an_unreadable_file_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let refused =
            read_cached::<u32, u32>(&dir.path().into(), dir.path(), &1, &|_| panic!("reported")).unwrap_err();
        assert!(refused.to_string().starts_with(&dir.path().display().to_string()), "{refused}");
    }

    #[test]
    fn the_first_of_two_with_the_same_key_counts() {
        let dir = tempfile::tempdir().unwrap();
        let (at, path) = (Location::from(dir.path()), dir.path().join("a.json"));
        let publish =
            |key: &str, value| publish_cached::<String, u32>(&at, &path, &key.to_owned(), value).unwrap();
        assert_eq!(publish("seed 1", 7), 7);
        assert_eq!(publish("seed 1", 8), 7);
        assert_eq!(publish("seed 2", 9), 9, "another key is replaced");
        fs::write(&path, "half").unwrap();
        assert_eq!(publish("seed 2", 9), 9, "a damaged file is replaced");
        assert_eq!(read_cached::<String, u32>(&at, &path, &"seed 2".to_owned(), &|_| ()).unwrap(), Some(9));
    }

    #[test]
    fn files_published_at_a_url_are_never_replaced() {
        let dirs = tempfile::tempdir().unwrap();
        let url = format!("file://{}", dirs.path().join("objects").display());
        let at = Location::mirrored(&url, &dirs.path().join("mirror")).unwrap();
        let path = at.dir().join("a.json");
        assert_eq!(publish_cached(&at, &path, &1, 7).unwrap(), 7);
        let refused = publish_cached(&at, &path, &2, 8).unwrap_err().to_string();
        assert_eq!(
            refused,
            format!("{} was published with another cache key; choose another place", path.display())
        );
    }
}
