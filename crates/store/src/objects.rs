//! Interface of object stores, and its implementation for a folder.

use crate::{StoreError, UNFINISHED, create_atomically, write_atomically};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

/// An object store. Object names may contain slashes.
pub(crate) trait Objects: Debug + Send + Sync {
    /// Returns the contents of an object, or `None` if it does not exist.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Writes an object. An existing object of this name is replaced, which is harmless because
    /// objects with equal names have equal contents.
    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreError>;

    /// Creates an object unless it exists. Returns true if this call created the object.
    fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreError>;

    /// Returns the names of the objects directly in a folder, relative to the folder.
    fn list(&self, folder: &str) -> Result<BTreeSet<String>, StoreError>;
}

/// A folder in the file system, used as an object store.
#[derive(Debug)]
pub(crate) struct Files {
    pub dir: PathBuf,
}

impl Objects for Files {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.dir.join(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::file(&path, error)),
        }
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let path = self.dir.join(name);
        write_atomically(&path, &bytes).map_err(|error| StoreError::file(&path, error))
    }

    fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreError> {
        let path = self.dir.join(name);
        create_atomically(&path, &bytes).map_err(|error| StoreError::file(&path, error))
    }

    fn list(&self, folder: &str) -> Result<BTreeSet<String>, StoreError> {
        names(&self.dir.join(folder))
    }
}

/// Returns the names in a folder except temporary files. A missing folder gives an empty set.
pub(crate) fn names(dir: &Path) -> Result<BTreeSet<String>, StoreError> {
    let entries = match dir.read_dir() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries.map_err(|error| StoreError::file(dir, error))?,
    };
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    let names = entries.map(name).collect::<std::io::Result<BTreeSet<_>>>();
    let names = names.map_err(|error| StoreError::file(dir, error))?;
    Ok(names.into_iter().filter(|name| !name.starts_with(UNFINISHED)).collect())
}
