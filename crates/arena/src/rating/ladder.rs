//! Anchors of a rating scale: players without a network, whose strength is frozen.

use crate::spec::PlayerSpec;

/// Anchor of the rating scale, with a guess of its rating.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchored {
    /// The player's spec.
    pub spec: PlayerSpec,
    /// Guess of its Elo in Chess++, relative to `alphabeta:1q`. The guess serves only to choose
    /// opponents and is never part of a rating.
    pub guess: f64,
    /// Approximate time per move in milliseconds. See [`Seat::cost`](super::Seat::cost).
    pub cost: f64,
}

/// Returns the anchors in order of strength, from `random` upwards. In Chess++, neighbours differ
/// by 60 to 320 Elo. Most players therefore find anchors against which they score 10 to 90 %.
/// Anchors with a share of random moves (`~`) lie between two depths.
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
        anchor("alphabeta:material:20000", 910.0, 8.0),
        anchor("alphabeta:material:85000", 1230.0, 30.0),
    ]
}
