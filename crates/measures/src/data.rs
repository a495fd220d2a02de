//! What a study has played: the input of every metric.

use crate::arms::Arm;
use catapult_records::GameRecord;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One network: an agent of the study trained from one seed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct NetworkId {
    /// The agent's name in the study's file.
    pub agent: String,
    /// Its training seed: networks of one agent differ in nothing else.
    pub seed: u64,
}

impl NetworkId {
    /// The sample that the network belongs to in an arm, at a checkpoint and level.
    pub fn sample(&self, arm: Arm, checkpoint: Checkpoint, simulations: u32) -> SampleId {
        SampleId { arm, agent: self.agent.clone(), checkpoint, simulations }
    }
}

impl fmt::Display for NetworkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.agent, self.seed)
    }
}

/// How far a network had been trained.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Checkpoint {
    /// An earlier generation, which the study's file names.
    Early,
    /// The last generation.
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

/// Who played what: one network against itself, in one arm, at one search level.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// Arm: the rules, and a kind of move that neither side makes.
    pub arm: Arm,
    /// The network.
    pub network: NetworkId,
    /// How far it had been trained.
    pub checkpoint: Checkpoint,
    /// Simulations a move: the search level.
    pub simulations: u32,
}

impl fmt::Display for Cell {
    /// The cell's name in messages and files: `chesspp+free.rules-1.last.64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { arm, network, checkpoint, simulations } = self;
        write!(f, "{arm}.{network}.{checkpoint}.{simulations}")
    }
}

/// The games of a cell. The first plies of each were drawn from the improved policy at temperature 1.
#[derive(Clone, PartialEq, Debug)]
pub struct CellGames {
    /// Who played what.
    pub cell: Cell,
    /// The games, with the search's policy and root value at each ply.
    pub games: Vec<GameRecord>,
}

/// The cells of one arm, agent, checkpoint and level, which differ in the training seed only: what one value of a
/// metric is estimated from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SampleId {
    /// The rules.
    pub arm: Arm,
    /// The agent's name.
    pub agent: String,
    /// How far its networks had been trained.
    pub checkpoint: Checkpoint,
    /// Simulations a move.
    pub simulations: u32,
}

impl Cell {
    /// The sample that the cell belongs to.
    pub fn sample(&self) -> SampleId {
        self.network.sample(self.arm, self.checkpoint, self.simulations)
    }
}
