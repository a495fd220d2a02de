//! What is made once and kept beside the terms it was made on: on other terms it would be another.

use crate::json::json_bytes;
use crate::{Location, StoreError, read_json, write_json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A file's content: what was made, and everything that it is a function of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<T, M> {
    /// What it follows from.
    terms: T,
    /// What follows.
    made: M,
}

/// Writes what was made on these terms, whole or not at all.
///
/// # Errors
/// Names the file, which can't be written.
pub fn write_kept<T: Serialize, M: Serialize>(path: &Path, terms: &T, made: &M) -> Result<(), StoreError> {
    write_json(path, &Kept { terms, made })
}

/// Publishes what was made on these terms, and gives what is published: what somebody else made of the same terms at the same time, or
/// this. In a folder it replaces what is damaged or on other terms, as [`read_kept`] has told.
///
/// # Errors
/// The file can't be written; at a URL, something else is published there.
pub fn publish_kept<T, M>(at: &Location, path: &Path, terms: &T, made: M) -> Result<M, StoreError>
where
    T: PartialEq + Serialize + DeserializeOwned,
    M: Serialize + DeserializeOwned,
{
    let kept = Kept { terms, made };
    if at.publish(path, &json_bytes(path, &kept)?)? {
        return Ok(kept.made);
    }
    match read_json::<Kept<T, M>>(path) {
        Ok(found) if found.terms == *terms => Ok(found.made),
        _ if at.is_mirror() => Err(StoreError::OtherTerms(path.to_owned())),
        _ => write_json(path, &kept).map(|()| kept.made),
    }
}

/// Reads what was made on these terms; none if there is nothing. A damaged file, or one on other terms, counts as nothing and is
/// told to `warn`: what is made next replaces it.
///
/// # Errors
/// The system can't read a file that is there.
pub fn read_kept<T: PartialEq + DeserializeOwned, M: DeserializeOwned>(
    at: &Location,
    path: &Path,
    terms: &T,
    warn: &dyn Fn(&str),
) -> Result<Option<M>, StoreError> {
    if !at.has(path)? {
        return Ok(None);
    }
    let reason = match read_json::<Kept<T, M>>(path) {
        Ok(kept) if kept.terms == *terms => return Ok(Some(kept.made)),
        Ok(_) => format!("{}: it was made of other networks or settings", path.display()),
        Err(StoreError::File { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(None);
        }
        // What is not text is damaged too.
        Err(StoreError::File { error, .. }) if error.kind() == std::io::ErrorKind::InvalidData => {
            format!("{}: {error}", path.display())
        }
        Err(error @ StoreError::Damaged { .. }) => error.to_string(),
        Err(error) => return Err(error),
    };
    warn(&format!("{reason}; it is made again"));
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::fs;

    #[test]
    fn what_was_made_on_other_terms_or_is_damaged_counts_as_nothing_and_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("matches").join("a.json");
        let told = RefCell::new(Vec::new());
        let warn = |text: &str| told.borrow_mut().push(text.to_owned());
        let read =
            |terms: &str| read_kept::<String, u32>(&dir.path().into(), &path, &terms.to_owned(), &warn);
        assert_eq!(read("seed 1").unwrap(), None);
        assert_eq!(told.borrow().len(), 0, "nothing there is nothing to tell");
        write_kept(&path, &"seed 1", &7).unwrap();
        assert_eq!(read("seed 1").unwrap(), Some(7));
        assert_eq!(read("seed 2").unwrap(), None);
        fs::write(&path, &fs::read(&path).unwrap()[..20]).unwrap();
        assert_eq!(read("seed 1").unwrap(), None);
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert_eq!(read("seed 1").unwrap(), None);
        let told = told.into_inner();
        assert!(
            told[0].contains("a.json: it was made of other networks or settings; it is made again"),
            "{told:?}"
        );
        assert!(told[1].contains("a.json is damaged") && told[2].contains("a.json"), "{told:?}");
        assert_eq!(told.len(), 3);
    }

    #[test]
    fn what_the_system_refuses_is_no_reason_to_make_it_again() {
        let dir = tempfile::tempdir().unwrap();
        let refused =
            read_kept::<u32, u32>(&dir.path().into(), dir.path(), &1, &|_| panic!("told")).unwrap_err();
        assert!(refused.to_string().starts_with(&dir.path().display().to_string()), "{refused}");
    }

    #[test]
    fn of_two_that_made_it_on_the_same_terms_the_first_counts() {
        let dir = tempfile::tempdir().unwrap();
        let (at, path) = (Location::from(dir.path()), dir.path().join("a.json"));
        let publish =
            |terms: &str, made| publish_kept::<String, u32>(&at, &path, &terms.to_owned(), made).unwrap();
        assert_eq!(publish("seed 1", 7), 7);
        assert_eq!(publish("seed 1", 8), 7);
        assert_eq!(publish("seed 2", 9), 9, "what is stale is replaced");
        fs::write(&path, "half").unwrap();
        assert_eq!(publish("seed 2", 9), 9, "and what is damaged");
        assert_eq!(read_kept::<String, u32>(&at, &path, &"seed 2".to_owned(), &|_| ()).unwrap(), Some(9));
    }

    #[test]
    fn what_is_published_at_a_url_is_never_replaced() {
        let dirs = tempfile::tempdir().unwrap();
        let url = format!("file://{}", dirs.path().join("objects").display());
        let at = Location::mirrored(&url, &dirs.path().join("mirror")).unwrap();
        let path = at.dir().join("a.json");
        assert_eq!(publish_kept(&at, &path, &1, 7).unwrap(), 7);
        let refused = publish_kept(&at, &path, &2, 8).unwrap_err().to_string();
        assert_eq!(refused, format!("{} was published on other terms; choose another place", path.display()));
    }
}
