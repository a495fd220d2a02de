//! Searches of many games at once. All games of a call have the same variant.

use crate::source::EvaluatorSource;
use catapult_encoding::Encode;
use catapult_engine::{Limits, Session, Settings, Snapshot};
use catapult_mcts::{Batch, Cached, EvaluationError, Evaluator, Value};
use catapult_rules::{AnyGame, Game, Move, Outcome, Position, Variant, with_variant};
use catapult_seeds::Stream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum number of games that a thread searches at once. It limits the memory for their trees.
const AT_ONCE: usize = 256;

/// Maximum number of evaluations that a thread caches.
const CACHED: usize = 1 << 14;

/// Settings and limits of searches of many games.
#[derive(Clone)]
pub struct ManySearches {
    /// Settings of each search. Its seed also depends on the game's number.
    pub settings: Settings,
    /// Limits of each search. A thread with more than 256 games searches them in parts, one after
    /// another. The parts share `move_time` in proportion to their games, so it limits the whole
    /// call.
    pub limits: Limits,
    /// If above 0, the move is sampled from the search's probabilities at this temperature. If 0,
    /// it is the best move.
    pub temperature: f32,
    /// Maximum number of threads. With an [`EvaluatorSource::Function`], one thread searches all
    /// games, because large batches matter most there.
    pub threads: usize,
}

/// Result for one game: state of the search and chosen move. A game that is over is not searched:
/// its state has no lines and the value of its outcome, and the move is `None`.
pub type Searched = (Snapshot, Option<Move>);

/// Searches games of a variant at the same time. Results do not depend on the number of threads.
/// `stop` is called often, on the calling thread. The searches fail if it returns true.
///
/// # Errors
/// The source does not fit the variant, an evaluation fails, a game has another variant, or `stop`
/// returned true. The error is a message.
pub fn search_many(
    variant: Variant,
    games: &[&dyn AnyGame],
    source: &EvaluatorSource,
    asked: &ManySearches,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<Searched>, String> {
    with_variant!(variant, |P, _rules| {
        let game = |game: &&dyn AnyGame| Some(game.line::<P>()?.game());
        let games: Option<Vec<Game<P>>> = games.iter().map(game).collect();
        let games = games.ok_or_else(|| format!("a game is not one of {variant}"))?;
        search_all(variant, &games, source, asked, stop)
    })
}

fn search_all<P: Encode>(
    variant: Variant,
    games: &[Game<P>],
    source: &EvaluatorSource,
    asked: &ManySearches,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<Searched>, String> {
    let make = || source.evaluator::<P>(variant).map_err(|error| error.to_string());
    let is_function = matches!(source, EvaluatorSource::Function { .. });
    let threads = if is_function { 1 } else { asked.threads.min(games.len()).max(1) };
    if threads == 1 {
        return search(games, &mut *make()?, asked, 0, stop).map_err(|error| error.to_string());
    }
    let stopped = AtomicBool::new(false);
    let share = games.len().div_ceil(threads);
    let parts: Vec<_> = games.chunks(share).map(|_| make()).collect::<Result<_, _>>()?;
    std::thread::scope(|scope| {
        let stopped = &stopped;
        let work = |(number, (games, mut evaluator)): (usize, (_, Box<dyn Evaluator<P> + Send>))| {
            let first = (number * share) as u64;
            scope.spawn(move || {
                search(games, &mut *evaluator, asked, first, &mut || stopped.load(Ordering::Relaxed))
            })
        };
        let workers: Vec<_> = games.chunks(share).zip(parts).enumerate().map(work).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(1));
            if stop() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        let mut found = Vec::with_capacity(games.len());
        for worker in workers {
            let part = worker.join().map_err(|_| "a search thread panicked".to_owned())?;
            found.extend(part.map_err(|error| error.to_string())?);
        }
        Ok(found)
    })
}

/// Searches games at the same time on the current thread. `first` is the number of the first game
/// among all requested games. The seeds of the searches depend on these numbers. Calls `stop` after
/// each batch and fails if it returns true.
fn search<P: Position>(
    all: &[Game<P>],
    evaluator: &mut dyn Evaluator<P>,
    asked: &ManySearches,
    first: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<Searched>, EvaluationError> {
    let mut evaluator = Cached::new(evaluator, CACHED);
    let mut found = Vec::with_capacity(all.len());
    let mut batch = Batch::default();
    for (part, games) in all.chunks(AT_ONCE).enumerate() {
        let began = Instant::now();
        let share = |time: Duration| time.mul_f64(games.len() as f64 / all.len() as f64);
        let limits = Limits { move_time: asked.limits.move_time.map(share), ..asked.limits.clone() };
        // A game's seed depends on its number among all games, not on the split into parts.
        let seed = |number: usize| {
            let number = first + (part * AT_ONCE + number) as u64;
            Stream::Board(number).seed(asked.settings.seed)
        };
        let seeds: Vec<u64> = (0..games.len()).map(seed).collect();
        let start = |(game, &seed): (&Game<P>, &u64)| {
            let mut session = Session::new(game.clone(), Settings { seed, ..asked.settings.clone() });
            if game.outcome().is_none() {
                session.start(limits.clone(), began.elapsed());
            }
            session
        };
        let mut sessions: Vec<Session<P>> = games.iter().zip(&seeds).map(start).collect();
        let mut firsts = vec![0; sessions.len()];
        loop {
            batch.clear();
            for (session, first) in sessions.iter_mut().zip(&mut firsts) {
                *first = batch.leaves.len();
                session.gather(&mut batch, began.elapsed());
            }
            if batch.leaves.is_empty() {
                break;
            }
            evaluator.evaluate(&mut batch)?;
            for (session, first) in sessions.iter_mut().zip(&firsts) {
                session.apply(&batch, *first, began.elapsed());
            }
            if stop() {
                return Err(EvaluationError("stopped".to_owned()));
            }
        }
        found.extend(sessions.iter().zip(&seeds).map(|(session, seed)| {
            if let Some(outcome) = session.game().outcome() {
                let wdl = if outcome == Outcome::Checkmate { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
                return (Snapshot { value: Value { wdl, moves_left: 0.0 }, ..Snapshot::default() }, None);
            }
            let chosen =
                session.sample_move(asked.temperature, Stream::Search(session.game().ply()).seed(*seed));
            (session.snapshot(), chosen.map(|(mv, _)| mv))
        }));
    }
    Ok(found)
}
