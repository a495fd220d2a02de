//! Tests that compare plans with values computed by hand.

use super::*;
use crate::config::StudyConfig;
use crate::matches::MatchUnit;
use catapult_arena::PlayerSpec;
use catapult_rules::Variant;

const STUDY: &str = r#"
name = "plan"
title = ""
seed = 1
control = "chess"
arms = ["chess"]

[[agents]]
name = "taken"
arms = ["chess"]
seeds = [1, 2]
taken = ["a", "b"]

[[agents]]
name = "trained"
arms = ["chess"]
seeds = [1]
train = "CONFIGS/test/tiny.toml"
settings = [
    "variant=chess", "generations=2", "games.per_generation=10",
    "selfplay.simulations=4", "selfplay.fork_share=0.25", "selfplay.ply_cap=400",
]
early = 1

[games]
simulations = [10, 20]
per_level = 30
early_simulations = 10
per_shard = 20

[[games.deep]]
simulations = [40]
games = 10
agents = ["trained"]

[strength]
games = 4
simulations = [20]
opponents = ["half", "random", "alphabeta:1"]

[[strength.more]]
opponents = ["x4"]
simulations = [10]
games = 2
agents = ["taken"]

[population]
games = 2
simulations = [10]

[worth]
kinds = ["teleports"]
games = 2
simulations = [10]

[analysis]
lines = 10
line_plies = 10
"#;

/// Writes [`STUDY`] into a folder and reads it.
fn study(desk: &Path) -> StudyFile {
    let path = desk.join("study.toml");
    std::fs::write(&path, STUDY.replace("CONFIGS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs")))
        .unwrap();
    StudyFile::read(&path).unwrap()
}

fn throughput(trained: f64) -> Throughput {
    let player = PlayerSpec::AlphaBeta { depth: 1, quiescence: false, thousandths: 0 };
    Throughput {
        agents: vec![("taken".to_owned(), 1000.0), ("trained".to_owned(), trained)],
        players: vec![(player, Variant::Chess, 50.0)],
    }
}

#[test]
fn a_plan_adds_up_by_hand() {
    let desk = tempfile::tempdir().unwrap();
    let study = study(desk.path());
    let plan = reckon(&study, &desk.path().join("out"), throughput(500.0), Some(100.0)).unwrap();
    let found: Vec<_> = plan
        .lines
        .iter()
        .map(|line| (line.what.as_str(), line.units, line.games, line.evaluations))
        .collect();
    let expected = [
        // A quarter of the games are half as long: 20 games of 87.5 plies at 4 simulations.
        ("training (generations)", [2, 0], 20, 7000),
        // Six cells and an early one have a shard of 20 and a shard of 10 games: 90 games at 20
        // simulations and 120 at 10. The deep level has 10 games at 40.
        ("games (shards)", [15, 0], 220, 340_000),
        // Three networks play at 20 simulations in half of the 4 x 100 plies. In the other half the
        // opponent plays: itself at 10 simulations, randomly, or by alpha-beta. Two networks play
        // at 10 simulations in half of the 2 x 100 plies, and at 40 in the other half.
        ("strength (matches)", [11, 0], 40, 3 * (4000 + 2000) + 3 * 4000 + 3 * 4000 + 2 * 5000),
        // Two networks play themselves and each other. The third is the only one of its agent.
        // Chess has no teleports to forbid.
        ("population (matches)", [3, 0], 6, 3 * 2000),
        // Three networks at the strongest level and an early one: 10 x 10.
        ("analyses", [4, 0], 0, 4 * 100),
    ];
    assert_eq!(found, expected);
    let hours: Vec<f64> = plan.lines.iter().map(|line| line.hours * 3600.0).collect();
    assert!((hours[0] - 7000.0 / 500.0 * 1.25).abs() < 1e-9, "learning adds a quarter: {hours:?}");
    // Two thirds of the cells with the last checkpoint belong to the faster agent.
    let games = 180_000.0 / 1000.0 + (90_000.0 + 30_000.0 + 40_000.0) / 500.0;
    assert!((hours[1] - games).abs() < 1e-9, "{hours:?}");
    // Each network needs 14,000 evaluations, and two of three networks are the faster agent's.
    // Alpha-beta plays 200 of the 400 moves of each match, at 50 per second. A random mover takes
    // no time.
    let strength = (28_000.0 + 10_000.0) / 1000.0 + 14_000.0 / 500.0 + 3.0 * 200.0 / 50.0;
    assert!((hours[2] - strength).abs() < 1e-9, "{hours:?}");
    let text = plan.to_string();
    assert!(text.contains("left in all") && text.contains("as played so far"), "{text}");
    assert!(text.contains("taken 1.0 k") && text.contains("alphabeta:1 50 in chess"), "{text}");
}

