//! A record's game, played again.

use crate::{GameRecord, VerifyError};
use catapult_rules::{Game, Move, Position};

/// One ply of a record.
#[derive(Clone, Copy, Debug)]
pub struct Ply<P> {
    /// Its number, from 0.
    pub number: usize,
    /// Where it was played.
    pub before: P,
    /// The move.
    pub mv: Move,
    /// Where it led.
    pub after: P,
}

/// A record's plies in order, each with its positions; an error, which names the ply, where a move can't be played. Asks nothing else:
/// [`verify_game`](crate::verify_game) does.
#[derive(Clone, Debug)]
pub struct Replay<'a, P> {
    record: &'a GameRecord,
    game: Game<P>,
}

impl<'a, P: Position> Replay<'a, P> {
    /// Begins where the record does.
    ///
    /// # Errors
    /// The start is no position of the game.
    pub fn new(record: &'a GameRecord, rules: P::Rules) -> Result<Replay<'a, P>, VerifyError> {
        let start = P::from_fen(&record.start_fen, rules);
        Ok(Replay { record, game: Game::new(start.map_err(|error| record.refused(0, error))?) })
    }

    /// The game as far as it has been played.
    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    /// The same, given away.
    pub fn into_game(self) -> Game<P> {
        self.game
    }
}

impl<P: Position> Iterator for Replay<'_, P> {
    type Item = Result<Ply<P>, VerifyError>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.game.ply();
        let text = self.record.moves.get(number)?;
        let before = *self.game.position();
        Some(before.parse_move(text).map_err(|error| self.record.refused(number, error)).map(|mv| {
            self.game.push(mv);
            Ply { number, before, mv, after: *self.game.position() }
        }))
    }
}
