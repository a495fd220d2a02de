//! The command `catapult rate`: rates players on one Elo scale.

use crate::compute::ComputeArguments;
use crate::progress::Bars;
use anyhow::{bail, ensure};
use catapult_arena::rating::{BLOCK_PAIRS, anchors};
use catapult_arena::{PLAYER_FORMS, PlayerSpec};
use catapult_network::usable_threads;
use catapult_rules::Variant;
use catapult_store::read_json;
use catapult_training::ladder::{
    Entrant, RateSettings, RatingsFile, Roster, entrants, gauntlet, rate, ratings_dir, ratings_path,
};
use catapult_training::{TrainConfig, refresh_logs};
use clap::Args;
use std::path::{Path, PathBuf};

/// Folder of the repository's networks, whose files do not change.
const MODELS: &str = "models";

/// Number of games per rated player, from which the default of `--budget-games` is computed.
const GAMES_PER_PLAYER: u32 = 200;

#[derive(Args)]
#[command(after_help = format!(
    "Players:\n{PLAYER_FORMS}\n\n\
     Ratings are Elo by Davidson's model with a term for the colour. Intervals are 95 %, by a bootstrap over pairs of games. A player \
     with only wins or only losses gets a bound (> +800)."
))]
pub(crate) struct RateArguments {
    /// Folders of runs, network files, or any players.
    #[arg(required = true, value_name = "RUN|FILE|PLAYER")]
    players: Vec<String>,
    /// Simulations per move of networks: numbers separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "64", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    simulations: Vec<u32>,
    /// Rate every Nth generation of a run, and the last. The default rates about ten.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Maximum number of games of a pairing, played twenty at a time.
    #[arg(long, alias = "games-a-pairing", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u32).range(i64::from(2 * BLOCK_PAIRS)..))]
    games_per_pairing: u32,
    /// Maximum total number of games, played twenty at a time. The default is 200 per rated player.
    #[arg(long, value_parser = clap::value_parser!(u32).range(i64::from(2 * BLOCK_PAIRS)..))]
    budget_games: Option<u32>,
    /// Fixed opponents beside the anchors: network files or players. The default is the variant's
    /// *-quickstart.safetensors in models/ and models/opponents/. Put it after the other arguments.
    #[arg(long, num_args = 0.., value_name = "FILE|PLAYER")]
    gauntlet: Option<Vec<String>>,
    /// Anchors. The default is a ladder from random to alphabeta:material:85000. Put it after the other
    /// arguments.
    #[arg(long, num_args = 1.., value_name = "PLAYER")]
    anchors: Option<Vec<String>>,
    /// Player whose rating is 0.
    #[arg(long, default_value = "alphabeta:1q", value_name = "NAME")]
    zero: String,
    /// Variant. The default is the run's, or else chesspp.
    #[arg(long, value_parser = crate::variant)]
    variant: Option<Variant>,
    /// Folder for games and ratings. The default is RUN/ratings for one run (RUN/ratings/VARIANT if it has several
    /// variants), else ratings.
    #[arg(short, long, alias = "out", value_parser = crate::folder())]
    output: Option<PathBuf>,
    /// Seed of openings and of all random choices.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Plies after which a game is truncated. It counts as half a point.
    #[arg(long, default_value_t = 300)]
    ply_cap: u32,
    /// Number of threads, at most one per processor; 0 takes all. Without external engines, results do not depend on it.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    compute: ComputeArguments,
}

pub(crate) fn run(arguments: &RateArguments) -> anyhow::Result<()> {
    let mut runs = Vec::new();
    for player in &arguments.players {
        let config = Path::new(player).join("config.toml");
        if config.exists() {
            runs.push((Path::new(player), TrainConfig::read(&config, &[])?));
        }
    }
    ensure!(arguments.every.is_none() || !runs.is_empty(), "--every: no run is rated");
    let variant = variant(arguments.variant, &runs)?;
    let roster = roster(arguments, variant)?;
    let rated = roster.entrants.iter().filter(|entrant| entrant.is_rated).count() as u32;
    let settings = RateSettings {
        variant,
        games_per_pairing: arguments.games_per_pairing,
        budget_games: arguments.budget_games.unwrap_or(GAMES_PER_PLAYER.saturating_mul(rated)),
        seed: arguments.seed,
        ply_cap: arguments.ply_cap,
        threads: usable_threads(arguments.threads),
        device: arguments.compute.device,
    };
    let own = match &runs[..] {
        [(run, config)] => Some((*run, ratings_dir(run, config, variant))),
        _ => None,
    };
    let default = own.as_ref().map_or(PathBuf::from("ratings"), |(_, dir)| dir.clone());
    let dir = arguments.output.clone().unwrap_or(default);
    // Ratings are written anew. Another file of this name is not replaced.
    let ratings = ratings_path(&dir);
    if ratings.exists() {
        read_json::<RatingsFile>(&ratings)?;
    }
    let (others, games) = (roster.entrants.len() as u32 - rated, settings.budget_games);
    note!("{}: {rated} players and {others} others, at most {games} games", dir.display());
    let stop = crate::stop::on_signal()?;
    let file = Bars::new().during(|bars| {
        let file = rate(&roster, &settings, &dir, bars, stop)?;
        if let Some((run, own)) = &own
            && *own == dir
        {
            refresh_logs(run, bars)?;
        }
        anyhow::Ok(file)
    })?;
    say!("{file}");
    if file.games == 0 {
        note!("warning: no two players are close enough for a match; add --anchors between them");
    }
    Ok(())
}

