//! Tests of value targets, which were worked out by hand.

use super::games::{close, game};
use catapult_records::GameRecord;
use catapult_rows::{GameResult, TargetConfig, WindowConfig, game_rows, would_resign};
use catapult_rules::{Chess, Color, Outcome, Position, Standard};

/// FEN in which White is a queen ahead. Moving knights out and back ([`SHUFFLE`]) changes nothing.
const QUEEN: &str = "1n2k3/8/8/8/8/8/8/1N1QK3 w - - 0 1";
const LEVEL: &str = "1n2k3/8/8/8/8/8/8/1N2K3 w - - 0 1";
const SHUFFLE: [&str; 4] = ["b1c3", "b8c6", "c3b1", "c6b8"];

fn with_values(start: &str, values: [[f32; 3]; 4], outcome: Outcome, winner: Option<Color>) -> GameRecord {
    GameRecord { values: values.to_vec(), ..game(start, &SHUFFLE, outcome, winner) }
}

fn targets(record: &GameRecord, learning: &TargetConfig) -> (Vec<[f32; 3]>, Option<GameResult>, Vec<f32>) {
    let read = game_rows::<Chess>(record, Standard, &WindowConfig::default(), learning).unwrap();
    let weights = read.rows.iter().map(|row| row.value_weight).collect();
    (read.rows.iter().map(|row| row.wdl).collect(), read.result, weights)
}

/// Checks the lambda-return against values worked out by hand, with lambda 1/2.
///
/// Both sides expect to win with 0.6 to 0.2. In White's view, the root values of plies 0 to 3 are
/// (.6, .2, .2), (.2, .2, .6), (.6, .2, .2) and (.2, .2, .6). White wins by tablebase: (1, 0, 0).
/// Hence G3 = (.6, .1, .3), G2 = (.6, .15, .25), G1 = (.4, .175, .425) and G0 = (.5, .1875, .3125).
#[test]
fn the_lambda_return_turns_over_with_the_mover() {
    let record = with_values(QUEEN, [[0.6, 0.2, 0.2]; 4], Outcome::Tablebase, Some(Color::White));
    let learning = TargetConfig { result_share: 0.0, value_lambda: 0.5, ..TargetConfig::default() };
    let (found, result, weights) = targets(&record, &learning);
    assert_eq!(result, Some(GameResult { winner: Some(Color::White), weight: 1.0 }));
    let white = [[0.5, 0.1875, 0.3125], [0.4, 0.175, 0.425], [0.6, 0.15, 0.25], [0.6, 0.1, 0.3]];
    for (ply, [win, draw, loss]) in white.into_iter().enumerate() {
        close(found[ply], if ply % 2 == 0 { [win, draw, loss] } else { [loss, draw, win] });
    }
    assert_eq!(weights, [1.0; 4]);
    // Half of the target is the result.
    let half = TargetConfig { result_share: 0.5, ..learning };
    close(targets(&record, &half).0[0], [0.75, 0.09375, 0.15625]);
    // Lambda 0 is the root value of the ply, lambda 1 the result.
    for (value_lambda, expected) in [(0.0, [0.6, 0.2, 0.2]), (1.0, [1.0, 0.0, 0.0])] {
        close(targets(&record, &TargetConfig { value_lambda, ..learning.clone() }).0[0], expected);
    }
    // Without a result, G ends with the last value: G3 = (.2, .2, .6), G2 = (.4, .2, .4), G1 = (.3,
    // .2, .5).
    let cut = with_values(QUEEN, [[0.6, 0.2, 0.2]; 4], Outcome::Capped, None);
    let (found, result, _) = targets(&cut, &learning);
    assert_eq!(result, None);
    close(found[3], [0.6, 0.2, 0.2]);
    close(found[1], [0.5, 0.2, 0.3]);
}

