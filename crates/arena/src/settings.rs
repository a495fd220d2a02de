//! Search settings in a player's name, such as `considered=8,c_scale=2`.

use catapult_mcts::{Algorithm, AlgorithmName, SearchConfig, SearchTable, check_simulations};
use std::fmt;
use std::str::FromStr;

/// Search settings in a player's name, as keys with values. Keys that the name lacks have the
/// defaults of matches, which are a [`SearchTable`] without noise. Printing and parsing are
/// inverse.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchSettings(Vec<(Key, String)>);

/// Key of a search setting that a player's name may contain. There are no keys for noise and
/// temperature, because matches use neither.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    Algorithm,
    Considered,
    CVisit,
    CScale,
    CPuct,
    FpuReduction,
    ParallelLeaves,
    FinishTurns,
    DrawScore,
    MovesLeftCap,
    MovesLeftSlope,
    MovesLeftThreshold,
    MemoryLimit,
}

impl Key {
    const ALL: [(&'static str, Key); 13] = [
        ("algorithm", Key::Algorithm),
        ("considered", Key::Considered),
        ("c_visit", Key::CVisit),
        ("c_scale", Key::CScale),
        ("c_puct", Key::CPuct),
        ("fpu_reduction", Key::FpuReduction),
        ("parallel_leaves", Key::ParallelLeaves),
        ("finish_turns", Key::FinishTurns),
        ("draw_score", Key::DrawScore),
        ("moves_left_cap", Key::MovesLeftCap),
        ("moves_left_slope", Key::MovesLeftSlope),
        ("moves_left_threshold", Key::MovesLeftThreshold),
        ("memory_limit", Key::MemoryLimit),
    ];

    fn named(name: &str) -> Result<Key, String> {
        let found = Key::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, key)| key).ok_or_else(|| {
            let why = match name {
                "simulations" => "the simulations stand before the `@`".to_owned(),
                "gumbel_scale" | "dirichlet_alpha" | "dirichlet_fraction" => {
                    "it is noise, and matches are played without".to_owned()
                }
                _ => format!("allowed are {}", Key::ALL.map(|(known, _)| known).join(", ")),
            };
            format!("there is no setting `{name}` of players; {why}")
        })
    }

    fn name(self) -> &'static str {
        // Every key is in the list.
        Key::ALL.into_iter().find(|(_, key)| *key == self).map_or("", |(name, _)| name)
    }

    /// Returns the only algorithm that uses the key. Returns `None` if both algorithms use it.
    fn algorithm(self) -> Option<AlgorithmName> {
        match self {
            Key::Considered | Key::CVisit | Key::CScale => Some(AlgorithmName::Gumbel),
            Key::CPuct | Key::FpuReduction | Key::ParallelLeaves => Some(AlgorithmName::Puct),
            _ => None,
        }
    }

    fn set(self, value: &str, table: &mut SearchTable) -> Result<(), String> {
        match self {
            Key::Algorithm => {
                table.algorithm = match value {
                    "gumbel" => AlgorithmName::Gumbel,
                    "puct" => AlgorithmName::Puct,
                    _ => return Err(format!("algorithm is `{value}`; it is gumbel or puct")),
                }
            }
            Key::Considered => table.considered = Some(self.read(value, "a whole number")?),
            Key::CVisit => table.c_visit = self.read(value, "a number")?,
            Key::CScale => table.c_scale = self.read(value, "a number")?,
            Key::CPuct => table.c_puct = self.read(value, "a number")?,
            Key::FpuReduction => table.fpu_reduction = self.read(value, "a number")?,
            Key::ParallelLeaves => table.parallel_leaves = self.read(value, "a whole number")?,
            Key::FinishTurns => table.finish_turns = self.read(value, "true or false")?,
            Key::DrawScore => table.draw_score = self.read(value, "a number")?,
            Key::MovesLeftCap => table.moves_left_cap = self.read(value, "a number")?,
            Key::MovesLeftSlope => table.moves_left_slope = self.read(value, "a number")?,
            Key::MovesLeftThreshold => table.moves_left_threshold = self.read(value, "a number")?,
            Key::MemoryLimit => table.memory_limit = self.read(value, "a whole number of bytes")?,
        }
        Ok(())
    }

    fn read<T: FromStr>(self, value: &str, what: &str) -> Result<T, String> {
        value.parse().map_err(|_| format!("{} is `{value}`; it is {what}", self.name()))
    }
}

