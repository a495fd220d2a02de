//! Tests that every key of a study's file is checked and that errors name the key.

use super::{STUDY, desk};
use catapult_study::config::{StudyConfig, StudyFile};
use std::fs;
use std::path::Path;

/// Marks a case that appends keys to the only endpoint, at the end of the study's file. Other cases
/// replace a part of the file.
const ENDPOINT_END: &str = "";

#[test]
fn endpoints_may_name_who_plays_where_and_what_is_averaged() {
    let more = "agent = \"both\"\nlevels = [2, 4]\nby_construction = true\n";
    let config = StudyConfig::parse(&format!("{STUDY}{more}")).unwrap();
    assert_eq!(config.endpoints[0].levels, [2, 4]);
}

#[test]
fn an_agent_of_replayed_games_plays_the_control() {
    let arms = "name = \"both\"\narms = [\"chess\", \"chesspp+free\"]";
    let replayed = STUDY
        .replacen(arms, "name = \"both\"\narms = [\"chesspp+free\"]", 1)
        .replacen("metric = \"draw_rate\"", "metric = \"superset_plies\"", 1)
        .replacen("control = \"chess\"\ndirection", "against = 0.9\ndirection", 1);
    StudyConfig::parse(&replayed).unwrap();
    let error = StudyConfig::parse(&format!("{replayed}agent = \"both\"\n")).unwrap_err();
    assert!(error.contains(".agent = \"both\": must also play `chess`, because its games"), "{error}");
}

/// A study's folder has a copy of its file. It has the rules by name.
#[test]
fn arms_may_be_rules_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), "base = \"chesspp\"\nfree = true\n").unwrap();
    let path = folder.path().join("study.toml");
    fs::write(&path, STUDY.replace("chesspp+free", "mine.toml")).unwrap();
    let study = StudyFile::read(&path).unwrap();
    assert_eq!(study.text, STUDY);
    assert_eq!(study.config, StudyConfig::parse(STUDY).unwrap());
    fs::remove_file(folder.path().join("mine.toml")).unwrap();
    let error = StudyFile::read(&path).unwrap_err().to_string();
    assert!(error.contains("study.toml") && error.contains("mine.toml"), "{error}");
}

