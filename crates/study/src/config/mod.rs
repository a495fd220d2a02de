//! Format of a study's file. Unknown keys are errors and every value is checked.

pub(crate) mod ablation;
mod checks;
mod contests;
mod endpoints;
mod file;

pub use ablation::{AblationConfig, ArmConfig, MatchesConfig};
pub use contests::{DeepGames, EndingsConfig, MoreMatches, PopulationConfig, WorthConfig};
pub use file::StudyFile;

use catapult_judge::results::Scheme;
use catapult_measures::Arm;
use catapult_measures::analysis::AnalysisSettings;
use catapult_measures::data::{Cell, Checkpoint, NetworkId};
use catapult_report::results::Endpoint;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Opponent: the network itself at half its simulations.
pub const HALF: &str = "half";

/// Opponents `x4` and `x16`: the network itself at 4 or 16 times its simulations.
pub const TIMES: [u32; 2] = [4, 16];

/// Config of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyConfig {
    /// Name of the study, and of its default folder.
    pub name: String,
    /// Question in one line. *Changeable.*
    pub title: String,
    /// Seed of all random numbers except those of training.
    pub seed: u64,
    /// The arm that the others are compared with.
    pub control: Arm,
    /// The rule sets, each a variant's name. In `chesspp-without-catapult-moves` neither side moves
    /// catapults.
    pub arms: Vec<Arm>,
    /// Fixed number of training seeds, if registered. Claims are then judged once, when all seeds
    /// are present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registered: Option<RegisteredConfig>,
    /// The agents that play the arms.
    pub agents: Vec<AgentConfig>,
    /// Games of each network against itself.
    pub games: GamesConfig,
    /// Matches that measure the strength of each network.
    #[serde(default)]
    pub strength: StrengthConfig,
    /// Matches between networks of one agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationConfig>,
    /// Matches of each network against itself without a kind of move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<WorthConfig>,
    /// Games from positions of endgame tablebases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endings: Option<EndingsConfig>,
    /// Matches that compare networks trained on several arms with networks trained on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<EquivalenceConfig>,
    /// Evaluations of the networks beyond their games.
    #[serde(default)]
    pub analysis: AnalysisSettings,
    /// Bootstrap settings. *Changeable.*
    #[serde(default)]
    pub resampling: ResamplingConfig,
    /// Threads and device. *Changeable*: results do not depend on it.
    #[serde(default)]
    pub machine: MachineConfig,
    /// The primary endpoints, one per claim, registered before the first game. *Changeable*; the
    /// report lists every change.
    #[serde(default)]
    pub endpoints: Vec<Endpoint>,
    /// The plan of an ablation, whose arms are the agents. It is not a key of a study's file.
    #[serde(skip)]
    pub ablation: Option<AblationConfig>,
}

/// Networks that differ only in their training seed. The study trains them or takes existing ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentConfig {
    /// Name of the agent.
    pub name: String,
    /// Arms that it plays.
    pub arms: Vec<Arm>,
    /// Training seeds, one per network.
    pub seeds: Vec<u64>,
    /// Registered number of seeds, if it differs from the number for all agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registered_seeds: Option<usize>,
    /// Path of the networks' training config, relative to the study's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train: Option<PathBuf>,
    /// Changed keys of that config, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
    /// Instead of `train`: one finished run folder or network file per seed, relative to the
    /// study's file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<PathBuf>,
    /// Generation of the early network. Agents taken as network files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<u32>,
}

/// Settings fixed before the first game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredConfig {
    /// Number of training seeds of each agent, unless the agent sets its own: the first `seeds` of
    /// its list.
    pub seeds: usize,
    /// Scheme of verdicts. The default is the earlier scheme, under which files without this key
    /// were registered.
    #[serde(default = "earlier_scheme", skip_serializing_if = "is_earlier_scheme")]
    pub scheme: Scheme,
}

fn earlier_scheme() -> Scheme {
    Scheme::Registered
}

fn is_earlier_scheme(scheme: &Scheme) -> bool {
    *scheme == Scheme::Registered
}

/// Games for the metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesConfig {
    /// Search levels: simulations per move, weakest first.
    pub simulations: Vec<u32>,
    /// Games per network, arm and level.
    pub per_level: u64,
    /// Search level of early networks, one of `simulations`.
    pub early_simulations: u32,
    /// Games per shard. One thread plays a shard, and an unfinished shard is lost.
    #[serde(default = "shard_games")]
    pub per_shard: u64,
    /// Number of opening plies drawn from the improved policy at temperature 1, so that games
    /// differ.
    #[serde(default = "sampled_plies")]
    pub sampled_plies: u32,
    /// Number of plies after which a game is truncated, without a result.
    #[serde(default = "ply_cap")]
    pub ply_cap: u32,
    /// Deep levels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deep: Vec<DeepGames>,
}

