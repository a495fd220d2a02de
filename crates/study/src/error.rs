//! Errors of studies.

use catapult_arena::MatchError;
use catapult_mcts::EvaluationError;
use catapult_measures::MeasureError;
use catapult_store::{Stop, StoreError};
use std::path::PathBuf;

/// Error of a study that cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The caller stopped the study. The same command resumes it.
    #[error("stopped; rerun the command to resume")]
    Stopped,
    /// A file or folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A study's file or folder, or a file or folder that the file names, is invalid.
    #[error("{}: {reason}", file.display())]
    Config {
        /// Path of the invalid file or folder.
        file: PathBuf,
        /// Reason as text: the invalid key, its value and the allowed values.
        reason: String,
    },
    /// The folder contains another study, or this study with changes in fixed keys.
    #[error("{} contains another study; choose another folder or undo these changes: {keys}", dir.display())]
    OtherStudy {
        /// Path of the study's folder.
        dir: PathBuf,
        /// The changed keys with both values, as text.
        keys: String,
    },
    /// A metric cannot be computed from the games.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A network could not evaluate a position.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Games of a match or of an ending could not be played.
    #[error("{unit}: {error}")]
    Match {
        /// Name of the unit.
        unit: String,
        /// Reason.
        error: Box<MatchError>,
    },
    /// A network does not exist, or a unit could not be made. The text says why.
    #[error("{0}")]
    Other(String),
    /// An agent could not be trained.
    #[error(transparent)]
    Training(catapult_training::TrainingError),
    /// libtorch or the device failed, or a network does not fit the game.
    #[error(transparent)]
    Network(#[from] catapult_network::NetworkError),
    /// A network's file cannot be used.
    #[error(transparent)]
    Model(#[from] catapult_network::ModelError),
    /// A shard of games cannot be read or written.
    #[error(transparent)]
    Records(#[from] catapult_records::RecordError),
}

impl StudyError {
    /// Returns true if the failure may be temporary, so that a retry, here or on another machine,
    /// may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            StudyError::Stopped => true,
            StudyError::Store(error) => error.is_transient(),
            StudyError::Records(error) => error.is_transient(),
            StudyError::Training(error) => error.is_transient(),
            StudyError::Network(error) => error.is_transient(),
            StudyError::Model(error) => error.is_transient(),
            StudyError::Match { error, .. } => error.is_transient(),
            // For example, a GPU without free memory.
            StudyError::Evaluation(_) => true,
            _ => false,
        }
    }

    /// Creates the error of a unit that cannot be built or read.
    pub(crate) fn unit(name: String, reason: impl std::fmt::Display) -> StudyError {
        StudyError::Other(format!("{name}: {reason}"))
    }

    /// Creates the error of a unit whose file was deleted during the study.
    pub(crate) fn lost(name: String) -> StudyError {
        StudyError::unit(name, "the file was deleted after it was written")
    }
}

impl Stop for StudyError {
    fn stopped() -> StudyError {
        StudyError::Stopped
    }

    fn is_stopped(&self) -> bool {
        matches!(self, StudyError::Stopped)
    }
}

impl From<catapult_training::TrainingError> for StudyError {
    fn from(error: catapult_training::TrainingError) -> StudyError {
        use catapult_training::TrainingError;
        match error {
            TrainingError::Stopped => StudyError::Stopped,
            TrainingError::Store(error) => StudyError::Store(error),
            TrainingError::Config { file, reason } => StudyError::Config { file, reason },
            error => StudyError::Training(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_network::{ModelError, NetworkError};
    use std::io::ErrorKind;

    #[test]
    fn a_disk_that_fails_may_work_again() {
        for (kind, is_transient) in [(ErrorKind::StorageFull, true), (ErrorKind::NotFound, false)] {
            let failed = || ModelError::Io { path: "network.safetensors".into(), source: kind.into() };
            assert_eq!(StudyError::from(failed()).is_transient(), is_transient, "{kind}");
            assert_eq!(StudyError::from(NetworkError::from(failed())).is_transient(), is_transient, "{kind}");
            let error = Box::new(MatchError::Player { name: None, error: failed().into() });
            let in_match = StudyError::Match { unit: "a.b".to_owned(), error };
            assert_eq!(in_match.is_transient(), is_transient, "{kind}");
            assert!(in_match.to_string().starts_with("a.b: network.safetensors"), "{in_match}");
        }
        assert!(StudyError::from(EvaluationError("CUDA out of memory".into())).is_transient());
    }
}
