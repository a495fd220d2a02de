//! Log of a run, `metrics.jsonl`. It is derived from reports and ratings, and rebuilt whenever the run
//! is opened for training or rated.

use crate::ladder::{Strengths, strengths};
use crate::progress::Progress;
use crate::report::GenerationReport;
use crate::run::read_reports;
use crate::{TrainConfig, TrainingError};
use catapult_arena::rating::Rating;
use catapult_store::{StoreError, lock};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Log of a run, open for writing.
pub(crate) struct Log {
    path: PathBuf,
    metrics: File,
    strengths: Strengths,
}

/// Line of `metrics.jsonl`: one generation's report and ratings.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    report: &'a GenerationReport,
    /// Ratings by [`Strength::level`](crate::ladder::Strength::level). Empty if the generation has
    /// not been rated.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    strength: BTreeMap<&'a str, Rating>,
}

/// Rebuilds the log of the run in the folder `run`, with its current ratings. If another process uses
/// the run, the log stays unchanged and `progress` gets a warning. It is then rebuilt when the run is
/// next opened.
///
/// # Errors
/// A report cannot be read, or the log cannot be written.
pub fn refresh_log(run: &Path, progress: &dyn Progress) -> Result<(), TrainingError> {
    let _lock = match lock(run) {
        Ok(lock) => lock,
        Err(StoreError::InUse(_)) => {
            let run = run.display();
            progress.warn(&format!("{run} is in use: its metrics show the ratings when it is opened again"));
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let mut log = Log::open(run, progress)?;
    read_reports(run)?.iter().try_for_each(|report| log.add(report))
}

impl Log {
    /// Creates an empty log in the folder `run`, replacing an existing one.
    pub(crate) fn open(run: &Path, progress: &dyn Progress) -> Result<Log, TrainingError> {
        let path = run.join("metrics.jsonl");
        let metrics = File::create(&path).map_err(|e| TrainingError::file(&path, e))?;
        Ok(Log { path, metrics, strengths: read_strengths(run, progress) })
    }

    /// Appends a generation's report and ratings.
    pub(crate) fn add(&mut self, report: &GenerationReport) -> Result<(), TrainingError> {
        let strengths = self.strengths.points.iter().filter(|point| point.generation == report.generation);
        let strength: BTreeMap<&str, Rating> =
            strengths.map(|point| (point.level.as_str(), point.rating)).collect();
        let mut line = serde_json::to_string(&Line { report, strength })
            .map_err(|e| TrainingError::damaged(&self.path, e))?;
        line.push('\n');
        self.metrics.write_all(line.as_bytes()).map_err(|e| TrainingError::file(&self.path, e))
    }
}

/// Reads the ratings of a run. On an error, `progress` gets a warning and the result is empty.
fn read_strengths(run: &Path, progress: &dyn Progress) -> Strengths {
    let config = run.join("config.toml");
    if !config.exists() {
        return Strengths::default();
    }
    TrainConfig::read(&config, &[]).and_then(|config| strengths(run, &config)).unwrap_or_else(|error| {
        progress.warn(&format!("{error}; the log is without strength"));
        Strengths::default()
    })
}
