//! Tests of rules files and of configs that name them.

use catapult_records::rules_file::{in_config, in_setting, parse, variant};
use catapult_rules::{Proposals, Variant};
use std::path::Path;

fn configs() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs")
}

#[test]
fn the_files_of_the_repository_equal_their_options() {
    let mut names: Vec<String> = std::fs::read_dir(configs().join("rules"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let files = ["bare", "free", "instant", "pawns", "promote", "still", "third"];
    assert_eq!(names, files.map(|name| format!("{name}.toml")));
    for name in files {
        let file = variant(&format!("rules/{name}.toml"), &configs()).unwrap();
        assert_eq!(file.to_string(), format!("chesspp+{name}"));
        let text = std::fs::read_to_string(configs().join(format!("rules/{name}.toml"))).unwrap();
        assert!(text.starts_with(&format!("name = \"{name}\"\n")), "{text}");
    }
}

#[test]
fn keys_set_options() {
    let name = |keys: &str| parse(&format!("base = \"chesspp\"\n{keys}")).map(|variant| variant.to_string());
    for (keys, expected) in [
        ("", "chesspp"),
        ("third = true\nfifty_move_plies = 60", "chesspp+fifty=60+third"),
        ("catapult_move_restarts_clock = true", "chesspp+restart"),
        ("first_catapult_move = 0\nlater_catapult_moves = 2", "chesspp+first=0+later=2"),
        ("teleporting_pieces = \"RN\"", "chesspp+teleport=NR"),
        ("teleporting_pieces = \"-\"", "chesspp+teleport=-"),
        ("catapults = \"c3\"\nstart = \"RQNBKNBR\"", "chesspp+catapults=c3+start=RQNBKNBR"),
        ("catapult_moves_per_game = 3", "chesspp+moves=3"),
        ("teleports_capture = false\nenemy_catapults_block = true", "chesspp+block+peaceful"),
    ] {
        assert_eq!(name(keys).as_deref(), Ok(expected));
    }
    // Plain Chess++, written out.
    let mut all = "fifty_move_plies = 100\nfirst_catapult_move = 2\nlater_catapult_moves = 1\nteleporting_pieces = \"NBRQK\"\ncatapults = \"b1f1\"\nstart = \"RNBQKBNR\"\n".to_owned();
    for row in Proposals::NAMED {
        let (key, value) = row.key;
        assert_eq!(name(&format!("{key} = {value}")), Ok(format!("chesspp+{}", row.name)));
        all += &format!("{key} = {}\n", !value);
    }
    assert_eq!(name(&all).as_deref(), Ok("chesspp"));
}

#[test]
fn refusals_name_key_value_and_what_is_allowed() {
    for (text, words) in [
        ("", ["base: missing", "\"chesspp\""]),
        ("base = \"chess\"", ["base = \"chess\"", "must be \"chesspp\""]),
        ("base = \"chesspp+third\"", ["base = \"chesspp+third\"", "must be \"chesspp\""]),
        ("base = \"chesspp\"\nbare = true", ["bare = true", "bare_king_keeps_catapults"]),
        ("base = \"chesspp\"\nfifty_move_plies = 7", ["fifty_move_plies = 7", "from 8 to 1000"]),
        ("base = \"chesspp\"\nfifty_move_plies = -60", ["fifty_move_plies = -60", "from 8 to 1000"]),
        ("base = \"chesspp\"\nfifty_move_plies = 60.0", ["fifty_move_plies = 60.0", "from 8 to 1000"]),
        ("base = \"chesspp\"\nteleporting_pieces = \"NP\"", ["teleporting_pieces = \"NP\"", "`NBRQK`"]),
        ("base = \"chesspp\"\nteleporting_pieces = true", ["teleporting_pieces = true", "`NBRQK`"]),
        ("base = \"chesspp\"\ncatapults = 2", ["catapults = 2", "squares of ranks 1 to 4"]),
        ("base = \"chesspp\"\ncatapults = \"b1f1\"\nthird = true", ["`+catapults`", "exclude each other"]),
        ("base = \"chesspp\"\nstart = \"KK\"", ["start = \"KK\"", "one `K`"]),
        ("base = \"chesspp\"\ncatapult_moves_per_game = 32", ["= 32", "from 0 to 31"]),
        ("base = \"chesspp\"\nthird = 1", ["third = 1", "true or false"]),
        ("base = \"chesspp\"\nname = 1", ["name = 1", "must be a text"]),
        ("base = \"chesspp\"\n[third]", ["third = {}", "true or false"]),
        ("base = \"chesspp\"\nthird = true\nthird = true", ["duplicate key", "third"]),
        ("third", ["TOML", "line 1"]),
    ] {
        let error = parse(text).unwrap_err();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    let missing = variant("rules/none.toml", &configs()).unwrap_err();
    assert!(missing.contains("rules/none.toml") && missing.contains("No such file"), "{missing}");
    assert!(variant("chesspp+x", Path::new("")).unwrap_err().contains("no option `+x`"));
    assert_eq!(variant("chesspp+third", Path::new("")), Ok(Variant::ChessPp(Proposals::THIRD)));
}

#[test]
fn configs_get_names_instead_of_paths() {
    let config = |text: &str| in_config(text, &configs());
    let text = "# rules/bare.toml\nname = \"x\"\narms = [\"chesspp\", \"rules/bare.toml\"] # kept\n\
                control = 'rules/bare.toml'\ninitial = \"rules/other.toml\"\n\n[[agents]]\narms = [\"rules/still.toml\"]\n";
    let expected = "# rules/bare.toml\nname = \"x\"\narms = [\"chesspp\", \"chesspp+bare\"] # kept\n\
                    control = \"chesspp+bare\"\ninitial = \"rules/other.toml\"\n\n[[agents]]\narms = [\"chesspp+still\"]\n";
    assert_eq!(config(text).as_deref(), Ok(expected));
    for unchanged in ["variant = \"chesspp\"", "base = \"rules/none.toml\"", "no toml", ""] {
        assert_eq!(config(unchanged).as_deref(), Ok(unchanged));
    }
    assert!(config("variant = \"rules/none.toml\"").unwrap_err().contains("rules/none.toml"));

    let path = configs().join("rules/third.toml").display().to_string();
    assert_eq!(in_setting(&format!("variant={path}")).as_deref(), Ok("variant=\"chesspp+third\""));
    let list = in_setting(&format!("variants=[\"chess\", \"{path}\"]"));
    assert_eq!(list.as_deref(), Ok("variants=[\"chess\", \"chesspp+third\"]"));
    for unchanged in ["name=mine", "games.shards=2", "nonsense"] {
        assert_eq!(in_setting(unchanged).as_deref(), Ok(unchanged));
    }
}
