//! Tests of the study of docs/evaluate-a-rule.md, up to its verdicts, with small networks and few
//! games.

use super::desk;
use super::whole::Watcher;
use catapult_study::config::StudyFile;
use catapult_study::plan::plan;
use catapult_study::run::run;
use std::fs;
use std::process::Command;

/// The archives of the tutorial contain every network that its study plays, so the study can be
/// planned.
#[test]
fn the_tutorial_plans_with_the_networks_of_its_archives() {
    let desk = tempfile::tempdir().unwrap();
    let networks = desk.path().join("studies/networks");
    fs::create_dir_all(&networks).unwrap();
    for seed in 1..=6 {
        let archive = format!("../../experiments/chesspp/agents/rules-{seed}.tar.gz");
        let unpacked = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&networks).status();
        assert!(unpacked.unwrap().success());
    }
    let file = desk.path().join("configs/study/instant.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::copy("../../configs/study/instant.toml", &file).unwrap();
    let plan = plan(&StudyFile::read(&file).unwrap(), &desk.path().join("out")).unwrap();
    let games: u64 = plan.lines.iter().map(|line| line.games).sum();
    // Six networks and two arms: three levels of 120 games, and 60 games without each of two kinds
    // of moves.
    assert_eq!(games, 6 * 2 * (3 * 120 + 2 * 60));
}

#[test]
fn the_tutorial_leads_from_a_file_to_verdicts() {
    let desk = desk();
    let text = fs::read_to_string("../../configs/study/instant.toml").unwrap();
    let mut study: toml::Table = text.parse().unwrap();
    let set = |table: &mut toml::Value, key: &str, value: toml::Value| {
        table.as_table_mut().unwrap().insert(key.to_owned(), value);
    };
    let networks = [1, 2, 3].map(|seed| {
        let architecture = toml::from_str("channels = 8\nblocks = 1\n").unwrap();
        let layout = catapult_encoding::CHESS_LAYOUT;
        let network = catapult_network::Network::untrained(architecture, layout, seed).unwrap();
        let name = format!("network-{seed}.safetensors");
        network.save(&desk.path().join(&name)).unwrap();
        toml::Value::from(name)
    });
    let agent = &mut study["agents"].as_array_mut().unwrap()[0];
    set(agent, "seeds", vec![1, 2, 3].into());
    set(agent, "taken", networks.to_vec().into());
    set(&mut study["registered"], "seeds", 3.into());
    let games = &mut study["games"];
    set(games, "simulations", vec![2, 4, 8].into());
    set(games, "early_simulations", 2.into());
    set(games, "per_level", 3.into());
    set(games, "ply_cap", 30.into());
    set(&mut study["worth"], "simulations", vec![4].into());
    set(&mut study["worth"], "games", 2.into());
    for endpoint in study["endpoints"].as_array_mut().unwrap() {
        set(endpoint, "levels", vec![4, 8].into());
    }
    let small = "lines = 2\nline_plies = 4";
    study.insert("analysis".to_owned(), small.parse::<toml::Table>().unwrap().into());
    study.insert(
        "strength".to_owned(),
        "games = 0\nsimulations = [4]\nopponents = [\"half\"]\nrung_games = 0"
            .parse::<toml::Table>()
            .unwrap()
            .into(),
    );
    study.insert("resampling".to_owned(), "replicates = 100".parse::<toml::Table>().unwrap().into());
    let file = desk.path().join("study-instant.toml");
    fs::write(&file, toml::to_string(&study).unwrap()).unwrap();

    let watcher = Watcher::default();
    let out = desk.path().join("out");
    let results =
        run(&StudyFile::read(&file).unwrap(), &*out, "the command", &watcher, &watcher.stop).unwrap();
    assert_eq!(results.judgements.len(), 4);
    assert!(results.judgements.iter().all(|judgement| judgement.seeds.len() == 3), "all networks are judged");
    for name in ["metrics.json", "metrics.csv", "report.html", "games.parquet", "uses.parquet"] {
        assert!(out.join(name).exists(), "{name}");
    }
}
