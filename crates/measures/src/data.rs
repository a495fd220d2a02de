//! Networks, cells and samples of a study: the input of every metric.

use crate::arms::Arm;
use catapult_records::GameRecord;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One network: an agent of the study trained from one seed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct NetworkId {
    /// The agent's name in the study's file.
    pub agent: String,
    /// The network's training seed. Networks of one agent differ only in it.
    pub seed: u64,
}

impl NetworkId {
    /// Returns the sample to which the network's games belong, in an arm, at a checkpoint and a
    /// search level (simulations per move).
    pub fn sample(&self, arm: Arm, checkpoint: Checkpoint, simulations: u32) -> SampleId {
        SampleId { arm, agent: self.agent.clone(), checkpoint, simulations }
    }
}

impl fmt::Display for NetworkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.agent, self.seed)
    }
}

/// Stage of training at which a network plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Checkpoint {
    /// The earlier generation that the study's file names.
    Early,
    /// The last generation of the training.
    Last,
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Checkpoint::Early => "early",
            Checkpoint::Last => "last",
        })
    }
}

/// Games of one network against itself, in one arm, at one search level.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// Rules, optionally without a kind of move.
    pub arm: Arm,
    /// The network that plays both sides.
    pub network: NetworkId,
    /// Stage of training of the network.
    pub checkpoint: Checkpoint,
    /// Simulations per move: the search level.
    pub simulations: u32,
}

impl fmt::Display for Cell {
    /// Writes the cell's name in messages and files: `chesspp+free.rules-1.last.64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { arm, network, checkpoint, simulations } = self;
        write!(f, "{arm}.{network}.{checkpoint}.{simulations}")
    }
}

/// The games of a cell. In their first plies, moves are drawn from the improved policy at
/// temperature 1.
#[derive(Clone, PartialEq, Debug)]
pub struct CellGames {
    /// The cell to which the games belong.
    pub cell: Cell,
    /// Records with the search's policy and root value at each ply.
    pub games: Vec<GameRecord>,
}

/// The cells of one arm, agent, checkpoint and search level. They differ only in the training seed.
/// One value of a metric is estimated from one sample.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SampleId {
    /// Rules, optionally without a kind of move.
    pub arm: Arm,
    /// The agent's name in the study's file.
    pub agent: String,
    /// Stage of training of the agent's networks.
    pub checkpoint: Checkpoint,
    /// Simulations per move: the search level.
    pub simulations: u32,
}

impl Cell {
    /// Returns the sample to which the cell belongs.
    pub fn sample(&self) -> SampleId {
        self.network.sample(self.arm, self.checkpoint, self.simulations)
    }
}
