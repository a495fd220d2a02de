//! Replay of a recorded game, ply by ply.

use crate::{GameRecord, VerifyError};
use catapult_rules::{Game, Move, Position};

/// One ply of a recorded game.
#[derive(Clone, Copy, Debug)]
pub struct Ply<P> {
    /// Index of the ply in the game, from 0.
    pub number: usize,
    /// Position before the move.
    pub before: P,
    /// The move played.
    pub mv: Move,
    /// Position after the move.
    pub after: P,
}

/// Iterator over the plies of a record, with the positions before and after each move.
///
/// An illegal move gives an error that names the game and the ply. Every further call then returns
/// the same error. The iterator checks only the legality of moves.
/// [`verify_game`](crate::verify_game) also checks policies, outcome and winner.
///
/// ```
/// use catapult_records::{GameRecord, Replay};
/// use catapult_rules::{Chess, Position, Standard, Variant};
///
/// let record = GameRecord::of_texts(Variant::Chess, None, "e2e4 c7c5")?;
/// for ply in Replay::<Chess>::new(&record, Standard)? {
///     let ply = ply?;
///     println!("{}", ply.before.san(ply.mv));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay<'a, P> {
    record: &'a GameRecord,
    game: Game<P>,
}

impl<'a, P: Position> Replay<'a, P> {
    /// Starts a replay at the record's first position.
    ///
    /// # Errors
    /// `start_fen` is not a position of the game `P`.
    pub fn new(record: &'a GameRecord, rules: P::Rules) -> Result<Replay<'a, P>, VerifyError> {
        let start = P::from_fen(&record.start_fen, rules);
        Ok(Replay { record, game: Game::new(start.map_err(|error| record.error_at(0, error))?) })
    }

    /// Returns the game with all moves that were replayed so far.
    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    /// Consumes the replay and returns the game with all moves that were replayed so far.
    pub fn into_game(self) -> Game<P> {
        self.game
    }
}

impl<P: Position> Iterator for Replay<'_, P> {
    type Item = Result<Ply<P>, VerifyError>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.game.ply();
        let mv = *self.record.moves.get(number)?;
        let before = *self.game.position();
        if !before.is_legal(mv) {
            return Some(Err(self.record.error_at(number, format!("{mv:?} is not legal"))));
        }
        self.game.push(mv);
        Some(Ok(Ply { number, before, mv, after: *self.game.position() }))
    }
}
