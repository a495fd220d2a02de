//! Tests of networks as players.

use catapult_arena::*;
use catapult_encoding::CHESS_LAYOUT;
use catapult_network::{Architecture, Compute, Network};
use catapult_rules::{ChessPp, Plain};
use std::ops::ControlFlow;
use std::path::Path;

fn network(file: &Path) -> Result<Contender<'static, ChessPp>, PlayerError> {
    contender(&PlayerSpec::network(file, 8), "chesspp".parse().unwrap(), &Compute::on("cpu"))
}

fn refusal(file: &Path) -> String {
    match network(file) {
        Ok(_) => panic!("{} was taken", file.display()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn results_do_not_depend_on_threads_or_batches() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = [1, 2].map(|seed| {
        let file = folder.path().join(format!("{seed}.safetensors"));
        Network::untrained(Architecture::tower(8, 1), CHESS_LAYOUT, seed).unwrap().save(&file).unwrap();
        network(&file).unwrap()
    });
    assert!(one.name.ends_with("1.safetensors:8"));
    let play = |threads, games_at_once| {
        let settings =
            MatchSettings { games: 6, ply_cap: 24, threads, games_at_once, seed: 3, ..Default::default() };
        let go_on = |_: MatchProgress| ControlFlow::Continue(());
        let played = play_match("chesspp", Plain, &one, &two, &settings, &go_on).unwrap();
        let moves: Vec<_> = played.games.iter().map(|game| game.game.moves().to_vec()).collect();
        (played.result, moves)
    };
    let expected = play(1, 6);
    assert_eq!(expected, play(1, 1));
    assert_eq!(expected, play(2, 4));
}

#[test]
fn files_that_cannot_play_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.safetensors");
    assert!(refusal(&missing).contains("missing.safetensors"), "{}", refusal(&missing));
    let file = folder.path().join("damaged.safetensors");
    Network::untrained(Architecture::tower(8, 1), CHESS_LAYOUT, 1).unwrap().save(&file).unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    assert!(refusal(&file).contains("damaged.safetensors"), "{}", refusal(&file));
}

#[test]
fn unknown_devices_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.safetensors");
    Network::untrained(Architecture::tower(8, 1), CHESS_LAYOUT, 1).unwrap().save(&file).unwrap();
    let spec = PlayerSpec::network(file, 8);
    let error = contender::<ChessPp>(&spec, "chesspp".parse().unwrap(), &Compute::on("abacus"))
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("abacus"), "{error}");
}
