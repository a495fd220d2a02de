//! Files of networks and training states: safetensors that contain their own hash.
//!
//! A file is in the safetensors format: an 8-byte little-endian length, a JSON header and the
//! values. Tensors of the type I8 contain multiples of 1/127. The header's key `blake3` contains a
//! hash of the whole file, computed with zeros in place of the hash. Any changed byte is therefore
//! detected. Keys are sorted, so equal content gives equal bytes.

use crate::parameters::embed;
use crate::spec::{ONE, bytes};
use crate::{ModelError, Parameters};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

/// Version of the file formats that this crate reads and writes.
pub const FORMAT: u32 = 1;

/// Name suffix of the weights of global inputs. Their shape is (outputs, inputs).
const GLOBAL_INPUTS: &str = "globals.weight";

const HASH_KEY: &str = "blake3";
const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Returns the format name of a kind of file. `kind` is `network` or `state`.
pub fn format_name(kind: &str) -> String {
    format!("catapult-{kind}-{FORMAT}")
}

/// Returns the BLAKE3 hash of a file in hexadecimal. Records and studies identify a network by this
/// hash.
///
/// # Errors
/// The file cannot be read.
pub fn file_hash(path: &Path) -> Result<String, ModelError> {
    let mut hasher = blake3::Hasher::new();
    let mut file = File::open(path).map_err(io(path))?;
    hasher.update_reader(&mut file).map_err(io(path))?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Returns the BLAKE3 hash of bytes in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> ModelError {
    let path = path.to_owned();
    move |source| ModelError::Io { path, source }
}

pub(crate) fn bad(path: &Path, reason: impl Into<String>) -> ModelError {
    ModelError::BadFile { path: path.to_owned(), reason: reason.into() }
}

/// Metadata in the header of a file: text values by key.
#[derive(Default, Clone)]
pub struct Header(BTreeMap<String, String>);

impl Header {
    /// Sets a key to a string, replacing an earlier value.
    pub fn set(&mut self, key: &str, value: &str) {
        self.0.insert(key.to_string(), value.to_string());
    }

    /// Sets a key to the JSON text of a value, replacing an earlier value.
    #[allow(clippy::expect_used)]
    pub fn set_json(&mut self, key: &str, value: &impl Serialize) {
        // Serialization of sizes, numbers and string maps cannot fail.
        self.set(key, &serde_json::to_string(value).expect("plain data"));
    }

    /// Returns the string of a key. `path` is the name of the file in errors.
    ///
    /// # Errors
    /// The key is missing. The error names the file and the key.
    pub fn get(&self, path: &Path, key: &str) -> Result<&str, ModelError> {
        self.0
            .get(key)
            .map(String::as_str)
            .ok_or_else(|| bad(path, format!("has no {key:?} in its metadata")))
    }

    /// Returns the value of a key, parsed from its JSON text. `path` is the name of the file in
    /// errors.
    ///
    /// # Errors
    /// The key is missing or its value has another type. The error names the file and the key.
    pub fn json<T: DeserializeOwned>(&self, path: &Path, key: &str) -> Result<T, ModelError> {
        serde_json::from_str(self.get(path, key)?)
            .map_err(|error| bad(path, format!("metadata {key:?}: {error}")))
    }
}

#[derive(Serialize, Deserialize)]
struct TensorEntry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

#[derive(Serialize, Deserialize)]
struct SafetensorsHeader {
    #[serde(rename = "__metadata__")]
    metadata: BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, TensorEntry>,
}

/// Content of a file whose hash was verified.
pub struct Loaded {
    /// Metadata in the header of the file.
    pub header: Header,
    /// BLAKE3 hash of the whole file in hexadecimal, as [`file_hash`] returns it.
    pub hash: String,
    tensors: BTreeMap<String, TensorEntry>,
    data: Vec<u8>,
}

/// Writes groups of parameters to a file, atomically. A group's prefix comes before the names of
/// its parameters. `rounded` stores the parameters with [`Spec::bytes`](crate::Spec) in 8 bits.
/// Returns the BLAKE3 hash of the whole file in hexadecimal.
///
/// # Errors
/// The file cannot be written.
pub fn write(
    path: &Path,
    header: Header,
    groups: &[(&str, &Parameters)],
    rounded: bool,
) -> Result<String, ModelError> {
    let bytes = encode(header, groups, rounded);
    catapult_store::write_atomically(path, &bytes).map_err(io(path))?;
    Ok(hash(&bytes))
}

/// Returns the bytes of the file that [`write`] writes.
#[allow(clippy::expect_used)]
pub(crate) fn encode(header: Header, groups: &[(&str, &Parameters)], rounded: bool) -> Vec<u8> {
    let mut tensors = BTreeMap::new();
    let mut data = Vec::new();
    for (prefix, parameters) in groups {
        for spec in parameters.specs() {
            let begin = data.len();
            let values = &parameters.values[spec.range()];
            let in_bytes = rounded && spec.bytes;
            match in_bytes {
                true => data.extend(bytes(values).iter().map(|byte| *byte as u8)),
                false => data.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            }
            let entry = TensorEntry {
                dtype: if in_bytes { "I8" } else { "F32" }.to_string(),
                shape: spec.shape.clone(),
                data_offsets: [begin, data.len()],
            };
            tensors.insert(format!("{prefix}{}", spec.name), entry);
        }
    }
    let mut metadata = header.0;
    metadata.insert(HASH_KEY.to_string(), NO_HASH.to_string());
    let mut text = serde_json::to_string(&SafetensorsHeader { metadata, tensors }).expect("plain data");
    // The format requires values aligned to 8 bytes.
    text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(8) - text.len()));

    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes.extend(&data);
    let place = hash_place(&text).expect("the header contains the hash key");
    let hash = blake3::hash(&bytes).to_hex();
    bytes[place].copy_from_slice(hash.as_bytes());
    bytes
}

