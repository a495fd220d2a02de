//! Tests of a folder of tables: solving, probing and verifying.

use catapult_endings::{
    EndingsError, Material, Metric, Plan, Sample, TableKey, Tables, Value, parse_catapults,
};
use catapult_rules::{AnyChess, AnyRules, Color, Position, Variant};
use std::fs;
use std::path::Path;

fn key(variant: &str, ending: &str, catapults: &str) -> Result<TableKey, String> {
    let material: Material = ending.parse().map_err(|e: catapult_endings::KeyError| e.to_string())?;
    let catapults = parse_catapults(catapults).map_err(|e| e.to_string())?;
    TableKey::of(variant.parse().unwrap(), material, catapults).map_err(|e| e.to_string())
}

fn solve(dir: &Path, names: &[&str]) -> Tables {
    let tables = Tables::new(dir);
    for name in names {
        tables.solve(name.parse().unwrap(), &mut |_, _| true).unwrap();
    }
    tables
}

fn read(fen: &str, variant: &str) -> AnyChess {
    AnyChess::from_fen(fen, AnyRules::of(variant.parse().unwrap()).unwrap()).unwrap()
}

#[test]
fn variants_share_the_tables_that_they_play_alike() {
    let name =
        |variant: &str, ending: &str, catapults: &str| key(variant, ending, catapults).unwrap().to_string();
    assert_eq!(name("chess", "KRvK", "none"), "KRvK");
    assert_eq!(name("chesspp+instant+third", "KRvK", "none"), "KRvK");
    // No catapults remain to be placed with so few men on the board.
    assert_eq!(name("chesspp+free", "KQvK", "defender"), name("chesspp", "KQvK", "defender"));
    assert_eq!(name("chesspp+pawns+promote", "KQvK", "attacker"), "KQvK-attacker-two");
    assert_eq!(name("chesspp+instant+pawns", "KPvK", "attacker"), "KPvK-attacker-two+instant+pawns");
    assert_eq!(name("chesspp+promote", "KPvK", "attacker-one"), "KPvK-attacker-one");
    assert_eq!(name("chesspp+promote", "KPvK", "defender-one-fresh"), "KPvK-defender-one-fresh+promote");
    assert_eq!(name("chesspp+third", "KvK", "attacker"), "KvK-attacker-three");
    assert_eq!(name("chesspp+third", "KvK", "defender"), "KvK-attacker-three");
    assert_eq!(name("chesspp+third", "KNvK", "defender"), "KNvK-defender-three");
    assert_eq!(name("chesspp+bare", "KRvK", "attacker"), "KRvK-attacker-two+bare");
    assert_eq!(name("chesspp+bare+instant+third", "KPvK", "attacker"), "KPvK-attacker-three+bare+instant");
    assert_eq!(name("chesspp+bare", "KRvK", "attacker-one"), "KRvK-attacker-one");
    assert_eq!(name("chesspp+bare", "KRvK", "none"), "KRvK");
    for (variant, ending, catapults, part) in [
        ("chess", "KRvK", "attacker", "chess has no catapults"),
        ("chesspp", "KRvK", "attacker-three", "at most 2"),
        ("chesspp", "KvK", "attacker", "dead"),
        ("chesspp", "KRRvK", "none", "KQvK, KRvK"),
        ("chesspp", "KRvK", "attacker-four", "`attacker`"),
        ("century", "KRvK", "none", "chess and Chess++"),
        ("chesspp+promote+third", "KPvK", "attacker-two", "are not solved"),
        ("chesspp+promote+third", "KPvK", "defender", "are not solved"),
        ("chesspp+bare", "KRvK", "defender", "a lone king of chesspp+bare has none"),
        ("chesspp+bare+third", "KvK", "attacker", "a lone king of chesspp+bare+third has none"),
        ("chesspp+moves=3", "KRvK", "none", "endings with +moves=3 are not solved"),
        ("chesspp+peaceful", "KRvK", "none", "endings with +peaceful are not solved"),
        ("chesspp+still", "KRvK", "none", "endings with +still are not solved"),
        ("chesspp+restart", "KRvK", "none", "endings with +restart are not solved"),
        ("chesspp+fifty=60", "KRvK", "none", "endings with +fifty=60 are not solved"),
        ("chesspp+teleport=NBRQ", "KRvK", "none", "endings with +teleport=NBRQ are not solved"),
    ] {
        let error = key(variant, ending, catapults).unwrap_err();
        assert!(error.contains(part), "{variant} {ending} {catapults}: {error}");
    }
}

