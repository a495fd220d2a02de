//! The players without a network that a scale is built on.

use crate::spec::PlayerSpec;

/// An anchor and about where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchored {
    /// The player.
    pub spec: PlayerSpec,
    /// Elo above `alphabeta:1q` in Chess++, to choose opponents by; never part of a rating.
    pub guess: f64,
}

/// Anchors from `random` upwards, in steps of a few hundred Elo, so that every player finds some it scores 10 to 90 % against. Those with
/// a share of random moves (`~`) fill the gaps between depths.
pub fn anchors() -> Vec<Anchored> {
    let anchor = |name: &str, guess| Anchored {
        // The names are constants that are known to parse.
        spec: name.parse().expect("an anchor's name"),
        guess,
    };
    vec![
        anchor("random", -1200.0),
        anchor("alphabeta:1q~0.7", -900.0),
        anchor("alphabeta:1q~0.5", -600.0),
        anchor("alphabeta:1q~0.25", -300.0),
        anchor("alphabeta:1q", 0.0),
        anchor("alphabeta:2q~0.2", 300.0),
        anchor("alphabeta:2q~0.05", 450.0),
        anchor("alphabeta:2q", 600.0),
        anchor("alphabeta:3q~0.1", 750.0),
        anchor("alphabeta:3q", 1000.0),
        anchor("alphabeta:4q~0.1", 1100.0),
        anchor("alphabeta:4q", 1350.0),
    ]
}
