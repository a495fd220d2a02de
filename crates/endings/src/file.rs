//! Tables on disk, one file per table and metric: `KRvK-attacker-two.mate`.
//!
//! ```text
//! "CATEND01", length of the header (u32), the header (JSON: table, metric, bytes per code, counts)
//! by side to move (White first) and placement of the catapults: a block of codes (zstd)
//! the lengths of these blocks (u32 each), the BLAKE3 hash of everything before
//! ```
//!
//! Numbers are little-endian. Code 0 is a draw or an illegal position. Other codes depend on the
//! metric:
//!
//! * `mate`: DTM in plies + 1. An odd DTM is a win of the side to move, an even DTM a loss.
//! * `clock`: DTZ in plies + 1 for a win of the side to move, and DTZ + 102 for a loss.

use crate::bitboards::TableRules;
use crate::count::Counts;
use crate::error::EndingsError;
use crate::key::TableKey;
use crate::layer::Layer;
use crate::space::Men;
use crate::value::{Codes, Metric, Value};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

const MAGIC: &[u8; 8] = b"CATEND01";
const HASH: u64 = 32;
const LEVEL: i32 = 6;
/// Number of blocks that are compressed in parallel and then written.
const BATCH: usize = 256;
/// Maximum length of a header in bytes. It bounds the allocation if the length is damaged.
const LONGEST_HEADER: u32 = 1 << 20;

/// JSON header of a table's file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    pub table: String,
    pub metric: String,
    /// Bytes per code: 1 or 2.
    pub width: usize,
    pub counts: Counts,
}

/// Returns the path of a table's file.
pub(crate) fn path_of(dir: &Path, key: TableKey, metric: Metric) -> PathBuf {
    dir.join(format!("{key}.{}", metric.name()))
}

/// Writes a table.
pub(crate) fn write(path: &Path, layer: &Layer) -> Result<(), EndingsError> {
    let Layer { rules, metric, codes } = layer;
    let block = rules.space.slice() * 64;
    let width = codes.iter().map(Codes::width).max().unwrap_or(1);
    let (table, metric) = (rules.key.to_string(), metric.name().to_owned());
    let header = Header { table, metric, width, counts: layer.count() };
    let header = serde_json::to_vec(&header).map_err(|e| EndingsError::damaged(path, e))?;
    catapult_store::write_atomically_with(path, |file| {
        let (mut out, mut hasher) = (io::BufWriter::new(file), blake3::Hasher::new());
        let mut put = |bytes: &[u8]| {
            hasher.update(bytes);
            out.write_all(bytes)
        };
        put(MAGIC)?;
        put(&(header.len() as u32).to_le_bytes())?;
        put(&header)?;
        let mut lengths = Vec::new();
        for codes in codes {
            for first in (0..rules.space.sets.len()).step_by(BATCH) {
                let last = (first + BATCH).min(rules.space.sets.len());
                let compressed: Vec<Vec<u8>> = (first..last)
                    .into_par_iter()
                    .map(|set| {
                        zstd::bulk::compress(&bytes(codes, set * block..(set + 1) * block, width), LEVEL)
                    })
                    .collect::<io::Result<_>>()?;
                for bytes in compressed {
                    lengths.extend((bytes.len() as u32).to_le_bytes());
                    put(&bytes)?;
                }
            }
        }
        put(&lengths)?;
        out.write_all(hasher.finalize().as_bytes())?;
        out.flush()
    })
    .map_err(|e| EndingsError::file(path, e))
}

fn bytes(codes: &Codes, range: std::ops::Range<usize>, width: usize) -> Vec<u8> {
    match (codes, width) {
        (Codes::Narrow(codes), 1) => codes[range].to_vec(),
        _ => range.flat_map(|position| codes.get(position).to_le_bytes()).collect(),
    }
}

/// An open file of a table. [`TableFile::value`] reads one block at a time, and [`TableFile::load`]
/// reads all blocks.
pub(crate) struct TableFile {
    path: PathBuf,
    pub header: Header,
    /// BLAKE3 hash at the end of the file, in hexadecimal.
    pub hash: String,
    rules: TableRules,
    metric: Metric,
    /// Offset in bytes of each block, then of the end of the last block.
    starts: Vec<u64>,
    reader: Mutex<Reader>,
}

struct Reader {
    file: File,
    /// Last decompressed block and its number, by side to move.
    last: [Option<(usize, Vec<u8>)>; 2],
}

