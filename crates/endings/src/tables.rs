//! A folder of tables, with functions to solve missing tables and to read tables.

use crate::bitboards::TableRules;
use crate::conversions::Conversions;
use crate::count::Counts;
use crate::error::EndingsError;
use crate::file::{self, TableFile};
use crate::key::TableKey;
use crate::layer::Layer;
use crate::plan;
use crate::solve::{Solver, Wave};
use crate::space::Located;
use crate::value::{Metric, Value};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A folder of endgame tables. Files stay open once they are read.
pub struct Tables {
    dir: PathBuf,
    opened: Mutex<HashMap<(TableKey, Metric), Arc<TableFile>>>,
}

/// Description of a solved table in a folder.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Key of the table.
    pub key: TableKey,
    /// Metric of the table.
    pub metric: Metric,
    /// Statistics of the table.
    pub counts: Counts,
    /// BLAKE3 hash that the file contains, in hexadecimal.
    pub hash: String,
    /// Path of the table's file.
    pub file: PathBuf,
    /// Size of the table's file in bytes.
    pub bytes: u64,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Tables {
    /// Creates a handle for the folder `dir`. The folder need not exist.
    pub fn new(dir: &Path) -> Tables {
        Tables { dir: dir.to_owned(), opened: Mutex::default() }
    }

    /// Returns the path of the folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns true if the folder has a file for this table. Does not check its contents.
    pub fn has(&self, key: TableKey, metric: Metric) -> bool {
        file::path_of(&self.dir, key, metric).exists()
    }

    /// Returns the tables in the folder, sorted by file name. Other files are ignored.
    ///
    /// # Errors
    /// The folder does not exist, or a table cannot be read or is damaged.
    pub fn list(&self) -> Result<Vec<Solved>, EndingsError> {
        let entries = self.dir.read_dir().map_err(|error| EndingsError::file(&self.dir, error))?;
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        let mut found = Vec::new();
        for name in names {
            let Some((table, metric)) = name.rsplit_once('.') else { continue };
            let metric = Metric::ALL.into_iter().find(|known| known.name() == metric);
            if let (Ok(key), Some(metric)) = (table.parse(), metric) {
                found.push(self.solved(key, metric)?);
            }
        }
        Ok(found)
    }

    /// Returns the description of a table in the folder.
    ///
    /// # Errors
    /// The table does not exist or is damaged.
    pub fn solved(&self, key: TableKey, metric: Metric) -> Result<Solved, EndingsError> {
        let opened = self.open(key, metric)?;
        let file = file::path_of(&self.dir, key, metric);
        let bytes = file.metadata().map_err(|e| EndingsError::file(&file, e))?.len();
        let (counts, hash) = (opened.header.counts.clone(), opened.hash.clone());
        Ok(Solved { key, metric, counts, hash, file, bytes })
    }

    fn file(&self, key: TableKey, metric: Metric) -> Result<TableFile, EndingsError> {
        let path = file::path_of(&self.dir, key, metric);
        if !path.exists() {
            return Err(EndingsError::Missing { name: key.to_string(), dir: self.dir.clone() });
        }
        TableFile::open(&path, key, metric)
    }

    /// Returns a table's file. Opens it and compares its hash at the first call, and keeps it open.
    fn open(&self, key: TableKey, metric: Metric) -> Result<Arc<TableFile>, EndingsError> {
        let mut opened = self.opened.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(table) = opened.get(&(key, metric)) {
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(self.file(key, metric)?);
        opened.insert((key, metric), Arc::clone(&table));
        Ok(table)
    }

    /// Reads the value of a position for the side to move.
    pub(crate) fn value(&self, at: &Located, metric: Metric) -> Result<Value, EndingsError> {
        self.open(at.key, metric)?.value(at.side, at.men, at.black)
    }

    /// Reads a whole table into memory and compares its hash.
    pub(crate) fn load(&self, key: TableKey, metric: Metric) -> Result<Layer, EndingsError> {
        self.file(key, metric)?.load()
    }

    /// Solves a table and the tables that it needs, for both metrics, unless they exist. If a call
    /// is stopped, the next call solves the unfinished table from the start.
    ///
    /// `report` is called before every wave, with the table's key and the progress. It returns true
    /// to continue and false to stop.
    ///
    /// # Errors
    /// There is too little memory, a file cannot be read or written, or `report` returned false.
    pub fn solve(
        &self,
        key: TableKey,
        report: &mut dyn FnMut(TableKey, &Wave) -> bool,
    ) -> Result<(), EndingsError> {
        for key in key.with_needs() {
            for metric in Metric::ALL {
                if !self.has(key, metric) {
                    self.solve_one(key, metric, report)?;
                }
            }
        }
        Ok(())
    }

    fn solve_one(
        &self,
        key: TableKey,
        metric: Metric,
        report: &mut dyn FnMut(TableKey, &Wave) -> bool,
    ) -> Result<(), EndingsError> {
        plan::check_memory(key)?;
        let rules = TableRules::of(key);
        let conversions = Conversions::collect(&rules, metric, |key| self.load(key, metric))?;
        let layer = Solver::new(rules, metric, conversions).solve(&mut |wave| report(key, wave))?;
        file::write(&file::path_of(&self.dir, key, metric), &layer)
    }
}
