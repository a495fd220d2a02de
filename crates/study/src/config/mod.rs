//! Format of a study's file. An unknown key is an error, and every value is checked.
//!
//! Keys marked *Changeable* may change after the first game. Values of other keys are then fixed,
//! but new keys and list entries may be added.

pub(crate) mod ablation;
mod checks;
mod contests;
mod endpoints;
mod file;

pub use ablation::{AblationConfig, ArmConfig, MatchesConfig};
pub(crate) use contests::levels_of;
pub use contests::{DeepGames, EndingsConfig, MoreMatches, PopulationConfig, WorthConfig};
pub use file::StudyFile;
pub(crate) use file::read_text;

use crate::exam::Size;
use catapult_arena::OPENING_PLIES;
use catapult_judge::results::Scheme;
use catapult_measures::Arm;
use catapult_measures::analysis::AnalysisSettings;
use catapult_measures::data::{Cell, Checkpoint, NetworkId};
use catapult_measures::games::GameInfo;
use catapult_measures::results::HALF;
use catapult_network::DeviceName;
use catapult_report::results::Endpoint;
use catapult_rules::Variant;
use catapult_seeds::Stream;
use catapult_stats::Resampling;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Multiples in the opponents `x4` and `x16`, which are the network itself at 4 or 16 times its
/// simulations.
pub const TIMES: [u32; 2] = [4, 16];

/// Contents of a study's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyConfig {
    /// Name of the study and of its default folder.
    pub name: String,
    /// Question that the study answers, in one line. *Changeable.*
    pub title: String,
    /// Seed of the study's random numbers. Training has seeds of its own, in `agents`.
    pub seed: u64,
    /// The arm that the other arms are compared with.
    pub control: Arm,
    /// The compared rule sets, each the name of a variant. A kind of move can be left out: in
    /// `chesspp-without-catapult-moves` neither side moves catapults.
    pub arms: Vec<Arm>,
    /// Number of training seeds and scheme of verdicts, fixed before the first game. Claims are
    /// then judged once, when all registered seeds are present. `None` leaves the number of seeds
    /// open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registered: Option<RegisteredConfig>,
    /// The agents that play the arms.
    pub agents: Vec<AgentConfig>,
    /// Games of each network against itself.
    pub games: GamesConfig,
    /// Matches that measure the strength of each network.
    #[serde(default)]
    pub strength: StrengthConfig,
    /// Matches between networks of one agent. `None` plays none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<PopulationConfig>,
    /// Matches of each network against itself in which the opponent may not make a kind of move.
    /// `None` plays none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<WorthConfig>,
    /// Games from positions of endgame tablebases. `None` plays none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endings: Option<EndingsConfig>,
    /// Sizes of the analyses, which evaluate positions in addition to the played games.
    #[serde(default)]
    pub analysis: AnalysisSettings,
    /// Settings of the bootstrap intervals. *Changeable.*
    #[serde(default)]
    pub resampling: ResamplingConfig,
    /// Threads and device. *Changeable*: results do not depend on them.
    #[serde(default)]
    pub machine: MachineConfig,
    /// The primary endpoints, one per claim, registered before the first game. *Changeable*,
    /// because the report lists every change.
    #[serde(default)]
    pub endpoints: Vec<Endpoint>,
    /// The plan, if the study is an ablation. Its arms are the study's agents. A study's file does
    /// not have this key.
    #[serde(skip)]
    pub ablation: Option<AblationConfig>,
    /// Probes, if the study belongs to an exam. A study's file does not have this key.
    #[serde(skip)]
    pub probes: Option<ProbesConfig>,
    /// The judged rule set, if the study is one of `catapult judge`. A study's file does not have
    /// this key.
    #[serde(skip)]
    pub rule: Option<Arm>,
}

/// Settings of an exam's probes.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbesConfig {
    /// Numbers of games, positions and simulations of the exam.
    pub size: Size,
    /// Text of the tactical test suite: positions with their best moves, as EPD. `None` without a
    /// suite.
    pub suite: Option<String>,
}

/// A group of networks that differ only in their training seed. The study trains them or takes
/// existing ones.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentConfig {
    /// Name of the agent in files and in the report.
    pub name: String,
    /// Arms that the agent's networks play.
    pub arms: Vec<Arm>,
    /// Training seeds, one per network.
    pub seeds: Vec<u64>,
    /// Path of the networks' training config, relative to the study's file. `None` if the networks
    /// are `taken`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train: Option<PathBuf>,
    /// Keys of the training config that are changed for this agent, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
    /// Existing networks, used instead of `train`: one finished run folder or network file per
    /// seed. Paths are relative to the study's file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<PathBuf>,
    /// Generation of the agent's early checkpoint. `None` if the agent has none. Networks taken
    /// from files cannot have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub early: Option<u32>,
}

