//! Speed of the games that no compared crate plays. The reference is chess from the start position
//! in cozy-chess, measured in the same rounds.

use crate::engines::{Cozy, Engine, OursCentury, OursHalf, OursMaxim};
use crate::{FROM_START, Leaves, START, Task, median, run};

/// A game: its name, its start position and a middle game with their leaves, and a function that
/// runs tasks. The middle games are from `crates/rules/tests/data/vectors.jsonl`, which has their
/// numbers of leaves at depth 2. Only `catapult-rules` has counted the deeper numbers here.
struct Game {
    name: &'static str,
    start: Leaves,
    middle: Leaves,
    run: fn(Task, &str, u64) -> f64,
}

const GAMES: [Game; 3] = [
    Game {
        name: OursCentury::NAME,
        start: Leaves(
            "rnbaqkabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBAQKABNR w KQkq - 0 1 Jj",
            4,
            9_482_923,
        ),
        middle: Leaves(
            "5k2nr/2pn1qb1ap/b3a1pp2/1pPr6/Pp1jPp1PPA/6P3/3P6/RNB1QK1B1R w KQk - 1 25 -",
            4,
            4_353_876,
        ),
        run: run::<OursCentury>,
    },
    // A turn of two decisions is two plies.
    Game {
        name: OursMaxim::NAME,
        start: Leaves("rnpqkpnr/bppppppb/8/8/8/8/BPPPPPPB/RNPQKPNR w - - 0 1 -/- -", 4, 1_334_717),
        middle: Leaves(
            "r1p1kp1(rn)/bpppq1p1/5p1n/4p1Q1/5P2/8/1Pb1P1PB/2P(NR)(KB)PNR b - - 3 15 a6e6/h3f7 -",
            4,
            2_078_485,
        ),
        run: run::<OursMaxim>,
    },
    Game {
        name: OursHalf::NAME,
        start: Leaves(
            "rnbscqkcsbnr/pppgppppgppp/12/12/12/12/12/12/12/12/PPPGPPPPGPPP/RNBSCQKCSBNR w KQkq - 0 1 b1k1b12k12",
            3,
            357_412,
        ),
        middle: Leaves(
            "rn1c1ck2b1r/3qn1p2s2/p4p1p1pg1/12/1pp7pp/4p1P4S/1P2P7/5Bs4P/4G7/N4P6/P1P2C3PPR/RSB2KG2CN1 w k - 6 38 k1",
            3,
            813_986,
        ),
        run: run::<OursHalf>,
    },
];

/// A measurement: game and task, millions of leaves or plies per CPU second, and ratio to the speed
/// of cozy-chess.
type Measured = (String, f64, f64);

/// Measures every game and task. Results are medians over the rounds, which follow one warm-up
/// round.
pub fn measure(rounds: u64) -> Vec<Measured> {
    let mut measured = Vec::new();
    for Game { name, start, middle, run: run_ours } in GAMES {
        for (task, ours, cozy) in [
            (format!("bulk, start position, depth {}", start.1), Task::Bulk(start), Task::Bulk(FROM_START)),
            (format!("bulk, middle game, depth {}", middle.1), Task::Bulk(middle), Task::Bulk(FROM_START)),
            ("random games".to_owned(), Task::Games(60), Task::Games(300)),
        ] {
            let mut speeds = Vec::new();
            let mut ratios = Vec::new();
            for round in 0..=rounds {
                let peer = run::<Cozy>(cozy, START, round);
                let speed = run_ours(ours, start.0, round);
                if round > 0 {
                    speeds.push(speed);
                    ratios.push(speed / peer);
                }
            }
            measured.push((format!("{name}, {task}"), median(speeds), median(ratios)));
        }
    }
    measured
}
