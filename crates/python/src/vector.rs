//! Play of many games at once, for `catapult.envs`. Observations, masks of legal actions and
//! rewards are arrays. A game that ends begins again.

use crate::encode::{Scratch, actions, channels, number, observe};
use crate::errors::value_error;
use crate::line::with_moves;
use catapult_encoding::{Encode, Layout, layout};
use catapult_rules::{Color, Move as Bits, Outcome, Variant, with_variant};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

/// Outcomes with which a game can end. `info["outcome"]` is the index in this list plus 1, [`CUT`]
/// for a truncated game, and 0 for a game that continues.
const OUTCOMES: [Outcome; 5] =
    [Outcome::Checkmate, Outcome::Stalemate, Outcome::Dead, Outcome::HundredPlies, Outcome::Repetition];
const CUT: i8 = OUTCOMES.len() as i8 + 1;

/// A game in progress, with its legal moves.
#[derive(Clone)]
struct Slot<P> {
    /// Start of every further game.
    start: P,
    /// Number of plies after which a game is truncated.
    most_plies: u32,
    position: P,
    /// Keys of the earlier positions that can recur.
    earlier: Vec<u64>,
    plies: u32,
    moves: Vec<Bits>,
    actions: Vec<u32>,
    scratch: Scratch,
}

/// Result of a step in one game.
#[derive(Clone, Copy, Default)]
struct StepResult {
    reward: f32,
    terminated: bool,
    truncated: bool,
    outcome: i8,
}

/// The parts of the arrays that belong to one game.
struct Rows<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [i8],
    turn: &'a mut bool,
}

impl<P: Encode> Slot<P> {
    fn new(start: P, most_plies: u32) -> Slot<P> {
        let (earlier, moves, actions) = (Vec::new(), Vec::new(), Vec::new());
        Slot {
            start,
            most_plies,
            position: start,
            earlier,
            plies: 0,
            moves,
            actions,
            scratch: Scratch::new::<P>(),
        }
    }

    fn begin(&mut self, start: P) {
        self.position = start;
        self.earlier.clear();
        self.plies = 0;
        self.list();
    }

    fn repetitions(&self) -> usize {
        let key = self.position.key();
        self.earlier.iter().filter(|earlier| **earlier == key).count()
    }

    /// Lists the legal moves of the position and their actions.
    fn list(&mut self) {
        self.moves.clear();
        self.actions.clear();
        with_moves(&self.position, |moves| self.moves.extend_from_slice(moves));
        self.actions
            .extend(self.moves.iter().map(|mv| number(&P::LAYOUT, self.position.policy_index(*mv, false))));
    }

    /// Returns the outcome. Returns `None` if the game has not ended. The legal moves must have
    /// been listed.
    fn outcome(&self) -> Option<Outcome> {
        if !self.position.is_turn_start() {
            return None;
        }
        if self.moves.is_empty() {
            return Some(if self.position.in_check() { Outcome::Checkmate } else { Outcome::Stalemate });
        }
        let is_late = self.position.halfmove_clock() >= self.position.fifty_move_plies();
        let may_be_over = self.position.is_dead() || is_late;
        let by_rules = if may_be_over { self.position.outcome() } else { None };
        by_rules.or_else(|| (self.repetitions() >= 2).then_some(Outcome::Repetition))
    }
}

/// A slot of any variant.
type BoxedSlot = Box<dyn AnySlot>;

/// A slot without its position type.
trait AnySlot: Send + Sync {
    /// Returns a slot with the same start of further games and a new game, which begins at a FEN.
    /// Without a FEN it begins at the start.
    ///
    /// # Errors
    /// The FEN is invalid, or the game is over there. The error is a message.
    fn restarted(&self, fen: Option<&str>) -> Result<BoxedSlot, String>;
    /// Returns the actions of the legal moves.
    fn actions(&self) -> &[u32];
    /// Plays the legal move with this index. If the game ends or reaches the maximum number of
    /// plies, a new game begins.
    fn step(&mut self, index: u32) -> StepResult;
    fn write(&mut self, rows: Rows<'_>);
    fn fen(&self) -> String;
}

impl<P: Encode> AnySlot for Slot<P> {
    fn restarted(&self, fen: Option<&str>) -> Result<BoxedSlot, String> {
        let start = match fen {
            None => self.start,
            Some(fen) => P::from_fen(fen, self.start.rules()).map_err(|error| error.to_string())?,
        };
        if let Some(outcome) = start.outcome() {
            return Err(format!("{start} is over: {outcome}"));
        }
        let mut slot = self.clone();
        slot.begin(start);
        Ok(Box::new(slot))
    }

    fn actions(&self) -> &[u32] {
        &self.actions
    }

    fn fen(&self) -> String {
        self.position.to_string()
    }