/// Settings that are fixed before the first game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredConfig {
    /// Number of training seeds of each agent. The first `seeds` of the agent's list count.
    pub seeds: usize,
    /// Scheme of verdicts. If the file lacks this key, the scheme is [`Scheme::Registered`].
    #[serde(default = "earlier_scheme", skip_serializing_if = "is_earlier_scheme")]
    pub scheme: Scheme,
}

fn earlier_scheme() -> Scheme {
    Scheme::Registered
}

fn is_earlier_scheme(scheme: &Scheme) -> bool {
    *scheme == Scheme::Registered
}

/// Self-play games of a study, from which metrics are computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesConfig {
    /// Search levels in simulations per move, weakest first.
    pub simulations: Vec<u32>,
    /// Number of games per network, arm and level, at most 1,000,000.
    pub per_level: u64,
    /// Search level of the early networks, one of `simulations`.
    pub early_simulations: u32,
    /// Games per shard. One thread plays a shard. If a run is stopped, the games of an unfinished
    /// shard are lost.
    #[serde(default = "number::<100, _>")]
    pub per_shard: u64,
    /// Number of plies at the start of a game that are drawn from the improved policy at
    /// temperature 1, so that games differ.
    #[serde(default = "number::<20, _>")]
    pub sampled_plies: u32,
    /// Number of plies after which a game is truncated and has no winner.
    #[serde(default = "number::<600, _>")]
    pub ply_cap: u32,
    /// Additional search levels with their own number of games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deep: Vec<DeepGames>,
}

impl GamesConfig {
    /// Returns the number of plies that are drawn in a game of these rules. Plies of the set-up are
    /// drawn in addition.
    pub fn sampled_plies_of(&self, rules: Variant) -> u32 {
        self.sampled_plies + GameInfo::of(rules).setup_plies as u32
    }
}

/// Returns `N`, the default value of a key.
fn number<const N: u16, T: From<u16>>() -> T {
    N.into()
}

catapult_store::settings! {
    /// Matches that measure strength. They start from openings that are each played twice, with
    /// colours swapped.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct StrengthConfig {
        /// Number of games per match: even, so that each player has each colour in half of them. 0
        /// plays no matches.
        games: u32 = 0, even_games();
        /// Search levels of the networks, in simulations per move.
        simulations: Vec<u32> = Vec::new();
        /// Names of the opponents. `half` is the network itself at half the simulations, `x4` and
        /// `x16` at 4 and 16 times the simulations. Others are players as in `catapult match`.
        opponents: Vec<String> = vec![HALF.into(), "alphabeta:1".into(), "alphabeta:2".into()];
        /// Games per match of the skill ladder. Its first match is the network at 1 simulation
        /// against `random`. In each further match the network plays itself at half the
        /// simulations, up to the lowest level. 0 plays no ladder.
        rung_games: u32 = 0, even_games();
        /// Number of plies after which a game is truncated.
        ply_cap: u32 = 400, at_least(*OPENING_PLIES.end() + 1);
        /// Additional matches, with their own search levels and number of games.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        more: Vec<MoreMatches> = Vec::new();
    }
}

catapult_store::settings! {
    /// Settings of the bootstrap intervals.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct ResamplingConfig {
        /// Number of bootstrap replicates, at least 100.
        replicates: usize = 1000;
    }

    /// Threads and device of a study.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct MachineConfig {
        /// Number of threads. 0 uses all cores.
        threads: usize = 0;
        /// Device: `auto`, `cpu` or `cuda`.
        device: DeviceName = DeviceName::Auto;
    }
}

impl AgentConfig {
    /// Returns the id of the agent's network with this seed.
    pub(crate) fn network(&self, seed: u64) -> NetworkId {
        NetworkId { agent: self.name.clone(), seed }
    }
}

impl StudyConfig {
    /// Returns the cells at the levels `games.simulations` and of the early networks, in the order
    /// of the file. Deep levels are not included.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (network, arm) in self.pairings(&[], &[]) {
            let mut add = |checkpoint, simulations| {
                cells.push(Cell { arm, network: network.clone(), checkpoint, simulations });
            };
            self.games.simulations.iter().for_each(|&level| add(Checkpoint::Last, level));
            if self.agents.iter().any(|agent| agent.name == network.agent && agent.early.is_some()) {
                add(Checkpoint::Early, self.games.early_simulations);
            }
        }
        cells
    }

    /// Returns the settings of bootstrap intervals, with their seed.
    pub(crate) fn bootstrap(&self) -> Resampling {
        Resampling { replicates: self.resampling.replicates, seed: Stream::Resampling.seed(self.seed) }
    }

    /// Returns the scheme of verdicts: the registered one, or the symmetric one if none is
    /// registered.
    pub fn scheme(&self) -> Scheme {
        self.registered.as_ref().map_or(Scheme::Symmetric, |registered| registered.scheme)
    }

    /// Returns the registered number of each agent's seeds, or `None` if the number is open.
    pub fn registered_seeds(&self) -> Option<usize> {
        self.registered.as_ref().map(|registered| registered.seeds)
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
