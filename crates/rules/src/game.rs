//! A game as it is played: start, moves, and what repetition needs.

use crate::{Move, Outcome, Position};

/// A game: a start position, its moves, and the keys of the positions that may still occur again.
#[derive(Clone, Debug)]
pub struct Game<P> {
    start: P,
    position: P,
    moves: Vec<Move>,
    /// Keys of the positions before the current one, oldest first, since the last move after which none can recur.
    earlier: Vec<u64>,
}

impl<P: Position> Game<P> {
    /// A game that begins with this position.
    pub fn new(start: P) -> Game<P> {
        Game { start, position: start, moves: Vec::new(), earlier: Vec::new() }
    }

    /// Plays a legal move.
    pub fn push(&mut self, mv: Move) {
        debug_assert!(self.position.is_legal(mv), "{mv:?} is not legal in {}", self.position);
        self.earlier.push(self.position.key());
        self.position.play(mv);
        self.moves.push(mv);
        if self.position.forgets_history() {
            self.earlier.clear();
        }
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The position it began with.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many moves have been played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Keys of the earlier positions that could occur again, oldest first; the current one is not among them.
    pub fn repetition_keys(&self) -> &[u64] {
        &self.earlier
    }

    /// How often the current position has occurred before.
    pub fn repetitions(&self) -> usize {
        let key = self.position.key();
        self.earlier.iter().filter(|earlier| **earlier == key).count()
    }

    /// How the game has ended, if it has: checkmate, stalemate, dead position, hundred plies, repetition, in this
    /// order. Repetition is the third occurrence of a position at the start of a turn.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            (self.position.is_turn_start() && self.repetitions() >= 2).then_some(Outcome::Repetition)
        })
    }
}
