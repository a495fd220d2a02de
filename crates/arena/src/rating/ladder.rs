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

/// Anchors from `random` upwards, in steps of a few hundred Elo, so that every player finds some it scores 10 to 90 % against. Those with
/// a share of random moves (`~`) fill the gaps between depths.
pub fn anchors() -> Vec<Anchored> {
    let anchor = |name: &str, guess, cost| Anchored {
        // The names are constants that are known to parse.
        spec: name.parse().expect("an anchor's name"),
        guess,
        cost,
    };
    vec![
        anchor("random", -1700.0, 0.0),
        anchor("alphabeta:1q~0.85", -1350.0, 1.0),
        anchor("alphabeta:1q~0.7", -1050.0, 1.0),
        anchor("alphabeta:1q~0.5", -750.0, 1.0),
        anchor("alphabeta:1q~0.3", -450.0, 2.0),
        anchor("alphabeta:1q~0.15", -200.0, 2.0),
        anchor("alphabeta:1q", 0.0, 2.0),
        anchor("alphabeta:2q~0.05", 250.0, 4.0),
        anchor("alphabeta:2q", 450.0, 4.0),
        anchor("alphabeta:3q~0.05", 500.0, 50.0),
        anchor("alphabeta:3q", 750.0, 50.0),
        anchor("alphabeta:4q", 1000.0, 800.0),
    ]
}
