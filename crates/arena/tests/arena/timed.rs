//! Tests of matches with clocks, sequential tests and folders, and of openings from files.

use crate::play_fresh;
use catapult_arena::*;
use catapult_network::{Architecture, Device, Network};
use catapult_rules::{Chess, ChessPp, Color, Game, Outcome, Plain, Position, Standard, Variant};
use catapult_stats::{Decision, EloScale, Pentanomial, Sprt};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

fn player(name: &str) -> Contender<'static, Chess> {
    contender(&name.parse().unwrap(), Variant::Chess, Device::Cpu).unwrap()
}

fn on(_: u32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Player that makes random moves. Each call takes the given time.
struct Slow(Duration, RandomPlayer);

impl Player<Chess> for Slow {
    fn reply(&mut self, turns: &[Turn<'_, Chess>]) -> Result<Vec<Reply>, PlayerError> {
        std::thread::sleep(self.0);
        self.1.reply(turns)
    }
}

#[test]
fn a_player_out_of_time_loses() {
    let slow = Contender::<Chess> {
        name: "slow".into(),
        make: Box::new(|| Ok(Box::new(Slow(Duration::from_millis(120), RandomPlayer)))),
        games_at_once: 64,
    };
    let settings = MatchSettings { games: 2, time: Some("0.3+0".parse().unwrap()), ..Default::default() };
    let played = play_fresh("chess", Standard, &slow, &player("random"), &settings, &on).unwrap();
    assert_eq!(played.result.reasons_text(), "time-forfeit 2");
    for game in &played.games {
        assert_eq!(game.winner, Some(!game.player_color));
        // Two moves fit into 300 ms, a third does not.
        let own = game.thoughts.len().div_ceil(2);
        assert!((2..=4).contains(&own), "{own} moves");
        assert!(game.note.as_ref().unwrap().contains("ms left"));
    }
}

#[test]
fn networks_play_by_the_clock_and_keep_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.safetensors");
    let network = Network::untrained(Architecture::tower(8, 1), catapult_encoding::CHESS_LAYOUT, 1).unwrap();
    network.save(&file).unwrap();
    let make = |settings: &str| {
        let name = format!("{}:clock{settings}", file.display());
        contender::<ChessPp>(&name.parse().unwrap(), "chesspp".parse().unwrap(), Device::Cpu).unwrap()
    };
    let [a, b] = ["", "@keep_tree=false,in_flight=1,remember=false"].map(make);
    for time in ["1+0.01", "60ms"] {
        let time = Some(time.parse().unwrap());
        let settings = MatchSettings { games: 2, ply_cap: 20, time, ..Default::default() };
        let played = play_fresh("chesspp", Plain, &a, &b, &settings, &on).unwrap();
        assert!(!played.result.reasons.contains_key(&Outcome::TimeForfeit), "{}", played.result);
        let thoughts = played.games.iter().flat_map(|game| &game.thoughts);
        let nodes: Vec<u64> = thoughts.map(|thought| thought.nodes.unwrap()).collect();
        assert!(nodes.iter().any(|&nodes| nodes > 20), "{nodes:?}");
    }
    // Alpha-beta keeps to little time, too, with a network whose evaluations take some milliseconds.
    let network = Network::untrained(Architecture::tower(64, 6), catapult_encoding::CHESS_LAYOUT, 1).unwrap();
    let file = folder.path().join("large.safetensors");
    network.save(&file).unwrap();
    let name = format!("alphabeta:{}:clock", file.display());
    let c = contender::<ChessPp>(&name.parse().unwrap(), "chesspp".parse().unwrap(), Device::Cpu).unwrap();
    let time = Some("0.2+0.05".parse().unwrap());
    let settings = MatchSettings { games: 2, ply_cap: 40, time, ..Default::default() };
    let played = play_fresh("chesspp", Plain, &c, &a, &settings, &on).unwrap();
    assert!(!played.result.reasons.contains_key(&Outcome::TimeForfeit), "{}", played.result);
    let settings = MatchSettings { games: 2, ..Default::default() };
    let error = play_fresh("chesspp", Plain, &a, &b, &settings, &on).unwrap_err().to_string();
    assert!(error.contains("time control"), "{error}");
}

#[test]
fn a_sequential_test_ends_a_match_the_same_on_any_number_of_threads() {
    let sprt = Sprt { scale: EloScale::Logistic, elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05 };
    let [one, two] = [1, 3].map(|threads| {
        let settings =
            MatchSettings { games: 400, threads, games_at_once: 8, sprt: Some(sprt), ..Default::default() };
        play_fresh("chess", Standard, &player("alphabeta:1"), &player("random"), &settings, &on)
            .unwrap()
            .result
    });
    assert_eq!(one, two);
    let found = one.sprt.unwrap();
    assert_eq!(found.verdict, Decision::Accepted);
    assert!(one.games < 100, "{one}");
    // Without the last pair the test is open.
    let won_pairs = one.pairs.0[4];
    let before = Pentanomial([one.pairs.0[0], one.pairs.0[1], one.pairs.0[2], one.pairs.0[3], won_pairs - 1]);
    assert_eq!(sprt.decision(&before), Decision::Open);
    assert!(one.to_string().contains("SPRT  accepted: at least 100 Elo"), "{one}");
}

#[test]
fn a_match_in_a_folder_goes_on_where_it_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let key = MatchKey {
        variant: "chess".into(),
        player: "alphabeta:1".into(),
        opponent: "random".into(),
        player_network: None,
        opponent_network: Some("a".into()),
        search_defaults: 4,
        anchor_version: 1,
        seed: 1,
        ply_cap: 400,
        time: None,
        forbidden: None,
        openings: None,
    };
    let settings = MatchSettings { games: 12, games_at_once: 4, ..Default::default() };
    let players = [&player("alphabeta:1"), &player("random")];
    let openings = settings.openings::<Chess>(Standard).unwrap();
    let open = || MatchFolder::open::<Chess>(dir.path(), &key, Standard);
    let whole = play_fresh("chess", Standard, players[0], players[1], &settings, &on).unwrap();

    let (folder, known) = open().unwrap();
    assert!(known.is_empty());
    let busy = open().err().unwrap().to_string();
    assert!(busy.contains("another process"), "{busy}");
    let stop = |games_done: u32| {
        if games_done < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let kept = (Some(&folder), known);
    let stopped = play_match("chess", Standard, players, &settings, &openings, kept, &stop);
    assert!(matches!(stopped, Err(MatchError::Stopped)));
    drop(folder);
    // Two copies of the folder are joined, and a kill in the middle of a character follows.
    let games = dir.path().join("games.jsonl");
    let text = std::fs::read_to_string(&games).unwrap();
    let before = text.lines().count();
    assert!((5..12).contains(&before), "{before}");
    let cut = b"{\"note\":\"\xc3".as_slice();
    std::fs::write(&games, [text.as_bytes(), text.as_bytes(), cut].concat()).unwrap();

    let (folder, known) = open().unwrap();
    assert_eq!(known.len(), 2 * before);
    let kept = (Some(&folder), known);
    let played = play_match("chess", Standard, players, &settings, &openings, kept, &on).unwrap();
    let lines = std::fs::read_to_string(&games).unwrap().lines().count();
    assert_eq!(lines, 12 + before, "no game is played twice");
    assert_eq!(played.result, whole.result);
    folder.finish(Variant::Chess, &key, &played.result, &played.games).unwrap();
    drop(folder);

    let pgn = std::fs::read(dir.path().join("games.pgn")).unwrap();
    let read: Vec<_> = catapult_rules::PgnReader::new(&pgn[..]).map(Result::unwrap).collect();
    assert_eq!(read.len(), 12);
    for (read, played) in read.iter().zip(&whole.games) {
        assert_eq!(read.replay::<Chess>(Standard).unwrap().moves(), played.game.moves());
        let white = if played.player_color == Color::White { "alphabeta:1" } else { "random" };
        assert_eq!(read.tag("White"), Some(white));
    }
    let result: MatchResult =
        serde_json::from_slice(&std::fs::read(dir.path().join("result.json")).unwrap()).unwrap();
    assert_eq!(result, whole.result);

    // A file's openings may change under the same name.
    let (folder, known) = open().unwrap();
    let mut changed = openings.clone();
    changed.rotate_left(1);
    let kept = (Some(&folder), known);
    let refused = play_match("chess", Standard, players, &settings, &changed, kept, &on).unwrap_err();
    assert_eq!(refused.to_string(), "pair 1 was begun with another opening: the openings have changed since");
    drop(folder);

    let other = MatchKey { seed: 2, opponent_network: Some("b".into()), ..key.clone() };
    let error = MatchFolder::open::<Chess>(dir.path(), &other, Standard).err().unwrap().to_string();
    let expected =
        "the folder contains another match: opponent_network (was \"a\", is \"b\"), seed (was 1, is 2)";
    assert!(error.contains(expected), "{error}");
    std::fs::write(&games, text.replacen("\"moves\":\"", "\"moves\":\"e2e5 ", 1)).unwrap();
    let error = open().err().unwrap().to_string();
    assert!(error.contains("games.jsonl is damaged: line 1") && error.contains("e2e5"), "{error}");
    for won in ["true", "false"] {
        let drawn = text.replace(&format!("\"white_won\":{won}"), "\"white_won\":null");
        assert_ne!(drawn, text);
        std::fs::write(&games, drawn).unwrap();
        let error = open().err().unwrap().to_string();
        assert!(error.contains("its outcome or winner is not that of its moves (checkmate)"), "{error}");
    }

    // A folder without the hash of a player's network is that of an earlier version. It gets the
    // hash of the first network that plays on.
    std::fs::write(&games, text.split_inclusive('\n').next().unwrap()).unwrap();
    let with = |hash: &str| {
        let key = MatchKey { player_network: Some(hash.into()), ..key.clone() };
        MatchFolder::open::<Chess>(dir.path(), &key, Standard).map(drop)
    };
    with("c").unwrap();
    let error = with("d").unwrap_err().to_string();
    assert!(error.contains("player_network (was \"c\", is \"d\")"), "{error}");
    // The players of games without a key are unknown.
    std::fs::remove_file(dir.path().join("match.json")).unwrap();
    let error = open().err().unwrap().to_string();
    assert!(error.contains("match.json: "), "{error}");
}

fn read(dir: &Path, name: &str, text: &str) -> Result<Vec<Game<Chess>>, MatchError> {
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    openings_from(&path, Standard)
}

#[test]
fn openings_are_read_from_files() {
    let dir = tempfile::tempdir().unwrap();
    let games = read(dir.path(), "book.pgn", "1. e4 e5 2. Nf3 *\n\n1. d4 {a comment} d5 *\n").unwrap();
    assert_eq!(games.iter().map(Game::ply).collect::<Vec<_>>(), [3, 2]);
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let text = format!(
        "# after 1. e4\n{after_e4}\n\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - id \"d4\";\n"
    );
    let games = read(dir.path(), "book.epd", &text).unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].position().to_string(), after_e4);
    let mut after_d4 = Chess::start(Standard);
    after_d4.play(after_d4.parse_move("d2d4").unwrap());
    assert_eq!(games[1].position().key(), after_d4.key());
    for (name, text, parts) in [
        ("empty.epd", "\n# nothing\n", &["empty.epd", "no opening"][..]),
        ("bad.epd", "\nnonsense w - -\n", &["bad.epd", "line 2"]),
        ("bad.pgn", "1. e4 e4 *\n", &["bad.pgn", "game 1", "e4"]),
        ("over.pgn", "1. f3 e5 2. g4 Qh4# *\n", &["over.pgn", "game 1: the game is over"]),
        (
            "twice.pgn",
            "1. e4 e5 2. Nf3 *\n\n1. d4 *\n\n1. Nf3 e5 2. e4 *\n",
            &["game 3: the same position as in game 1"],
        ),
    ] {
        let error = read(dir.path(), name, text).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{name}: {error}");
    }
    let missing = openings_from::<Chess>(Path::new("no-such.pgn"), Standard).unwrap_err().to_string();
    assert!(missing.contains("no-such.pgn"), "{missing}");
    let few = MatchSettings { games: 6, ..Default::default() };
    let players = [&player("random"), &player("random")];
    let openings = [Game::new(Chess::start(Standard))];
    let kept = (None, Vec::new());
    let error = play_match("chess", Standard, players, &few, &openings, kept, &on).unwrap_err();
    assert_eq!(error.to_string(), "1 openings for 3 pairs of games");
}

