//! Options of the UCI engine (`setoption`).
//!
//! The engine has options of its own, and one option per search setting, with the setting's name.

use catapult_mcts::{SearchConfig, SettingRow, SettingValues};
use catapult_rules::Variant;

/// UCI type of an option, with the allowed values.
enum Kind {
    Text,
    Check,
    Spin(i32, i32),
    Combo(fn() -> Vec<String>),
}

/// An option: its name, its type, and access to its value.
struct Row {
    name: &'static str,
    kind: Kind,
    get: fn(&Options) -> String,
    /// Parses and stores a value. The error is a message.
    set: fn(&mut Options, &str) -> Result<(), String>,
}

/// Search settings that options of the engine set in other units: `Hash` and `DrawScore`.
const IN_OTHER_UNITS: [&str; 2] = ["memory_limit", "draw_score"];

/// Returns the search settings with an option of the same name.
fn search_settings() -> impl Iterator<Item = SettingRow> {
    SearchConfig::rows().into_iter().filter(|row| row.in_matches && !IN_OTHER_UNITS.contains(&row.key))
}

macro_rules! options {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $default:expr, $name:literal $kind:expr;)*) => {
        /// Values of all options of the UCI engine.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Options {
            $($(#[$doc])* pub $field: $type,)*
            /// Search settings with an option of the same name.
            pub search: SearchConfig,
        }

        impl Default for Options {
            fn default() -> Self {
                Options { $($field: $default,)* search: SearchConfig::default() }
            }
        }

        static OPTIONS: &[Row] = &[$(Row {
            name: $name,
            kind: $kind,
            get: |options| options.$field.to_string(),
            set: |options, text| {
                options.$field = text.parse().map_err(|error: <$type as std::str::FromStr>::Err| error.to_string())?;
                Ok(())
            },
        }),*];
    };
}

options! {
    /// `UCI_Variant`: the game to play. The default is standard chess, because chess programs
    /// expect it.
    variant: Variant = Variant::Chess, "UCI_Variant" Kind::Combo(variants);
    /// `NetworkFile`: path of the network. Empty for the built-in network.
    network: String = String::new(), "NetworkFile" Kind::Text;
    /// `Hash`: memory limit of the search in MiB. During tree reuse there are two trees, and each
    /// may take half.
    hash: u32 = 256, "Hash" Kind::Spin(1, 65_536);
    /// `Threads`: number of threads that share the evaluations of a search.
    threads: usize = 1, "Threads" Kind::Spin(1, 512);
    /// `MultiPV`: maximum number of root moves in a report.
    multi_pv: u32 = 1, "MultiPV" Kind::Spin(1, 256);
    /// `UCI_ShowWDL`: `info` lines contain the probabilities of win, draw and loss.
    show_wdl: bool = false, "UCI_ShowWDL" Kind::Check;
    /// `Ponder`: the chess program may use `go ponder`. This option has no effect on the engine.
    ponder: bool = false, "Ponder" Kind::Check;
    /// `Move Overhead`: delay in milliseconds between the engine's answer and the moment its clock
    /// stops.
    overhead: u32 = 30, "Move Overhead" Kind::Spin(0, 10_000);
    /// `VerboseMoveStats`: before `bestmove`, prints visits, prior and Q of every root move.
    verbose: bool = false, "VerboseMoveStats" Kind::Check;
    /// `DrawScore`: value of a draw for the engine, from -100 (as bad as a loss) to 100 (as good as
    /// a win). A negative value avoids draws.
    draw_score: i32 = 0, "DrawScore" Kind::Spin(-100, 100);
    /// `UCI_LimitStrength`: limits the engine's strength to the rating `elo`.
    limit_strength: bool = false, "UCI_LimitStrength" Kind::Check;
    /// `UCI_Elo`: rating for `UCI_LimitStrength`, on the scale of the network's
    /// [`Ladder`](super::Ladder).
    elo: i32 = 1500, "UCI_Elo" Kind::Spin(0, 4000);
    /// `Temperature`: temperature T for sampling the move, in hundredths. A move's probability is
    /// proportional to its probability according to the search to the power of 1 / T. 0 plays the
    /// best move.
    temperature: i32 = 0, "Temperature" Kind::Spin(0, 1000);
}

fn variants() -> Vec<String> {
    Variant::all().map(|variant| variant.to_string()).collect()
}

impl Options {
    /// Returns the `option` lines that declare all options to a chess program. The declared
    /// defaults are the current values.
    pub fn declarations(&self) -> Vec<String> {
        let own = OPTIONS.iter().map(|Row { name, kind, get, .. }| {
            let now = get(self);
            match kind {
                Kind::Text if now.is_empty() => format!("{name} type string default <empty>"),
                Kind::Text => format!("{name} type string default {now}"),
                Kind::Check => format!("{name} type check default {now}"),
                Kind::Spin(low, high) => format!("{name} type spin default {now} min {low} max {high}"),
                Kind::Combo(values) => format!("{name} type combo default {now}{}", choices(&values())),
            }
        });
        let of_searches = search_settings().map(|row| {
            let (key, now) = (row.key, row.get(&self.search));
            match row.values {
                // The protocol has no type for fractions.
                SettingValues::Number(..) => format!("{key} type string default {now}"),
                SettingValues::Flag => format!("{key} type check default {now}"),
                SettingValues::Whole(low, high) => {
                    format!("{key} type spin default {now} min {low} max {high}")
                }
                SettingValues::Bytes(least) => {
                    format!("{key} type spin default {now} min {least} max {}", i64::MAX)
                }
                SettingValues::WholeOrNone => {
                    let now = if now.is_empty() { "0" } else { &now };
                    // Programs read bounds as signed numbers of 32 bits.
                    format!("{key} type spin default {now} min 0 max {}", i32::MAX)
                }
                SettingValues::Names(names) => format!("{key} type combo default {now}{}", choices(names)),
            }
        });
        own.chain(of_searches).map(|option| format!("option name {option}")).collect()
    }

