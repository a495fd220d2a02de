//! Exams: studies of one network. Each gate compares a value with a threshold and has a verdict.
//!
//! [`Exam::study`] generates the study, which runs, resumes and is planned like any other study.
//! Probes (`crate::probes`) measure what games and matches do not show. An exam's folder is a
//! study's folder with `exam.json` and `exam.md` beside `report.html`.

pub(crate) mod beside;
mod gates;
mod size;
mod template;

pub use size::Size;
pub use template::Exam;

use crate::StudyError;
use crate::agents::complete;
use crate::config::read_text;
use crate::folder::Folder;
use crate::plan::{self, Plan};
use crate::progress::{StudyProgress, Work};
use crate::run::look_at;
use crate::units::Stage;
use catapult_endings::{EndingsError, Metric, TableKey, Tables};
use catapult_report::exam::results::{ExamResults, FORMAT};
use catapult_store::{StoreError, Tally, read_json, write_atomically, write_json};
use gates::{Source, left_out};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Name of the file with the results as data, in an exam's folder.
pub const RESULTS_FILE: &str = "exam.json";
/// Name of the page in an exam's folder.
pub const PAGE_FILE: &str = "exam.md";
/// Name of the file with the hash of the examined network, in an exam's folder.
const NETWORK_FILE: &str = "network";

/// Runs an exam in the folder `dir`. Solves missing endgame tablebases, plays games and matches,
/// computes the gates and writes the results. Earlier results in the folder are reused. `command`
/// is printed in the study's report.
///
/// # Errors
/// [`crate::run::run`] fails, a tablebase cannot be solved, or the folder contains the exam of
/// another network. Returns [`StudyError::Stopped`] soon after `stop` becomes true. The same call
/// then resumes.
pub fn run(
    exam: &Exam,
    dir: &Path,
    command: &str,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<ExamResults, StudyError> {
    let study = exam.study()?;
    let template::Learned { examined: games, unexamined, info } = template::learned(&exam.network)?;
    check_network(dir, &info.hash)?;
    let folder = Folder::open(dir, &study)?;
    solve(exam, &template::tables(&study.config), progress, stop)?;
    // Register first. `Folder::open` rejects a folder that holds `network` but no registration.
    folder.register()?;
    let network = dir.join(NETWORK_FILE);
    write_atomically(&network, info.hash.as_bytes()).map_err(|error| StoreError::file(&network, error))?;
    let results = look_at(&study, &folder, command, None, progress, stop)?;
    let networks = complete(&study, &folder)?;
    let config = &study.config;
    let stage = Stage { config, folder: &folder, networks: &networks, tables: None, progress, stop };
    let source = Source {
        results: &results,
        probes: &stage.probes()?,
        size: &exam.size,
        resampling: config.bootstrap(),
    };
    let lines = source.lines();
    let has_suite = config.probes.as_ref().is_some_and(|probes| probes.suite.is_some());
    let found = ExamResults {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        network: exam.name(),
        hash: info.hash,
        quick: exam.size.quick,
        simulations: exam.size.simulations,
        left_out: left_out(&lines, &games, has_suite),
        games,
        unexamined,
        lines,
    };
    write_json(&dir.join(RESULTS_FILE), &found)?;
    let page = dir.join(PAGE_FILE);
    write_atomically(&page, catapult_report::exam::page(&found).as_bytes())
        .map_err(|error| StoreError::file(&page, error))?;
    Ok(found)
}

/// Checks that the folder `dir` does not contain the exam of a network with another hash. The
/// study's file contains only the network's file name, so the games would be replaced.
fn check_network(dir: &Path, hash: &str) -> Result<(), StudyError> {
    let network = dir.join(NETWORK_FILE);
    let before = match read_json::<ExamResults>(&dir.join(RESULTS_FILE)) {
        Ok(found) => found.hash,
        Err(_) if network.exists() => read_text(&network)?,
        Err(_) => return Ok(()),
    };
    if before == hash {
        return Ok(());
    }
    let reason =
        format!("contains the exam of another network ({before:.16}); choose another --output folder");
    Err(StudyError::Config { file: dir.to_owned(), reason })
}

/// Solves the endgame tablebases `keys`, except the ones that exist in the exam's folder of
/// tablebases. Compares all of them with the hashes in their files.
fn solve(
    exam: &Exam,
    keys: &[TableKey],
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<(), StudyError> {
    let tables = Tables::new(&exam.tables);
    let refused = |error| match error {
        EndingsError::Stopped => StudyError::Stopped,
        error => StudyError::Config { file: exam.tables.clone(), reason: error.to_string() },
    };
    let check = |(key, metric): (&TableKey, Metric)| tables.solved(*key, metric).map(drop).map_err(refused);
    let check = || keys.iter().flat_map(|key| Metric::ALL.map(|metric| (key, metric))).try_for_each(check);
    let missing = missing(&tables, keys);
    if missing.is_empty() {
        return check();
    }
    let tally = Arc::new(Tally { units: missing.len() as u64, ..Default::default() });
    let work = Work { name: "endgame tables".into(), tally: Arc::clone(&tally), ..Default::default() };
    progress.stage(&work);
    let solved = missing.iter().try_for_each(|key| {
        tables.solve(*key, &mut |_, _| !stop.load(Ordering::Relaxed)).map_err(refused)?;
        // The number of tables says nothing about the time left, because tables differ.
        tally.count(0, false);
        Ok(())
    });
    progress.stage_done(&work);
    solved.and_then(|()| check())
}

fn missing(tables: &Tables, keys: &[TableKey]) -> Vec<TableKey> {
    let is_missing = |key: &&TableKey| Metric::ALL.into_iter().any(|metric| !tables.has(**key, metric));
    keys.iter().filter(is_missing).copied().collect()
}

/// Expected cost of the work that an exam has left.
#[derive(Clone, PartialEq, Debug)]
pub struct ExamPlan {
    /// Missing endgame tablebases, each with the expected minutes of one core to solve it.
    pub tables: Vec<(TableKey, f64)>,
    /// Expected cost of the exam's study.
    pub study: Plan,
}

/// Estimates the cost of the work that an exam has left. Measures the throughput of this machine by
/// a few seconds of play.
///
/// # Errors
/// [`Exam::study`] or [`plan::plan`] fails, or the folder contains the exam of another network.
pub fn plan(exam: &Exam, dir: &Path) -> Result<ExamPlan, StudyError> {
    let study = exam.study()?;
    check_network(dir, &template::learned(&exam.network)?.info.hash)?;
    let missing = missing(&Tables::new(&exam.tables), &template::tables(&study.config));
    let minutes = |key: TableKey| (key, catapult_endings::Plan::of(key).minutes);
    Ok(ExamPlan { tables: missing.into_iter().map(minutes).collect(), study: plan::plan(&study, dir)? })
}

impl fmt::Display for ExamPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, minutes) in &self.tables {
            writeln!(f, "table {key}: {minutes:.1} minutes on one core")?;
        }
        let minutes: f64 = self.tables.iter().map(|(_, minutes)| minutes).sum();
        if minutes > 0.0 {
            writeln!(f, "all tables: {minutes:.1} minutes on one core; later exams reuse them")?;
        }
        self.study.fmt(f)
    }
}
