//! Tests of external programs as players. Small shell scripts play one good move, end, hang or
//! reply with an illegal move.

use catapult_arena::*;
use catapult_network::Device;
use catapult_rules::{Chess, Outcome, Standard, Variant};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a shell script that speaks UCI and runs the shell code `answer` on `go`. Returns the
/// script's path.
fn script(dir: &Path, name: &str, answer: &str) -> String {
    let path = dir.join(name);
    let text = format!(
        "#!/bin/sh\nwhile read -r line; do\n  echo \"$line\" >>{log}\n  case $line in\n    uci) echo 'id name Script'\n      \
         echo 'option name Move Overhead type spin default 0 min 0 max 100'\n      echo 'info string noise'\n      echo uciok;;\n    \
         isready) echo readyok;;\n    go*) {answer};;\n    quit) exit 0;;\n  esac\ndone\n",
        log = dir.join(format!("{name}.log")).display(),
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

const MATE: &str = "echo 'info depth 3 score mate 1 nodes 17 pv d8h4'; echo 'bestmove d8h4'";

fn chess(name: &str) -> Result<Contender<'static, Chess>, PlayerError> {
    contender(&name.parse().unwrap(), Variant::Chess, Device::Cpu)
}

/// Returns identical openings, one per pair, after which Black can mate at once.
fn openings(dir: &Path, pairs: usize) -> Vec<catapult_rules::Game<Chess>> {
    let path = dir.join("openings.pgn");
    std::fs::write(&path, "1. f3 e5 2. g4 *\n").unwrap();
    vec![openings_from(&path, Standard).unwrap().remove(0); pairs]
}

/// Plays a match of the script against a random player. In one game of each pair the script has
/// Black and can mate at once.
fn play(dir: &Path, player: &str, pairs: usize, time: Option<&str>) -> Result<Match<Chess>, MatchError> {
    let settings = MatchSettings {
        games: 2 * pairs as u32,
        time: time.map(|time| time.parse().unwrap()),
        ..Default::default()
    };
    let players = [&chess("random").unwrap(), &chess(player).unwrap()];
    let on = |_: u32| ControlFlow::Continue(());
    play_match("chess", Standard, players, &settings, &openings(dir, pairs), (None, Vec::new()), &on)
}

#[test]
fn a_program_plays_and_says_what_it_thinks() {
    let dir = tempfile::tempdir().unwrap();
    let player = format!("uci:{}?move overhead=20&go=nodes 7", script(dir.path(), "mates", MATE));
    let played = play(dir.path(), &player, 1, None).unwrap();
    let game = &played.games[0];
    assert_eq!((game.outcome, game.winner), (Outcome::Checkmate, Some(catapult_rules::Color::Black)));
    assert_eq!(game.thoughts.last().unwrap().to_string(), "+M1/3");
    assert_eq!(game.thoughts.last().unwrap().nodes, Some(17));
    let log = std::fs::read_to_string(dir.path().join("mates.log")).unwrap();
    assert!(log.contains("setoption name Move Overhead value 20\n"), "{log}");
    assert!(log.contains("ucinewgame\n"), "{log}");
    assert!(log.contains("position startpos moves f2f3 e7e5 g2g4\ngo nodes 7\n"), "{log}");
}

#[test]
fn with_clocks_a_program_is_told_them() {
    let dir = tempfile::tempdir().unwrap();
    let player = format!("uci:{}", script(dir.path(), "mates", MATE));
    let played = play(dir.path(), &player, 1, Some("40/60+0.5")).unwrap();
    assert!(played.games[0].thoughts.last().unwrap().seconds.unwrap() < 30.0);
    assert_eq!(played.result.time.as_deref(), Some("40/60+0.5"));
    let log = std::fs::read_to_string(dir.path().join("mates.log")).unwrap();
    assert!(log.contains("go wtime 60000 btime 60000 winc 500 binc 500 movestogo 40\n"), "{log}");
}

#[test]
fn a_move_that_is_not_legal_loses_that_game() {
    let dir = tempfile::tempdir().unwrap();
    let player = format!("uci:{}", script(dir.path(), "cheats", "echo bestmove e2e5"));
    let played = play(dir.path(), &player, 2, None).unwrap();
    assert_eq!(played.result.reasons_text(), "illegal-move 4");
    assert_eq!((played.result.wins, played.result.losses), (4, 0));
    assert!(played.games[0].note.as_ref().unwrap().contains("bestmove e2e5"));
}

#[test]
fn a_program_that_breaks_down_is_started_anew_for_the_next_game() {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("broken-once");
    let answer = format!("if [ -e {0} ]; then {MATE}; else touch {0}; exit 3; fi", mark.display());
    let player = format!("uci:{}", script(dir.path(), "breaks", &answer));
    let played = play(dir.path(), &player, 2, None).unwrap();
    let outcomes: Vec<_> = played.games.iter().map(|game| game.outcome).collect();
    // In the first game of each pair the script has Black. As White its only move, Black's mate, is
    // illegal.
    assert!(outcomes.contains(&Outcome::Crash) && outcomes.contains(&Outcome::Checkmate), "{outcomes:?}");
    assert_eq!(outcomes.iter().filter(|&&outcome| outcome == Outcome::Crash).count(), 1);
    let broken = played.games.iter().find(|game| game.outcome == Outcome::Crash).unwrap();
    assert!(broken.note.as_ref().unwrap().contains("exit status: 3"), "{:?}", broken.note);
    assert_eq!(broken.winner, Some(broken.player_color), "the random mover was lucky");
}

#[test]
fn a_program_that_ends_between_two_games_loses_neither() {
    let dir = tempfile::tempdir().unwrap();
    let player = format!("uci:{}", script(dir.path(), "leaves", &format!("{MATE}; exit 3")));
    let played = play(dir.path(), &player, 2, None).unwrap();
    let outcomes: Vec<_> = played.games.iter().map(|game| game.outcome).collect();
    // As White its only move, Black's mate, is illegal.
    assert_eq!(outcomes, [Outcome::Checkmate, Outcome::IllegalMove].repeat(2));
}

#[test]
fn a_game_whose_program_ends_at_a_stop_request_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("ended");
    let player = format!("uci:{}", script(dir.path(), "ends", &format!("touch {}; exit 0", mark.display())));
    let key = MatchKey {
        variant: "chess".into(),
        player: "random".into(),
        opponent: player.clone(),
        player_network: None,
        opponent_network: None,
        search_defaults: 4,
        anchor_version: 1,
        seed: 1,
        ply_cap: 400,
        time: None,
        forbidden: None,
        openings: None,
    };
    let kept = dir.path().join("match");
    let (folder, known) = MatchFolder::open::<Chess>(&kept, &key, Standard).unwrap();
    let settings = MatchSettings { games: 2, ..Default::default() };
    let players = [&chess("random").unwrap(), &chess(&player).unwrap()];
    let stops = |_: u32| match mark.exists() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let openings = openings(dir.path(), 1);
    let stopped =
        play_match("chess", Standard, players, &settings, &openings, (Some(&folder), known), &stops);
    assert!(matches!(stopped, Err(MatchError::Stopped)), "{stopped:?}");
    let games = std::fs::read_to_string(kept.join("games.jsonl")).unwrap();
    assert!(!games.contains("crash"), "{games}");
}

