//! Where a run comes from that goes on from another one.

use crate::{TrainConfig, TrainingError};
use catapult_store::{read_json, write_json};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Where a fork comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// The last generation that it has in common with its trunk.
    pub generation: u32,
    /// BLAKE3 of the trunk's network of that generation.
    pub network: String,
    /// What the trunk was trained by.
    pub trunk: TrainConfig,
}

impl Fork {
    /// Where a run comes from, if it is a fork.
    ///
    /// # Errors
    /// Its `fork.json` can't be read.
    pub fn of(dir: &Path) -> Result<Option<Fork>, TrainingError> {
        let path = path(dir);
        Ok(if path.exists() { Some(read_json(&path)?) } else { None })
    }

    /// Writes it to a folder.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), TrainingError> {
        Ok(write_json(&path(dir), self)?)
    }
}

fn path(dir: &Path) -> PathBuf {
    dir.join("fork.json")
}
