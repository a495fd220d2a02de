//! The players without a network that a scale is built on.

use crate::spec::PlayerSpec;

/// An anchor and about where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchored {
    /// The player.
    pub spec: PlayerSpec,
    /// Elo above `alphabeta:1q` in Chess++, to choose opponents by; never part of a rating.
    pub guess: f64,
    /// About how many milliseconds it takes over a move ([`Seat`](super::Seat)).
    pub cost: f64,
}

/// Anchors from `random` upwards, in steps of 100 to 300 Elo in Chess++, so that every player finds some it scores 10 to 90 % against.
/// Those with a share of random moves (`~`) fill the gaps between depths.
#[allow(clippy::expect_used)]
pub fn anchors() -> Vec<Anchored> {
    let anchor = |name: &str, guess, cost| Anchored {
        // The names are constants that are known to parse.
        spec: name.parse().expect("an anchor's name"),
        guess,
        cost,
    };
    vec![
        anchor("random", -1600.0, 0.0),
        anchor("alphabeta:1q~0.85", -1300.0, 1.0),
        anchor("alphabeta:1q~0.7", -1100.0, 1.0),
        anchor("alphabeta:1q~0.5", -900.0, 1.0),
        anchor("alphabeta:1q~0.4", -750.0, 2.0),
        anchor("alphabeta:1q~0.3", -580.0, 2.0),
        anchor("alphabeta:1q~0.15", -280.0, 2.0),
        anchor("alphabeta:1q", 0.0, 2.0),
        anchor("alphabeta:2q~0.05", 120.0, 4.0),
        anchor("alphabeta:2q", 290.0, 4.0),
        anchor("alphabeta:3q~0.05", 450.0, 50.0),
        anchor("alphabeta:3q", 610.0, 50.0),
        anchor("alphabeta:4q", 850.0, 800.0),
    ]
}
