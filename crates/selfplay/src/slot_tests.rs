//! Games that tables end, from a position given by hand: a shard's games hardly ever get there in the length of a test.

use crate::slot::{Slot, Start};
use crate::{Counters, SelfPlayConfig, ShardSettings};
use catapult_endings::{EndingsError, Tables};
use catapult_mcts::{Batch, Evaluator, SearchConfig, evaluators::HashRandom};
use catapult_records::{GameRecord, verify_record};
use catapult_rules::{Chess, Color, Outcome, Position, Standard, Variant};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// A game of chess from a position, the games that got to an ending, and why a table could not be asked.
fn play(fen: &str, tables: Option<&Tables>) -> (GameRecord, u64, Option<EndingsError>) {
    let selfplay = SelfPlayConfig { simulations: 4, ply_cap: 6, ..Default::default() };
    let search = SearchConfig { gumbel_scale: 1.0, ..Default::default() };
    let settings = ShardSettings {
        selfplay: &selfplay,
        search: &search,
        games: 1,
        slots: 1,
        seed: 1,
        network: "test",
        endings: tables,
    };
    let position = Chess::from_fen(fen, Standard).unwrap();
    let start = Start { game: 0, seed: 7, variant: Variant::Chess, position, fork: None };
    let (counters, failed, mut batch) = (Counters::default(), Mutex::new(None), Batch::default());
    let mut slot = Slot::new(&settings, start);
    while slot.gather(&settings, &counters, &failed, &mut batch) {
        HashRandom::default().evaluate(&mut batch).unwrap();
        slot.apply(&batch);
        batch.clear();
    }
    let record = slot.take_record(&settings).unwrap();
    (record, counters.endings.load(Ordering::Relaxed), failed.into_inner().unwrap())
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
    // Whatever White plays, the rook is safe and no mate is there: from a new clock it wins, with too few plies left nobody does.
    for (clock, winner) in [(0, Some(Color::White)), (95, None)] {
        let (game, reached, failed) = play(&format!("7k/8/8/8/8/8/8/KR6 w - - {clock} 90"), Some(&tables));
        assert_eq!((game.outcome, game.winner, game.moves.len()), (Outcome::Tablebase, winner, 1), "{clock}");
        assert!(reached == 1 && failed.is_none());
        verify_record(&game).unwrap();
    }
    // The other way round, and a mate is still a mate.
    let (game, ..) = play("8/8/8/8/8/8/7r/K6k b - - 0 90", Some(&tables));
    assert_eq!((game.outcome, game.winner), (Outcome::Tablebase, Some(Color::Black)));
    let (game, _, _) = play("k7/8/1K6/8/8/8/8/7R w - - 99 90", Some(&tables));
    let mated = game.moves == ["h1h8"];
    assert_eq!(game.outcome == Outcome::Checkmate, mated, "{game:?}");
}

#[test]
fn without_tables_a_game_goes_on_and_is_counted() {
    let fen = "7k/8/8/8/8/8/8/KR6 w - - 0 90";
    let elsewhere = tempfile::tempdir().unwrap();
    for tables in [None, Some(Tables::new(elsewhere.path()))] {
        let (game, reached, failed) = play(fen, tables.as_ref());
        assert_eq!((game.outcome, game.moves.len(), reached), (Outcome::Capped, 6, 1));
        assert!(failed.is_none());
    }
    let (game, reached, _) = play("7k/8/8/8/8/8/8/KRR5 w - - 0 90", None);
    assert_eq!((game.outcome, reached), (Outcome::Capped, 0));
}

#[test]
fn a_table_that_is_damaged_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let tables = solved(dir.path());
    tables.check_all().unwrap();
    std::fs::write(dir.path().join("KRvK.clock"), b"CATEND01, and nothing more").unwrap();
    let (_, _, failed) = play("7k/8/8/8/8/8/8/KR6 w - - 0 90", Some(&Tables::new(dir.path())));
    assert!(failed.unwrap().to_string().contains("KRvK.clock"));
    assert!(Tables::new(dir.path()).check_all().is_err());
}