impl TableFile {
    /// Opens the file of the table with this key and metric. Checks the header, the block lengths
    /// and the hash. A damaged block could otherwise decompress to wrong values.
    pub(crate) fn open(path: &Path, key: TableKey, metric: Metric) -> Result<TableFile, EndingsError> {
        let named = |e: io::Error| EndingsError::file(path, e);
        let damaged = |reason: &str| EndingsError::damaged(path, reason);
        let mut file = File::open(path).map_err(named)?;
        let length = file.metadata().map_err(named)?.len();
        let mut start = [0; 12];
        file.read_exact(&mut start).map_err(|_| damaged("is too short for a table"))?;
        let header_length = u32::from_le_bytes([start[8], start[9], start[10], start[11]]);
        if start[..8] != *MAGIC || header_length > LONGEST_HEADER {
            return Err(damaged("is not a table of this version"));
        }
        let mut header = vec![0; header_length as usize];
        file.read_exact(&mut header).map_err(|_| damaged("ends within its header"))?;
        let header: Header =
            serde_json::from_slice(&header).map_err(|e| damaged(&format!("its header: {e}")))?;
        if (header.table.as_str(), header.metric.as_str()) != (key.to_string().as_str(), metric.name())
            || !matches!(header.width, 1 | 2)
        {
            return Err(damaged(&format!("holds {} by {} instead", header.table, header.metric)));
        }
        let rules = TableRules::of(key);
        let blocks = rules.space.sets.len() as u64 * 2;
        let first = 12 + u64::from(header_length);
        let end = length.checked_sub(HASH + 4 * blocks).filter(|end| *end >= first);
        let end = end.ok_or_else(|| damaged("is too short for its blocks"))?;
        file.seek(SeekFrom::Start(end)).map_err(named)?;
        let mut lengths = vec![0; blocks as usize * 4];
        file.read_exact(&mut lengths).map_err(named)?;
        let mut starts = vec![first];
        for length in lengths.chunks_exact(4) {
            let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
            starts.push(starts[starts.len() - 1] + u64::from(length));
        }
        if starts.last() != Some(&end) {
            return Err(damaged("its blocks have other lengths than it says"));
        }
        file.rewind().map_err(named)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader((&file).take(length - HASH)).map_err(named)?;
        let (found, mut written) = (hasher.finalize(), [0; HASH as usize]);
        file.read_exact(&mut written).map_err(named)?;
        let written = blake3::Hash::from_bytes(written);
        if found != written {
            return Err(damaged(&format!("its hash is {found}, it was written as {written}")));
        }
        let (path, hash) = (path.to_owned(), found.to_string());
        let reader = Mutex::new(Reader { file, last: [None, None] });
        Ok(TableFile { path, header, hash, rules, metric, starts, reader })
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.reader.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Reads and decompresses the block with this number.
    fn block(&self, reader: &mut Reader, block: usize) -> Result<Vec<u8>, EndingsError> {
        let (start, end) = (self.starts[block], self.starts[block + 1]);
        let mut compressed = vec![0; (end - start) as usize];
        let read =
            reader.file.seek(SeekFrom::Start(start)).and_then(|_| reader.file.read_exact(&mut compressed));
        read.map_err(|e| EndingsError::file(&self.path, e))?;
        let size = self.rules.space.slice() * 64 * self.header.width;
        let codes = zstd::bulk::decompress(&compressed, size)
            .map_err(|e| EndingsError::damaged(&self.path, format!("block {block}: {e}")))?;
        if codes.len() != size {
            return Err(EndingsError::damaged(&self.path, format!("block {block} is too short")));
        }
        Ok(codes)
    }

    /// Returns the value of a position for the side to move. `side` is 0 for White and 1 for Black,
    /// and `black` is the square of Black's king.
    pub(crate) fn value(&self, side: usize, men: Men, black: u8) -> Result<Value, EndingsError> {
        let position = self.rules.space.locate(men, black);
        let length = self.rules.space.slice() * 64;
        let block = side * self.rules.space.sets.len() + position / length;
        let at = position % length * self.header.width;
        let mut reader = self.reader();
        let codes = match reader.last[side].take() {
            Some((last, codes)) if last == block => codes,
            _ => self.block(&mut reader, block)?,
        };
        let code = match self.header.width {
            1 => u16::from(codes[at]),
            _ => u16::from_le_bytes([codes[at], codes[at + 1]]),
        };
        reader.last[side] = Some((block, codes));
        Ok(self.metric.value(code))
    }

    /// Reads the whole table into memory.
    pub(crate) fn load(self) -> Result<Layer, EndingsError> {
        let sets = self.rules.space.sets.len();
        let mut reader = self.reader();
        let mut side = |side: usize| -> Result<Codes, EndingsError> {
            let mut all: Vec<u8> = Vec::with_capacity(self.rules.space.words() * 64 * self.header.width);
            for set in 0..sets {
                all.extend(self.block(&mut reader, side * sets + set)?);
            }
            let wide = || all.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
            Ok(if self.header.width == 1 { Codes::Narrow(all) } else { Codes::Wide(wide()) })
        };
        let codes = [side(0)?, side(1)?];
        drop(reader);
        Ok(Layer { rules: self.rules, metric: self.metric, codes })
    }
}
