//! Tests of the training samples of whole games, with targets worked out by hand.

use catapult_records::{GameRecord, VerifyError};
use catapult_rows::{FUTURE_PLIES, GameRows, TargetConfig, WindowConfig, game_rows};
use catapult_rules::{Chess, Color, Move, Outcome, Position, Standard, Variant};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Root value of every ply in [`game`]: win, draw, loss.
const SEARCHED: [f32; 3] = [0.5, 0.3, 0.2];

/// Returns the record of a game in which every policy gives the played move probability 1.
pub(super) fn game(start: &str, moves: &[&str], outcome: Outcome, winner: Option<Color>) -> GameRecord {
    game_of(Variant::Chess, start, &moves.join(" "), outcome, winner)
}

pub(super) fn game_of(
    variant: Variant,
    start: &str,
    moves: &str,
    outcome: Outcome,
    winner: Option<Color>,
) -> GameRecord {
    let record = GameRecord::of_texts(variant, Some(start), moves).unwrap();
    let plies = record.moves.len();
    GameRecord {
        game: 17,
        seed: 5,
        policies: record.moves.iter().map(|&mv| vec![(mv, 1.0)]).collect(),
        values: vec![SEARCHED; plies],
        moves_left: vec![10.0; plies],
        outcome,
        winner,
        ..record
    }
}

/// Returns the move with this text after these moves from the start of chess.
fn move_after(moves: &str, text: &str) -> Move {
    *GameRecord::of_texts(Variant::Chess, None, &format!("{moves} {text}")).unwrap().moves.last().unwrap()
}

fn read(record: &GameRecord, window: &WindowConfig) -> Result<GameRows<Chess>, VerifyError> {
    game_rows::<Chess>(record, Standard, window, &TargetConfig::default())
}

fn rows(record: &GameRecord) -> GameRows<Chess> {
    read(record, &WindowConfig::default()).unwrap()
}

pub(super) fn close(found: [f32; 3], expected: [f32; 3]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} is not {expected:?}");
}

fn fools_mate() -> GameRecord {
    game(START, &["f2f3", "e7e5", "g2g4", "d8h4"], Outcome::Checkmate, Some(Color::Black))
}

/// Returns a game of `plies` plies in which both sides move a knight out and back again.
fn shuffle(start: &str, plies: usize, outcome: Outcome) -> GameRecord {
    let moves: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(plies).collect();
    game(start, &moves, outcome, None)
}

#[test]
fn the_value_target_mixes_result_and_search() {
    let rows = rows(&fools_mate()).rows;
    assert_eq!(rows.len(), 4);
    // White, to move at plies 0 and 2, has lost: 0.7 (0, 0, 1) + 0.3 (0.5, 0.3, 0.2).
    for ply in [0, 2] {
        close(rows[ply].wdl, [0.15, 0.09, 0.76]);
    }
    for ply in [1, 3] {
        close(rows[ply].wdl, [0.85, 0.09, 0.06]);
    }
    // A draw by stalemate.
    let drawn = game("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", &["c1c7"], Outcome::Stalemate, None);
    let rows = self::rows(&drawn);
    assert_eq!(rows.positions[1].outcome(), Some(Outcome::Stalemate));
    close(rows.rows[0].wdl, [0.15, 0.79, 0.06]);
}

#[test]
fn moves_left_counts_the_plies_to_the_end() {
    let rows = rows(&fools_mate()).rows;
    let left: Vec<Option<f32>> = rows.iter().map(|row| row.moves_left).collect();
    assert_eq!(left, [Some(4.0), Some(3.0), Some(2.0), Some(1.0)]);
}

#[test]
fn what_will_stand_is_read_off_the_game() {
    assert_eq!(FUTURE_PLIES, [8, 24]);
    let read = rows(&fools_mate());
    // The game ended by the rules, so nothing changes after its end.
    for row in &read.rows {
        assert_eq!(row.future, [read.positions[4]; 2]);
        assert_eq!(row.future_weight, [1.0, 1.0]);
    }
    // Truncated after 10 plies: the position 8 plies later is known at plies 0, 1 and 2, 24 plies
    // later at none.
    let read = rows(&shuffle(START, 10, Outcome::Capped));
    let weights: Vec<[f32; 2]> = read.rows.iter().map(|row| row.future_weight).collect();
    assert_eq!(weights[..3], [[1.0, 0.0]; 3]);
    assert_eq!(weights[3..], [[0.0, 0.0]; 7]);
    // Ply 8 repeats the pieces of ply 0, ply 9 those of ply 1.
    for ply in [0, 1] {
        let placement = |position: &Chess| position.to_string().split(' ').next().unwrap().to_owned();
        assert_eq!(placement(&read.rows[ply].future[0]), placement(&read.rows[ply].position));
    }
}

