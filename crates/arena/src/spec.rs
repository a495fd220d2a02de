//! Names of players, as on a command line.

use crate::external::ExternalSpec;
use crate::session_player::ClockSettings;
use crate::settings::SearchSettings;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Maximum depth of alpha-beta in turns. Deeper searches take minutes per move.
pub const MAX_DEPTH: u32 = 8;

/// Maximum number of simulations per move.
pub const MAX_SIMULATIONS: u32 = 1_000_000;

/// Forms of a player's name, as help texts and errors list them.
pub const PLAYER_FORMS: &str = "\
     - random: random moves\n\
     - alphabeta:D, alphabeta:Dq: alpha-beta of depth D; q adds a quiescence search\n\
     - alphabeta:Dq~0.2: the same, with a fifth of its moves random\n\
     - alphabeta:material:NODES, alphabeta:FILE.safetensors:NODES: selective alpha-beta with a node limit\n\
     - search:EVALUATOR:SIMS: tree search; EVALUATOR is uniform, hash-random or material\n\
     - FILE.safetensors:SIMS: tree search with a network\n\
     - search:uniform:64@considered=8,c_scale=2, FILE.safetensors:64@c_scale=2: tree search with settings\n\
     - alphabeta:material:clock, alphabeta:FILE.safetensors:clock, FILE.safetensors:clock: \
     without a limit, for matches with clocks\n\
     - uci:COMMAND, uci:COMMAND?OPTION=VALUE&OPTION=VALUE: an external engine; \
     go=nodes 1000 limits it without a clock";

/// A player as its name describes it. Parsing and printing are inverse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSpec {
    /// `random`: plays a random legal move. All legal moves have the same probability.
    Random,
    /// `alphabeta:D`, or `alphabeta:Dq` with a quiescence search of captures. `~SHARE` after it makes
    /// this share of the moves random. These players are anchors, so their play never changes.
    AlphaBeta {
        /// Depth in turns, 1 to [`MAX_DEPTH`].
        depth: u32,
        /// True if the search continues from its leaves with captures.
        quiescence: bool,
        /// Average number of random moves in a thousand moves, 0 to 999.
        thousandths: u32,
    },
    /// `alphabeta:material:NODES`, `alphabeta:FILE.safetensors:NODES`, or one of them with `clock`
    /// instead of a number: selective alpha-beta search.
    Selective {
        /// Path of the network file. `None` for the values of the anchors.
        file: Option<PathBuf>,
        /// Number of evaluations per move. `None` if the clock decides.
        nodes: Option<u32>,
    },
    /// `search:EVALUATOR:SIMS`, or `search:EVALUATOR:SIMS@KEY=VALUE,...`: tree search without a
    /// network.
    Search {
        /// Evaluator of the search's leaves.
        evaluator: BuiltInEvaluator,
        /// Number of simulations per move.
        simulations: u32,
        /// Search settings that differ from the defaults of matches.
        settings: SearchSettings,
    },
    /// `FILE.safetensors:SIMS`, or `FILE.safetensors:SIMS@KEY=VALUE,...`: tree search with a
    /// network.
    Network {
        /// Path of the network file.
        file: PathBuf,
        /// Number of simulations per move.
        simulations: u32,
        /// Search settings that differ from the defaults of matches.
        settings: SearchSettings,
    },
    /// `FILE.safetensors:clock`, or `FILE.safetensors:clock@KEY=VALUE,...`: tree search with a
    /// network for the time that its clock allows.
    Clock {
        /// Path of the network file.
        file: PathBuf,
        /// Settings of the search and its tree that differ from the defaults.
        settings: ClockSettings,
    },
    /// `uci:COMMAND?OPTION=VALUE&...`: an external program that speaks the Universal Chess
    /// Interface.
    External(ExternalSpec),
}

impl PlayerSpec {
    /// Returns a network player with `simulations` per move and the search defaults of matches.
    pub fn network(file: impl Into<PathBuf>, simulations: u32) -> PlayerSpec {
        PlayerSpec::Network { file: file.into(), simulations, settings: SearchSettings::default() }
    }

    /// Returns true if the player plays only by a clock.
    pub fn needs_clock(&self) -> bool {
        matches!(self, PlayerSpec::Clock { .. } | PlayerSpec::Selective { nodes: None, .. })
    }

    /// Returns the path of the player's network file. `None` for a player without one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            PlayerSpec::Network { file, .. } | PlayerSpec::Clock { file, .. } => Some(file),
            PlayerSpec::Selective { file, .. } => file.as_deref(),
            PlayerSpec::Random
            | PlayerSpec::AlphaBeta { .. }
            | PlayerSpec::Search { .. }
            | PlayerSpec::External(_) => None,
        }
    }
}

