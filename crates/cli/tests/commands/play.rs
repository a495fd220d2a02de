//! Tests of `catapult play` that enter moves through standard input.

use super::{catapult_reading, fail_in_a_line, text};

fn play(arguments: &[&str], input: &str) -> String {
    let mut all = vec!["play"];
    all.extend_from_slice(arguments);
    let output = catapult_reading(&all, input.as_bytes());
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn moves_are_answered_and_illegal_ones_refused() {
    let game = play(&["chess", "--against", "random"], "e2e4\nfen\ne4e6\nhello\nmoves\nhint\nhelp\nquit\n");
    let fen = game.lines().find(|line| line.contains("/4P3/")).expect("the FEN after e4");
    assert!(fen.contains(" w ") && fen.ends_with(" 2"), "Black has answered: {fen}");
    assert!(game.contains("e4e6") && game.contains("hello"), "what is refused is named: {game}");
    assert!(game.contains("random would play "), "{game}");
    let listed = game.lines().find(|line| line.contains("d2d4") && line.contains("g1f3"));
    assert!(listed.is_some(), "the legal moves are listed: {game}");
    assert_eq!(game.matches("Black: ").count(), 1, "an illegal move is not answered: {game}");
    let bytes = catapult_reading(&["play", "chess", "--against", "random"], b"\xff\xfe\ne2e4\n");
    assert!(bytes.status.success() && text(&bytes.stdout).contains("Black: "), "{}", text(&bytes.stderr));
    fail_in_a_line(&["play", "chess", "--against", "alphabeta:material:clock"], &["--against", "no clock"]);
}

#[test]
fn undo_takes_back_the_last_own_move() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let game =
        play(&["chess", "--against", "random"], "e2e4\nundo\nfen\nundo\nfen\nd2d4\ng1f3\nundo\nfen\nquit\n");
    assert_eq!(game.lines().filter(|line| line.ends_with(start)).count(), 2, "{game}");
    let last = game.lines().rfind(|line| line.contains('/')).unwrap();
    assert!(last.contains("/3P4/") && last.ends_with(" 2"), "d4 and its answer stay: {last}");
}

#[test]
fn mate_ends_the_game() {
    let game = play(&["chess", "--fen", "7k/8/6K1/8/8/8/8/R7 w - - 0 1"], "a1a8\nfen\n");
    assert!(game.trim_end().ends_with("checkmate: White wins"), "{game}");
    // With the other colour the computer moves first and finds the mate.
    let game = play(
        &[
            "chess",
            "--fen",
            "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
            "--color",
            "black",
            "--against",
            "search:uniform:64",
        ],
        "",
    );
    assert!(game.contains("White: a1a8") && game.trim_end().ends_with("checkmate: White wins"), "{game}");
    // The computer plays both sides.
    let game = play(
        &["chess", "--fen", "k7/8/1K6/8/8/8/8/2Q5 b - - 99 80", "--color", "none", "--against", "random"],
        "",
    );
    assert!(game.contains(": a draw") || game.contains("wins"), "{game}");
}

#[test]
fn both_layers_are_drawn_and_teleports_played() {
    // The bishop of f1 teleports to the other end of White's catapult once b1 has left it.
    let game = play(&["chesspp", "--against", "random"], "moves\nquit\n");
    assert!(game.contains("catapult"), "{game}");
    let listed = game.lines().find(|line| line.contains("e2e4") && line.contains("d2d4")).expect("the moves");
    assert!(listed.contains("b1c3"), "{listed}");
    // End of input ends the game.
    play(&["chesspp", "--against", "random"], "e2e4\n");
}
