//! A study from its file to its report.

use crate::StudyError;
use crate::agents::{Networks, prepare};
use crate::config::StudyFile;
use crate::exact::check_tables;
use crate::folder::Folder;
use crate::looks::{self, Seeds};
use crate::matches::MatchUnit;
use crate::progress::StudyProgress;
use crate::stages::stages;
use crate::units::Stage;
use catapult_judge::results::Withheld;
use catapult_judge::{Case, SIGNIFICANT, judge};
use catapult_measures::examples::choose;
use catapult_measures::in_words;
use catapult_measures::metrics::{StudyInput, measure};
use catapult_report as report;
use catapult_report::results::StudyResults;
use catapult_rules::Variant;
use catapult_seeds::Stream;
use catapult_stats::Resampling;
use catapult_store::Location;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Trains or takes a study's agents, plays its games and matches, measures, judges, and writes the report: whatever of it is
/// not done yet. `command` is what the report says to type. While registered seeds are missing it does as [`variances`].
///
/// # Errors
/// [`StudyError::Stopped`] soon after `stop` becomes true: what is whole stays, and the same call goes on from there.
/// Everything else names the file, key or cell at fault.
pub fn run(
    study: &StudyFile,
    location: impl Into<Location>,
    command: &str,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<StudyResults, StudyError> {
    let folder = Folder::open(location, study)?;
    look_at(study, &folder, command, None, progress, stop)
}

/// The same, but only the scatter between training seeds is told, and no effect: how many seeds each claim needs. Such a look
/// spends nothing of the level of significance. The results hold the judgements, withheld, and how often was looked; no report is
/// written.
///
/// # Errors
/// As [`run`].
pub fn variances(
    study: &StudyFile,
    location: impl Into<Location>,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<StudyResults, StudyError> {
    let folder = Folder::open(location, study)?;
    look_at(study, &folder, "", Some(Withheld::VariancesOnly), progress, stop)
}

/// `withheld` says why no effect is reported.
fn look_at(
    study: &StudyFile,
    folder: &Folder,
    command: &str,
    withheld: Option<Withheld>,
    progress: &dyn StudyProgress,
    stop: &AtomicBool,
) -> Result<StudyResults, StudyError> {
    let config = &study.config;
    let tables = config.endings.as_ref().map(|endings| study.resolve(&endings.tables));
    if let Some(tables) = &tables {
        check_tables(config, tables)?;
    }
    let networks = prepare(study, folder, progress, stop)?;
    folder.register()?;
    let stage = Stage::new(config, folder, &networks, tables.as_deref(), progress, stop);
    for plan in stages(config) {
        stage.build(&plan)?;
    }
    let strengths = stage.strengths(&MatchUnit::strength(config))?;
    let worth = stage.strengths(&MatchUnit::worth(config))?;
    let population = stage.populations()?;
    let equivalences = stage.equivalences()?;
    let endings = stage.endings()?;
    let analyses = stage.analyses()?;
    let cells = stage.games()?;

    let resampling =
        Resampling { replicates: config.resampling.replicates, seed: Stream::Resampling.seed(config.seed) };
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

    let seeds = Seeds::new(config, folder.registered_config());
    let withheld = seeds.missing().or(withheld);
    let look = looks::present(config, &networks, withheld.is_some());
    // Before anything is shown.
    let registration = looks::record(folder, look, &seeds)?;
    let mut warnings = seeds.warnings();
    warnings.extend(looks::told(&registration));
    if !folder.changes().is_empty() {
        warnings.push(format!(
            "The study's file has changed since it was registered before the first game: {}.",
            folder.changes().join(", ")
        ));
    }
    let judgements = judge(
        &config.endpoints,
        &Case {
            design: &config.design(folder.registered_config()),
            measures: &measured.measures,
            strengths: &strengths,
            placebos: &measured.placebos,
            // What is withheld is planned for a single look.
            alpha: if withheld.is_some() { SIGNIFICANT } else { registration.alpha },
            scheme: folder.registered_config().scheme(),
            withheld: withheld.as_ref(),
        },
    );
    // Where effects are withheld, only what is registered and needed is told.
    let found = if withheld.is_some() {
        StudyResults::default()
    } else {
        warnings.splice(0..0, measured.warnings);
        let claimed: Vec<Variant> = config.endpoints.iter().map(|endpoint| endpoint.arm).collect();
        StudyResults {
            measures: measured.measures,
            contrasts: measured.contrasts,
            figures: measured.figures,
            curves: measured.curves,
            heat_maps: measured.heat_maps,
            tables: measured.tables,
            placebos: measured.placebos,
            strengths,
            population,
            worth,
            endings,
            equivalences,
            examples: choose(&cells, &claimed, config.control, config.games.sampled_plies)?,
            ..StudyResults::default()
        }
    };
    let results = StudyResults {
        name: config.name.clone(),
        title: config.title.clone(),
        provenance: provenance(study, folder, &networks, command),
        arms: config.arms.iter().map(|arm| (arm.to_string(), in_words(*arm))).collect(),
        deep_levels: config.deep_levels(),
        judgements,
        registration,
        warnings,
        ..found
    };
    if withheld.is_none() {
        report::write(&results, folder.dir())?;
    }
    Ok(results)
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
