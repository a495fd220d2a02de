//! How wide the game is.

use super::findings::{Kind, PerGame};
use crate::results::{Chapter, MetricInfo, Unit};

pub(super) const METRICS: &[PerGame] = &[
    PerGame {
        info: MetricInfo {
            id: "branching",
            name: "branching factor",
            unit: Unit::Count,
            chapter: Chapter::Skill,
            neutral: None,
            definition: "Legal moves of a position, mean over all plies.",
        },
        kind: Kind::Ratio,
        parts: |game| (game.plies.iter().map(|ply| f64::from(ply.legal)).sum(), game.plies.len() as f64),
    },
    PerGame {
        info: MetricInfo {
            id: "decision_moves",
            name: "decision moves",
            unit: Unit::Share,
            chapter: Chapter::Skill,
            neutral: None,
            definition: "Plies with more than one legal move (Ludii's Decision Moves).",
        },
        kind: Kind::Share,
        parts: |game| (game.plies.iter().filter(|ply| ply.legal > 1).count() as f64, game.plies.len() as f64),
    },
    PerGame {
        info: MetricInfo {
            id: "game_tree",
            name: "game tree, powers of ten",
            unit: Unit::Ratio,
            chapter: Chapter::Skill,
            neutral: None,
            definition: "Estimated size of the game tree (Allis 1994). It is the decimal logarithm of the product of \
                    the numbers of legal moves along a game, mean over games.",
        },
        kind: Kind::Ratio,
        parts: |game| (game.plies.iter().map(|ply| f64::from(ply.legal).log10()).sum(), 1.0),
    },
];
