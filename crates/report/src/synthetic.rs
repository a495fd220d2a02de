//! Synthetic study for tests, with all kinds of results and with missing values. Its numbers are
//! computed by formulas, not from games.

#[path = "synthetic_claims.rs"]
mod claims;
#[path = "synthetic_examples.rs"]
pub(crate) mod examples;

use crate::results::*;
use catapult_measures::Arm;
use catapult_measures::data::{Checkpoint, NetworkId, SampleId};
use catapult_measures::testing::played;
use catapult_rules::Outcome;

/// Rows of an arm, the agent that plays it, and the number of the agent's training seeds.
const ARMS: [(&str, &str, u64); 7] = [
    ("chess", "chess", 3),
    ("chesspp", "chesspp", 3),
    ("chesspp+free", "all-proposals", 1),
    ("chesspp+instant", "all-proposals", 1),
    ("chesspp+pawns", "all-proposals", 1),
    ("chesspp+promote", "all-proposals", 1),
    ("chesspp+third", "all-proposals", 1),
];
const LEVELS: [(Checkpoint, u32); 5] = [
    (Checkpoint::Early, 64),
    (Checkpoint::Last, 16),
    (Checkpoint::Last, 32),
    (Checkpoint::Last, 64),
    (Checkpoint::Last, 128),
];
/// Rows of a metric's id, its value in chess, its change per arm, its change per level, and the
/// half width of its interval.
const METRICS: [(&str, f64, f64, f64, f64); 25] = [
    ("draw_rate", 0.42, -0.03, -0.035, 0.03),
    ("white_win_rate", 0.31, 0.015, 0.02, 0.03),
    ("black_win_rate", 0.27, 0.015, 0.015, 0.03),
    ("drawn_dead", 0.03, -0.001, 0.0, 0.01),
    ("drawn_stalemate", 0.02, -0.001, 0.0, 0.01),
    ("drawn_repetition", 0.15, -0.01, -0.01, 0.02),
    ("drawn_clock", 0.04, -0.01, -0.01, 0.02),
    ("capped_lead", 0.11, -0.003, -0.01, 0.02),
    ("capped_balanced", 0.07, -0.005, -0.005, 0.02),
    ("drawn_other", 0.0, 0.0, 0.0, 0.0),
    ("white_score", 0.52, 0.006, 0.004, 0.02),
    ("game_length", 118.0, 5.0, -3.0, 4.0),
    ("opening_entropy", 31.0, 3.5, -0.4, 0.6),
    ("comeback_share", 0.08, 0.01, -0.004, 0.012),
    ("catapult_moves", 0.0, 1.7, 0.2, 0.4),
    ("elo_per_doubling", 96.0, -6.0, -4.0, 21.0),
    ("knowledge_needed", 1.8, 0.1, 0.02, 0.3),
    ("drawn_dead_lead", 0.02, -0.0005, 0.0, 0.005),
    ("drawn_dead_balanced", 0.01, -0.0005, 0.0, 0.005),
    ("drawn_stalemate_lead", 0.01, -0.0005, 0.0, 0.005),
    ("drawn_stalemate_balanced", 0.01, -0.0005, 0.0, 0.005),
    ("drawn_repetition_lead", 0.03, -0.002, -0.002, 0.01),
    ("drawn_repetition_balanced", 0.12, -0.008, -0.008, 0.02),
    ("drawn_clock_lead", 0.03, -0.008, -0.008, 0.01),
    ("drawn_clock_balanced", 0.01, -0.002, -0.002, 0.01),
];

pub(crate) fn variant(name: &str) -> Arm {
    name.parse().unwrap()
}

pub(crate) fn sample(arm: &str, agent: &str, (checkpoint, simulations): (Checkpoint, u32)) -> SampleId {
    SampleId { arm: variant(arm), agent: agent.to_owned(), checkpoint, simulations }
}

/// Returns a pseudo-random number between -1 and 1 that depends only on `seed`.
fn wobble(seed: usize) -> f64 {
    (seed as f64 * 12.9898).sin() * 43758.547 % 1.0
}

fn estimate(value: f64, half: f64, seeds: u64) -> Estimate {
    let rule = (seeds >= 3).then_some([value - 2.4 * half, value + 2.4 * half]);
    Estimate { value, agents: [value - half, value + half], rule }
}

