//! A pairing's games: a file each, which grows.

use super::{Entrant, RateSettings};
use crate::TrainingError;
use crate::progress::Progress;
use catapult_arena::rating::{Ended, Pair, pairing_seed};
use catapult_arena::{ANCHOR_VERSION, GameEnd, MatchSettings, play_named_match};
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_rules::Outcome;
use catapult_store::{read_kept, write_kept};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// What a pairing's games depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Terms {
    variant: String,
    /// The first player, whose results are counted, and the second.
    players: [String; 2],
    seed: u64,
    ply_cap: u32,
    anchor_version: u32,
    search_defaults: u32,
}

impl Terms {
    /// The order in which two players meet, whoever else is there.
    pub(super) fn order(mut players: [&Entrant; 2]) -> [&Entrant; 2] {
        players.sort_by_key(|player| (player.full_name(), player.id.clone()));
        players
    }

    fn new(players: [&Entrant; 2], settings: &RateSettings) -> Terms {
        Terms {
            variant: settings.variant.to_string(),
            players: players.map(|player| player.id.clone()),
            seed: settings.seed,
            ply_cap: settings.ply_cap,
            anchor_version: ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
        }
    }
}

/// The folder of a ladder's games.
pub(super) struct Book<'a> {
    pub dir: &'a Path,
    pub settings: &'a RateSettings,
    pub progress: &'a dyn Progress,
    pub stop: &'a AtomicBool,
}

impl Book<'_> {
    /// The first so many pairs of a pairing: read, and played as far as they are missing.
    pub(super) fn pairs(&self, players: [&Entrant; 2], count: u32) -> Result<Vec<Pair>, TrainingError> {
        let path = self.path(players);
        let terms = Terms::new(players, self.settings);
        let kept =
            read_kept::<_, Vec<Pair>>(&self.dir.into(), &path, &terms, &|text| self.progress.warn(text))?;
        let mut pairs = kept.unwrap_or_default();
        if pairs.len() < count as usize {
            let first = pairs.len() as u32;
            pairs.extend(self.play(players, &terms, first, count - first)?);
            write_kept(&path, &terms, &pairs)?;
        }
        pairs.truncate(count as usize);
        Ok(pairs)
    }

    fn path(&self, players: [&Entrant; 2]) -> PathBuf {
        let name = players.map(Entrant::full_name).join("--");
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-.~".contains(c) { c } else { '-' };
        self.dir.join(name.chars().map(plain).collect::<String>() + ".json")
    }

    /// Plays pairs from the `first`-th on.
    fn play(
        &self,
        players: [&Entrant; 2],
        terms: &Terms,
        first: u32,
        pairs: u32,
    ) -> Result<Vec<Pair>, TrainingError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(TrainingError::Stopped);
        }
        let settings = MatchSettings {
            games: 2 * pairs,
            first_pair: first,
            seed: pairing_seed(terms.seed, &terms.players[0], &terms.players[1]),
            ply_cap: terms.ply_cap,
            threads: self.settings.threads,
            ..Default::default()
        };
        let names = players.map(Entrant::full_name);
        self.progress.match_begins(&names.join(" against "), settings.games);
        let watch = |state: catapult_arena::MatchProgress| {
            self.progress.match_progress(state.games_done);
            if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let named = [(names[0].as_str(), &players[0].spec), (names[1].as_str(), &players[1].spec)];
        let RateSettings { variant, compute, .. } = self.settings;
        let played = play_named_match(*variant, named, compute, &settings, &watch)?;
        Ok(played.ends.chunks_exact(2).map(pair).collect())
    }
}

fn pair(ends: &[GameEnd]) -> Pair {
    let ended = |game: &GameEnd| match game.winner {
        Some(winner) if winner == game.player_color => Ended::Won,
        Some(_) => Ended::Lost,
        None if game.outcome == Outcome::Capped => Ended::Capped,
        None => Ended::Drawn,
    };
    Pair { as_white: ended(&ends[0]), as_black: ended(&ends[1]) }
}
