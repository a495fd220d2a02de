//! Shards: writing under a name that carries the hash, reading what agrees with it.

use crate::format::FIRST_FORMAT;
use crate::{FORMAT, GameRecord, RecordError, columns};
use catapult_store::{Location, write_atomically};
use parquet::file::metadata::KeyValue;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The hex digits of the hash that a file's name carries.
const HASH_DIGITS: usize = 16;

/// What a shard holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Shard {
    /// The games, in the order in which they were given.
    pub games: Vec<GameRecord>,
    /// Key-value metadata that the writer was given.
    pub metadata: BTreeMap<String, String>,
}

/// A shard that lies in a folder; not yet verified.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ShardFile {
    /// The name it was written under, without the hash.
    pub name: String,
    /// The first digits of the hash that its bytes should have.
    pub hash: String,
    /// Where it lies.
    pub path: PathBuf,
}

/// Writes games to `dir/NAME-<hash>.parquet`, whole or not at all, and gives back its path; the folder is made if need be.
///
/// # Errors
/// A record that is impossible, a folder that cannot be written, a full disk.
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
    let bytes = to_bytes(games, metadata).map_err(|error| RecordError::format(&nameless, error))?;
    let path = dir.join(format!("{name}-{}.parquet", hash(&bytes)));
    write_atomically(&path, &bytes).map_err(|error| RecordError::io(&path, "write", error))?;
    Ok(path)
}

fn to_bytes(games: &[GameRecord], metadata: &BTreeMap<String, String>) -> parquet::errors::Result<Vec<u8>> {
    let mut writer =
        SerializedFileWriter::new(Vec::new(), columns::schema(2)?, Arc::new(columns::properties()?))?;
    writer.append_key_value_metadata(KeyValue::new("format".into(), FORMAT.to_string()));
    for (key, value) in metadata.iter().filter(|(key, _)| *key != "format") {
        writer.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
    }
    let mut group = writer.next_row_group()?;
    columns::write(&mut group, games)?;
    group.close()?;
    writer.into_inner()
}

/// Reads a shard after holding its bytes against its name.
///
/// # Errors
/// Names the file: not a shard's name, damaged bytes, other columns, impossible values.
pub fn read_shard(path: &Path) -> Result<Shard, RecordError> {
    let file = parse_name(path).ok_or_else(|| RecordError::Name { path: path.to_owned() })?;
    let bytes = fs::read(path).map_err(|error| RecordError::io(path, "read", error))?;
    let found = hash(&bytes);
    if found != file.hash {
        return Err(RecordError::Damaged { path: path.to_owned(), expected: file.hash, found });
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

/// The shards in a folder, by name; temporary and damaged files are passed over, and of several of one name all but the one that is
/// marked ([`WantedShard`]). A folder that does not exist has none.
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
    let of_name = |name: &str| shards.iter().filter(|file: &&ShardFile| file.name == name).count();
    let twice: BTreeSet<String> =
        shards.iter().map(|file| &file.name).filter(|name| of_name(name) > 1).cloned().collect();
    for name in twice {
        if let Some(path) = marked(dir, &name).filter(|path| path.exists()) {
            shards.retain(|file| file.name != name || file.path == path);
        }
    }
    Ok(shards)
}

/// Renames a damaged file to `<file name>.damaged` (`.damaged-2` and so on where that exists) and gives back where it is now.
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

/// A shard that somebody needs: where it lies, and what it must say of itself to be that one.
///
/// It is published by a *mark*, a small file called [`mark_name`], which says which file holds its games: two that play it at once on
/// different machines may leave two files, of which everybody reads the one that is marked.
#[derive(Clone, Debug)]
pub struct WantedShard {
    /// Where what it belongs to lives.
    pub location: Location,
    /// Its folder there.
    pub dir: PathBuf,
    /// Its name.
    pub name: String,
    /// Its games' number and its metadata; without them any shard of the name will do.
    pub terms: Option<ShardTerms>,
}

/// What makes a shard the one that is wanted and no other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShardTerms {
    /// How many games it holds.
    pub games: u64,
    /// The metadata that its games follow from.
    pub metadata: BTreeMap<String, String>,
    /// Keys of the metadata that follow from its games: they must be there, whatever they say.
    pub results: &'static [&'static str],
    /// Keys that may be there, whatever they say: machines differ in them.
    pub notes: &'static [&'static str],
}

impl ShardTerms {
    /// Whether a shard is made on these terms.
    pub fn fit(&self, shard: &Shard) -> bool {
        let mut terms = shard.metadata.clone();
        for note in self.notes {
            terms.remove(*note);
        }
        let has_results = self.results.iter().all(|key| terms.remove(*key).is_some());
        has_results && terms == self.metadata && shard.games.len() as u64 == self.games
    }
}

