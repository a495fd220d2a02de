//! Tests of single self-play games: tablebases, resignations and openings.

use crate::slot::{Slot, Start};
use crate::{Counters, SelfPlayConfig, ShardSettings};
use catapult_endings::{EndingsError, Tables};
use catapult_mcts::{Batch, EvaluationError, Evaluator, SearchConfig, Value, evaluators::HashRandom};
use catapult_records::{GameRecord, verify_record};
use catapult_rules::{
    Chess, ChessPp, Color, ForbiddenKind, Outcome, Plain, Position, Proposals, Standard, Variant,
};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Plays a game of chess from a position. Returns its record, and 1 if it reached an endgame, else
/// 0. Fails if a tablebase probe fails.
fn play(fen: &str, tables: Option<&Tables>) -> Result<(GameRecord, u64), EndingsError> {
    play_in::<Chess>(Variant::Chess, Standard, fen, tables, None)
}

/// Like [`play`], for any variant and with a kind of move that may be forbidden.
fn play_in<P: Position>(
    variant: Variant,
    rules: P::Rules,
    fen: &str,
    tables: Option<&Tables>,
    forbidden: Option<ForbiddenKind>,
) -> Result<(GameRecord, u64), EndingsError> {
    let selfplay = SelfPlayConfig { simulations: 4, ply_cap: 6, forbidden, ..Default::default() };
    let search = SearchConfig { gumbel_scale: 1.0, ..SearchConfig::default() };
    let settings = ShardSettings {
        selfplay: &selfplay,
        search: &search,
        games: 1,
        slots: 1,
        seed: 1,
        network: "test",
        endings: tables,
    };
    let position = P::from_fen(fen, rules).unwrap();
    let start = Start { game: 0, seed: 7, variant, position, is_ending: false, fork: None };
    let (counters, mut batch) = (Counters::default(), Batch::default());
    let mut slot = Slot::new(&settings, &counters, start);
    while slot.gather(&mut batch)? {
        HashRandom::default().evaluate(&mut batch).unwrap();
        slot.apply(&batch);
        batch.clear();
    }
    Ok((slot.record, counters.endings.load(Ordering::Relaxed)))
}

fn solved(dir: &Path) -> Tables {
    let tables = Tables::new(dir);
    tables.solve("KRvK".parse().unwrap(), &mut |_, _| true).unwrap();
    tables
}

#[test]
fn a_game_that_reaches_a_table_ends_with_what_is_certain_at_its_clock() {
    let dir = tempfile::tempdir().unwrap();
    let tables = solved(dir.path());
    // Every White move keeps the rook safe and none mates. With a new half-move clock White wins.
    // With too few plies left, the game is drawn.
    for (clock, winner) in [(0, Some(Color::White)), (95, None)] {
        let (game, reached) = play(&format!("7k/8/8/8/8/8/8/KR6 w - - {clock} 90"), Some(&tables)).unwrap();
        assert_eq!((game.outcome, game.winner, game.moves.len()), (Outcome::Tablebase, winner, 1), "{clock}");
        assert_eq!(reached, 1);
        verify_record(&game).unwrap();
    }
    // The same with colours reversed. A mate takes precedence over the tablebase.
    let (game, _) = play("8/8/8/8/8/8/7r/K6k b - - 0 90", Some(&tables)).unwrap();
    assert_eq!((game.outcome, game.winner), (Outcome::Tablebase, Some(Color::Black)));
    let (game, _) = play("k7/8/1K6/8/8/8/8/7R w - - 99 90", Some(&tables)).unwrap();
    let mated = game.texts().unwrap().moves == ["h1h8"];
    assert_eq!(game.outcome == Outcome::Checkmate, mated, "{game:?}");
}

#[test]
fn without_tables_a_game_goes_on_and_is_counted() {
    let fen = "7k/8/8/8/8/8/8/KR6 w - - 0 90";
    let elsewhere = tempfile::tempdir().unwrap();
    for tables in [None, Some(Tables::new(elsewhere.path()))] {
        let (game, reached) = play(fen, tables.as_ref()).unwrap();
        assert_eq!((game.outcome, game.moves.len(), reached), (Outcome::Capped, 6, 1));
    }
    let (game, reached) = play("7k/8/8/8/8/8/8/KRR5 w - - 0 90", None).unwrap();
    assert_eq!((game.outcome, reached), (Outcome::Capped, 0));
}

#[test]
fn with_a_forbidden_kind_only_tables_without_catapults_are_used() {
    let dir = tempfile::tempdir().unwrap();
    let tables = solved(dir.path());
    // A damaged table fails if it is probed.
    std::fs::write(dir.path().join("KNvK-attacker-one.mate"), b"damaged").unwrap();
    let variant = Variant::ChessPp(Proposals::NONE);
    let played = |fen: &str, forbidden| play_in::<ChessPp>(variant, Plain, fen, Some(&tables), forbidden);
    let catapult = "7k/8/8/8/8/8/8/KN6 w - - 0 90 c3/-";
    let failed = played(catapult, None).unwrap_err();
    assert!(failed.to_string().contains("KNvK-attacker-one.mate"), "{failed}");
    let forbidden = Some(ForbiddenKind::CatapultMoves);
    let (game, reached) = played(catapult, forbidden).unwrap();
    assert_ne!(game.outcome, Outcome::Tablebase);
    assert_eq!(reached, 1);
    let (game, _) = played("7k/8/8/8/8/8/8/KR6 w - - 0 90 -", forbidden).unwrap();
    assert_eq!((game.outcome, game.winner), (Outcome::Tablebase, Some(Color::White)));
}