#[test]
fn the_ply_cap_is_larger_than_every_opening() {
    let dir = tempfile::tempdir().unwrap();
    let twelve = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 *\n";
    let openings = read(dir.path(), "book.pgn", twelve).unwrap();
    let players = [&player("random"), &player("random")];
    let play = |ply_cap| {
        let settings = MatchSettings { games: 2, ply_cap, ..Default::default() };
        play_match("chess", Standard, players, &settings, &openings, (None, Vec::new()), &on)
    };
    let error = play(12).unwrap_err();
    let expected = "ply cap: 12; it must be larger than the longest opening, 12 plies";
    assert_eq!(error.to_string(), expected);
    assert!(play(13).unwrap().games.iter().all(|game| game.game.ply() == 13));
    // A named match fails before it creates its folder.
    let (book, folder) = (dir.path().join("book.pgn"), dir.path().join("match"));
    let files = MatchFiles { openings: Some(&book), folder: Some(&folder) };
    let random: PlayerSpec = "random".parse().unwrap();
    let players = [(None, NamedPlayer::Spec(&random)), (None, NamedPlayer::Spec(&random))];
    let settings = MatchSettings { games: 2, ply_cap: 12, ..Default::default() };
    let error = play_named_match(Variant::Chess, &players, Device::Cpu, &settings, files, &on).unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert!(!folder.exists());
}