catapult_rules::named! {
    /// Evaluators that need no network.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BuiltInEvaluator {
        /// All moves have equal priors. Every position has the value of a draw.
        Uniform = "uniform",
        /// Priors and values are pseudo-random numbers, drawn from the position's key.
        HashRandom = "hash-random",
        /// All moves have equal priors. Values come from the piece values on the board.
        Material = "material",
    }
    read as "evaluator"
}

/// Error in a player's name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("player `{name}`: {reason}")]
pub struct PlayerSpecError {
    /// Name as given.
    pub name: String,
    /// Description of the problem and the allowed values.
    pub reason: String,
}

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(name: &str) -> Result<Self, PlayerSpecError> {
        parse(name).map_err(|reason| PlayerSpecError { name: name.to_owned(), reason })
    }
}

fn parse(name: &str) -> Result<PlayerSpec, String> {
    if name == "random" {
        return Ok(PlayerSpec::Random);
    }
    if let Some(program) = name.strip_prefix("uci:") {
        return Ok(PlayerSpec::External(program.parse()?));
    }
    if name.ends_with(".safetensors") {
        return Err(format!("the simulations are missing: write `{name}:64` for 64 per move"));
    }
    // A path may contain colons, so the simulations follow the last one. The file's ending
    // identifies a network.
    if let Some((file, simulations)) = name.rsplit_once(':')
        && file.ends_with(".safetensors")
    {
        if let Some(file) = file.strip_prefix("alphabeta:") {
            return Ok(PlayerSpec::Selective { file: Some(file.into()), nodes: parse_nodes(simulations)? });
        }
        if let Some(settings) = simulations.strip_prefix("clock") {
            let settings = match settings.strip_prefix('@') {
                Some(settings) => settings.parse()?,
                None if settings.is_empty() => ClockSettings::default(),
                None => return Err(format!("`{simulations}`: write clock or clock@KEY=VALUE,...")),
            };
            return Ok(PlayerSpec::Clock { file: file.into(), settings });
        }
        let (simulations, settings) = parse_search(simulations)?;
        return Ok(PlayerSpec::Network { file: file.into(), simulations, settings });
    }
    if let Some((player, _)) = name.split_once('@')
        && (player == "random" || player.starts_with("alphabeta"))
    {
        return Err(format!(
            "`{player}` has no settings; `@` follows the simulations of a search or network"
        ));
    }
    match name.split(':').collect::<Vec<_>>()[..] {
        ["alphabeta", depth] => {
            let (depth, share) = depth.split_once('~').map_or((depth, None), |(d, share)| (d, Some(share)));
            let (depth, quiescence) = depth.strip_suffix('q').map_or((depth, false), |depth| (depth, true));
            let depth = parse_number("depth", depth, MAX_DEPTH)?;
            let thousandths = share.map_or(Ok(0), parse_share)?;
            Ok(PlayerSpec::AlphaBeta { depth, quiescence, thousandths })
        }
        ["alphabeta", "material", nodes] => {
            Ok(PlayerSpec::Selective { file: None, nodes: parse_nodes(nodes)? })
        }
        ["search", evaluator, simulations] => {
            let evaluator = evaluator.parse()?;
            let (simulations, settings) = parse_search(simulations)?;
            Ok(PlayerSpec::Search { evaluator, simulations, settings })
        }
        ["random", ..] => Err("`random` takes nothing after it".to_owned()),
        ["alphabeta", ..] => Err("write alphabeta:D or alphabeta:Dq, such as alphabeta:2q".to_owned()),
        ["search", ..] => Err("write search:EVALUATOR:SIMS, such as search:uniform:64".to_owned()),
        _ => Err(format!("not a player; allowed are:\n{PLAYER_FORMS}")),
    }
}

/// Parses `SIMS` or `SIMS@KEY=VALUE,...`. Checks that the settings are valid.
fn parse_search(text: &str) -> Result<(u32, SearchSettings), String> {
    let (simulations, settings) = match text.split_once('@') {
        Some((simulations, settings)) => (simulations, settings.parse()?),
        None => (text, SearchSettings::default()),
    };
    let simulations = parse_number("number of simulations", simulations, MAX_SIMULATIONS)?;
    settings.config(simulations)?;
    Ok((simulations, settings))
}

/// Parses a whole number from 1 to `most` that has only digits.
fn parse_number(what: &str, text: &str, most: u32) -> Result<u32, String> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    match text.parse::<u32>() {
        Ok(number) if digits && (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("the {what} is `{text}`; must be a whole number from 1 to {most}")),
    }
}

