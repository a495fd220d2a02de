//! Reading of a study's file and of the training configs that it names.

use super::{AgentConfig, StudyConfig};
use crate::StudyError;
use crate::exact::check_tables;
use catapult_endings::Tables;
use catapult_records::rules_file;
use catapult_store::setting::written;
use catapult_store::{BadSetting, StoreError};
use catapult_training::TrainConfig;
use std::path::{Path, PathBuf};

/// Reads a text file. The error names the file.
pub(crate) fn read_text(path: &Path) -> Result<String, StudyError> {
    Ok(std::fs::read_to_string(path).map_err(|error| StoreError::file(path, error))?)
}

/// Reads the text of a study's file or plan, with the variants of its [rules files](rules_file).
pub(crate) fn read_config(path: &Path) -> Result<String, StudyError> {
    let text = rules_file::in_config(&read_text(path)?, path.parent().unwrap_or(Path::new("")));
    text.map_err(|reason| StudyError::Config { file: path.to_owned(), reason })
}

/// A study's file that has been read and checked.
#[derive(Clone, Debug)]
pub struct StudyFile {
    /// Path from which the file was read. Other paths in the file are relative to its folder.
    pub path: PathBuf,
    /// Text of the file. Paths of rules files are replaced by the names of their variants.
    pub text: String,
    /// Parsed contents of the file.
    pub config: StudyConfig,
}

impl StudyFile {
    /// Reads and checks a study's file.
    ///
    /// # Errors
    /// The file cannot be read, or has an unknown key or an invalid value. The error names the file
    /// or key.
    pub fn read(path: &Path) -> Result<StudyFile, StudyError> {
        let refused = |reason: String| StudyError::Config { file: path.to_owned(), reason };
        let text = read_config(path)?;
        let config = StudyConfig::parse(&text).map_err(refused)?;
        Ok(StudyFile { path: path.to_owned(), text, config })
    }

    /// Returns true if the file is TOML with the key `agents`, which a study has and a training run
    /// does not.
    pub fn is_study(path: &Path) -> bool {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("agents"))
    }

    /// Returns a path that is named in the file, resolved relative to the file's folder.
    pub fn resolve(&self, named: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(named)
    }

    /// Returns the training config of the agent's network with this seed, or `None` if the agent
    /// takes existing networks.
    ///
    /// # Errors
    /// [`TrainConfig::read`] fails. The config does not learn the rules of one of the agent's arms,
    /// or the agent's early generation is not before its last one.
    pub fn training(&self, agent: &AgentConfig, seed: u64) -> Result<Option<TrainConfig>, StudyError> {
        let Some(path) = &agent.train else { return Ok(None) };
        let mut settings = agent.settings.clone();
        // All runs of one seed of an ablation have the same name, so that equal arms give equal
        // bytes.
        let name = self.config.ablation.as_ref().map_or(&agent.name, |plan| &plan.name);
        // The study plays its own matches, so the run's evaluation matches are switched off.
        settings.extend([format!("name={name}-{seed}"), format!("seed={seed}"), "evaluation.games=0".into()]);
        let config = TrainConfig::read(&self.resolve(path), &settings)?;
        let refused = |bad: BadSetting| {
            let reason = bad.within(&agent.name).within("agents").into();
            Err(StudyError::Config { file: self.path.clone(), reason })
        };
        if let Some(arm) = agent.arms.iter().find(|arm| !config.variants().contains(&arm.rules)) {
            let learned = config.variant_names();
            let allowed = format!("is not learned by {}; must be one of {learned}", path.display());
            return refused(BadSetting::new("arms", written(arm), allowed));
        }
        if let Some(early) = agent.early.filter(|early| *early >= config.generations) {
            let allowed = format!("must be below generations = {} of {}", config.generations, path.display());
            return refused(BadSetting::new("early", early, allowed));
        }
        Ok(Some(config))
    }

    /// Opens and checks the tablebases of the study's endings. Returns `None` if the study plays no
    /// endings.
    pub(crate) fn tables(&self) -> Result<Option<Tables>, StudyError> {
        let endings = self.config.endings.as_ref();
        let tables = endings.map(|endings| Tables::new(&self.resolve(&endings.tables)));
        tables.iter().try_for_each(|tables| check_tables(&self.config, tables))?;
        Ok(tables)
    }

    /// Returns the config that [`training`](StudyFile::training) returns, with the threads and
    /// device of the study.
    pub(crate) fn machine_training(
        &self,
        agent: &AgentConfig,
        seed: u64,
    ) -> Result<Option<TrainConfig>, StudyError> {
        let mut config = self.training(agent, seed)?;
        if let Some(config) = &mut config {
            config.machine.threads = self.config.machine.threads;
            config.machine.device = self.config.machine.device;
        }
        Ok(config)
    }
}
