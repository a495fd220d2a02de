//! `catapult match`.

use crate::compute::ComputeArguments;
use crate::progress::Bars;
use anyhow::Context;
use catapult_arena::{Anchor, ForbiddenKind, MatchSettings, PLAYER_FORMS, PlayerSpec, contender, play_match};
use catapult_encoding::Encode;
use catapult_rules::{Variant, with_variant};
use catapult_training::progress::Progress;
use clap::Args;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

#[derive(Args)]
#[command(after_help = format!("Players: {PLAYER_FORMS}"))]
pub struct MatchArguments {
    /// The player whose wins are counted.
    player: PlayerSpec,
    /// Its opponent.
    opponent: PlayerSpec,
    /// The game.
    #[arg(long, default_value = "chesspp")]
    variant: Variant,
    /// Games, half of them with each colour.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// What openings and all choices by chance are drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A game is cut, without a result, after so many plies.
    #[arg(long, default_value_t = 300)]
    ply_cap: u32,
    /// A kind of move that the opponent may not make, with either colour, unless it has no other: teleports, catapult-moves or
    /// catapult-captures. Of equal players the score is what it is worth to have the kind.
    #[arg(long, value_name = "KIND")]
    forbid_second: Option<ForbiddenKind>,
    /// Threads; 0 takes all. The result does not depend on it.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    compute: ComputeArguments,
    /// Write the result as JSON to this file, too.
    #[arg(long)]
    json: Option<PathBuf>,
}

pub fn run(arguments: &MatchArguments) -> anyhow::Result<()> {
    with_variant!(arguments.variant, |P, rules| play::<P>(rules, arguments))
}

fn play<P: Anchor + Encode>(rules: P::Rules, arguments: &MatchArguments) -> anyhow::Result<()> {
    let stop = crate::stop::on_signal()?;
    let compute = arguments.compute.compute();
    let player = contender::<P>(&arguments.player, &compute)?;
    let opponent = contender::<P>(&arguments.opponent, &compute)?;
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
        threads => threads,
    };
    let settings = MatchSettings {
        games: arguments.games,
        seed: arguments.seed,
        ply_cap: arguments.ply_cap,
        threads,
        forbidden: arguments.forbid_second,
        ..Default::default()
    };
    let bars = Bars::new(0);
    bars.match_begins(&format!("{} against {}", player.name, opponent.name), arguments.games);
    let watch = |state: catapult_arena::Progress| {
        bars.match_progress(state.games_done);
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let played = play_match(&arguments.variant.to_string(), rules, &player, &opponent, &settings, &watch);
    drop(bars);
    let result = played?.result;
    say!("{result}");
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&result)? + "\n";
        std::fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
