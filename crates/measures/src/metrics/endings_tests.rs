use super::super::Phase;
use super::super::testing::{RESAMPLING, facts, found, record, value};
use super::*;
use catapult_records::GameRecord;
use catapult_stats::{Clustered, share};

const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";
const SCHOLARS_MATE: &str = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7";
const REPETITION: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

fn games() -> Vec<GameRecord> {
    // White is a queen ahead when the game is truncated.
    let queen_ahead = record("chess", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "e1e2 e8e7");
    let balanced = record("chess", "4k2q/8/8/8/8/8/8/Q3K3 w - - 0 1", "e1e2 e8e7");
    let stalemate = record("chess", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7");
    // White is a queen ahead, but the half-move clock reaches 100.
    let clock = record("chess", "4k3/8/8/8/8/8/8/Q3K3 w - - 99 80", "e1e2");
    let dead = record("chess", "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2");
    vec![
        record("chess", "", FOOLS_MATE),
        record("chess", "", SCHOLARS_MATE),
        record("chess", "", SCHOLARS_MATE),
        record("chess", "", REPETITION),
        queen_ahead,
        balanced,
        stalemate,
        dead,
        clock,
    ]
}

#[test]
fn each_game_is_counted_where_it_belongs() {
    let measured = found("chess", games(), |sample, findings| {
        findings.per_game(sample, METRICS);
        findings.per_game(sample, BY_LEAD);
        measure(sample, findings);
    });
    let of = |metric: &str| value(&measured.measures, metric);
    for (metric, games) in [
        ("white_win_rate", 2.0),
        ("black_win_rate", 1.0),
        ("draw_rate", 6.0),
        ("decisive_rate", 3.0),
        // Two wins of White, one of Black, six games without a winner.
        ("white_score", 5.0),
        ("checkmate_rate", 3.0),
        ("capped_rate", 2.0),
        ("drawn_repetition", 1.0),
        ("drawn_stalemate", 1.0),
        ("drawn_dead", 1.0),
        ("drawn_clock", 1.0),
        ("drawn_other", 0.0),
        ("capped_lead", 1.0),
        ("capped_balanced", 1.0),
        ("drawn_clock_lead", 1.0),
        ("drawn_clock_balanced", 0.0),
        ("drawn_repetition_lead", 0.0),
        ("drawn_repetition_balanced", 1.0),
        ("drawn_stalemate_lead", 1.0),
        ("undecided_lead", 2.0),
        // 4, 7, 7, 8, 2, 2, 1, 1 and 1 plies.
        ("length", 33.0),
    ] {
        assert!((of(metric) - games / 9.0).abs() < 1e-12, "{metric}: {}", of(metric));
    }
    let causes =
        ["dead", "stalemate", "repetition", "clock", "other"].map(|cause| of(&format!("drawn_{cause}")));
    let sum = causes.iter().sum::<f64>() + of("capped_lead") + of("capped_balanced");
    assert!((sum - of("draw_rate")).abs() < 1e-12, "every game without a winner has one cause");
    for cause in ["dead", "stalemate", "repetition", "clock", "other"].map(|cause| format!("drawn_{cause}")) {
        let parts = of(&format!("{cause}_lead")) + of(&format!("{cause}_balanced"));
        assert!((parts - of(&cause)).abs() < 1e-12, "{cause}");
    }
    let length = measured.measures.iter().find(|found| found.metric == "length").unwrap();
    assert_eq!(
        (length.median, measured.measures[0].median),
        (Some(2.0), None),
        "1, 1, 1, 2, 2, 4, 7, 7 and 8"
    );
    assert_eq!(of("decisive_length"), 18.0 / 3.0);
}

#[test]
fn placements_are_no_plies_of_the_game() {
    let game = facts("chesspp+free", "", "c@a1 c@a8 c@c1 c@h8 e2e4 e7e5 g1f3");
    assert_eq!((game.plies.len(), game.setup.len()), (3, 4));
    assert_eq!(game.first_move, "e2e4");
    // The same moves after different placements are a different opening.
    let elsewhere = facts("chesspp+free", "", "c@b1 c@a8 c@c1 c@h8 e2e4 e7e5 g1f3");
    assert!(game.opening != elsewhere.opening && game.opening.ends_with(&elsewhere.opening[4..]));
    let measured = found(
        "chesspp+free",
        vec![record("chesspp+free", "", "c@a1 c@a8 c@c1 c@h8 e2e4 e7e5 g1f3"); 2],
        |sample, findings| {
            findings.per_game(sample, METRICS);
            findings.per_game(sample, BY_LEAD);
        },
    );
    assert_eq!(value(&measured.measures, "length"), 3.0);
}

#[test]
fn openings_and_phases_end_where_the_definitions_say() {
    let quiet = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5 \
                 b3b4 b6b5 c3c4";
    let game = facts("chess", "", quiet);
    assert_eq!([19, 20].map(|ply| game.plies[ply].phase), [Phase::Opening, Phase::Middle]);
    // The pieces of both sides are worth 62 pawns at the start. An ending has at most 24.8: the queens
    // and two knights have 24, and five rooks have 25.
    for (fen, phase) in [
        ("qn2k3/8/8/8/8/8/8/QN2K3 w - - 0 1", Phase::Ending),
        ("rr2k3/8/8/8/8/8/8/RRR1K3 w - - 0 1", Phase::Opening),
    ] {
        assert_eq!(facts("chess", fen, "e1e2").plies[0].phase, phase, "{fen}");
    }
    // The eighth ply belongs to the line that identifies an opening, and the ninth does not.
    let opening = |from: &str, to: &str| facts("chess", "", &quiet.replace(from, to)).opening;
    assert_ne!(opening("d7d6", "d7d5"), game.opening);
    assert_eq!(opening("e2e3", "e2e4"), game.opening);
}

#[test]
fn no_castling_scores_as_published() {
    // Tomašev et al. 2020, no castling: 1110 wins of White, 8441 draws and 449 wins of Black give
    // 53.3 %.
    let mut game = facts("chess", "", "");
    let results = [(Some(Color::White), 1110), (None, 8441), (Some(Color::Black), 449)];
    let games = results.into_iter().flat_map(|(winner, games)| std::iter::repeat_n(winner, games));
    let games: Vec<(u64, usize, GameFacts)> = games
        .enumerate()
        .map(|(opening, winner)| {
            game.winner = winner;
            (1, opening, game.clone())
        })
        .collect();
    let games = Clustered::new(games);
    let metric = |id: &str| METRICS.iter().find(|metric| metric.info.id == id).unwrap();
    let score = share(&games, metric("white_score").parts).unwrap().estimate;
    assert!((score.value - 0.53305).abs() < 1e-12);
    // 1.96 sqrt(var / n), var = (1110 + 8441 / 4) / n - 0.53305^2.
    let half = 1.96 * ((0.111 + 0.8441 / 4.0 - 0.53305f64.powi(2)) / 10000.0).sqrt();
    assert!((score.agents[1] - score.agents[0] - 2.0 * half).abs() < 2e-4, "{score:?} against {half}");
    let drawn = share(&games, metric("draw_rate").parts).unwrap().estimate;
    assert!((drawn.value - 0.8441).abs() < 1e-12);
    assert!(0.8368 < drawn.agents[0] && drawn.agents[1] < 0.8512, "{drawn:?}");

    // logit 0.111 = -2.0806 and logit 0.0449 = -3.0573, so the rate is 2 s(-2.5690) = 0.1424. It is
    // lower than the observed 0.1559.
    let beyond = evidence(
        &games,
        |games| {
            let (mut won, mut all) = ([0.0; 2], 0.0);
            for game in games {
                all += 1.0;
                game.winner.iter().for_each(|winner| won[*winner as usize] += 1.0);
            }
            balanced_decisive_rate(won, all)
        },
        &RESAMPLING,
    );
    assert!((beyond.unwrap().estimate.value - 0.1424).abs() < 3e-4);
}

#[test]
fn imbalance_is_taken_out_of_decisiveness() {
    // Equal sides leave the rate unchanged, except for the added half games.
    assert!((balanced_decisive_rate([2000.0, 2000.0], 10000.0) - 0.4).abs() < 1e-3);
    // s(m - d) = 0.7 and s(-m - d) = 0.1 give d = 0.675 and m = 1.522. Of 0.8, 2 s(-0.675) = 0.675
    // remain.
    assert!((balanced_decisive_rate([7000.0, 1000.0], 10000.0) - 0.6749).abs() < 1e-3);
    let finite = balanced_decisive_rate([0.0, 0.0], 10.0);
    assert!((0.0..0.2).contains(&finite));
}
