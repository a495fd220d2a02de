//! Options of the UCI engine (`setoption`).

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

macro_rules! options {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $default:expr, $name:literal $kind:expr;)*) => {
        /// Values of all options of the UCI engine.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Options {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for Options {
            fn default() -> Self {
                Options { $($field: $default,)* }
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
    /// `Considered`: maximum number of root moves that enter sequential halving. 0 derives the
    /// number from the simulations.
    considered: u32 = 0, "Considered" Kind::Spin(0, 256);
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
        let declaration = |Row { name, kind, get, .. }: &Row| {
            let now = get(self);
            let (kind, now, rest) = match kind {
                Kind::Text if now.is_empty() => ("string", "<empty>".to_owned(), String::new()),
                Kind::Text => ("string", now, String::new()),
                Kind::Check => ("check", now, String::new()),
                Kind::Spin(low, high) => ("spin", now, format!(" min {low} max {high}")),
                Kind::Combo(values) => {
                    ("combo", now, values().iter().map(|it| format!(" var {it}")).collect())
                }
            };
            format!("option name {name} type {kind} default {now}{rest}")
        };
        OPTIONS.iter().map(declaration).collect()
    }

    /// Sets an option by name. The case of the name is ignored.
    ///
    /// # Errors
    /// An unknown name or an invalid value. The message contains the name, the value and what is
    /// allowed. The options stay unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let known = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let Row { name, kind, set, .. } = known.ok_or_else(|| {
            let names: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
            format!("no option `{name}`; the options are {}", names.join(", "))
        })?;
        let number = value.parse::<i32>().ok();
        let allowed = match kind {
            Kind::Spin(low, high) => match number.filter(|number| (low..=high).contains(&number)) {
                None => Err(format!("{low} to {high}")),
                Some(number) => set(self, &number.to_string()),
            },
            Kind::Check if !matches!(value, "true" | "false") => Err("true or false".to_owned()),
            Kind::Text if value == "<empty>" => set(self, ""),
            _ => set(self, value),
        };
        allowed.map_err(|allowed| format!("option {name} is `{value}`; it may be {allowed}"))
    }
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
        assert_eq!((options.hash, options.multi_pv, options.show_wdl, options.considered), (16, 3, true, 8));
        assert_eq!(options.threads, 2);
        assert_eq!((options.overhead, options.network.as_str()), (100, "a file.safetensors"));
        options.set("NetworkFile", "<empty>").unwrap();
        assert_eq!(options.network, "");
    }

    #[test]
    fn what_cannot_be_set_is_told_and_changes_nothing() {
        let mut options = Options::default();
        for (name, value, words) in [
            ("Style", "wild", ["Style", "MultiPV"]),
            ("Hash", "0", ["`0`", "1 to 65536"]),
            ("Hash", "much", ["`much`", "1 to 65536"]),
            ("DrawScore", "-101", ["`-101`", "-100 to 100"]),
            ("UCI_Elo", "9000", ["`9000`", "0 to 4000"]),
            ("UCI_ShowWDL", "yes", ["`yes`", "true or false"]),
            ("UCI_Variant", "checkers", ["`checkers`", "chesspp"]),
        ] {
            let error = options.set(name, value).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        }
        assert_eq!(options, Options::default());
    }
}
