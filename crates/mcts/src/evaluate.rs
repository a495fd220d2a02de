//! The interface between searches and evaluators such as networks.

use catapult_rules::{Move, Position};

/// A position to evaluate. It has at least one legal move. Below the root it has no outcome.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<P> {
    /// The position.
    pub position: P,
    /// Earlier occurrences of the root in the game. Always 0 below the root.
    pub repetitions: u8,
    /// Index of its first legal move in [`Batch::moves`].
    pub first_move: u32,
    /// Number of its legal moves.
    pub move_count: u16,
}

impl<P> Leaf<P> {
    /// Its range of [`Batch::moves`] and [`Batch::logits`].
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first_move as usize..self.first_move as usize + self.move_count as usize
    }
}

/// Value of a position for the side to move there.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Value {
    /// Probabilities of win, draw and loss. They sum to 1.
    pub wdl: [f32; 3],
    /// Expected plies until the game ends.
    pub moves_left: f32,
}

/// Evaluation requests of many searches and, once evaluated, the evaluations. Callers reuse a
/// batch.
#[derive(Clone, Debug)]
pub struct Batch<P> {
    /// Positions to evaluate, in the order of the requests.
    pub leaves: Vec<Leaf<P>>,
    /// Legal moves of all leaves, concatenated. Each leaf's moves are in the order of
    /// [`Position::legal_moves`], without those that a [`Mask`](crate::Mask) forbids.
    pub moves: Vec<Move>,
    /// Output: one policy logit per entry of `moves` (natural logarithm, any offset per leaf).
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
    /// Removes requests and evaluations and keeps the allocations.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.moves.clear();
        self.logits.clear();
        self.values.clear();
    }

    /// Adds a request and returns its index.
    pub fn push(&mut self, position: P, repetitions: u8, moves: &[Move]) -> usize {
        let first_move = self.moves.len() as u32;
        self.moves.extend_from_slice(moves);
        self.leaves.push(Leaf { position, repetitions, first_move, move_count: moves.len() as u16 });
        self.leaves.len() - 1
    }
}

/// Evaluates positions. The evaluation of a leaf must depend only on that leaf.
pub trait Evaluator<P: Position> {
    /// Writes one logit per entry of `moves` and one value per entry of `leaves`, in order.
    /// Replaces earlier contents of `logits` and `values`.
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
/// completes calls in order and holds at most two outstanding calls.
pub trait QueuedEvaluator<P: Position>: Send {
    /// Starts to evaluate the leaves of several batches as one call.
    fn ask(&mut self, batches: &[&Batch<P>]) -> Result<(), EvaluationError>;

    /// Waits for the oldest outstanding call and writes its evaluations into the same batches, like
    /// [`Evaluator::evaluate`].
    fn answer(&mut self, batches: &mut [&mut Batch<P>]) -> Result<(), EvaluationError>;
}

/// Adapts any evaluator to [`QueuedEvaluator`]. It evaluates in
/// [`answer`](QueuedEvaluator::answer).
#[derive(Debug, Default)]
pub struct WhenTaken<E>(pub E);

impl<P: Position, E: Evaluator<P> + Send> QueuedEvaluator<P> for WhenTaken<E> {
    fn ask(&mut self, _batches: &[&Batch<P>]) -> Result<(), EvaluationError> {
        Ok(())
    }

    fn answer(&mut self, batches: &mut [&mut Batch<P>]) -> Result<(), EvaluationError> {
        batches.iter_mut().try_for_each(|batch| self.0.evaluate(batch))
    }
}

/// A failed evaluation.
#[derive(Debug, thiserror::Error)]
#[error("evaluation failed: {0}")]
pub struct EvaluationError(pub String);