    /// Sets an option by name. The case of the name is ignored. The value 0 removes the value of a
    /// search setting that may have none.
    ///
    /// # Errors
    /// An unknown name or an invalid value. The message contains the name, the value and what is
    /// allowed. The options stay unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let refused = |name: &str, reason: &str| format!("option {name} is `{value}`: {reason}");
        if let Some(row) = search_settings().find(|row| row.key.eq_ignore_ascii_case(name)) {
            let (value, or_none) = match row.values {
                SettingValues::WholeOrNone if value == "0" => ("", ""),
                SettingValues::WholeOrNone => (value, ", or 0 for none"),
                _ => (value, ""),
            };
            let set = row.set(&mut self.search, value);
            return set.map_err(|bad| refused(row.key, &format!("must be {}{or_none}", bad.allowed)));
        }
        let known = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let Row { name, kind, set, .. } = known.ok_or_else(|| {
            let names = OPTIONS.iter().map(|option| option.name);
            let names: Vec<&str> = names.chain(search_settings().map(|row| row.key)).collect();
            format!("no option `{name}`; the options are {}", names.join(", "))
        })?;
        let number = value.parse::<i32>().ok();
        let result = match kind {
            Kind::Spin(low, high) => match number.filter(|number| (low..=high).contains(&number)) {
                None => Err(format!("must be from {low} to {high}")),
                Some(number) => set(self, &number.to_string()),
            },
            Kind::Check if !matches!(value, "true" | "false") => Err("must be true or false".to_owned()),
            Kind::Text if value == "<empty>" => set(self, ""),
            _ => set(self, value),
        };
        result.map_err(|reason| refused(name, &reason))
    }
}

/// Returns the values of an option of type `combo`, as its declaration lists them.
fn choices(values: &[impl std::fmt::Display]) -> String {
    values.iter().map(|value| format!(" var {value}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_and_set() {
        let mut options = Options::default();
        let told = options.declarations();
        assert!(told.iter().any(|line| line == "option name Hash type spin default 256 min 1 max 65536"));
        assert!(told.contains(&"option name NetworkFile type string default <empty>".to_owned()));
        for line in [
            "option name considered type spin default 0 min 0 max 2147483647",
            "option name c_visit type string default 500",
            "option name algorithm type combo default gumbel var gumbel var puct",
            "option name finish_turns type check default true",
            "option name parallel_leaves type spin default 8 min 1 max 1024",
        ] {
            assert!(told.iter().any(|told| told == line), "{line}");
        }
        let variants = told.iter().find(|line| line.contains("UCI_Variant")).unwrap();
        assert!(variants.contains("default chess var ") && variants.contains(" var maxim"), "{variants}");
        for (name, value) in [
            ("uci_variant", "chesspp+third+instant"),
            ("NetworkFile", "a file.safetensors"),
            ("HASH", "16"),
            ("Threads", "2"),
            ("MultiPV", "3"),
            ("UCI_ShowWDL", "true"),
            ("Move Overhead", "100"),
            ("Considered", "8"),
            ("DrawScore", "-20"),
            ("UCI_LimitStrength", "true"),
            ("UCI_Elo", "1200"),
            ("Temperature", "100"),
        ] {
            options.set(name, value).unwrap();
        }
        assert_eq!(options.variant.to_string(), "chesspp+instant+third");
        assert_eq!((options.draw_score, options.temperature), (-20, 100));
        assert_eq!((options.limit_strength, options.elo), (true, 1200));
        assert_eq!((options.hash, options.multi_pv, options.show_wdl), (16, 3, true));
        assert_eq!((options.threads, options.search.considered), (2, Some(8)));
        options.set("Considered", "0").unwrap();
        assert_eq!(options.search, SearchConfig::default());
        assert_eq!((options.overhead, options.network.as_str()), (100, "a file.safetensors"));
        options.set("NetworkFile", "<empty>").unwrap();
        assert_eq!(options.network, "");
    }

    #[test]
    fn invalid_options_are_reported_and_change_nothing() {
        let mut options = Options::default();
        for (name, value, words) in [
            ("Style", "wild", ["Style", "MultiPV"]),
            ("Hash", "0", ["`0`", "1 to 65536"]),
            ("Hash", "much", ["`much`", "1 to 65536"]),
            ("DrawScore", "-101", ["`-101`", "-100 to 100"]),
            ("UCI_Elo", "9000", ["`9000`", "0 to 4000"]),
            ("UCI_ShowWDL", "yes", ["`yes`", "true or false"]),
            ("UCI_Variant", "checkers", ["`checkers`", "chesspp"]),
            ("c_visit", "-1", ["`-1`", "a number from 0 to 1000000"]),
            ("Considered", "-1", ["`-1`", "at least 1, or 0 for none"]),
            ("algorithm", "minimax", ["`minimax`", "gumbel or puct"]),
            ("gumbel_scale", "1", ["no option `gumbel_scale`", "c_scale, c_puct"]),
        ] {
            let error = options.set(name, value).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        }
        assert_eq!(options, Options::default());
    }
}