/// Parses a number of nodes, or `clock` as `None`.
fn parse_nodes(text: &str) -> Result<Option<u32>, String> {
    match text {
        "clock" => Ok(None),
        nodes => parse_number("number of nodes", nodes, MAX_SIMULATIONS).map(Some),
    }
}

/// Parses a share such as `0.2`, between 0 and 1 with at most three decimals. Returns it in
/// thousandths.
fn parse_share(text: &str) -> Result<u32, String> {
    let thousandths = text
        .strip_prefix("0.")
        .filter(|decimals| (1..=3).contains(&decimals.len()) && decimals.bytes().all(|b| b.is_ascii_digit()));
    match thousandths.map(|decimals| format!("{decimals:0<3}").parse::<u32>()) {
        Some(Ok(number @ 1..)) => Ok(number),
        _ => Err(format!(
            "the share of random moves is `{text}`; must be a number between 0 and 1 with at most three \
             decimals, such as 0.2"
        )),
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => f.write_str("random"),
            PlayerSpec::AlphaBeta { depth, quiescence, thousandths } => {
                let q = if *quiescence { "q" } else { "" };
                let share = format!("~0.{thousandths:03}");
                let share = if *thousandths > 0 { share.trim_end_matches('0') } else { "" };
                write!(f, "alphabeta:{depth}{q}{share}")
            }
            PlayerSpec::Selective { file, nodes } => {
                let values = file.as_ref().map_or("material".to_owned(), |file| file.display().to_string());
                let limit = nodes.map_or("clock".to_owned(), |nodes| nodes.to_string());
                write!(f, "alphabeta:{values}:{limit}")
            }
            PlayerSpec::Search { evaluator, simulations, settings } => {
                write!(f, "search:{}:{simulations}{}", evaluator.name(), suffix(settings))
            }
            PlayerSpec::Network { file, simulations, settings } => {
                write!(f, "{}:{simulations}{}", file.display(), suffix(settings))
            }
            PlayerSpec::Clock { file, settings } => {
                write!(f, "{}:clock{}", file.display(), suffix(settings))
            }
            PlayerSpec::External(spec) => write!(f, "uci:{spec}"),
        }
    }
}

