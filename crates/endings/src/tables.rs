//! A folder of tables: solving what is missing, and asking what a position is worth.

use crate::count::Counts;
use crate::error::EndingsError;
use crate::exits::Exits;
use crate::file::{self, Opened, Reached};
use crate::key::TableKey;
use crate::layer::Layer;
use crate::plan;
use crate::solve::{Ended, Solver, Wave};
use crate::value::{Metric, Value};
use crate::words::{Men, Words};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often a table on its way is put aside, so that a kill costs no more.
const EVERY: Duration = Duration::from_secs(600);

/// A folder of tables.
pub struct Tables {
    dir: PathBuf,
    opened: Mutex<HashMap<(TableKey, Metric), Arc<Opened>>>,
}

/// A table that is there.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Which.
    pub key: TableKey,
    /// By what.
    pub metric: Metric,
    /// Its numbers.
    pub counts: Counts,
    /// Its hash.
    pub hash: String,
    /// Its file.
    pub file: PathBuf,
    /// The file's length.
    pub bytes: u64,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Tables {
    /// A folder of tables, which need not be there yet.
    pub fn new(dir: &Path) -> Tables {
        Tables { dir: dir.to_owned(), opened: Mutex::default() }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether a table is there.
    pub fn has(&self, key: TableKey, metric: Metric) -> bool {
        file::path_of(&self.dir, key, metric).exists()
    }

    /// The tables that are there, by name.
    ///
    /// # Errors
    /// A file that can't be read, or is no table.
    pub fn list(&self) -> Result<Vec<Solved>, EndingsError> {
        let mut names: Vec<String> = match self.dir.read_dir() {
            Ok(entries) => {
                entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect()
            }
            Err(error) => return Err(EndingsError::file(&self.dir, error)),
        };
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

    /// A table that is there.
    ///
    /// # Errors
    /// It is not, or it is damaged.
    pub fn solved(&self, key: TableKey, metric: Metric) -> Result<Solved, EndingsError> {
        let opened = self.open(key, metric)?;
        let file = file::path_of(&self.dir, key, metric);
        let bytes = file.metadata().map_err(|e| EndingsError::file(&file, e))?.len();
        Ok(Solved { key, metric, counts: opened.header.counts.clone(), hash: opened.hash()?, file, bytes })
    }

    /// Holds a table's bytes against its hash.
    ///
    /// # Errors
    /// They are others.
    pub fn check(&self, key: TableKey, metric: Metric) -> Result<String, EndingsError> {
        self.open(key, metric)?.check()
    }

    fn open(&self, key: TableKey, metric: Metric) -> Result<Arc<Opened>, EndingsError> {
        let mut opened = self.opened.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(table) = opened.get(&(key, metric)) {
            return Ok(Arc::clone(table));
        }
        let path = file::path_of(&self.dir, key, metric);
        if !path.exists() {
            return Err(EndingsError::Missing { name: key.to_string(), dir: self.dir.clone() });
        }
        let table = Arc::new(Opened::open(&path, key, metric)?);
        opened.insert((key, metric), Arc::clone(&table));
        Ok(table)
    }

    /// What a position of a table is worth to the side to move.
    pub(crate) fn value(
        &self,
        key: TableKey,
        metric: Metric,
        side: usize,
        men: Men,
        black: u8,
    ) -> Result<Value, EndingsError> {
        self.open(key, metric)?.value(side, men, black)
    }

    /// A whole table in memory.
    pub(crate) fn load(&self, key: TableKey, metric: Metric) -> Result<Layer, EndingsError> {
        let path = file::path_of(&self.dir, key, metric);
        if !path.exists() {
            return Err(EndingsError::Missing { name: key.to_string(), dir: self.dir.clone() });
        }
        Ok(Opened::open(&path, key, metric)?.load()?.0)
    }

    /// Solves what is missing of a table and of those that it needs; the same call goes on where a stopped one has ended. `report`
    /// is told of every wave with the table's name, and says whether to go on.
    ///
    /// # Errors
    /// Too little memory, a file that can't be read or written, or the work was stopped.
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
        let words = Words::of(key);
        let exits = Exits::collect(&words, |key| self.load(key, metric))?;
        let path = file::path_of(&self.dir, key, metric);
        let part = self.dir.join(format!("{key}.{}.part", metric.name()));
        let mut solver = Solver::new(words, metric, exits);
        if part.exists() {
            // A part that is damaged is made again.
            if let Ok((layer, header)) = Opened::open(&part, key, metric).and_then(Opened::load)
                && let Some(Reached { round, plies }) = header.reached
            {
                solver.resume(layer.codes, round, plies);
            }
        }
        let mut saved = Instant::now();
        let mut failed = None;
        let ended = solver.solve(&mut |solver, wave| {
            let go_on = report(key, wave);
            if solver.can_resume() && wave.plies > 1 && (!go_on || saved.elapsed() > EVERY) {
                let reached = Some(Reached { round: wave.round, plies: wave.plies - 1 });
                let codes = solver.codes();
                if let Err(error) =
                    file::write(&part, solver.words(), metric, codes, Counts::default(), reached)
                {
                    failed = Some(error);
                    return false;
                }
                saved = Instant::now();
            }
            go_on
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let layer = ended.map_err(|Ended::Stopped| EndingsError::Stopped)?;
        let [white, black] = &layer.codes;
        file::write(&path, &layer.words, metric, [white, black], layer.count(), None)?;
        if part.exists() {
            std::fs::remove_file(&part).map_err(|e| EndingsError::file(&part, e))?;
        }
        Ok(())
    }
}
