//! Tests of training samples of Maxim chess, in which one side may play several plies in a row.
//! Targets depend on the side to move, not on the parity of the ply.

use crate::games::{close, game_of};
use catapult_records::GameRecord;
use catapult_rows::{Row, TargetConfig, WindowConfig, game_rows};
use catapult_rules::{Color, Maxim, Outcome, Position, Variant};

fn rows(record: &GameRecord) -> Vec<Row<Maxim>> {
    let window = WindowConfig { rows_per_game: 100, ..WindowConfig::default() };
    game_rows::<Maxim>(record, (), &window, &TargetConfig::default()).unwrap().rows
}

fn maxim(start: &str, decisions: &str, outcome: Outcome, winner: Option<Color>) -> GameRecord {
    game_of(Variant::Maxim, start, decisions, outcome, winner)
}

/// Value target of the winner: 0.7 times the result (1, 0, 0) plus 0.3 times the root value (0.5,
/// 0.3, 0.2).
const WON: [f32; 3] = [0.85, 0.09, 0.06];
const LOST: [f32; 3] = [0.15, 0.09, 0.76];

#[test]
fn every_decision_of_the_winner_is_a_win() {
    use Color::{Black, White};
    for (start, decisions, movers) in [
        // Turns of two decisions each; White mates with its second.
        (
            "6k1/5(pp)(pp)(pp)/8/8/8/8/R7/4K3 w - - 0 1 -/- -",
            "a2a1 done g8h8 done a1a8 done",
            vec![White, White, Black, Black, White, White],
        ),
        // A turn of three decisions with portals; then the same for Black.
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1 -/- -", "a1h1 @e5 @g8", vec![White; 3]),
        ("r7/8/8/8/8/5k2/8/7K b - - 0 1 -/- -", "a8h8 @g1 @e4", vec![Black; 3]),
        // A game that begins within a turn.
        (
            "6k1/5(pp)(pp)(pp)/8/8/8/8/8/R3K3 w - - 1 1 -/- ?",
            "done g8h8 done a1a8 done",
            vec![White, Black, Black, White, White],
        ),
    ] {
        let winner = *movers.last().unwrap();
        let record = maxim(start, decisions, Outcome::Checkmate, Some(winner));
        catapult_records::verify_record(&record).unwrap();
        let rows = rows(&record);
        assert_eq!(rows.len(), movers.len());
        for (ply, (row, mover)) in rows.iter().zip(&movers).enumerate() {
            assert_eq!(row.position.side_to_move(), *mover, "{start}, ply {ply}");
            close(row.wdl, if *mover == winner { WON } else { LOST });
            // The search counts plies as decisions.
            assert_eq!(row.moves_left, Some((movers.len() - ply) as f32), "{start}, ply {ply}");
            assert_eq!(row.future_weight, [1.0; 2]);
        }
    }
}

#[test]
fn a_draw_is_one_for_every_decision() {
    let record =
        maxim("4k3/8/8/8/8/8/8/R3K3 w - - 98 80 -/- -", "a1a2 done e8d8 done", Outcome::HundredPlies, None);
    catapult_records::verify_record(&record).unwrap();
    for (ply, row) in rows(&record).iter().enumerate() {
        close(row.wdl, [0.15, 0.79, 0.06]);
        assert_eq!(row.moves_left, Some((4 - ply) as f32));
    }
}