fn shard_games() -> u64 {
    100
}

fn sampled_plies() -> u32 {
    20
}

fn ply_cap() -> u32 {
    600
}

/// Strength matches, from paired openings with colours swapped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StrengthConfig {
    /// Games per match, half of them with each colour. 0 plays no matches.
    pub games: u32,
    /// Search levels of the networks.
    pub simulations: Vec<u32>,
    /// Opponents. `half` is the network itself at half the simulations, `x4` and `x16` at 4 and 16
    /// times the simulations. Others are players as in `catapult match`.
    pub opponents: Vec<String>,
    /// Games per match of the ladder from `random` up to the lowest level: one simulation against
    /// `random`, two against one, and so on. 0 plays no ladder.
    pub rung_games: u32,
    /// Number of plies after which a game is truncated.
    pub ply_cap: u32,
    /// Additional matches, with their own search levels and number of games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<MoreMatches>,
}

impl Default for StrengthConfig {
    fn default() -> Self {
        StrengthConfig {
            games: 0,
            simulations: Vec::new(),
            opponents: vec![HALF.into(), "alphabeta:1".into(), "alphabeta:2".into()],
            rung_games: 0,
            ply_cap: 400,
            more: Vec::new(),
        }
    }
}

/// Matches of networks trained on several arms against networks trained on one. They test whether
/// both are equally strong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquivalenceConfig {
    /// The agent trained on several arms. It meets every other agent in each arm that both play.
    pub shared: String,
    /// Games per match.
    pub games: u32,
    /// Simulations per move of both players.
    pub simulations: u32,
    /// Largest difference in Elo that counts as equal.
    pub margin: f64,
}

/// Bootstrap settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ResamplingConfig {
    /// Number of bootstrap replicates.
    pub replicates: usize,
}

impl Default for ResamplingConfig {
    fn default() -> Self {
        ResamplingConfig { replicates: 1000 }
    }
}

/// Threads and device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MachineConfig {
    /// Number of threads; 0 takes all.
    pub threads: usize,
    /// Device: `auto`, `cpu` or `cuda`.
    pub device: String,
}

impl Default for MachineConfig {
    fn default() -> Self {
        MachineConfig { threads: 0, device: "auto".into() }
    }
}

impl MachineConfig {
    /// Returns the number of threads that play.
    pub fn playing_threads(&self) -> usize {
        catapult_training::MachineConfig { threads: self.threads, ..Default::default() }.playing_threads()
    }
}

impl StudyConfig {
    /// Returns the cells of the study's own levels, in the order of the file. Deep levels are not
    /// included.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for agent in &self.agents {
            for (&seed, &arm) in
                agent.seeds.iter().flat_map(|seed| agent.arms.iter().map(move |arm| (seed, arm)))
            {
                let network = NetworkId { agent: agent.name.clone(), seed };
                let mut add = |checkpoint, simulations| {
                    cells.push(Cell { arm, network: network.clone(), checkpoint, simulations });
                };
                self.games.simulations.iter().for_each(|&level| add(Checkpoint::Last, level));
                if agent.early.is_some() {
                    add(Checkpoint::Early, self.games.early_simulations);
                }
            }
        }
        cells
    }

    /// Returns the scheme of verdicts: the registered one, or else the symmetric one.
    pub fn scheme(&self) -> Scheme {
        self.registered.as_ref().map_or(Scheme::Symmetric, |registered| registered.scheme)
    }

    /// Returns the registered number of an agent's seeds, or `None` if the number is open.
    pub fn registered_seeds(&self, agent: &AgentConfig) -> Option<usize> {
        agent.registered_seeds.or(self.registered.as_ref().map(|registered| registered.seeds))
    }

    /// Returns the cells whose networks are analysed: each network and arm at the strongest level,
    /// and the early networks. Arms without a kind of move are left out, because an analysis
    /// considers all moves. A study without games has no analyses.
    pub fn analysed_cells(&self) -> Vec<Cell> {
        if self.games.per_level == 0 {
            return Vec::new();
        }
        let strongest = self.games.simulations.last();
        let is_analysed =
            |cell: &Cell| cell.checkpoint == Checkpoint::Early || Some(&cell.simulations) == strongest;
        self.cells().into_iter().filter(|cell| cell.arm.without.is_none()).filter(is_analysed).collect()
    }
}
