//! Tests of ladders: the ratings are the same on any number of threads and after interruptions.

use super::{smallest, smallest_of};
use catapult_arena::rating::{Pair, Rating};
use catapult_arena::{PlayerSpec, SearchSettings};
use catapult_network::Device;
use catapult_rules::Variant;
use catapult_stats::Interval;
use catapult_training::ladder::{
    Entrant, RateSettings, RatedPlayer, RatingsFile, Roster, entrants, gauntlet, rate, ratings_dir,
    ratings_path, strengths,
};
use catapult_training::progress::{Progress, Silent};
use catapult_training::{TrainingError, refresh_logs, train};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn settings(budget_games: u32) -> RateSettings {
    RateSettings {
        variant: Variant::Chess,
        games_per_pairing: 60,
        budget_games,
        seed: 1,
        ply_cap: 60,
        threads: 1,
        device: Device::Cpu,
    }
}

fn player(name: &str, is_rated: bool) -> Entrant {
    Entrant::new(name.parse().unwrap(), is_rated).unwrap()
}

/// Returns a roster of five fast players of similar strength.
fn roster() -> Roster {
    let names = ["alphabeta:1~0.5", "alphabeta:1~0.8", "search:uniform:4", "random", "alphabeta:1"];
    let entrants = names.iter().enumerate().map(|(at, name)| player(name, at < 3)).collect();
    Roster::new(entrants, "random").unwrap()
}