    fn step(&mut self, index: u32) -> StepResult {
        let mover = self.position.side_to_move();
        self.earlier.push(self.position.key());
        self.position.play(self.moves[index as usize]);
        if self.position.forgets_history() {
            self.earlier.clear();
        }
        self.plies += 1;
        self.list();
        let mut result = StepResult::default();
        if let Some(outcome) = self.outcome() {
            result.terminated = true;
            result.outcome = OUTCOMES.iter().position(|known| *known == outcome).map_or(0, |at| at as i8 + 1);
            result.reward = match outcome.winner(self.position.side_to_move()) {
                Some(winner) if winner == mover => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
        } else if self.plies >= self.most_plies && self.position.is_turn_start() {
            result.truncated = true;
            result.outcome = CUT;
        }
        if result.terminated || result.truncated {
            self.begin(self.start);
        }
        result
    }

    fn write(&mut self, rows: Rows<'_>) {
        rows.mask.fill(0);
        for action in &self.actions {
            rows.mask[*action as usize] = 1;
        }
        *rows.turn = self.position.side_to_move() == Color::White;
        if !rows.observation.is_empty() {
            let repetitions = self.repetitions().min(255) as u8;
            observe(&self.position, repetitions, &mut self.scratch, rows.observation);
        }
    }
}

/// Returns the index of each action among the legal moves of its game.
///
/// # Errors
/// The number of actions is wrong, or an action is illegal. The text names the first such game.
fn find(games: &[BoxedSlot], asked: &[i64]) -> Result<Vec<u32>, String> {
    if asked.len() != games.len() {
        return Err(format!("{} actions for {} games", asked.len(), games.len()));
    }
    let find = |(game, (slot, asked)): (usize, (&BoxedSlot, &i64))| {
        let found = slot.actions().iter().position(|action| i64::from(*action) == *asked);
        let illegal = || format!("game {game}: action {asked} is not legal in {}", slot.fen());
        found.map(|index| index as u32).ok_or_else(illegal)
    };
    games.iter().zip(asked).enumerate().map(find).collect()
}

/// Minimum number of games in a parallel task.
const AT_ONCE: usize = 16;

/// Many games at once, for `catapult.envs.VectorEnv`.
#[pyclass(module = "catapult._catapult")]
pub struct VectorGames {
    games: Vec<BoxedSlot>,
    layout: Layout,
    pool: Option<rayon::ThreadPool>,
    results: Vec<StepResult>,
    rng: Pcg64Mcg,
}

impl VectorGames {
    fn run<T: Send>(pool: Option<&rayon::ThreadPool>, work: impl FnOnce() -> T + Send) -> T {
        match pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// Arrays that `VectorGames.write` fills: observations (if any), masks and turns.
type Arrays<'py> = (Option<Bound<'py, PyArray4<f32>>>, Bound<'py, PyArray2<i8>>, Bound<'py, PyArray1<bool>>);

#[pymethods]
impl VectorGames {
    #[new]
    fn new(
        variant: &str,
        count: usize,
        fen: Option<&str>,
        max_plies: Option<u32>,
        threads: usize,
    ) -> PyResult<VectorGames> {
        let variant: Variant = crate::errors::variant(variant)?;
        if !(1..=1 << 20).contains(&count) {
            return Err(value_error(format!("num_envs = {count}: it may be 1 to {}", 1 << 20)));
        }
        if max_plies == Some(0) || threads == 0 || threads > 1024 {
            return Err(value_error("max_plies and threads are at least 1, threads at most 1024"));
        }
        let most_plies = max_plies.unwrap_or(u32::MAX);
        let first: BoxedSlot = with_variant!(variant, |P, rules| {
            let start: P = match fen {
                None => catapult_rules::Position::start(rules),
                Some(fen) => catapult_rules::Position::from_fen(fen, rules).map_err(value_error)?,
            };
            Box::new(Slot::new(start, most_plies))
        });
        let games =
            (0..count).map(|_| first.restarted(None)).collect::<Result<_, _>>().map_err(value_error)?;
        // With one thread, the caller's thread does the work without a pool.
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(value_error)?;
        let (results, rng) = (vec![StepResult::default(); count], Pcg64Mcg::seed_from_u64(0));
        Ok(VectorGames { games, layout: layout(variant), pool, results, rng })
    }

    /// Numbers of ranks, files, channels and actions.
    #[getter]
    fn shape(&self) -> (usize, usize, usize, usize) {
        let layout = &self.layout;
        (layout.ranks, layout.files, channels(layout), actions(layout))
    }

