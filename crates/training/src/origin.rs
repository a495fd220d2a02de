//! Origin of a fork: the run that it continues.

use crate::{TrainConfig, TrainingError};
use catapult_store::{read_json, write_json};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Origin of a fork.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// Last generation that it shares with its trunk.
    pub generation: u32,
    /// BLAKE3 of the trunk's network of that generation.
    pub network: String,
    /// Config of the trunk.
    pub trunk: TrainConfig,
}

impl Fork {
    /// Reads the origin of a run. `None` if the run is not a fork.
    ///
    /// # Errors
    /// Its `fork.json` cannot be read.
    pub fn of(dir: &Path) -> Result<Option<Fork>, TrainingError> {
        let path = path(dir);
        Ok(if path.exists() { Some(read_json(&path)?) } else { None })
    }

    /// Writes the origin to a folder.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), TrainingError> {
        Ok(write_json(&path(dir), self)?)
    }
}

fn path(dir: &Path) -> PathBuf {
    dir.join("fork.json")
}
