//! The table of search settings, with one row per setting.
//!
//! Config files, player names, the UCI engine, the Python package and `docs/search.md` use them.

use crate::setting::{ConfigError, Setting, SettingValues, by_display, check, is_unset, store};
use SettingValues::{Bytes, Flag, Number, Whole, WholeOrNone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A search algorithm with its settings.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    /// Gumbel AlphaZero: sequential halving at the root and deterministic selection below it
    /// (Danihelka et al. 2022, "Policy improvement by planning with Gumbel").
    Gumbel(Gumbel),
    /// AlphaZero's PUCT (Silver et al. 2018) with first-play urgency.
    Puct(Puct),
}

impl Default for Algorithm {
    fn default() -> Self {
        Algorithm::Gumbel(Gumbel::default())
    }
}

catapult_rules::named! {
    /// Name of an [`Algorithm`] in config files.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum AlgorithmName {
        /// Name of the algorithm [`Gumbel`].
        #[default]
        Gumbel = "gumbel",
        /// Name of the algorithm [`Puct`].
        Puct = "puct",
    }
    read as "search algorithm"
}

by_display!(AlgorithmName);

/// Names of all algorithms.
const ALGORITHMS: SettingValues = SettingValues::Names(&["gumbel", "puct"]);

/// A row of the search settings.
pub struct SettingRow {
    /// Name of the setting in every interface.
    pub key: &'static str,
    /// Algorithm that uses the setting. `None` if both do.
    pub algorithm: Option<AlgorithmName>,
    /// False for settings of self-play noise and temperature, which match players do not use.
    pub in_matches: bool,
    /// Allowed values.
    pub values: SettingValues,
    /// Meaning of the setting, in Markdown, on one line.
    pub meaning: &'static str,
    get: fn(&SearchTable) -> String,
    set: fn(&mut SearchTable, &str),
}

impl SettingRow {
    /// Returns the setting's value in `table` as text. It is empty if the setting has no value.
    pub fn get(&self, table: &SearchTable) -> String {
        (self.get)(table)
    }

    /// Sets the setting in `table` to a value as [`get`](Self::get) returns it.
    ///
    /// # Errors
    /// The value is not allowed. The table is then unchanged.
    pub fn set(&self, table: &mut SearchTable, value: &str) -> Result<(), ConfigError> {
        check(self.key, value, self.values)?;
        (self.set)(table, value);
        Ok(())
    }
}

