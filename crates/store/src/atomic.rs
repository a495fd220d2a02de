//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the names of files begin with until they are whole.
pub const UNFINISHED: &str = ".unfinished-";

/// Writes a file under a temporary name of its own in its own folder, which is made if need be, syncs it, renames it and syncs the
/// folder, so that it is there whole or not at all, after a power cut and beside other processes that write the same file too.
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
    place(path, write, |temporary| fs::rename(temporary, path))
}

/// Writes a file as [`write_atomically`] does, but only where there is none of its name: of several processes that try, on whatever
/// machines share the folder, one succeeds. Says whether it was this one.
///
/// # Errors
/// As [`write_atomically`].
pub fn create_atomically(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut is_new = true;
    place(
        path,
        |file| file.write_all(bytes),
        |temporary| {
            // A link is made whole or refused, on shared folders too; a rename would replace what is there.
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

/// Whether it says that the folder's file system knows no links.
fn has_no_links(error: &io::Error) -> bool {
    // Linux says that it is not permitted.
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied)
}

/// The same where there are no links: a kill may leave a part of it.
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

/// Writes a temporary file, syncs it, lets `finish` put it where it belongs and syncs the folder.
fn place(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
    finish: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    // The parent of a bare name is the empty path.
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
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A temporary name beside a file that no other process has, on this machine or another.
pub fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{UNFINISHED}{name}-{:016x}", random()))
}

/// Removes what killed processes have left in a folder and those in it: unfinished files that nobody has touched for a day. What can't
/// be removed is left.
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

/// A number that no other call gives: the standard library seeds its hashers with the system's random numbers.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A rename is on the disk when its folder is. Only Unix lets a folder be opened for that.
pub(crate) fn sync_folder(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kill_leaves_is_swept_up_after_a_day() {
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
    fn a_file_is_created_by_one_of_many() {
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
    fn two_that_write_the_same_file_do_not_meet_in_one_temporary_file() {
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
