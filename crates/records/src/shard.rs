//! Shards: Parquet files of games. A file's name contains the hash of its bytes, and reading
//! verifies this hash.

use crate::format::FIRST_FORMAT;
use crate::{FORMAT, GameRecord, GameTexts, RecordError, columns};
use catapult_store::{Location, write_atomically};
use parquet::file::metadata::KeyValue;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of hex digits of the BLAKE3 hash in a file name.
const HASH_DIGITS: usize = 16;

/// Content of a shard.
#[derive(Clone, PartialEq, Debug)]
pub struct Shard {
    /// The games, in the order in which they were written.
    pub games: Vec<GameRecord>,
    /// Key-value metadata that the writer passed, without the key `format`.
    pub metadata: BTreeMap<String, String>,
}

/// A shard file found in a folder. The file has been neither read nor verified.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ShardFile {
    /// Name of the shard: the file name without the hash and the extension.
    pub name: String,
    /// First hex digits of the hash in the file name.
    pub hash: String,
    /// Path of the file.
    pub path: PathBuf,
}

/// Writes games atomically to `dir/NAME-<hash>.parquet` and returns the path. The function creates
/// the folder if it does not exist. A key `format` in `metadata` is ignored.
///
/// # Errors
/// A game has an impossible value or an illegal move, or the file cannot be written.
pub fn write_shard(
    dir: &Path,
    name: &str,
    games: &[GameRecord],
    metadata: &BTreeMap<String, String>,
) -> Result<PathBuf, RecordError> {
    let nameless = dir.join(name);
    for game in games {
        game.check(&nameless)?;
    }
    let texts: Result<Vec<GameTexts>, _> = games.iter().map(GameRecord::texts).collect();
    let texts = texts.map_err(|error| RecordError::format(&nameless, error))?;
    let bytes = to_bytes(games, &texts, metadata).map_err(|error| RecordError::format(&nameless, error))?;
    let path = dir.join(format!("{name}-{}.parquet", hash(&bytes)));
    write_atomically(&path, &bytes).map_err(|error| RecordError::io(&path, "write", error))?;
    Ok(path)
}

fn to_bytes(
    games: &[GameRecord],
    texts: &[GameTexts],
    metadata: &BTreeMap<String, String>,
) -> parquet::errors::Result<Vec<u8>> {
    let mut writer =
        SerializedFileWriter::new(Vec::new(), columns::schema(2)?, Arc::new(columns::properties()?))?;
    writer.append_key_value_metadata(KeyValue::new("format".into(), FORMAT.to_string()));
    for (key, value) in metadata.iter().filter(|(key, _)| *key != "format") {
        writer.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
    }
    let mut group = writer.next_row_group()?;
    columns::write(&mut group, games, texts)?;
    group.close()?;
    writer.into_inner()
}

/// Reads a shard. First it compares the hash of the bytes with the hash in the file name.
///
/// # Errors
/// The file name is not the name of a shard, the hashes or columns differ, or a game has an
/// impossible value or an illegal move. The error names the file.
pub fn read_shard(path: &Path) -> Result<Shard, RecordError> {
    let nameless = "not a shard's name; expected NAME-<16 hex digits>.parquet";
    let file = parse_name(path).ok_or_else(|| RecordError::unusable(path, nameless))?;
    let bytes = fs::read(path).map_err(|error| RecordError::io(path, "read", error))?;
    let found = hash(&bytes);
    if found != file.hash {
        let reason = format!("damaged: its name says {}, its bytes hash to {found}", file.hash);
        return Err(RecordError::unusable(path, reason));
    }
    let shard = from_bytes(bytes).map_err(|error| RecordError::format(path, error))?;
    for game in &shard.games {
        game.check(path)?;
    }
    Ok(shard)
}

fn from_bytes(bytes: Vec<u8>) -> parquet::errors::Result<Shard> {
    use parquet::errors::ParquetError;
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes))?;
    let file = reader.metadata().file_metadata();
    let mut metadata: BTreeMap<String, String> = file
        .key_value_metadata()
        .into_iter()
        .flatten()
        .map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default()))
        .collect();
    let format = metadata.remove("format").unwrap_or_default();
    let version = match format.as_str() {
        FORMAT => 2,
        FIRST_FORMAT => 1,
        _ => return Err(ParquetError::General(format!("its format is `{format}`"))),
    };
    if *file.schema() != *columns::schema(version)? {
        return Err(ParquetError::General("its columns are not those of the format".into()));
    }
    let mut games = Vec::new();
    for i in 0..reader.num_row_groups() {
        games.extend(columns::read(reader.get_row_group(i)?.as_ref(), version)?);
    }
    Ok(Shard { games, metadata })
}

