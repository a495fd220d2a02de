//! The interface between searches and evaluators such as networks.

use catapult_rules::{Move, Position};

/// A position to evaluate. It has at least one legal move. Only the root of a search can have an
/// outcome, such as a draw by the fifty-move rule.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<P> {
    /// Position to evaluate, without its history.
    pub position: P,
    /// Number of earlier occurrences of the position in the game, if the leaf is the root of a
    /// search. Always 0 below the root.
    pub repetitions: u8,
    /// Index of the leaf's first move in [`Batch::moves`].
    pub first_move: u32,
    /// Number of the leaf's moves in [`Batch::moves`].
    pub move_count: u16,
}

impl<P> Leaf<P> {
    /// Returns the index range of the leaf's moves in [`Batch::moves`] and [`Batch::logits`].
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first_move as usize..self.first_move as usize + self.move_count as usize
    }
}

/// Value of a position for its side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Value {
    /// Probabilities of win, draw and loss. They sum to 1.
    pub wdl: [f32; 3],
    /// Expected number of plies until the game ends.
    pub moves_left: f32,
}

/// Evaluation requests of one or more searches and, after [`Evaluator::evaluate`], the evaluations.
/// [`Batch::clear`] prepares a batch for the next requests.
#[derive(Clone, Debug)]
pub struct Batch<P> {
    /// Positions to evaluate, in the order of the requests.
    pub leaves: Vec<Leaf<P>>,
    /// Moves of all leaves, concatenated. Each leaf's moves are in the order of
    /// [`Position::legal_moves`], without those that a [`Mask`](crate::Mask) or
    /// [`Search::set_root_moves`](crate::Search::set_root_moves) excludes.
    pub moves: Vec<Move>,
    /// Output: one policy logit per entry of `moves`. The softmax over a leaf's logits gives the
    /// probabilities of its moves.
    pub logits: Vec<f32>,
    /// Output: one value per entry of `leaves`.
    pub values: Vec<Value>,
}

impl<P> Default for Batch<P> {
    fn default() -> Self {
        Batch { leaves: Vec::new(), moves: Vec::new(), logits: Vec::new(), values: Vec::new() }
    }
}

impl<P: Position> Batch<P> {
    /// Creates a batch with one request per position, for all its legal moves. The positions count
    /// as not repeated.
    pub fn of(positions: &[P]) -> Batch<P> {
        let mut batch = Batch::default();
        for position in positions {
            batch.push(*position, 0, &position.legal_moves());
        }
        batch
    }

    /// Removes all requests and evaluations. The allocations stay for reuse.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.moves.clear();
        self.logits.clear();
        self.values.clear();
    }

    /// Adds a request and returns its index in `leaves`. `moves` are the position's legal moves,
    /// without forbidden ones.
    pub fn push(&mut self, position: P, repetitions: u8, moves: &[Move]) -> usize {
        let first_move = self.moves.len() as u32;
        self.moves.extend_from_slice(moves);
        self.leaves.push(Leaf { position, repetitions, first_move, move_count: moves.len() as u16 });
        self.leaves.len() - 1
    }
}

/// An evaluator of positions, such as a network. The evaluation of a leaf must depend only on that
/// leaf.
pub trait Evaluator<P: Position> {
    /// Writes one logit per entry of `moves` and one value per entry of `leaves`, in order. Earlier
    /// contents of `logits` and `values` are replaced.
    ///
    /// # Errors
    /// The evaluator failed.
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError>;
}

impl<P: Position, E: Evaluator<P> + ?Sized> Evaluator<P> for &mut E {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        (**self).evaluate(batch)
    }
}

impl<P: Position, E: Evaluator<P> + ?Sized> Evaluator<P> for Box<E> {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        (**self).evaluate(batch)
    }
}

/// An asynchronous evaluator: a device evaluates one call while threads grow trees for the next. It
/// completes calls in the order of [`submit`](Self::submit). At most two calls may be outstanding.
pub trait QueuedEvaluator<P: Position>: Send {
    /// Starts to evaluate the leaves of all `batches` as one call.
    fn submit(&mut self, batches: &[&Batch<P>]) -> Result<(), EvaluationError>;

    /// Waits for the oldest outstanding call and writes its evaluations into `batches`, like
    /// [`Evaluator::evaluate`]. `batches` must be the batches of that call, in the same order.
    fn collect(&mut self, batches: &mut [&mut Batch<P>]) -> Result<(), EvaluationError>;
}

/// A failed evaluation, with the message of the evaluator.
#[derive(Debug, thiserror::Error)]
#[error("evaluation failed: {0}")]
pub struct EvaluationError(pub String);