#[test]
fn a_program_does_not_receive_the_signals_of_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    // The number of its process group is its own.
    let answer = format!("kill -0 -$$ || exit 3; {MATE}");
    let player = format!("uci:{}", script(dir.path(), "leads", &answer));
    let played = play(dir.path(), &player, 1, None).unwrap();
    assert_eq!(played.games[0].outcome, Outcome::Checkmate, "{:?}", played.games[0].note);
}

#[test]
fn a_program_that_hangs_loses_by_time() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    // The script waits for a program of its own.
    let answer = format!("sh -c 'echo $$ >>{}; exec sleep 60'", pids.display());
    let player = format!("uci:{}", script(dir.path(), "hangs", &answer));
    let played = play(dir.path(), &player, 1, Some("50ms")).unwrap();
    assert_eq!(played.result.reasons_text(), "time-forfeit 2");
    assert!(played.games[0].note.as_ref().unwrap().contains("no `bestmove` within"));
    // The program of the first game ended long before the second game did. A dead process has no
    // command line.
    #[cfg(target_os = "linux")]
    {
        let pids = std::fs::read_to_string(pids).unwrap();
        let first = pids.lines().next().unwrap();
        let command = std::fs::read(format!("/proc/{first}/cmdline")).unwrap_or_default();
        assert!(command.is_empty(), "{}", String::from_utf8_lossy(&command));
    }
}