#[test]
fn errors_name_the_key_and_what_is_allowed() {
    StudyConfig::parse(STUDY).unwrap();
    for (old, new, parts) in [
        ("title =", "titel =", &["titel"][..]),
        ("name = \"tiny\"", "name = \"a/b\"", &["name", "a/b"]),
        ("seed = 5", "seed = \"five\"", &["seed"]),
        ("control = \"chess\"\narms", "control = \"chesspp\"\narms", &["control", "chesspp", "arms"]),
        (
            "arms = [\"chess\", \"chesspp+free\"]\n\n[[",
            "arms = [\"chess\", \"chess\"]\n\n[[",
            &["arms", "twice"],
        ),
        ("arms = [\"chess\", \"chesspp+free\"]\n\n[[", "arms = []\n\n[[", &["arms"]),
        ("\"chesspp+free\"]\n\n[[", "\"chesspp+free\", \"chesspp\"]\n\n[[", &["arms", "no agent", "chesspp"]),
        ("arms = [\"chess\"]", "arms = [\"chesspp\"]", &["agents.alone.arms", "chesspp"]),
        ("name = \"alone\"", "name = \"both\"", &["agents", "both", "twice"]),
        ("train = \"train.toml\"", "", &["agents.both.train"]),
        ("train = \"train.toml\"", "train = \"t\"\ntaken = [\"a\"]", &["agents.both.taken"]),
        ("seeds = [1, 2]", "seeds = [1]", &["agents.alone.taken", "2 paths for 1"]),
        ("seeds = [1, 2]", "seeds = [1, 1]", &["agents.alone.seeds", "twice"]),
        ("simulations = [2, 4]", "simulations = [4, 2]", &["games.simulations", "rise"]),
        ("simulations = [2, 4]", "simulations = [0, 2]", &["games.simulations"]),
        ("early_simulations = 2", "early_simulations = 3", &["games.early_simulations", "3"]),
        ("per_level = 5", "per_level = 0", &["games.per_level"]),
        ("per_level = 5", "per_level = 4294967296", &["games.per_level", "1000000"]),
        ("per_level = 5", "per_levle = 5", &["per_levle", "per_level"]),
        ("simulations = [4]", "simulations = [8]", &["strength.simulations", "8"]),
        ("opponents = [\"half\"", "opponents = [\"third\"", &["strength.opponents", "third", "half"]),
        ("rung_games = 2", "rung_games = 3", &["strength.rung_games", "even"]),
        ("simulations = [8]", "simulations = [4]", &["games.deep.simulations", "4", "already"]),
        ("simulations = [8]", "simulations = [8, 8]", &["games.deep.simulations", "twice"]),
        ("simulations = [8]\ngames = 4", "simulations = [8]\ngames = 0", &["games.deep.games"]),
        ("simulations = [8]\ngames = 4", "simulations = [8]\ngames = 1000001", &["games.deep.games"]),
        ("arms = [\"chess\"]\nagents", "arms = [\"chesspp+free\"]\nagents", &["games.deep.agents", "none"]),
        ("agents = [\"alone\"]", "agents = [\"nobody\"]", &["games.deep.agents", "nobody"]),
        ("arms = [\"chess\"]\nagents", "arms = [\"maxim\"]\nagents", &["games.deep.arms", "maxim"]),
        ("[\"x4\", \"x16\"]", "[\"x4\", \"x5\"]", &["strength.more.opponents", "x5", "`x16`"]),
        ("simulations = [2]\ngames = 4", "simulations = [3]\ngames = 4", &["strength.more.simulations", "3"]),
        ("simulations = [2]\ngames = 4", "simulations = [2]\ngames = 5", &["strength.more.games", "even"]),
        ("[population]\ngames = 2", "[population]\ngames = 0", &["population.games"]),
        ("[population]\ngames = 2", "[population]\nmeets = 0\ngames = 2", &["population.meets"]),
        ("[\"teleports\"", "[\"castling\"", &["castling", "teleports", "catapult-moves"]),
        ("[\"teleports\"", "[\"catapult-captures\"", &["worth.kinds", "twice"]),
        ("[worth]", "[worth]\narms = [\"chess\"]", &["worth.arms", "\"chess\""]),
        ("lines = 4", "lines = 0", &["analysis.lines"]),
        ("replicates = 100", "replicates = 10", &["resampling.replicates", "10"]),
        ("device = \"cpu\"", "device = \"tpu\"", &["device", "tpu"]),
        (
            "metric = \"draw_rate\"",
            "metric = \"drawrate\"",
            &["fewer draws", "metric", "drawrate", "draw_rate"],
        ),
        ("arm = \"chesspp+free\"\n", "arm = \"chesspp\"\n", &["fewer draws", "arm", "chesspp"]),
        ("control = \"chess\"\ndirection", "control = \"chesspp+free\"\ndirection", &["control", "itself"]),
        ("control = \"chess\"\ndirection", "direction", &["control", "against"]),
        ("smallest_effect = 0.05", "smallest_effect = 0.0", &["smallest_effect"]),
        ("direction = \"lower\"", "direction = \"down\"", &["direction", "down"]),
        (ENDPOINT_END, "levels = [2, 3]\n", &["levels", "3", "both", "{2, 4}"]),
        (ENDPOINT_END, "levels = [4, 4]\n", &["levels", "twice"]),
        (ENDPOINT_END, "family = \" \"\n", &["family", "name"]),
        (ENDPOINT_END, "agent = \"nobody\"\n", &["agent", "nobody", "both, alone"]),
        (ENDPOINT_END, "agent = \"alone\"\n", &["agent", "alone", "does not play", "chesspp+free"]),
        (
            "metric = \"draw_rate\"",
            "metric = \"opening_entropy\"\nlevels = [2, 4]",
            &["levels", "opening_entropy", "one level"],
        ),
        (
            "metric = \"draw_rate\"",
            "metric = \"draw_slope\"\nlevels = [2, 4]",
            &["levels", "draw_slope", "all levels", "[4]"],
        ),
        ("[games]\n", "[registered]\nseeds = 0\n\n[games]\n", &["registered.seeds", "0"]),
    ] {
        let text = match old {
            ENDPOINT_END => format!("{STUDY}{new}"),
            _ => STUDY.replacen(old, new, 1),
        };
        assert!(text != STUDY, "{old}");
        let error = StudyConfig::parse(&text).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{new}: {error}");
        assert!(key_of(&error).is_none_or(|key| key.contains(parts[0])), "{new}: {error}");
    }
}

#[test]
fn a_slope_is_compared_over_the_same_levels() {
    let slope = STUDY.replacen("metric = \"draw_rate\"", "metric = \"draw_slope\"\nlevels = [4]", 1);
    StudyConfig::parse(&slope).unwrap();
    let deep = slope.replacen("agents = [\"alone\"]", "agents = [\"both\"]", 1);
    for text in [&deep, &deep.replacen("levels = [4]\n", "", 1)] {
        let error = StudyConfig::parse(text).unwrap_err();
        for part in ["metric = \"draw_slope\"", "`chesspp+free` plays {2, 4}", "`chess` plays {2, 4, 8}"] {
            assert!(error.contains(part), "{error}");
        }
    }
    let players = fs::read_to_string("../../experiments/players/study.toml").unwrap();
    StudyConfig::parse(&players).unwrap();
}

/// Returns the key that an error message begins with, or `None` if the text is not TOML.
fn key_of(error: &str) -> Option<&str> {
    if error.starts_with("TOML parse error") {
        return None;
    }
    let (key, rest) = error.split_once(" = ").or(error.split_once(": missing; ")).expect("a key");
    assert!(rest.contains(": ") || error.contains(": missing; "), "what is allowed: {error}");
    Some(key)
}

