//! The `[search]` table of config files.

use crate::algorithm::Algorithm;
use crate::config::SearchConfig;
use crate::gumbel::Gumbel;
use crate::puct::Puct;
use crate::range::ConfigError;
use crate::utility::Utility;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Name of an [`Algorithm`] in config files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AlgorithmName {
    /// Name of the algorithm [`Gumbel`].
    #[default]
    Gumbel,
    /// Name of the algorithm [`Puct`].
    Puct,
}

/// Defines [`SearchTable`] by one row per key: its type, the part of [`Parts`] that has the setting
/// of the same name, and the type of that part.
macro_rules! search_table {
    ($($(#[$attribute:meta])* $key:ident: $type:ty => $part:ident $of:ident,)*) => {
        /// The `[search]` table of a config file, with the settings of both algorithms.
        /// [`SearchTable::config`] uses only the settings of the selected algorithm. So one key
        /// changes the algorithm, and a table with all keys is valid for both.
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct SearchTable {
            /// Selected algorithm: `gumbel` or `puct` in files.
            pub algorithm: AlgorithmName,
            /// Key without effect. See [`NoSimulations`].
            pub simulations: NoSimulations,
            $(
                #[doc = concat!("Sets [`", stringify!($of), "::", stringify!($key), "`].")]
                $(#[$attribute])*
                pub $key: $type,
            )*
        }

        impl Default for SearchTable {
            fn default() -> Self {
                let parts = Parts::default();
                let (algorithm, simulations) = Default::default();
                SearchTable { algorithm, simulations, $($key: parts.$part.$key,)* }
            }
        }

        impl SearchTable {
            /// Returns the names of all keys except `simulations`, each with the only algorithm that
            /// uses the key. `None` stands for both.
            pub fn keys() -> Vec<(&'static str, Option<AlgorithmName>)> {
                vec![("algorithm", None), $((stringify!($key), only(stringify!($part))),)*]
            }

            /// Sets a key of [`SearchTable::keys`] to a value in text form. Other keys have no
            /// effect.
            ///
            /// # Errors
            /// The value has another type. The error describes the values of the key.
            pub fn set(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
                match key {
                    "algorithm" => self.algorithm.set(value),
                    $(_ if key == stringify!($key) => self.$key.set(value),)*
                    _ => Ok(()),
                }
            }

            fn parts(&self) -> Parts {
                let mut parts = Parts::default();
                $(parts.$part.$key = self.$key;)*
                parts
            }
        }
    };
}

search_table! {
    #[serde(skip_serializing_if = "Option::is_none")]
    considered: Option<u32> => gumbel Gumbel,
    c_visit: f32 => gumbel Gumbel,
    c_scale: f32 => gumbel Gumbel,
    gumbel_scale: f32 => gumbel Gumbel,
    choice_noise: f32 => gumbel Gumbel,
    root_temperature: f32 => search SearchConfig,
    c_puct: f32 => puct Puct,
    fpu_reduction: f32 => puct Puct,
    dirichlet_alpha: f32 => puct Puct,
    dirichlet_fraction: f32 => puct Puct,
    parallel_leaves: u32 => puct Puct,
    finish_turns: bool => search SearchConfig,
    draw_score: f32 => utility Utility,
    moves_left_cap: f32 => utility Utility,
    moves_left_slope: f32 => utility Utility,
    moves_left_threshold: f32 => utility Utility,
    memory_limit: usize => search SearchConfig,
}

/// Returns the only algorithm that uses the settings of a part, or `None` if both do.
fn only(part: &str) -> Option<AlgorithmName> {
    match part {
        "gumbel" => Some(AlgorithmName::Gumbel),
        "puct" => Some(AlgorithmName::Puct),
        _ => None,
    }
}

/// A setting that can be set from text. The error describes the allowed values.
trait FromText {
    fn set(&mut self, text: &str) -> Result<(), &'static str>;
}

macro_rules! from_text {
    ($($type:ty: $values:literal, $read:expr;)*) => {$(
        impl FromText for $type {
            fn set(&mut self, text: &str) -> Result<(), &'static str> {
                let read: fn(&str) -> Option<$type> = $read;
                *self = read(text).ok_or($values)?;
                Ok(())
            }
        }
    )*};
}

from_text! {
    AlgorithmName: "gumbel or puct", |text| match text {
        "gumbel" => Some(AlgorithmName::Gumbel),
        "puct" => Some(AlgorithmName::Puct),
        _ => None,
    };
    f32: "a number", |text| text.parse().ok();
    u32: "a whole number", |text| text.parse().ok();
    Option<u32>: "a whole number", |text| text.parse().ok().map(Some);
    bool: "true or false", |text| text.parse().ok();
    usize: "a whole number of bytes", |text| text.parse().ok();
}

/// The settings of a table, by the types that have them.
#[derive(Default)]
struct Parts {
    gumbel: Gumbel,
    puct: Puct,
    utility: Utility,
    search: SearchConfig,
}

impl SearchTable {
    /// Converts the table into the settings of a search. It does not check them: see
    /// [`validate`](Self::validate).
    pub fn config(&self) -> SearchConfig {
        let Parts { gumbel, puct, utility, search } = self.parts();
        let algorithm = match self.algorithm {
            AlgorithmName::Gumbel => Algorithm::Gumbel(gumbel),
            AlgorithmName::Puct => Algorithm::Puct(puct),
        };
        SearchConfig { algorithm, utility, ..search }
    }

    /// Checks every setting against its range, including the settings of the unselected algorithm.
    ///
    /// # Errors
    /// The first setting outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let parts = self.parts();
        parts.gumbel.validate()?;
        parts.puct.validate()?;
        self.config().validate()
    }
}

/// The key `simulations` of a [`SearchTable`]. It has no effect, because the caller of a search
/// passes the number of simulations. The value 32 is written and accepted, because the
/// `config.toml` of existing runs contains it. Any other value is an error, because it would be
/// ignored silently.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoSimulations;

impl NoSimulations {
    /// Only accepted value of the key `simulations`.
    pub const WRITTEN: u32 = 32;
}

impl Serialize for NoSimulations {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Self::WRITTEN.serialize(to)
    }
}

