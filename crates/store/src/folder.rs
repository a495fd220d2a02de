//! Opening, locking and atomic creation of folders.

use crate::atomic::sync_folder;
use crate::{StoreError, UNFINISHED, sweep};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

/// Opens a folder, creates it if it does not exist, and locks it for this process, until the
/// returned file is dropped ([`lock`]). Also removes old temporary files ([`sweep`]).
///
/// The file `marker` shows that a folder belongs to this program. A folder without it may contain
/// only the names in `beforehand`, a lock file and temporary files.
///
/// # Errors
/// The folder contains files of something else than this program or is a file, another process has
/// locked it, or the operating system reports an error.
pub fn open_folder(dir: &Path, marker: &str, beforehand: &[&str]) -> Result<File, StoreError> {
    if dir.is_file() {
        return Err(StoreError::Unusable(format!("{} is a file, not a folder", dir.display())));
    }
    fs::create_dir_all(dir).map_err(|error| StoreError::file(dir, error))?;
    if !dir.join(marker).exists() && holds_other_than(dir, beforehand)? {
        return Err(StoreError::Foreign { dir: dir.to_owned(), marker: marker.to_owned() });
    }
    let lock = lock(dir)?;
    sweep(dir);
    Ok(lock)
}

/// Returns true if a folder contains anything except the given names, a lock file and temporary
/// files.
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

/// Creates a folder atomically. `fill` writes the contents into a temporary folder next to `dir`.
/// The temporary folder is then synced and renamed to `dir`. Returns the result of `fill`.
///
/// An empty folder at `dir` is replaced. After an error, the temporary folder is removed.
///
/// # Errors
/// `fill` fails, the folder at `dir` is not empty, the path ends with `.`, `..` or the root, or the
/// operating system reports an error.
pub fn make_folder<T, E: From<StoreError>>(
    dir: &Path,
    fill: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let Some(name) = dir.file_name() else {
        let reason = "the path must end with a name, because the folder is created there";
        return Err(StoreError::Unusable(format!("{}: {reason}", dir.display())).into());
    };
    let whole = dir.with_file_name(format!("{UNFINISHED}{}", name.to_string_lossy()));
    let on_whole = |error| StoreError::file(&whole, error);
    let remove = || if whole.exists() { fs::remove_dir_all(&whole) } else { Ok(()) };
    // A killed process may have left it.
    remove().map_err(on_whole)?;
    let fill_and_place = || {
        fs::create_dir_all(&whole).map_err(on_whole)?;
        let made = fill(&whole)?;
        sync_all(&whole).map_err(on_whole)?;
        fs::rename(&whole, dir).map_err(|error| StoreError::file(dir, error))?;
        let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        sync_folder(parent).map_err(|error| StoreError::file(parent, error))?;
        Ok(made)
    };
    let made = fill_and_place();
    if made.is_err() {
        // The first error matters more than this one.
        let _ = remove();
    }
    made
}

/// Syncs a folder with all its files and subfolders to disk.
fn sync_all(dir: &Path) -> io::Result<()> {
    for entry in dir.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            sync_all(&path)?;
        } else {
            File::open(&path)?.sync_all()?;
        }
    }
    sync_folder(dir)
}

const LOCK: &str = "lock";

/// Locks a folder for this process, until the returned file is dropped.
///
/// # Errors
/// Another process has locked the folder, or the operating system reports an error.
pub fn lock(dir: &Path) -> Result<File, StoreError> {
    let path = dir.join(LOCK);
    let failed = |error| StoreError::file(&path, error);
    let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(dir.to_owned())),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(dir: &Path) -> String {
        open_folder(dir, "config.toml", &["agents"]).unwrap_err().to_string()
    }

    #[test]
    fn a_folder_is_for_one_process_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("runs").join("mine");
        let held = open_folder(&dir, "config.toml", &[]).unwrap();
        assert_eq!(refused(&dir), format!("{} is in use by another process", dir.display()));
        drop(held);
        open_folder(&dir, "config.toml", &[]).unwrap();
    }

    #[test]
    fn paths_that_can_be_no_folder_are_refused_for_good() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let made = make_folder(Path::new("."), |_| Ok::<(), StoreError>(())).unwrap_err();
        for error in [open_folder(&file, "config.toml", &[]).unwrap_err(), made] {
            assert!(!error.is_transient(), "{error}");
        }
        assert_eq!(refused(&file), format!("{} is a file, not a folder", file.display()));
    }

    #[test]
    fn a_folder_is_made_whole_or_not_at_all() {
        let above = tempfile::tempdir().unwrap();
        let dir = above.path().join("deep").join("new");
        let whole = above.path().join("deep").join(".unfinished-new");
        // A killed process left this.
        fs::create_dir_all(&whole).unwrap();
        fs::write(whole.join("old"), "half").unwrap();
        let fill = |dir: &Path| {
            assert_eq!(dir.read_dir().unwrap().count(), 0);
            fs::create_dir(dir.join("games")).unwrap();
            fs::write(dir.join("games").join("a"), "whole").unwrap();
            Ok::<u32, StoreError>(7)
        };
        let failed = make_folder(&dir, |dir| {
            fill(dir)?;
            Err::<u32, _>(StoreError::Unusable("no games".to_owned()))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no games");
        assert!(!dir.exists() && !whole.exists());
        fs::create_dir(&dir).unwrap();
        assert_eq!(make_folder(&dir, fill).unwrap(), 7);
        assert_eq!(fs::read_to_string(dir.join("games").join("a")).unwrap(), "whole");
        // An existing folder is not replaced.
        fs::write(dir.join("games").join("a"), "mine").unwrap();
        let refused = make_folder(&dir, fill).unwrap_err().to_string();
        assert!(refused.starts_with(&dir.display().to_string()), "{refused}");
        assert_eq!(fs::read_to_string(dir.join("games").join("a")).unwrap(), "mine");
        assert!(!whole.exists());
    }

    #[test]
    fn a_folder_of_something_else_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        for name in ["lock", "agents", ".unfinished-config.toml"] {
            fs::write(dir.join(name), "").unwrap();
        }
        drop(open_folder(dir, "config.toml", &["agents"]).unwrap());
        fs::write(dir.join("thesis.tex"), "").unwrap();
        assert_eq!(refused(dir), format!("{} is not empty and contains no config.toml", dir.display()));
        fs::write(dir.join("config.toml"), "").unwrap();
        open_folder(dir, "config.toml", &[]).unwrap();
    }
}
