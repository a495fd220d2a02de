//! Reports of studies: `metrics.json`, `metrics.csv`, figures, and a self-contained page.
//!
//! [`write()`] writes the report of a study into its folder. [`read`] reads the results of a
//! finished study. Equal results give equal bytes. [`csv`] describes the columns of `metrics.csv`.
//!
//! ```
//! use catapult_report::{read, words};
//!
//! let study = read("../../experiments/chesspp".as_ref()).unwrap();
//! let found = words::summary(&study.judgements[0]);
//! assert!(found.starts_with("Chess++ is drawn 7.5 points more often than chess"), "{found}");
//! ```

mod boards;
mod claim_figures;
mod claims;
pub mod csv;
mod curve_figures;
mod draws;
pub mod exam;
pub mod examples;
mod figure;
mod figures;
mod finite;
mod games;
mod html;
#[cfg(test)]
mod reference_tests;
pub mod results;
mod sections;
mod strength;
#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod tests;
mod view;
pub mod warnings;
pub mod words;

use crate::results::{FORMAT, StudyResults};
use catapult_store::{StoreError, read_json, write_atomically, write_json};
use figure::Figure;
use figures::figures;
pub use html::effect_lines;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use view::ResultsView;

/// Name, in a study's folder, of the file with the results as data.
pub const METRICS_FILE: &str = "metrics.json";
/// Name, in a study's folder, of the report page.
pub const PAGE_FILE: &str = "report.html";

/// Writes `metrics.json`, `metrics.csv`, `networks.csv`, `figures/*.svg` and `report.html` into a
/// folder.
///
/// The folder is created if necessary. Existing files are overwritten. JSON cannot represent
/// numbers that are not finite. Measures and examples with them are omitted, and heat maps show 0.
///
/// # Errors
/// A file cannot be written.
pub fn write(results: &StudyResults, dir: &Path) -> Result<(), StoreError> {
    let results = &finite::cleaned(results);
    let view = ResultsView::new(results);
    let drawn = figures(&view);
    write_json(&dir.join(METRICS_FILE), results)?;
    save(dir, "metrics.csv", csv::measures(&view))?;
    save(dir, "networks.csv", csv::networks(&view))?;
    for figure in &drawn {
        save(&dir.join("figures"), &format!("{}.svg", figure.id), figure.drawing.file(&figure.title))?;
    }
    save(dir, PAGE_FILE, html::report(&view, &drawn))
}

/// Reads the results from the folder of a finished study.
///
/// # Errors
/// The folder has no `metrics.json`, or the file has another format or is damaged.
pub fn read(dir: &Path) -> Result<StudyResults, StoreError> {
    let file = dir.join(METRICS_FILE);
    let refused = |reason: String| Err(StoreError::Unusable(format!("{}: {reason}", dir.display())));
    if matches!(file.try_exists(), Ok(false)) {
        return refused(format!("it has no {METRICS_FILE}, so it is not a finished study"));
    }
    // The first format has no number.
    let format = read_json::<Head>(&file)?.format.unwrap_or(1);
    if format != FORMAT {
        return refused(format!("{METRICS_FILE} has format {format}; this version reads format {FORMAT}"));
    }
    read_json(&file)
}

/// The format number in a `metrics.json`, which is read before the rest of the file.
#[derive(Deserialize)]
struct Head {
    format: Option<u32>,
}

/// Makes the ids of figures unique. A repeated id gets a number at its end, from 2.
fn distinct(mut figures: Vec<Figure>) -> Vec<Figure> {
    let mut taken = BTreeSet::new();
    for figure in &mut figures {
        let name = figure.id.clone();
        let mut count = 1;
        while !taken.insert(figure.id.clone()) {
            count += 1;
            figure.id = format!("{name}-{count}");
        }
    }
    figures
}

/// Writes the file `name` in a folder, whole or not at all. The folder is created if necessary.
fn save(dir: &Path, name: &str, text: impl AsRef<[u8]>) -> Result<(), StoreError> {
    let file = dir.join(name);
    write_atomically(&file, text.as_ref()).map_err(|error| StoreError::file(&file, error))
}
