//! Tests that each user mistake gives one message that names the file, key or argument.

use super::{catapult, fail, fail_in_a_line, path, root, succeed, text};
use std::fs;

fn tiny() -> String {
    path(&root().join("configs/test/tiny.toml")).to_owned()
}

#[test]
fn configs() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let train = |config: &str, settings: &[&str]| -> Vec<String> {
        let mut arguments = vec!["train".to_owned(), config.to_owned(), "--run".into(), path(&run).into()];
        for setting in settings {
            arguments.extend(["--set".to_owned(), setting.to_string()]);
        }
        arguments
    };
    let check = |config: &str, settings: &[&str], words: &[&str]| {
        let arguments = train(config, settings);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let message = fail(&arguments, words);
        assert!(message.contains("catapult: "), "{message}");
        assert!(!run.exists(), "nothing is made of a bad config");
    };
    let tiny = tiny();
    check(&tiny, &["games.shards"], &["tiny.toml", "key=value"]);
    check(&tiny, &["evaluation.games=3"], &["evaluation.games = 3", "even"]);
    let opponents = "evaluation.opponents=[\"no/such.safetensors:8\"]";
    check(&tiny, &["evaluation.games=2", opponents], &["no/such.safetensors"]);
    check(path(folder.path()), &[], &[path(folder.path())]);
    let file = folder.path().join("binary.toml");
    fs::write(&file, [0xff, 0xfe, 0]).unwrap();
    check(path(&file), &[], &["binary.toml"]);
}

#[test]
fn exams() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let noise = folder.path().join("noise.safetensors");
    fs::write(&noise, "noise").unwrap();
    for network in ["no/such.safetensors", path(&noise), path(folder.path())] {
        fail(&["exam", network, "-o", path(&out)], &[network]);
    }
    fail_in_a_line(&["exam", path(folder.path())], &["is a folder"]);
    let (network, suite) =
        (root().join("models/opponents/chess-small.safetensors"), folder.path().join("suite.epd"));
    fs::write(&suite, "4k3/8/8/8/8/8/8/R3K3 w - -\n").unwrap();
    fail(
        &["exam", path(&network), "-o", path(&out), "--suite", path(&suite)],
        &["suite.epd", "line 1", "`bm`"],
    );
    assert!(!out.exists(), "nothing is made of a mistake");
}

#[test]
fn networks() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // Files that are missing, empty, text, noise, or have no header. The length of a header may
    // exceed any file, or this one.
    let noise: Vec<u8> = (0..5000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let files = [
        file("missing.safetensors", b""),
        file("text.safetensors", b"# This was a text file before somebody renamed it.\n"),
        file("noise.safetensors", &noise),
        file("huge.safetensors", &u64::MAX.to_le_bytes()),
        file("short.safetensors", b"\x10\0\0\0\0\0\0\0{}"),
        file("empty-header.safetensors", b"\x02\0\0\0\0\0\0\0{}"),
        folder.path().join("not-there.safetensors").to_str().unwrap().to_owned(),
    ];
    for file in &files {
        fail_in_a_line(&["inspect", file], &[file]);
    }
    // Commands that play with a network give the same message.
    let (tiny, out) = (tiny(), path(folder.path()));
    for file in [&files[1], &files[6]] {
        let player = format!("{file}:8");
        fail_in_a_line(&["match", &player, "random", "--games", "2"], &[file]);
        fail_in_a_line(&["play", "chesspp", "--against", &player], &[file]);
        let shard = [
            "cluster",
            "selfplay",
            &tiny,
            "--network",
            file,
            "--generation",
            "1",
            "--shard",
            "0",
            "--out",
            out,
        ];
        fail_in_a_line(&shard, &[file]);
    }
}

#[test]
fn places_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let inside = file.join("run");
    let tiny = tiny();
    fail_in_a_line(&["train", &tiny, "--run", path(&inside)], &[path(&inside)]);
    // A folder with unrelated files.
    fail_in_a_line(&["train", &tiny, "--run", path(folder.path())], &[path(folder.path()), "not a run"]);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    if cfg!(target_os = "linux") {
        // A system folder that even root cannot write to.
        fail_in_a_line(&["train", &tiny, "--run", "/proc/run"], &["/proc/run"]);
        // A full disk.
        let arguments =
            ["match", "random", "random", "--games", "2", "--ply-cap", "12", "--json", "/dev/full"];
        fail_in_a_line(&arguments, &["/dev/full"]);
    }
    // Found before the work, not after it.
    let kept = folder.path().join("kept");
    let play = ["match", "random", "random", "--games", "2", "-o", path(&kept), "--json"];
    for json in [&*inside, folder.path()] {
        fail_in_a_line(&[&play[..], &[path(json)]].concat(), &[path(json)]);
    }
    assert!(!kept.exists());
    fail(&["match", "random", "random", "--out", "s3://bucket/x"], &["--output", "must be a folder"]);
    fail(&["endings", "solve", "chess", "KvK", "-o", "s3://bucket/x"], &["--out", "must be a folder"]);
    fail_in_a_line(&["learn", &tiny, "-o", "taught.txt", "--from", "run"], &["taught.txt", ".safetensors"]);
}