/// Returns the variant to rate in: `requested`, or the only variant that all given runs have, or
/// `chesspp` if no run is given.
///
/// # Errors
/// A run does not have the requested variant. No variant is requested, and the runs have several
/// variants in common or none.
fn variant(requested: Option<Variant>, runs: &[(&Path, TrainConfig)]) -> anyhow::Result<Variant> {
    if let Some(variant) = requested {
        for (run, config) in runs {
            if !config.variants().contains(&variant) {
                bail!("--variant {variant}: {} has learned {}", run.display(), config.variant_names());
            }
        }
        return Ok(variant);
    }
    let Some((_, first)) = runs.first() else { return Ok("chesspp".parse()?) };
    let is_common = |variant: &Variant| runs.iter().all(|(_, config)| config.variants().contains(variant));
    let variants: Vec<Variant> = first.variants().iter().copied().filter(is_common).collect();
    match variants[..] {
        [] => {
            let learned =
                runs.iter().map(|(run, config)| format!("{}: {}", run.display(), config.variant_names()));
            bail!("the runs have no variant in common ({})", learned.collect::<Vec<_>>().join("; "))
        }
        [variant] => Ok(variant),
        _ => {
            let names: Vec<String> = variants.iter().map(Variant::to_string).collect();
            bail!("--variant is missing; must be one of {}", names.join(", "))
        }
    }
}

fn roster(arguments: &RateArguments, variant: Variant) -> anyhow::Result<Roster> {
    let levels = &arguments.simulations;
    let mut all: Vec<Entrant> = Vec::new();
    for player in &arguments.players {
        all.extend(entrants(player, levels, arguments.every)?);
    }
    let frozen = match &arguments.gauntlet {
        Some(players) => players.clone(),
        None => gauntlet(Path::new(MODELS), variant).iter().map(|file| file.display().to_string()).collect(),
    };
    if arguments.gauntlet.is_none() && !Path::new(MODELS).is_dir() {
        note!(
            "{MODELS}: there is no such folder here, so the gauntlet is empty; name opponents with --gauntlet"
        );
    }
    for player in &frozen {
        let opponents = entrants(player, levels, None)?;
        all.extend(opponents.into_iter().map(|opponent| Entrant { is_rated: false, ..opponent }));
    }
    let anchors: Vec<PlayerSpec> = match &arguments.anchors {
        Some(names) => names.iter().map(|name| name.parse::<PlayerSpec>()).collect::<Result<_, _>>()?,
        None => anchors().into_iter().map(|anchor| anchor.spec).collect(),
    };
    for anchor in anchors {
        all.push(Entrant::new(anchor, false)?);
    }
    if let Some(entrant) = all.iter().find(|entrant| entrant.spec.needs_clock()) {
        bail!("{}: `rate` has no clock; write a number instead of `clock`", entrant.spec);
    }
    Ok(Roster::new(all, &arguments.zero)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the variant in which runs with these variants are rated, or the error message.
    fn rated(runs: &[&str]) -> Result<String, String> {
        let tiny = include_str!("../../../../configs/test/tiny.toml");
        let config = |variants: &&str| {
            let text = tiny.replace("variant = \"chesspp\"", &format!("variants = [{variants}]"));
            (Path::new("runs/tiny"), TrainConfig::parse(&text, &[]).unwrap())
        };
        let runs: Vec<_> = runs.iter().map(config).collect();
        variant(None, &runs).map(|variant| variant.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn runs_are_rated_in_the_variant_that_they_share() {
        assert_eq!(rated(&[]).unwrap(), "chesspp");
        let (both, three) = ("\"chess\", \"chesspp\"", "\"chesspp+free\", \"chesspp\", \"chess\"");
        assert_eq!(rated(&[three, "\"chess\""]).unwrap(), "chess");
        let missing = "--variant is missing; must be one of chess, chesspp";
        assert_eq!(rated(&[both, both]).unwrap_err(), missing);
        assert_eq!(rated(&[both, three]).unwrap_err(), missing);
        let error = rated(&["\"chess\"", "\"chesspp\""]).unwrap_err();
        assert_eq!(error, "the runs have no variant in common (runs/tiny: chess; runs/tiny: chesspp)");
    }
}
