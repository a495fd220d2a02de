//! Our games that no other crate plays, held against cozy-chess's chess from its start position in the same rounds.

use crate::engines::{Cozy, Engine, OursHalf};
use crate::{START, Task, median, run};
use std::fmt;

/// A game: its name, its start position, a middle game, and how its tasks are run.
type Game = (&'static str, &'static str, &'static str, fn(&Task, &str, u64) -> f64);

const GAMES: [Game; 1] = [(
    OursHalf::NAME,
    "rnbscqkcsbnr/pppgppppgppp/12/12/12/12/12/12/12/12/PPPGPPPPGPPP/RNBSCQKCSBNR w KQkq - 0 1 b1k1b12k12",
    "rn1c1ck2b1r/3qn1p2s2/p4p1p1pg1/12/1pp7pp/4p1P4S/1P2P7/5Bs4P/4G7/N4P6/P1P2C3PPR/RSB2KG2CN1 w k - 6 38 k1",
    run::<OursHalf>,
)];

/// What was measured: a game, a task, millions a CPU second, and the ratio to cozy-chess.
pub struct Line {
    game: &'static str,
    task: &'static str,
    millions: f64,
    ratio: f64,
}

impl Line {
    pub fn json(&self) -> String {
        let Line { game, task, millions, ratio } = self;
        format!("  \"{game}, {task}\": {{\"millions\": {millions:.2}, \"to_cozy\": {ratio:.3}}}")
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { game, task, millions, ratio } = self;
        write!(f, "{:<38}{:>30}", format!("{game}, {task}"), format!("{millions:.1} ({ratio:.3})"))
    }
}

/// Medians over the rounds; a first round to warm up is not counted.
pub fn measure(rounds: u64) -> Vec<Line> {
    let mut lines = Vec::new();
    for (game, start, middle, run_ours) in GAMES {
        for (task, ours, cozy) in [
            ("bulk, start position, depth 3", Task::Bulk(start, 3, 0), Task::Bulk(START, 5, 0)),
            ("bulk, middle game, depth 3", Task::Bulk(middle, 3, 0), Task::Bulk(START, 5, 0)),
            ("random games", Task::Games(60), Task::Games(300)),
        ] {
            let mut speeds = Vec::new();
            let mut ratios = Vec::new();
            for round in 0..=rounds {
                let peer = run::<Cozy>(&cozy, START, round);
                let speed = run_ours(&ours, start, round);
                if round > 0 {
                    speeds.push(speed);
                    ratios.push(speed / peer);
                }
            }
            lines.push(Line { game, task, millions: median(speeds), ratio: median(ratios) });
        }
    }
    lines
}