impl<'de> Deserialize<'de> for NoSimulations {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match u32::deserialize(from)? {
            Self::WRITTEN => Ok(NoSimulations),
            found => Err(D::Error::custom(format!(
                "simulations = {found}: the search table does not set the simulations, remove this key"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_and_each_bad_value_is_named() {
        let good = SearchTable::default();
        assert_eq!((good.validate(), good.config()), (Ok(()), SearchConfig::default()));
        type Spoil = fn(&mut SearchTable);
        let cases: [(&str, Spoil); 14] = [
            ("considered", |c| c.considered = Some(0)),
            ("c_visit", |c| c.c_visit = -1.0),
            ("c_scale", |c| c.c_scale = f32::NAN),
            ("gumbel_scale", |c| c.gumbel_scale = -0.5),
            ("choice_noise", |c| c.choice_noise = 1.5),
            ("root_temperature", |c| c.root_temperature = 0.0),
            ("c_puct", |c| c.c_puct = f32::INFINITY),
            ("fpu_reduction", |c| c.fpu_reduction = 2.5),
            ("dirichlet_alpha", |c| c.dirichlet_alpha = 0.0),
            ("dirichlet_fraction", |c| c.dirichlet_fraction = 1.5),
            ("parallel_leaves", |c| c.parallel_leaves = 0),
            ("draw_score", |c| c.draw_score = 1.5),
            ("moves_left_threshold", |c| c.moves_left_threshold = 1.0),
            ("memory_limit", |c| c.memory_limit = 1000),
        ];
        for (key, spoil) in cases {
            for algorithm in [AlgorithmName::Gumbel, AlgorithmName::Puct] {
                let mut table = SearchTable { algorithm, ..good.clone() };
                spoil(&mut table);
                assert_eq!(table.validate().unwrap_err().key, key);
            }
        }
    }

    /// Every key sets the setting of its name. Keys of the unselected algorithm have no effect.
    #[test]
    fn each_key_gets_to_where_it_belongs() {
        let text = |algorithm: &str| {
            format!(
                r#"{{"algorithm":"{algorithm}","simulations":32,"considered":3,"c_visit":4.0,"c_scale":5.0,"gumbel_scale":6.0,"choice_noise":0.5,"root_temperature":7.0,"c_puct":8.0,"fpu_reduction":1.5,"dirichlet_alpha":9.0,"dirichlet_fraction":0.25,"parallel_leaves":10,"finish_turns":false,"draw_score":-0.5,"moves_left_cap":0.125,"moves_left_slope":0.0625,"moves_left_threshold":0.75,"memory_limit":200000}}"#
            )
        };
        let gumbel =
            Gumbel { considered: Some(3), c_visit: 4.0, c_scale: 5.0, gumbel_scale: 6.0, choice_noise: 0.5 };
        let puct = Puct {
            c_puct: 8.0,
            fpu_reduction: 1.5,
            dirichlet_alpha: 9.0,
            dirichlet_fraction: 0.25,
            parallel_leaves: 10,
        };
        let utility = Utility {
            draw_score: -0.5,
            moves_left_cap: 0.125,
            moves_left_slope: 0.0625,
            moves_left_threshold: 0.75,
        };
        for (name, algorithm) in [("gumbel", Algorithm::Gumbel(gumbel)), ("puct", Algorithm::Puct(puct))] {
            let table: SearchTable = serde_json::from_str(&text(name)).unwrap();
            assert_eq!(table.validate(), Ok(()));
            assert_eq!(serde_json::to_string(&table).unwrap(), text(name), "as it was read, in this order");
            let expected = SearchConfig {
                algorithm,
                root_temperature: 7.0,
                finish_turns: false,
                utility,
                memory_limit: 200_000,
            };
            assert_eq!(table.config(), expected);
        }
    }

    #[test]
    fn unknown_keys_are_refused() {
        let error = serde_json::from_str::<SearchTable>(r#"{"simulation": 3}"#).unwrap_err();
        assert!(error.to_string().contains("simulation"), "{error}");
        let table: SearchTable = serde_json::from_str(r#"{"algorithm": "puct"}"#).unwrap();
        assert_eq!(table, SearchTable { algorithm: AlgorithmName::Puct, ..SearchTable::default() });
    }

    #[test]
    fn simulations_are_no_setting() {
        let error = serde_json::from_str::<SearchTable>(r#"{"simulations": 64}"#).unwrap_err();
        assert!(error.to_string().contains("simulations = 64"), "{error}");
        let table: SearchTable = serde_json::from_str(r#"{"simulations": 32}"#).unwrap();
        assert_eq!(table, SearchTable::default());
    }
}
