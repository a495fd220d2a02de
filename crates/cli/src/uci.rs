//! The command `catapult uci`: runs the UCI engine on standard input and output.

use crate::compute::ComputeArguments;
use crate::networks::{EMBEDDED, read_ladder};
use catapult_arena::{read_lines, thinker};
use catapult_encoding::layout;
use catapult_engine::uci::{EngineFactory, Ladder, NewEngine, Options, Uci};
use catapult_network::{EvaluatorSettings, ModelError, Network, file_hash};
use catapult_rules::Variant;
use clap::Args;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

#[derive(Args)]
pub(crate) struct UciArguments {
    /// Set an option before the first line, e.g. --option UCI_Variant=chesspp. Repeatable.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    compute: ComputeArguments,
}

/// Maximum number of bytes read per input line. No line of the protocol is longer.
const LONGEST_LINE: u64 = 1 << 20;

/// Number of input lines that are read ahead of their execution.
const LINES: usize = 64;

pub(crate) fn run(arguments: &UciArguments) -> anyhow::Result<()> {
    let began = Instant::now();
    let clock = || began.elapsed();
    let mut uci = Uci::new(Networks(EvaluatorSettings::on(arguments.compute.device)));
    for option in &arguments.options {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let told = uci.line(&format!("setoption name {name} value {value}"), clock());
        if let Some(error) = told.iter().find_map(|line| line.strip_prefix("info string error: ")) {
            anyhow::bail!("--option {option}: {error}");
        }
        print(&told)?;
    }
    let lines = read_lines(std::io::stdin(), LONGEST_LINE, LINES);
    while !uci.has_quit() {
        let line = if uci.is_thinking() {
            lines.try_recv()
        } else {
            lines.recv().map_err(|_| TryRecvError::Disconnected)
        };
        match line {
            Ok(line) => print(&uci.line(&line, clock()))?,
            // End of input acts like `quit`. A running search still prints its move.
            Err(TryRecvError::Disconnected) => print(&uci.line("quit", clock()))?,
            Err(TryRecvError::Empty) => {
                let (out, is_busy) = uci.step(&clock);
                print(&out)?;
                if !is_busy && uci.is_thinking() {
                    // The search is finished, but its result waits for a line.
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        }
    }
    Ok(())
}

fn print(lines: &[String]) -> anyhow::Result<()> {
    for line in lines {
        say!("{line}");
    }
    Ok(())
}

/// Maximum number of evaluations that an engine caches, from one search to the next.
const CACHED: usize = 1 << 16;

/// Factory for engines whose networks are evaluated with these settings.
struct Networks(EvaluatorSettings);

impl EngineFactory for Networks {
    fn variant(&self, text: &str) -> Result<Variant, String> {
        crate::variant(text)
    }

    fn create(&self, variant: Variant, options: &Options) -> Result<NewEngine, String> {
        let Chosen { network, name, ladder } = network(variant, options)?;
        let settings = EvaluatorSettings { threads: options.threads, ..self.0 };
        let engine = thinker(variant, &network, settings, CACHED).map_err(|error| error.to_string())?;
        Ok(NewEngine { engine, description: format!("{variant} by {name}, {}", self.0.tower()), ladder })
    }
}

/// A network with the description of its origin, and its Elo ratings by number of simulations if
/// known.
struct Chosen {
    network: Network,
    name: String,
    ladder: Option<Ladder>,
}

/// Returns the network in the file that `options` name. Without a file, returns the variant's
/// embedded network.
///
/// # Errors
/// The network cannot be read. The error is a message.
fn network(variant: Variant, options: &Options) -> Result<Chosen, String> {
    let text = |error: ModelError| error.to_string();
    if !options.network.is_empty() {
        let path = Path::new(&options.network);
        let network = Network::load(path, &layout(variant)).map_err(text)?;
        // Only `UCI_Elo` needs the ladder, so the engine also plays without it.
        let (ladder, name) = match ladder_of(path, variant) {
            Ok(ladder) => (ladder, options.network.clone()),
            Err(reason) => (None, format!("{} (no UCI_Elo: {reason})", options.network)),
        };
        return Ok(Chosen { network, name, ladder });
    }
    let name = variant.to_string();
    let game = name.split('+').next().unwrap_or_default();
    // A test checks that every game has a network.
    let found = EMBEDDED.into_iter().find(|network| network.game == game).unwrap_or(EMBEDDED[0]);
    let file = format!("the network {}", found.name);
    let network = Network::from_bytes(&file, found.bytes.to_vec(), &layout(variant)).map_err(text)?;
    let learned = network.provenance.get("variant").map_or("", String::as_str);
    let description = if learned.split(", ").any(|one| one == name) {
        "the built-in network"
    } else {
        "the built-in network, which has not learned this rule set"
    };
    let ladder = if game == name { found.ladder() } else { None };
    Ok(Chosen { network, name: description.to_owned(), ladder })
}

/// Reads the Elo ratings by number of simulations from the ratings file next to a network's file.
/// The ratings file is `NAME.VARIANT.ladder.json`, or else `NAME.ladder.json`. Returns `None` if
/// neither exists.
///
/// # Errors
/// The ratings file cannot be read or is of another network or variant. The error is a message.
fn ladder_of(network: &Path, variant: Variant) -> Result<Option<Ladder>, String> {
    for extension in [format!("{variant}.ladder.json"), "ladder.json".to_owned()] {
        let path = network.with_extension(extension);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let hash = file_hash(network).map_err(|error| error.to_string())?;
        let ladder = read_ladder(&text, &variant.to_string(), &hash);
        return ladder.map(Some).map_err(|error| format!("{}: {error}", path.display()));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_several_games_has_a_ladder_in_each() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let ladder =
            |network: &str, variant: &str| ladder_of(&models.join(network), variant.parse().unwrap());
        // The Elo of 16 simulations in chess in docs/uci.md is that of four in Chess++, whose Elo
        // there is 1336.
        let strongest = "all-rules.safetensors";
        let simulations = |variant| ladder(strongest, variant).unwrap().unwrap().simulations(1341.0);
        assert_eq!(simulations("chess"), 16);
        assert_eq!(simulations("chesspp"), 4);
        assert!(ladder(strongest, "chesspp+third").unwrap().is_none(), "nothing was measured");
        // A file without a variant in its name also belongs to one variant.
        assert!(ladder("opponents/chess-small.safetensors", "chess").unwrap().is_some());
        let refused = ladder("opponents/chess-small.safetensors", "chesspp").unwrap_err();
        assert!(refused.contains("chess-small.ladder.json") && refused.contains("`chess`"), "{refused}");
    }

    #[test]
    fn a_network_plays_without_a_ladder_that_cannot_be_used() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/opponents/chesspp-strong.safetensors");
        let options = Options { network: file.to_owned(), ..Options::default() };
        let chosen = |variant: &str| network(variant.parse().unwrap(), &options).unwrap();
        assert!(chosen("chesspp").ladder.is_some());
        let Chosen { name, ladder, .. } = chosen("chesspp+third");
        assert!(ladder.is_none());
        assert!(name.starts_with(file) && name.contains("chesspp-strong.ladder.json"), "{name}");
    }

    #[test]
    fn the_engine_says_which_rule_sets_its_network_has_not_learned() {
        let chosen = |variant: &str| {
            let Chosen { name, ladder, .. } = network(variant.parse().unwrap(), &Options::default()).unwrap();
            (name, ladder.is_some())
        };
        let own = "the built-in network".to_owned();
        assert_eq!(chosen("chesspp"), (own.clone(), true));
        for learned in ["chesspp+third", "chesspp+bare", "chesspp+bare+still", "chesspp+later=0"] {
            assert_eq!(chosen(learned), (own.clone(), false), "{learned}");
        }
        for other in ["chesspp+free+third", "chesspp+bare+fifty=60"] {
            assert_eq!(chosen(other), (format!("{own}, which has not learned this rule set"), false));
        }
    }
}
