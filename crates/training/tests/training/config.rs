//! Tests of the config: each key is checked, and errors name the key.

use super::{SMALLEST, smallest, smallest_of};
use catapult_mcts::SearchConfig;
use catapult_network::{Device, usable_threads};
use catapult_training::TrainConfig;
use std::collections::BTreeSet;
use std::path::Path;

fn refused(settings: &[&str]) -> String {
    let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
    match TrainConfig::parse(SMALLEST, &settings) {
        Ok(_) => panic!("{settings:?} was accepted"),
        Err(error) => error,
    }
}

/// Checks that a setting is rejected and that the error message contains all `words`.
fn names(setting: &str, words: &[&str]) {
    let error = refused(&[setting]);
    for word in words {
        assert!(error.contains(word), "`{setting}` gives `{error}`, which does not say `{word}`");
    }
}

#[test]
fn unknown_keys_are_refused_by_name() {
    names("colour=1", &["colour"]);
    names("selfplay.simulation=8", &["simulation", "selfplay"]);
    names("learning.optimizer={kind=\"adamw\", beta3=0.5}", &["beta3", "optimizer"]);
    names("learning.loss.policies=1.0", &["policies", "loss"]);
    names("budget={work=1, rows=2}", &["rows", "budget"]);
    names("network.width=8", &["width", "network"]);
    names("search.simulatons=8", &["simulatons", "search"]);
    let error = TrainConfig::parse(&format!("{SMALLEST}\nseeds = 1\n"), &[]).unwrap_err();
    assert!(error.contains("seeds") && error.contains("line"), "{error}");
}

#[test]
fn a_sparse_network_plays_on_the_cpu() {
    let text = SMALLEST.replace("channels = 8\nblocks = 1", "kind = \"sparse\"\nwidth = 64");
    let config = TrainConfig::parse(&text, &["machine.device=\"cuda\"".to_owned()]).unwrap();
    assert_eq!(config.playing_device().unwrap(), Device::Cpu);
}

#[test]
fn a_search_table_leaves_the_noise_of_self_play_where_it_does_not_name_it() {
    let none = TrainConfig::parse(&SMALLEST.replace("[search]\ngumbel_scale = 1.0\n", ""), &[]).unwrap();
    let one = TrainConfig::parse(&SMALLEST.replace("gumbel_scale = 1.0", "c_scale = 2.0"), &[]).unwrap();
    assert_eq!((none.search.gumbel_scale, none.search.dirichlet_fraction), (1.0, 0.25));
    assert_eq!(one.search, SearchConfig { c_scale: 2.0, ..none.search });
}

