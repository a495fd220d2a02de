//! Exams beside the files of networks.

use crate::StudyError;
use crate::agents::{NetworkFile, Networks};
use crate::progress::StudyProgress;
use catapult_measures::data::{Checkpoint, NetworkId};
use catapult_report::exam::results::{ExamResults, FORMAT};
use catapult_report::results::{ExamGates, NetworkExam};
use catapult_store::read_json;

/// Returns the exams of a study's last networks, read from `NAME.exam.json` beside
/// `NAME.safetensors`. An exam of another file or format causes a warning and counts as none.
///
/// # Errors
/// An exam cannot be read.
pub(crate) fn exams(
    networks: &Networks,
    progress: &dyn StudyProgress,
) -> Result<Vec<NetworkExam>, StudyError> {
    let last = networks.iter().filter(|(_, checkpoint, _)| *checkpoint == Checkpoint::Last);
    let read = |(network, _, file): (&NetworkId, _, &NetworkFile)| {
        let network = network.clone();
        let path = file.path.with_extension("exam.json");
        if !path.exists() {
            return Ok(NetworkExam { network, gates: None });
        }
        let exam: ExamResults = read_json(&path)?;
        if exam.hash != file.hash || exam.format != FORMAT {
            progress
                .warn(&format!("{}: an exam of another network or format; it is ignored", path.display()));
            return Ok(NetworkExam { network, gates: None });
        }
        let [passed, failed, unresolved] = exam.counts();
        Ok(NetworkExam { network, gates: Some(ExamGates { passed, failed, unresolved, quick: exam.quick }) })
    };
    last.map(read).collect()
}