/// Returns the contributions of `seeds` networks to a value. `name` selects the pseudo-random
/// numbers.
fn networks(value: f64, half: f64, seeds: u64, name: usize) -> Vec<NetworkValue> {
    let of = |seed: u64| NetworkValue {
        seed,
        value: value + 1.2 * half * wobble(name + 31 * seed as usize),
        error: half / 2.0,
        without: None,
    };
    (1..=seeds).map(of).collect()
}

fn strengths() -> Vec<Strength> {
    let mut all = Vec::new();
    for (a, (arm, agent, seeds)) in ARMS.iter().enumerate() {
        for (l, (checkpoint, simulations)) in LEVELS.iter().enumerate() {
            for seed in 1..=*seeds {
                for (opponent, better) in
                    [("half", 14), ("alphabeta:1", 12 + 4 * l as u64), ("alphabeta:2", 3 + 5 * l as u64)]
                {
                    let better = (better + a as u64 + seed).min(38);
                    all.push(Strength {
                        arm: variant(arm),
                        network: NetworkId { agent: (*agent).to_owned(), seed },
                        checkpoint: *checkpoint,
                        simulations: *simulations,
                        opponent: opponent.to_owned(),
                        result: played([2, 40 - better, 10, better, better / 2]),
                    });
                }
            }
        }
    }
    all
}

fn contrast(metric: &str, a: usize, l: usize) -> Contrast {
    let (_, _, by_arm, by_level, half) = *METRICS.iter().find(|m| m.0 == metric).unwrap();
    let (arm, agent, seeds) = ARMS[a];
    let difference = a as f64 * by_arm + 0.3 * by_level * wobble(a + l);
    Contrast {
        metric: metric.to_owned(),
        arm: sample(arm, agent, LEVELS[l]),
        control: Some(sample("chess", "chess", LEVELS[l])),
        difference: estimate(difference, 1.4 * half, seeds),
        rule_p: (seeds >= 3).then_some(0.0312),
        agents_p: 0.0004,
        probability_above: if difference > 0.0 { 0.9991 } else { 0.02 },
        power: (metric == "draw_rate").then_some(0.81),
    }
}

fn judgement(claim: &str, metric: &str, a: usize, verdict: Verdict) -> Judgement {
    let (_, _, by_arm, _, half) = *METRICS.iter().find(|m| m.0 == metric).unwrap();
    let (arm, _, seeds) = ARMS[a];
    Judgement {
        endpoint: Endpoint {
            claim: claim.to_owned(),
            metric: metric.to_owned(),
            arm: variant(arm),
            control: Some(variant("chess")),
            against: None,
            agent: None,
            levels: Vec::new(),
            family: None,
            by_construction: false,
            direction: if by_arm < 0.0 { Direction::Lower } else { Direction::Higher },
            smallest_effect: 0.05,
        },
        scheme: Scheme::Registered,
        verdict,
        withheld: None,
        alpha: 0.031,
        tests: 3,
        networks: seeds as usize,
        levels: (1..5).map(|l| contrast(metric, a, l)).collect(),
        effect: Some(contrast(metric, a, 4)),
        seeds: Vec::new(),
        adjusted_p: (seeds >= 3).then_some(0.047),
        matched: (seeds >= 3).then(|| estimate(0.8 * by_arm, 2.0 * half, seeds)),
        sensitivity: Vec::new(),
        robustness: Robustness::default(),
        gates: Vec::new(),
    }
}

fn curves() -> Vec<Curve> {
    let mut curves = Vec::new();
    for (a, (arm, agent, seeds)) in ARMS.iter().enumerate() {
        let strongest = sample(arm, agent, LEVELS[4]);
        let entropy = (0..=20).map(|ply| {
            let x = f64::from(ply);
            (x, estimate(x * (1.5 + 0.12 * a as f64), 0.1 + 0.03 * x, *seeds))
        });
        curves.push(Curve {
            figure: "opening-entropy".into(),
            sample: strongest.clone(),
            series: "prior".to_owned(),
            points: entropy.collect(),
        });
        for (series, slope, half) in [("", 0.7 + 0.02 * a as f64, 0.04), ("honest-values", 1.0, 0.0)] {
            let points = (1..=6).map(|bin| {
                let x = 0.15 * f64::from(bin);
                (x, estimate(0.5 + slope * (x - 0.5), half, *seeds))
            });
            curves.push(Curve {
                figure: "calibration".into(),
                sample: strongest.clone(),
                series: series.into(),
                points: points.collect(),
            });
        }
    }
    curves
}