/// Checks the key `simulations` of the table `[search]`. The number 32 is accepted, because every
/// run's `config.toml` contains it. Any other number is rejected, because it was probably meant for
/// `selfplay.simulations`.
#[test]
fn simulations_of_the_search_table_are_refused_with_the_key_that_decides() {
    let with = |line: &str| {
        TrainConfig::parse(
            &SMALLEST.replace("gumbel_scale = 1.0", &format!("gumbel_scale = 1.0\n{line}")),
            &[],
        )
    };
    let written = toml::to_string(&with("").unwrap()).unwrap();
    assert!(written.contains("[search]\nalgorithm = \"gumbel\"\nsimulations = 32\n"), "{written}");
    assert_eq!(TrainConfig::parse(&written, &[]).unwrap(), with("simulations = 32").unwrap());
    let error = with("simulations = 64").unwrap_err();
    let parts = ["line", "search.simulations = 64", "selfplay.simulations"];
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn values_of_another_type_are_refused_by_key() {
    names("seed=\"seven\"", &["seed", "string"]);
    names("generations=1.5", &["generations"]);
    names("selfplay.ply_cap=many", &["ply_cap", "many"]);
    names("games.shards=-1", &["shards", "-1"]);
    names("learning.mirror=1", &["mirror"]);
    names("evaluation.opponents=random", &["opponents"]);
    names("budget={row_cost=1.0}", &["work"]);
    names("variant=checkers", &["variant", "checkers"]);
    names("learning.precision=f16", &["precision", "f16"]);
    let error = TrainConfig::parse("name = \n", &[]).unwrap_err();
    assert!(error.contains("line 1"), "{error}");
    let error = TrainConfig::parse("name = \"a\"\nvariant = \"chess\"\n", &[]).unwrap_err();
    assert!(error.contains("seed"), "a key that is missing: {error}");
}

#[test]
fn several_variants_are_named_once_each_and_apart_from_one() {
    let config = smallest_of(&["chess", "chesspp+third+free"], &[]);
    assert_eq!(config.variant_names(), "chess, chesspp+free+third");
    let refused = |old: &str, new: &str, parts: &[&str]| {
        let error = TrainConfig::parse(&SMALLEST.replace(old, new), &[]).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{new}: {error}");
    };
    let one = "variant = \"chesspp\"";
    refused(one, "variants = [\"chess\", \"chesspp+free\", \"chess\"]", &["variants = \"chess\"", "twice"]);
    refused(one, "variants = [\"chess\", \"checkers\"]", &["variants", "checkers"]);
    refused(one, "variants = []", &["variant", "variants"]);
    refused(one, "", &["variant", "variants"]);
    names("variants=[\"chess\"]", &["variant = \"chesspp\"", "variants"]);
}

#[test]
fn a_config_of_one_variant_is_written_as_before_there_were_several() {
    let text = toml::to_string(&smallest(&[])).unwrap();
    assert!(text.starts_with("name = \"smallest\"\nvariant = \"chesspp\"\nseed = 3\n"), "{text}");
    let text = toml::to_string(&smallest_of(&["chess", "chesspp"], &[])).unwrap();
    assert!(
        text.starts_with("name = \"smallest\"\nvariants = [\"chess\", \"chesspp\"]\nseed = 3\n"),
        "{text}"
    );
    assert_ne!(smallest_of(&["chess", "chesspp"], &[]).conflicts(&smallest(&[])), []);
}

#[test]
fn impossible_values_are_refused_by_key() {
    for (setting, key) in [
        ("name=\"a/b\"", "name"),
        ("name=\"..\"", "name"),
        ("name=\"\"", "name"),
        ("generations=0", "generations"),
        ("games.per_generation=0", "games.per_generation"),
        ("games.per_generation=100000001", "games.per_generation"),
        ("games.shards=0", "games.shards"),
        ("games.shards=7", "games.shards"),
        ("games.simulations_from=[[2, 0]]", "games.simulations_from"),
        ("games.simulations_from=[[1, 4], [1, 8]]", "games.simulations_from"),
        ("network.channels=0", "network.channels"),
        ("network.blocks=257", "network.blocks"),
        ("selfplay.simulations=0", "selfplay.simulations"),
        ("selfplay.ply_cap=0", "selfplay.ply_cap"),
        ("selfplay.no_progress_cap=0", "selfplay.no_progress_cap"),
        ("selfplay.fork_share=0.6", "selfplay.fork_share"),
        ("selfplay.full_search_share=1.5", "selfplay.full_search_share"),
        ("search.gumbel_scale=0.0", "search.gumbel_scale"),
        ("search.simulations=64", "search.simulations"),
        ("search.simulations=\"32\"", "search.simulations"),
        ("search.c_visit=-1.0", "search.c_visit"),
        ("search.simulations=9", "search.simulations"),
        ("search={algorithm=\"puct\", dirichlet_fraction=0.0}", "search.dirichlet_fraction"),
        ("window.start_rows=0", "window.start_rows"),
        ("window.rows_per_game=0", "window.rows_per_game"),
        ("window.drop_untrained_at=1", "window.drop_untrained_at"),
        ("window.growth_exponent=0.0", "window.growth_exponent"),
        ("window.growth_exponent=1.5", "window.growth_exponent"),
        ("window.growth_scale=-0.1", "window.growth_scale"),
        ("budget={work=0}", "budget.work"),
        ("budget={work=5, row_cost=-1.0}", "budget.row_cost"),
        ("learning.batch_rows=1", "learning.batch_rows"),
        ("learning.passes=-1.0", "learning.passes"),
        ("learning.passes=inf", "learning.passes"),
        ("learning.learning_rate=nan", "learning.learning_rate"),
        ("learning.learning_rate=inf", "learning.learning_rate"),
        ("learning.final_rate_share=2.0", "learning.final_rate_share"),
        ("learning.result_share=1.1", "learning.result_share"),
        ("learning.value_lambda=-0.5", "learning.value_lambda"),
        ("learning.adjudicated_weight=2.0", "learning.adjudicated_weight"),
        ("learning.adjudicated_from=-1.5", "learning.adjudicated_from"),
        ("learning.surprise_share=nan", "learning.surprise_share"),
        ("learning.averaging=1.5", "learning.averaging"),
        ("learning.clip_norm=-1.0", "learning.clip_norm"),
        ("learning.loss.moves_left=-1.0", "learning.loss.moves_left"),
        ("learning.optimizer={kind=\"adamw\", beta2=1.0}", "learning.optimizer.beta2"),
        ("learning.optimizer={kind=\"sgd\", momentum=1.0}", "learning.optimizer.momentum"),
        ("evaluation.games=3", "evaluation.games"),
        ("evaluation.simulations=0", "evaluation.simulations"),
        ("evaluation.ply_cap=10", "evaluation.ply_cap"),
        ("evaluation.opponents=[\"alphabeta\"]", "evaluation.opponents"),
    ] {
        let error = refused(&[setting]);
        let rest = error.strip_prefix(key).unwrap_or_else(|| panic!("`{setting}` gives `{error}`"));
        assert!(rest.starts_with(" = ") && rest.contains(": "), "`{setting}` gives `{error}`");
    }
}

#[test]
fn an_unknown_device_is_refused_by_its_key() {
    let error = refused(&["machine.device=tpu"]);
    for part in ["machine.device", "\"tpu\": must be auto, cpu, cuda or cuda:N"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn what_is_found_and_what_is_allowed_are_told_as_they_are_written() {
    for (settings, text) in [
        (&["games.shards=0"][..], "games.shards = 0: must be at least 1"),
        (&["learning.result_share=1.1"], "learning.result_share = 1.1: must be from 0 to 1"),
        (&["learning.loss.value=-1.0"], "learning.loss.value = -1: must be at least 0 and finite"),
        (
            &["games.simulations_from=[[2, 0]]"],
            "games.simulations_from = [2,0]: simulations must be at least 1",
        ),
        (
            &["games.lag=1", "budget={work=5}"],
            "games.lag = 1: must be 0 with a budget, because each generation can be the last",
        ),
        (
            &["evaluation.opponents=[\"alphabeta\"]"],
            "evaluation.opponents = \"alphabeta\": write alphabeta:D or alphabeta:Dq, such as alphabeta:2q",
        ),
    ] {
        assert_eq!(refused(settings), text);
    }
}

#[test]
fn opponents_whose_results_would_share_a_file_are_refused() {
    names(
        "evaluation.opponents=[\"models/a_b.safetensors:64\", \"models/a-b.safetensors:64\"]",
        &["evaluation.opponents = \"models/a-b.safetensors:64\"", "\"models/a_b.safetensors:64\""],
    );
    smallest(&["evaluation.opponents=[\"models/a.safetensors:64\", \"models/a.safetensors:6\"]"]);
    // Of long names, files have the end.
    let folder = "folder/".repeat(40);
    smallest(&[&format!(
        "evaluation.opponents=[\"{folder}a.safetensors:64\", \"{folder}b.safetensors:64\"]"
    )]);
    names(
        &format!("evaluation.opponents=[\"a/{folder}a.safetensors:64\", \"b/{folder}a.safetensors:64\"]"),
        &["evaluation.opponents = \"b/folder"],
    );
}

#[test]
fn bad_settings_are_quoted() {
    names("games.shards", &["`games.shards`", "key=value"]);
    names("seed.low=1", &["`seed.low=1`", "`seed` is not a table"]);
    names("games..shards=1", &["empty key"]);
    names("=1", &["empty key"]);
}

#[test]
fn settings_replace_keys() {
    let config =
        smallest(&["name=other", "selfplay.simulations = 9", "machine.threads=3", "seed=4", "seed=5"]);
    assert_eq!(config.name, "other");
    assert_eq!(config.selfplay.simulations, 9);
    assert_eq!(config.machine.threads, 3);
    assert_eq!(config.seed, 5, "the last one holds");
    // The file does not have this table.
    assert_eq!(smallest(&["learning.loss.policy=0.5"]).learning.loss.policy, 0.5);
}

#[test]
fn threads_are_at_most_the_processors() {
    let config = smallest(&["machine.threads=100000", "machine.learner_threads=100000"]);
    let processors = std::thread::available_parallelism().unwrap().get();
    assert_eq!([usable_threads(config.machine.threads), config.training_settings().threads], [processors; 2]);
}

#[test]
fn early_generations_may_have_other_simulations() {
    let config = smallest(&["games.simulations_from=[[2, 6], [1, 3], [4, 10]]"]);
    let simulations: Vec<u32> = (0..=5).map(|generation| config.simulations(generation)).collect();
    assert_eq!(simulations, [4, 3, 6, 6, 10, 10]);
}

#[test]
fn the_configs_of_the_repository_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let mut names = Vec::new();
    let trained = folder.join("train").read_dir().unwrap().map(|entry| entry.unwrap().path());
    for path in trained.chain([
        folder.join("quickstart.toml"),
        folder.join("study/rules.toml"),
        folder.join("test/tiny.toml"),
    ]) {
        let name = path.file_name().unwrap().to_string_lossy();
        let config = TrainConfig::read(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(config.check_considered(), Ok(()), "{name}");
        assert_eq!(
            path.file_stem().unwrap().to_str(),
            Some(config.name.as_str()),
            "a config is named as its file"
        );
        names.push(config.name);
    }
    assert!(names.len() > 9, "{names:?}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = TrainConfig::read(Path::new("no/such.toml"), &[]).unwrap_err().to_string();
    assert!(error.starts_with("no/such.toml: "), "{error}");
}

/// A run's `config.toml` is written from the config, so it has the rules by name.
#[test]
fn a_variant_may_be_a_rules_file() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "base = \"chesspp\"\nfifty_move_plies = 60\n";
    std::fs::write(folder.path().join("mine.toml"), rules).unwrap();
    let path = folder.path().join("config.toml");
    let tiny = include_str!("../../../../configs/test/tiny.toml");
    std::fs::write(&path, tiny.replace("variant = \"chesspp\"", "variant = \"mine.toml\"")).unwrap();
    let config = TrainConfig::read(&path, &[]).unwrap();
    assert_eq!(config.variant_names(), "chesspp+fifty=60");
    assert!(toml::to_string(&config).unwrap().contains("variant = \"chesspp+fifty=60\""));
    let rules = folder.path().join("mine.toml").display().to_string();
    let set = TrainConfig::read(&path, &[format!("variant={rules}")]).unwrap();
    assert_eq!(set.variant_names(), "chesspp+fifty=60");
    std::fs::write(folder.path().join("mine.toml"), "base = \"chesspp\"\nfifty = 60\n").unwrap();
    let error = TrainConfig::read(&path, &[]).unwrap_err().to_string();
    assert!(error.contains("config.toml") && error.contains("mine.toml: fifty = 60: no such key"), "{error}");
    assert!(error.contains("docs/own-rule.md"), "{error}");
}

#[test]
fn a_config_is_the_same_after_a_round_trip() {
    let config =
        smallest(&["games.simulations_from=[[1, 3]]", "learning.optimizer={kind=\"sgd\", momentum=0.9}"]);
    let text = toml::to_string(&config).unwrap();
    assert_eq!(TrainConfig::parse(&text, &[]).unwrap(), config);
}

#[test]
fn conflicts_name_both_values() {
    let run = smallest(&[]);
    assert_eq!(run.conflicts(&run), []);
    let told = |other| run.conflicts(&other).iter().map(ToString::to_string).collect::<Vec<_>>();
    let conflicts = told(smallest(&["seed=4", "selfplay.simulations=9", "games.simulations_from=[[1, 3]]"]));
    assert_eq!(conflicts.len(), 3, "{conflicts:?}");
    for (key, ours, theirs) in
        [("seed", "3", "4"), ("selfplay.simulations", "4", "9"), ("games.simulations_from", "[]", "[[1,3]]")]
    {
        let expected = format!("{key} (was {ours}, is {theirs})");
        assert!(conflicts.contains(&expected), "{expected} is not in {conflicts:?}");
    }
    // Only one of the two optimizers has this key.
    let sgd = smallest(&["learning.optimizer={kind=\"sgd\"}"]);
    let conflicts = told(sgd).join(", ");
    assert!(conflicts.contains("learning.optimizer.beta1 (was 0.9, is nothing)"), "{conflicts}");
}

#[test]
fn what_may_change_is_no_conflict() {
    let run = smallest(&[]);
    let other = smallest(&[
        "generations=9",
        "machine.threads=7",
        "machine.slots=9",
        "machine.device=\"cuda:1\"",
        "machine.learner_threads=2",
        "evaluation={games=10, simulations=3, opponents=[\"random\"]}",
    ]);
    assert_ne!(run, other);
    assert_eq!(run.conflicts(&other), []);
}

/// Adds the dotted keys of a TOML table and of its subtables to `all`. `inside` is the prefix of
/// the table's keys.
fn keys(of: &toml::Table, inside: &str, all: &mut BTreeSet<String>) {
    for (key, value) in of {
        match value {
            toml::Value::Table(table) => keys(table, &format!("{inside}{key}."), all),
            _ => _ = all.insert(format!("{inside}{key}")),
        }
    }
}

#[test]
fn the_quickstart_shows_every_key() {
    let text = include_str!("../../../../configs/quickstart.toml");
    // The file shows optional keys as comments.
    let is_setting = |line: &str| {
        line == "[budget]"
            || line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' ') && !key.contains('`'))
    };
    let whole: String = text
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| is_setting(rest)).unwrap_or(line).to_owned() + "\n")
        .collect();
    let [mut shown, mut known] = [BTreeSet::new(), BTreeSet::new()];
    keys(&toml::from_str(&whole).unwrap(), "", &mut shown);
    let config = TrainConfig::parse(&whole, &[]).unwrap();
    keys(&toml::Table::try_from(&config).unwrap(), "", &mut known);
    // This key has no effect and occurs only in the configs of runs.
    assert!(known.remove("search.simulations"));
    assert_eq!(shown.symmetric_difference(&known).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(known.contains("search.draw_score") && known.contains("budget.row_cost"), "{known:?}");
}