#[test]
fn a_capped_game_has_no_result() {
    let read = rows(&shuffle(START, 10, Outcome::Capped));
    assert_eq!(read.rows.len(), 10, "it is not dropped");
    for row in &read.rows {
        assert_eq!(row.wdl, SEARCHED, "nor taken for a draw");
        assert_eq!(row.moves_left, None);
    }
}

#[test]
fn repetitions_are_counted() {
    let read = rows(&shuffle(START, 9, Outcome::Capped));
    let repetitions: Vec<u8> = read.rows.iter().map(|row| row.repetitions).collect();
    // Plies 4 and 8 repeat the start; ply 5 repeats ply 1.
    assert_eq!(repetitions, [0, 0, 0, 0, 1, 1, 1, 1, 2]);
}

#[test]
fn policies_stand_in_the_order_of_the_moves_and_sum_to_1() {
    let mut record = fools_mate();
    // Stored probabilities need not sum to 1.
    record.policies[0] = vec![(move_after("", "e2e4"), 0.5), (move_after("", "a2a3"), 0.25)];
    let row = &rows(&record).rows[0];
    assert_eq!(row.moves.len(), 20);
    assert_eq!(&row.moves[..], &row.position.legal_moves()[..]);
    for (&mv, &found) in row.moves.iter().zip(&row.policy) {
        let expected = match row.position.move_text(mv).as_str() {
            "e2e4" => 2.0 / 3.0,
            "a2a3" => 1.0 / 3.0,
            _ => 0.0,
        };
        assert!((found - expected).abs() < 1e-6, "{}: {found}", row.position.move_text(mv));
    }
}

#[test]
fn plies_without_a_full_search_give_no_row() {
    let mut record = fools_mate();
    record.policies[0].clear();
    record.policies[3].clear();
    let rows = rows(&record).rows;
    let sides: Vec<Option<f32>> = rows.iter().map(|row| row.moves_left).collect();
    assert_eq!(sides, [Some(3.0), Some(2.0)]);
}

#[test]
fn rows_are_limited_per_game_and_at_a_high_clock() {
    // The half-move clock starts at 30: plies 0 to 9 are below 40, plies 10 to 29 are not.
    let start = START.replace(" 0 1", " 30 40");
    let mut record = shuffle(&start, 30, Outcome::Capped);
    let limits = |rows_per_game, high_clock_rows| WindowConfig {
        rows_per_game,
        high_clock: 40,
        high_clock_rows,
        ..WindowConfig::default()
    };
    let plies = |record: &GameRecord, window: &WindowConfig| -> Vec<u32> {
        let rows = read(record, window).unwrap().rows;
        rows.iter().map(|row| row.position.halfmove_clock() - 30).collect()
    };
    let all = plies(&record, &limits(100, 100));
    assert_eq!(all, (0..30).collect::<Vec<_>>());
    let few_high = plies(&record, &limits(100, 3));
    assert_eq!(few_high[..10], (0..10).collect::<Vec<_>>());
    assert_eq!(few_high.len(), 13);
    assert_eq!(plies(&record, &limits(100, 0)), (0..10).collect::<Vec<_>>());
    let five = plies(&record, &limits(5, 100));
    assert_eq!(five.len(), 5);
    assert!(five.is_sorted());
    // The selection depends only on the game's seed.
    assert_eq!(plies(&record, &limits(5, 100)), five);
    record.seed += 1;
    assert_ne!(plies(&record, &limits(5, 100)), five);
}

#[test]
fn a_record_that_breaks_the_rules_is_named_by_game_and_ply() {
    let refused = |record: &GameRecord| read(record, &WindowConfig::default()).unwrap_err().to_string();
    let mut record = fools_mate();
    record.moves[2] = Move::new(14, 38, 0, 0);
    let error = refused(&record);
    assert!(error.starts_with("game 17, ply 2: ") && error.contains("Move(14-38"), "{error}");

    let mut record = fools_mate();
    record.policies[1] = vec![(move_after("f2f3", "e7e6"), 0.5), (move_after("", "e2e4"), 0.5)];
    let error = refused(&record);
    assert!(error.starts_with("game 17, ply 1: ") && error.contains("Move(12-28"), "{error}");

    let mut record = fools_mate();
    record.policies[3] = vec![(record.moves[3], 0.0)];
    assert_eq!(refused(&record), "game 17, ply 3: policy sums to 0");

    let mut record = fools_mate();
    record.values.pop();
    assert_eq!(refused(&record), "game 17, ply 4: 4 moves, 4 policies, 3 values, 4 surprises");

    let mut record = fools_mate();
    record.start_fen = "nonsense".into();
    assert!(refused(&record).starts_with("game 17, ply 0: "), "{}", refused(&record));
}
