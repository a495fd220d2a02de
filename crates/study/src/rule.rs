//! Studies of one rule: networks play it, the rules that it changes, and chess.

use crate::StudyError;
use crate::config::{StudyConfig, StudyFile};
use catapult_measures::Arm;
use catapult_rules::{AnyRules, Variant};
use std::path::PathBuf;

/// Measures of a rule's page, each with the smallest difference that matters, in the measure's
/// unit.
const ROWS: [(&str, f64); 20] = [
    ("draw_rate", 0.05),
    ("drawn_clock", 0.05),
    ("drawn_repetition", 0.05),
    ("drawn_stalemate", 0.05),
    ("drawn_dead", 0.05),
    ("capped_rate", 0.05),
    ("decisive_rate", 0.05),
    ("white_score", 0.04),
    ("length", 10.0),
    ("decisive_length", 10.0),
    ("catapult_moves", 1.0),
    ("teleports", 0.5),
    ("teleport_captures", 0.1),
    ("catapult_captures", 0.1),
    ("instant_teleports", 0.5),
    ("pawn_teleports", 0.5),
    ("third_catapult_teleports", 0.5),
    ("catapult_promotions", 0.1),
    ("worth_teleports", 50.0),
    ("worth_catapult_moves", 50.0),
];

/// Smallest number of networks whose verdicts are about other seeds of their recipe.
const SEEDS: usize = 3;

/// A rule set to judge.
#[derive(Clone, Debug)]
pub struct RuleTest {
    /// The rule set.
    pub rules: Variant,
    /// The rule set that it changes.
    pub against: Variant,
    /// The networks that play: files, or folders of finished runs. Relative paths begin at the
    /// current folder.
    pub networks: Vec<PathBuf>,
    /// Number of games per network, rule set and level.
    pub games: u64,
    /// Simulations per move of the judged games: at least 2. The other level has half of them.
    pub simulations: u32,
    /// Number of threads. 0 uses all cores.
    pub threads: usize,
}

impl RuleTest {
    /// Returns the study. Its arms are the rules, the rules that they are compared with, and chess.
    /// All arms have the same seed, networks, levels and numbers of games.
    ///
    /// # Errors
    /// A value is invalid, both rule sets are equal, or one is of another board.
    pub fn study(&self) -> Result<StudyFile, StudyError> {
        let RuleTest { rules, against, networks, games, simulations, threads } = self;
        let path = PathBuf::from("judge");
        let refused = |reason: String| StudyError::Config { file: path.clone(), reason };
        if rules == against {
            return Err(refused(format!("`{rules}` is compared with itself; name other rules")));
        }
        if let Some(other) = [rules, against].into_iter().find(|it| AnyRules::of(**it).is_none()) {
            return Err(refused(format!("`{other}`: only rules of chess and Chess++ are judged")));
        }
        let mut controls = vec![*against];
        controls.extend([Variant::Chess].into_iter().filter(|chess| chess != rules && chess != against));
        let named = std::iter::once(rules).chain(&controls).map(|it| format!("\"{it}\""));
        let arms = named.collect::<Vec<_>>().join(", ");
        let paths = networks.iter().map(|path| path.to_string_lossy().into_owned());
        let taken = toml::Value::from(paths.collect::<Vec<_>>());
        let stems = networks.iter().filter_map(|path| path.file_stem()).map(|stem| stem.to_string_lossy());
        let title = format!("What does {rules} change? Played by {}", stems.collect::<Vec<_>>().join(", "));
        let title = toml::Value::from(title);
        let seeds: Vec<usize> = (1..=networks.len()).collect();
        let scheme = if seeds.len() < SEEDS { "these-networks" } else { "symmetric" };
        let (half, count, matches) = (simulations / 2, seeds.len(), (games / 5).next_multiple_of(2).max(2));
        // Only chapters below the table need analyses.
        let analysed = (*games).min(160);
        let mut text = format!(
            r#"name = "judge"
title = {title}
seed = 1
control = "{against}"
arms = [{arms}]

[registered]
seeds = {count}
scheme = "{scheme}"

[[agents]]
name = "network"
arms = [{arms}]
seeds = {seeds:?}
taken = {taken}

[games]
simulations = [{half}, {simulations}]
per_level = {games}
early_simulations = {half}

[analysis]
lines = {analysed}
positions = {analysed}
shared_positions = {analysed}

[machine]
threads = {threads}

[worth]
kinds = ["teleports", "catapult-moves"]
games = {matches}
simulations = [{simulations}]
"#
        );
        for (control, (metric, smallest)) in controls.iter().flat_map(|it| ROWS.map(|row| (it, row))) {
            text += &format!(
                r#"
[[endpoints]]
claim = "{metric} against {control}"
metric = "{metric}"
arm = "{rules}"
control = "{control}"
family = "{control}"
direction = "higher"
smallest_effect = {smallest:?}
"#
            );
        }
        let mut config = StudyConfig::parse(&text).map_err(refused)?;
        config.rule = Some(Arm::from(*rules));
        Ok(StudyFile { path, text, config })
    }
}