impl WantedShard {
    /// Reads it if it is there, whole and on its terms, and gives its path beside it. What has its name but is not so is set aside,
    /// which is told to `warn`. One that is whole and not yet published is published, as one that was killed before it would.
    ///
    /// # Errors
    /// What the system says; at a URL, what is published there is damaged or on other terms.
    pub fn find(&self, warn: &dyn Fn(&str)) -> Result<Option<(PathBuf, Shard)>, RecordError> {
        if let Some(path) = self.marked()? {
            let reason = match self.verified(&path)? {
                Ok(shard) => return Ok(Some((path, shard))),
                Err(reason) => reason,
            };
            if self.location.is_mirror() {
                return self.find_again(path, &reason, warn);
            }
            self.set_aside(&path, &reason, warn)?;
        }
        if !self.location.is_mirror() && self.mark().exists() {
            // The file that it names is not there any more.
            fs::remove_file(self.mark()).map_err(|error| RecordError::io(&self.mark(), "remove", error))?;
        }
        for file in find_shards(&self.dir)?.into_iter().filter(|file| file.name == self.name) {
            match self.verified(&file.path)? {
                Ok(shard) => {
                    let path = self.publish(&file.path)?;
                    // Somebody else's may have been published since.
                    return if path == file.path { Ok(Some((path, shard))) } else { self.find(warn) };
                }
                Err(reason) => self.set_aside(&file.path, &reason, warn)?,
            }
        }
        Ok(None)
    }

    /// Brings a mirror's file anew, which somebody has damaged here, or so one must hope.
    fn find_again(
        &self,
        path: PathBuf,
        reason: &str,
        warn: &dyn Fn(&str),
    ) -> Result<Option<(PathBuf, Shard)>, RecordError> {
        warn(&format!("{reason}; it is fetched again"));
        fs::remove_file(&path).map_err(|error| RecordError::io(&path, "remove", error))?;
        if !self.location.has(&path)? {
            return Ok(None);
        }
        let verified = self.verified(&path)?;
        let shard =
            verified.map_err(|reason| RecordError::Unusable(format!("{reason}; it is published so")))?;
        Ok(Some((path, shard)))
    }

    /// Whether it is published; not verified.
    ///
    /// # Errors
    /// The place can't be read.
    pub fn is_there(&self) -> Result<bool, RecordError> {
        Ok(self.location.has(&self.mark())?)
    }

    /// Writes its games and publishes them; gives the file that is published, which is another one where somebody else was first.
    ///
    /// # Errors
    /// As [`write_shard`].
    pub fn write(
        &self,
        games: &[GameRecord],
        metadata: &BTreeMap<String, String>,
    ) -> Result<PathBuf, RecordError> {
        let path = write_shard(&self.dir, &self.name, games, metadata)?;
        let published = self.publish(&path)?;
        if published != path {
            // Nobody will read it.
            fs::remove_file(&path).map_err(|error| RecordError::io(&path, "remove", error))?;
        }
        Ok(published)
    }

    /// Publishes a file of its games; gives the one that is published.
    fn publish(&self, path: &Path) -> Result<PathBuf, RecordError> {
        self.location.share(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if self.location.publish(&self.mark(), format!("{name}\n").as_bytes())? {
            return Ok(path.to_owned());
        }
        let nothing =
            || RecordError::Unusable(format!("{}: it names no file that is there", self.mark().display()));
        self.marked()?.ok_or_else(nothing)
    }

    /// Why a file can't be used, or its games.
    fn verified(&self, path: &Path) -> Result<Result<Shard, String>, RecordError> {
        match read_shard(path) {
            Ok(shard) if self.terms.as_ref().is_none_or(|terms| terms.fit(&shard)) => Ok(Ok(shard)),
            Ok(_) => {
                Ok(Err(format!("{}: it was played by another network, config or version", path.display())))
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

    fn mark(&self) -> PathBuf {
        self.dir.join(mark_name(&self.name))
    }

    /// The file that the mark names, if both are there.
    fn marked(&self) -> Result<Option<PathBuf>, RecordError> {
        if !self.location.has(&self.mark())? {
            return Ok(None);
        }
        let Some(path) = marked(&self.dir, &self.name) else {
            return Ok(None);
        };
        Ok(self.location.has(&path)?.then_some(path))
    }
}

/// The name of a shard's mark: programs that read whole folders of Parquet pass over what begins with an underscore.
pub fn mark_name(shard: &str) -> String {
    format!("_{shard}")
}

/// The file that a shard's mark names, which need not be there.
fn marked(dir: &Path, name: &str) -> Option<PathBuf> {
    let text = fs::read_to_string(dir.join(mark_name(name))).ok()?;
    let path = dir.join(text.trim());
    // A mark of something else, or a damaged one, marks nothing.
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
