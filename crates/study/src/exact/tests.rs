//! Tests of play in endings with tablebases.

use super::playing::{Defence, play_out};
use super::starts::{Start, draw};
use super::*;
use catapult_arena::{Player, PlayerError, RandomPlayer, Reply, Turn};
use catapult_endings::Value;
use catapult_rules::{Chess, ChessPp, Color, Move, Plain, Position, Standard, Variant};
use std::sync::OnceLock;

/// Returns the tablebase of king and rook against king. It is solved at the first call, in a
/// temporary folder.
fn tables() -> &'static Tables {
    static SOLVED: OnceLock<(tempfile::TempDir, Tables)> = OnceLock::new();
    let solved = SOLVED.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::new(dir.path());
        tables.solve(rook(Variant::Chess), &mut |_, _| true).unwrap();
        (dir, tables)
    });
    &solved.1
}

fn rook(arm: Variant) -> TableKey {
    table_key("KRvK", arm.into()).unwrap().unwrap()
}

fn starts(positions: usize, seed: u64) -> Vec<Start<Chess>> {
    draw::<Chess>(Standard, rook(Variant::Chess), positions, seed, tables()).unwrap()
}

/// A player that mates in the fewest plies.
struct Perfect;

impl Player<Chess> for Perfect {
    fn reply(&mut self, turns: &[Turn<'_, Chess>]) -> Result<Vec<Reply>, PlayerError> {
        let distance = |position: &Chess, mv: Move| {
            let mut after = *position;
            after.play(mv);
            match tables().probe(&after).unwrap().map(|probe| probe.dtm) {
                Some(Value::Lost(plies)) => plies,
                _ => u16::MAX,
            }
        };
        let best = |turn: &Turn<'_, Chess>| {
            let position = turn.game.position();
            position.legal_moves().iter().copied().min_by_key(|mv| distance(position, *mv)).unwrap()
        };
        Ok(turns.iter().map(|turn| best(turn).into()).collect())
    }
}

#[test]
fn starts_are_won_and_stand_for_all_that_are() {
    let found = starts(50, 7);
    assert_eq!(found.len(), 50);
    for Start { position, distance } in &found {
        let probe = tables().probe(position).unwrap().unwrap();
        assert_eq!((probe.dtm, position.side_to_move()), (Value::Won(*distance), Color::White));
    }
    assert!(found.is_sorted_by_key(|start| start.distance));
    // Most rook endings take twelve to fifteen moves, none more than sixteen.
    let middle = found[25].distance;
    assert!((19..=29).contains(&middle) && found[49].distance <= 31, "{middle}");
    assert!(starts(50, 7).iter().zip(&found).all(|(a, b)| a.position == b.position));
    assert!(starts(50, 8).iter().zip(&found).any(|(a, b)| a.position != b.position));
    // Without catapults the ending has the same values in Chess++.
    let chesspp: Vec<Start<ChessPp>> =
        draw(Plain, rook("chesspp".parse().unwrap()), 50, 7, tables()).unwrap();
    assert!(chesspp.iter().zip(&found).all(|(a, b)| a.distance == b.distance));
}

#[test]
fn the_shortest_win_against_the_best_defence_takes_as_long_as_the_table_says() {
    let starts = starts(20, 1);
    let played = play_out(&starts, &mut Perfect, Defence::Best, tables(), 1, || false).unwrap().unwrap();
    assert_eq!(played.len(), 20);
    for game in played {
        assert!(game.won, "{game:?}");
        assert_eq!(game.plies, u32::from(game.distance));
        assert_eq!((game.turns, game.kept), (game.plies.div_ceil(2), game.turns));
    }
    assert_eq!(play_out(&starts, &mut Perfect, Defence::Best, tables(), 1, || true).unwrap(), None);
}

#[test]
fn chance_gives_wins_away() {
    let starts = starts(40, 2);
    let play =
        |defence| play_out(&starts, &mut RandomPlayer, defence, tables(), 3, || false).unwrap().unwrap();
    let best = play(Defence::Best);
    let sum = |of: fn(&catapult_report::results::PlayedEnding) -> u32| best.iter().map(of).sum::<u32>();
    assert!(sum(|game| u32::from(game.won)) < 20);
    let (turns, kept) = (sum(|game| game.turns), sum(|game| game.kept));
    assert!(kept < turns && kept * 2 > turns, "a rook is given away now and then: {kept} of {turns}");
    // A game ends as soon as the win is lost.
    assert!(best.iter().all(|game| game.turns - game.kept <= 1));
    assert_eq!(best, play(Defence::Best));
}

#[test]
fn names_are_read_and_arms_without_the_ending_have_none() {
    let key = |name: &str, arm: &str| table_key(name, arm.parse().unwrap()).unwrap();
    assert_eq!(key("KRvK", "chess"), key("KRvK", "chesspp+instant"));
    assert!(key("KRvK attacker", "chesspp").is_some_and(|key| key.catapults() == 2));
    assert_eq!(key("KRvK attacker", "chess"), None);
    for (name, part) in [("KQRvK", "KQvK"), ("KRvK both", "attacker")] {
        let error = table_key(name, Variant::Chess.into()).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}
