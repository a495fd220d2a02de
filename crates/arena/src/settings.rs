//! Search settings in a player's name, such as `considered=8,c_scale=2`.

use catapult_mcts::{ConfigError, SearchConfig, SettingRow, check_simulations};
use std::fmt;
use std::str::FromStr;

/// Search settings in a player's name, as names of keys with values. Keys that the name lacks have
/// the defaults of a [`SearchConfig`], which has no noise. Printing and parsing are inverse.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchSettings(Vec<(&'static str, String)>);

/// Returns the setting `name`, if a player's name may contain it.
fn find(name: &str) -> Result<SettingRow, String> {
    let of_players = || SearchConfig::rows().into_iter().filter(|row| row.in_matches);
    of_players().find(|row| row.key == name).ok_or_else(|| {
        let why = match name {
            "simulations" => "write the simulations before the `@`".to_owned(),
            _ if SearchConfig::row(name).is_some() => {
                "it sets self-play noise or temperature, which matches do not use".to_owned()
            }
            _ => format!("allowed are {}", of_players().map(|row| row.key).collect::<Vec<_>>().join(", ")),
        };
        format!("players have no setting `{name}`; {why}")
    })
}

impl SearchSettings {
    /// Returns true if no key is set, so that all defaults apply.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the config of searches with `simulations` per move: the defaults of a
    /// [`SearchConfig`], with the values of these settings.
    ///
    /// # Errors
    /// A value is out of range, or the algorithm does not use one of the keys. The text names the
    /// key, the value and the allowed values.
    pub fn config(&self, simulations: u32) -> Result<SearchConfig, String> {
        let text = |bad: ConfigError| format!("{} is `{}`; must be {}", bad.key, bad.found, bad.allowed);
        let mut config = SearchConfig::default();
        for (name, value) in &self.0 {
            find(name)?.set(&mut config, value).map_err(text)?;
        }
        for (name, value) in &self.0 {
            if let Some(of) = find(name)?.algorithm.filter(|algorithm| *algorithm != config.algorithm) {
                return Err(format!("{name} is `{value}`; only {} uses it", of.name()));
            }
        }
        let checked = check_simulations(simulations).and_then(|()| config.check_considered(simulations));
        checked.map_err(text)?;
        Ok(config)
    }
}

impl FromStr for SearchSettings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut settings: Vec<(&'static str, String)> = Vec::new();
        for setting in text.split(',') {
            let pair = setting.split_once('=').filter(|(_, value)| !value.is_empty());
            let (name, value) = pair.ok_or_else(|| {
                format!("`{setting}` is not a setting; write key=value, separated by commas")
            })?;
            let name = find(name)?.key;
            if settings.iter().any(|(known, _)| *known == name) {
                return Err(format!("{name} occurs twice"));
            }
            settings.push((name, value.to_owned()));
        }
        Ok(SearchSettings(settings))
    }
}

impl fmt::Display for SearchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<String> = self.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&settings.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_mcts::Algorithm;

    fn config(text: &str, simulations: u32) -> Result<SearchConfig, String> {
        text.parse::<SearchSettings>()?.config(simulations)
    }

    #[test]
    fn settings_go_over_those_of_matches() {
        let plain = SearchSettings::default().config(64).unwrap();
        assert_eq!(plain, SearchConfig::default());
        let gumbel =
            SearchConfig { considered: Some(8), c_scale: 2.5, c_visit: 30.0, ..SearchConfig::default() };
        assert_eq!((gumbel.gumbel_scale, plain.considered_among(64)), (0.0, 16));
        assert_eq!(config("considered=8,c_scale=2.5,c_visit=30", 32), Ok(gumbel));
        let puct = SearchConfig {
            algorithm: Algorithm::Puct,
            c_puct: 2.0,
            fpu_reduction: -0.5,
            parallel_leaves: 1,
            ..SearchConfig::default()
        };
        let set = config("c_puct=2,algorithm=puct,fpu_reduction=-0.5,parallel_leaves=1", 32);
        assert_eq!(set, Ok(puct));
        let set = config("moves_left_cap=0,moves_left_slope=0.01,moves_left_threshold=0.2", 32).unwrap();
        assert_eq!((set.moves_left_cap, set.moves_left_slope), (0.0, 0.01));
        assert_eq!(config("memory_limit=1000000", 32).unwrap().memory_limit, 1_000_000);
    }

    #[test]
    fn refusals_name_the_key_what_was_found_and_what_is_allowed() {
        for (text, parts) in [
            ("", &["`` is not a setting", "key=value"][..]),
            ("considered", &["`considered` is not a setting"]),
            ("considered=4,", &["`` is not a setting"]),
            ("considered=", &["`considered=` is not a setting"]),
            ("colour=1", &["`colour`", "algorithm, considered, c_visit"]),
            ("simulations=8", &["`simulations`", "before the `@`"]),
            ("gumbel_scale=1", &["`gumbel_scale`", "noise"]),
            ("dirichlet_fraction=0.1", &["`dirichlet_fraction`", "noise"]),
            ("considered=4,considered=4", &["considered occurs twice"]),
            ("considered=0", &["considered is `0`", "at least 1"]),
            ("considered=many", &["considered is `many`", "whole number"]),
            ("considered=17", &["considered is `17`", "half the simulations"]),
            ("c_scale=fast", &["c_scale is `fast`", "a number"]),
            ("c_scale=-1", &["c_scale is `-1`", "0 to 1000"]),
            ("algorithm=minimax", &["algorithm is `minimax`", "gumbel or puct"]),
            ("c_puct=2", &["c_puct is `2`", "only puct uses it"]),
            ("algorithm=puct,considered=8", &["considered is `8`", "only gumbel uses it"]),
            ("parallel_leaves=0,algorithm=puct", &["parallel_leaves is `0`", "1 to 1024"]),
            ("memory_limit=5", &["memory_limit is `5`", "131072"]),
        ] {
            let error = config(text, 32).unwrap_err();
            assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
        }
    }
}
