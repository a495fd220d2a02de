//! What a search asks of an evaluator, and the answers: the only seam between trees and networks.

use catapult_rules::{Move, Position};

/// A position to evaluate. It has at least one legal move and no outcome.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<P> {
    /// The position.
    pub position: P,
    /// How often it has occurred before, in the game and on the way down the tree (0 or 1 in practice).
    pub repetitions: u8,
    /// Where its legal moves begin in [`Batch::moves`].
    pub first_move: u32,
    /// How many there are.
    pub move_count: u16,
}

impl<P> Leaf<P> {
    /// Its part of [`Batch::moves`] and [`Batch::logits`].
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first_move as usize..self.first_move as usize + self.move_count as usize
    }
}

/// The value of a position for the side to move there.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Value {
    /// Probabilities of win, draw and loss; they sum to 1.
    pub wdl: [f32; 3],
    /// Expected plies until the game ends.
    pub moves_left: f32,
}

/// Requests of many searches and, once evaluated, their answers. Reused from step to step.
#[derive(Clone, Debug)]
pub struct Batch<P> {
    /// The positions, in the order they were asked for.
    pub leaves: Vec<Leaf<P>>,
    /// Legal moves of all leaves, one after the other, each in the order of [`Position::legal_moves`]; what a
    /// [`Mask`](crate::Mask) forbids is left out.
    pub moves: Vec<Move>,
    /// Answers: a policy logit for each of `moves` (natural log, any offset per leaf).
    pub logits: Vec<f32>,
    /// Answers: a value for each of `leaves`.
    pub values: Vec<Value>,
}

impl<P> Default for Batch<P> {
    fn default() -> Self {
        Batch { leaves: Vec::new(), moves: Vec::new(), logits: Vec::new(), values: Vec::new() }
    }
}

impl<P: Position> Batch<P> {
    /// Forgets requests and answers, keeps the memory.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.moves.clear();
        self.logits.clear();
        self.values.clear();
    }

    /// Adds a request and gives its index.
    pub fn push(&mut self, position: P, repetitions: u8, moves: &[Move]) -> usize {
        let first_move = self.moves.len() as u32;
        self.moves.extend_from_slice(moves);
        self.leaves.push(Leaf { position, repetitions, first_move, move_count: moves.len() as u16 });
        self.leaves.len() - 1
    }
}

/// Answers requests. The answer to a leaf may depend on nothing but the leaf.
pub trait Evaluator<P: Position> {
    /// Fills `logits` and `values` for all leaves.
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

/// An evaluator that is asked first and answers later: a device works on one call while threads grow trees for the next.
/// Calls are answered in their order, and at most two may wait.
pub trait QueuedEvaluator<P: Position>: Send {
    /// Begins to evaluate the leaves of several batches together.
    fn ask(&mut self, batches: &[&Batch<P>]) -> Result<(), EvaluationError>;

    /// Waits for the answers to the oldest call and puts them into the same batches, as [`Evaluator::evaluate`] would.
    fn answer(&mut self, batches: &mut [&mut Batch<P>]) -> Result<(), EvaluationError>;
}

/// Any evaluator as a queued one: it works when its answers are taken.
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

/// An evaluator that could not answer.
#[derive(Debug, thiserror::Error)]
#[error("evaluation failed: {0}")]
pub struct EvaluationError(pub String);