/// A plan warns of endpoints that lack games for a gate. One network per seed plays both arms.
#[test]
fn a_claim_without_games_for_a_gate_is_named() {
    const ENDPOINTS: &str = r#"
[[endpoints]]
claim = "judged at the strongest levels"
metric = "draw_rate"
arm = "chesspp"
control = "chess"
direction = "lower"
smallest_effect = 0.05

[[endpoints]]
claim = "judged at 40"
metric = "draw_rate"
arm = "chesspp"
control = "chess"
levels = [40]
direction = "lower"
smallest_effect = 0.05
"#;
    let desk = tempfile::tempdir().unwrap();
    let path = desk.path().join("study.toml");
    // The study and its first agent, whose networks are taken, have both arms.
    let both = STUDY.replacen(r#"arms = ["chess"]"#, r#"arms = ["chess", "chesspp"]"#, 2);
    let both = both.replace(r#"agents = ["trained"]"#, r#"agents = ["taken"]"#);
    let told = |text: &str, needed: usize| {
        let text = text.replace("CONFIGS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs"));
        std::fs::write(&path, text + ENDPOINTS).unwrap();
        let study = StudyFile::read(&path).unwrap();
        let plan = reckon(&study, &desk.path().join("out"), throughput(500.0), None).unwrap().to_string();
        let warnings = plan.lines().filter(|line| line.starts_with("warning")).map(str::to_owned);
        let (few, open): (Vec<_>, Vec<_>) = warnings.partition(|line| line.contains("networks per agent"));
        // No claim compares games of the other agent.
        let expected = format!("warning: verdicts need {needed} networks per agent; `taken` has 2");
        assert_eq!(few, [expected]);
        open
    };
    // The played levels 10, 20 and 40 are halves and doubles of each other.
    let warning = |claim: &str| {
        let gates = "half the simulations, twice the simulations";
        format!("warning: no effect can be established for \"{claim}\" in chesspp: no games for {gates}")
    };
    assert!(told(&both, 3).is_empty());
    let scheme = "[registered]\nseeds = 4\nscheme = \"these-networks\"\n\n[games]\n";
    assert!(told(&both.replacen("[games]\n", scheme, 1), 4).is_empty());
    let spread = both.replace("simulations = [10, 20]\nper", "simulations = [10, 30]\nper");
    let spread = spread.replace("simulations = [20]", "simulations = [30]");
    assert_eq!(told(&spread, 3), ["judged at the strongest levels", "judged at 40"].map(warning));
    let single = both.replace("simulations = [10, 20]\nper", "simulations = [10]\nper");
    let single = single.replace("simulations = [20]", "simulations = [10]");
    let found = told(&single, 3);
    assert!(found[0].contains("sign at the level below, half the simulations, twice"), "{found:?}");
}

/// Analyses, matches and endings have levels of their own.
#[test]
fn a_claim_about_analyses_matches_or_endings_is_named() {
    const ENDPOINTS: &str = r#"
[endings]
tables = "tables"
endings = ["KRvK"]
simulations = 20

[[endpoints]]
claim = "open"
metric = "opening_entropy_share"
arm = "chesspp"
control = "chess"
direction = "higher"
smallest_effect = 0.05

[[endpoints]]
claim = "worth"
metric = "worth_teleports"
arm = "chesspp"
against = 0.0
direction = "higher"
smallest_effect = 50.0

[[endpoints]]
claim = "won"
metric = "ending_won"
arm = "chesspp"
control = "chess"
direction = "higher"
smallest_effect = 0.05
"#;
    let both = STUDY.replacen(r#"arms = ["chess"]"#, r#"arms = ["chess", "chesspp"]"#, 2) + ENDPOINTS;
    let found = |text: &str| -> Vec<(String, String)> {
        let open = open(&StudyConfig::parse(text).unwrap());
        let (lines, few) = (vec![], vec![]);
        let plan =
            Plan { lines, throughput: throughput(1.0), plies: 1.0, plies_known: true, open, few }.to_string();
        let warnings = plan.lines().filter_map(|line| line.strip_prefix("warning: no effect can be "));
        let parts = warnings.filter_map(|warning| warning.split_once(" in chesspp: "));
        parts.map(|(claim, gates)| (claim.replace("established for ", ""), gates.to_owned())).collect()
    };
    let named = |claim: &str, gates: &str| (format!("\"{claim}\""), gates.to_owned());
    let below = "no games for sign at the level below";
    let expected = [
        named("open", "no early checkpoint"),
        named("worth", below),
        named("won", &format!("{below}, half the simulations, twice the simulations")),
    ];
    assert_eq!(found(&both), expected);
    let worth = r#"kinds = ["teleports"]
games = 2
simulations = [10"#;
    assert!(both.contains(worth));
    let [open, _, won] = expected;
    assert_eq!(found(&both.replace(worth, &format!("{worth}, 20"))), [open, won]);
    // Verdicts about these networks have neither gate.
    let scheme = "[registered]\nseeds = 1\nscheme = \"these-networks\"\n\n[games]\n";
    assert_eq!(found(&both.replacen("[games]\n", scheme, 1)), []);
}

#[test]
fn what_is_done_is_not_counted() {
    let desk = tempfile::tempdir().unwrap();
    let study = study(desk.path());
    let out = desk.path().join("out");
    let unit = MatchUnit::strength(&study.config).remove(0);
    let done = crate::folder::unit_path(&out, &unit.name());
    std::fs::create_dir_all(done.parent().unwrap()).unwrap();
    std::fs::write(done, "").unwrap();
    let plan = reckon(&study, &out, throughput(1000.0), None).unwrap();
    assert_eq!((plan.lines[2].units, plan.lines[2].games), ([11, 1], 36));
    assert!(plan.to_string().contains("assumed"));
}

const PLAN: &str = r#"
name = "reckoned"
question = ""
base = "CONFIGS/test/tiny.toml"
seeds = [1, 2]
fork = 1
control = "plain"
budget = { work = 40000, row_cost = 1.0 }
matches = { games = 8, simulations = 4, opponents = ["random"] }

[[arm]]
name = "plain"

[[arm]]
name = "cap"
set = { selfplay.full_search_share = 0.5, selfplay.fast_simulations = 2 }
"#;

fn ablation(text: &str) -> Plan {
    let desk = tempfile::tempdir().unwrap();
    let path = desk.path().join("plan.toml");
    std::fs::write(&path, text.replace("CONFIGS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs")))
        .unwrap();
    let throughput =
        Throughput { agents: vec![("plain".into(), 100.0), ("cap".into(), 100.0)], players: vec![] };
    reckon(&StudyFile::read_plan(&path).unwrap(), Path::new("nowhere"), throughput, None).unwrap()
}

#[test]
fn an_ablation_takes_what_its_runs_and_matches_do() {
    let plan = ablation(PLAN);
    let found: Vec<_> = plan.lines.iter().map(|line| (line.units, line.games, line.evaluations)).collect();
    // A generation of configs/test/tiny.toml has 24 games truncated at 60 plies, with 8 simulations
    // each: 11,520 evaluations. Two passes over 1,440 samples cost 2,880, so a generation costs
    // 14,400. The control ends with generation 3 (43,200). Its first generation is the trunk's. The
    // other arm has half its plies at 8 simulations, half at 2, and half the samples. A generation
    // costs 7,200 and 1,440, so it has three more generations after the trunk's.
    let expected = [
        ([2, 0], 2 * 24, 2 * 11_520),
        ([2 * (2 + 3), 0], 2 * (2 + 3) * 24, 2 * (2 * 11_520 + 3 * 7_200)),
        // 8 games of 120 plies at 4 simulations. Against random only every other ply is evaluated.
        ([2, 0], 16, 2 * 3_840),
        ([4, 0], 32, 4 * 1_920),
    ];
    assert_eq!(found, expected);
    let hours: Vec<f64> = plan.lines.iter().map(|line| line.hours).collect();
    assert!((hours[0] - 2.0 * 14_400.0 / 360_000.0).abs() < 1e-9, "{hours:?}");
    assert!((hours[1] - 2.0 * (2.0 * 14_400.0 + 3.0 * 8_640.0) / 360_000.0).abs() < 1e-9, "{hours:?}");
}

#[test]
fn samples_that_are_not_counted_take_their_time_all_the_same() {
    let plan = ablation(&PLAN.replacen("row_cost = 1.0", "row_cost = 0.0", 1));
    // Spent after each generation: 11,520, 23,040, 34,560, 46,080.
    assert_eq!(plan.lines[1].units[0], 2 * (3 + 4));
    assert!((plan.lines[0].hours - 2.0 * 11_520.0 * 1.25 / 360_000.0).abs() < 1e-9);
    // Without a common generation there is no trunk.
    let plan = ablation(&PLAN.replacen("fork = 1", "fork = 0", 1));
    assert_eq!(
        (plan.lines[0].what.as_str(), plan.lines[0].games),
        ("training (generations)", 2 * (3 + 5) * 24)
    );
}
