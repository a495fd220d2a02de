use super::super::fitted::rows;
use super::super::testing::{RESAMPLING, facts};
use super::*;
use crate::data::SampleId;
use crate::games::StudiedGame;
use catapult_rules::{ChessPpProposals, Color, Position, Variant};
use catapult_stats::{Clustered, Row, tanh_regression};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns a sample whose games have 20 quiet plies and random differences of material x. White
/// wins with probability `(1 + tanh(weights . x)) / 2`. Otherwise Black wins.
fn sample(weights: &[f64], games: usize) -> Sample {
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let template = facts("chesspp", "", "g1f3 g8f6");
    let play = |opening: usize| {
        let mut game = template.clone();
        let mut terms = [0i8; 16];
        // The sides differ by up to two pawns, one piece of each kind and one pair of catapults.
        for (term, most) in [(0, 2), (1, 1), (2, 1), (3, 1), (4, 1), (6, 1)] {
            terms[term] = random.random_range(-most..=most);
        }
        let argument: f64 = weights.iter().zip(terms).map(|(w, x)| w * f64::from(x)).sum();
        let won = random.random_bool((1.0 + argument.tanh()) / 2.0);
        game.winner = Some(if won { Color::White } else { Color::Black });
        game.plies = game.plies.repeat(10);
        game.plies.iter_mut().for_each(|ply| ply.terms = terms);
        game.last_terms = terms;
        (1 + opening as u64 % 3, opening, game)
    };
    let games: Vec<_> = (0..games).map(play).collect();
    let id = SampleId {
        arm: "chesspp".parse().unwrap(),
        agent: "agent".to_owned(),
        checkpoint: Checkpoint::Last,
        simulations: 32,
    };
    Sample { id, games: Clustered::new(games) }
}

#[test]
fn known_values_are_recovered() {
    let truth = [("knight", 3.0), ("bishop", 3.4), ("rook", 5.0), ("queen", 9.0), ("pair-of-catapults", 1.5)];
    let pawn = 0.15;
    let weights = [1.0, 3.0, 3.4, 5.0, 9.0, 0.0, 1.5].map(|value| value * pawn);
    let sample = sample(&weights, 6000);
    let mut findings = Findings::new(RESAMPLING);
    measure(std::slice::from_ref(&sample), sample.id.arm, &[], &mut findings);
    let measured = findings.finish(sample.id.arm);
    let table = &measured.tables[0];
    let row = |name: &str| &table.rows.iter().find(|(row, _)| row == name).unwrap().1;
    for (name, value) in truth {
        let found = row(name)[0].unwrap();
        let width = found.agents[1] - found.agents[0];
        assert!((found.value - value).abs() < 0.75 * width, "{name}: {found:?} for {value}");
        assert!(width < 0.8 * value + 0.5, "{name}: {found:?}");
    }
    let weight = row("pawn")[1].unwrap();
    assert!((weight.value - pawn).abs() < 0.035, "{weight:?}");
    assert_eq!(row("pawn")[0].unwrap().value, 1.0);
    assert!(
        table.rows.iter().all(|(name, _)| name != "single-catapult"),
        "nothing is known of it: {table:?}"
    );
    assert!(measured.warnings.is_empty(), "{:?}", measured.warnings);
    let knight = measured.measures.iter().find(|found| found.metric == "piece_value_knight").unwrap();
    assert!((knight.estimate.value - 3.0).abs() < 0.8 && knight.estimate.rule.is_some(), "{knight:?}");
    assert!(table.rows.iter().all(|(_, cells)| cells.len() == TABLE.columns.len()));
}

#[test]
fn every_game_counts_alike_however_long_it_is() {
    let mut sample = sample(&[0.15, 0.45, 0.5, 0.75, 1.35], 900);
    let weights = |sample: &Sample| {
        let terms = GameInfo::of(sample.id.arm.rules).terms;
        let valued = valued(&terms, sample.games.iter());
        let rows: Vec<Row> = sample.games.iter().flat_map(|game| rows(game, &valued)).collect();
        tanh_regression(&rows).unwrap()
    };
    let before = weights(&sample);
    // Games that White won are ten times as long.
    sample.games = sample.games.map(|game| {
        let mut game = game.clone();
        if game.winner == Some(Color::White) {
            game.plies = game.plies.repeat(10);
        }
        game
    });
    for (a, b) in before.into_iter().zip(weights(&sample)) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }
}

#[test]
fn values_in_a_mad_order_are_told() {
    // The rook is worth less than a knight.
    let sample = sample(&[0.15, 0.6, 0.5, 0.2, 1.2], 3000);
    let mut findings = Findings::new(RESAMPLING);
    measure(std::slice::from_ref(&sample), sample.id.arm, &[], &mut findings);
    let measured = findings.finish(sample.id.arm);
    let [Warning::PieceValues { doubt, .. }] = measured.warnings.as_slice() else {
        panic!("{:?}", measured.warnings)
    };
    assert!(
        matches!(doubt, Doubt::Order { values } if values.len() == 5) && doubt.is_implausible(),
        "{doubt:?}"
    );
    let table = &measured.tables[0];
    assert_eq!(table.notes.len(), 1);
    // Insane values are omitted, so no figure draws them. Weights are kept.
    for (name, cells) in &table.rows {
        assert!(cells[0].is_none() && cells[1].is_some(), "{name}: {cells:?}");
    }
    let in_pawns = |found: &&crate::results::Measure| !found.metric.starts_with("piece_value_pawn");
    assert_eq!(measured.measures.iter().filter(in_pawns).count(), 0);
}

#[test]
fn nothing_is_said_of_few_games() {
    let sample = sample(&[0.15; 7], 5);
    let mut findings = Findings::new(RESAMPLING);
    measure(std::slice::from_ref(&sample), sample.id.arm, &[], &mut findings);
    let measured = findings.finish(sample.id.arm);
    assert!(measured.tables.is_empty());
    assert!(matches!(measured.warnings[0], Warning::PieceValues { doubt: Doubt::Unfitted, .. }));
}

#[test]
fn together_catapults_are_a_term_of_their_own() {
    let terms = |fen: &str| {
        let rules = "chesspp+catapults=a1b1c1d1".parse::<Variant>().unwrap();
        let Variant::ChessPp(rules) = rules else { panic!() };
        let position = ChessPpProposals::from_fen(fen, rules).unwrap();
        let count = ChessPpProposals::terms().len();
        Color::ALL.map(|side| position.count_terms(side)[..count].to_vec())
    };
    let [white, black] = terms("4k3/8/8/8/8/8/PP6/N3K2R w - - 0 1 a1c4g6/b8");
    assert_eq!(white, [2, 1, 0, 1, 0, 0, 0, 1, 0]);
    assert_eq!(black, [0, 0, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(terms("4k3/8/8/8/8/8/8/N3K3 w - - 0 1 a1c4/-")[0], [0, 1, 0, 0, 0, 0, 1, 0, 0]);
    assert_eq!(terms("4k3/8/8/8/8/8/8/N3K3 w - - 0 1 a1b2c4d5/-")[0], [0, 1, 0, 0, 0, 0, 0, 0, 1]);
}
