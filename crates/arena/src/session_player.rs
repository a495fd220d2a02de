//! Network player with a clock. It thinks for the time that the clock allows and keeps its search
//! tree between moves.

use crate::player::{Player, PlayerError, Turn};
use crate::reply::{Reply, Score, Thought};
use crate::search_player::{AnyEvaluator, breaking_ties};
use crate::settings::SearchSettings;
use crate::time::TimeControl;
use catapult_engine::{Clock, Limits, Session, Settings, centipawns};
use catapult_mcts::Batch;
use catapult_rules::{Game, Position};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// Number of simulations with which the search settings are validated, because a search with a
/// clock has no fixed number.
const CHECKED_WITH: u32 = 1 << 16;

/// Part of the available time that the player leaves unused on each move. It covers the delay until
/// the match's clock stops. Such a delay occurs only if the thread is scheduled late.
pub(crate) const OVERHEAD: Duration = Duration::from_millis(10);

/// Settings of a player with a clock, for its search, its tree and its cache.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockSettings {
    search: SearchSettings,
    /// True if the player keeps its search tree between moves.
    keep_tree: bool,
    /// Maximum number of leaves that wait for evaluation at the same time. `None` allows all leaves
    /// that the search requests.
    in_flight: Option<u16>,
    /// True if the player caches evaluations, within a search and between searches.
    pub(crate) remember: bool,
}

impl Default for ClockSettings {
    fn default() -> Self {
        ClockSettings { search: SearchSettings::default(), keep_tree: true, in_flight: None, remember: true }
    }
}

impl ClockSettings {
    pub(crate) fn settings(&self) -> Result<Settings, String> {
        // An untrained network gives every move the same logit. The noise depends only on the ply.
        let search = breaking_ties(self.search.config(CHECKED_WITH)?);
        let in_flight = self.in_flight.map_or(usize::MAX, usize::from);
        Ok(Settings {
            search,
            overhead: OVERHEAD,
            keep_tree: self.keep_tree,
            in_flight,
            ..Settings::default()
        })
    }
}

impl FromStr for ClockSettings {
    type Err = String;

    fn from_str(text: &str) -> Result<ClockSettings, String> {
        let mut settings = ClockSettings::default();
        let (mut search, mut seen) = (Vec::new(), Vec::new());
        for setting in text.split(',') {
            let key = setting.split('=').next();
            if seen.contains(&key) {
                return Err(format!("{} occurs twice", key.unwrap_or_default()));
            }
            seen.push(key);
            let flag = |key: &str, value: &str| {
                value.parse::<bool>().map_err(|_| format!("{key} is `{value}`; must be true or false"))
            };
            match setting.split_once('=') {
                Some((key @ "keep_tree", value)) => settings.keep_tree = flag(key, value)?,
                Some((key @ "remember", value)) => settings.remember = flag(key, value)?,
                Some((key @ "in_flight", value)) => {
                    let number = value.parse().ok().filter(|&number| number > 0);
                    let number = number.ok_or_else(|| {
                        format!("{key} is `{value}`; must be a whole number from 1 to 65535")
                    })?;
                    settings.in_flight = Some(number);
                }
                _ => search.push(setting),
            }
        }
        if !search.is_empty() {
            settings.search = search.join(",").parse().map_err(|error: String| {
                // Adds the keys that only this type has.
                error.replace("allowed are ", "allowed are keep_tree, in_flight, remember, ")
            })?;
        }
        settings.settings()?;
        Ok(settings)
    }
}

impl fmt::Display for ClockSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend((!self.search.is_empty()).then(|| self.search.to_string()));
        parts.extend((!self.keep_tree).then(|| "keep_tree=false".to_owned()));
        parts.extend(self.in_flight.map(|number| format!("in_flight={number}")));
        parts.extend((!self.remember).then(|| "remember=false".to_owned()));
        f.write_str(&parts.join(","))
    }
}

/// Player that searches with an evaluator for the time that its clock allows. It plays one game at
/// a time.
pub(crate) struct SessionPlayer<P: Position> {
    session: Option<Session<P>>,
    settings: Settings,
    evaluator: AnyEvaluator<P>,
    batch: Batch<P>,
}

impl<P: Position> SessionPlayer<P> {
    /// Creates a player. `settings` are the settings of its session, which contains the game and
    /// the search tree.
    pub(crate) fn new(evaluator: AnyEvaluator<P>, settings: Settings) -> Self {
        SessionPlayer { session: None, settings, evaluator, batch: Batch::default() }
    }

    fn answer(&mut self, turn: &Turn<'_, P>) -> Result<Reply, PlayerError> {
        let began = Instant::now();
        let limits = limits(turn)?;
        let session = self
            .session
            .get_or_insert_with(|| Session::new(Game::new(*turn.game.start()), self.settings.clone()));
        session.set_game(turn.game.clone());
        session.start(limits, began.elapsed());
        while session.is_thinking() {
            self.batch.clear();
            if session.gather(&mut self.batch, began.elapsed()) > 0 {
                self.evaluator.evaluate(&mut self.batch)?;
                session.apply(&self.batch, 0, began.elapsed());
            }
        }
        let (best, _) = session.best().ok_or(PlayerError::NoMove)?;
        let found = session.snapshot();
        let score = found.lines.first().and_then(|line| match line.mate {
            Some(moves) => Some(Score::Mate(moves)),
            None => line.q.map(|q| Score::Cp(centipawns(q))),
        });
        let depth = Some((found.simulations + 1).ilog2());
        let thought = Thought { score, depth, nodes: Some(found.simulations.into()), seconds: None };
        Ok(Reply { chosen: Ok(best), thought })
    }
}

pub(crate) fn limits<P: Position>(turn: &Turn<'_, P>) -> Result<Limits, PlayerError> {
    let side = turn.game.position().side_to_move() as usize;
    if turn.mask.is_some() {
        return Err(PlayerError::Other("players with a clock do not support forbidden moves".into()));
    }
    let clocks = turn.clocks.ok_or(PlayerError::NoClock)?;
    Ok(match clocks.control {
        TimeControl::MoveTime(time) => Limits { move_time: Some(time), ..Limits::default() },
        TimeControl::Clock { increment, .. } => {
            let (remaining, moves_to_go) = (clocks.remaining(side), clocks.moves_to_go(side));
            Limits { clock: Some(Clock { remaining, increment, moves_to_go }), ..Limits::default() }
        }
    })
}

impl<P: Position> Player<P> for SessionPlayer<P> {
    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError> {
        turns.iter().map(|turn| self.answer(turn)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_mcts::SearchConfig;

    #[test]
    fn ties_are_broken() {
        let search = ClockSettings::default().settings().unwrap().search;
        assert_eq!(search, breaking_ties(SearchConfig::default()));
        assert_ne!(search, SearchConfig::default());
    }

    #[test]
    fn settings_are_read_and_printed() {
        for text in ["keep_tree=false", "considered=8,in_flight=1,remember=false", "c_scale=2"] {
            assert_eq!(text.parse::<ClockSettings>().unwrap().to_string(), text);
        }
        for (text, part) in [
            ("keep_tree=yes", "keep_tree is `yes`; must be true or false"),
            ("in_flight=0", "in_flight is `0`"),
            ("keep_tree=false,keep_tree=true", "keep_tree occurs twice"),
            ("considered=0", "considered is `0`"),
            ("colour=1", "keep_tree, in_flight, remember, algorithm"),
            ("simulations=5", "`simulations`"),
        ] {
            let error = text.parse::<ClockSettings>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
