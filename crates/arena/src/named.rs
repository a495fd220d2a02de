//! Matches between named players in a named variant.

use crate::ANCHOR_VERSION;
use crate::anchor::Anchor;
use crate::any::choose_move;
use crate::build::{cached, contender, games_at_once, searching};
use crate::folder::{MatchFolder, MatchKey};
use crate::match_error::MatchError;
use crate::matches::{Contender, MatchSettings, play_match};
use crate::openings::openings_from;
use crate::played::{GameEnd, PlayedGame};
use crate::player::PlayerError;
use crate::result::MatchResult;
use crate::search_player::breaking_ties;
use crate::source::EvaluatorSource;
use crate::spec::PlayerSpec;
use catapult_encoding::Encode;
use catapult_mcts::{Batch, EvaluationError, Evaluator, SEARCH_DEFAULTS, SearchConfig, Value};
use catapult_network::{Device, EvaluatorSettings, Network, NetworkEvaluator, file_hash, random_positions};
use catapult_records::GameRecord;
use catapult_rules::{Position, Variant, with_variant};
use catapult_selfplay::{Counters, SelfPlayError, ShardSettings, play_shard};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Result of a match and of each game. The games are sorted by pair. In each pair, the game in
/// which the first player has White comes first.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedMatch {
    /// Counts, score and Elo of the first player.
    pub result: MatchResult,
    /// Results of the games.
    pub ends: Vec<GameEnd>,
}

/// Player of a match: a spec, or a search with any evaluator.
#[derive(Clone)]
pub enum NamedPlayer<'a> {
    /// A player that its spec describes.
    Spec(&'a PlayerSpec),
    /// A player that searches.
    Search {
        /// Evaluator of positions.
        source: EvaluatorSource,
        /// Settings of the search, except that ties are broken as in all matches.
        config: SearchConfig,
        /// Simulations per move.
        simulations: u32,
    },
}

/// Maximum number of games that a player with a caller-supplied evaluator plays at the same time.
const GAMES_AT_ONCE: usize = 256;

impl NamedPlayer<'_> {
    /// Makes the player for a match. `None` as a name stands for the spec's own name.
    fn contender<P: Anchor + Encode>(
        &self,
        name: Option<&str>,
        variant: Variant,
        device: Device,
    ) -> Result<Contender<'static, P>, MatchError> {
        let failed = |error: PlayerError| MatchError::Player { name: name.map(str::to_owned), error };
        match self {
            NamedPlayer::Spec(spec) => {
                let contender = contender::<P>(spec, variant, device).map_err(failed)?;
                Ok(Contender { name: name.map_or(contender.name, str::to_owned), ..contender })
            }
            NamedPlayer::Search { source, config, simulations } => {
                let (source, config) = (source.clone(), breaking_ties(*config));
                let make =
                    searching(config, *simulations, move || Ok(cached(source.evaluator::<P>(variant)?)));
                let name = name.unwrap_or_default().to_owned();
                Ok(Contender { name, make, games_at_once: games_at_once(*simulations).min(GAMES_AT_ONCE) })
            }
        }
    }
}