/// Lists the shards in a folder, sorted by name. The function recognises shards by their file names
/// and does not read the files. A missing folder gives an empty list.
///
/// If several files have the same shard name, only the file that the commit marker names is
/// returned ([`WantedShard`]). Without a marker, all of them are returned.
///
/// # Errors
/// The folder cannot be read.
pub fn find_shards(dir: &Path) -> Result<Vec<ShardFile>, RecordError> {
    let failed = |error| RecordError::io(dir, "list the folder", error);
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut shards = Vec::new();
    for entry in entries {
        shards.extend(parse_name(&entry.map_err(failed)?.path()));
    }
    shards.sort();
    let duplicates = shards.windows(2).filter(|pair| pair[0].name == pair[1].name);
    let duplicates: BTreeSet<String> = duplicates.map(|pair| pair[0].name.clone()).collect();
    for name in duplicates {
        if let Some(path) = marked_file(dir, &name).filter(|path| path.exists()) {
            shards.retain(|file| file.name != name || file.path == path);
        }
    }
    Ok(shards)
}

/// Renames a damaged file by adding `.damaged` and returns the new path. If a file of that name
/// exists, the suffix is `.damaged-2`, then `.damaged-3` and so on.
///
/// # Errors
/// The file cannot be renamed.
pub fn set_aside(path: &Path) -> Result<PathBuf, RecordError> {
    let named = |suffix: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let mut to = named(".damaged".into());
    let mut count = 1;
    while to.exists() {
        count += 1;
        to = named(format!(".damaged-{count}"));
    }
    fs::rename(path, &to).map_err(|error| RecordError::io(path, "set the damaged file aside", error))?;
    Ok(to)
}

/// A shard to find or to create, identified by its location, its name and its cache key.
///
/// A *commit marker* publishes the shard: a small file ([`mark_name`]) that contains the name of
/// the shard's file. Two machines that play the same shard at once may write two files. All readers
/// use the file that the marker names.
#[derive(Clone, Debug)]
pub struct WantedShard {
    /// Location of the run or study that the shard belongs to.
    pub location: Location,
    /// Folder of the shard within the location.
    pub dir: PathBuf,
    /// Name of the shard, without the hash.
    pub name: String,
    /// Cache key of the shard. With `None`, any shard of this name matches.
    pub key: Option<ShardKey>,
}

/// Cache key of a shard: the inputs from which its games were computed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShardKey {
    /// Number of games in the shard.
    pub games: u64,
    /// Metadata that determines the games. A matching shard has exactly these entries, apart from
    /// `results` and `notes`.
    pub metadata: BTreeMap<String, String>,
    /// Metadata keys whose values were computed from the games. A matching shard has all of them,
    /// with any value.
    pub results: &'static [&'static str],
    /// Metadata keys that a matching shard may have, with any value, because their values depend on
    /// the machine or the program.
    pub notes: &'static [&'static str],
}

impl ShardKey {
    /// Returns true if the shard's metadata and number of games match this cache key.
    pub fn matches(&self, shard: &Shard) -> bool {
        let mut metadata = shard.metadata.clone();
        for note in self.notes {
            metadata.remove(*note);
        }
        let has_results = self.results.iter().all(|key| metadata.remove(*key).is_some());
        has_results && metadata == self.metadata && shard.games.len() as u64 == self.games
    }
}

impl WantedShard {
    /// Reads the shard and returns its path and content, or `None` if it does not exist.
    ///
    /// In a folder, a file that is damaged or has another cache key is renamed ([`set_aside`]) and
    /// reported to `warn`. A mirror of an object store deletes such a file and downloads it again.
    /// An intact but unpublished shard, which a killed process left, is published.
    ///
    /// # Errors
    /// The file system or the object store fails. In a mirror, it is also an error if the
    /// downloaded file is damaged or has another cache key.
    pub fn find(&self, warn: &dyn Fn(&str)) -> Result<Option<(PathBuf, Shard)>, RecordError> {
        if let Some(path) = self.marked_file()? {
            let reason = match self.verified(&path)? {
                Ok(shard) => return Ok(Some((path, shard))),
                Err(reason) => reason,
            };
            if self.location.is_mirror() {
                return self.refetch(path, &reason, warn);
            }
            self.set_aside(&path, &reason, warn)?;
        }
        if !self.location.is_mirror() && self.marker().exists() {
            // The file that it names no longer exists.
            fs::remove_file(self.marker())
                .map_err(|error| RecordError::io(&self.marker(), "remove", error))?;
        }
        for file in find_shards(&self.dir)?.into_iter().filter(|file| file.name == self.name) {
            match self.verified(&file.path)? {
                Ok(shard) => {
                    let path = self.publish(&file.path)?;
                    // Another machine may have published a different file meanwhile.
                    return if path == file.path { Ok(Some((path, shard))) } else { self.find(warn) };
                }
                Err(reason) => self.set_aside(&file.path, &reason, warn)?,
            }
        }
        Ok(None)
    }