/// Tests a folder whose name is not UTF-8, and an output that is a link without a target.
#[cfg(target_os = "linux")]
#[test]
fn unusual_outputs_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let odd = folder.path().join(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff"));
    let [link, json] = ["link.json", "match.json"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink(&json, &link).expect("a link");
    let play = ["match", "random", "random", "--games", "2", "--ply-cap", "12", "--json", path(&link), "-o"];
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_catapult"));
    let output = command.args(play).arg(&odd).output().expect("the binary starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(odd.join("games.pgn").exists() && link.is_symlink() && json.exists());
}

/// Tests that messages and results that cannot be written stop no work.
#[cfg(target_os = "linux")]
#[test]
fn unwritable_output_stops_no_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let [games, list, json] = ["games.pgn", "list.fen", "match.json"].map(|name| folder.path().join(name));
    fs::write(&games, "1. e5 *\n\n1. e4 *\n").expect("a file");
    let run = |arguments: &[&str], out: &str, errors: &str| {
        let open = |path: &str| fs::File::options().write(true).open(path).expect("a device");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_catapult"));
        let status = command.args(arguments).stdout(open(out)).stderr(open(errors)).status();
        status.expect("the binary starts").code()
    };
    let convert = ["convert", path(&games), "--to", "fen", "-o", path(&list)];
    assert_eq!(run(&convert, "/dev/null", "/dev/full"), Some(1));
    assert_eq!(fs::read_to_string(&list).expect("a file").lines().count(), 2);
    let play = ["match", "random", "random", "--games", "2", "--ply-cap", "12", "--json", path(&json)];
    assert_eq!(run(&play, "/dev/full", "/dev/null"), Some(1));
    assert!(json.exists());
    let output =
        catapult(&["match", "random", "random", "--games", "2", "--ply-cap", "12", "--json", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("score"), "{}", text(&output.stderr));
}

#[test]
fn players_and_matches() {
    for player in [
        "alphabeta",
        "alphabeta:0",
        "search:uniform",
        "search:oracle:8",
        "search:uniform:0",
        "file.safetensors",
        ":8",
        "search:uniform:8@considered=16",
        "file.safetensors:8@noise=1",
        "alphabeta:2@c_scale=1",
    ] {
        fail(&["match", player, "random"], &[player]);
    }
    fail(&["play", "chess", "--against", "nobody"], &["nobody"]);
    fail_in_a_line(&["match", "random", "random", "--games", "0"], &["games: 0", "even"]);
    fail(&["match", "random", "random", "--games", "some"], &["some"]);
    fail(&["match", "random", "random", "--seed", "-1"], &["--seed"]);
    fail_in_a_line(&["match", "random", "random", "--ply-cap", "5"], &["ply cap", "5"]);
    fail(&["match", "random", "random", "--forbid-second", "castling"], &["castling", "teleports"]);
    let folder = tempfile::tempdir().unwrap();
    let far = ["rate", "alphabeta:material:85000", "--zero", "alphabeta:1q", "--anchors", "alphabeta:1q"];
    let output = catapult(&[&far[..], &["-o", path(folder.path()), "--gauntlet"]].concat());
    assert!(output.status.success() && text(&output.stdout).contains("no games"), "{output:?}");
    assert!(text(&output.stderr).contains("no two players are close enough"), "{output:?}");
}

#[test]
fn a_reader_that_stops_ends_the_command_without_a_message() {
    let input = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n".repeat(2000);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_catapult"))
        .args(["moves", "chess"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // The command ends when it cannot write, and then reads no more.
    let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    // As if SIGPIPE had ended it.
    assert_eq!(output.status.code(), Some(141));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    assert!(catapult(&["--version"]).status.success());
}

#[test]
fn devices() {
    fail(&["system", "device", "check", "--device", "gpu"], &["\"gpu\"", "cuda"]);
    fail_in_a_line(
        &["system", "device", "speed", "--device", "cpu", "--networks", "64"],
        &["\"64\"", "32x4"],
    );
    fail_in_a_line(
        &["system", "device", "check", "--device", "cpu", "--network", "sparse-64"],
        &["sparse-64", "not a tower"],
    );
    let speed = ["system", "device", "speed", "--device", "cpu"];
    fail(&[&speed[..], &["--seconds", "NaN"]].concat(), &["--seconds", "0.01"]);
    fail(&[&speed[..], &["--batches", "0"]].concat(), &["--batches"]);
    for minutes in ["0", "-1", "NaN", "1e10"] {
        let minutes = format!("--minutes={minutes}");
        fail_in_a_line(&["train", &tiny(), "--run", "no-run", &minutes], &["minutes", "positive"]);
    }
}

/// Starts a process that plays a match of several hours, with standard error in a pipe. `more` are
/// further arguments.
fn long_match(more: &[&str]) -> std::process::Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_catapult"))
        .args(["match", "search:uniform:2000", "random", "--games", "1000", "--threads", "1"])
        .args(more)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Tests that Ctrl-C ends a match with exit code 130 and a message that says if games are lost.
#[cfg(target_os = "linux")]
#[test]
fn stopped_commands_exit_with_130() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("kept");
    let kept = format!("stopped; finished games are in {}; rerun the command to resume", folder.display());
    stop_match(long_match(&[]), "stopped; the games played so far are discarded (add -o FOLDER");
    stop_match(long_match(&["-o", path(&folder)]), &kept);
}

#[cfg(target_os = "linux")]
fn stop_match(mut child: std::process::Child, expected: &str) {
    // Without the handlers a signal would kill the process. SIGHUP, SIGINT and SIGTERM are bits 0, 1
    // and 14 of the mask of caught signals.
    let status = format!("/proc/{}/status", child.id());
    let caught = || {
        let text = fs::read_to_string(&status).expect("it runs");
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:\t")).expect("a line of signals");
        u64::from_str_radix(caught, 16).expect("a mask")
    };
    while caught() & (1 << 14) == 0 {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(caught() & 3, 2, "a handler of SIGHUP undoes nohup");
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains(expected), "{errors}");
}

/// Tests that progress is printed every 20 seconds if standard error is not a terminal.
#[test]
#[ignore = "long"]
fn a_long_match_reports_its_progress() {
    use std::io::{BufRead, BufReader};
    let mut child = long_match(&[]);
    let first = BufReader::new(child.stderr.take().expect("a pipe")).lines().next();
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let first = first.expect("a line").expect("text");
    assert!(first.contains("/1000 games"), "{first}");
}

#[cfg(feature = "server")]
#[test]
fn servers() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    fail(&["serve", "--port", "0", "--token-file", path(&token)], &["--token-file", path(&token)]);
    fs::write(&token, "0123456789abcde\n").unwrap();
    let message =
        fail(&["serve", "--port", "0", "--token-file", path(&token)], &["15 characters", "at least 16"]);
    assert!(!message.contains("0123456789abcde"), "{message}");
    fail(&["serve", "--host", "http://chess.example.org"], &["--host", "not a URL"]);
    let games = folder.path().join("no/such.sqlite");
    fail(&["serve", "--port", "0", "--games", path(&games)], &[path(&games), "unable to open"]);
    fs::write(folder.path().join("other"), "this is no file of games, but long enough to look at").unwrap();
    let other = folder.path().join("other");
    fail(&["serve", "--port", "0", "--games", path(&other)], &[path(&other), "not a database"]);
}

