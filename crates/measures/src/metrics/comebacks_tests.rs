use super::super::testing::{facts, found, record, value};
use super::*;
use catapult_rules::Variant;

/// Game in which White loses a knight for a pawn on plies 5 and 6, and the queen for another pawn
/// on plies 11 and 12.
const DOWN_A_KNIGHT: &str = "e2e4 e7e5 g1f3 d7d6 f3e5 d6e5 d1h5 b8c6 f1c4 g7g6 h5e5 c6e5";

#[test]
fn a_deficit_counts_when_it_lasts_and_is_quiet() {
    let game = facts("chess", "", DOWN_A_KNIGHT);
    let leads: Vec<i32> = game.plies.iter().map(|ply| ply.lead).collect();
    assert_eq!(leads, [0, 0, 0, 0, 0, 100, -200, -200, -200, -200, -200, -100]);
    assert_eq!(game.last_lead, -1000);
    // White is down by 2 at positions 6 to 10. That is five positions, two too few.
    assert_eq!(most_down(&game), [0.0, 0.0]);

    let longer = "e2e4 e7e5 g1f3 d7d6 f3e5 d6e5 d1h5 b8c6 f1c4 g7g6 h5f3 a7a6 a2a3 a6a5 a3a4 h7h6";
    let game = facts("chess", "", longer);
    assert_eq!(most_down(&game), [2.0, 0.0]);
}

#[test]
fn a_known_comeback_is_found() {
    let fen = "r5k1/p4ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    // White is a pawn down. At the end, Black's rook leaves the back rank.
    let comeback = record("chess", fen, "h2h3 a7a6 h3h4 a6a5 h4h5 a5a4 g2g3 a4a3 g1g2 a8a4 d1d8");
    assert_eq!(comeback.winner, Some(Color::White));
    let game = super::super::read_game(&comeback, Variant::Chess).unwrap();
    let down = most_down(&game);
    assert_eq!(down, [1.0, 0.0], "a pawn down from the start");

    // The same comeback, from a knight and a pawn down.
    let fen = "r5k1/p4ppp/8/8/8/8/n4PPP/3R2K1 w - - 0 1";
    let comeback = record("chess", fen, "h2h3 a7a6 h3h4 a6a5 h4h5 a5a4 g2g3 a4a3 g1g2 a8a4 d1d8");
    let stayed = record("chess", fen, "h2h3 a7a6 h3h4 a6a5 h4h5 a5a4 g2g3 a4a3 g1g2 h7h6");
    let measured = found("chess", vec![comeback, stayed], |sample, findings| {
        super::measure(sample, findings);
    });
    // One win and one truncated game.
    assert_eq!(value(&measured.measures, "comeback_score"), 0.75);
    assert_eq!(value(&measured.measures, "comeback_wins"), 0.5);
    let curve = measured.curves.iter().find(|curve| curve.series == "wins").unwrap();
    let points: Vec<(f64, f64)> = curve.points.iter().map(|(x, y)| (*x, y.value)).collect();
    assert_eq!(points, [(1.0, 0.5), (2.0, 0.5), (3.0, 0.5), (4.0, 0.5)]);
}
