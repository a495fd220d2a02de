//! Location of a run or study: a folder, or an object store with a local mirror folder.
//!
//! Objects in a store never change, and their names contain the hash of their contents. A *commit
//! marker* is a small file that names the objects of a result and so makes them visible. The marker
//! is created only if it does not exist (put-if-absent). If several machines compute the same
//! result, one of them creates the marker, and all read the objects that it names.

use crate::atomic::random;
use crate::objects::{Files, Objects, names};
use crate::{StoreError, create_atomically, write_atomically};
use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the object that identifies a prefix of an object store as belonging to this program. Its
/// contents are random. The mirror of a deleted run is therefore never used for a later run at the
/// same URL.
const IDENTITY: &str = "catapult";

/// Environment variable that names the folder for mirrors of object stores.
pub const CACHE: &str = "CATAPULT_CACHE";

/// Location of a run or study: a folder, or an object store with a local mirror folder.
#[derive(Clone, Debug)]
pub struct Location {
    dir: PathBuf,
    /// The mirror folder of the object store: `dir` or a folder above it.
    root: PathBuf,
    /// The object store with its URL. `None` for a folder.
    store: Option<(String, Arc<dyn Objects>)>,
}

impl Display for Location {
    /// Formats the path of the folder or the URL of the object store, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((url, _)) = &self.store else { return write!(f, "{}", self.dir.display()) };
        let below = self.name(&self.dir);
        if below.is_empty() { f.write_str(url) } else { write!(f, "{url}/{below}") }
    }
}

impl From<&Path> for Location {
    fn from(dir: &Path) -> Location {
        Location { dir: dir.to_owned(), root: dir.to_owned(), store: None }
    }
}

impl From<&PathBuf> for Location {
    fn from(dir: &PathBuf) -> Location {
        dir.as_path().into()
    }
}

/// Returns true if a text has the form of a URL (`s3://bucket/runs/mine`), and false if it is a
/// path.
pub fn is_url(text: &str) -> bool {
    text.split_once("://")
        .is_some_and(|(scheme, _)| !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric()))
}

impl Location {
    /// Opens a folder by its path or an object store by its URL (`s3://bucket/runs/mine`, `gs://`,
    /// `az://`, `file:///folder`).
    ///
    /// The mirror of a store is in `$CATAPULT_CACHE`, else in `$XDG_CACHE_HOME/catapult`, else in
    /// `~/.cache/catapult`. If `create` is true, a store without a run or study is prepared for
    /// one. A folder is neither created nor checked.
    ///
    /// # Errors
    /// The store is unreachable or not supported by this build. With `create`, it is also an error
    /// if the store ignores conditional writes. Without `create`, it is also an error if nothing
    /// exists there.
    pub fn open(text: &str, create: bool) -> Result<Location, StoreError> {
        if !is_url(text) {
            return Ok(Path::new(text).into());
        }
        let text = text.trim_end_matches('/');
        let objects = connect(text)?;
        let nothing = || StoreError::Unusable(format!("{text}: no run or study exists there"));
        let identity = match create {
            true => identify(&*objects, text)?,
            false => objects.get(IDENTITY)?.ok_or_else(nothing)?,
        };
        let identity = String::from_utf8(identity)
            .ok()
            .filter(|text| text.trim().chars().all(|c| c.is_ascii_hexdigit()));
        let foreign =
            || StoreError::Unusable(format!("{text}: its object {IDENTITY} does not belong to this program"));
        let identity = identity.ok_or_else(foreign)?;
        let dir = cache()?.join(mirror_name(text, identity.trim()));
        Ok(Location { root: dir.clone(), dir, store: Some((text.to_owned(), objects)) })
    }

    /// Opens the object store of a URL, with `dir` as its mirror folder. The store is not
    /// contacted.
    ///
    /// # Errors
    /// The URL is invalid, or this build does not support it.
    pub fn mirrored(url: &str, dir: &Path) -> Result<Location, StoreError> {
        let text = url.trim_end_matches('/').to_owned();
        Ok(Location { store: Some((text, connect(url)?)), ..Location::from(dir) })
    }