#[test]
fn a_table_that_is_damaged_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let tables = solved(dir.path());
    tables.list().unwrap();
    std::fs::write(dir.path().join("KRvK.clock"), b"CATEND01, and nothing more").unwrap();
    let failed = play("7k/8/8/8/8/8/8/KR6 w - - 0 90", Some(&Tables::new(dir.path())));
    assert!(failed.unwrap_err().to_string().contains("KRvK.clock"));
    assert!(Tables::new(dir.path()).list().is_err());
}

/// Evaluator that gives every position these probabilities of win, draw and loss for the side to
/// move. Its policy prefers the first legal move.
struct Says([f32; 3]);

impl<P: Position> Evaluator<P> for Says {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        batch.logits = vec![0.0; batch.moves.len()];
        batch.leaves.iter().for_each(|leaf| batch.logits[leaf.first_move as usize] = 4.0);
        batch.values = vec![Value { wdl: self.0, moves_left: 10.0 }; batch.leaves.len()];
        Ok(())
    }
}

/// Plays a game of chess from the start position with this seed and evaluator. Returns its record.
fn play_by(selfplay: &SelfPlayConfig, seed: u64, evaluator: &mut Says) -> GameRecord {
    let search = SearchConfig { gumbel_scale: 1.0, ..SearchConfig::default() };
    let settings = ShardSettings {
        selfplay,
        search: &search,
        games: 1,
        slots: 1,
        seed: 1,
        network: "test",
        endings: None,
    };
    let start = Start {
        game: 0,
        seed,
        variant: Variant::Chess,
        position: Chess::start(Standard),
        is_ending: false,
        fork: None,
    };
    let (counters, mut batch) = (Counters::default(), Batch::default());
    let mut slot = Slot::new(&settings, &counters, start);
    while slot.gather(&mut batch).unwrap() {
        evaluator.evaluate(&mut batch).unwrap();
        slot.apply(&batch);
        batch.clear();
    }
    verify_record(&slot.record).unwrap();
    slot.record
}

/// Checks that a side resigns after three consecutive own turns that it counts as lost. Without
/// simulations, a root value is the evaluator's value. White counts as lost at plies 0, 2 and 4,
/// Black at plies 1 and 3. Therefore White resigns first: at its third turn, before it moves.
#[test]
fn a_side_resigns_after_resign_turns() {
    let selfplay = SelfPlayConfig {
        ply_cap: 20,
        resign_threshold: 0.9,
        resign_turns: 3,
        resign_audit: 0.0,
        ..Default::default()
    };
    let lost = &mut Says([0.0, 0.0, 1.0]);
    let game = play_by(&SelfPlayConfig { simulations: 0, ..selfplay.clone() }, 3, lost);
    assert_eq!((game.outcome, game.winner, game.moves.len()), (Outcome::Resignation, Some(Color::Black), 4));
    // No side resigns if the value is too high, the game is audited or resignation is disabled.
    let cases = [
        (SelfPlayConfig { simulations: 0, ..selfplay.clone() }, [0.1, 0.0, 0.9]),
        (SelfPlayConfig { simulations: 0, resign_audit: 1.0, ..selfplay.clone() }, [0.0, 0.0, 1.0]),
        (SelfPlayConfig { simulations: 0, resign_threshold: 1.0, ..selfplay.clone() }, [0.0, 0.0, 1.0]),
    ];
    for (config, value) in cases {
        let game = play_by(&config, 3, &mut Says(value));
        assert_eq!((game.outcome, game.moves.len()), (Outcome::Capped, 20));
    }
    // The config's share of games is audited: 0.25 of 400, within five standard errors.
    let audited = SelfPlayConfig { simulations: 0, resign_audit: 0.25, ..selfplay };
    let played_on = (0..400).filter(|&seed| play_by(&audited, seed, lost).outcome == Outcome::Capped).count();
    assert!((57..=143).contains(&played_on), "{played_on}");
}

#[test]
fn the_first_plies_may_be_the_networks_own() {
    let selfplay = SelfPlayConfig {
        simulations: 4,
        ply_cap: 12,
        prior_plies: 6,
        prior_temperature: 1.0,
        sampled_plies: 0,
        ..Default::default()
    };
    let even = &mut Says([0.25, 0.5, 0.25]);
    let games: Vec<GameRecord> = (0..200).map(|seed| play_by(&selfplay, seed, even)).collect();
    let lengths: Vec<usize> = games
        .iter()
        .map(|game| {
            let searched: Vec<bool> = game.policies.iter().map(|policy| !policy.is_empty()).collect();
            let first = searched.iter().position(|searched| *searched).unwrap();
            assert!(searched[first..].iter().all(|searched| *searched), "and then every ply is searched");
            first
        })
        .collect();
    for length in 0..=6 {
        assert!(lengths.contains(&length), "{length} plies by the prior");
    }
    assert!(lengths.iter().all(|&length| length <= 6));
    // The first move has probability e^4 / (e^4 + 19) = 0.742 at temperature 1, and e / (e + 19) =
    // 0.125 at temperature 4.
    let mut opens = |temperature| {
        let config = SelfPlayConfig { prior_temperature: temperature, ..selfplay.clone() };
        let first = Chess::start(Standard).legal_moves()[0];
        let mut count = [0, 0];
        for seed in 0..600 {
            let game = play_by(&config, seed, even);
            if game.policies[0].is_empty() {
                count[usize::from(game.moves[0] == first)] += 1;
            }
        }
        f64::from(count[1]) / f64::from(count[0] + count[1])
    };
    // About 514 games each: five standard errors are 0.1 and 0.07.
    assert!((opens(1.0) - 0.742).abs() < 0.1);
    assert!((opens(4.0) - 0.125).abs() < 0.07);
}
