//! Folders, and who works on them.

use crate::{StoreError, UNFINISHED, sweep};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// A folder that this process works on, and no other one of ours.
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    _lock: File,
}

impl Folder {
    /// Opens a folder, which is made if need be, and takes it for this process. One that lacks the file `marker` may hold
    /// nothing but what is named in `beforehand` and what a process that was killed at once leaves.
    ///
    /// # Errors
    /// It holds something else or is in use; what the system says.
    pub fn open(dir: &Path, marker: &str, beforehand: &[&str]) -> Result<Folder, StoreError> {
        fs::create_dir_all(dir).map_err(|error| StoreError::file(dir, error))?;
        if !dir.join(marker).exists() && holds_other_than(dir, beforehand)? {
            return Err(StoreError::Foreign { dir: dir.to_owned(), marker: marker.to_owned() });
        }
        let lock = lock(dir)?;
        sweep(dir);
        Ok(Folder { dir: dir.to_owned(), _lock: lock })
    }

    /// Where it lies.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Whether a folder holds anything but these names, a lock and unfinished files.
fn holds_other_than(dir: &Path, names: &[&str]) -> Result<bool, StoreError> {
    let failed = |error| StoreError::file(dir, error);
    for entry in dir.read_dir().map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let is_known = name == LOCK || names.iter().any(|known| name == *known);
        if !is_known && !name.to_string_lossy().starts_with(UNFINISHED) {
            return Ok(true);
        }
    }
    Ok(false)
}

const LOCK: &str = "lock";

/// Takes a folder for this process, until the file that is given is dropped.
///
/// # Errors
/// Another process has it; what the system says.
pub fn lock(dir: &Path) -> Result<File, StoreError> {
    let path = dir.join(LOCK);
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(|error| StoreError::file(&path, error))?;
    try_lock(&file, dir, &path)?;
    Ok(file)
}

/// Takes a folder by one of its files, which is open.
///
/// # Errors
/// As [`lock`].
pub fn try_lock(file: &File, dir: &Path, path: &Path) -> Result<(), StoreError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(dir.to_owned())),
        Err(TryLockError::Error(error)) => Err(StoreError::file(path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(dir: &Path) -> String {
        Folder::open(dir, "config.toml", &["agents"]).unwrap_err().to_string()
    }

    #[test]
    fn a_folder_is_for_one_process_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("runs").join("mine");
        let held = Folder::open(&dir, "config.toml", &[]).unwrap();
        assert_eq!(held.dir(), dir);
        assert_eq!(refused(&dir), format!("{} is in use by another process", dir.display()));
        drop(held);
        Folder::open(&dir, "config.toml", &[]).unwrap();
    }

    #[test]
    fn a_folder_of_something_else_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        for name in ["lock", "agents", ".unfinished-config.toml"] {
            fs::write(dir.join(name), "").unwrap();
        }
        drop(Folder::open(dir, "config.toml", &["agents"]).unwrap());
        fs::write(dir.join("thesis.tex"), "").unwrap();
        assert_eq!(refused(dir), format!("{} is not empty and holds no config.toml", dir.display()));
        fs::write(dir.join("config.toml"), "").unwrap();
        Folder::open(dir, "config.toml", &[]).unwrap();
    }
}