    /// Returns the path of the folder, or of the mirror folder of an object store.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns true if this is an object store with a mirror folder, and false if it is a folder
    /// only.
    pub fn is_mirror(&self) -> bool {
        self.store.is_some()
    }

    /// Returns the location of the subfolder `name`.
    pub fn join(&self, name: &str) -> Location {
        Location { dir: self.dir.join(name), ..self.clone() }
    }

    /// Returns true if the file at `path` exists in the folder or the object store. If only the
    /// store has it, the file is downloaded into the mirror.
    ///
    /// # Errors
    /// The store is unreachable, or the mirror cannot be written.
    pub fn has(&self, path: &Path) -> Result<bool, StoreError> {
        if path.exists() {
            return Ok(true);
        }
        let Some((_, objects)) = &self.store else { return Ok(false) };
        let Some(bytes) = objects.get(&self.name(path))? else { return Ok(false) };
        write_atomically(path, &bytes).map_err(|error| StoreError::file(path, error))?;
        Ok(true)
    }

    /// Uploads a file of the mirror folder to the object store. Does nothing if the location is a
    /// folder.
    ///
    /// # Errors
    /// The store is unreachable, or the file cannot be read.
    pub fn share(&self, path: &Path) -> Result<(), StoreError> {
        let Some((_, objects)) = &self.store else { return Ok(()) };
        let bytes = fs::read(path).map_err(|error| StoreError::file(path, error))?;
        objects.put(&self.name(path), bytes)
    }

    /// Creates a commit marker with the contents `bytes` at `path`, unless it exists. Returns true
    /// if the marker's contents equal `bytes` afterwards. A mirror folder gets a copy of the
    /// marker.
    ///
    /// # Errors
    /// The store is unreachable, or the folder cannot be written.
    pub fn publish(&self, path: &Path, bytes: &[u8]) -> Result<bool, StoreError> {
        let failed = |error| StoreError::file(path, error);
        let Some((_, objects)) = &self.store else {
            let is_new = create_atomically(path, bytes).map_err(failed)?;
            return Ok(is_new || fs::read(path).map_err(failed)? == bytes);
        };
        let published = create(&**objects, &self.name(path), bytes)?;
        write_atomically(path, &published).map_err(failed)?;
        // An existing marker is equal if the first response was lost and the request was retried.
        Ok(published == bytes)
    }

    /// Returns the file names in the folder `dir`, without temporary files. If the location is an
    /// object store, the store lists the names.
    ///
    /// # Errors
    /// The store is unreachable, or the folder cannot be read.
    pub fn names(&self, dir: &Path) -> Result<BTreeSet<String>, StoreError> {
        match &self.store {
            Some((_, objects)) => objects.list(&self.name(dir)),
            None => names(dir),
        }
    }

    /// Returns the name of the object for a file in the mirror: its path relative to the mirror,
    /// with slashes.
    fn name(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }
}

/// Creates an object unless it exists. Returns the contents that the object has afterwards.
fn create(objects: &dyn Objects, name: &str, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    if objects.create(name, bytes.to_owned())? {
        return Ok(bytes.to_owned());
    }
    // S3 reports a conflict with another upload like an existing object.
    let missing = || StoreError::Unreachable {
        place: format!("object {name}"),
        reason: "the store reports that it exists, but does not return it".to_owned(),
    };
    objects.get(name)?.ok_or_else(missing)
}

/// Creates the object [`IDENTITY`] unless it exists, and returns its contents. `text` is the URL of
/// the store.
fn identify(objects: &dyn Objects, text: &str) -> Result<Vec<u8>, StoreError> {
    let bytes = format!("{:016x}{:016x}\n", random(), random()).into_bytes();
    let identity = create(objects, IDENTITY, &bytes)?;
    if identity == bytes && objects.create(IDENTITY, bytes)? {
        let reason = "the store ignores `If-None-Match: *`, so machines could replace each other's files";
        return Err(StoreError::Unusable(format!("{text}: {reason}")));
    }
    Ok(identity)
}