#[test]
fn keys_are_told_with_their_tables_and_as_they_are_written() {
    for (old, new, expected) in [
        (
            "arms = [\"chess\"]",
            "arms = [\"chesspp\"]",
            "agents.alone.arms = \"chesspp\": must be among the study's arms",
        ),
        ("seeds = [1, 2]", "seeds = [1, 1]", "agents.alone.seeds = 1: occurs twice; must occur once"),
        (
            "train = \"train.toml\"",
            "",
            "agents.both.train: missing; name a training config, or networks in `taken`",
        ),
        (
            "simulations = [4]",
            "simulations = [8]",
            "strength.simulations = 8: must be among games.simulations",
        ),
        (
            "agents = [\"alone\"]",
            "agents = [\"nobody\"]",
            "games.deep.agents = \"nobody\": must be one of both, alone",
        ),
        (
            "control = \"chess\"\ndirection",
            "direction",
            "endpoints.\"fewer draws\".control: missing; name an arm, or a number in `against`",
        ),
        (
            "smallest_effect = 0.05",
            "smallest_effect = 0.0",
            "endpoints.\"fewer draws\".smallest_effect = 0: must be above 0",
        ),
    ] {
        let error = StudyConfig::parse(&STUDY.replacen(old, new, 1)).unwrap_err();
        assert_eq!(error, expected);
    }
}

#[test]
fn agents_must_fit_the_config_they_are_trained_by() {
    let desk = desk();
    let path = desk.path().join("study.toml");
    let error = |text: String| {
        fs::write(&path, text).unwrap();
        let study = StudyFile::read(&path).unwrap();
        study.training(&study.config.agents[0], 1).unwrap_err().to_string()
    };
    let more = STUDY.replacen("\"chesspp+free\"]", "\"chesspp+free\", \"chesspp\"]", 2);
    let found = error(more);
    assert!(found.contains("agents.both.arms = \"chesspp\": is not learned by"), "{found}");
    let found = error(STUDY.replacen("early = 1", "early = 2", 1));
    assert!(found.contains("agents.both.early = 2"), "{found}");
    let found = error(STUDY.replacen("train.toml", "none.toml", 1));
    assert!(found.contains("none.toml"), "{found}");
    let found = error(STUDY.replacen("early = 1", "settings = [\"games.colour=1\"]", 1));
    assert!(found.contains("colour"), "{found}");
}

/// Reads the studies in the project's folder, with the configs that they name.
#[test]
fn the_studies_that_come_along_are_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, levels) in [
        ("configs/study/quick.toml", 3),
        ("configs/study/chesspp.toml", 3),
        ("experiments/chesspp/pilot.toml", 2),
    ] {
        let study = StudyFile::read(&root.join(path)).unwrap_or_else(|error| panic!("{error}"));
        assert!(study.config.games.simulations.len() >= levels, "{path}");
        let claims = study.config.endpoints.iter().filter(|e| e.arm.to_string() == "chesspp");
        assert!((6..=7).contains(&claims.count()), "{path}: the claims of the paper");
        for agent in &study.config.agents {
            for &seed in &agent.seeds {
                study.training(agent, seed).unwrap_or_else(|error| panic!("{error}"));
            }
            for taken in &agent.taken {
                assert!(study.resolve(taken).exists(), "{path}: {}", taken.display());
            }
        }
    }
}

/// The registered file of the published study is the one in `configs`, byte by byte.
#[test]
fn the_published_study_is_the_registered_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let hash = catapult_network::file_hash(&root.join("configs/study/chesspp.toml")).unwrap();
    let results = std::fs::read_to_string(root.join("experiments/chesspp/metrics.json")).unwrap();
    assert!(results.contains(&format!("\"registered_file\": \"{hash}\"")), "{hash}");
}

#[test]
fn endings_are_named_as_tables_are() {
    let study = |endings: &str| {
        StudyConfig::parse(&format!(
            "{STUDY}\n[endings]\ntables = \"t\"\nsimulations = 2\nendings = {endings}\n"
        ))
    };
    assert_eq!(study(r#"["KRvK", "KRvK defender"]"#).unwrap().endings.unwrap().positions, 400);
    for (endings, parts) in [
        ("[]", &["endings.endings"][..]),
        (r#"["KRvKR"]"#, &["endings.endings", "KRvKR", "KQvK"]),
        (r#"["KRvK both"]"#, &["endings.endings", "both", "attacker"]),
        (r#"["KvK attacker"]"#, &["endings.endings", "no arm"]),
        (
            r#"["KRvK"]
positions = 0"#,
            &["endings.positions"],
        ),
        (
            r#"["KRvK attacker"]
arms = ["chess"]"#,
            &["endings.endings", "no arm"],
        ),
    ] {
        let error = study(endings).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{endings}: {error}");
    }
}
