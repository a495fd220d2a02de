//! Options of the UCI engine (`setoption`).

use catapult_rules::Variant;
use std::time::Duration;

/// Values of all options of the UCI engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// `UCI_Variant`: the game to play. The default is standard chess, because chess programs
    /// expect it.
    pub variant: Variant,
    /// `NetworkFile`: path of the network. Empty for the built-in network.
    pub network: String,
    /// `Hash`: memory limit of the search in MiB. During tree reuse there are two trees, and each
    /// may take half.
    pub hash: u32,
    /// `MultiPV`: maximum number of root moves in a report.
    pub multi_pv: u32,
    /// `UCI_ShowWDL`: `info` lines contain the probabilities of win, draw and loss.
    pub show_wdl: bool,
    /// `Ponder`: the chess program may use `go ponder`. This option has no effect on the engine.
    pub ponder: bool,
    /// `Move Overhead`: delay between the engine's answer and the moment its clock stops.
    pub overhead: Duration,
    /// `VerboseMoveStats`: before `bestmove`, prints visits, prior and Q of every root move.
    pub verbose: bool,
    /// `Considered`: maximum number of root moves that enter sequential halving. 0 derives the
    /// number from the simulations.
    pub considered: u32,
    /// `DrawScore`: value of a draw for the engine, from -100 (as bad as a loss) to 100 (as good as
    /// a win). A negative value avoids draws.
    pub draw_score: i32,
    /// `UCI_LimitStrength`: limits the engine's strength to the rating `elo`.
    pub limit_strength: bool,
    /// `UCI_Elo`: rating for `UCI_LimitStrength`, on the scale of the network's
    /// [`Ladder`](super::Ladder).
    pub elo: i32,
    /// `Temperature`: temperature T for sampling the move, in hundredths. A move's probability is
    /// proportional to its probability according to the search to the power of 1 / T. 0 plays the
    /// best move.
    pub temperature: i32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            variant: Variant::Chess,
            network: String::new(),
            hash: 256,
            multi_pv: 1,
            show_wdl: false,
            ponder: false,
            overhead: Duration::from_millis(30),
            verbose: false,
            considered: 0,
            draw_score: 0,
            limit_strength: false,
            elo: 1500,
            temperature: 0,
        }
    }
}

/// UCI type of an option, with the allowed values.
enum Kind {
    Text,
    Check,
    Spin(i32, i32),
    Combo(Vec<String>),
}

const NAMES: [&str; 13] = [
    "UCI_Variant",
    "NetworkFile",
    "Hash",
    "MultiPV",
    "UCI_ShowWDL",
    "Ponder",
    "Move Overhead",
    "VerboseMoveStats",
    "Considered",
    "DrawScore",
    "UCI_LimitStrength",
    "UCI_Elo",
    "Temperature",
];

impl Options {
    /// Returns the `option` lines that declare all options to a chess program. The declared
    /// defaults are the current values.
    pub fn declarations(&self) -> Vec<String> {
        let declaration = |name: &&str| {
            let (kind, now) = (Options::kind(name), self.get(name));
            match kind {
                Kind::Text => {
                    format!(
                        "option name {name} type string default {}",
                        if now.is_empty() { "<empty>" } else { &now }
                    )
                }
                Kind::Check => format!("option name {name} type check default {now}"),
                Kind::Spin(low, high) => {
                    format!("option name {name} type spin default {now} min {low} max {high}")
                }
                Kind::Combo(values) => {
                    let values: String = values.iter().map(|value| format!(" var {value}")).collect();
                    format!("option name {name} type combo default {now}{values}")
                }
            }
        };
        NAMES.iter().map(declaration).collect()
    }

    fn kind(name: &str) -> Kind {
        match name {
            "UCI_Variant" => Kind::Combo(Variant::all().map(|variant| variant.to_string()).collect()),
            "NetworkFile" => Kind::Text,
            "Hash" => Kind::Spin(1, 65_536),
            "MultiPV" => Kind::Spin(1, 256),
            "Move Overhead" => Kind::Spin(0, 10_000),
            "Considered" => Kind::Spin(0, 256),
            "DrawScore" => Kind::Spin(-100, 100),
            "UCI_Elo" => Kind::Spin(0, 4000),
            "Temperature" => Kind::Spin(0, 1000),
            _ => Kind::Check,
        }
    }

    fn get(&self, name: &str) -> String {
        match name {
            "UCI_Variant" => self.variant.to_string(),
            "NetworkFile" => self.network.clone(),
            "Hash" => self.hash.to_string(),
            "MultiPV" => self.multi_pv.to_string(),
            "UCI_ShowWDL" => self.show_wdl.to_string(),
            "Ponder" => self.ponder.to_string(),
            "Move Overhead" => self.overhead.as_millis().to_string(),
            "VerboseMoveStats" => self.verbose.to_string(),
            "DrawScore" => self.draw_score.to_string(),
            "UCI_LimitStrength" => self.limit_strength.to_string(),
            "UCI_Elo" => self.elo.to_string(),
            "Temperature" => self.temperature.to_string(),
            _ => self.considered.to_string(),
        }
    }

    /// Sets an option by name. The case of the name is ignored.
    ///
    /// # Errors
    /// An unknown name or an invalid value. The message contains the name, the value and what is
    /// allowed. The options stay unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let known = NAMES.iter().find(|known| known.eq_ignore_ascii_case(name));
        let name =
            *known.ok_or_else(|| format!("no option `{name}`; the options are {}", NAMES.join(", ")))?;
        let refused = |allowed: String| format!("option {name} is `{value}`; it may be {allowed}");
        let number = match Options::kind(name) {
            Kind::Spin(low, high) => {
                let number = value.parse().ok().filter(|number| (low..=high).contains(number));
                number.ok_or_else(|| refused(format!("{low} to {high}")))?
            }
            Kind::Check if !matches!(value, "true" | "false") => return Err(refused("true or false".into())),
            _ => 0,
        };
        match name {
            "UCI_Variant" => self.variant = value.parse().map_err(|error| refused(format!("{error}")))?,
            "NetworkFile" => self.network = if value == "<empty>" { String::new() } else { value.to_owned() },
            "Hash" => self.hash = number.unsigned_abs(),
            "MultiPV" => self.multi_pv = number.unsigned_abs(),
            "UCI_ShowWDL" => self.show_wdl = value == "true",
            "Ponder" => self.ponder = value == "true",
            "Move Overhead" => self.overhead = Duration::from_millis(number.unsigned_abs().into()),
            "VerboseMoveStats" => self.verbose = value == "true",
            "DrawScore" => self.draw_score = number,
            "UCI_LimitStrength" => self.limit_strength = value == "true",
            "UCI_Elo" => self.elo = number,
            "Temperature" => self.temperature = number,
            _ => self.considered = number.unsigned_abs(),
        }
        Ok(())
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
        assert_eq!(
            (options.overhead, options.network.as_str()),
            (Duration::from_millis(100), "a file.safetensors")
        );
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