#[test]
fn a_program_that_never_stops_writing_loses_by_time() {
    let dir = tempfile::tempdir().unwrap();
    // Its lines arrive faster than they are read.
    let answer = format!("exec yes 'info{}'", " depth 1".repeat(400));
    let player = format!("uci:{}", script(dir.path(), "writes", &answer));
    let played = play(dir.path(), &player, 1, Some("50ms")).unwrap();
    assert_eq!(played.result.reasons_text(), "time-forfeit 2");
}

#[test]
fn the_preparation_of_a_game_takes_no_time_from_the_clock() {
    let dir = tempfile::tempdir().unwrap();
    // Longer than the time of a move with what it may exceed.
    let answer = format!("{MATE};;\n    ucinewgame) sleep 1");
    let player = format!("uci:{}", script(dir.path(), "prepares", &answer));
    let played = play(dir.path(), &player, 1, Some("100ms")).unwrap();
    assert_eq!(played.games[0].outcome, Outcome::Checkmate, "{:?}", played.games[0].note);
    assert!(played.games[0].thoughts.last().unwrap().seconds.unwrap() < 0.6);
}

#[test]
fn a_program_that_lists_a_game_decides_about_its_options() {
    let dir = tempfile::tempdir().unwrap();
    let program = |name: &str, reply: &str| {
        let path = script(dir.path(), name, &format!("{MATE};;\n    setoption*) {reply}"));
        let text = std::fs::read_to_string(&path).unwrap();
        let variants = "echo 'option name UCI_Variant type combo default chess var chess var chesspp'";
        std::fs::write(&path, text.replace("echo 'info string noise'", variants)).unwrap();
        path
    };
    let start = |program: &str, variant: &str| {
        let spec: PlayerSpec = format!("uci:{program}").parse().unwrap();
        let made = contender::<Chess>(&spec, variant.parse().unwrap(), Device::Cpu).unwrap();
        (made.make)().map(drop).map_err(|error| error.to_string())
    };
    let plays = program("plays", ":");
    assert_eq!(start(&plays, "chesspp+bare"), Ok(()));
    let log = std::fs::read_to_string(dir.path().join("plays.log")).unwrap();
    assert!(log.contains("setoption name UCI_Variant value chesspp+bare\n"), "{log}");
    let other = start(&plays, "half").unwrap_err();
    assert!(other.contains("Script does not play half; it plays chess, chesspp"), "{other}");
    let rejected = start(&program("rejects", "echo 'info string error: no bare kings'"), "chesspp+bare");
    assert!(rejected.as_ref().is_err_and(|error| error.ends_with("Script: no bare kings")), "{rejected:?}");
}

#[test]
fn what_cannot_be_used_is_refused_before_any_game() {
    let dir = tempfile::tempdir().unwrap();
    let good = script(dir.path(), "good", MATE);
    let ends = script(dir.path(), "ends", "exit 0").replace("ends", "missing");
    let refusal = |name: &str, variant: &str| {
        let made = contender::<Chess>(&name.parse().unwrap(), variant.parse().unwrap(), Device::Cpu);
        (made.unwrap().make)().err().unwrap().to_string()
    };
    assert!(refusal(&format!("uci:{ends}"), "chess").contains("can't be started"));
    assert!(refusal("uci:true", "chess").contains("it ended"));
    let unknown = refusal(&format!("uci:{good}?Style=wild"), "chess");
    assert!(unknown.contains("Script has no option `Style`; it has Move Overhead"), "{unknown}");
    for value in ["101", "-1", "2.5"] {
        let beyond = refusal(&format!("uci:{good}?Move Overhead={value}"), "chess");
        let allowed = format!("Script: Move Overhead = {value}; allowed: a whole number from 0 to 100");
        assert!(beyond.contains(&allowed), "{beyond}");
    }
    let other = refusal(&format!("uci:{good}"), "chesspp");
    assert!(other.contains("Script plays chess alone, not chesspp"), "{other}");
}
