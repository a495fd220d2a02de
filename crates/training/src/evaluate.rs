//! The matches that say what was learned: the trained network and, beside it, the untrained search.

use crate::progress::Progress;
use crate::run::{network_path, read_json, read_report, read_reports, write_json};
use crate::{EvaluationConfig, TrainConfig, TrainingError};
use catapult_arena::{
    ANCHOR_VERSION, Anchor, BuiltInEvaluator, MatchError, MatchResult, MatchSettings, PlayerSpec,
    SearchSettings, Table, contender, play_match,
};
use catapult_encoding::Encode;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_network::{Compute, NetworkInfo, file_hash};
use catapult_rules::{Variant, with_variant};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays a complete run's matches and gives their table: the last network, the first (untrained, or what the run started
/// from) and the untrained uniform search against the config's opponents, and the last network against the first; in each
/// of the run's variants. Matches that were played before with the same networks and settings are read from `matches/`.
///
/// # Errors
/// [`TrainingError::Stopped`] soon after `stop` becomes true; a run that is not complete; what the players report.
pub fn evaluate(
    config: &TrainConfig,
    dir: &Path,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Table, TrainingError> {
    let mut table = Table { rows: Vec::new() };
    for pairing in &pairings(config, dir)? {
        table.rows.push(play_once(config, dir, pairing, progress, stop)?);
    }
    Ok(table)
}

/// The results of those of the matches that have been played with the networks and settings of the run, in the order of
/// [`evaluate`].
///
/// # Errors
/// A file of `matches/` that can't be read.
pub fn played_matches(config: &TrainConfig, dir: &Path) -> Result<Vec<MatchResult>, TrainingError> {
    if config.ends_with(&read_reports(dir)?).is_none() {
        return Ok(Vec::new());
    }
    let pairings = pairings(config, dir)?;
    let played = pairings.iter().map(|pairing| kept(config, dir, pairing));
    played.filter_map(Result::transpose).collect()
}

/// Reads the network files among the opponents, so that a missing one is told before the run and not after it.
pub(crate) fn check_opponents(config: &TrainConfig) -> Result<(), TrainingError> {
    for opponent in &config.evaluation.opponents {
        if let Ok(PlayerSpec::Network { file, .. }) = opponent.parse() {
            NetworkInfo::read(&file)?;
        }
    }
    Ok(())
}

/// Who plays whom, and what.
struct Pairing {
    variant: Variant,
    player: Entrant,
    opponent: Entrant,
}

fn pairings(config: &TrainConfig, dir: &Path) -> Result<Vec<Pairing>, TrainingError> {
    if config.evaluation.games == 0 {
        return Ok(Vec::new());
    }
    let simulations = config.evaluation.simulations;
    let last = config.ends_with(&read_reports(dir)?).unwrap_or(config.generations);
    let trained = Entrant::network(dir, last, simulations, "trained")?;
    let first = if config.initial.is_some() { "initial" } else { "untrained" };
    let untrained = Entrant::network(dir, 0, simulations, first)?;
    let uniform = Entrant {
        name: format!("search:uniform:{simulations}"),
        id: "uniform".into(),
        spec: PlayerSpec::Search {
            evaluator: BuiltInEvaluator::Uniform,
            simulations,
            settings: SearchSettings::default(),
        },
    };
    let mut pairings = Vec::new();
    for player in [&trained, &untrained, &uniform] {
        for opponent in &config.evaluation.opponents {
            let spec: PlayerSpec =
                opponent.parse().map_err(|e| TrainingError::Match(format!("evaluation.opponents: {e}")))?;
            let id = match &spec {
                // A file may be replaced by another of its name.
                PlayerSpec::Network { file, settings, .. } => file_hash(file)? + &settings.to_string(),
                _ => opponent.clone(),
            };
            pairings.push((player.clone(), Entrant { name: opponent.clone(), id, spec }));
        }
    }
    pairings.push((trained, untrained));
    let of_variant = |&variant: &Variant| {
        let pairing = move |(player, opponent)| Pairing { variant, player, opponent };
        pairings.clone().into_iter().map(pairing)
    };
    Ok(config.variants().iter().flat_map(of_variant).collect())
}

/// Who plays.
#[derive(Clone)]
struct Entrant {
    /// The name in the table.
    name: String,
    /// What decides its moves, the simulations apart: a network's hash or a player's name.
    id: String,
    spec: PlayerSpec,
}

impl Entrant {
    fn network(dir: &Path, generation: u32, simulations: u32, what: &str) -> Result<Entrant, TrainingError> {
        let report = read_report(dir, generation)?.ok_or_else(|| {
            TrainingError::Match(format!("{}: generation {generation} is not complete", dir.display()))
        })?;
        Ok(Entrant {
            name: format!("{what}:{simulations}"),
            id: report.network,
            spec: PlayerSpec::network(network_path(dir, generation), simulations),
        })
    }
}

/// A match as it is kept, with what it depends on.
#[derive(Serialize, Deserialize)]
struct Kept {
    player: String,
    opponent: String,
    settings: EvaluationConfig,
    result: MatchResult,
}

fn play_once(
    config: &TrainConfig,
    dir: &Path,
    pairing: &Pairing,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<MatchResult, TrainingError> {
    if let Some(result) = kept(config, dir, pairing)? {
        return Ok(result);
    }
    let Pairing { variant, player, opponent } = pairing;
    progress.match_begins(&format!("{} against {}", player.name, opponent.name), config.evaluation.games);
    let result = with_variant!(*variant, |P, rules| play::<P>(rules, config, pairing, progress, stop))?;
    let settings = kept_settings(config);
    let kept = Kept { player: player.id.clone(), opponent: opponent.id.clone(), settings, result };
    write_json(&kept_path(config, dir, pairing), &kept)?;
    Ok(kept.result)
}

fn kept_path(config: &TrainConfig, dir: &Path, pairing: &Pairing) -> PathBuf {
    let Pairing { variant, player, opponent } = pairing;
    let variant = if config.variants().len() > 1 { format!("{variant}-") } else { String::new() };
    let name = format!("{variant}{}-{}.json", player.name, opponent.name);
    dir.join("matches").join(name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-"))
}

/// The settings that a match depends on: the opponents are listed apart, so that adding one does not repeat the others'
/// matches.
fn kept_settings(config: &TrainConfig) -> EvaluationConfig {
    EvaluationConfig { opponents: Vec::new(), ..config.evaluation.clone() }
}

/// The result of a match that has been played by the same players with the same settings.
fn kept(config: &TrainConfig, dir: &Path, pairing: &Pairing) -> Result<Option<MatchResult>, TrainingError> {
    let path = kept_path(config, dir, pairing);
    if !path.exists() {
        return Ok(None);
    }
    // A damaged one is played again, as one of other players, settings, anchors or defaults of the search is.
    let Ok(kept) = read_json::<Kept>(&path) else { return Ok(None) };
    let same = kept.player == pairing.player.id
        && kept.opponent == pairing.opponent.id
        && kept.settings == kept_settings(config)
        && kept.result.anchor_version == ANCHOR_VERSION
        && kept.result.search_defaults == SEARCH_DEFAULTS;
    Ok(same.then_some(kept.result))
}

fn play<P: Anchor + Encode>(
    rules: P::Rules,
    config: &TrainConfig,
    pairing: &Pairing,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<MatchResult, TrainingError> {
    let settings = MatchSettings {
        games: config.evaluation.games,
        seed: config.seed,
        ply_cap: config.evaluation.ply_cap,
        threads: config.machine.playing_threads(),
        ..Default::default()
    };
    let make = |entrant: &Entrant| {
        let compute = Compute::on(&config.machine.device);
        let mut contender = contender::<P>(&entrant.spec, pairing.variant, &compute)
            .map_err(|e| TrainingError::Match(e.to_string()))?;
        contender.name.clone_from(&entrant.name);
        Ok::<_, TrainingError>(contender)
    };
    let watch = |state: catapult_arena::Progress| {
        progress.match_progress(state.games_done);
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (player, opponent) = (make(&pairing.player)?, make(&pairing.opponent)?);
    match play_match(&pairing.variant.to_string(), rules, &player, &opponent, &settings, &watch) {
        Ok(played) => Ok(played.result),
        Err(MatchError::Stopped) => Err(TrainingError::Stopped),
        Err(error) => Err(TrainingError::Match(error.to_string())),
    }
}
