use super::super::testing::{RESAMPLING, facts, found, record, value};
use super::*;
use crate::results::Measured;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Game in which White loses a knight for a pawn on plies 5 and 6, and the queen for another pawn
/// on plies 11 and 12.
const DOWN_A_KNIGHT: &str = "e2e4 e7e5 g1f3 d7d6 f3e5 d6e5 d1h5 b8c6 f1c4 g7g6 h5e5 c6e5";

#[test]
fn a_deficit_counts_when_it_lasts_and_is_quiet() {
    let game = facts("chess", "", DOWN_A_KNIGHT);
    let leads: Vec<f64> = (0..=game.plies.len()).map(|ply| lead_at(&game, ply) / 100.0).collect();
    assert_eq!(leads, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, -2.0, -2.0, -2.0, -2.0, -2.0, -1.0, -10.0]);
    // White is down by 2 at positions 6 to 10. That is five positions, two too few.
    assert_eq!(most_down(&game, |ply| lead_at(&game, ply) / 100.0), [0.0, 0.0]);

    let longer = "e2e4 e7e5 g1f3 d7d6 f3e5 d6e5 d1h5 b8c6 f1c4 g7g6 h5f3 a7a6 a2a3 a6a5 a3a4 h7h6";
    let game = facts("chess", "", longer);
    assert_eq!(most_down(&game, |ply| lead_at(&game, ply) / 100.0), [2.0, 0.0]);
}

#[test]
fn a_known_comeback_is_found() {
    let fen = "r5k1/p4ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    // White is a pawn down. At the end, Black's rook leaves the back rank.
    let comeback = record("chess", fen, "h2h3 a7a6 h3h4 a6a5 h4h5 a5a4 g2g3 a4a3 g1g2 a8a4 d1d8");
    assert_eq!(comeback.winner, Some(Color::White));
    let game = super::super::read_game(&comeback, 0, Variant::Chess).unwrap();
    let down = most_down(&game, |ply| lead_at(&game, ply) / 100.0);
    assert_eq!(down, [1.0, 0.0], "a pawn down from the start");

    // The same comeback, from a knight and a pawn down.
    let fen = "r5k1/p4ppp/8/8/8/8/n4PPP/3R2K1 w - - 0 1";
    let comeback = record("chess", fen, "h2h3 a7a6 h3h4 a6a5 h4h5 a5a4 g2g3 a4a3 g1g2 a8a4 d1d8");
    let stayed = record("chess", fen, "h2h3 a7a6 h3h4 a6a5 h4h5 a5a4 g2g3 a4a3 g1g2 h7h6");
    let measured = found("chess", vec![comeback, stayed], |sample, findings| {
        super::measure(std::slice::from_ref(sample), findings);
    });
    // One win and one truncated game.
    assert_eq!(value(&measured.measures, "comeback_score"), 0.75);
    assert_eq!(value(&measured.measures, "comeback_wins"), 0.5);
    assert!(
        measured.warnings.iter().any(|warning| matches!(warning, Warning::FittedValues { .. })),
        "{:?}",
        measured.warnings
    );
    let curve = measured.curves.iter().find(|curve| curve.series == "wins").unwrap();
    let points: Vec<(f64, f64)> = curve.points.iter().map(|(x, y)| (*x, y.value)).collect();
    assert_eq!(points, [(1.0, 0.5), (2.0, 0.5), (3.0, 0.5), (4.0, 0.5)]);
}

/// Returns a sample of an arm whose games have 20 quiet plies and random differences of material.
/// The result of a game is drawn at random, with a probability from fixed weights of pawn, knight,
/// bishop, rook and queen. `seen` converts the true differences to the differences that the fit
/// sees.
fn arm(name: &str, seen: impl Fn([i8; 5]) -> [i8; 5]) -> Sample {
    let weights = [0.15, 0.45, 0.5, 0.75, 1.35];
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let template = facts("chess", "", "g1f3");
    let play = |opening: usize| {
        let mut game = template.clone();
        let pieces: [i8; 5] = std::array::from_fn(|_| random.random_range(-1..=1));
        let argument: f64 = weights.iter().zip(pieces).map(|(w, x)| w * f64::from(x)).sum();
        let won = random.random_bool((1.0 + argument.tanh()) / 2.0);
        game.winner = Some(if won { Color::White } else { Color::Black });
        let lead = [100, 300, 300, 500, 900].iter().zip(pieces).map(|(worth, x)| worth * i32::from(x)).sum();
        let mut terms = game.last_terms;
        terms[..5].copy_from_slice(&seen(pieces));
        game.plies = std::iter::repeat_n(game.plies[0], 20).collect();
        game.plies.iter_mut().for_each(|ply| (ply.terms, ply.lead) = (terms, lead));
        (game.last_terms, game.last_lead) = (terms, lead);
        (1 + opening as u64 % 3, opening, game)
    };
    let games: Vec<_> = (0..2000).map(play).collect();
    let id = SampleId {
        arm: name.parse().unwrap(),
        agent: "agent".to_owned(),
        checkpoint: Checkpoint::Last,
        simulations: 32,
    };
    Sample { id, games: Clustered::new(games) }
}

fn measured(arms: &[Sample]) -> Measured {
    let mut findings = Findings::new(RESAMPLING);
    super::measure(arms, &mut findings);
    findings.finish(Variant::Chess)
}

#[test]
fn arms_with_the_same_games_do_not_differ_however_their_fits_come_out() {
    // The fit of the second arm sees rooks as queens and queens as rooks.
    let swapped = |[pawn, knight, bishop, rook, queen]: [i8; 5]| [pawn, knight, bishop, queen, rook];
    let found = measured(&[arm("chess", |pieces| pieces), arm("chesspp", swapped)]);
    for metric in ["comeback_score", "comeback_wins"] {
        let contrast = found.contrasts.iter().find(|contrast| contrast.metric == metric).unwrap();
        assert_eq!(contrast.difference.value, 0.0, "{metric}");
        let values = found.measures.iter().filter(|measure| measure.metric == metric).count();
        assert_eq!(values, 2);
    }
    let [chess, other] = ["chess", "chesspp"].map(|name| {
        let of_arm = found.curves.iter().filter(|curve| curve.sample.arm.to_string() == name);
        of_arm.map(|curve| (&curve.series, &curve.points)).collect::<Vec<_>>()
    });
    assert!(chess == other && chess.len() == 2);
    // No arm reports fitted values, not even the arm with sane ones.
    assert!(found.measures.iter().all(|measure| measure.metric != "comeback_score_fitted"));
    let Warning::FittedValues { groups } = &found.warnings[0] else { panic!("{:?}", found.warnings) };
    assert_eq!(*groups, [("chesspp".parse().unwrap(), "agent".to_owned(), Checkpoint::Last)]);
}

#[test]
fn fitted_values_are_told_where_all_make_sense() {
    let found = measured(&[arm("chess", |pieces| pieces), arm("chesspp", |pieces| pieces)]);
    let fitted: Vec<f64> = found
        .measures
        .iter()
        .filter(|measure| measure.metric == "comeback_score_fitted")
        .map(|measure| measure.estimate.value)
        .collect();
    assert!(fitted.len() == 2 && fitted[0] == fitted[1], "{fitted:?}");
    // The true weights are close to the conventional values.
    let conventional = found.measures.iter().find(|measure| measure.metric == "comeback_score").unwrap();
    assert!((fitted[0] - conventional.estimate.value).abs() < 0.05);
    assert!(found.warnings.is_empty());
}
