//! A study from its file to its report.

use crate::StudyError;
use crate::agents::{Networks, prepare};
use crate::arms::in_words;
use crate::config::StudyFile;
use crate::exact::check_tables;
use crate::folder::Folder;
use crate::judge::judge;
use crate::matches::EquivalenceMatch;
use crate::metrics::{METRICS, StudyInput, measure};
use crate::play::Stage;
use crate::progress::Progress;
use crate::report;
use crate::results::{Equivalence, StudyResults};
use crate::stats::{Resampling, equivalence};
use crate::units::seed_of;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Trains or takes a study's agents, plays its games and matches, measures, judges, and writes the report: whatever of it is
/// not done yet. `command` is what the report says to type.
///
/// # Errors
/// [`StudyError::Stopped`] soon after `stop` becomes true: what is whole stays, and the same call goes on from there.
/// Everything else names the file, key or cell at fault.
pub fn run(
    study: &StudyFile,
    dir: &Path,
    command: &str,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<StudyResults, StudyError> {
    let config = &study.config;
    let folder = Folder::open(dir, study)?;
    let tables = config.endings.as_ref().map(|endings| study.resolve(&endings.tables));
    if let Some(tables) = &tables {
        check_tables(config, tables)?;
    }
    let networks = prepare(study, &folder, progress, stop)?;
    folder.register()?;
    let stage = Stage { config, folder: &folder, networks: &networks, progress, stop };
    stage.play()?;
    let strengths = stage.strengths()?;
    let population = stage.populations()?;
    let worth = stage.worths()?;
    let endings = tables.map_or(Ok(Vec::new()), |tables| stage.endings(&tables))?;
    let matches = stage.equivalences()?;
    let cells = stage.read()?;
    let analyses = stage.analyses(&cells)?;

    let resampling =
        Resampling { replicates: config.resampling.replicates, seed: seed_of(config.seed, "resampling") };
    let measured = measure(&StudyInput {
        cells: &cells,
        analyses: &analyses,
        strengths: &strengths,
        population: &population,
        worth: &worth,
        endings: &endings,
        control: config.control,
        sampled_plies: config.games.sampled_plies,
        resampling,
    })?;
    let judgements = judge(&config.endpoints, &measured.measures, &strengths, METRICS);
    let mut results = StudyResults {
        name: config.name.clone(),
        title: config.title.clone(),
        provenance: provenance(study, &folder, &networks, command),
        arms: config.arms.iter().map(|arm| (arm.to_string(), in_words(*arm))).collect(),
        strengths,
        population,
        worth,
        endings,
        deep_levels: config.deep_levels(),
        equivalences: judged(matches, config.equivalence.as_ref().map_or(0.0, |e| e.margin)),
        judgements,
        ..measured
    };
    if !folder.changes().is_empty() {
        results.warnings.push(format!(
            "The study's file has changed since it was registered before the first game: {}.",
            folder.changes().join(", ")
        ));
    }
    report::write(&results, folder.dir())?;
    Ok(results)
}

fn judged(matches: Vec<EquivalenceMatch>, margin: f64) -> Vec<Equivalence> {
    let judge = |EquivalenceMatch { arm, shared, dedicated, simulations, result }| {
        let verdict = equivalence(&result.pairs, margin);
        Equivalence { arm, shared, dedicated, simulations, margin, result, verdict }
    };
    matches.into_iter().map(judge).collect()
}

/// Where the results come from, by name, as printed.
fn provenance(
    study: &StudyFile,
    folder: &Folder,
    networks: &Networks,
    command: &str,
) -> BTreeMap<String, String> {
    let config = &study.config;
    let changes = match folder.changes() {
        [] => "no".to_owned(),
        changes => changes.join(", "),
    };
    let mut provenance: BTreeMap<String, String> = [
        ("command", command.to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("study's file (BLAKE3)", folder.hash().to_owned()),
        ("study's file when registered, before the first game (BLAKE3)", folder.registered_hash().to_owned()),
        ("study's file changed since", changes),
        ("seed", config.seed.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    for (network, checkpoint, file) in networks.iter() {
        provenance.insert(format!("network {network}, {checkpoint} (BLAKE3)"), file.hash.clone());
    }
    provenance
}