    /// Deletes the mirror's copy of a file and downloads the file again, because the copy is
    /// damaged or has another cache key. `reason` describes the fault.
    fn refetch(
        &self,
        path: PathBuf,
        reason: &str,
        warn: &dyn Fn(&str),
    ) -> Result<Option<(PathBuf, Shard)>, RecordError> {
        warn(&format!("{reason}; downloading it again"));
        fs::remove_file(&path).map_err(|error| RecordError::io(&path, "remove", error))?;
        if !self.location.has(&path)? {
            return Ok(None);
        }
        let verified = self.verified(&path)?;
        let shard = verified
            .map_err(|reason| RecordError::Unusable(format!("{reason}; the published file is unusable")))?;
        Ok(Some((path, shard)))
    }

    /// Returns true if the shard's commit marker exists. The shard's file is not read.
    ///
    /// # Errors
    /// The location cannot be read.
    pub fn is_published(&self) -> Result<bool, RecordError> {
        Ok(self.location.has(&self.marker())?)
    }

    /// Writes the games, publishes the file and returns the path of the published file. If another
    /// machine published first, this is the path of that machine's file.
    ///
    /// # Errors
    /// [`write_shard`] fails, the location cannot be written, or the commit marker names a missing
    /// file.
    pub fn write(
        &self,
        games: &[GameRecord],
        metadata: &BTreeMap<String, String>,
    ) -> Result<PathBuf, RecordError> {
        let path = write_shard(&self.dir, &self.name, games, metadata)?;
        let published = self.publish(&path)?;
        if published != path {
            // Nothing refers to this file.
            fs::remove_file(&path).map_err(|error| RecordError::io(&path, "remove", error))?;
        }
        Ok(published)
    }

    /// Publishes the file at `path` unless another file is published. Returns the path of the
    /// published file.
    fn publish(&self, path: &Path) -> Result<PathBuf, RecordError> {
        self.location.share(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if self.location.publish(&self.marker(), format!("{name}\n").as_bytes())? {
            return Ok(path.to_owned());
        }
        let no_file = || RecordError::unusable(&self.marker(), "it names a missing file");
        self.marked_file()?.ok_or_else(no_file)
    }

    /// Reads a file and compares its cache key. The inner error is the reason why the file cannot
    /// be used.
    fn verified(&self, path: &Path) -> Result<Result<Shard, String>, RecordError> {
        match read_shard(path) {
            Ok(shard) if self.key.as_ref().is_none_or(|key| key.matches(&shard)) => Ok(Ok(shard)),
            Ok(_) => {
                let reason =
                    "it was played by another network, config, endings or version of search defaults";
                Ok(Err(format!("{}: {reason}", path.display())))
            }
            Err(error @ RecordError::Io { .. }) => Err(error),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    fn set_aside(&self, path: &Path, reason: &str, warn: &dyn Fn(&str)) -> Result<(), RecordError> {
        let aside = set_aside(path)?;
        warn(&format!("{reason}; set aside as {}, its games are played again", aside.display()));
        Ok(())
    }

    fn marker(&self) -> PathBuf {
        self.dir.join(mark_name(&self.name))
    }

    /// Returns the file that the commit marker names, or `None` if the marker or the file is
    /// missing. A mirror downloads both.
    fn marked_file(&self) -> Result<Option<PathBuf>, RecordError> {
        if !self.location.has(&self.marker())? {
            return Ok(None);
        }
        let Some(path) = marked_file(&self.dir, &self.name) else {
            return Ok(None);
        };
        Ok(self.location.has(&path)?.then_some(path))
    }
}

/// Returns the file name of a shard's commit marker. Programs that read folders of Parquet files
/// skip names with a leading underscore.
pub fn mark_name(shard: &str) -> String {
    format!("_{shard}")
}

/// Returns the path that a commit marker in `dir` names, or `None` without a valid marker. The file
/// at that path need not exist.
fn marked_file(dir: &Path, name: &str) -> Option<PathBuf> {
    let text = fs::read_to_string(dir.join(mark_name(name))).ok()?;
    let path = dir.join(text.trim());
    // A marker of another shard or a damaged marker counts as none.
    (parse_name(&path)?.name == name && path.parent() == Some(dir)).then_some(path)
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..HASH_DIGITS].to_owned()
}

fn parse_name(path: &Path) -> Option<ShardFile> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".parquet")?;
    let (name, hash) = stem.rsplit_once('-')?;
    let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    (!name.is_empty() && hash.len() == HASH_DIGITS && hash.chars().all(hex)).then(|| ShardFile {
        name: name.into(),
        hash: hash.into(),
        path: path.to_owned(),
    })
}
