//! Tests of `catapult endings`, with the commands of docs/endings.md and experiments/endings.

use super::{fail_in_a_line, path, root, succeed};
use serde_json::Value;

#[test]
fn an_ending_is_solved_shown_probed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path());
    let plan = succeed(&["endings", "solve", "chesspp", "KPvK", "--out", out, "--plan"]);
    assert!(plan.lines().count() == 6 && plan.contains("minutes on one core"), "{plan}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "a plan makes nothing");

    let solved = succeed(&["endings", "solve", "chess", "KRvK", "--out", out, "--threads", "1"]);
    // Known values: 175,168 positions, all won, in at most sixteen moves.
    let line = "won 175168 of 175168, lost 201700 of 223944, longest 32 plies";
    assert_eq!(solved.lines().last(), Some(line), "{solved}");
    let again = succeed(&["endings", "solve", "chesspp+free", "KRvK", "--catapults", "none", "--out", out]);
    assert_eq!(again, solved, "what is there is kept, and shared by the variants that play it alike");
    succeed(&["endings", "solve", "chesspp", "KRvK", "--catapults", "attacker-one", "--out", out]);

    let list = succeed(&["endings", "show", "--dir", out]);
    assert!(
        list.lines().count() == 4 && list.contains(line) && list.contains("KRvK-attacker-one by clock"),
        "{list}"
    );
    let json: Value = serde_json::from_str(&succeed(&["endings", "show", "--dir", out, "--json"])).unwrap();
    assert_eq!(json["KRvK.mate"]["counts"]["black"]["lost"]["0"], 216, "mates in the corner and on the edge");
    let shown = succeed(&["endings", "show", "KRvK", "--dir", out]);
    assert!(shown.contains("longest mate by White, 32 plies"), "{shown}");
    assert!(shown.lines().last().unwrap().ends_with('#'), "the line ends with mate: {shown}");

    let mate_in_one = succeed(&["endings", "probe", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "--dir", out]);
    for part in [
        "White to move, table KRvK\n",
        "rule): won in 1\n",
        "at half-move clock 0: White wins",
        "  Rh8#: wins in 1",
    ] {
        assert!(mate_in_one.contains(part), "{part}: {mate_in_one}");
    }
    let late = ["endings", "probe", "8/8/8/8/8/2k5/8/K6r w - - 99 90", "--variant", "chess", "--dir", out];
    assert!(succeed(&late).contains("at half-move clock 99: drawn"));
    // White mates in one and not in two: after any other move the clock is at 100.
    let last = ["endings", "probe", "k7/8/1K6/8/8/8/8/7R w - - 99 90", "--variant", "chess", "--dir", out];
    let last = succeed(&last);
    let wins: Vec<&str> = last.lines().filter(|line| line.contains(": wins in")).collect();
    assert_eq!(wins, ["  Rh8#: wins in 1"], "{last}");
    assert!(last.contains("  Rg1: draws by the fifty-move rule"), "{last}");
    let over = ["endings", "probe", "k6R/8/1K6/8/8/8/8/8 b - - 0 1", "--dir", out];
    assert_eq!(succeed(&over), "over: checkmate\n");

    let verified = succeed(&["endings", "verify", "KRvK", "--all", "--dir", out]);
    assert_eq!(verified.lines().count(), 2);
    assert!(verified.contains("KRvK by mate: hash verified; 62320 positions"), "{verified}");
    let sampled = succeed(&["endings", "verify", "--positions", "300", "--seed", "4", "--dir", out]);
    assert!(
        sampled.lines().count() == 4 && sampled.contains("KRvK-attacker-one by clock: hash verified; 600")
    );

    let file = folder.path().join("KRvK.clock");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    fail_in_a_line(&["endings", "verify", "KRvK", "--dir", out], &["KRvK.clock"]);
}

#[test]
fn invalid_endings_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path());
    for (arguments, words) in [
        (
            ["solve", "chess", "KRvK", "--catapults", "attacker"],
            ["catapults `attacker`", "chess has no catapults"],
        ),
        (["solve", "chesspp", "KvK", "--catapults", "attacker"], ["KvK", "dead"]),
        (["solve", "century", "KRvK", "--catapults", "none"], ["century", "Chess++"]),
    ] {
        let all: Vec<&str> = ["endings"].into_iter().chain(arguments).chain(["--out", out]).collect();
        fail_in_a_line(&all, &words);
    }
    let missing = ["endings", "probe", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "--dir", out];
    fail_in_a_line(&missing, &["KRvK", "catapult endings solve"]);
    let both = ["endings", "probe", "k7/8/1K6/8/8/8/8/7R w - - 0 1 a1b1/c1d1", "--dir", out];
    fail_in_a_line(&both, &["the catapults of one side"]);
    fail_in_a_line(&["endings", "show", "KRvK", "--dir", out], &["no table KRvK"]);
    fail_in_a_line(&["endings", "verify", "-o", out], &[out, "no tables"]);
    fail_in_a_line(&["endings", "show", "--dir", path(&folder.path().join("nowhere"))], &["nowhere"]);
}

/// Tests that the numbers in experiments/endings/README.md equal those in `tables.json`.
#[test]
fn the_page_of_endings_says_what_its_tables_say() {
    let page = std::fs::read_to_string(root().join("experiments/endings/README.md")).unwrap();
    let tables = std::fs::read_to_string(root().join("experiments/endings/tables.json")).unwrap();
    let tables: Value = serde_json::from_str(&tables).unwrap();
    let sum = |value: &Value| value.as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
    let last = |value: &Value| {
        value.as_object().unwrap().keys().map(|plies| plies.parse::<u64>().unwrap()).max().unwrap_or(0)
    };
    let grouped = |number: u64| {
        let digits = number.to_string();
        let group = |(i, digit): (usize, char)| {
            let comma = i > 0 && (digits.len() - i).is_multiple_of(3);
            comma.then_some(',').into_iter().chain([digit])
        };
        digits.chars().enumerate().flat_map(group).collect::<String>()
    };
    let mut rows = 0;
    for row in page.lines().filter(|row| row.starts_with("| `K")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let name = cells[0].trim_matches('`');
        let [mate, clock] = ["mate", "clock"].map(|metric| &tables[format!("{name}.{metric}")]["counts"]);
        let (white, black) = (&mate["white"], &mate["black"]);
        let longest = last(&white["won"]).max(last(&black["lost"]));
        let expected = [
            grouped(sum(&white["won"])),
            grouped(white["legal"].as_u64().unwrap()),
            grouped(sum(&black["lost"])),
            grouped(black["legal"].as_u64().unwrap()),
            longest.to_string(),
            grouped(sum(&clock["white"]["won"])),
            grouped(sum(&clock["black"]["lost"])),
            grouped(sum(&black["won"])),
            grouped(sum(&white["lost"])),
        ];
        assert_eq!(cells[1..], expected, "{name}");
        rows += 1;
    }
    assert_eq!(rows * 2, tables.as_object().unwrap().len(), "every table has its row");
}
