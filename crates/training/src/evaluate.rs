//! Final matches of a complete run. Its last network, its first network and a search without a
//! network meet the config's opponents.

use crate::config::match_file;
use crate::progress::{Progress, Silent, Watch};
use crate::run::{Run, network_path, read_report, read_reports};
use crate::{EvaluationConfig, TrainConfig, TrainingError};
use catapult_arena::{
    ANCHOR_VERSION, BuiltInEvaluator, MatchFiles, MatchResult, MatchSettings, NamedPlayer, PlayerSpec,
    SearchSettings, play_named_match,
};
use catapult_encoding::layout;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_network::{Network, file_hash, usable_threads};
use catapult_rules::Variant;
use catapult_store::{Location, Unit, find_or_make_all, publish_cached, read_cached};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Plays the final matches of a complete run and returns their results.
///
/// In each variant of the run, three players meet the config's opponents:
///
/// - the last network,
/// - the first network, which is untrained or from `initial`,
/// - the uniform search, which uses no network.
///
/// The last network also meets the first. If `matches/` has the result of a match with the same
/// networks and settings, the match is not played again.
///
/// # Errors
/// [`TrainingError::Stopped`] soon after `stop` becomes true. Another error if the run is not
/// complete, if a network is not the one in its report, or if a player cannot be created or fails.
pub fn evaluate(
    config: &TrainConfig,
    location: impl Into<Location>,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Vec<MatchResult>, TrainingError> {
    let location = location.into();
    let run = Run::join(location.clone())?;
    let last = config.ends_with(&run.reports()?);
    for generation in [Some(0), last].into_iter().flatten() {
        run.bring_network(generation)?;
    }
    let last = last.unwrap_or(config.generations);
    let units = match_units(config, &location, last, Watch { progress, stop })?;
    // Each match uses all threads.
    find_or_make_all(&units, 1, stop, |_, _| ())
}

/// Returns the results of the final matches that have been played, in the order of [`evaluate`].
/// Only results with the run's networks and settings are returned. Results against an opponent
/// whose file does not exist are left out. Empty if the run is not complete.
///
/// # Errors
/// A report, a network or a file in `matches/` cannot be read.
pub fn played_matches(config: &TrainConfig, dir: &Path) -> Result<Vec<MatchResult>, TrainingError> {
    let Some(last) = config.ends_with(&read_reports(dir)?) else { return Ok(Vec::new()) };
    let mut config = config.clone();
    config.evaluation.opponents.retain(|opponent| {
        let spec = opponent.parse::<PlayerSpec>().ok();
        spec.as_ref().and_then(PlayerSpec::file).is_none_or(Path::exists)
    });
    let never = AtomicBool::new(false);
    let location = dir.into();
    let units = match_units(&config, &location, last, Watch { progress: &Silent, stop: &never })?;
    units.iter().map(Unit::find).filter_map(Result::transpose).collect()
}

/// Checks that the opponents of the final matches can play: that their networks fit the run, and
/// that they need no clock. Training calls this first, so that such an opponent is not reported only
/// after the run.
pub(crate) fn check_opponents(config: &TrainConfig) -> Result<(), TrainingError> {
    if config.evaluation.games == 0 {
        return Ok(());
    }
    for opponent in &config.evaluation.opponents {
        let spec = spec_of(opponent)?;
        if spec.needs_clock() {
            let reason = "it needs a clock, and the matches of a run have none";
            return Err(TrainingError::Other(format!("evaluation.opponents: player `{opponent}`: {reason}")));
        }
        if let Some(file) = spec.file() {
            // All variants of a run have one layout.
            Network::load(file, &layout(config.variants()[0]))?;
        }
    }
    Ok(())
}

/// Parses the name of an opponent.
fn spec_of(opponent: &str) -> Result<PlayerSpec, TrainingError> {
    opponent.parse().map_err(|e| TrainingError::Other(format!("evaluation.opponents: {e}")))
}

/// Returns the final matches of a run that ends with generation `last`, as units of work. The run's
/// first and last network must be in the local folder.
pub(crate) fn match_units<'a>(
    config: &'a TrainConfig,
    location: &'a Location,
    last: u32,
    watch: Watch<'a>,
) -> Result<Vec<MatchUnit<'a>>, TrainingError> {
    if config.evaluation.games == 0 {
        return Ok(Vec::new());
    }
    let (dir, simulations) = (location.dir(), config.evaluation.simulations);
    let trained = Entrant::network(dir, last, simulations, "trained")?;
    let first = if config.initial.is_some() { "initial" } else { "untrained" };
    let untrained = Entrant::network(dir, 0, simulations, first)?;
    let settings = SearchSettings::default();
    let spec = PlayerSpec::Search { evaluator: BuiltInEvaluator::Uniform, simulations, settings };
    let uniform = Entrant { name: format!("search:uniform:{simulations}"), id: "uniform".into(), spec };
    let mut pairings = Vec::new();
    for player in [&trained, &untrained, &uniform] {
        for opponent in &config.evaluation.opponents {
            let spec = spec_of(opponent)?;
            let id = match (&spec, spec.file()) {
                // Another file may replace it under the same name.
                (PlayerSpec::Network { settings, .. }, Some(file)) => {
                    file_hash(file)? + &settings.to_string()
                }
                (_, Some(file)) => file_hash(file)? + opponent,
                (_, None) => opponent.clone(),
            };
            pairings.push((player.clone(), Entrant { name: opponent.clone(), id, spec }));
        }
    }
    pairings.push((trained, untrained));
    let of_variant = |&variant: &Variant| {
        let unit = move |(player, opponent)| MatchUnit { config, location, variant, player, opponent, watch };
        pairings.clone().into_iter().map(unit)
    };
    Ok(config.variants().iter().flat_map(of_variant).collect())
}

