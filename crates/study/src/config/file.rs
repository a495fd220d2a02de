//! Reading a study's file, and what it names.

use super::{AgentConfig, StudyConfig};
use crate::StudyError;
use catapult_store::BadSetting;
use catapult_store::setting::written;
use catapult_training::TrainConfig;
use std::path::{Path, PathBuf};

/// A study's file as it was read.
#[derive(Clone, Debug)]
pub struct StudyFile {
    /// Where it lies.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What it says.
    pub config: StudyConfig,
}

impl StudyFile {
    /// Reads and checks a study's file.
    ///
    /// # Errors
    /// A file that can't be read, an unknown key, an impossible value: each is named.
    pub fn read(path: &Path) -> Result<StudyFile, StudyError> {
        let text = std::fs::read_to_string(path).map_err(|error| StudyError::file(path, error))?;
        let refused = |reason: String| StudyError::Config { file: path.to_owned(), reason };
        let config = StudyConfig::parse(&text).map_err(refused)?;
        Ok(StudyFile { path: path.to_owned(), text, config })
    }

    /// A path that the file names.
    pub fn resolve(&self, named: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(named)
    }

    /// The config that a network of an agent is trained by; none for one that is taken.
    ///
    /// # Errors
    /// As [`TrainConfig::read`]; arms that it does not learn, an early generation that it does not reach.
    pub fn training(&self, agent: &AgentConfig, seed: u64) -> Result<Option<TrainConfig>, StudyError> {
        let Some(path) = &agent.train else { return Ok(None) };
        let mut settings = agent.settings.clone();
        // Runs of an ablation's seed have one name, so that arms that do not differ make the same bytes.
        let name = self.config.ablation.as_ref().map_or(&agent.name, |plan| &plan.name);
        // Matches of its own would say nothing that the study's do not.
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
        match agent.early {
            Some(early) if early >= config.generations => {
                let allowed =
                    format!("must be below generations = {} of {}", config.generations, path.display());
                refused(BadSetting::new("early", early, allowed))
            }
            _ => Ok(Some(config)),
        }
    }
    /// The same on the study's machine.
    pub(crate) fn machine_training(
        &self,
        agent: &AgentConfig,
        seed: u64,
    ) -> Result<Option<TrainConfig>, StudyError> {
        let mut config = self.training(agent, seed)?;
        if let Some(config) = &mut config {
            config.machine.threads = self.config.machine.threads;
            config.machine.device.clone_from(&self.config.machine.device);
        }
        Ok(config)
    }
}
