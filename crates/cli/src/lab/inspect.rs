//! The command `catapult inspect`: verifies files or folders and shows their content.

use anyhow::{Context, bail};
use catapult_network::NetworkInfo;
use catapult_records::{find_shards, read_shard, verify_record};
use catapult_training::run::{self, Run};
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct InspectArguments {
    /// A network or state (.safetensors), a shard of games (.parquet), a folder of shards, or a run.
    paths: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &InspectArguments) -> anyhow::Result<()> {
    if arguments.paths.is_empty() {
        bail!("nothing to inspect: name a file or folder");
    }
    arguments.paths.iter().try_for_each(|path| inspect(path))
}

fn inspect(path: &Path) -> anyhow::Result<()> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if !path.exists() {
        bail!("{}: there is no such file or folder", path.display());
    } else if path.is_dir() && path.join("config.toml").exists() {
        inspect_run(path)
    } else if path.is_dir() {
        inspect_folder(path)
    } else if extension == "parquet" {
        inspect_shard(path)
    } else if extension == "safetensors" {
        inspect_network(path)
    } else {
        bail!("{}: neither .parquet, .safetensors, nor a folder", path.display())
    }
}

fn inspect_network(path: &Path) -> anyhow::Result<()> {
    let info = NetworkInfo::read(path)?;
    match info.step {
        Some(step) => say!("{}: training state after {step} steps, hash verified", path.display()),
        None => say!("{}: network, hash verified", path.display()),
    }
    say!("  architecture  {}", info.architecture);
    say!("  parameters    {}", info.parameters);
    say!("  layout        {}", info.layout);
    for (key, value) in &info.provenance {
        say!("  {key:<13} {value}");
    }
    say!("  blake3        {}", info.hash);
    Ok(())
}

fn inspect_shard(path: &Path) -> anyhow::Result<()> {
    let shard = read_shard(path)?;
    let (mut plies, mut rows) = (0, 0);
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for game in &shard.games {
        verify_record(game).with_context(|| path.display().to_string())?;
        plies += game.moves.len();
        rows += game.policies.iter().filter(|policy| !policy.is_empty()).count();
        *outcomes.entry(game.outcome.name()).or_default() += 1;
    }
    say!("{}: shard, hash verified, all moves legal", path.display());
    for (key, value) in &shard.metadata {
        say!("  {key:<13} {value}");
    }
    say!("  games         {}", shard.games.len());
    say!("  plies         {plies}, {rows} of them with a policy target");
    let outcomes: Vec<String> = outcomes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    say!("  outcomes      {}", outcomes.join(", "));
    Ok(())
}

fn inspect_folder(path: &Path) -> anyhow::Result<()> {
    let shards = find_shards(path)?;
    if shards.is_empty() {
        bail!("{}: no run (config.toml) and no shards (*.parquet) in it", path.display());
    }
    shards.iter().try_for_each(|shard| inspect_shard(&shard.path))
}

fn inspect_run(path: &Path) -> anyhow::Result<()> {
    let opened = Run::join(path)?;
    let (config, reports) = (opened.config(), opened.reports()?);
    let done = reports.len().saturating_sub(1);
    let is_spent = config.ends_with(&reports).is_some_and(|end| end < config.generations);
    let spent = if is_spent { ", its budget is spent" } else { "" };
    let (dir, variants, generations) = (path.display(), config.variant_names(), config.generations);
    say!("{dir}: a run of {variants}, {done} of {generations} generations complete{spent}");
    for report in &reports {
        say!("{}", crate::progress::describe(report, config.generations));
    }
    // Existing files are verified, not only counted.
    let mut absent = 0;
    for report in &reports {
        let network = run::network_path(path, report.generation);
        let folder = run::generation_dir(path, report.generation);
        for shard in find_shards(&folder.join("games"))? {
            read_shard(&shard.path)?;
        }
        // A run needs its last network to resume.
        if !network.exists() && report.generation < done as u32 {
            absent += 1;
            continue;
        }
        run::check_file(&network, Some(&report.network))?;
        let state = folder.join("state.safetensors");
        if state.exists() || report.generation == done as u32 {
            run::check_file(&state, report.state.as_deref())?;
        }
    }
    // Later generations may have shards already.
    let next = reports.len() as u32;
    for generation in next..=config.last_with_games(next) {
        for shard in find_shards(&run::generation_dir(path, generation).join("games"))? {
            read_shard(&shard.path)?;
        }
    }
    if absent > 0 {
        say!("the networks of {absent} generations are missing, as in an unpacked archive");
    }
    say!("all networks, states and shards present are intact");
    Ok(())
}
