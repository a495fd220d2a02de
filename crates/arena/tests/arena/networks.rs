//! Tests of networks as players.

use crate::play_fresh;
use catapult_arena::*;
use catapult_encoding::{CHESS_LAYOUT, Encode};
use catapult_network::{Architecture, Device, Network};
use catapult_rules::{Century, Chess, ChessPp, Game, Half, Maxim, Plain, Position, Standard};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

fn network(file: &Path) -> Result<Contender<'static, ChessPp>, PlayerError> {
    contender(&PlayerSpec::network(file, 8), "chesspp".parse().unwrap(), Device::Cpu)
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
        let go_on = |_: u32| ControlFlow::Continue(());
        let played = play_fresh("chesspp", Plain, &one, &two, &settings, &go_on).unwrap();
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

/// Returns selective alpha-beta players with this limit: one with an untrained network, whose values
/// and policies say nothing, and one with the values of the anchors.
fn selective<P: Anchor + Encode>(variant: &str, limit: &str) -> [Box<dyn Player<P>>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.safetensors");
    Network::untrained(Architecture::sparse(64), P::LAYOUT, 1).unwrap().save(&file).unwrap();
    [file.display().to_string().as_str(), "material"].map(|values| {
        let spec = format!("alphabeta:{values}:{limit}").parse().unwrap();
        let made = contender::<P>(&spec, variant.parse().unwrap(), Device::Cpu).unwrap();
        (made.make)().unwrap()
    })
}

fn reply<P: Position>(player: &mut dyn Player<P>, game: &Game<P>) -> (String, Thought) {
    let reply = player.reply(&[Turn::new(game, 1)]).unwrap().remove(0);
    (game.position().move_text(reply.chosen.unwrap()), reply.thought)
}

/// The mates are those of the tests of the anchors, which compare with the definition of minimax.
#[test]
fn selective_alpha_beta_mates() {
    fn check<P: Anchor + Encode>(variant: &str, rules: P::Rules, fen: &str, mvs: &[&str], moves: i32) {
        let game = Game::new(P::from_fen(fen, rules).unwrap());
        for mut player in selective::<P>(variant, "3000") {
            let (best, thought) = reply(&mut *player, &game);
            assert!(mvs.contains(&best.as_str()), "{best} in {fen}");
            assert_eq!(thought.score, Some(Score::Mate(moves)), "{fen}");
            assert!(thought.nodes.unwrap() <= 3000);
            assert_eq!(reply(&mut *player, &game), (best, thought), "a move does not depend on earlier ones");
        }
    }
    check::<Chess>("chess", Standard, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", &["a1a8"], 1);
    check::<Chess>("chess", Standard, "7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", &["a2a7", "b1b7"], 2);
    check::<ChessPp>("chesspp", Plain, "k7/8/1K6/8/8/8/8/1R6 w - - 0 1 b1c8/-", &["b1c8t"], 1);
}

#[test]
fn selective_alpha_beta_wins_material_and_sees_repetitions() {
    let best = |game: &Game<Chess>| {
        let [_, mut player] = selective::<Chess>("chess", "3000");
        let (best, thought) = reply(&mut *player, game);
        (best, thought.score.unwrap())
    };
    // The knight forks king and queen.
    let fork = Game::new(Chess::from_fen("q3k3/8/8/3N4/8/8/5PPP/6K1 w - - 0 1", Standard).unwrap());
    assert!(matches!(best(&fork), (mv, Score::Cp(1..)) if mv == "d5c7"));
    // Black has no queen, so it repeats if that ends the game.
    let start = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    let mut game = Game::new(Chess::from_fen(start, Standard).unwrap());
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        game.push(game.position().parse_move(text).unwrap());
    }
    assert_eq!(best(&game), ("f6g8".to_owned(), Score::Cp(0)));
}

#[test]
fn selective_alpha_beta_keeps_its_limits() {
    let game = Game::new(ChessPp::start(Plain));
    // With one evaluation no move has a score, also after another game.
    let mate = Game::new(ChessPp::from_fen("k7/8/1K6/8/8/8/8/1R6 w - - 0 1 b1c8/-", Plain).unwrap());
    for mut player in selective::<ChessPp>("chesspp", "1") {
        for game in [&mate, &game] {
            assert_eq!(reply(&mut *player, game).1.score, None);
        }
    }
    for nodes in [1, 2, 50] {
        for mut player in selective::<ChessPp>("chesspp", &nodes.to_string()) {
            assert_eq!(reply(&mut *player, &game).1.nodes, Some(nodes));
        }
    }
    for mut player in selective::<ChessPp>("chesspp", "clock") {
        let error = player.choose(&[Turn::new(&game, 1)]).unwrap_err();
        assert!(matches!(error, PlayerError::NoClock), "{error}");
        let clocks = Some("40ms".parse::<TimeControl>().unwrap().begin());
        let began = Instant::now();
        let reply = player.reply(&[Turn { clocks, ..Turn::new(&game, 1) }]).unwrap().remove(0);
        assert!(began.elapsed() < Duration::from_millis(40) + MOVE_TIME_GRACE);
        assert!(game.position().is_legal(reply.chosen.unwrap()));
    }
}

/// A turn has two decisions in Maxim chess.
#[test]
fn selective_alpha_beta_plays_every_game() {
    fn check<P: Anchor + Encode>(variant: &str, rules: P::Rules) {
        for mut player in selective::<P>(variant, "20") {
            let mut game = Game::new(P::start(rules));
            while game.outcome().is_none() && game.ply() < 60 {
                let mv = player.choose(&[Turn::new(&game, 1)]).unwrap()[0];
                assert!(game.position().is_legal(mv), "{variant}");
                game.push(mv);
            }
        }
    }
    check::<ChessPp>("chesspp", Plain);
    check::<Century>("century", ());
    check::<Half>("half", ());
    check::<Maxim>("maxim", ());
}