    /// Restarts every game. `fens` has one FEN per game, or is None for the start position. Raises
    /// ValueError if a FEN is invalid, a game is over, or the number of FENs is wrong.
    fn reset(&mut self, py: Python<'_>, fens: Option<Vec<String>>) -> PyResult<()> {
        let (games, pool) = (&self.games, self.pool.as_ref());
        if let Some(fens) = fens.as_ref().filter(|fens| fens.len() != games.len()) {
            return Err(value_error(format!("{} FENs for {} games", fens.len(), games.len())));
        }
        let restart = |(number, slot): (usize, &BoxedSlot)| {
            let fen = fens.as_ref().map(|fens| fens[number].as_str());
            slot.restarted(fen).map_err(|error| format!("game {number}: {error}"))
        };
        let restarted = || games.par_iter().with_min_len(AT_ONCE).enumerate().map(restart).collect();
        let games: Result<_, String> = py.detach(|| VectorGames::run(pool, restarted));
        self.games = games.map_err(value_error)?;
        Ok(())
    }

    /// Plays one action in each game and writes the results into the arrays. Raises ValueError if
    /// an action is illegal. An error changes no game.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut rewards: PyReadwriteArray1<'_, f32>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        mut outcomes: PyReadwriteArray1<'_, i8>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let (rewards, terminated) = (rewards.as_slice_mut()?, terminated.as_slice_mut()?);
        let (truncated, outcomes) = (truncated.as_slice_mut()?, outcomes.as_slice_mut()?);
        if [rewards.len(), terminated.len(), truncated.len(), outcomes.len()] != [self.games.len(); 4] {
            return Err(value_error(format!("arrays for {} games are wanted", self.games.len())));
        }
        let VectorGames { games, pool, results, .. } = self;
        let pool = pool.as_ref();
        let found = py.detach(|| find(games, actions)).map_err(value_error)?;
        let step = |((slot, index), result): ((&mut BoxedSlot, &u32), &mut StepResult)| {
            *result = slot.step(*index);
        };
        let all = games.par_iter_mut().with_min_len(AT_ONCE).zip(&found).zip(results);
        py.detach(|| VectorGames::run(pool, || all.for_each(step)));
        for (game, result) in self.results.iter().enumerate() {
            rewards[game] = result.reward;
            terminated[game] = result.terminated;
            truncated[game] = result.truncated;
            outcomes[game] = result.outcome;
        }
        Ok(())
    }

    /// Writes observations, masks and turns of all games into arrays. A turn is True for White.
    fn write(&mut self, py: Python<'_>, arrays: Arrays<'_>) -> PyResult<()> {
        let (observations, masks, turns) = arrays;
        let mut observations =
            observations.map(|array| array.try_readwrite()).transpose().map_err(value_error)?;
        let mut masks = masks.try_readwrite().map_err(value_error)?;
        let mut turns = turns.try_readwrite().map_err(value_error)?;
        let observations = match &mut observations {
            Some(array) => array.as_slice_mut()?,
            None => &mut [],
        };
        let (masks, turns) = (masks.as_slice_mut()?, turns.as_slice_mut()?);
        let (count, actions) = (self.games.len(), actions(&self.layout));
        let size = self.layout.squares() * channels(&self.layout);
        if turns.len() != count
            || masks.len() != count * actions
            || !(observations.is_empty() || observations.len() == count * size)
        {
            return Err(value_error(format!("arrays for {count} games are wanted")));
        }
        let pool = self.pool.as_ref();
        // Without observations, each game gets an empty slice.
        let observations: Vec<&mut [f32]> = match observations.is_empty() {
            true => (0..count).map(|_| &mut [][..]).collect(),
            false => observations.chunks_exact_mut(size).collect(),
        };
        let rows = masks.par_chunks_exact_mut(actions).zip(turns).zip(observations);
        let all = self.games.par_iter_mut().with_min_len(AT_ONCE).zip(rows);
        let write = |(slot, ((mask, turn), observation)): (&mut BoxedSlot, _)| {
            slot.write(Rows { observation, mask, turn });
        };
        py.detach(|| VectorGames::run(pool, || all.for_each(write)));
        Ok(())
    }

    /// Returns the FEN of each game's position.
    fn fens(&self) -> Vec<String> {
        self.games.iter().map(|slot| slot.fen()).collect()
    }

    /// Returns the number of legal moves of each game: uint32 [games].
    fn move_counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_vec(py, self.games.iter().map(|slot| slot.actions().len() as u32).collect())
    }

    /// Sets the seed for `sample`.
    fn seed(&mut self, seed: u64) {
        self.rng = Pcg64Mcg::seed_from_u64(seed);
    }

    /// Returns one legal action per game, drawn with equal probability: int64 [games].
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let rng = &mut self.rng;
        let draw = |slot: &BoxedSlot| {
            let actions = slot.actions();
            i64::from(actions[rng.random_range(0..actions.len())])
        };
        PyArray1::from_vec(py, self.games.iter().map(draw).collect())
    }
}
