//! Tests of `catapult judge` with few games and simulations.

use super::{catapult, fail_in_a_line, path, root, succeed, text};
use serde_json::Value;
use std::fs;

#[test]
fn a_rule_is_planned_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("the results");
    let (rules, network) = (
        root().join("configs/rules/bare.toml"),
        root().join("models/opponents/chesspp-quickstart.safetensors"),
    );
    let command = [
        "judge",
        path(&rules),
        "--network",
        path(&network),
        "--games",
        "20",
        "--simulations",
        "2",
        "-o",
        path(&out),
    ];
    let plan = succeed(&[&command[..], &["--plan"]].concat());
    assert!(plan.contains("games") && plan.contains('h'), "{plan}");
    assert!(!out.join("games").exists(), "a plan plays no game");

    let output = catapult(&command);
    let (printed, warned) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{warned}");
    for control in ["chesspp", "chess"] {
        assert!(printed.contains(&format!("draw_rate against {control}: ")), "{printed}");
    }
    assert!(printed.trim_end().ends_with("report.html"), "{printed}");
    // The network has learned Chess++ only, and its layout has no input for `+bare`.
    for arm in ["chesspp+bare", "chess"] {
        assert!(warned.contains(&format!("records no training under `{arm}`")), "{warned}");
    }
    assert_eq!(warned.matches("without knowing them").count(), 1, "{warned}");

    let results: Value =
        serde_json::from_str(&fs::read_to_string(out.join("metrics.json")).unwrap()).unwrap();
    assert_eq!(results["rule"], "chesspp+bare");
    let repeat = shlex::split(results["provenance"]["command"].as_str().unwrap()).unwrap();
    assert_eq!(repeat.last().unwrap(), path(&out));
    let judged = results["judgements"].as_array().unwrap();
    let draws: Vec<&Value> = judged.iter().filter(|it| it["endpoint"]["metric"] == "draw_rate").collect();
    let measured = |arm: &str| {
        let is_its = |it: &&Value| {
            it["metric"] == "draw_rate" && it["sample"]["arm"] == arm && it["sample"]["simulations"] == 2
        };
        let found = results["measures"].as_array().unwrap().iter().find(is_its).unwrap();
        found["estimate"]["value"].as_f64().unwrap()
    };
    assert_eq!(draws.len(), 2);
    for (judgement, control) in draws.into_iter().zip(["chesspp", "chess"]) {
        let expected = measured("chesspp+bare") - measured(control);
        let found = judgement["effect"]["difference"]["value"].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9, "{control}: {found} is not {expected}");
        assert_eq!(judgement["gates"].as_array().unwrap().len(), 1);
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let at = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part}"));
    assert!(at("without knowing them") < at("What Chess++ with +bare changes"));
    assert!(at("What Chess++ with +bare changes") < at("Games to look at"));

    // Other simulations are another study. The plan says so, too.
    for arguments in [&["--simulations", "4", "--out", path(&out)][..], &["--plan", "-o", path(&out)]] {
        fail_in_a_line(&[&command[..6], arguments].concat(), &["games.simulations"]);
    }
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let network = root().join("models/opponents/chesspp-quickstart.safetensors");
    let refuse = |arguments: &[&str], words: &[&str]| {
        let command = ["judge", "--network", path(&network), "-o", path(&out)];
        fail_in_a_line(&[&command[..], arguments].concat(), words);
        assert!(!out.exists(), "nothing is made of a mistake");
    };
    refuse(&["chesspp"], &["`chesspp`", "compared with itself"]);
    refuse(&["half"], &["`half`", "Chess++"]);
    refuse(&["chesspp+bare", "--simulations", "25"], &["simulations = 25", "even"]);
    refuse(&["chesspp+bare", "--network", "no/such.safetensors"], &["no/such.safetensors", "--network"]);
    refuse(&["chesspp+bare", "--network", path(&network), "--plan"], &["are the same network"]);
    let other = root().join("models/century-long.safetensors");
    refuse(&["chesspp+bare", "--network", path(&other), "--plan"], &["century-10x8-1", "chess-8x8"]);
    super::fail(&["judge", "chesspp+bare", "--network", path(&other), "-o", path(&out)], &["century-10x8-1"]);
    assert!(!out.join("registered.json").exists(), "another network may play there");
    let noise = folder.path().join("noise.safetensors");
    fs::write(&noise, "noise").unwrap();
    let message =
        super::fail(&["judge", "chesspp+bare", "--network", path(&noise), "-o", path(&out)], &["noise"]);
    assert!(message.contains("not a Catapult file"), "{message}");
    super::fail(&["judge", "chesspp+bare", "--simulations", "1"], &["--simulations", "2.."]);
    for games in ["19", "1000001"] {
        super::fail(&["judge", "chesspp+bare", "--games", games], &["--games", "20..=1000000"]);
    }
    super::fail(&["judge", "no/such.toml"], &["no/such.toml"]);
}
