//! The command `catapult cluster selfplay`: plays or verifies one shard.

use crate::progress::Bars;
use anyhow::{Context, bail};
use catapult_records::{find_shards, read_shard, verify_record};
use catapult_rules::Outcome;
use catapult_selfplay::Counters;
use catapult_training::progress::Progress;
use catapult_training::{ShardId, TrainConfig, TrainingError, play_to_file};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args)]
pub(crate) struct SelfplayArguments {
    /// Config of the run.
    config: PathBuf,
    /// Network that plays: the network of the previous generation.
    #[arg(long)]
    network: PathBuf,
    /// Generation of the games, from 1.
    #[arg(long, allow_negative_numbers = true)]
    generation: u32,
    /// Number of the shard, from 0.
    #[arg(long, allow_negative_numbers = true)]
    shard: u32,
    /// Folder for the shard. An existing shard is verified: its hash, its games by the rules, and that playing it
    /// again gives the same bytes.
    #[arg(short, long, alias = "output", default_value = ".", value_parser = crate::folder())]
    out: PathBuf,
    /// Replace a key of the config. Repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

pub(crate) fn run(arguments: &SelfplayArguments) -> anyhow::Result<()> {
    let config = TrainConfig::read(&arguments.config, &arguments.settings)?;
    if !(1..=config.generations).contains(&arguments.generation) {
        let (found, all) = (arguments.generation, config.generations);
        bail!("--generation {found}: the config has {all} generations, numbered from 1");
    }
    let (shard, shards) = (arguments.shard, config.games.shards);
    if shard >= shards {
        bail!("--shard {shard}: the config has {shards} shards per generation, numbered from 0");
    }
    let stop = crate::stop::on_signal()?;
    let id = ShardId { generation: arguments.generation, shard };
    let counters = Arc::new(Counters::default());
    let play = |dir: &Path| {
        let bars = Bars::of(config.generations);
        bars.playing(id.generation, id.games(&config), config.simulations(id.generation), &counters);
        play_to_file(&config, id, &arguments.network, dir, &counters, stop).map_err(|error| match error {
            TrainingError::Stopped => anyhow::Error::new(error).context("no shard was written"),
            error => error.into(),
        })
    };
    let found = find_shards(&arguments.out)?.into_iter().find(|file| file.name == id.name());
    let Some(found) = found.map(|file| file.path) else {
        std::fs::create_dir_all(&arguments.out).with_context(|| arguments.out.display().to_string())?;
        let path = play(&arguments.out)?;
        let games = read_shard(&path)?.games;
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        let endings = counters.endings.load(std::sync::atomic::Ordering::Relaxed);
        let ended = games.iter().filter(|game| game.outcome == Outcome::Tablebase).count();
        say!(
            "{}: {} games, {plies} plies; {endings} games reached an ending that tables can cover; \
             a table ended {ended}",
            path.display(),
            games.len()
        );
        return Ok(());
    };
    let kept = read_shard(&found)?;
    if let Some(of) = kept.metadata.get("generation").filter(|of| **of != id.generation.to_string()) {
        bail!("{}: is of generation {of}; choose another --out folder", found.display());
    }
    for game in &kept.games {
        verify_record(game).with_context(|| found.display().to_string())?;
    }
    let scratch = tempfile::tempdir()?;
    let again = play(scratch.path())?;
    if again.file_name() != found.file_name() {
        let (found, again) = (found.display(), again.file_name().unwrap_or_default().display());
        bail!(
            "{found}: replaying it gives {again}; the config, network, version, processor or device differs"
        );
    }
    say!("{}: hash verified, all games follow the rules; replayed, byte-identical", found.display());
    Ok(())
}
