//! Atomic file writes. A file exists with its complete contents or not at all.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Prefix of the file names of temporary files.
pub const UNFINISHED: &str = ".unfinished-";

/// Writes a file atomically: the file has its old or its new contents, never a part. This is true
/// even after a power failure and with several writers of the file.
///
/// The function creates the file's folder if it does not exist, and writes a temporary file in it.
/// Then it syncs the file, renames it and syncs the folder.
///
/// # Errors
/// The operating system reports an error. The temporary file is then removed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_with(path, |file| file.write_all(bytes))
}

/// Writes a file like [`write_atomically`]. The function `write` writes the contents into the
/// temporary file. Use it if the contents are too large for one buffer.
///
/// # Errors
/// The operating system or `write` reports an error. The temporary file is then removed. Also if
/// `path` is a device or another special file, which the rename would replace.
pub fn write_atomically_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    place(path, write, |temporary| fs::rename(temporary, path))
}

/// Creates a file atomically, like [`write_atomically`], unless the file exists. Returns true if
/// this call created the file.
///
/// If several processes try at once, exactly one of them creates the file. The processes may run on
/// different machines that share the folder.
///
/// # Errors
/// The operating system reports an error.
pub fn create_atomically(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut is_new = true;
    place(
        path,
        |file| file.write_all(bytes),
        |temporary| {
            // Unlike a rename, a link never replaces an existing file. It also works on shared
            // folders.
            match fs::hard_link(temporary, path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => is_new = false,
                Err(error) if has_no_links(&error) => is_new = create_bare(path, bytes)?,
                linked => linked?,
            }
            fs::remove_file(temporary)
        },
    )?;
    Ok(is_new)
}

/// Returns true if the error means that the file system has no hard links.
fn has_no_links(error: &io::Error) -> bool {
    // Linux reports that the operation is not permitted.
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied)
}

/// Creates a file on a file system without hard links, unless it exists. If the process is killed,
/// a partial file may remain. Returns true if this call created the file.
fn create_bare(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        created => {
            let mut file = created?;
            file.write_all(bytes)?;
            file.sync_all()?;
            Ok(true)
        }
    }
}

/// Writes a temporary file next to `path` and syncs it. Then `finish` moves it to `path`, and the
/// folder is synced.
fn place(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
    finish: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    // The parent of a bare file name is the empty path.
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let temporary = unfinished(path);
    let written = File::create_new(&temporary).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        finish(&temporary)?;
        sync_folder(dir)
    });
    if written.is_err() {
        // The first error matters more than this one.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Returns the path of a temporary file next to `path`. The name is unique across processes and
/// machines.
pub fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{UNFINISHED}{name}-{:016x}", random()))
}

/// Removes the temporary files that killed processes left in a folder and its subfolders.
///
/// The function removes only files older than a day. It ignores files that it cannot remove.
pub fn sweep(dir: &Path) {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    for entry in dir.read_dir().into_iter().flatten().flatten() {
        let Ok(about) = entry.metadata() else { continue };
        if about.is_dir() {
            sweep(&entry.path());
            continue;
        }
        let is_old = about.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > DAY));
        if is_old && entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns a random number. Its source is a hasher that the standard library seeds from the
/// operating system.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Syncs a folder, so that a rename in it survives a power failure. Does nothing except on Unix,
/// because other systems cannot open a folder.
pub(crate) fn sync_folder(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn special_files_are_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let socket = dir.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let error = write_atomically(&socket, b"new").unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
        assert!(!fs::metadata(&socket).unwrap().is_file());
    }

    #[test]
    fn unfinished_files_are_removed_after_a_day() {
        let dir = tempfile::tempdir().unwrap();
        let games = dir.path().join("generation-0001").join("games");
        fs::create_dir_all(&games).unwrap();
        let [old, new, whole] = [".unfinished-shard-0000-1", ".unfinished-shard-0000-2", "shard-0000"]
            .map(|name| games.join(name));
        for path in [&old, &new, &whole] {
            fs::write(path, "half").unwrap();
        }
        let yesterday = std::time::SystemTime::now() - Duration::from_secs(25 * 60 * 60);
        for path in [&old, &whole] {
            File::options().write(true).open(path).unwrap().set_modified(yesterday).unwrap();
        }
        sweep(dir.path());
        assert_eq!([&old, &new, &whole].map(|path| path.exists()), [false, true, true]);
    }

    #[test]
    fn one_of_many_writers_creates_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games").join("shard-0000");
        let texts: Vec<String> = (0..8).map(|writer| format!("written by {writer}").repeat(1000)).collect();
        let create = |text: &String| create_atomically(&path, text.as_bytes()).unwrap();
        let won: Vec<&String> = std::thread::scope(|scope| {
            let create = &create;
            let writers: Vec<_> =
                texts.iter().map(|text| scope.spawn(move || create(text).then_some(text))).collect();
            writers.into_iter().filter_map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(won.len(), 1);
        assert_eq!(fs::read_to_string(&path).unwrap(), *won[0]);
        assert!(!create_atomically(&path, b"later").unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), *won[0]);
        assert_eq!(path.parent().unwrap().read_dir().unwrap().count(), 1, "nothing unfinished is left");
    }

    #[test]
    fn writers_of_one_file_have_separate_temporary_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("kept");
        write_atomically_with(&path, |file| {
            file.write_all(b"slow")?;
            write_atomically(&path, b"quick")
        })
        .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"slow");
        assert_eq!(dir.path().read_dir().unwrap().count(), 1);
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
    fn a_failed_write_keeps_the_old_file() {
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