/// Connects to the object store of a URL.
fn connect(url: &str) -> Result<Arc<dyn Objects>, StoreError> {
    if let Some(path) = url.strip_prefix("file://") {
        if !path.starts_with('/') {
            let reason = "a folder's URL has three slashes: file:///folder";
            return Err(StoreError::Unusable(format!("{url}: {reason}")));
        }
        return Ok(Arc::new(Files { dir: path.into() }));
    }
    #[cfg(feature = "objects")]
    return Ok(Arc::new(crate::cloud::Cloud::connect(url)?));
    #[cfg(not(feature = "objects"))]
    Err(StoreError::Unusable(format!(
        "{url}: this build accepts file:///folder; the feature `objects` adds s3://, gs:// and az://"
    )))
}

/// Returns the name of the mirror folder of the store at `url` with the contents `identity` of its
/// object [`IDENTITY`]. The identity makes the name unique. Before it, the name has at most the last
/// 150 bytes of the escaped URL, because file systems limit names to 255 bytes.
fn mirror_name(url: &str, identity: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "-_.".contains(c) {
            c.to_string()
        } else {
            format!("%{:02X}", u32::from(c))
        }
    };
    let name: String = url.chars().map(plain).collect();
    let end = &name[name.len().saturating_sub(150)..];
    format!("{end}-{identity}")
}

