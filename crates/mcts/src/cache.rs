//! A cache of evaluations.

use crate::{Batch, EvaluationError, Evaluator, Leaf, Value};
use catapult_rules::{Move, Position};

/// An evaluator that caches the evaluations of another evaluator. It requests equal leaves of a
/// batch only once.
///
/// An evaluation depends only on its leaf, so the cache never changes a result, not even in the
/// last bit. Hits are frequent between consecutive searches of a game, and between games with the
/// same opening.
///
/// The cache is direct-mapped: the hash of a leaf selects one slot, and a new entry replaces the
/// old entry of that slot.
///
/// ```
/// use catapult_mcts::{Cached, Search, SearchConfig, evaluators::Material, run};
/// use catapult_rules::{Chess, Game, Position};
///
/// let game = Game::new(Chess::start(Default::default()));
/// let mut search = Search::new(SearchConfig::default());
/// let mut cached = Cached::new(Material, 4096);
/// for _ in 0..2 {
///     search.start(&game, 32, 1);
///     run(&mut search, &mut cached)?;
/// }
/// // The second search repeats the first: one root evaluation and 32 leaves.
/// assert_eq!(cached.hits(), 33);
/// # Ok::<(), catapult_mcts::EvaluationError>(())
/// ```
#[derive(Debug)]
pub struct Cached<P, E> {
    evaluator: E,
    cache: EvaluationCache<P>,
}

/// The cache of [`Cached`], without an evaluator. Call [`look_up`](Self::look_up), evaluate the
/// [`missing`](Self::missing) leaves, then call [`complete`](Self::complete).
#[derive(Debug)]
pub struct EvaluationCache<P> {
    slots: Vec<Option<Entry<P>>>,
    /// Leaves that the last [`look_up`](Self::look_up) did not find, without duplicates. The caller
    /// evaluates them.
    pub missing: Batch<P>,
    /// Slots of the leaves in `missing`.
    slots_of_missing: Vec<usize>,
    /// For each leaf of the last batch, the index of the equal leaf in `missing`. `None` if the
    /// leaf's evaluation was cached.
    source: Vec<Option<usize>>,
    hits: u64,
}

#[derive(Debug)]
struct Entry<P> {
    position: P,
    repetitions: u8,
    /// Half-move clock and move number. Positions that differ only in these counters are equal
    /// under the rules, but an evaluator may read both. Networks read the clock.
    counters: [u32; 2],
    /// Moves of the leaf. A mask may have removed some legal moves.
    moves: Vec<Move>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Not evaluated yet. Contains the index of the leaf in `missing`.
    Pending(usize),
    Evaluated(Value, Vec<f32>),
}

impl<P: Position> Entry<P> {
    fn is_of(&self, leaf: &Leaf<P>, moves: &[Move]) -> bool {
        self.repetitions == leaf.repetitions
            && self.counters == counters(&leaf.position)
            && self.position == leaf.position
            && self.moves == moves
    }
}

fn counters<P: Position>(position: &P) -> [u32; 2] {
    [position.halfmove_clock(), position.fullmove_number()]
}

impl<P: Position, E: Evaluator<P>> Cached<P, E> {
    /// Creates an empty cache with `capacity` slots, rounded up to a power of two. Each cached
    /// evaluation takes a few hundred bytes.
    pub fn new(evaluator: E, capacity: usize) -> Cached<P, E> {
        Cached { evaluator, cache: EvaluationCache::new(capacity) }
    }

    /// Number of leaves since creation that needed no evaluation: cache hits and duplicates within
    /// a batch.
    pub fn hits(&self) -> u64 {
        self.cache.hits
    }
}

impl<P: Position> EvaluationCache<P> {
    /// Creates an empty cache with `capacity` slots, rounded up to a power of two. Each cached
    /// evaluation takes a few hundred bytes.
    pub fn new(capacity: usize) -> EvaluationCache<P> {
        EvaluationCache {
            slots: std::iter::repeat_with(|| None).take(capacity.next_power_of_two()).collect(),
            missing: Batch::default(),
            slots_of_missing: Vec::new(),
            source: Vec::new(),
            hits: 0,
        }
    }