#[test]
fn a_game_that_was_cut_is_adjudicated_where_material_and_values_agree() {
    let learning = TargetConfig { adjudicated_weight: 0.5, ..TargetConfig::default() };
    let (ahead, behind, level) = ([0.8, 0.1, 0.1], [0.1, 0.1, 0.8], [0.2, 0.6, 0.2]);
    let white_ahead = [ahead, behind, ahead, behind];
    let result = |start: &str, values, learning: &TargetConfig| {
        targets(&with_values(start, values, Outcome::Capped, None), learning).1
    };
    let won = GameResult { winner: Some(Color::White), weight: 0.5 };
    assert_eq!(result(QUEEN, white_ahead, &learning), Some(won));
    assert_eq!(result(LEVEL, [level; 4], &learning), Some(GameResult { winner: None, ..won }));
    // A black queen, so Black leads.
    let mirrored = "1n1qk3/8/8/8/8/8/8/1N2K3 w - - 0 1";
    let black_ahead = [behind, ahead, behind, ahead];
    assert_eq!(
        result(mirrored, black_ahead, &learning),
        Some(GameResult { winner: Some(Color::Black), ..won })
    );
    // Material and values disagree, or adjudication is off.
    assert_eq!(result(QUEEN, [level; 4], &learning), None);
    assert_eq!(result(QUEEN, black_ahead, &learning), None);
    assert_eq!(result(LEVEL, white_ahead, &learning), None);
    assert_eq!(result(QUEEN, white_ahead, &TargetConfig::default()), None);
    // Below 0 the values only must not contradict.
    let trusting = TargetConfig { adjudicated_from: -0.2, ..learning.clone() };
    assert_eq!(result(QUEEN, [level; 4], &trusting), Some(won));
    assert_eq!(
        result(mirrored, [level; 4], &trusting),
        Some(GameResult { winner: Some(Color::Black), ..won })
    );
    assert_eq!(result(QUEEN, black_ahead, &trusting), None);
    // The target has the result's share with the weight of an adjudication: 0.7 (1, 0, 0) + 0.3
    // (.8, .1, .1).
    let (found, _, weights) = targets(&with_values(QUEEN, white_ahead, Outcome::Capped, None), &learning);
    close(found[0], [0.94, 0.03, 0.03]);
    assert_eq!(weights, [0.5; 4]);
    // A game with a result is not adjudicated.
    let drawn = with_values(QUEEN, white_ahead, Outcome::Repetition, None);
    assert_eq!(targets(&drawn, &learning).1, Some(GameResult { winner: None, weight: 1.0 }));
}

#[test]
fn rows_are_drawn_by_their_surprise() {
    let mut record = game(QUEEN, &SHUFFLE, Outcome::Repetition, None);
    record.surprises = vec![0.0, 0.2, 0.2, 0.4];
    let learning = TargetConfig { surprise_share: 0.5, ..TargetConfig::default() };
    let frequencies = |learning: &TargetConfig| -> Vec<f32> {
        let read = game_rows::<Chess>(&record, Standard, &WindowConfig::default(), learning).unwrap();
        read.rows.iter().map(|row| row.frequency).collect()
    };
    // The mean is 0.2: half from 1 and half from 0, 1, 1, 2.
    assert_eq!(frequencies(&learning), [0.5, 1.0, 1.0, 1.5]);
    assert_eq!(frequencies(&TargetConfig::default()), [1.0; 4]);
}

#[test]
fn who_would_have_given_up_is_read_off_the_game() {
    let lost = [0.0, 0.02, 0.98];
    let hopeful = [0.1, 0.1, 0.8];
    let positions: Vec<Chess> = SHUFFLE
        .iter()
        .scan(Chess::from_fen(LEVEL, Standard).unwrap(), |position, text| {
            let before = *position;
            position.play(position.parse_move(text).unwrap());
            Some(before)
        })
        .collect();
    let asked = |values| {
        let record = with_values(LEVEL, values, Outcome::Capped, None);
        would_resign(&record, &positions, 0.95, 2)
    };
    assert_eq!(asked([hopeful, lost, hopeful, lost]), Some(Color::Black));
    assert_eq!(asked([lost, lost, lost, lost]), Some(Color::White), "it came first");
    assert_eq!(asked([lost, lost, hopeful, hopeful]), None);

    // At plies without search no side could resign. A mean value that differs from the raw value
    // shows a search.
    let begun = |means: &[[f32; 3]]| {
        let mut record = with_values(LEVEL, [lost; 4], Outcome::Capped, None);
        record.policies[..3].iter_mut().for_each(Vec::clear);
        record.raw_values = if means.is_empty() { Vec::new() } else { vec![lost; 4] };
        record.mean_values = means.to_vec();
        would_resign(&record, &positions, 0.95, 1)
    };
    assert_eq!(begun(&[lost, hopeful, lost, lost]), Some(Color::Black));
    assert_eq!(begun(&[lost; 4]), Some(Color::Black), "the last ply has a policy");
    assert_eq!(begun(&[hopeful, lost, lost, lost]), Some(Color::White));
    assert_eq!(begun(&[]), Some(Color::White), "unknown");
}
