//! An evaluator that remembers its answers.

use crate::{Batch, EvaluationError, Evaluator, Leaf, Value};
use catapult_rules::{Move, Position};

/// Asks another evaluator for what it does not remember, and for nothing twice in a batch. Since an answer depends on nothing
/// but the leaf, its own are the other's, bit for bit, however much it holds: only the work is less. What a game's next search
/// asks for has been asked for in good part by its last one, below the move that was played; and games that begin alike share
/// their openings.
///
/// The table is direct-mapped: each answer has one place, and takes it from whatever was there.
#[derive(Debug)]
pub struct Cached<P, E> {
    evaluator: E,
    memory: Memory<P>,
}

/// The answers of [`Cached`] without the evaluator, for those who ask it themselves: [`Memory::look_up`], then what is
/// [`missing`](Memory::missing) is to be evaluated, then [`Memory::complete`].
#[derive(Debug)]
pub struct Memory<P> {
    places: Vec<Option<Entry<P>>>,
    /// What is not in the table, with its place there.
    missing: Batch<P>,
    places_of_missing: Vec<usize>,
    /// For each leaf of a batch the number of the missing one that answers it, if none did at once.
    waits_for: Vec<Option<usize>>,
    hits: u64,
}

#[derive(Debug)]
struct Entry<P> {
    position: P,
    repetitions: u8,
    /// Two positions may be the same under the rules and differ in their counters, which a network sees.
    counters: [u32; 2],
    /// A mask may have left some out.
    moves: Vec<Move>,
    answer: Answer,
}

#[derive(Debug)]
enum Answer {
    /// That of the batch under way with this number.
    Awaited(usize),
    Known(Value, Vec<f32>),
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
    /// Remembers at most so many answers, rounded up to a power of two; a few hundred bytes each.
    pub fn new(evaluator: E, answers: usize) -> Cached<P, E> {
        Cached { evaluator, memory: Memory::new(answers) }
    }

    /// How many leaves were answered without the other evaluator.
    pub fn hits(&self) -> u64 {
        self.memory.hits()
    }
}

impl<P: Position> Memory<P> {
    /// Remembers at most so many answers, rounded up to a power of two; a few hundred bytes each.
    pub fn new(answers: usize) -> Memory<P> {
        Memory {
            places: std::iter::repeat_with(|| None).take(answers.next_power_of_two()).collect(),
            missing: Batch::default(),
            places_of_missing: Vec::new(),
            waits_for: Vec::new(),
            hits: 0,
        }
    }

    /// How many leaves were answered at once.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// What the last batch asks for that is not known, each leaf once; to be evaluated.
    pub fn missing(&self) -> &Batch<P> {
        &self.missing
    }

    /// The same, to put the answers in.
    pub fn missing_mut(&mut self) -> &mut Batch<P> {
        &mut self.missing
    }

    /// The low bits of a key are as good as any; those of the counters are mixed in by an odd factor.
    fn place(&self, leaf: &Leaf<P>) -> usize {
        let [clock, number] = counters(&leaf.position);
        let more = u64::from(clock) << 40 ^ u64::from(number) << 16 ^ u64::from(leaf.repetitions);
        let mixed = leaf.position.key() ^ more.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32) as usize & (self.places.len() - 1)
    }

    /// Answers what is known and lists the rest, each once.
    pub fn look_up(&mut self, batch: &mut Batch<P>) {
        self.missing.clear();
        self.places_of_missing.clear();
        self.waits_for.clear();
        batch.logits.resize(batch.moves.len(), 0.0);
        batch.values.resize(batch.leaves.len(), Value::default());
        for (i, leaf) in batch.leaves.iter().enumerate() {
            let moves = &batch.moves[leaf.range()];
            let place = self.place(leaf);
            let found = self.places[place].as_ref().filter(|entry| entry.is_of(leaf, moves));
            let waits_for = match found.map(|entry| &entry.answer) {
                Some(Answer::Known(value, logits)) => {
                    batch.values[i] = *value;
                    batch.logits[leaf.range()].copy_from_slice(logits);
                    None
                }
                Some(&Answer::Awaited(number)) => Some(number),
                None => {
                    let number = self.missing.push(leaf.position, leaf.repetitions, moves);
                    self.places_of_missing.push(place);
                    self.places[place] = Some(Entry {
                        position: leaf.position,
                        repetitions: leaf.repetitions,
                        counters: counters(&leaf.position),
                        moves: moves.to_vec(),
                        answer: Answer::Awaited(number),
                    });
                    Some(number)
                }
            };
            self.waits_for.push(waits_for);
        }
        self.hits += (batch.leaves.len() - self.missing.leaves.len()) as u64;
    }

    /// Answers the rest of the batch that was looked up last, once what was missing has its answers, and remembers these.
    pub fn complete(&mut self, batch: &mut Batch<P>) {
        self.remember();
        for (i, waits_for) in self.waits_for.iter().enumerate() {
            let Some(number) = *waits_for else { continue };
            batch.values[i] = self.missing.values[number];
            let logits = &self.missing.logits[self.missing.leaves[number].range()];
            batch.logits[batch.leaves[i].range()].copy_from_slice(logits);
        }
    }

    /// Forgets what is missing, which nobody has answered.
    fn give_up(&mut self) {
        self.places_of_missing.iter().for_each(|&place| self.places[place] = None);
    }

    /// Puts the answers that have come into the table, but where another leaf has taken the place since.
    fn remember(&mut self) {
        for (number, &place) in self.places_of_missing.iter().enumerate() {
            if let Some(entry) = &mut self.places[place]
                && matches!(entry.answer, Answer::Awaited(awaited) if awaited == number)
            {
                let logits = self.missing.logits[self.missing.leaves[number].range()].to_vec();
                entry.answer = Answer::Known(self.missing.values[number], logits);
            }
        }
    }
}

impl<P: Position, E: Evaluator<P>> Evaluator<P> for Cached<P, E> {
    fn evaluate(&mut self, batch: &mut Batch<P>) -> Result<(), EvaluationError> {
        self.memory.look_up(batch);
        if !self.memory.missing.leaves.is_empty()
            && let Err(error) = self.evaluator.evaluate(&mut self.memory.missing)
        {
            self.memory.give_up();
            return Err(error);
        }
        self.memory.complete(batch);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluators::HashRandom;
    use crate::{Gumbel, Search, SearchConfig};
    use catapult_rules::{Chess, Game};

    /// Answers by hash, counts what it is asked, and fails when told to.
    #[derive(Default)]
    struct Counting {
        asked: usize,
        fails: bool,
    }

    impl Evaluator<Chess> for Counting {
        fn evaluate(&mut self, batch: &mut Batch<Chess>) -> Result<(), EvaluationError> {
            self.asked += batch.leaves.len();
            if self.fails {
                return Err(EvaluationError("told to".into()));
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
        // A mask has left moves out.
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
            // Twice each, so that the second search finds what the table still holds of the first.
            for seed in 0..6 {
                let game = &games[seed % 3];
                let config = SearchConfig::from(Gumbel { gumbel_scale: 1.0, ..Default::default() });
                let mut searches = [(); 2].map(|()| Search::new(config.clone()));
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
