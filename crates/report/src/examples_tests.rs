use super::*;
use crate::synthetic::examples::{CellGames, choose};
use catapult_measures::data::{Cell, NetworkId};
use catapult_rules::Variant;

/// Start position (FEN) and moves of a game. A knight teleports from a1 to h5 and captures a rook.
/// Then the kings move.
const TELEPORT: (&str, &str) = ("4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-", "a1h5t e8d8 e1d1");
/// Start position (FEN) and moves of a game. A pawn captures the catapult on g3, and with it the
/// second catapult.
const CAPTURE: (&str, &str) = ("4k3/8/8/8/8/N7/6P1/4K3 w - - 3 1 -/a3g3", "g2g3 e8d8");

/// Returns the record of a game with this start position and these moves. `white` contains White's
/// expected score before each ply, from 0 to 1.
fn game(number: u64, (start, moves): (&str, &str), white: &[f32], winner: Option<Color>) -> GameRecord {
    let mover = |ply: usize| start.contains(" w ") == ply.is_multiple_of(2);
    let value = |(ply, white): (usize, &f32)| {
        if mover(ply) { [*white, 0.0, 1.0 - white] } else { [1.0 - white, 0.0, *white] }
    };
    GameRecord {
        game: number,
        values: white.iter().enumerate().map(value).collect(),
        outcome: if winner.is_some() { Outcome::Checkmate } else { Outcome::Repetition },
        winner,
        ..GameRecord::of_texts("chesspp".parse().unwrap(), Some(start), moves).unwrap()
    }
}

fn cell(arm: &str, simulations: u32, games: Vec<GameRecord>) -> CellGames {
    let network = NetworkId { agent: "agent".to_owned(), seed: 7 };
    let arm: Arm = arm.parse().unwrap();
    let games = games.into_iter().map(|game| GameRecord { variant: arm.rules, ..game }).collect();
    (Cell { arm, network, checkpoint: Checkpoint::Last, simulations }, games)
}

/// Returns the rule, game and ply of each chosen example.
fn chosen(cells: &[CellGames], sampled: u32) -> Vec<(String, u64, usize)> {
    let examples = choose(cells, &[], Variant::Chess, sampled).unwrap();
    examples.into_iter().map(|example| (example.rule, example.game, example.ply)).collect()
}

fn expected(all: &[(&str, u64, usize)]) -> Vec<(String, u64, usize)> {
    all.iter().map(|(name, game, ply)| ((*name).to_owned(), *game, *ply)).collect()
}

#[test]
fn each_rule_finds_its_ply() {
    let white = Some(Color::White);
    let games = vec![
        // The teleport raises White from 0.3 to 0.7, and White wins.
        game(10, TELEPORT, &[0.3, 0.7, 0.8], white),
        // The teleport raises White from 0.2 to 0.9, but the game has no winner. The fall from 0.9
        // to 0.1 is the largest swing of all.
        game(11, TELEPORT, &[0.2, 0.9, 0.1], None),
        // The teleport raises White from 0.5 to 0.75.
        game(12, TELEPORT, &[0.5, 0.75, 0.8], white),
        // The captures lose 0.1 and 0.05.
        game(13, CAPTURE, &[0.5, 0.4], None),
        game(14, CAPTURE, &[0.5, 0.45], None),
    ];
    let cells = [cell("chesspp", 64, games)];
    let found = chosen(&cells, 0);
    let swing = ("largest-swing", 11, 1);
    assert_eq!(found, expected(&[("decisive-teleport", 10, 0), swing, ("catapult-capture", 14, 0)]));
    // The first two plies are drawn at random. The last move then swings most: from 0.1 to a draw.
    assert_eq!(chosen(&cells, 2)[1], ("largest-swing".to_owned(), 11, 2));
}

/// Plies of the set-up are drawn in addition to the sampled plies.
#[test]
fn the_sampled_plies_of_a_set_up_game_begin_after_the_set_up() {
    let free: Variant = "chesspp+free".parse().unwrap();
    let (setup, sampled) = (GameInfo::of(free).setup_plies, 2);
    assert!(setup > 0);
    let mut game = free.start();
    let (mut moves, mut values) = (Vec::new(), Vec::new());
    // White's expected score jumps at the last sampled ply, and a little at the next one.
    for ply in 0..setup + sampled + 2 {
        let white = if ply < setup + sampled { 0.2 } else { 0.8 + 0.1 * (ply - setup - sampled) as f32 };
        let win = if game.side_to_move() == Color::White { white } else { 1.0 - white };
        values.push([win, 0.0, 1.0 - win]);
        let mv = game.legal_moves()[0];
        moves.push(game.move_text(mv));
        game.push(mv);
    }
    // A truncated game repeats its last score.
    let record = GameRecord {
        game: 1,
        values,
        outcome: Outcome::Capped,
        ..GameRecord::of_texts(free, None, &moves.join(" ")).unwrap()
    };
    let found = chosen(&[cell("chesspp+free", 64, vec![record])], sampled as u32);
    assert_eq!(found, expected(&[("largest-swing", 1, setup + sampled)]));
}

#[test]
fn only_the_strongest_level_counts_and_the_first_of_equals() {
    let swing = |number, by: f32| game(number, TELEPORT, &[0.5, 0.5 + by, 0.5], None);
    let cells =
        [cell("chesspp", 8, vec![swing(1, 0.4)]), cell("chesspp", 64, vec![swing(2, 0.2), swing(3, 0.2)])];
    // There is no winner, and no move captured a catapult.
    assert_eq!(chosen(&cells, 0), expected(&[("largest-swing", 2, 0)]));
}

#[test]
fn the_example_holds_the_whole_game() {
    let cells = [cell("chesspp", 64, vec![game(10, TELEPORT, &[0.25, 0.75, 0.5], Some(Color::White))])];
    let found = choose(&cells, &[], Variant::Chess, 0).unwrap().remove(0);
    assert_eq!((found.seed, found.sample.simulations, found.start.as_str()), (7, 64, TELEPORT.0));
    assert_eq!(found.moves.join(" "), TELEPORT.1);
    assert_eq!(found.values, [0.25, 0.75, 0.5]);
    assert_eq!((found.outcome, found.winner), (Outcome::Checkmate, Some(Color::White)));
}

#[test]
fn games_without_values_are_not_shown() {
    let cells = |game| [cell("chesspp", 64, vec![game])];
    assert!(
        chosen(&cells(GameRecord { values: vec![[0.0; 3]; 3], ..game(1, TELEPORT, &[], None) }), 0)
            .is_empty()
    );
}

#[test]
fn arms_that_no_claim_is_about_are_left_out() {
    let swing = || vec![game(1, TELEPORT, &[0.2, 0.9, 0.5], None)];
    let cells = [cell("chesspp", 64, swing()), cell("chesspp+instant", 64, swing())];
    let claimed = ["chesspp+instant".parse().unwrap()];
    let found = choose(&cells, &claimed, Variant::Chess, 0).unwrap();
    assert!(found.iter().all(|example| example.sample.arm.to_string() == "chesspp+instant"));
    assert_eq!(found.len(), 1);
}
