//! Origin of a fork: the run from which it continues.

use crate::{TrainConfig, TrainingError};
use catapult_store::{read_json, write_json};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Origin of a fork, stored in `fork.json`. The *trunk* is the run from which the fork continues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// Number of the last generation that the fork shares with its trunk.
    pub generation: u32,
    /// BLAKE3 of the network of `generation`, in hexadecimal.
    pub network: String,
    /// Config of the trunk.
    pub trunk: TrainConfig,
}

impl Fork {
    /// Reads the origin of the run in the folder `dir`. Returns `None` if the run is not a fork.
    ///
    /// # Errors
    /// `fork.json` exists but cannot be read.
    pub fn of(dir: &Path) -> Result<Option<Fork>, TrainingError> {
        let path = path(dir);
        Ok(if path.exists() { Some(read_json(&path)?) } else { None })
    }

    /// Writes the origin to `fork.json` in the folder `dir`.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), TrainingError> {
        Ok(write_json(&path(dir), self)?)
    }
}

fn path(dir: &Path) -> PathBuf {
    dir.join("fork.json")
}