#[test]
fn options_of_the_engine() {
    fail_in_a_line(&["uci", "--option", "Considered=abc"], &["--option Considered=abc", "`abc`"]);
    fail_in_a_line(&["uci", "--option", "Hsh=3"], &["no option `Hsh`"]);
}

/// Tests that a match with a bad setting leaves its folder to the corrected command, and that a match
/// or a rating leaves files of something else as they are.
#[test]
fn a_match_that_cannot_begin_takes_no_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept");
    let one = folder.path().join("one.fen");
    fs::write(&one, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n").expect("a file");
    let few = ["--variant", "chess", "--games", "4", "-o", path(&kept), "--openings", path(&one)];
    fail(&[&["match", "random", "random"], &few[..]].concat(), &["1 openings for 2 pairs of games"]);
    assert!(!kept.exists());
    for mistake in [["--games", "7"], ["--ply-cap", "6"]] {
        fail(&["match", "random", "random", mistake[0], mistake[1], "-o", path(&kept)], &[mistake[1]]);
        assert!(!kept.exists(), "{mistake:?}");
    }
    fail(&["match", "random", "random", "--games", "4294967294"], &["--games", "4294967294"]);
    let out = path(folder.path());
    let [games, ratings] = ["games.pgn", "ratings.json"].map(|name| folder.path().join(name));
    for file in [&games, &ratings] {
        fs::write(file, "{}").expect("a file");
    }
    fail_in_a_line(
        &["match", "random", "random", "-o", out],
        &[out, "not empty and contains no games.jsonl"],
    );
    let rate = ["rate", "random", "--zero", "random", "--anchors", "alphabeta:1", "--gauntlet", "-o", out];
    fail_in_a_line(&rate, &["ratings.json"]);
    for file in [&games, &ratings] {
        assert_eq!(fs::read_to_string(file).expect("a file"), "{}");
    }
}