/// Returns the names and bytes of a folder's files, except the file `lock`.
fn bytes(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = dir.read_dir().unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    named.filter(|(name, _)| name != "lock").map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

/// Observer that counts the matches that begin. It sets `stop` when match number `stop_at` (from 1)
/// begins.
#[derive(Default)]
struct Watcher {
    stop: AtomicBool,
    begun: AtomicU32,
    stop_at: u32,
}

impl Progress for Watcher {
    fn match_begins(&self, _name: &str, _games: u32) {
        if self.begun.fetch_add(1, Ordering::Relaxed) + 1 == self.stop_at {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn the_same_ratings_however_they_came_about() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let whole = rate(&roster(), &settings(300), &at("whole"), &Silent, &GO_ON).unwrap();
    let expected = bytes(&at("whole"));
    assert!(expected.len() > 3 && expected.contains_key("ratings.json"), "{:?}", expected.keys());
    assert_eq!((whole.zero.as_str(), whole.variant.as_str(), whole.games), ("random", "chess", 300));

    let threads = RateSettings { threads: 3, ..settings(300) };
    rate(&roster(), &threads, &at("threads"), &Silent, &GO_ON).unwrap();
    assert_eq!(bytes(&at("threads")), expected, "3 threads");

    for stop_at in [1, 4] {
        let watcher = Watcher { stop_at, ..Default::default() };
        let error = rate(&roster(), &settings(300), &at("stopped"), &watcher, &watcher.stop).unwrap_err();
        assert!(matches!(error, TrainingError::Stopped), "{error}");
        assert!(!at("stopped").join("ratings.json").exists());
    }
    // Fewer games first: the next call continues from them.
    rate(&roster(), &settings(200), &at("stopped"), &Silent, &GO_ON).unwrap();
    rate(&roster(), &settings(300), &at("stopped"), &Silent, &GO_ON).unwrap();
    assert_eq!(bytes(&at("stopped")), expected, "stopped and gone on");
    let watcher = Watcher::default();
    let again = rate(&roster(), &settings(300), &at("whole"), &watcher, &GO_ON).unwrap();
    assert_eq!((again, watcher.begun.into_inner()), (whole.clone(), 0), "nothing is played twice");

    // Damaged pairings are played again. Games of another seed would replace all of them.
    let file = expected.keys().find(|name| *name != "ratings.json").unwrap();
    fs::write(at("whole").join(file), "{").unwrap();
    rate(&roster(), &settings(300), &at("whole"), &Silent, &GO_ON).unwrap();
    assert_eq!(bytes(&at("whole")), expected, "damaged");
    let other = RateSettings { seed: 2, ..settings(300) };
    let error = rate(&roster(), &other, &at("whole"), &Silent, &GO_ON).unwrap_err().to_string();
    assert!(error.contains("whole: it contains games with other settings"), "{error}");
    assert!(error.ends_with("or undo these changes: seed (was 1, is 2)"), "{error}");
    assert_eq!(bytes(&at("whole")), expected, "another seed");
}

/// Observer that replaces a network file when a match begins. The values are the new file and the
/// replaced one.
struct Replacing(PathBuf, PathBuf);

impl Progress for Replacing {
    fn match_begins(&self, _name: &str, _games: u32) {
        fs::copy(&self.0, &self.1).unwrap();
    }
}

#[test]
fn a_network_that_is_replaced_meanwhile_ends_the_ladder() {
    let folder = tempfile::tempdir().unwrap();
    let (file, dir) = (folder.path().join("mine.safetensors"), folder.path().join("ladder"));
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    fs::copy(&gauntlet(&models, Variant::Chess)[0], &file).unwrap();
    let network = Entrant::new(PlayerSpec::network(&file, 1), true).unwrap();
    let roster = Roster::new(vec![network, player("random", false)], "random").unwrap();
    let replacing = Replacing(models.join("opponents/chesspp-quickstart.safetensors"), file);
    let error = rate(&roster, &settings(40), &dir, &replacing, &GO_ON).unwrap_err().to_string();
    assert!(error.contains("mine.safetensors was replaced during the ladder"), "{error}");
    assert!(bytes(&dir).is_empty(), "no game is kept");
}

#[test]
fn games_of_another_network_with_the_same_name_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (file, dir) = (folder.path().join("mine.safetensors"), folder.path().join("ladder"));
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/opponents");
    let rate_copy_of = |name: &str, games: u32| {
        fs::copy(models.join(name), &file).unwrap();
        let network = Entrant::new(PlayerSpec::network(&file, 1), true).unwrap();
        let roster = Roster::new(vec![network, player("random", false)], "random").unwrap();
        rate(&roster, &settings(games), &dir, &Silent, &GO_ON).map(drop)
    };
    rate_copy_of("chess-quickstart.safetensors", 20).unwrap();
    let before = bytes(&dir);
    let error = rate_copy_of("chess-small.safetensors", 20).unwrap_err().to_string();
    assert!(error.contains("mine-1--random.json: it contains games of another player"), "{error}");
    assert_eq!(bytes(&dir), before);
    rate_copy_of("chess-quickstart.safetensors", 40).unwrap();
}

#[test]
fn what_is_kept_adds_up_to_what_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = rate(&roster(), &settings(300), folder.path(), &Silent, &GO_ON).unwrap();
    let read: RatingsFile =
        serde_json::from_slice(&fs::read(folder.path().join("ratings.json")).unwrap()).unwrap();
    assert_eq!(read, file);
    let mut games = 0;
    for pairing in &file.pairings {
        let mut names = [&pairing.player, &pairing.opponent];
        names.sort();
        let name = format!("{}--{}.json", names[0], names[1]).replace(':', "-");
        let kept: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.path().join(name)).unwrap()).unwrap();
        let pairs: Vec<Pair> = serde_json::from_value(kept["made"].clone()).unwrap();
        let points: usize = pairs.iter().map(|p| p.as_white.half_points() + p.as_black.half_points()).sum();
        let score = points as f64 / (4 * pairs.len()) as f64;
        let of_first = if *names[0] == pairing.player { score } else { 1.0 - score };
        assert!((of_first - pairing.observed).abs() < 1e-12, "{pairing:?}");
        assert_eq!(pairing.games, 2 * pairs.len() as u32);
        games += pairing.games;
    }
    assert_eq!(games, file.games);
    let elo = |name: &str| {
        let player = file.players.iter().find(|p| p.name == name).unwrap();
        match player.rating {
            Rating::Value { elo, .. } | Rating::AtLeast { elo } => elo,
            other => panic!("{name}: {other}"),
        }
    };
    // More random moves make a player weaker, but still stronger than a purely random player.
    assert!(elo("alphabeta:1~0.5") > elo("alphabeta:1~0.8") && elo("alphabeta:1~0.8") > 0.0, "{file}");
    let table = file.to_string();
    assert!(table.starts_with("player") && table.contains("search:uniform"), "{table}");
    assert!(table.contains("300 games of") && table.contains("White's advantage"), "{table}");
}

