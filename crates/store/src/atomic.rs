//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// What the names of files begin with until they are whole.
pub const UNFINISHED: &str = ".unfinished-";

/// Writes a file under a temporary name in its own folder, which is made if need be, syncs it, renames it and syncs the
/// folder, so that it is there whole or not at all, after a power cut too. What a kill leaves under the temporary name is
/// overwritten by the next try.
///
/// # Errors
/// What the system says; the temporary file is gone then.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_with(path, |file| file.write_all(bytes))
}

/// As [`write_atomically`] for what is too large to be held in one piece: `write` puts it into the file.
///
/// # Errors
/// What the system or `write` says; the temporary file is gone then.
pub fn write_atomically_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    // The parent of a bare name is the empty path.
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = dir.join(format!("{UNFINISHED}{name}"));
    let written = File::create(&temporary).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        sync_folder(dir)
    });
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A rename is on the disk when its folder is. Only Unix lets a folder be opened for that.
fn sync_folder(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kill_leaves_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let left = dir.path().join(".unfinished-config.toml");
        fs::write(&left, "more than will be written").unwrap();
        write_atomically(&dir.path().join("config.toml"), b"whole").unwrap();
        assert_eq!(fs::read(dir.path().join("config.toml")).unwrap(), b"whole");
        assert!(!left.exists());
    }

    #[test]
    fn an_unwritten_file_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("taken");
        fs::create_dir(&path).unwrap();
        assert!(write_atomically(&path, b"text").is_err());
        assert_eq!(dir.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_writer_that_fails_keeps_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new").join("kept");
        write_atomically(&path, b"old").unwrap();
        let failed = write_atomically_with(&path, |file| {
            file.write_all(b"ha")?;
            Err(io::Error::other("half way"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "half way");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(path.parent().unwrap().read_dir().unwrap().count(), 1);
    }
}
