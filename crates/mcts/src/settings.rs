//! The table of search settings, with one row per setting.
//!
//! Config files, player names, the UCI engine, the Python package and `docs/search.md` use them.

use crate::setting::{ConfigError, Setting, SettingValues, by_display, check, is_unset, store};
use SettingValues::{Bytes, Flag, Number, Whole, WholeOrNone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

catapult_rules::named! {
    /// A search algorithm.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Algorithm {
        /// Gumbel AlphaZero: sequential halving at the root and deterministic selection below it
        /// (Danihelka et al. 2022, "Policy improvement by planning with Gumbel").
        #[default]
        Gumbel = "gumbel",
        /// AlphaZero's PUCT (Silver et al. 2018) with first-play urgency.
        Puct = "puct",
    }
    read as "search algorithm"
}

by_display!(Algorithm);

/// Names of all algorithms.
const ALGORITHMS: SettingValues = SettingValues::Names(&["gumbel", "puct"]);

// Algorithms that use a setting.
const GUMBEL: Option<Algorithm> = Some(Algorithm::Gumbel);
const PUCT: Option<Algorithm> = Some(Algorithm::Puct);
const BOTH: Option<Algorithm> = None;

/// Version of the defaults of [`SearchConfig`].
///
/// A player name without settings uses these defaults. Results under different versions therefore
/// belong to different players. The versions:
///
/// 1. Sequential halving considers min(16, simulations) root moves. At 16 simulations or fewer, it
///    therefore eliminates no move.
/// 2. The number of considered root moves depends on the simulations
///    ([`SearchConfig::considered_among`]).
/// 3. [`SearchConfig::finish_turns`] is true.
/// 4. [`SearchConfig::c_visit`] is 500 and [`SearchConfig::c_scale`] 0.1, instead of 50 and 1. From
///    ten visits to a thousand, the weight of a move's value then grows threefold instead of
///    17-fold.
pub const SEARCH_DEFAULTS: u32 = 4;

/// A row of the search settings.
pub struct SettingRow {
    /// Name of the setting in every interface.
    pub key: &'static str,
    /// Algorithm that uses the setting. `None` if both do.
    pub algorithm: Option<Algorithm>,
    /// False for settings of self-play noise and temperature, which match players do not use.
    pub in_matches: bool,
    /// Allowed values.
    pub values: SettingValues,
    /// Meaning of the setting, in Markdown, on one line.
    pub meaning: &'static str,
    get: fn(&SearchConfig) -> String,
    set: fn(&mut SearchConfig, &str),
}

impl SettingRow {
    /// Returns the setting's value in `config` as text. It is empty if the setting has no value.
    pub fn get(&self, config: &SearchConfig) -> String {
        (self.get)(config)
    }

    /// Sets the setting in `config` to a value as [`get`](Self::get) returns it.
    ///
    /// # Errors
    /// The value is not allowed. The config is then unchanged.
    pub fn set(&self, config: &mut SearchConfig, value: &str) -> Result<(), ConfigError> {
        check(self.key, value, self.values)?;
        (self.set)(config, value);
        Ok(())
    }
}

