//! What was found, put together.

use super::runs::Trained;
use super::{AblationFile, AblationResults, Played, RunTime, config, effects, text};
use crate::StudyError;
use crate::folder::Folder;
use catapult_network::file_hash;
use std::collections::BTreeMap;
use std::path::Path;

/// Puts together what was found, and how long it took.
pub(super) fn collect(
    file: &AblationFile,
    folder: &Folder,
    command: &str,
    trained: Trained,
    played: &Played,
) -> Result<(AblationResults, Vec<RunTime>), StudyError> {
    let plan = &file.config;
    let mut results = AblationResults {
        name: plan.name.clone(),
        question: plan.question.clone(),
        provenance: provenance(file, folder, command)?,
        control: plan.control.clone(),
        arms: plan.arms.iter().map(|arm| (arm.name.clone(), config::settings(&arm.set))).collect(),
        seeds: plan.seeds.clone(),
        fork: plan.fork,
        budget: plan.budget,
        simulations: plan.matches.simulations,
        effects: effects(&played.control, |_| plan.control.clone()),
        opponents: effects(&played.opponents, |found| found.opponent.clone()),
        runs: trained.runs,
        warnings: Vec::new(),
    };
    results.warnings = text::warnings(&results, &changed(folder));
    Ok((results, trained.times))
}

/// What has changed in the plan's file since it was registered.
fn changed(folder: &Folder) -> Vec<String> {
    folder.changes().iter().map(ToString::to_string).collect()
}

fn provenance(
    file: &AblationFile,
    folder: &Folder,
    command: &str,
) -> Result<BTreeMap<String, String>, StudyError> {
    let base = file.path.parent().unwrap_or(Path::new("")).join(&file.config.base);
    let in_all = match &config::settings(&file.config.set)[..] {
        [] => "none".to_owned(),
        settings => settings.join(", "),
    };
    let changes = match folder.changes() {
        [] => "no".to_owned(),
        _ => changed(folder).join(", "),
    };
    let entries = [
        ("command", command.to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("plan's file (BLAKE3)", folder.hash().to_owned()),
        ("plan's file when registered, before the first game (BLAKE3)", folder.registered_hash().to_owned()),
        ("plan's file changed since", changes),
        ("training config of all arms", file.config.base.display().to_string()),
        ("training config (BLAKE3)", file_hash(&base)?),
        ("keys of it that are other ones in all arms", in_all),
    ];
    Ok(entries.map(|(name, value)| (name.to_owned(), value)).into())
}