/// Returns the folder that contains the mirror folders of all object stores.
fn cache() -> Result<PathBuf, StoreError> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = of(CACHE).or_else(|| of("XDG_CACHE_HOME").map(|dir| dir.join("catapult")));
    cache.or_else(|| of("HOME").map(|dir| dir.join(".cache/catapult"))).ok_or_else(|| {
        let reason = "neither XDG_CACHE_HOME nor HOME is set";
        StoreError::Unusable(format!("{CACHE} must name a folder that mirrors what lies at a URL: {reason}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that serves as an object store, with the mirrors of two machines.
    struct Two {
        _dirs: tempfile::TempDir,
        objects: PathBuf,
        mirrors: [Location; 2],
    }

    fn two() -> Two {
        let dirs = tempfile::tempdir().unwrap();
        let objects = dirs.path().join("objects");
        let url = format!("file://{}", objects.display());
        let mirrors = ["a", "b"].map(|name| Location::mirrored(&url, &dirs.path().join(name)).unwrap());
        Two { _dirs: dirs, objects, mirrors }
    }

    #[test]
    fn a_retry_does_not_help_at_an_unusable_place() {
        let two = two();
        fs::create_dir_all(&two.objects).unwrap();
        fs::write(two.objects.join(IDENTITY), "a catapult of another kind").unwrap();
        let foreign = format!("file://{}", two.objects.display());
        for (url, reason) in [("file://relative", "three slashes"), (&foreign, "does not belong")] {
            let error = Location::open(url, false).map(|_| ()).unwrap_err();
            assert!(!error.is_transient() && error.to_string().contains(reason), "{error}");
        }
    }

    #[test]
    fn one_of_two_publishers_wins_and_both_see_its_marker() {
        let two = two();
        let [a, b] = &two.mirrors;
        let mark = |of: &Location| of.dir().join("games/shard-0000");
        assert!(!a.has(&mark(a)).unwrap());
        assert!(a.publish(&mark(a), b"a's").unwrap());
        assert!(!b.publish(&mark(b), b"b's").unwrap());
        assert!(a.publish(&mark(a), b"a's").unwrap(), "a response that was lost");
        for of in [a, b] {
            assert_eq!(fs::read(mark(of)).unwrap(), b"a's");
        }
        assert_eq!(b.names(&b.dir().join("games")).unwrap(), BTreeSet::from(["shard-0000".to_owned()]));
        assert_eq!(b.names(&b.dir().join("none")).unwrap(), BTreeSet::new());
    }

    /// A store that answers every creation alike and has no objects.
    #[derive(Debug)]
    struct Faulty(bool);

    impl Objects for Faulty {
        fn get(&self, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
            Ok(None)
        }

        fn put(&self, _: &str, _: Vec<u8>) -> Result<(), StoreError> {
            Ok(())
        }

        fn create(&self, _: &str, _: Vec<u8>) -> Result<bool, StoreError> {
            Ok(self.0)
        }

        fn list(&self, _: &str) -> Result<BTreeSet<String>, StoreError> {
            Ok(BTreeSet::new())
        }
    }

    #[test]
    fn a_conflict_writes_no_marker_and_may_pass() {
        let dir = tempfile::tempdir().unwrap();
        let faulty: Arc<dyn Objects> = Arc::new(Faulty(false));
        let location = Location { store: Some((String::new(), faulty)), ..Location::from(dir.path()) };
        let mark = dir.path().join("_shard-0000");
        assert!(location.publish(&mark, b"mine").unwrap_err().is_transient());
        assert!(!mark.exists());
        assert!(identify(&Faulty(false), "s3://bucket").unwrap_err().is_transient());
    }

    #[test]
    fn a_store_that_replaces_what_exists_is_refused() {
        let refused = identify(&Faulty(true), "s3://bucket/run").unwrap_err();
        assert!(refused.to_string().starts_with("s3://bucket/run: the store ignores"), "{refused}");
        assert!(!refused.is_transient());
    }

    #[test]
    fn shared_files_are_copied_on_request() {
        let two = two();
        let [a, b] = &two.mirrors;
        let file = |of: &Location| of.dir().join("games/shard-0000-12.parquet");
        write_atomically(&file(a), b"games").unwrap();
        assert!(!b.has(&file(b)).unwrap());
        a.share(&file(a)).unwrap();
        assert!(b.has(&file(b)).unwrap());
        assert_eq!(fs::read(file(b)).unwrap(), b"games");
        let below = b.join("games");
        assert_eq!(below.names(below.dir()).unwrap().len(), 1);
        assert_eq!(fs::read(two.objects.join("games/shard-0000-12.parquet")).unwrap(), b"games");
    }

    #[test]
    fn a_folder_is_its_own_mirror() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::open(dir.path().to_str().unwrap(), false).unwrap();
        let mark = dir.path().join("games/shard-0000");
        assert!(location.publish(&mark, b"one").unwrap() && location.publish(&mark, b"one").unwrap());
        assert!(!location.publish(&mark, b"two").unwrap());
        assert!(location.has(&mark).unwrap());
        location.share(&mark).unwrap();
        assert_eq!(fs::read(&mark).unwrap(), b"one");
    }

    #[test]
    fn urls_differ_from_paths() {
        for url in ["s3://bucket/run", "file:///runs/mine"] {
            assert!(is_url(url), "{url}");
        }
        for path in ["runs/mine", "/runs/a:b", "../x y://z", "://"] {
            assert!(!is_url(path), "{path}");
        }
    }

    #[test]
    fn a_location_is_shown_as_its_url_or_path() {
        let dir = Path::new("runs");
        assert_eq!(Location::from(dir).join("mine").to_string(), dir.join("mine").display().to_string());
        let mirrored = Location::mirrored("file:///store/", dir).unwrap();
        assert_eq!(mirrored.to_string(), "file:///store");
        assert_eq!(mirrored.join("mine").to_string(), "file:///store/mine");
    }

    #[test]
    fn a_mirror_of_a_long_url_has_a_name_that_file_systems_accept() {
        assert_eq!(mirror_name("s3://bucket/my run", "ab"), "s3%3A%2F%2Fbucket%2Fmy%20run-ab");
        let (url, identity) = (format!("s3://bucket/{}/mine", "\u{e9}/".repeat(200)), "0".repeat(32));
        let name = mirror_name(&url, &identity);
        assert!(name.len() <= 255 && name.ends_with(&format!("%2Fmine-{identity}")), "{name}");
        fs::create_dir(tempfile::tempdir().unwrap().path().join(name)).unwrap();
    }

    #[test]
    fn reading_creates_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let url = format!("file://{}/run", dir.path().display());
        let refused = Location::open(&url, false).unwrap_err().to_string();
        assert_eq!(refused, format!("{url}: no run or study exists there"));
        assert!(!dir.path().join("run").exists());
    }

    #[test]
    fn an_unsupported_url_is_named() {
        let refused = Location::open("ftp://host/run", true).unwrap_err().to_string();
        assert!(refused.starts_with("ftp://host/run: "), "{refused}");
        assert!(Location::open("file://relative/path", true).is_err());
    }
}
