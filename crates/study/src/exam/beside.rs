//! Reading of the exam results that lie beside the files of a study's networks.

use crate::StudyError;
use crate::agents::{NetworkFile, Networks};
use crate::progress::StudyProgress;
use catapult_measures::data::{Checkpoint, NetworkId};
use catapult_report::exam::results::{ExamResults, FORMAT};
use catapult_report::results::{ExamGates, NetworkExam};
use catapult_store::read_json;

/// Returns an entry for each network of the study's last checkpoint. Its exam is read from
/// `NAME.exam.json` beside `NAME.safetensors`. Its `gates` are `None` if there is no such file. An
/// exam of another network or format causes a warning and is ignored.
///
/// # Errors
/// An exam's file cannot be read or parsed.
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