/// Returns a note that doubts piece values, because a rook is worth less than a bishop.
fn weak() -> Note {
    let values = [("pawn", 1.0), ("knight", 3.1), ("bishop", 3.3), ("rook", 3.2), ("queen", 9.2)];
    let values = values.map(|(piece, value)| (piece.to_owned(), Some(value))).to_vec();
    Note::PieceValues { fit: "likelihood".to_owned(), doubt: Doubt::Order { values } }
}

/// Returns warnings of most kinds.
fn warnings() -> Vec<Warning> {
    let network = |seed| NetworkId { agent: "chesspp".to_owned(), seed };
    let at = |arm: &str| sample(arm, "chesspp", LEVELS[4]);
    vec![
        Warning::TruncatedEarlier {
            networks: (1..=3).map(network).collect(),
            training: Caps { no_progress: Some(60), plies: Some(400) },
            study: Caps { no_progress: Some(100), plies: Some(400) },
        },
        Warning::TrainingUnknown { networks: vec![NetworkId { agent: "all-proposals".to_owned(), seed: 1 }] },
        Warning::UnknownOutcome {
            metric: "draw_rate".to_owned(),
            outcome: Outcome::HundredPlies,
            shares: vec![(sample("chess", "chess", LEVELS[4]), 0.025), (at("chesspp"), 0.1)],
            networks: (1..=3).map(network).collect(),
        },
        Warning::Worthless {
            metric: "worth_catapult_moves".to_owned(),
            sample: at("chesspp"),
            worth: Estimate { value: -30.4, agents: [-40.0, -20.0], rule: Some([-49.0, -11.8]) },
        },
        Warning::Skewed {
            metric: "catapult_moves".to_owned(),
            samples: vec![Skewed { sample: at("chesspp"), mean: 26.8, median: 4.0 }],
        },
        Warning::NoSeedVariance {
            networks: 12,
            endpoints: vec![Alike {
                metric: "draw_rate".to_owned(),
                arm: at("chesspp"),
                control: Some(at("chess")),
                between: 0.000_53,
                within: 0.000_58,
                p: 0.53,
            }],
        },
        Warning::PieceValues {
            sample: sample("chess", "chess", LEVELS[4]),
            doubt: Doubt::Overlap { pairs: vec![["knight".to_owned(), "rook".to_owned()]] },
        },
        Warning::LookedBefore {
            times: 1,
            networks: vec!["chesspp-3".to_owned()],
            levels: vec![128],
            alpha: 0.0083,
        },
    ]
}

fn tables() -> Vec<SampleTable> {
    let mut tables = Vec::new();
    for (a, (arm, agent, seeds)) in ARMS.iter().enumerate() {
        let table = |table: &str, level: usize, rows: Vec<(&str, Vec<Option<Estimate>>)>| SampleTable {
            table: table.to_owned(),
            sample: sample(arm, agent, LEVELS[level]),
            rows: rows.into_iter().map(|(name, cells)| (name.to_owned(), cells)).collect(),
            notes: if table == "piece-values" && *arm == "chess" { vec![weak()] } else { Vec::new() },
        };
        let pieces = [
            ("pawn", 1.0),
            ("knight", 3.1),
            ("bishop", 3.3),
            ("rook", 4.9),
            ("queen", 9.2),
            ("pair-of-catapults", 1.4),
        ];
        let known = pieces.iter().filter(|(name, _)| a > 0 || *name != "pair-of-catapults");
        let rows = known.map(|(name, worth)| {
            (*name, vec![Some(estimate(worth + 0.2 * wobble(a), 0.2 + 0.05 * worth, *seeds))])
        });
        tables.push(table("piece-values", 4, rows.collect()));
        let first = ["e2e4", "d2d4", "g1f3", "c2c4", "b1c3"];
        let rows = first.iter().enumerate().map(|(i, m)| {
            let share = 0.31 / (i + 1) as f64;
            (
                *m,
                vec![
                    Some(estimate(share, 0.02, 1)),
                    Some(estimate(0.5 + 0.01 * i as f64, 0.03, 1)),
                    (i < 3).then(|| estimate(share, 0.0, 1)),
                ],
            )
        });
        tables.push(table("first-moves", 4, rows.collect()));
    }
    tables
}