/// Declares the search settings. A row has the setting's meaning, name, type, default value,
/// allowed values, and `players` or `self_play`. The rows after `search` belong to [`SearchConfig`]
/// itself. The order of the rows is the order in files.
macro_rules! search_settings {
    ($(
        $(#[$meta:meta])*
        $part:ident: $Part:ident, $algorithm:expr, {
            $($(#[doc = $doc:literal])* $key:ident: $type:ty = $default:expr, $values:expr, $for:ident;)*
        }
        search {
            $($(#[doc = $own_doc:literal])*
            $own:ident: $own_type:ty = $own_default:expr, $own_values:expr, $own_for:ident;)*
        }
    )*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, PartialEq, Debug)]
            pub struct $Part {
                $($(#[doc = $doc])* pub $key: $type,)*
            }

            impl Default for $Part {
                fn default() -> Self {
                    $Part { $($key: $default,)* }
                }
            }
        )*

        /// Settings of a search. They determine the search result, together with the game, the
        /// number of simulations, the seed and the evaluations. Config files contain them as a
        /// [`SearchTable`].
        #[derive(Clone, PartialEq, Debug)]
        pub struct SearchConfig {
            /// Search algorithm with its settings.
            pub algorithm: Algorithm,
            /// Value of draws, and bonus for shorter wins and longer losses.
            pub utility: Utility,
            $($($(#[doc = $own_doc])* pub $own: $own_type,)*)*
        }

        impl Default for SearchConfig {
            fn default() -> Self {
                let (algorithm, utility) = Default::default();
                SearchConfig { algorithm, utility, $($($own: $own_default,)*)* }
            }
        }

        /// The settings of a table, grouped by the struct that contains them.
        #[derive(Default)]
        struct Parts {
            search: SearchConfig,
            $($part: $Part,)*
        }

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
                $($(#[doc = $doc])* #[serde(skip_serializing_if = "is_unset")] pub $key: $type,)*
                $($(#[doc = $own_doc])* pub $own: $own_type,)*
            )*
        }

        impl SearchTable {
            /// Returns all settings, in the order of files.
            pub fn rows() -> Vec<SettingRow> {
                let mut rows = vec![SettingRow {
                    key: "algorithm",
                    algorithm: None,
                    in_matches: true,
                    values: ALGORITHMS,
                    meaning: "Search algorithm: Gumbel AlphaZero or AlphaZero's PUCT.",
                    get: |table| table.algorithm.text(),
                    set: |table, text| store(&mut table.algorithm, text),
                }];
                $(
                    $(rows.push(row!($algorithm, $key, $values, $for, $($doc),*));)*
                    $(rows.push(row!(None, $own, $own_values, $own_for, $($own_doc),*));)*
                )*
                rows
            }

            fn parts(&self) -> Parts {
                let mut parts = Parts::default();
                $(
                    $(parts.$part.$key = self.$key;)*
                    $(parts.search.$own = self.$own;)*
                )*
                parts
            }

            fn of(algorithm: AlgorithmName, parts: &Parts) -> SearchTable {
                SearchTable {
                    algorithm,
                    simulations: NoSimulations,
                    $(
                        $($key: parts.$part.$key,)*
                        $($own: parts.search.$own,)*
                    )*
                }
            }
        }
    };
}

macro_rules! row {
    ($algorithm:expr, $key:ident, $values:expr, $for:ident, $($doc:literal),*) => {
        SettingRow {
            key: stringify!($key),
            algorithm: $algorithm,
            in_matches: in_matches!($for),
            values: $values,
            meaning: concat!($($doc),*).trim_ascii_start(),
            get: |table| table.$key.text(),
            set: |table, text| store(&mut table.$key, text),
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
    /// Settings of the algorithm Gumbel AlphaZero.
    gumbel: Gumbel, Some(AlgorithmName::Gumbel), {
        /// Maximum number of root moves that enter sequential halving. Without a value it is half
        /// the simulations, at least 1 and at most 8, and from 64 simulations on at most 16. The
        /// number of legal moves also limits it. Training configs and names of players reject more
        /// than half of the simulations.
        considered: Option<u32> = None, WholeOrNone, players;
        /// c_visit in sigma(q) = (c_visit + max N) * c_scale * (q + 1) / 2, which converts a value
        /// q from -1 to 1 to an offset of the logits. max N is the number of visits of the most
        /// visited child (Danihelka et al. 2022, equation 8).
        c_visit: f32 = 500.0, Number(0.0, 1e6), players;
        /// c_scale in the formula of `c_visit`.
        c_scale: f32 = 0.1, Number(0.0, 1e3), players;
        /// Scale of the Gumbel noise at the root. Self-play uses 1. Matches use 0.001, which only
        /// breaks ties. At 0 there is no noise, so the seed has no effect.
        gumbel_scale: f32 = 0.0, Number(0.0, 100.0), self_play;
        /// Factor on the noise in the final choice of the move. At 0 the noise affects only the
        /// moves to search, not the choice between them.
        choice_noise: f32 = 1.0, Number(0.0, 1.0), self_play;
    }
    search {
        /// Temperature of the evaluator's policy at the root: the root's logits are divided by it.
        /// Values above 1 flatten the policy and, with Gumbel search, the policy target. KataGo
        /// calls it the root policy temperature.
        root_temperature: f32 = 1.0, Number(0.1, 10.0), self_play;
    }

    /// Settings of PUCT.
    puct: Puct, Some(AlgorithmName::Puct), {
        /// Exploration constant c in the score Q(a) + c P(a) sqrt(sum N) / (1 + N(a)).
        c_puct: f32 = 1.5, Number(0.0, 1e3), players;
        /// First-play urgency of unvisited moves. Their Q is the parent's Q minus this number times
        /// the square root of the visited moves' total prior.
        fpu_reduction: f32 = 0.3, Number(-2.0, 2.0), players;
        /// Concentration parameter of the Dirichlet noise on the root's priors.
        dirichlet_alpha: f32 = 0.3, Number(1e-3, 1e3), self_play;
        /// Weight of the noise in the root's priors: 0.25 in self-play, 0 in matches and analysis.
        dirichlet_fraction: f32 = 0.0, Number(0.0, 1.0), self_play;
        /// Maximum number of leaves requested at once. Until its evaluation arrives, a leaf counts
        /// as a visit but does not change the mean value.
        parallel_leaves: u32 = 8, Whole(1, 1024), players;
    }
    search {
        /// If a turn has several decisions, nodes below the root play only the turn-ending move as
        /// soon as it is legal. They are not evaluated, so that simulations reach the opponent's
        /// reply. A root within a turn keeps all its moves.
        finish_turns: bool = true, Flag, players;
    }

    /// Preferences of the search, in units of Q = P(win) - P(loss): value of draws, and bonus for
    /// shorter wins and longer losses (moves-left bonus).
    #[derive(Copy)]
    utility: Utility, None, {
        /// Value of a draw for the side to move at the root. A negative value is contempt: the side
        /// avoids draws. It affects the choice of moves. Reported and recorded values exclude it.
        draw_score: f32 = 0.0, Number(-1.0, 1.0), players;
        /// Largest moves-left bonus in units of Q. 0 disables the bonus.
        moves_left_cap: f32 = 0.04, Number(0.0, 1.0), players;
        /// Moves-left bonus per ply by which a move shortens a win or lengthens a loss, before the
        /// cap, in units of Q.
        moves_left_slope: f32 = 0.003, Number(0.0, 1.0), players;
        /// Value of |Q| above which there is a moves-left bonus. The bonus is multiplied by a
        /// weight that grows linearly from 0 at the threshold to 1 at |Q| = 1.
        moves_left_threshold: f32 = 0.5, Number(0.0, 0.99), players;
    }
    search {
        /// Limit on the memory for nodes and edges, in bytes. A search that reaches the limit is
        /// done. Its result contains the simulations up to then.
        memory_limit: usize = 1 << 30, Bytes(SearchConfig::MIN_MEMORY as u64), players;
    }
}

impl SearchConfig {
    /// Checks every setting.
    ///
    /// # Errors
    /// The first setting with a value that is not allowed.
    pub fn validate(&self) -> Result<(), ConfigError> {
        SearchTable::from(self).validate()
    }

    /// Smallest allowed [`memory_limit`](Self::memory_limit) in bytes. It has room for a root with
    /// 1,024 moves. A search from a root with more moves may end without a simulation.
    pub const MIN_MEMORY: usize = 1 << 17;
}

impl Default for SearchTable {
    fn default() -> Self {
        SearchTable::of(AlgorithmName::default(), &Parts::default())
    }
}

/// Returns the table of a search. Settings of the algorithm that the search does not use have their
/// defaults.
impl From<&SearchConfig> for SearchTable {
    fn from(config: &SearchConfig) -> SearchTable {
        let mut parts = Parts { search: config.clone(), utility: config.utility, ..Parts::default() };
        let algorithm = match &config.algorithm {
            Algorithm::Gumbel(gumbel) => {
                parts.gumbel = gumbel.clone();
                AlgorithmName::Gumbel
            }
            Algorithm::Puct(puct) => {
                parts.puct = puct.clone();
                AlgorithmName::Puct
            }
        };
        SearchTable::of(algorithm, &parts)
    }
}

impl SearchTable {
    /// Checks every setting, including the settings of the unselected algorithm.
    ///
    /// # Errors
    /// The first setting with a value that is not allowed.
    pub fn validate(&self) -> Result<(), ConfigError> {
        Self::rows().iter().try_for_each(|row| check(row.key, &row.get(self), row.values))
    }

    /// Converts the table into the settings of a search. It does not check them: see
    /// [`validate`](Self::validate).
    pub fn config(&self) -> SearchConfig {
        let Parts { search, gumbel, puct, utility } = self.parts();
        let algorithm = match self.algorithm {
            AlgorithmName::Gumbel => Algorithm::Gumbel(gumbel),
            AlgorithmName::Puct => Algorithm::Puct(puct),
        };
        SearchConfig { algorithm, utility, ..search }
    }

    /// Returns the setting `key`. Returns `None` if no setting has this name.
    pub fn row(key: &str) -> Option<SettingRow> {
        Self::rows().into_iter().find(|row| row.key == key)
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
    fn a_row_reads_writes_and_refuses() {
        let (mut table, default) = (SearchTable::default(), SearchTable::default());
        for (key, value, allowed) in [
            ("algorithm", "puct", "gumbel or puct"),
            ("considered", "3", "a whole number of at least 1"),
            ("c_visit", "0.25", "a number from 0 to 1000000"),
            ("finish_turns", "false", "true or false"),
            ("parallel_leaves", "16", "a whole number from 1 to 1024"),
            ("moves_left_threshold", "0.125", "a number from 0 to 0.99"),
            ("memory_limit", "200000", "a number of bytes, at least 131072"),
        ] {
            let row = SearchTable::row(key).unwrap();
            row.set(&mut table, value).unwrap();
            assert_eq!(
                (row.get(&table).as_str(), row.values.to_string().as_str()),
                (value, allowed),
                "{key}"
            );
            assert_ne!(row.get(&default), value);
            for bad in ["-7", "many", "NaN", "0.5.0"] {
                let error = row.set(&mut table, bad).unwrap_err();
                assert_eq!((error.key, error.found.as_str(), error.allowed.as_str()), (key, bad, allowed));
            }
            assert_eq!(row.get(&table), value, "an error changes nothing");
        }
        let found = table.config();
        assert_eq!((found.memory_limit, found.finish_turns), (200_000, false));
        SearchTable::row("considered").unwrap().set(&mut table, "").unwrap();
        assert_eq!(table.considered, None);
        assert!(SearchTable::row("simulations").is_none() && SearchTable::row("C_VISIT").is_none());
    }

    #[test]
    fn a_config_gives_the_table_it_came_from() {
        for algorithm in AlgorithmName::ALL {
            let mut table = SearchTable { algorithm, ..SearchTable::default() };
            for row in SearchTable::rows() {
                let used = row.algorithm.is_none_or(|of| of == table.algorithm);
                if used && matches!(row.values, Number(..)) {
                    row.set(&mut table, "0.5").unwrap();
                }
            }
            assert_eq!(SearchTable::from(&table.config()), table);
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