#[test]
fn rated_players_without_games_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    for budget in [0, 20] {
        let file = rate(&roster(), &settings(budget), folder.path(), &Silent, &GO_ON).unwrap();
        let is_listed = |name: &&str| file.players.iter().any(|player| player.name == **name);
        assert!(["alphabeta:1~0.5", "alphabeta:1~0.8", "search:uniform"].iter().all(is_listed));
        let table = file.to_string();
        // At most two players meet.
        assert!(table.contains("not connected"), "{table}");
        assert_eq!(table.contains("White's advantage"), budget > 0, "{table}");
    }
}

#[test]
fn a_runs_strength_stands_in_its_curves() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let config = smallest(&["variant=chess"]);
    train(&config, &run, &Silent, &GO_ON).unwrap();
    let before = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let text = run.to_str().unwrap();
    let all = entrants(text, &[2, 4], Some(2)).unwrap();
    let generations: Vec<_> = all.iter().map(|e| (e.generation, e.simulations)).collect();
    assert_eq!(generations, [(0, 2), (0, 4), (2, 2), (2, 4)].map(|(g, s)| (Some(g), Some(s))));
    assert_eq!(entrants(text, &[2], None).unwrap().len(), 3, "every one of so few");

    let mut players = all;
    players.push(player("random", false));
    players.push(player("alphabeta:1~0.5", false));
    let roster = Roster::new(players, "random").unwrap();
    let dir = ratings_dir(&run, &config, Variant::Chess);
    let file = rate(&roster, &settings(160), &dir, &Silent, &GO_ON).unwrap();
    let known = strengths(&run, &config).unwrap();
    let levels: Vec<_> = known.points.iter().map(|p| (p.level.as_str(), p.generation)).collect();
    assert_eq!(levels, [("2", 0), ("2", 2), ("4", 0), ("4", 2)]);
    assert_eq!(known.zero, "random");

    refresh_logs(&run, &Silent).unwrap();
    let after = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let lines = |text: &str| -> Vec<serde_json::Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (before, mut after) = (lines(&before), lines(&after));
    let strength = after[2].as_object_mut().unwrap().remove("strength").unwrap();
    let rated = file.players.iter().find(|p| (p.generation, p.simulations) == (Some(2), Some(4))).unwrap();
    assert_eq!(strength["4"], serde_json::to_value(rated.rating).unwrap());
    assert!(after[0].as_object_mut().unwrap().remove("strength").is_some());
    assert_eq!(after, before, "all else is as it was");

    // The ratings also appear after a run is trained or only opened.
    train(&config, &run, &Silent, &GO_ON).unwrap();
    assert!(fs::read_to_string(run.join("metrics.jsonl")).unwrap().contains("\"strength\""));
}

#[test]
fn strengths_of_several_variants_are_above_one_zero() {
    let folder = tempfile::tempdir().unwrap();
    let config = smallest_of(&["chess", "chesspp", "chesspp+free"], &[]);
    for (variant, zero) in config.variants().iter().zip(["random", "alphabeta:1q", "random"]) {
        let player = RatedPlayer {
            name: "generation-0001".into(),
            simulations: Some(4),
            generation: Some(1),
            id: "ab:4".into(),
            rating: Rating::AtLeast { elo: 100.0 },
            games: 20,
            opponents: 1,
        };
        let file = RatingsFile {
            variant: variant.to_string(),
            zero: zero.into(),
            seed: 1,
            ply_cap: 60,
            anchor_version: 1,
            search_defaults: 1,
            games: 20,
            white: Interval::default(),
            draws: Interval::default(),
            players: vec![player],
            pairings: Vec::new(),
        };
        let dir = ratings_dir(folder.path(), &config, *variant);
        fs::create_dir_all(&dir).unwrap();
        fs::write(ratings_path(&dir), serde_json::to_string(&file).unwrap()).unwrap();
    }
    let known = strengths(folder.path(), &config).unwrap();
    let levels: Vec<&str> = known.points.iter().map(|point| point.level.as_str()).collect();
    assert_eq!((known.zero.as_str(), levels), ("random", vec!["chess:4", "chesspp+free:4"]));
}