impl SearchSettings {
    /// Returns true if no key is set, so that all defaults apply.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the config of searches with `simulations` per move. It has the defaults of matches
    /// (Gumbel search without noise), with the values of these settings.
    ///
    /// # Errors
    /// A value is out of range, or the algorithm does not use one of the keys. The text names the
    /// key, the value and the allowed values.
    pub fn config(&self, simulations: u32) -> Result<SearchConfig, String> {
        let mut table = SearchTable { gumbel_scale: 0.0, ..SearchTable::default() };
        for (key, value) in &self.0 {
            key.set(value, &mut table)?;
        }
        for (key, value) in &self.0 {
            if key.algorithm().is_some_and(|algorithm| algorithm != table.algorithm) {
                let of = if table.algorithm == AlgorithmName::Gumbel { "puct" } else { "gumbel" };
                return Err(format!("{} is `{value}`; it is a setting of {of} alone", key.name()));
            }
        }
        let config = table.config();
        let halves = || match &config.algorithm {
            Algorithm::Gumbel(gumbel) => gumbel.check_considered(simulations),
            Algorithm::Puct(_) => Ok(()),
        };
        let checked = check_simulations(simulations).and_then(|()| config.validate()).and_then(|()| halves());
        checked.map_err(|error| format!("{} is `{}`; it is {}", error.key, error.found, error.allowed))?;
        Ok(config)
    }
}

impl FromStr for SearchSettings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut settings: Vec<(Key, String)> = Vec::new();
        for setting in text.split(',') {
            let (name, value) = setting.split_once('=').ok_or_else(|| {
                format!("`{setting}` is no setting; they are written key=value, with commas between")
            })?;
            let key = Key::named(name)?;
            if settings.iter().any(|(known, _)| *known == key) {
                return Err(format!("{name} stands twice"));
            }
            settings.push((key, value.to_owned()));
        }
        Ok(SearchSettings(settings))
    }
}

impl fmt::Display for SearchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, value)) in self.0.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma}{}={value}", key.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_mcts::{Gumbel, Puct};

    fn config(text: &str, simulations: u32) -> Result<SearchConfig, String> {
        text.parse::<SearchSettings>()?.config(simulations)
    }

    #[test]
    fn settings_go_over_those_of_matches() {
        let plain = SearchSettings::default().config(64).unwrap();
        assert_eq!(plain, SearchConfig::default());
        let gumbel = Gumbel { considered: Some(8), c_scale: 2.5, c_visit: 30.0, ..Gumbel::default() };
        assert_eq!((gumbel.gumbel_scale, Gumbel::default().considered_among(64)), (0.0, 16));
        assert_eq!(config("considered=8,c_scale=2.5,c_visit=30", 32), Ok(gumbel.into()));
        let puct = Puct { c_puct: 2.0, fpu_reduction: -0.5, parallel_leaves: 1, ..Puct::default() };
        let set = config("c_puct=2,algorithm=puct,fpu_reduction=-0.5,parallel_leaves=1", 32);
        assert_eq!(set, Ok(puct.into()));
        let set = config("moves_left_cap=0,moves_left_slope=0.01,moves_left_threshold=0.2", 32).unwrap();
        assert_eq!((set.utility.moves_left_cap, set.utility.moves_left_slope), (0.0, 0.01));
        assert_eq!(config("memory_limit=1000000", 32).unwrap().memory_limit, 1_000_000);
    }

    #[test]
    fn refusals_name_the_key_what_was_found_and_what_is_allowed() {
        for (text, parts) in [
            ("", &["`` is no setting", "key=value"][..]),
            ("considered", &["`considered` is no setting"]),
            ("considered=4,", &["`` is no setting"]),
            ("colour=1", &["`colour`", "algorithm, considered, c_visit"]),
            ("simulations=8", &["`simulations`", "before the `@`"]),
            ("gumbel_scale=1", &["`gumbel_scale`", "noise"]),
            ("dirichlet_fraction=0.1", &["`dirichlet_fraction`", "noise"]),
            ("considered=4,considered=4", &["considered stands twice"]),
            ("considered=0", &["considered is `0`", "at least 1"]),
            ("considered=many", &["considered is `many`", "whole number"]),
            ("considered=17", &["considered is `17`", "half the simulations"]),
            ("c_scale=fast", &["c_scale is `fast`", "a number"]),
            ("c_scale=-1", &["c_scale is `-1`", "0 to 1000"]),
            ("algorithm=minimax", &["algorithm is `minimax`", "gumbel or puct"]),
            ("c_puct=2", &["c_puct is `2`", "puct alone"]),
            ("algorithm=puct,considered=8", &["considered is `8`", "gumbel alone"]),
            ("parallel_leaves=0,algorithm=puct", &["parallel_leaves is `0`", "1 to 1024"]),
            ("memory_limit=5", &["memory_limit is `5`", "131072"]),
        ] {
            let error = config(text, 32).unwrap_err();
            assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
        }
    }
}
