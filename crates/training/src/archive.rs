//! Archives: tar files compressed with zstd, with a checksum of the content. An archive contains
//! files of one folder.

use crate::TrainingError;
use catapult_store::{StoreError, UNFINISHED, write_atomically_with};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Compression level: the default of zstd. With higher levels, networks and game records become
/// only slightly smaller.
const LEVEL: i32 = 3;

/// Writes files of the folder `dir` into the archive `file`. `names` are their paths relative to
/// `dir`. Returns the archive's size in bytes. Equal files give equal archives.
///
/// # Errors
/// A file cannot be read or written.
pub(crate) fn write_archive(dir: &Path, names: &[PathBuf], file: &Path) -> Result<u64, TrainingError> {
    write_atomically_with(file, |out| {
        let mut compressed = zstd::Encoder::new(out, LEVEL)?;
        compressed.include_checksum(true)?;
        let mut archive = tar::Builder::new(compressed);
        archive.mode(tar::HeaderMode::Deterministic);
        for name in names {
            archive.append_path_with_name(dir.join(name), name)?;
        }
        archive.into_inner()?.finish().map(drop)
    })
    .map_err(|e| StoreError::file(file, e))?;
    Ok(fs::metadata(file).map_err(|e| StoreError::file(file, e))?.len())
}

/// Returns whether a file is empty or compressed with zstd, as archives are.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn may_be_archive(file: &Path) -> Result<bool, TrainingError> {
    let mut first = Vec::new();
    let read = File::open(file).and_then(|opened| opened.take(4).read_to_end(&mut first));
    read.map_err(|e| StoreError::file(file, e))?;
    Ok(first.is_empty() || first == zstd::zstd_safe::MAGICNUMBER.to_le_bytes())
}

/// Extracts the archive `file` into the existing folder `dir`. Returns the number of extracted
/// files.
///
/// # Errors
/// The archive is damaged or incomplete, or a file cannot be written.
pub(crate) fn extract(file: &Path, dir: &Path) -> Result<usize, TrainingError> {
    let damaged = |e: io::Error| StoreError::damaged(file, e);
    let opened = File::open(file).map_err(|e| StoreError::file(file, e))?;
    let decoder = zstd::Decoder::new(opened).map_err(|e| StoreError::damaged(file, e))?;
    let mut archive = tar::Archive::new(decoder);
    let mut files = 0;
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = entry.path().map_err(damaged)?.into_owned();
        let plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || !entry.header().entry_type().is_file() {
            return Err(damaged(io::Error::other(format!("{}: not a regular file", name.display()))).into());
        }
        let path = dir.join(&name);
        let folder = path.parent().unwrap_or(dir);
        fs::create_dir_all(folder).map_err(|e| StoreError::file(folder, e))?;
        let mut out = File::create_new(&path).map_err(|e| StoreError::file(&path, e))?;
        // An error of the operating system does not mean that the archive is damaged.
        io::copy(&mut entry, &mut out).map_err(|e| match e.raw_os_error() {
            Some(_) => StoreError::file(&path, e),
            None => damaged(e),
        })?;
        files += 1;
    }
    // Reads to the end, because zstd verifies the checksum there.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(damaged)?;
    Ok(files)
}

/// Returns the paths of all files in a folder and its subfolders. If `path` is a file, returns only
/// `path`. Temporary files ([`UNFINISHED`]) are left out.
///
/// # Errors
/// A folder cannot be listed.
pub(crate) fn files_of(path: &Path) -> Result<Vec<PathBuf>, TrainingError> {
    if path.file_name().unwrap_or_default().to_string_lossy().starts_with(UNFINISHED) {
        return Ok(Vec::new());
    }
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in entries_of(path)? {
        files.extend(files_of(&entry)?);
    }
    Ok(files)
}

/// Returns the paths of the files and subfolders in a folder, in no particular order.
///
/// # Errors
/// The folder cannot be listed.
pub(crate) fn entries_of(dir: &Path) -> Result<Vec<PathBuf>, TrainingError> {
    let read = || dir.read_dir()?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>();
    Ok(read().map_err(|e| StoreError::file(dir, e))?)
}