#[test]
fn players_are_told_apart_and_missing_ones_named() {
    let twice = Roster::new(vec![player("random", true), player("random", false)], "random").unwrap();
    assert_eq!((twice.entrants.len(), twice.entrants[0].is_rated), (1, true));
    let error = Roster::new(vec![player("random", true)], "alphabeta:1q").unwrap_err().to_string();
    assert!(error.contains("`alphabeta:1q` is none of the players: random"), "{error}");
    let tuned = player("search:uniform:64@considered=8", true);
    assert_eq!(tuned.full_name(), "search:uniform@considered=8:64");

    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().to_str().unwrap();
    assert!(entrants(text, &[4], None).unwrap_err().to_string().contains("no run (config.toml)"));
    assert!(
        entrants("no/such.safetensors", &[4], None).unwrap_err().to_string().contains("no/such.safetensors")
    );
    assert!(entrants("stockfish", &[4], None).unwrap_err().to_string().contains("a run's folder"));
    assert!(gauntlet(&folder.path().join("none"), Variant::Chess).is_empty());

    // The shipped network of a variant has its own name at each level.
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = gauntlet(&models, Variant::Chess);
    assert_eq!(files.len(), 1, "{files:?}");
    assert!(files[0].ends_with("chess-quickstart.safetensors"));
    let both = entrants(files[0].to_str().unwrap(), &[64, 400], None).unwrap();
    assert_eq!(both[1].full_name(), "chess-quickstart:400");
    // A copy is the same player. Another network with the same name is named by its path.
    let copy = folder.path().join("chess-quickstart.safetensors");
    fs::copy(&files[0], &copy).unwrap();
    let of = |file: &Path| Entrant::new(PlayerSpec::network(file, 64), true).unwrap();
    let zero = player("random", false);
    let same = Roster::new(vec![of(&files[0]), of(&copy), zero.clone()], "random").unwrap();
    assert_eq!(same.entrants.len(), 2);
    fs::copy(models.join("opponents/chesspp-quickstart.safetensors"), &copy).unwrap();
    let other = Roster::new(vec![of(&files[0]), of(&copy), zero], "random").unwrap();
    assert_eq!(other.entrants[1].name, copy.display().to_string());
    // The names of two players must give two names of files.
    let [one, two] = ["a_b", "a-b"].map(|name| folder.path().join(format!("{name}.safetensors")));
    fs::copy(&files[0], &one).unwrap();
    fs::copy(&copy, &two).unwrap();
    let clash = Roster::new(vec![of(&one), of(&two), player("random", false)], "random");
    let error = clash.unwrap_err().to_string();
    assert!(error.contains("`a_b:64`") && error.contains("`a-b:64`"), "{error}");
    // A name by path keeps the settings of the search.
    let settings: SearchSettings = "considered=8".parse().unwrap();
    let tuned = |file: &Path| {
        let file = file.to_owned();
        Entrant::new(PlayerSpec::Network { file, simulations: 64, settings: settings.clone() }, true).unwrap()
    };
    let four = vec![of(&files[0]), of(&copy), tuned(&files[0]), tuned(&copy), player("random", false)];
    let names: BTreeSet<String> =
        Roster::new(four, "random").unwrap().entrants.iter().map(Entrant::full_name).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    // Another file under the same name is another player.
    let selective = || player(&format!("alphabeta:{}:100", copy.display()), true).id;
    let before = selective();
    fs::copy(&files[0], &copy).unwrap();
    assert_ne!(selective(), before);
}
