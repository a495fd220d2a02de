//! Studies of one rule: networks play it, the rules that it changes, and chess. The template is
//! `rule.toml`.

use crate::StudyError;
use crate::config::{StudyConfig, StudyFile};
use catapult_rules::{AnyRules, Variant};
use std::path::PathBuf;
use toml::Value;

/// Measures of a rule's page, each with the smallest difference that matters, in the measure's
/// unit. Each control has a test of every measure. A test of a measure that a control lacks finds
/// nothing, and still counts for the adjusted p-values.
#[rustfmt::skip]
const ROWS: [(&str, f64); 19] = [
    ("draw_rate", 0.05), ("drawn_clock", 0.05), ("drawn_repetition", 0.05), ("drawn_stalemate", 0.05),
    ("drawn_dead", 0.05), ("capped_rate", 0.05), ("white_score", 0.04),
    ("length", 10.0), ("decisive_length", 10.0), ("catapult_moves", 1.0), ("teleports", 0.5),
    ("teleport_captures", 0.1), ("catapult_captures", 0.1), ("instant_teleports", 0.5), ("pawn_teleports", 0.5),
    ("third_catapult_teleports", 0.5), ("catapult_promotions", 0.1), ("worth_teleports", 50.0),
    ("worth_catapult_moves", 50.0),
];

/// Minimum number of networks for verdicts about other training seeds. With fewer, verdicts are
/// about these networks only.
const SEEDS: usize = 3;

/// A rule set to judge.
#[derive(Clone, Debug)]
pub struct RuleTest {
    /// The rule set.
    pub rules: Variant,
    /// The rule set that `rules` is compared with.
    pub against: Variant,
    /// The networks that play: files, or folders of finished runs. Relative paths begin at the
    /// current folder.
    pub networks: Vec<PathBuf>,
    /// Number of games per network, rule set and level.
    pub games: u64,
    /// Simulations per move of the judged games: an even number. The other level has half of them.
    pub simulations: u32,
    /// Number of threads. 0 uses all cores.
    pub threads: usize,
}

impl RuleTest {
    /// Returns the study. Its arms are the rules, the rules that they are compared with, and chess.
    /// All arms have the same seed, networks, levels and numbers of games.
    ///
    /// # Errors
    /// A value is invalid, or `simulations` is odd or 0. Both rule sets are equal, or one is not a
    /// variant of chess or Chess++.
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
        if *simulations < 2 || !simulations.is_multiple_of(2) {
            let allowed = "must be even and at least 2, because half of them is the second level";
            return Err(refused(format!("simulations = {simulations}: {allowed}")));
        }
        let mut arms = vec![*rules, *against, Variant::Chess];
        arms.truncate(if arms[..2].contains(&Variant::Chess) { 2 } else { 3 });
        let names: Vec<String> = arms.iter().map(Variant::to_string).collect();
        let paths: Vec<String> = networks.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let (count, stems) = (networks.len(), networks.iter().filter_map(|path| path.file_stem()));
        let stems: Vec<_> = stems.map(|stem| stem.to_string_lossy()).collect();
        let mut text = include_str!("rule.toml").to_owned();
        for (name, value) in [
            ("AGAINST", against.to_string()),
            ("ARMS", Value::from(names).to_string()),
            ("COUNT", count.to_string()),
            ("SCHEME", if count < SEEDS { "these-networks" } else { "symmetric" }.to_owned()),
            // Verdicts about other seeds need a second level.
            ("WORTH", if count < SEEDS { "[LEVEL]" } else { "[HALF, LEVEL]" }.to_owned()),
            ("SEEDS", format!("{:?}", (1..=count).collect::<Vec<_>>())),
            ("HALF", (simulations / 2).to_string()),
            ("LEVEL", simulations.to_string()),
            ("GAMES", games.to_string()),
            ("ANALYSED", (*games).min(160).to_string()),
            ("THREADS", threads.to_string()),
            ("MATCHES", (games / 5).next_multiple_of(2).max(2).to_string()),
        ] {
            text = text.replace(name, &value);
        }
        // Names of files may contain both words. `TITLE` comes before `TAKEN` in the template, so in
        // this order the first occurrence of each is the placeholder.
        let title = format!("What does {rules} change? Played by {}", stems.join(", "));
        for (name, value) in [("TAKEN", Value::from(paths)), ("TITLE", Value::from(title))] {
            text = text.replacen(name, &value.to_string(), 1);
        }
        for (control, (metric, smallest)) in arms[1..].iter().flat_map(|arm| ROWS.map(|row| (arm, row))) {
            text += &format!(
                "\n[[endpoints]]\nclaim = \"{metric} against {control}\"\nmetric = \"{metric}\"\narm = \"{rules}\"\n\
                 control = \"{control}\"\nfamily = \"{control}\"\ndirection = \"higher\"\nsmallest_effect = {smallest:?}\n"
            );
        }
        let mut config = StudyConfig::parse(&text).map_err(refused)?;
        config.rule = Some((*rules).into());
        Ok(StudyFile { path, text, config })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;

    fn study(networks: usize, simulations: u32) -> Result<StudyConfig, StudyError> {
        let networks = (1..=networks).map(|number| format!("{number}.safetensors").into()).collect();
        let [rules, against] = ["chesspp+bare", "chesspp"].map(|name| name.parse().unwrap());
        let test = RuleTest { rules, against, networks, games: 60, simulations, threads: 1 };
        Ok(test.study()?.config)
    }

    /// Verdicts about other seeds need every metric of games and matches at both levels.
    #[test]
    fn every_gate_of_three_networks_has_games() {
        let config = study(3, 26).unwrap();
        assert_eq!(config.games.simulations, [13, 26]);
        assert_eq!(config.worth.as_ref().unwrap().simulations, [13, 26]);
        assert_eq!(plan::open(&config), []);
        let single = StudyConfig { worth: study(2, 26).unwrap().worth, ..config };
        assert_eq!(plan::open(&single).len(), 2, "worth of two kinds of moves against Chess++");
        assert_eq!(study(2, 26).unwrap().worth.unwrap().simulations, [26]);
    }

    #[test]
    fn files_may_have_the_names_of_placeholders() {
        let [rules, against] = ["chesspp+bare", "chesspp"].map(|name| name.parse().unwrap());
        let networks: Vec<PathBuf> = ["TAKEN.safetensors", "TITLE.safetensors"].map(PathBuf::from).into();
        let test =
            RuleTest { rules, against, networks: networks.clone(), games: 60, simulations: 2, threads: 1 };
        let config = test.study().unwrap().config;
        assert_eq!(config.title, "What does chesspp+bare change? Played by TAKEN, TITLE");
        assert_eq!(config.agents[0].taken, networks);
    }

    #[test]
    fn simulations_without_a_half_are_refused() {
        for odd in [0, 1, 25] {
            let error = study(3, odd).unwrap_err().to_string();
            assert!(error.contains(&format!("simulations = {odd}: must be even")), "{error}");
        }
    }
}
