//! Evaluation of one search's batches on the CPU, by one or several threads.

use crate::{Network, NetworkError};
use catapult_encoding::Encode;
use catapult_mcts::{Batch, EvaluationError, Evaluator, Leaf};
use catapult_model::CpuEvaluator;
use std::hint::spin_loop;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

/// Evaluators that share each batch, one per thread. The first runs on the calling thread.
pub(crate) struct Team<P> {
    own: CpuEvaluator<P>,
    part: Batch<P>,
    others: Vec<Worker<P>>,
}

/// An evaluator on a thread of its own, which ends when the worker is dropped.
struct Worker<P> {
    to: Sender<Batch<P>>,
    from: Receiver<Result<Batch<P>, EvaluationError>>,
    part: Batch<P>,
}

/// Number of attempts to receive before a thread sleeps, some 100 microseconds. A search sends its
/// next batch sooner, and waking a thread takes longer than an evaluation.
const ATTEMPTS: usize = 2_000;

impl<P: Encode> Team<P> {
    /// Creates evaluators for `threads` threads, at least one.
    ///
    /// # Errors
    /// The network has another layout than the game `P`, or a thread can't be started.
    pub(crate) fn new(network: &Network, rows: usize, threads: usize) -> Result<Team<P>, NetworkError> {
        let worker = |_| -> Result<Worker<P>, NetworkError> {
            let mut evaluator = CpuEvaluator::<P>::new(network, rows)?;
            let (to, batches) = channel::<Batch<P>>();
            let (done, from) = channel();
            let work = move || {
                while let Some(mut batch) = receive(&batches) {
                    let evaluated = evaluator.evaluate(&mut batch).map(|()| batch);
                    if done.send(evaluated).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .spawn(work)
                .map_err(|error| NetworkError::NoDevice(format!("no thread: {error}")))?;
            Ok(Worker { to, from, part: Batch::default() })
        };
        let others = (1..threads).map(worker).collect::<Result<_, NetworkError>>()?;
        Ok(Team { own: CpuEvaluator::new(network, rows)?, part: Batch::default(), others })
    }
}

impl<P: Encode> Evaluator<P> for Team<P> {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        if self.others.is_empty() {
            // A single evaluator needs no copy of the leaves.
            return self.own.evaluate(batch);
        }
        let ended = || EvaluationError("a thread of the evaluation has ended".to_owned());
        let each = batch.leaves.len().div_ceil(self.others.len() + 1).max(1);
        let mut parts = batch.leaves.chunks(each);
        fill(&mut self.part, parts.next().unwrap_or_default(), batch);
        let mut sent = 0;
        for (worker, leaves) in self.others.iter_mut().zip(parts) {
            fill(&mut worker.part, leaves, batch);
            worker.to.send(std::mem::take(&mut worker.part)).map_err(|_| ended())?;
            sent += 1;
        }
        // Receives all parts before returning an error, so that none is left for the next batch.
        let mut result = self.own.evaluate(&mut self.part);
        for worker in &mut self.others[..sent] {
            let answer = receive(&worker.from).unwrap_or_else(|| Err(ended()));
            result = result.and(answer.map(|part| worker.part = part));
        }
        result?;
        batch.logits.clear();
        batch.values.clear();
        for part in std::iter::once(&self.part).chain(self.others[..sent].iter().map(|worker| &worker.part)) {
            batch.logits.extend_from_slice(&part.logits);
            batch.values.extend_from_slice(&part.values);
        }
        Ok(())
    }
}

/// Replaces the content of `part` by these leaves of `batch`.
fn fill<P: Encode>(part: &mut Batch<P>, leaves: &[Leaf<P>], batch: &Batch<P>) {
    part.clear();
    for leaf in leaves {
        part.push(leaf.position, leaf.repetitions, &batch.moves[leaf.range()]);
    }
}

/// Receives the next message. Returns `None` if the sender is gone.
fn receive<T>(from: &Receiver<T>) -> Option<T> {
    for _ in 0..ATTEMPTS {
        match from.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => spin_loop(),
        }
    }
    from.recv().ok()
}
