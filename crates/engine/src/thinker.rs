//! Searches in games of any variant.

use crate::{Limits, Session, Settings, Snapshot};
use catapult_mcts::{Batch, EvaluationError, Evaluator};
use catapult_rules::{AnyGame, Describe, Game, Move};
use std::time::Duration;

/// A [`Session`] of any variant with its own evaluator. All times count from the same fixed moment.
pub trait Thinker: Send {
    /// Sets the position to the current one of `game`. If the game continues the previous one, the
    /// tree is reused.
    ///
    /// # Errors
    /// The game has another position type than the thinker's variant. The error is a message.
    fn set_game(&mut self, game: &dyn AnyGame) -> Result<(), String>;
    /// Replaces the settings, and discards the tree.
    fn set_settings(&mut self, settings: Settings);
    /// Starts a search of the set position.
    fn start(&mut self, limits: Limits, now: Duration);
    /// Advances the search by one small batch of positions. `clock` returns the current time.
    /// Returns false if the search has ended or has nothing left to search.
    ///
    /// # Errors
    /// The first failed evaluation.
    fn step(&mut self, clock: &dyn Fn() -> Duration) -> Result<bool, EvaluationError>;
    /// Reports that the opponent has played the expected move. The limits of the pondering search
    /// apply from `now` on.
    fn ponder_hit(&mut self, now: Duration);
    /// Ends a search in progress. Its results stay available.
    fn stop(&mut self);
    /// Ends a search in progress and discards its tree and the measured speed.
    fn forget(&mut self);
    /// Returns true while a search is running.
    fn is_thinking(&self) -> bool;
    /// Returns the state of the search so far.
    fn snapshot(&self) -> Snapshot;
    /// Returns a move drawn at a temperature, or the best one at 0, and the expected reply. See
    /// [`Session::sample_move`].
    fn sample_move(&self, temperature: f32, seed: u64) -> Option<(Move, Option<Move>)>;
    /// Returns the number of simulations since the last search started.
    fn simulations(&self) -> u32;
}

/// A session with its evaluator, as a [`Thinker`].
pub struct SessionThinker<P: Describe, E> {
    session: Session<P>,
    evaluator: E,
    batch: Batch<P>,
}

impl<P: Describe, E: Evaluator<P>> SessionThinker<P, E> {
    /// Creates a thinker with default settings at the start position of `rules`.
    pub fn new(rules: P::Rules, evaluator: E) -> SessionThinker<P, E> {
        let session = Session::new(Game::new(P::start(rules)), Settings::default());
        SessionThinker { session, evaluator, batch: Batch::default() }
    }
}

impl<P: Describe, E: Evaluator<P> + Send> Thinker for SessionThinker<P, E> {
    fn set_game(&mut self, game: &dyn AnyGame) -> Result<(), String> {
        let line = game.line::<P>();
        let line = line.ok_or_else(|| format!("this search does not play {}", game.variant()))?;
        self.session.set_game(line.game());
        Ok(())
    }

    fn set_settings(&mut self, settings: Settings) {
        self.session.set_settings(settings);
    }

    fn start(&mut self, limits: Limits, now: Duration) {
        self.session.start(limits, now);
    }

    fn step(&mut self, clock: &dyn Fn() -> Duration) -> Result<bool, EvaluationError> {
        self.batch.clear();
        if self.session.gather(&mut self.batch, clock()) == 0 {
            return Ok(false);
        }
        self.evaluator.evaluate(&mut self.batch)?;
        self.session.apply(&self.batch, 0, clock());
        Ok(true)
    }

    fn ponder_hit(&mut self, now: Duration) {
        self.session.ponder_hit(now);
    }

    fn stop(&mut self) {
        self.session.stop();
    }

    fn forget(&mut self) {
        self.session.forget();
    }

    fn is_thinking(&self) -> bool {
        self.session.is_thinking()
    }

    fn snapshot(&self) -> Snapshot {
        self.session.snapshot()
    }

    fn sample_move(&self, temperature: f32, seed: u64) -> Option<(Move, Option<Move>)> {
        self.session.sample_move(temperature, seed)
    }

    fn simulations(&self) -> u32 {
        self.session.simulations()
    }
}
