//! A game in progress: start position, moves, and the history for detecting repetition.

use crate::{Move, Outcome, Position};

/// A start position, the moves played since, and the keys of earlier positions that can recur.
///
/// ```
/// use catapult_rules::{Chess, Game, Outcome, Position, Standard};
///
/// let mut game = Game::new(Chess::start(Standard));
/// for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
///     let mv = game.position().parse_san(san)?;
///     game.push(mv);
/// }
/// assert_eq!(game.repetitions(), 2);
/// assert_eq!(game.outcome(), Some(Outcome::Repetition));
/// # Ok::<(), catapult_rules::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game<P> {
    start: P,
    position: P,
    moves: Vec<Move>,
    /// Zobrist keys of the positions since the last irreversible move, oldest first. The current
    /// position is not included.
    earlier: Vec<u64>,
}

impl<P: Position> Game<P> {
    /// Creates a game that starts with this position.
    pub fn new(start: P) -> Game<P> {
        Game { start, position: start, moves: Vec::new(), earlier: Vec::new() }
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// In debug builds, if the move is illegal.
    pub fn push(&mut self, mv: Move) {
        debug_assert!(self.position.is_legal(mv), "{mv:?} is not legal in {}", self.position);
        self.earlier.push(self.position.key());
        self.position.play(mv);
        self.moves.push(mv);
        if self.position.forgets_history() {
            self.earlier.clear();
        }
    }

    /// Returns the current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Returns the start position.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// Returns the moves played, in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the number of moves played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Returns the Zobrist keys of earlier positions that can recur, oldest first. The current
    /// position is not included.
    pub fn repetition_keys(&self) -> &[u64] {
        &self.earlier
    }

    /// Returns the number of earlier positions of the game that equal the current position.
    pub fn repetitions(&self) -> usize {
        let key = self.position.key();
        self.earlier.iter().filter(|earlier| **earlier == key).count()
    }

    /// Returns the outcome by the rules, or `None` if the game is not over.
    ///
    /// The outcomes are tested in this order: checkmate, stalemate, dead position, fifty-move rule
    /// and repetition. Repetition is the third occurrence of a position at the start of a turn.
    pub fn outcome(&self) -> Option<Outcome> {
        outcome(&self.position, || self.repetitions())
    }
}

/// Returns the outcome of a game at `position`. `repetitions` returns the number of earlier positions
/// that equal it.
pub(crate) fn outcome<P: Position>(position: &P, repetitions: impl FnOnce() -> usize) -> Option<Outcome> {
    let repeated = || position.is_turn_start() && repetitions() >= 2;
    position.outcome().or_else(|| repeated().then_some(Outcome::Repetition))
}