    /// Returns the index of a leaf's slot, which is a hash of the position, its counters and its
    /// repetitions.
    fn slot(&self, leaf: &Leaf<P>) -> usize {
        let [clock, number] = counters(&leaf.position);
        let more = u64::from(clock) << 40 ^ u64::from(number) << 16 ^ u64::from(leaf.repetitions);
        let mixed = leaf.position.key() ^ more.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32) as usize & (self.slots.len() - 1)
    }

    /// Writes the cached evaluations into `batch`. Collects the other leaves in
    /// [`missing`](Self::missing), without duplicates.
    pub fn look_up(&mut self, batch: &mut Batch<P>) {
        self.missing.clear();
        self.slots_of_missing.clear();
        self.source.clear();
        batch.logits.resize(batch.moves.len(), 0.0);
        batch.values.resize(batch.leaves.len(), Value::default());
        for (i, leaf) in batch.leaves.iter().enumerate() {
            let moves = &batch.moves[leaf.range()];
            let slot = self.slot(leaf);
            let found = self.slots[slot].as_ref().filter(|entry| entry.is_of(leaf, moves));
            let source = match found.map(|entry| &entry.state) {
                Some(State::Evaluated(value, logits)) => {
                    batch.values[i] = *value;
                    batch.logits[leaf.range()].copy_from_slice(logits);
                    None
                }
                Some(&State::Pending(number)) => Some(number),
                None => {
                    let number = self.missing.push(leaf.position, leaf.repetitions, moves);
                    self.slots_of_missing.push(slot);
                    self.slots[slot] = Some(Entry {
                        position: leaf.position,
                        repetitions: leaf.repetitions,
                        counters: counters(&leaf.position),
                        moves: moves.to_vec(),
                        state: State::Pending(number),
                    });
                    Some(number)
                }
            };
            self.source.push(source);
        }
        self.hits += (batch.leaves.len() - self.missing.leaves.len()) as u64;
    }

    /// Caches the evaluations of the [`missing`](Self::missing) leaves and writes them into
    /// `batch`. `batch` must be the batch of the last [`look_up`](Self::look_up).
    ///
    /// # Panics
    /// If the missing leaves have not been evaluated.
    pub fn complete(&mut self, batch: &mut Batch<P>) {
        self.store();
        for (i, source) in self.source.iter().enumerate() {
            let Some(number) = *source else { continue };
            batch.values[i] = self.missing.values[number];
            let logits = &self.missing.logits[self.missing.leaves[number].range()];
            batch.logits[batch.leaves[i].range()].copy_from_slice(logits);
        }
    }

    /// Removes the entries of the last batch's missing leaves, because their evaluation failed.
    fn discard_missing(&mut self) {
        self.slots_of_missing.iter().for_each(|&slot| self.slots[slot] = None);
    }

    /// Stores the new evaluations. An evaluation is dropped if another leaf of the batch has taken
    /// its slot.
    fn store(&mut self) {
        for (number, &slot) in self.slots_of_missing.iter().enumerate() {
            if let Some(entry) = &mut self.slots[slot]
                && matches!(entry.state, State::Pending(index) if index == number)
            {
                let logits = self.missing.logits[self.missing.leaves[number].range()].to_vec();
                entry.state = State::Evaluated(self.missing.values[number], logits);
            }
        }
    }
}

impl<P: Position, E: Evaluator<P>> Evaluator<P> for Cached<P, E> {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        self.cache.look_up(batch);
        if !self.cache.missing.leaves.is_empty()
            && let Err(error) = self.evaluator.evaluate(&mut self.cache.missing)
        {
            self.cache.discard_missing();
            return Err(error);
        }
        self.cache.complete(batch);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluators::HashRandom;
    use crate::{Search, SearchConfig};
    use catapult_rules::{Chess, Game};