#[test]
fn names_of_tables_read_back() {
    let bare = ["chesspp+bare", "chesspp+bare+instant+pawns+promote+third"].map(|name| name.parse().unwrap());
    for variant in Variant::all().chain(bare) {
        for ending in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KvK"] {
            for catapults in ["none", "attacker", "defender-one", "attacker-one-fresh", "defender-two"] {
                let Ok(key) = key(&variant.to_string(), ending, catapults) else { continue };
                assert_eq!(key.to_string().parse(), Ok(key));
                // A variant that represents all variants of a table has the same table.
                assert!(key.needs().into_iter().all(|below| below.to_string().parse() == Ok(below)));
            }
        }
    }
    for name in
        ["KRvK+instant", "KRvK-attacker", "KRvK-attacker-two+pawns", "KvK", "KRvK-attacker-two+free", ""]
    {
        assert!(name.parse::<TableKey>().is_err(), "{name}");
    }
}

#[test]
fn a_position_finds_its_table_whoever_attacks() {
    let dir = tempfile::tempdir().unwrap();
    let tables = solve(dir.path(), &["KRvK", "KPvK"]);
    // The rules page has this mate: Kb6 with catapults a8, b6 and b8 against a king on a8. The
    // position's table is missing.
    let mate = read("k7/8/1K6/8/8/8/8/8 b - - 0 1 a8b6b8/-", "chesspp+third");
    assert!(!mate.has_legal_move() && mate.in_check());
    assert!(
        matches!(tables.probe(&mate), Err(EndingsError::Missing { name, .. }) if name == "KvK-attacker-three")
    );
    // With colours exchanged and ranks mirrored, the ending is the same.
    let ours = tables.probe(&read("8/8/8/8/8/1k6/7r/K7 b - - 0 1", "chess")).unwrap().unwrap();
    let theirs = tables.probe(&read("k7/7R/1K6/8/8/8/8/8 w - - 0 1 -", "chesspp")).unwrap().unwrap();
    assert_eq!((ours.dtm, ours.result), (theirs.dtm, theirs.result));
    assert_eq!(ours.dtm, Value::Won(1));
    assert_eq!(ours.winner(Color::Black), Some(Color::Black));
    // These positions are outside all tables.
    for fen in
        ["4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]
    {
        assert_eq!(tables.probe(&read(fen, "chess")).unwrap(), None, "{fen}");
    }
    assert_eq!(tables.probe(&read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a1b1/a8h8", "chesspp")).unwrap(), None);
    assert_eq!(tables.probe(&read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a1b1*/-", "chesspp")).unwrap(), None);
}

/// White's longest win with king and rook against king takes 32 plies, with Black to move. The
/// fifty-move rule leaves it a win if the half-move clock is 68, but not if it is 69.
#[test]
fn a_win_counts_only_if_it_comes_before_the_hundredth_ply() {
    let dir = tempfile::tempdir().unwrap();
    let tables = solve(dir.path(), &["KRvK"]);
    let key: TableKey = "KRvK".parse().unwrap();
    let (fen, plies) = tables.longest(key, Color::White).unwrap().unwrap();
    assert_eq!(plies, 32);
    assert_eq!(tables.longest(key, Color::Black).unwrap(), None);
    let at = |clock: u32| {
        let position = read(&fen.replace(" 0 1", &format!(" {clock} 1")), "chess");
        tables.probe(&position).unwrap().unwrap().result
    };
    assert_eq!(
        (at(0), at(68), at(69), at(100)),
        (Value::Lost(32), Value::Lost(32), Value::Drawn, Value::Drawn)
    );
    // Playing to the end agrees: a mate on the hundredth ply still counts.
    let start = read(&fen.replace(" 0 1", " 68 1"), "chess");
    let mut position = start;
    let line = tables.best_line(&start).unwrap();
    assert_eq!(line.len(), 32);
    line.into_iter().for_each(|mv| position.play(mv));
    assert_eq!(
        (position.halfmove_clock(), position.outcome()),
        (100, Some(catapult_rules::Outcome::Checkmate))
    );
}

/// Checks every position of tables, given with a variant that they are valid in.
fn every_position_follows_from_its_moves(checked: &[(&str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    for &(name, variant) in checked {
        let tables = solve(dir.path(), &[name]);
        for metric in Metric::ALL {
            let variant: Variant = variant.parse().unwrap();
            let checked =
                tables.verify(name.parse().unwrap(), variant, metric, Sample::All, &|_| true).unwrap();
            assert_eq!(checked.wrong, None);
            assert!(checked.positions > 50_000 && checked.moves > 300_000);
        }
    }
}

#[test]
fn every_position_of_a_small_table_follows_from_its_moves() {
    every_position_follows_from_its_moves(&[("KPvK", "chesspp+promote")]);
}

#[test]
#[ignore = "long"]
fn every_position_of_small_tables_follows_from_its_moves() {
    every_position_follows_from_its_moves(&[
        ("KQvK", "chess"),
        ("KBvK", "chesspp+instant"),
        ("KPvK", "chess"),
        ("KPvK", "chesspp+promote"),
    ]);
}

/// Checks random positions of tables, given with a variant that they are valid in. Returns the
/// tables.
fn random_positions_follow_from_their_moves(dir: &Path, checked: &[(&str, &str)]) -> Tables {
    let tables = Tables::new(dir);
    for &(name, variant) in checked {
        tables.solve(name.parse().unwrap(), &mut |_, _| true).unwrap();
        for metric in Metric::ALL {
            let sample = Sample::Random { positions: 3000, seed: 9 };
            let checked =
                tables.verify(name.parse().unwrap(), variant.parse().unwrap(), metric, sample, &|_| true);
            let checked = checked.unwrap();
            assert_eq!((checked.wrong, checked.positions), (None, 6000), "{name} under {variant}");
        }
    }
    tables
}

/// Endings with a single catapult that has moved. A king that must capture the last catapult also
/// loses by DTZ, although its move resets the half-move clock.
#[test]
fn random_positions_with_catapults_follow_from_their_moves() {
    let dir = tempfile::tempdir().unwrap();
    let checked = [("KRvK-attacker-one", "chesspp"), ("KRvK-attacker-one", "chesspp+free+instant")];
    let tables = random_positions_follow_from_their_moves(dir.path(), &checked);
    let forced = read("8/8/8/3R4/7k/8/7K/8 b - - 1 1 g4/-", "chesspp");
    assert_eq!(forced.legal_moves().len(), 1);
    let probe = tables.probe(&forced).unwrap().unwrap();
    assert_eq!((probe.dtz, probe.winner(Color::Black)), (Value::Lost(1), Some(Color::White)));
}

/// Under `+bare`, Black's king may capture a piece that only White's king guards by teleport.
#[test]
#[ignore = "long"]
fn random_positions_under_bare_follow_from_their_moves() {
    let dir = tempfile::tempdir().unwrap();
    let checked = [
        ("KNvK-attacker-two+bare", "chesspp+bare"),
        ("KRvK-attacker-two+bare+instant", "chesspp+bare+instant"),
    ];
    let tables = random_positions_follow_from_their_moves(dir.path(), &checked);
    let fen = "8/8/8/8/8/8/1kN5/7K b - - 1 1 c2h1/-";
    let free = tables.probe(&read(fen, "chesspp+bare")).unwrap().unwrap();
    assert_eq!(free.dtm, Value::Drawn);
    assert!(read(fen, "chesspp").parse_move("b2c2").is_err());
}

#[test]
#[ignore = "long"]
fn random_positions_with_pawns_and_catapults_follow_from_their_moves() {
    let dir = tempfile::tempdir().unwrap();
    random_positions_follow_from_their_moves(
        dir.path(),
        &[
            ("KPvK-defender-one+promote", "chesspp+promote"),
            ("KPvK-attacker-one", "chesspp+promote"),
            ("KPvK-attacker-one", "chesspp+pawns"),
        ],
    );
}

/// Tests that damaged files are detected: a table under another name, a changed byte, and a
/// truncated file.
#[test]
fn a_wrong_value_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let tables = solve(dir.path(), &["KQvK", "KRvK"]);
    // The header reveals a table with another name, and the hash a changed byte.
    fs::copy(dir.path().join("KQvK.mate"), dir.path().join("KRvK.mate")).unwrap();
    let other = Tables::new(dir.path()).solved("KRvK".parse().unwrap(), Metric::Dtm).unwrap_err();
    assert!(other.to_string().contains("KRvK.mate: holds KQvK"), "{other}");
    let path = dir.path().join("KQvK.clock");
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len() - 100;
    bytes[end] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let damaged = Tables::new(dir.path());
    let position = read("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "chess");
    // The changed byte is not in the block of this position.
    for error in [damaged.probe(&position).unwrap_err(), damaged.list().unwrap_err()] {
        assert!(error.to_string().contains("KQvK.clock: its hash is"), "{error}");
    }
    for length in [0, 5, 40, 200, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = Tables::new(dir.path()).solved("KQvK".parse().unwrap(), Metric::Dtz).unwrap_err();
        assert!(error.to_string().contains("KQvK.clock"), "{length}: {error}");
    }
    assert!(tables.solved("KQvK".parse().unwrap(), Metric::Dtm).is_ok());
}

/// A wrong value would become part of every table that is solved with it.
#[test]
fn a_table_is_not_solved_from_a_damaged_one() {
    let dir = tempfile::tempdir().unwrap();
    solve(dir.path(), &["KQvK"]);
    let path = dir.path().join("KQvK.mate");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = Tables::new(dir.path()).solve("KPvK".parse().unwrap(), &mut |_, _| true).unwrap_err();
    assert!(error.to_string().contains("KQvK.mate"), "{error}");
}

/// A solution that is stopped leaves no file, and the next call writes the same bytes.
#[test]
fn a_stopped_solution_begins_again() {
    let [whole, parted] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    solve(whole.path(), &["KRvK"]);
    let mut left = 5;
    // A stop takes effect at the next wave.
    let ended = Tables::new(parted.path()).solve("KRvK".parse().unwrap(), &mut |_, _| {
        left -= 1;
        left > 0
    });
    assert!(matches!(ended, Err(EndingsError::Stopped)), "{ended:?}");
    assert_eq!(parted.path().read_dir().unwrap().count(), 0);
    solve(parted.path(), &["KRvK"]);
    for file in whole.path().read_dir().unwrap() {
        let name = file.unwrap().file_name();
        assert_eq!(
            fs::read(whole.path().join(&name)).unwrap(),
            fs::read(parted.path().join(&name)).unwrap(),
            "{name:?}"
        );
    }
}

#[test]
fn plans_grow_with_tables() {
    let plan = |name: &str| Plan::of(name.parse().unwrap());
    assert_eq!(plan("KRvK-attacker-two").positions, 10 * 64 * 64 * 2016);
    assert_eq!(plan("KPvK-attacker-two").positions, 32 * 48 * 64 * 2016);
    // Memory limits: 1 GB for two catapults, 2 GB for a pawn with two, 6 GB for three catapults.
    for (name, most) in [
        ("KQvK-defender-two+instant", 1 << 30),
        ("KPvK-defender-two", 2 << 30),
        ("KRvK-attacker-three", 6u64 << 30),
    ] {
        assert!(plan(name).memory <= most, "{name}: {:?}", plan(name));
    }
    assert!(plan("KPvK-attacker-two").minutes > plan("KRvK-attacker-two").minutes);
}