/// Declares the search settings. A row has the setting's meaning, name, type, default value,
/// allowed values, the algorithm that uses it, and `players` or `self_play`. The order of the rows
/// is the order in files.
macro_rules! search_settings {
    ($($(#[doc = $doc:literal])*
    $key:ident: $type:ty = $default:expr, $values:expr, $algorithm:expr, $for:ident;)*) => {
        /// Settings of a search, and the `[search]` table of a config file. They determine the
        /// search result, together with the game, the number of simulations, the seed and the
        /// evaluations. Settings of the algorithm that is not selected have no effect. So one key
        /// changes the algorithm.
        #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct SearchConfig {
            /// Search algorithm.
            pub algorithm: Algorithm,
            /// Key without effect. See [`NoSimulations`].
            pub simulations: NoSimulations,
            $($(#[doc = $doc])* #[serde(skip_serializing_if = "is_unset")] pub $key: $type,)*
        }

        impl Default for SearchConfig {
            fn default() -> Self {
                let (algorithm, simulations) = Default::default();
                SearchConfig { algorithm, simulations, $($key: $default,)* }
            }
        }

        impl SearchConfig {
            /// Returns all settings, in the order of files.
            pub fn rows() -> Vec<SettingRow> {
                let algorithm = SettingRow {
                    key: "algorithm",
                    algorithm: None,
                    in_matches: true,
                    values: ALGORITHMS,
                    meaning: "Search algorithm: Gumbel AlphaZero or AlphaZero's PUCT.",
                    get: |config| config.algorithm.text(),
                    set: |config, text| store(&mut config.algorithm, text),
                };
                vec![algorithm, $(SettingRow {
                    key: stringify!($key),
                    algorithm: $algorithm,
                    in_matches: in_matches!($for),
                    values: $values,
                    meaning: concat!($($doc),*).trim_ascii_start(),
                    get: |config| config.$key.text(),
                    set: |config, text| store(&mut config.$key, text),
                }),*]
            }
        }
    };
}

macro_rules! in_matches {
    (players) => {
        true
    };
    (self_play) => {
        false
    };
}

search_settings! {
    /// Maximum number of root moves that enter sequential halving. Without a value it is half the
    /// simulations, at least 1 and at most 8, and from 64 simulations on at most 16. The number of
    /// legal moves also limits it. Training configs and names of players reject more than half of
    /// the simulations.
    considered: Option<u32> = None, WholeOrNone, GUMBEL, players;
    /// c_visit in sigma(q) = (c_visit + max N) * c_scale * (q + 1) / 2, which converts a value q
    /// from -1 to 1 to an offset of the logits. max N is the number of visits of the most visited
    /// child (Danihelka et al. 2022, equation 8).
    c_visit: f32 = 500.0, Number(0.0, 1e6), GUMBEL, players;
    /// c_scale in the formula of `c_visit`.
    c_scale: f32 = 0.1, Number(0.0, 1e3), GUMBEL, players;
    /// Scale of the Gumbel noise at the root. Self-play uses 1. Matches use 0.001, which only
    /// breaks ties. At 0 there is no noise, so the seed has no effect.
    gumbel_scale: f32 = 0.0, Number(0.0, 100.0), GUMBEL, self_play;
    /// Factor on the noise in the final choice of the move. At 0 the noise affects only the moves
    /// to search, not the choice between them.
    choice_noise: f32 = 1.0, Number(0.0, 1.0), GUMBEL, self_play;
    /// Temperature of the evaluator's policy at the root: the root's logits are divided by it.
    /// Values above 1 flatten the policy and, with Gumbel search, the policy target. KataGo calls
    /// it the root policy temperature.
    root_temperature: f32 = 1.0, Number(0.1, 10.0), BOTH, self_play;
    /// Exploration constant c in the score Q(a) + c P(a) sqrt(sum N) / (1 + N(a)).
    c_puct: f32 = 1.5, Number(0.0, 1e3), PUCT, players;
    /// First-play urgency of unvisited moves. Their Q is the parent's Q minus this number times the
    /// square root of the visited moves' total prior.
    fpu_reduction: f32 = 0.3, Number(-2.0, 2.0), PUCT, players;
    /// Concentration parameter of the Dirichlet noise on the root's priors.
    dirichlet_alpha: f32 = 0.3, Number(1e-3, 1e3), PUCT, self_play;
    /// Weight of the noise in the root's priors: 0.25 in self-play, 0 in matches and analysis.
    dirichlet_fraction: f32 = 0.0, Number(0.0, 1.0), PUCT, self_play;
    /// Maximum number of leaves requested at once. Until its evaluation arrives, a leaf counts as a
    /// visit but does not change the mean value.
    parallel_leaves: u32 = 8, Whole(1, 1024), PUCT, players;
    /// If a turn has several decisions, nodes below the root play only the turn-ending move as soon
    /// as it is legal. They are not evaluated, so that simulations reach the opponent's reply. A
    /// root within a turn keeps all its moves.
    finish_turns: bool = true, Flag, BOTH, players;
    /// Value of a draw for the side to move at the root. A negative value is contempt: the side
    /// avoids draws. It affects the choice of moves. Reported and recorded values exclude it.
    draw_score: f32 = 0.0, Number(-1.0, 1.0), BOTH, players;
    /// Largest moves-left bonus in units of Q. 0 disables the bonus.
    moves_left_cap: f32 = 0.04, Number(0.0, 1.0), BOTH, players;
    /// Moves-left bonus per ply by which a move shortens a win or lengthens a loss, before the cap,
    /// in units of Q.
    moves_left_slope: f32 = 0.003, Number(0.0, 1.0), BOTH, players;
    /// Value of |Q| above which there is a moves-left bonus. The bonus is multiplied by a weight
    /// that grows linearly from 0 at the threshold to 1 at |Q| = 1.
    moves_left_threshold: f32 = 0.5, Number(0.0, 0.99), BOTH, players;
    /// Limit on the memory for nodes and edges, in bytes. A search that reaches the limit is done.
    /// Its result contains the simulations up to then.
    memory_limit: usize = 1 << 30, Bytes(SearchConfig::MIN_MEMORY as u64), BOTH, players;
}

impl SearchConfig {
    /// Smallest allowed [`memory_limit`](Self::memory_limit) in bytes. It has room for a root with
    /// 1,024 moves. A search from a root with more moves may end without a simulation.
    pub const MIN_MEMORY: usize = 1 << 17;

    /// Checks every setting, including those of the algorithm that is not selected.
    ///
    /// # Errors
    /// The first setting with a value that is not allowed.
    pub fn validate(&self) -> Result<(), ConfigError> {
        Self::rows().iter().try_for_each(|row| check(row.key, &row.get(self), row.values))
    }

    /// Returns the setting `key`. Returns `None` if no setting has this name.
    pub fn row(key: &str) -> Option<SettingRow> {
        Self::rows().into_iter().find(|row| row.key == key)
    }
}

/// The key `simulations` of a [`SearchConfig`]. It has no effect, because the caller of a search
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
        let good = SearchConfig::default();
        assert_eq!(good.validate(), Ok(()));
        type Spoil = fn(&mut SearchConfig);
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
            for algorithm in Algorithm::ALL {
                let mut config = SearchConfig { algorithm, ..good };
                spoil(&mut config);
                assert_eq!(config.validate().unwrap_err().key, key);
            }
        }
    }

    /// Every key sets the setting of its name, and files have all keys in this order.
    #[test]
    fn each_key_gets_to_where_it_belongs() {
        let text = r#"{"algorithm":"puct","simulations":32,"considered":3,"c_visit":4.0,"c_scale":5.0,"gumbel_scale":6.0,"choice_noise":0.5,"root_temperature":7.0,"c_puct":8.0,"fpu_reduction":1.5,"dirichlet_alpha":9.0,"dirichlet_fraction":0.25,"parallel_leaves":10,"finish_turns":false,"draw_score":-0.5,"moves_left_cap":0.125,"moves_left_slope":0.0625,"moves_left_threshold":0.75,"memory_limit":200000}"#;
        let expected = SearchConfig {
            algorithm: Algorithm::Puct,
            simulations: NoSimulations,
            considered: Some(3),
            c_visit: 4.0,
            c_scale: 5.0,
            gumbel_scale: 6.0,
            choice_noise: 0.5,
            root_temperature: 7.0,
            c_puct: 8.0,
            fpu_reduction: 1.5,
            dirichlet_alpha: 9.0,
            dirichlet_fraction: 0.25,
            parallel_leaves: 10,
            finish_turns: false,
            draw_score: -0.5,
            moves_left_cap: 0.125,
            moves_left_slope: 0.0625,
            moves_left_threshold: 0.75,
            memory_limit: 200_000,
        };
        assert_eq!(serde_json::from_str::<SearchConfig>(text).unwrap(), expected);
        assert_eq!(expected.validate(), Ok(()));
        assert_eq!(serde_json::to_string(&expected).unwrap(), text);
    }

    #[test]
    fn a_row_reads_writes_and_refuses() {
        let (mut config, default) = (SearchConfig::default(), SearchConfig::default());
        for (key, value, allowed) in [
            ("algorithm", "puct", "gumbel or puct"),
            ("considered", "3", "a whole number of at least 1"),
            ("c_visit", "0.25", "a number from 0 to 1000000"),
            ("finish_turns", "false", "true or false"),
            ("parallel_leaves", "16", "a whole number from 1 to 1024"),
            ("moves_left_threshold", "0.125", "a number from 0 to 0.99"),
            ("memory_limit", "200000", "a number of bytes, at least 131072"),
        ] {
            let row = SearchConfig::row(key).unwrap();
            row.set(&mut config, value).unwrap();
            assert_eq!(
                (row.get(&config).as_str(), row.values.to_string().as_str()),
                (value, allowed),
                "{key}"
            );
            assert_ne!(row.get(&default), value);
            for bad in ["-7", "many", "NaN", "0.5.0"] {
                let error = row.set(&mut config, bad).unwrap_err();
                assert_eq!((error.key, error.found.as_str(), error.allowed.as_str()), (key, bad, allowed));
            }
            assert_eq!(row.get(&config), value, "an error changes nothing");
        }
        assert_eq!((config.memory_limit, config.finish_turns), (200_000, false));
        SearchConfig::row("considered").unwrap().set(&mut config, "").unwrap();
        assert_eq!(config.considered, None);
        assert!(SearchConfig::row("simulations").is_none() && SearchConfig::row("C_VISIT").is_none());
    }

    #[test]
    fn unknown_keys_are_refused() {
        let error = serde_json::from_str::<SearchConfig>(r#"{"simulation": 3}"#).unwrap_err();
        assert!(error.to_string().contains("simulation"), "{error}");
        let config: SearchConfig = serde_json::from_str(r#"{"algorithm": "puct"}"#).unwrap();
        assert_eq!(config, SearchConfig { algorithm: Algorithm::Puct, ..SearchConfig::default() });
    }

    #[test]
    fn simulations_are_no_setting() {
        let error = serde_json::from_str::<SearchConfig>(r#"{"simulations": 64}"#).unwrap_err();
        assert!(error.to_string().contains("simulations = 64"), "{error}");
        let config: SearchConfig = serde_json::from_str(r#"{"simulations": 32}"#).unwrap();
        assert_eq!(config, SearchConfig::default());
    }
}
