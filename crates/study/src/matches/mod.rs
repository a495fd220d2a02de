//! The matches of a study: how strong each network is in each arm, whether the network trained across arms is as strong as
//! those trained on one, how networks of one agent play each other, and what a kind of move is worth.

mod played;
mod units;

pub(crate) use units::has_kind;

use crate::config::{HALF, TIMES};
use catapult_arena::PlayerSpec;
use catapult_measures::data::{Cell, NetworkId};
use catapult_rules::ForbiddenKind;

/// Who a network plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Opponent {
    /// Itself at half its simulations.
    Half,
    /// Itself at so many times its simulations.
    Times(u32),
    /// A network, it may be itself, at the same simulations.
    Network(NetworkId),
    /// Itself, but for moves of a kind.
    Without(ForbiddenKind),
    /// A player that needs no network.
    Player(PlayerSpec),
}

/// A match: a unit of work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchUnit {
    /// The network whose wins are counted, its simulations and the arm.
    pub cell: Cell,
    /// The other player.
    pub opponent: Opponent,
    /// Games.
    pub games: u32,
    /// Whether White's points and the draws of each pair are recorded beside the result.
    pub in_detail: bool,
}

impl MatchUnit {
    /// The name of its file.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.{}", self.cell, self.opponent.name())
    }

    /// Evaluations that it takes, games being so long; players without a network take none.
    pub(crate) fn evaluations(&self, plies: f64) -> u64 {
        let simulations = f64::from(self.cell.simulations);
        let opponent = match self.opponent {
            Opponent::Half => simulations / 2.0,
            Opponent::Times(times) => simulations * f64::from(times),
            Opponent::Network(_) | Opponent::Without(_) => simulations,
            Opponent::Player(_) => 0.0,
        };
        (f64::from(self.games) * plies * (simulations + opponent) / 2.0) as u64
    }

    /// The opponent if it thinks without a network, and the moves that it makes, games being so long.
    pub(crate) fn other_player(&self, plies: f64) -> Option<(&PlayerSpec, f64)> {
        match &self.opponent {
            Opponent::Player(PlayerSpec::Random) => None,
            Opponent::Player(player) => Some((player, f64::from(self.games) * plies / 2.0)),
            Opponent::Half | Opponent::Times(_) | Opponent::Network(_) | Opponent::Without(_) => None,
        }
    }
}

impl Opponent {
    /// The opponent of this name; the study's file has been checked, so that what is no player and no number of times is
    /// `half`.
    fn named(name: &str) -> Opponent {
        let times = TIMES.into_iter().find(|times| name == format!("x{times}"));
        times.map(Opponent::Times).unwrap_or_else(|| name.parse().map_or(Opponent::Half, Opponent::Player))
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
