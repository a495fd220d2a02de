//! Generation of an exam's study from one network. The study has the games that the network has
//! learned, and the matches and endings that the gates need.

use super::size::Size;
use crate::StudyError;
use crate::config::{
    AgentConfig, DeepGames, EndingsConfig, GamesConfig, MachineConfig, ProbesConfig, ResamplingConfig,
    StudyConfig, StudyFile, WorthConfig,
};
use crate::exact::table_key;
use catapult_endings::TableKey;
use catapult_measures::Arm;
use catapult_network::NetworkInfo;
use catapult_rules::{ForbiddenKind, Variant};
use catapult_store::StoreError;
use std::path::{Path, PathBuf};

/// Kinds of moves whose worth an exam measures.
pub(super) const KINDS: [ForbiddenKind; 2] = [ForbiddenKind::Teleports, ForbiddenKind::CatapultMoves];

/// Name of the only agent in an exam's study.
const AGENT: &str = "network";

/// Seed of all exams, so that networks meet the same openings and positions.
const SEED: u64 = 1;

/// A network to examine, and the files that its exam needs.
#[derive(Clone, Debug)]
pub struct Exam {
    /// The network's file.
    pub network: PathBuf,
    /// Folder of the endgame tablebases. Missing tablebases are solved.
    pub tables: PathBuf,
    /// Path of the tactical test suite: positions with their best moves, as EPD. The file may be
    /// absent.
    pub suite: PathBuf,
    /// Numbers of games, positions and simulations of the exam.
    pub size: Size,
    /// Number of threads. 0 uses all cores.
    pub threads: usize,
}

/// Variants that a network has learned, and its info.
pub(super) struct Learned {
    /// Variants that the exam examines.
    pub examined: Vec<Variant>,
    /// The other variants.
    pub unexamined: Vec<Variant>,
    pub info: NetworkInfo,
}

/// Returns what a network has learned, by its provenance. Chess and one variant of Chess++ (plain,
/// if learned) are examined, in this order. If the network has learned neither, its first variant is
/// examined.
pub(super) fn learned(network: &Path) -> Result<Learned, StudyError> {
    let info = NetworkInfo::read(network)?;
    let refused = |reason: String| StudyError::Config { file: network.to_owned(), reason };
    let text = info.provenance.get("variant").ok_or_else(|| {
        refused("its provenance has no `variant`, the games that it has learned".to_owned())
    })?;
    let learned = text.split(',').map(|name| name.trim().parse::<Variant>());
    let learned: Vec<Variant> = learned
        .collect::<Result<_, _>>()
        .map_err(|error| refused(format!("variant `{text}` of its provenance: {error}")))?;
    let find = |of: fn(&Variant) -> bool| learned.iter().copied().find(of);
    let chess = find(|game| *game == Variant::Chess);
    let plain = learned.iter().copied().find(|game| game.to_string() == "chesspp");
    let catapults = plain.or_else(|| find(|game| matches!(game, Variant::ChessPp(_))));
    let mut examined: Vec<Variant> = chess.into_iter().chain(catapults).collect();
    if examined.is_empty() {
        examined.extend(learned.first());
    }
    let unexamined = learned.iter().copied().filter(|game| !examined.contains(game)).collect();
    Ok(Learned { examined, unexamined, info })
}

impl Exam {
    /// Returns the network's name: its file name without the extension.
    pub fn name(&self) -> String {
        self.network.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the study of the exam.
    ///
    /// # Errors
    /// The network's file cannot be read or does not name the games that it has learned. The suite
    /// cannot be read. The error names the file.
    pub fn study(&self) -> Result<StudyFile, StudyError> {
        let games = learned(&self.network)?.examined;
        let arms: Vec<Arm> = games.iter().map(|game| Arm::from(*game)).collect();
        let size = &self.size;
        let has = |name: &&str| arms.iter().any(|arm| matches!(table_key(name, *arm), Ok(Some(_))));
        let endings: Vec<String> = size.endings.iter().copied().filter(has).map(str::to_owned).collect();
        let tables =
            std::path::absolute(&self.tables).map_err(|error| StoreError::file(&self.tables, error))?;
        let kinds: Vec<ForbiddenKind> =
            KINDS.into_iter().filter(|kind| games.iter().any(|game| game.has_kind(*kind))).collect();
        let deep = |(level, games): (u32, u64)| DeepGames {
            simulations: vec![level],
            games,
            arms: vec![arms[0]],
            agents: Vec::new(),
        };
        // A path beside the network, so that the study does not depend on the working directory.
        let file = self.network.file_name().map(PathBuf::from).unwrap_or_default();
        let config = StudyConfig {
            name: "exam".to_owned(),
            title: format!("Exam of {}", self.name()),
            seed: SEED,
            control: arms[0],
            agents: vec![AgentConfig {
                name: AGENT.to_owned(),
                arms: arms.clone(),
                seeds: vec![1],
                taken: vec![file],
                ..Default::default()
            }],
            games: GamesConfig {
                simulations: vec![size.common.0],
                per_level: size.common.1,
                early_simulations: size.common.0,
                per_shard: 100,
                sampled_plies: 20,
                ply_cap: 600,
                deep: vec![deep(size.gates), deep(size.deep)],
            },
            registered: None,
            strength: Default::default(),
            population: None,
            worth: (!kinds.is_empty()).then(|| WorthConfig {
                kinds,
                games: size.worth_games,
                simulations: vec![size.simulations],
                arms: Vec::new(),
                agents: Vec::new(),
            }),
            endings: (!endings.is_empty()).then_some(EndingsConfig {
                tables,
                endings,
                positions: size.positions,
                simulations: size.simulations,
                arms: Vec::new(),
                agents: Vec::new(),
            }),
            analysis: Default::default(),
            resampling: ResamplingConfig { replicates: size.replicates },
            machine: MachineConfig { threads: self.threads, ..Default::default() },
            endpoints: Vec::new(),
            ablation: None,
            rule: None,
            probes: Some(ProbesConfig { size: size.clone(), suite: self.read_suite()? }),
            arms,
        };
        let refused = |reason: String| StudyError::Config { file: self.network.clone(), reason };
        config.validate().map_err(|error| refused(error.to_string()))?;
        let text = toml::to_string(&config).map_err(|error| refused(error.to_string()))?;
        Ok(StudyFile { path: self.network.with_file_name("exam.toml"), text, config })
    }

    /// Reads and checks the tactical test suite. Returns its text, or `None` if the file does not
    /// exist.
    fn read_suite(&self) -> Result<Option<String>, StudyError> {
        let text = match std::fs::read_to_string(&self.suite) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::file(&self.suite, error).into()),
        };
        let refused = |reason| StudyError::Config { file: self.suite.clone(), reason };
        crate::probes::read_suite(&text).map_err(refused)?;
        Ok(Some(text))
    }
}

/// Returns the keys of all tablebases that a study's endings need, without duplicates, in the order
/// in which they are solved.
pub(super) fn tables(config: &StudyConfig) -> Vec<TableKey> {
    let names = config.endings.iter().flat_map(|endings| &endings.endings);
    let keys =
        names.flat_map(|name| config.arms.iter().filter_map(move |arm| table_key(name, *arm).ok().flatten()));
    let mut found: Vec<TableKey> = Vec::new();
    for key in keys.flat_map(TableKey::with_needs) {
        if !found.contains(&key) {
            found.push(key);
        }
    }
    found
}
