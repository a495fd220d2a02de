//! A study's file: STUDY.toml, every key known, every value checked.

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

/// The opponent that is the player itself at half its simulations.
pub const HALF: &str = "half";

/// The opponents that are the player itself at so many times its simulations: `x4`, `x16`.
pub const TIMES: [u32; 2] = [4, 16];

/// Everything a study is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyConfig {
    /// Names the study's folder where none is given.
    pub name: String,
    /// What it asks, in a line. *Changeable.*
    pub title: String,
    /// The source of all random numbers, those of training apart.
    pub seed: u64,
    /// The arm that the others are compared with.
    pub control: Arm,
    /// The rule sets, each as a variant's name. `chesspp-without-catapult-moves` is Chess++ in which neither side moves catapults.
    pub arms: Vec<Arm>,
    /// The fixed set of training seeds, if one is registered: claims are judged once, when all of them are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registered: Option<RegisteredConfig>,
    /// Who plays them.
    pub agents: Vec<AgentConfig>,
    /// The games of each network against itself.
    pub games: GamesConfig,
    /// The matches that tell how strong each network is.
    #[serde(default)]
    pub strength: StrengthConfig,
    /// The matches of networks of one agent against each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationConfig>,
    /// The matches of each network against itself without a kind of move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<WorthConfig>,
    /// Endings whose truth is known from tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endings: Option<EndingsConfig>,
    /// The matches that hold a network trained across arms against those trained on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalence: Option<EquivalenceConfig>,
    /// What networks are asked beside their games.
    #[serde(default)]
    pub analysis: AnalysisSettings,
    /// How intervals are made. *Changeable.*
    #[serde(default)]
    pub resampling: ResamplingConfig,
    /// What the work runs on. *Changeable*: nothing depends on it.
    #[serde(default)]
    pub machine: MachineConfig,
    /// The claims, one primary endpoint each, registered before the first game. *Changeable*, and the report says so.
    #[serde(default)]
    pub endpoints: Vec<Endpoint>,
    /// The plan, if the agents are the arms of an ablation; no key of a study's file.
    #[serde(skip)]
    pub ablation: Option<AblationConfig>,
}

/// Networks that differ in nothing but their training seed: trained by the study, or taken as they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentConfig {
    /// Its name.
    pub name: String,
    /// The arms that it plays.
    pub arms: Vec<Arm>,
    /// Training seeds, one a network.
    pub seeds: Vec<u64>,
    /// The number of seeds that are registered, if it is not that of all agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registered_seeds: Option<usize>,
    /// The config that its networks are trained by; a path relative to the study's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train: Option<PathBuf>,
    /// Settings over that config, `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
    /// Instead of `train`: finished run folders or network files, one a seed; paths relative to the study's file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<PathBuf>,
    /// The generation whose network is looked at as the early one; a network file has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<u32>,
}

/// What is fixed before the first game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredConfig {
    /// Training seeds of each agent that does not name another number: the first `seeds` of its list.
    pub seeds: usize,
    /// The scheme of verdicts. Files without the key were registered under the earlier one.
    #[serde(default = "earlier_scheme", skip_serializing_if = "is_earlier_scheme")]
    pub scheme: Scheme,
}

fn earlier_scheme() -> Scheme {
    Scheme::Registered
}

fn is_earlier_scheme(scheme: &Scheme) -> bool {
    *scheme == Scheme::Registered
}

/// The games that metrics are computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesConfig {
    /// The search levels: simulations a move, weakest first.
    pub simulations: Vec<u32>,
    /// Games a network, arm and level.
    pub per_level: u64,
    /// The level of early networks, one of `simulations`.
    pub early_simulations: u32,
    /// Games a shard, which is played by one thread and lost if it is not finished.
    #[serde(default = "shard_games")]
    pub per_shard: u64,
    /// First plies drawn from the improved policy at temperature 1, so that games differ.
    #[serde(default = "sampled_plies")]
    pub sampled_plies: u32,
    /// A game is cut, without a result, after so many plies.
    #[serde(default = "ply_cap")]
    pub ply_cap: u32,
    /// Levels with games of their own number.
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

/// Matches from paired openings with colours swapped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StrengthConfig {
    /// Games a match, half of them with each colour; 0 plays none.
    pub games: u32,
    /// The levels at which networks are matched.
    pub simulations: Vec<u32>,
    /// Whom they play: `half` is the network itself at half the simulations, `x4` and `x16` at so many times them, others are
    /// players as `catapult match` has them.
    pub opponents: Vec<String>,
    /// Games a match of the ladder from `random` up to the lowest level: one simulation against `random`, two against one,
    /// and so on; 0 plays none.
    pub rung_games: u32,
    /// A game is cut after so many plies.
    pub ply_cap: u32,
    /// Matches at levels, and of numbers, of their own.
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

/// Whether the network trained across arms plays each as well as those trained on it alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquivalenceConfig {
    /// The agent trained across arms; it meets every other agent in each arm that both play.
    pub shared: String,
    /// Games a match.
    pub games: u32,
    /// Simulations a move of both.
    pub simulations: u32,
    /// Elo within which they count as equal.
    pub margin: f64,
}

/// How intervals are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ResamplingConfig {
    /// Bootstrap replicates.
    pub replicates: usize,
}

impl Default for ResamplingConfig {
    fn default() -> Self {
        ResamplingConfig { replicates: 1000 }
    }
}

/// What the work runs on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MachineConfig {
    /// Threads; 0 takes all.
    pub threads: usize,
    /// `auto`, `cpu` or `cuda`.
    pub device: String,
}

impl Default for MachineConfig {
    fn default() -> Self {
        MachineConfig { threads: 0, device: "auto".into() }
    }
}

impl MachineConfig {
    /// The number of threads that play.
    pub fn playing_threads(&self) -> usize {
        catapult_training::MachineConfig { threads: self.threads, ..Default::default() }.playing_threads()
    }
}

impl StudyConfig {
    /// The cells of the study's levels, in the order of the file; those of deep levels are not among them.
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

    /// The scheme of verdicts: the one that is registered, else the symmetric one.
    pub fn scheme(&self) -> Scheme {
        self.registered.as_ref().map_or(Scheme::Symmetric, |registered| registered.scheme)
    }

    /// The number of an agent's seeds that are registered; none where the set is open.
    pub fn registered_seeds(&self, agent: &AgentConfig) -> Option<usize> {
        agent.registered_seeds.or(self.registered.as_ref().map(|registered| registered.seeds))
    }

    /// The cells whose networks are analysed: each network and arm at its strongest level, and early ones. An analysis looks at all
    /// moves, so there is none of arms without a kind of move, and none without games.
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
