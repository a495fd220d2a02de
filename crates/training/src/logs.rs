//! Logs of a run: `metrics.jsonl` and the TensorBoard files. They are derived from reports and
//! ratings. They are rebuilt whenever the run is opened for training or rated.

use crate::ladder::{Strengths, strengths};
use crate::progress::Progress;
use crate::report::GenerationReport;
use crate::run::read_reports;
use crate::tensorboard::Curves;
use crate::{TrainConfig, TrainingError};
use catapult_arena::rating::Rating;
use catapult_store::{StoreError, lock};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Logs of a run, open for writing.
pub(crate) struct Logs {
    path: PathBuf,
    metrics: File,
    tensorboard: Curves,
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

/// Rebuilds the logs of the run in the folder `run`, with its current ratings. If another process
/// uses the run, the logs stay unchanged and `progress` gets a warning. They are then rebuilt when
/// the run is next opened.
///
/// # Errors
/// A report cannot be read, or a log cannot be written.
pub fn refresh_logs(run: &Path, progress: &dyn Progress) -> Result<(), TrainingError> {
    let _lock = match lock(run) {
        Ok(lock) => lock,
        Err(StoreError::InUse(_)) => {
            let run = run.display();
            progress.warn(&format!("{run} is in use: its metrics show the ratings when it is opened again"));
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let mut logs = Logs::open(run, progress)?;
    read_reports(run)?.iter().try_for_each(|report| logs.add(report, progress))
}

impl Logs {
    /// Creates empty logs in the folder `run`, replacing existing ones.
    pub(crate) fn open(run: &Path, progress: &dyn Progress) -> Result<Logs, TrainingError> {
        let path = run.join("metrics.jsonl");
        let metrics = File::create(&path).map_err(|e| StoreError::file(&path, e))?;
        let dir = run.join("tensorboard");
        if dir.exists()
            && let Err(error) = std::fs::remove_dir_all(&dir)
        {
            progress.warn(&format!("{}: {error}; TensorBoard will show old and new curves", dir.display()));
        }
        let (tensorboard, strengths) = (Curves::open(&dir, progress), read_strengths(run, progress));
        Ok(Logs { path, metrics, tensorboard, strengths })
    }

    /// Appends a generation's report and ratings to both logs.
    pub(crate) fn add(
        &mut self,
        report: &GenerationReport,
        progress: &dyn Progress,
    ) -> Result<(), TrainingError> {
        let strengths = self.strengths.points.iter().filter(|point| point.generation == report.generation);
        let strength: BTreeMap<&str, Rating> =
            strengths.map(|point| (point.level.as_str(), point.rating)).collect();
        let mut scalars = report.scalars();
        scalars.extend(strength.iter().flat_map(|(level, rating)| curves(level, rating)));
        let mut line = serde_json::to_string(&Line { report, strength })
            .map_err(|e| StoreError::damaged(&self.path, e))?;
        line.push('\n');
        self.metrics.write_all(line.as_bytes()).map_err(|e| StoreError::file(&self.path, e))?;
        self.tensorboard.add(report.generation, scalars, progress);
        Ok(())
    }
}

/// Reads the ratings of a run. On an error, `progress` gets a warning and the result is empty.
fn read_strengths(run: &Path, progress: &dyn Progress) -> Strengths {
    let config = run.join("config.toml");
    if !config.exists() {
        return Strengths::default();
    }
    TrainConfig::read(&config, &[]).and_then(|config| strengths(run, &config)).unwrap_or_else(|error| {
        progress.warn(&format!("{error}; the logs omit strength"));
        Strengths::default()
    })
}

/// Returns the values of a rating in Elo, each with the name of its TensorBoard curve. They are the
/// estimate and the known ends of its interval, or a bound.
fn curves(level: &str, rating: &Rating) -> Vec<(String, f64)> {
    let [elo, low, high] = rating.elos();
    let estimate = elo.filter(|_| matches!(rating, Rating::Value { .. }));
    let points = [("elo", estimate), ("low", low), ("high", high)];
    points.into_iter().filter_map(|(what, elo)| Some((format!("strength/{what}/{level}"), elo?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Warnings(Mutex<Vec<String>>);

    impl Progress for Warnings {
        fn warn(&self, message: &str) {
            self.0.lock().unwrap().push(message.to_owned());
        }
    }

    #[test]
    fn a_run_goes_on_without_curves_that_cannot_be_written() {
        let dir = tempfile::tempdir().unwrap();
        // A file has the name of the writer's folder.
        std::fs::write(dir.path().join("tensorboard"), "in the way").unwrap();
        let warnings = Warnings::default();
        let report = GenerationReport::default();
        let mut logs = Logs::open(dir.path(), &warnings).unwrap();
        logs.add(&report, &warnings).unwrap();
        drop(logs);
        assert!(warnings.0.lock().unwrap().iter().any(|w| w.contains("TensorBoard")));
        assert_eq!(std::fs::read_to_string(dir.path().join("metrics.jsonl")).unwrap().lines().count(), 1);
    }
}