    /// Evaluator that returns the evaluations of [`HashRandom`] and counts the requested leaves in
    /// `asked`. It fails if `fails` is set.
    #[derive(Default)]
    struct Counting {
        asked: usize,
        fails: bool,
    }

    impl Evaluator<Chess> for Counting {
        fn evaluate(&mut self, batch: &mut Batch<Chess>) -> Result<(), EvaluationError> {
            self.asked += batch.leaves.len();
            if self.fails {
                return Err(EvaluationError("set to fail".into()));
            }
            HashRandom::default().evaluate(batch)
        }
    }

    fn chess(fen: &str) -> Chess {
        Chess::from_fen(fen, Default::default()).unwrap()
    }

    fn batch_of(leaves: &[(Chess, u8)]) -> Batch<Chess> {
        let mut batch = Batch::default();
        for (position, repetitions) in leaves {
            batch.push(*position, *repetitions, &position.legal_moves());
        }
        batch
    }

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    #[test]
    fn nothing_is_asked_twice_and_every_difference_counts() {
        let same = chess(&format!("{FEN} 0 1"));
        let (later, longer) = (chess(&format!("{FEN} 0 2")), chess(&format!("{FEN} 3 1")));
        let mut cached = Cached::new(Counting::default(), 1000);
        let mut batch = batch_of(&[(same, 0), (same, 0), (later, 0), (longer, 0), (same, 1)]);
        cached.evaluate(&mut batch).unwrap();
        assert_eq!((cached.evaluator.asked, cached.hits()), (4, 1));
        // As if a mask had removed a move.
        batch.clear();
        batch.push(same, 0, &same.legal_moves()[1..]);
        cached.evaluate(&mut batch).unwrap();
        assert_eq!((cached.evaluator.asked, cached.hits()), (5, 1));
    }

    #[test]
    fn answers_are_those_of_the_evaluator_however_small_the_table() {
        let games: Vec<Game<Chess>> = (0..3)
            .map(|i| {
                let mut game = Game::new(Chess::start(Default::default()));
                (0..i).for_each(|_| game.push(game.position().legal_moves()[4]));
                game
            })
            .collect();
        for answers in [1, 2, 64, 4096] {
            let mut cached = Cached::new(Counting::default(), answers);
            let mut asked = 0;
            // Runs each game twice, so that the second search finds cached evaluations of the
            // first.
            for seed in 0..6 {
                let game = &games[seed % 3];
                let config = SearchConfig { gumbel_scale: 1.0, ..SearchConfig::default() };
                let mut searches = [(); 2].map(|()| Search::new(config));
                searches.iter_mut().for_each(|search| search.start(game, 40, (seed % 3) as u64));
                let [ours, plain] = &mut searches;
                asked += crate::run(plain, &mut HashRandom::default()).unwrap().simulations as usize + 1;
                crate::run(ours, &mut cached).unwrap();
                assert_eq!(ours.result(), plain.result(), "{answers} answers");
            }
            let found = cached.hits() as usize;
            assert!(cached.evaluator.asked + found <= asked);
            assert!(answers < 4096 || found >= asked / 3, "{found} of {asked}");
        }
    }

    #[test]
    fn after_a_failure_nothing_is_awaited() {
        let position = chess(&format!("{FEN} 0 1"));
        let mut cached = Cached::new(Counting { fails: true, ..Counting::default() }, 16);
        assert!(cached.evaluate(&mut batch_of(&[(position, 0)])).is_err());
        cached.evaluator.fails = false;
        let mut batch = batch_of(&[(position, 0)]);
        cached.evaluate(&mut batch).unwrap();
        let mut expected = batch_of(&[(position, 0)]);
        HashRandom::default().evaluate(&mut expected).unwrap();
        assert_eq!((batch.values, batch.logits), (expected.values, expected.logits));
    }
}
