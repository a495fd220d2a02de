//! The command `catapult match`: plays a match.

use crate::compute::ComputeArguments;
use crate::progress::Bars;
use anyhow::ensure;
use catapult_arena::{
    MatchError, MatchFiles, MatchSettings, NamedPlayer, PLAYER_FORMS, PlayerSpec, TimeControl,
    play_named_match,
};
use catapult_network::usable_threads;
use catapult_rules::{ForbiddenKind, Variant};
use catapult_stats::{EloScale, Sprt};
use clap::{Args, ValueEnum};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

#[derive(Args)]
#[command(after_help = format!("Players:\n{PLAYER_FORMS}"))]
pub(crate) struct MatchArguments {
    /// Player whose score is reported.
    player: PlayerSpec,
    /// Opponent.
    opponent: PlayerSpec,
    /// Variant to play.
    #[arg(long, default_value = "chesspp", value_parser = crate::variant)]
    variant: Variant,
    /// Number of games, half of them with each colour.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    games: u32,
    /// Seed of openings and of all random choices.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Plies after which a game is truncated. It counts as half a point.
    #[arg(long, default_value_t = 300)]
    ply_cap: u32,
    /// Kind of move that the opponent may not make, unless it has no other: teleports,
    /// catapult-moves or catapult-captures. Between equal players, the score shows how much that
    /// kind of move adds to strength.
    #[arg(long, value_name = "KIND")]
    forbid_second: Option<ForbiddenKind>,
    /// Number of threads, at most one per processor; 0 takes all. Without --time and external engines, results do not
    /// depend on it.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Clock of both players: 60+0.6 (seconds and increment), 40/60+0.6, or 100ms for every move. Each thread then
    /// plays one game at a time.
    #[arg(long, value_name = "CONTROL")]
    time: Option<TimeControl>,
    /// End the match when a sequential test is decided: Elo of at most ELO0 or of at least ELO1, with 5 % for either
    /// error. `--games` is then the maximum.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Elo scale of the sequential test.
    #[arg(long, value_enum, default_value_t = Scale::Normalized, requires = "sprt")]
    sprt_scale: Scale,
    /// Openings, one per pair of games in their order: a PGN file, or a file with one FEN or EPD per line. By default
    /// the seed draws random openings.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Folder that keeps each game as it ends, and finally games.pgn and result.json. Rerun the command to resume.
    #[arg(short, long, alias = "out", value_name = "FOLDER", value_parser = crate::folder())]
    output: Option<PathBuf>,
    #[command(flatten)]
    compute: ComputeArguments,
    /// Also write the result to this JSON file.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scale {
    /// Elo from the score.
    Logistic,
    /// Elo from the score in standard deviations, which determines the number of games needed.
    Normalized,
}

fn parse_sprt(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(',').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    ends.filter(|(low, high): &(f64, f64)| low < high && low.abs() <= 600.0 && high.abs() <= 600.0)
        .ok_or_else(|| {
            "must be two Elo differences from -600 to 600, the lower first, such as 0,5".to_owned()
        })
}

pub(crate) fn run(arguments: &MatchArguments) -> anyhow::Result<()> {
    let stop = crate::stop::on_signal()?;
    let device = arguments.compute.device;
    let players = [&arguments.player, &arguments.opponent];
    let settings = MatchSettings {
        games: arguments.games,
        seed: arguments.seed,
        ply_cap: arguments.ply_cap,
        threads: usable_threads(arguments.threads),
        forbidden: arguments.forbid_second,
        time: arguments.time,
        sprt: arguments.sprt.map(|(elo0, elo1)| Sprt {
            scale: match arguments.sprt_scale {
                Scale::Logistic => EloScale::Logistic,
                Scale::Normalized => EloScale::Normalized,
            },
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        }),
        ..Default::default()
    };
    // A file that cannot be written must not cost the match.
    if let Some(path) = &arguments.json {
        crate::check_folder(path)?;
        ensure!(!path.is_dir(), "{}: is a folder", path.display());
    }
    let files = MatchFiles { openings: arguments.openings.as_deref(), folder: arguments.output.as_deref() };
    let played = Bars::new().during(|bars| {
        bars.match_begins(&format!("{} against {}", players[0], players[1]), arguments.games);
        let players = players.map(|spec| (None, NamedPlayer::Spec(spec)));
        play_named_match(arguments.variant, &players, device, &settings, files, &|games_done| {
            bars.match_progress(games_done);
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    });
    let played = played.map_err(|error| match (&arguments.output, error) {
        (Some(dir), MatchError::Stopped) => anyhow::Error::new(MatchError::Stopped)
            .context(format!("finished games are in {}; rerun the command to resume", dir.display())),
        (_, error) => error.into(),
    })?;
    let result = played.result;
    let written = arguments.json.as_ref().map_or(Ok(()), |path| crate::write_json(path, &result));
    // A file that cannot be written does not cost the result.
    say!("{result}");
    written
}
