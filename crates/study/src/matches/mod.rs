//! Matches of a study.
//!
//! They measure the strength of each network in each arm and the worth of a kind of move. They
//! compare networks trained on several arms with networks trained on one, and the networks of one
//! agent with each other.

mod played;
mod units;

pub(crate) use units::has_kind;

use crate::config::TIMES;
use catapult_arena::{PlayerSpec, PlayerSpecError};
use catapult_measures::data::{Cell, NetworkId};
use catapult_measures::results::HALF;
use catapult_rules::ForbiddenKind;

/// Opponent of a network in a match of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Opponent {
    /// The network itself at half its simulations.
    Half,
    /// The network itself at this multiple of its simulations.
    Times(u32),
    /// A network, possibly the player itself, with as many simulations per move as the player.
    Network(NetworkId),
    /// The network itself, which may not make this kind of move.
    Without(ForbiddenKind),
    /// A player without a network.
    Player(PlayerSpec),
}

/// A match: a unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchUnit {
    /// The network whose score is reported, its simulations per move and the arm.
    pub cell: Cell,
    /// The opponent of this network.
    pub opponent: Opponent,
    /// Number of games.
    pub games: u32,
}

impl MatchUnit {
    /// Returns the name of the match's file without the extension.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.{}", self.cell, self.opponent.name())
    }

    /// Returns the name under which the match's games are stored, in the form of a unit's name.
    fn games_name(&self) -> String {
        format!("matches/{}.games", self.file_name())
    }

    /// Returns true for a match between networks of one agent. Its result also has White's points
    /// and the draws of each pair of games.
    fn is_in_detail(&self) -> bool {
        matches!(&self.opponent, Opponent::Network(network) if network.agent == self.cell.network.agent)
    }
}

impl Opponent {
    /// Parses the name of an opponent in a study's file: `half`, a multiple such as `x4`, or a
    /// player.
    pub(crate) fn parse(name: &str) -> Result<Opponent, PlayerSpecError> {
        let mut itself = std::iter::once(Opponent::Half).chain(TIMES.map(Opponent::Times));
        match itself.find(|opponent| opponent.name() == name) {
            Some(opponent) => Ok(opponent),
            None => name.parse().map(Opponent::Player),
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Opponent::Half => HALF.into(),
            Opponent::Times(times) => format!("x{times}"),
            Opponent::Network(network) => network.to_string(),
            Opponent::Without(kind) => format!("without-{kind}"),
            Opponent::Player(spec) => spec.to_string(),
        }
    }
}
