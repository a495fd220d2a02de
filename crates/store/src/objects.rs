//! Stores of objects: all that is asked of them, and which there are.

use crate::location::names;
use crate::{StoreError, create_atomically, write_atomically};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A store of objects by names with slashes.
pub(crate) trait Objects: Debug + Send + Sync {
    /// An object's content, if it is there.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Writes an object whose name tells its content.
    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreError>;

    /// Writes an object where there is none; says whether there was none.
    fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool, StoreError>;

    /// The names of the objects in a folder, without it.
    fn list(&self, folder: &str) -> Result<BTreeSet<String>, StoreError>;
}

/// The store of a URL.
pub(crate) fn connect(url: &str) -> Result<Arc<dyn Objects>, StoreError> {
    if let Some(path) = url.strip_prefix("file://") {
        if !path.starts_with('/') {
            let reason = "a folder's URL has three slashes: file:///folder".to_owned();
            return Err(StoreError::Unreachable { place: url.to_owned(), reason });
        }
        return Ok(Arc::new(Files { dir: path.into() }));
    }
    #[cfg(feature = "objects")]
    return Ok(Arc::new(crate::cloud::Cloud::connect(url)?));
    #[cfg(not(feature = "objects"))]
    Err(StoreError::NotBuilt(url.to_owned()))
}

/// A folder as a store of objects.
#[derive(Debug)]
struct Files {
    dir: PathBuf,
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