/// Returns a study of seven arms at four levels and an early checkpoint. Agents that play one arm
/// have three seeds, the others one.
pub(crate) fn study() -> StudyResults {
    let mut results = StudyResults {
        format: FORMAT,
        name: "made-up".to_owned(),
        title: "What do catapults do to chess?".to_owned(),
        provenance: Provenance {
            command: "catapult study run studies/made-up.toml".to_owned(),
            version: "0.1.0".to_owned(),
            file: "1f0c5a7c2f7d4d52b8a0f4a1c7b7a25b6a2b7d5b1e3c9f00aa11bb22cc33dd44".to_owned(),
            registered_file: "1f0c5a7c2f7d4d52b8a0f4a1c7b7a25b6a2b7d5b1e3c9f00aa11bb22cc33dd44".to_owned(),
            changes: Vec::new(),
            seed: 1,
            networks: vec![NetworkFile {
                network: NetworkId { agent: "chess".to_owned(), seed: 1 },
                checkpoint: Checkpoint::Last,
                hash: "2e8ca1a0c04f56968a5af929f2246bf6ed08a3fbfe1e3a305be0f07c248c9fd7".to_owned(),
            }],
        },
        arms: ARMS.map(|(arm, ..)| variant(arm)).into(),
        tables: tables(),
        strengths: strengths(),
        exams: vec![
            NetworkExam {
                network: NetworkId { agent: "chess".to_owned(), seed: 1 },
                gates: Some(ExamGates { passed: 9, failed: 1, unresolved: 2, quick: false }),
            },
            NetworkExam { network: NetworkId { agent: "chess".to_owned(), seed: 2 }, gates: None },
        ],
        warnings: warnings(),
        ..Default::default()
    };
    for (m, (metric, base, by_arm, by_level, half)) in METRICS.iter().enumerate() {
        for (a, (arm, agent, seeds)) in ARMS.iter().enumerate() {
            for (l, level) in LEVELS.iter().enumerate() {
                // Chess has no catapults, and one cell is missing.
                if (*metric == "catapult_moves" && a == 0) || (a == 6 && l == 1) {
                    continue;
                }
                let value =
                    base + a as f64 * by_arm + l as f64 * by_level + 0.3 * half * wobble(m + 7 * a + 50 * l);
                results.measures.push(Measure {
                    metric: (*metric).to_owned(),
                    sample: sample(arm, agent, *level),
                    observations: 1200,
                    estimate: estimate(value, *half, *seeds),
                    median: (*metric == "catapult_moves").then_some(value.floor() / 2.0),
                    networks: networks(value, *half, *seeds, m + 7 * a + 50 * l),
                });
                if a > 0 && *metric != "catapult_moves" {
                    results.contrasts.push(contrast(metric, a, l));
                }
            }
        }
    }
    results.curves = curves();
    for (a, (arm, agent, _)) in ARMS.iter().enumerate().skip(1) {
        for (map, turn) in [("catapults", 3), ("teleports", 11)] {
            results.heat_maps.push(HeatMap {
                map: map.to_owned(),
                sample: sample(arm, agent, LEVELS[4]),
                files: 8,
                values: (0..64).map(|i| wobble(i * turn + a).abs().powi(3)).collect(),
            });
        }
    }
    results.judgements = vec![
        judgement("fewer draws", "draw_rate", 1, Verdict::Supported),
        judgement("longer games", "game_length", 1, Verdict::Contradicted),
        judgement("more comebacks when material is down", "comeback_share", 3, Verdict::Open),
    ];
    results.judgements.push(claims::paired());
    results.placebos =
        vec![Placebo { arm: variant("chesspp+promote"), rule: "+promote".to_owned(), games: 450 }];
    results.registration = claims::registration();
    results.examples = examples::chosen();
    results
}