/// Returns the byte range of the stored hash in a file with this header. Returns `None` if the
/// header has no hash.
fn hash_place(header: &str) -> Option<std::ops::Range<usize>> {
    let key = format!("\"{HASH_KEY}\":\"");
    let begin = 8 + header.find(&key)? + key.len();
    (begin + NO_HASH.len() <= 8 + header.len()).then(|| begin..begin + NO_HASH.len())
}

/// Reads a file and verifies its hash. `kind` is `network` or `state`.
///
/// # Errors
/// The file cannot be read, is damaged or is of another kind.
pub fn read(path: &Path, kind: &str) -> Result<Loaded, ModelError> {
    of_kind(path, read_any(path)?, kind)
}

/// Returns `loaded` if it is a file of the kind `kind`: `network` or `state`. `path` is the name of
/// the file in errors.
///
/// # Errors
/// The file is of another kind.
pub fn of_kind(path: &Path, loaded: Loaded, kind: &str) -> Result<Loaded, ModelError> {
    let format = loaded.header.get(path, "format")?;
    if format != format_name(kind) {
        return Err(bad(
            path,
            format!("has the format {format:?}; only {:?} can be used here", format_name(kind)),
        ));
    }
    Ok(loaded)
}

/// Reads a file of any kind and verifies its hash.
///
/// # Errors
/// The file cannot be read or is damaged.
pub fn read_any(path: &Path) -> Result<Loaded, ModelError> {
    verified(path, fs::read(path).map_err(io(path))?)
}

/// Verifies the hash of a file of any kind and parses its header. `bytes` is its content. `path` is
/// the name of the file in errors.
///
/// # Errors
/// The bytes are damaged.
pub fn verified(path: &Path, mut bytes: Vec<u8>) -> Result<Loaded, ModelError> {
    let hash = hash(&bytes);
    let damaged = |what: &str| bad(path, format!("is damaged, truncated, or not a Catapult file: {what}"));
    let length = bytes.first_chunk::<8>().map(|length| u64::from_le_bytes(*length));
    let length =
        length.and_then(|length| usize::try_from(length).ok()).ok_or_else(|| damaged("no header"))?;
    let end = length
        .checked_add(8)
        .filter(|&end| end <= bytes.len())
        .ok_or_else(|| damaged("incomplete header"))?;
    let text = std::str::from_utf8(&bytes[8..end]).map_err(|_| damaged("its header is not text"))?;
    let place = hash_place(text).ok_or_else(|| damaged("its header has no hash"))?;

    // The hash comes first, so that nothing unverified is parsed.
    let carried = bytes[place.clone()].to_vec();
    bytes[place].copy_from_slice(NO_HASH.as_bytes());
    let found = blake3::hash(&bytes).to_hex();
    if carried != found.as_bytes() {
        return Err(damaged(&format!(
            "its content has the hash {found}, it should be {}",
            carried.escape_ascii()
        )));
    }
    let header: SafetensorsHeader =
        serde_json::from_slice(&bytes[8..end]).map_err(|error| damaged(&error.to_string()))?;
    Ok(Loaded { header: Header(header.metadata), hash, tensors: header.tensors, data: bytes.split_off(end) })
}

impl Loaded {
    /// Copies tensors of the file into `parameters`. The name of a parameter's tensor is `prefix`,
    /// followed by the parameter's name. `path` is the name of the file in errors. The weights of
    /// global inputs may lack the last inputs, which an earlier layout does not have. These weights
    /// become zero.
    ///
    /// # Errors
    /// A tensor is missing or has another shape or type.
    pub fn fill(&self, path: &Path, prefix: &str, parameters: &mut Parameters) -> Result<(), ModelError> {
        let specs = parameters.specs().to_vec();
        for spec in specs {
            let name = format!("{prefix}{}", spec.name);
            let entry =
                self.tensors.get(&name).ok_or_else(|| bad(path, format!("has no tensor {name:?}")))?;
            let [begin, end] = entry.data_offsets;
            let fits = match (&entry.shape[..], &spec.shape[..]) {
                ([rows, found], [all, inputs]) if spec.name.ends_with(GLOBAL_INPUTS) => {
                    rows == all && found <= inputs
                }
                (found, shape) => found == shape,
            };
            let bytes = self.data.get(begin..end).unwrap_or_default();
            let count = || entry.shape.iter().product::<usize>();
            let values: Vec<f32> = match entry.dtype.as_str() {
                "F32" if fits && bytes.len() == 4 * count() => {
                    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
                }
                "I8" if fits && spec.bytes && bytes.len() == count() => {
                    bytes.iter().map(|byte| f32::from(*byte as i8) / ONE).collect()
                }
                dtype => {
                    let (found, allowed) = (&entry.shape, if spec.bytes { "F32 or I8" } else { "F32" });
                    let reason = format!(
                        "tensor {name:?} is {dtype} {found:?}, it should be {allowed} {:?}",
                        spec.shape
                    );
                    return Err(bad(path, reason));
                }
            };
            embed(&values, &entry.shape, &mut parameters.values[spec.range()], &spec.shape, 1);
        }
        Ok(())
    }

    /// Returns the number of trained values in the tensors whose names start with `prefix`. Running
    /// statistics of batch normalisation are not trained.
    pub fn trained(&self, prefix: &str) -> usize {
        let statistic = |name: &str| name.ends_with(".mean") || name.ends_with(".variance");
        let trained = self.tensors.iter().filter(|(name, _)| name.starts_with(prefix) && !statistic(name));
        trained.map(|(_, entry)| entry.shape.iter().product::<usize>()).sum()
    }
}