/// Tests that an option without effect is an error.
#[test]
fn options_without_effect_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    fs::write(&pgn, "1. e4 *\n").expect("a file");
    fail(&["match", "random", "random", "--sprt-scale", "logistic"], &["--sprt"]);
    fail(&["convert", path(&pgn), "--positions", "last"], &["--positions", "PGN"]);
    fail(&["rate", "random", "alphabeta:1", "--every", "2"], &["--every", "no run"]);
    fail(&["endings", "verify", "--all", "--seed", "2"], &["--all", "--seed"]);
}

/// Tests that EPD keeps its operations.
#[test]
fn converted_epd_keeps_its_operations() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("list.epd");
    let epd = "4k3/8/8/8/8/8/8/R3K3 w - - hmvc 0; fmvn 1; bm Ra8+ Ra7; c0 \"a rook; and kings\"; id \"one\"; \
               draw_offer; sm Ra8+;\n";
    fs::write(&list, epd).expect("a file");
    assert_eq!(succeed(&["convert", path(&list), "--to", "epd"]), epd);
}

/// Tests that a byte order mark is not part of the first position, and that a file without games is
/// an error.
#[test]
fn files_of_other_editors_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let [list, empty] = ["list.fen", "empty.pgn"].map(|name| folder.path().join(name));
    fs::write(&list, "\u{feff}4k3/8/8/8/8/8/8/R3K3 w - - 0 1\r\n").expect("a file");
    assert!(succeed(&["convert", path(&list), "--to", "epd"]).starts_with("4k3/8/8/8/8/8/8/R3K3 w - -"));
    fs::write(&empty, "").expect("a file");
    fail(&["replay", path(&empty)], &["empty.pgn", "no game of chess"]);
    fail(&["convert", path(&empty)], &["empty.pgn", "no game"]);
    fail(&["convert", path(folder.path()), "--from", "pgn"], &["is a folder"]);
    fs::write(&empty, "[White-Elo \"2000\"]\n[White \"A\"]\n\n1. e4 *\n").expect("a file");
    let written = succeed(&["convert", path(&empty)]);
    assert!(written.contains("[White \"A\"]") && !written.contains("White-Elo"), "{written}");
    fs::write(&empty, "1. e4 *\n\n1. e5 *\n").expect("a file");
    fail(&["replay", path(&empty)], &["empty.pgn: 1 games could not be read"]);
}

/// Tests that `convert` leaves an existing output as it is if the conversion cannot begin.
#[test]
fn a_conversion_that_cannot_begin_keeps_its_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let [games, list] = ["games.pgn", "list.fen"].map(|name| folder.path().join(name));
    for file in [&games, &list] {
        fs::write(file, "1. e4 e5 *\n").expect("a file");
    }
    fail_in_a_line(&["convert", path(&games), "-o", path(&games)], &[path(&games), "it is the input"]);
    fail_in_a_line(&["convert", "no/such.pgn", "--to", "fen", "-o", path(&list)], &["no/such.pgn"]);
    let damaged = folder.path().join("damaged.parquet");
    fs::write(&damaged, "noise").expect("a file");
    fail(&["convert", path(&damaged), "-o", path(&list)], &["damaged.parquet"]);
    let beyond = folder.path().join("none/list.fen");
    fail_in_a_line(&["convert", path(&games), "--to", "fen", "-o", path(&beyond)], &["its folder does not"]);
    assert!(!folder.path().join("none").exists());
    for file in [&games, &list] {
        assert_eq!(fs::read_to_string(file).expect("a file"), "1. e4 e5 *\n");
    }
    #[cfg(unix)]
    {
        let link = folder.path().join("link.fen");
        std::os::unix::fs::symlink(&list, &link).expect("a link");
        succeed(&["convert", path(&games), "--to", "fen", "-o", path(&link)]);
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&list).expect("a file").lines().count(), 3);
    }
}