/// Player of a final match.
#[derive(Clone)]
struct Entrant {
    /// Name of the player in the table of results.
    name: String,
    /// Key that determines the player's moves: a network's hash and settings, or a player's name. A
    /// network's key does not contain the number of simulations.
    id: String,
    spec: PlayerSpec,
}

impl Entrant {
    fn network(dir: &Path, generation: u32, simulations: u32, what: &str) -> Result<Entrant, TrainingError> {
        let report = read_report(dir, generation)?.ok_or_else(|| {
            TrainingError::Other(format!("{}: generation {generation} is not complete", dir.display()))
        })?;
        Ok(Entrant {
            name: format!("{what}:{simulations}"),
            id: report.network,
            spec: PlayerSpec::network(network_path(dir, generation), simulations),
        })
    }
}

/// Cache key of a final match, stored with the result. A result with another key is ignored.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CacheKey {
    player: String,
    opponent: String,
    /// Settings of the matches, but with an empty list of opponents. Adding an opponent to the
    /// config therefore does not invalidate the other matches.
    settings: EvaluationConfig,
    anchor_version: u32,
    search_defaults: u32,
}

/// Final match of a run, as a unit of work.
pub(crate) struct MatchUnit<'a> {
    config: &'a TrainConfig,
    location: &'a Location,
    variant: Variant,
    player: Entrant,
    opponent: Entrant,
    watch: Watch<'a>,
}

impl MatchUnit<'_> {
    /// Returns the name of the match among the units of a run: `matches/NAME`.
    pub(crate) fn unit(&self) -> String {
        let MatchUnit { variant, player, opponent, .. } = self;
        let variant = (self.config.variants().len() > 1).then(|| variant.to_string());
        let names = variant.as_ref().into_iter().chain([&player.name, &opponent.name]);
        format!("matches/{}", names.map(|name| match_file(name)).collect::<Vec<_>>().join("-"))
    }

    fn path(&self) -> PathBuf {
        self.location.dir().join(self.unit() + ".json")
    }

    fn cache_key(&self) -> CacheKey {
        let settings = EvaluationConfig { opponents: Vec::new(), ..self.config.evaluation.clone() };
        let [player, opponent] = [&self.player, &self.opponent].map(|entrant| entrant.id.clone());
        CacheKey {
            player,
            opponent,
            settings,
            anchor_version: ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
        }
    }
}

impl Unit for MatchUnit<'_> {
    type Output = MatchResult;
    type Error = TrainingError;

    fn expected(&self) -> u64 {
        self.config.evaluation.games.into()
    }

    fn find(&self) -> Result<Option<MatchResult>, TrainingError> {
        Ok(read_cached(self.location, &self.path(), &self.cache_key(), &|text| {
            self.watch.progress.warn(text)
        })?)
    }

    fn make(&self) -> Result<MatchResult, TrainingError> {
        let MatchUnit { config, variant, player, opponent, .. } = self;
        let name = format!("{} against {}", player.name, opponent.name);
        self.watch.progress.match_begins(&name, config.evaluation.games);
        let settings = MatchSettings {
            games: config.evaluation.games,
            seed: config.seed,
            ply_cap: config.evaluation.ply_cap,
            threads: usable_threads(config.machine.threads),
            ..Default::default()
        };
        let device = config.machine.device.choose()?;
        let players =
            [player, opponent].map(|entrant| (Some(entrant.name.as_str()), NamedPlayer::Spec(&entrant.spec)));
        let progress = |state| self.watch.of_match(state);
        let files = MatchFiles::default();
        let played = play_named_match(*variant, &players, device, &settings, files, &progress)?;
        Ok(publish_cached(self.location, &self.path(), &self.cache_key(), played.result)?)
    }
}