/// Plays a match like [`play_match`], for callers that need no positions. A player is given as a
/// pair: its name in results, and its spec or search. `None` as a name stands for the spec's own
/// name. Networks run on `device`.
///
/// The signature contains no game type. The code of matches is therefore compiled only in this
/// crate, and not in every crate that plays matches.
///
/// # Errors
/// As [`play_match`], or a player can't be made. A file can't be used, or the folder contains
/// another match.
pub fn play_named_match(
    variant: Variant,
    [player, opponent]: &[(Option<&str>, NamedPlayer<'_>); 2],
    device: Device,
    settings: &MatchSettings,
    files: MatchFiles<'_>,
    progress: &(dyn Fn(u32) -> ControlFlow<()> + Sync),
) -> Result<NamedMatch, MatchError> {
    let hash = |player: &NamedPlayer<'_>| {
        let NamedPlayer::Spec(spec) = player else { return Ok(None) };
        let hash = spec.file().map(file_hash).transpose();
        hash.map_err(|error| MatchError::Player { name: None, error: error.into() })
    };
    let named = [&player.1, &opponent.1];
    with_variant!(variant, |P, rules| {
        let player = player.1.contender::<P>(player.0, variant, device)?;
        let opponent = opponent.1.contender::<P>(opponent.0, variant, device)?;
        let openings = match files.openings {
            Some(file) => openings_from::<P>(file, rules)?,
            None => settings.openings::<P>(rules)?,
        };
        let key = MatchKey {
            variant: variant.to_string(),
            player: player.name.clone(),
            opponent: opponent.name.clone(),
            player_network: hash(named[0])?,
            opponent_network: hash(named[1])?,
            search_defaults: SEARCH_DEFAULTS,
            anchor_version: ANCHOR_VERSION,
            seed: settings.seed,
            ply_cap: settings.ply_cap,
            time: settings.time.map(|time| time.to_string()),
            forbidden: settings.forbidden.map(|kind| kind.to_string()),
            openings: files.openings.map(|file| file.display().to_string()),
        };
        // A mistake must not take the folder.
        settings.check::<P>(&key.variant, rules, &openings)?;
        let opened = files.folder.map(|dir| MatchFolder::open::<P>(dir, &key, rules)).transpose()?;
        let (folder, known) = opened.unzip();
        let (players, kept) = ([&player, &opponent], (folder.as_ref(), known.unwrap_or_default()));
        let played = play_match(&key.variant, rules, players, settings, &openings, kept, progress)?;
        if let Some(folder) = &folder {
            folder.finish(variant, &key, &played.result, &played.games)?;
        }
        Ok(NamedMatch { ends: played.games.iter().map(PlayedGame::end).collect(), result: played.result })
    })
}

/// Plays a shard of self-play games with any evaluator, like [`play_shard`].
///
/// # Errors
/// As [`play_shard`], and if the source does not fit the variant.
pub fn play_named_shard(
    variant: Variant,
    source: &EvaluatorSource,
    settings: &ShardSettings<'_>,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<Vec<GameRecord>, SelfPlayError> {
    with_variant!(variant, |P, rules| {
        let made = source.evaluator::<P>(variant);
        let mut evaluator = made.map_err(|error| EvaluationError(error.to_string()))?;
        Ok(play_shard(&[(variant, rules)], settings, &mut *evaluator, counters, stop)?.games)
    })
}

/// Evaluates `count` positions of random games with a network. Returns the logits of all legal moves
/// and the values. Equal seeds give equal positions.
///
/// # Errors
/// The network does not fit the variant, or cannot be evaluated with the settings.
pub fn random_evaluations(
    variant: Variant,
    network: &Network,
    settings: EvaluatorSettings,
    count: usize,
    seed: u64,
) -> Result<(Vec<f32>, Vec<Value>), PlayerError> {
    with_variant!(variant, |P, rules| {
        let mut batch = Batch::default();
        for position in random_positions(P::start(rules), count, seed) {
            batch.push(position, 0, &position.legal_moves());
        }
        NetworkEvaluator::<P>::new(network, settings)?.evaluate(&mut batch)?;
        Ok((batch.logits, batch.values))
    })
}

/// Files of a match.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatchFiles<'a> {
    /// Openings, one per pair of games ([`openings_from`]). `None` draws random openings.
    pub openings: Option<&'a Path>,
    /// Folder to which each finished game is written, so that the match can be resumed. `None`
    /// writes no games.
    pub folder: Option<&'a Path>,
}

/// Returns the speed of a player on one thread, in moves per second. The player plays against
/// itself for at least `time`. Games are truncated after `ply_cap` plies.
///
/// # Errors
/// The player can't be made or fails.
pub fn moves_per_second(
    variant: Variant,
    spec: &PlayerSpec,
    device: Device,
    time: Duration,
    ply_cap: usize,
) -> Result<f64, PlayerError> {
    let mut choose = choose_move(spec, variant, device)?;
    let began = Instant::now();
    let mut moves = 0;
    loop {
        let mut game = variant.start();
        while game.outcome().is_none() && game.moves().len() < ply_cap {
            moves += 1;
            let chosen = choose(&*game, moves)?;
            if began.elapsed() >= time {
                return Ok(moves as f64 / began.elapsed().as_secs_f64());
            }
            game.push(chosen);
        }
    }
}
