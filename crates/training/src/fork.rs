//! Forks: runs that continue from a generation of another run, the *trunk*. The fork's config may
//! differ from the trunk's.
//!
//! A fork's folder is a run directory. It contains the trunk's generations up to the fork, as hard
//! links if the file system allows it. `fork.json` contains the trunk's config and the number of
//! the generation ([`Fork`]). The fork's own config applies to all later generations. If they learn
//! from the trunk's games, the fork's config also determines the training targets.

use crate::archive::entries_of;
use crate::run::{generation_dir, read_report};
use crate::{Fork, TrainConfig, TrainingError};
use catapult_store::{
    BadSetting, Difference, StoreError, UNFINISHED, differences, make_folder, write_atomically,
};
use std::fs;
use std::path::Path;

/// Creates the folder `dir` of a fork, atomically. The fork continues from `generation` of the run
/// `trunk`, with `config`. If `dir` exists, it must contain a fork from the same generation and
/// network. The fork is then not changed, and its config is not compared with `config`.
///
/// # Errors
/// `config` differs from the trunk's in a key that must not change. The trunk has not completed
/// `generation`, or no longer has its training state. The trunk is a fork whose games after its own
/// trunk's have other settings. `config.search.considered` is too large. `dir` contains a fork from
/// another generation or network, or no fork.
pub fn fork(trunk: &Path, generation: u32, config: &TrainConfig, dir: &Path) -> Result<(), TrainingError> {
    let refused = |reason: String| TrainingError::config(dir, reason);
    let before = TrainConfig::read(&trunk.join("config.toml"), &[])?;
    check_fork(&before, config, generation).map_err(|bad| refused(bad.into()))?;
    let Some(report) = read_report(trunk, generation)? else {
        let reason = format!("generation {generation} is not complete, so no run can fork from it");
        return Err(TrainingError::config(trunk, reason));
    };
    let mut made = Fork { generation, network: report.network, trunk: before };
    if dir.exists() {
        return match Fork::of(dir)? {
            Some(found) if found.network == made.network && found.generation == generation => Ok(()),
            Some(found) => Err(refused(format!(
                "it is a fork of generation {} with network {}, not of generation {generation} with {}",
                found.generation, found.network, made.network
            ))),
            None => Err(TrainingError::Taken(dir.to_owned())),
        };
    }
    if !generation_dir(trunk, generation).join("state.safetensors").exists() {
        let reason = format!("generation {generation} has no training state, so no run can fork from it");
        return Err(TrainingError::config(trunk, reason));
    }
    match Fork::of(trunk)? {
        // The first trunk played all games that the new fork takes over.
        Some(earlier) if generation <= earlier.generation => made.trunk = earlier.trunk,
        Some(earlier) if earlier.generation > 0 => {
            // A fork plays lost games again by the config of one trunk.
            let mut differing = differences(&earlier.trunk, &made.trunk);
            differing.retain(|it| it.is_under(&["games", "selfplay", "search"]));
            if !differing.is_empty() {
                let keys: Vec<String> = differing.iter().map(ToString::to_string).collect();
                let reason = format!(
                    "it is itself a fork, and its games have other settings than its trunk's, so no run can \
                     fork from generation {generation}: {}",
                    keys.join(", ")
                );
                return Err(TrainingError::config(trunk, reason));
            }
        }
        _ => {}
    }
    config.check_considered().map_err(|bad| refused(bad.into()))?;
    make_folder(dir, |whole| {
        for generation in 0..=generation {
            copy(&generation_dir(trunk, generation), &generation_dir(whole, generation))?;
        }
        let text = toml::to_string(config).map_err(|e| refused(e.to_string()))?;
        let path = whole.join("config.toml");
        write_atomically(&path, text.as_bytes()).map_err(|e| StoreError::file(&path, e))?;
        made.write(whole)
    })
}

/// Copies a folder, except temporary and damaged files. Files are hard-linked if possible, because
/// the files of a generation never change.
fn copy(from: &Path, to: &Path) -> Result<(), TrainingError> {
    fs::create_dir_all(to).map_err(|e| StoreError::file(to, e))?;
    for path in entries_of(from)? {
        let Some(name) = path.file_name() else { continue };
        let target = to.join(name);
        if path.is_dir() {
            copy(&path, &target)?;
            continue;
        }
        let text = name.to_string_lossy();
        if text.starts_with(UNFINISHED) || text.contains(".damaged") {
            continue;
        }
        if fs::hard_link(&path, &target).is_err() {
            fs::copy(&path, &target).map_err(|e| StoreError::file(&target, e))?;
        }
    }
    Ok(())
}

/// Keys that a fork must not change, each with the reason for its error message.
const LASTING: [(&[&str], &str); 8] = [
    (&["name"], "keeps the trunk's name"),
    (&["seed"], "keeps its random seed"),
    (&["variant", "variants"], "keeps its variants"),
    (&["initial"], "keeps its initial network"),
    (&["network"], "keeps its architecture; start a new run to change it"),
    (&["budget"], "keeps the rest of its budget"),
    (&["window.rows_per_game", "window.high_clock", "window.high_clock_rows"], "keeps its training samples"),
    (&["learning.optimizer.kind"], "keeps its optimizer state"),
];

/// Checks that a fork's config differs from its trunk's only in keys that may change. `generation`
/// appears only in the error message.
///
/// # Errors
/// A key that must not change differs. The error has the key, the fork's value and the trunk's
/// value.
pub fn check_fork(trunk: &TrainConfig, fork: &TrainConfig, generation: u32) -> Result<(), BadSetting> {
    let mut differing = differences(trunk, fork);
    if trunk.variants() == fork.variants() {
        // `variant` and a `variants` list with one entry are equivalent.
        differing.retain(|difference| !difference.is_under(&["variant", "variants"]));
    }
    for (keys, why) in LASTING {
        let Some(Difference { key, before, now }) = differing.iter().find(|d| d.is_under(keys)) else {
            continue;
        };
        let before = before.as_ref().map_or("removed".to_owned(), ToString::to_string);
        let allowed = format!("must be {before}, as in the trunk: a fork at generation {generation} {why}");
        return Err(match now {
            Some(now) => BadSetting::new(key, now, allowed),
            None => BadSetting::missing(key, allowed),
        });
    }
    Ok(())
}
