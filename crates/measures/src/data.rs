//! Networks, cells and samples of a study, which group the games that metrics measure.

use crate::arms::Arm;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Identity of a network: an agent of the study and a training seed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct NetworkId {
    /// The agent's name in the study's file.
    pub agent: String,
    /// The network's training seed. Networks of one agent differ only in their seed.
    pub seed: u64,
}

impl NetworkId {
    /// Returns the sample (group of games) to which the network's games belong. `simulations` is
    /// the search level in simulations per move.
    pub fn sample(&self, arm: Arm, checkpoint: Checkpoint, simulations: u32) -> SampleId {
        SampleId { arm, agent: self.agent.clone(), checkpoint, simulations }
    }
}

impl fmt::Display for NetworkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.agent, self.seed)
    }
}

catapult_rules::named! {
    /// Stage of training from which a network is taken.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Checkpoint {
        /// An earlier generation of the training. The study's file gives its number.
        Early = "early",
        /// The last generation of the training.
        Last = "last",
    }
}

/// Identity of a cell: the games of one network against itself, in one arm, at one checkpoint and
/// search level.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// Rule set of the games, optionally without a kind of move.
    pub arm: Arm,
    /// The network that plays both sides.
    pub network: NetworkId,
    /// Stage of training from which the network is taken.
    pub checkpoint: Checkpoint,
    /// Search level: simulations per move.
    pub simulations: u32,
}

impl fmt::Display for Cell {
    /// Writes the cell's name for messages and files, such as `chesspp+free.rules-1.last.64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { arm, network, checkpoint, simulations } = self;
        write!(f, "{arm}.{network}.{checkpoint}.{simulations}")
    }
}

/// Identity of a sample: all cells of one arm, agent, checkpoint and search level. They differ only
/// in the training seed. One value of a metric is estimated from one sample.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SampleId {
    /// Rule set of the games, optionally without a kind of move.
    pub arm: Arm,
    /// The agent's name in the study's file.
    pub agent: String,
    /// Stage of training from which the agent's networks are taken.
    pub checkpoint: Checkpoint,
    /// Search level: simulations per move.
    pub simulations: u32,
}

impl Cell {
    /// Returns the sample to which the cell belongs.
    pub fn sample(&self) -> SampleId {
        self.network.sample(self.arm, self.checkpoint, self.simulations)
    }
}