/// Returns `@` and the settings, or nothing without settings.
fn suffix(settings: &impl fmt::Display) -> String {
    let settings = settings.to_string();
    if settings.is_empty() { settings } else { format!("@{settings}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(evaluator: BuiltInEvaluator, simulations: u32, settings: &str) -> PlayerSpec {
        let settings = if settings.is_empty() { Default::default() } else { settings.parse().unwrap() };
        PlayerSpec::Search { evaluator, simulations, settings }
    }

    #[test]
    fn every_form_reads_and_prints_the_same() {
        for (name, spec) in [
            ("random", PlayerSpec::Random),
            ("alphabeta:1", PlayerSpec::AlphaBeta { depth: 1, quiescence: false, thousandths: 0 }),
            ("alphabeta:3q", PlayerSpec::AlphaBeta { depth: 3, quiescence: true, thousandths: 0 }),
            ("alphabeta:2q~0.2", PlayerSpec::AlphaBeta { depth: 2, quiescence: true, thousandths: 200 }),
            ("alphabeta:1~0.005", PlayerSpec::AlphaBeta { depth: 1, quiescence: false, thousandths: 5 }),
            ("search:uniform:64", search(BuiltInEvaluator::Uniform, 64, "")),
            ("search:hash-random:1", search(BuiltInEvaluator::HashRandom, 1, "")),
            ("search:material:1000000", search(BuiltInEvaluator::Material, 1_000_000, "")),
            ("search:uniform:8@considered=4", search(BuiltInEvaluator::Uniform, 8, "considered=4")),
            ("runs/a:b/network.safetensors:32", PlayerSpec::network("runs/a:b/network.safetensors", 32)),
            (
                "a@b/network.safetensors:64@c_scale=2.0,considered=16",
                PlayerSpec::Network {
                    file: "a@b/network.safetensors".into(),
                    simulations: 64,
                    settings: "c_scale=2.0,considered=16".parse().unwrap(),
                },
            ),
            (
                "network.safetensors:clock@keep_tree=false",
                PlayerSpec::Clock {
                    file: "network.safetensors".into(),
                    settings: "keep_tree=false".parse().unwrap(),
                },
            ),
            (
                "alphabeta:a:b/network.safetensors:5000",
                PlayerSpec::Selective { file: Some("a:b/network.safetensors".into()), nodes: Some(5000) },
            ),
            ("alphabeta:material:clock", PlayerSpec::Selective { file: None, nodes: None }),
            ("uci:stockfish", PlayerSpec::External("stockfish".parse().unwrap())),
            (
                "uci:engines/some%20engine -x\u{a0}y?Move Overhead=5&A%26B=50%25&go=nodes 7",
                PlayerSpec::External(ExternalSpec {
                    command: ["engines/some engine", "-x\u{a0}y"].map(str::to_owned).to_vec(),
                    options: vec![
                        ("Move Overhead".to_owned(), "5".to_owned()),
                        ("A&B".to_owned(), "50%".to_owned()),
                    ],
                    go: "nodes 7".to_owned(),
                }),
            ),
        ] {
            assert_eq!(name.parse::<PlayerSpec>().unwrap(), spec);
            assert_eq!(spec.to_string(), name);
        }
    }

    #[test]
    fn refusals_say_what_is_wrong_and_what_is_allowed() {
        for (name, part) in [
            ("", "allowed are:\n- random: random moves\n- alphabeta:D"),
            ("stockfish", "not a player; allowed are:\n"),
            ("Random", "not a player"),
            ("random:1", "takes nothing"),
            ("alphabeta", "alphabeta:Dq"),
            ("alphabeta:", "depth is ``; must be a whole number from 1 to 8"),
            ("alphabeta:0", "depth is `0`"),
            ("alphabeta:9", "from 1 to 8"),
            ("alphabeta:+2", "depth is `+2`"),
            ("alphabeta:qq", "depth is `q`"),
            ("alphabeta:2:3", "alphabeta:2q"),
            ("alphabeta:2~", "share of random moves is ``"),
            ("alphabeta:2q~0", "share of random moves is `0`"),
            ("alphabeta:2q~0.000", "between 0 and 1"),
            ("alphabeta:2q~1", "between 0 and 1"),
            ("alphabeta:2q~0.1234", "at most three decimals"),
            ("alphabeta:2q~-0.2", "between 0 and 1"),
            ("alphabeta:~0.2", "depth is ``"),
            ("search", "search:EVALUATOR:SIMS"),
            ("search:uniform", "search:uniform:64"),
            (
                "search:stockfish:64",
                "`stockfish` is not a valid evaluator; allowed are uniform, hash-random, material",
            ),
            ("search:uniform:none", "number of simulations is `none`"),
            ("search:uniform:-4", "number of simulations is `-4`"),
            ("search:uniform:1000001", "from 1 to 1000000"),
            ("search:uniform:99999999999", "from 1 to 1000000"),
            ("network.safetensors", "simulations are missing: write `network.safetensors:64`"),
            ("network.safetensors:", "number of simulations is ``"),
            ("network.safetensors:0", "number of simulations is `0`"),
            ("alphabeta:network.safetensors:0", "number of nodes is `0`"),
            ("alphabeta:network.safetensors:clock@a=1", "number of nodes is `clock@a=1`"),
            ("alphabeta:material:", "number of nodes is ``"),
            ("network.pt:64", "not a player"),
            ("random@considered=8", "`random` has no settings"),
            ("alphabeta:2@considered=8", "`alphabeta:2` has no settings"),
            ("search:uniform:64@", "`` is not a setting"),
            ("search:uniform:64@colour=1", "no setting `colour`"),
            ("search:uniform:8@considered=16", "considered is `16`; must be at most half the simulations"),
            ("network.safetensors:none@considered=16", "number of simulations is `none`"),
            ("network.safetensors:32@gumbel_scale=1", "which matches do not use"),
            ("network.safetensors:clocks", "clock or clock@KEY=VALUE"),
            ("network.safetensors:clock@keep_tree=1", "keep_tree is `1`"),
            ("uci:", "the command is missing"),
            ("uci:?UCI_Elo=1350", "the command is missing"),
            ("uci:stockfish?UCI_Elo", "`UCI_Elo` is not an option"),
            ("uci:stockfish?=5", "an option needs a name"),
            ("uci:stockfish?Hash=1&hash=2", "only once"),
            ("uci:stockfish?go=infinite", "movetime, nodes, depth followed by a number"),
            ("uci:stockfish?go=nodes 0", "go is `nodes 0`"),
            ("uci:stockfish?Style=%zz", "two hexadecimal digits"),
            ("uci:stockfish?Style=a%0Aquit", "control characters"),
        ] {
            let error = name.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("player `{name}`: ")), "{error}");
            assert!(error.contains(part), "{name}: {error}");
        }
    }
}
