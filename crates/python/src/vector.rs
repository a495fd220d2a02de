//! Play of many games at once, for `catapult.envs`. Observations, masks of legal actions and
//! rewards are arrays. A game that ends begins again.

use crate::encode::{actions, actions_of, channels, check_actions, widened};
use crate::errors::{value_error, whole};
use crate::line::with_legal;
use catapult_encoding::{Layout, inputs_into, layout};
use catapult_rules::{AnyGame, Color, Move as Bits, Outcome, Variant};
use half::bf16;
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::sync::Arc;

/// Outcomes with which a game can end. `info["outcome"]` is the index in this list plus 1,
/// [`TRUNCATED`] for a truncated game, and 0 for a game that continues.
const OUTCOMES: [Outcome; 5] =
    [Outcome::Checkmate, Outcome::Stalemate, Outcome::Dead, Outcome::HundredPlies, Outcome::Repetition];
const TRUNCATED: i8 = OUTCOMES.len() as i8 + 1;

/// A game in progress, with its legal moves.
struct Slot {
    /// Start of every further game.
    start: Arc<dyn AnyGame>,
    /// Number of plies after which a game is truncated.
    most_plies: u32,
    game: Box<dyn AnyGame>,
    moves: Vec<Bits>,
    actions: Vec<u32>,
    /// Buffers for the planes and globals of an observation.
    planes: Vec<bf16>,
    globals: Vec<f32>,
}

impl Slot {
    fn new(start: Arc<dyn AnyGame>, most_plies: u32) -> Slot {
        let layout = layout(start.variant());
        let mut slot = Slot {
            game: start.copied(),
            start,
            most_plies,
            moves: Vec::new(),
            actions: Vec::new(),
            planes: vec![bf16::ZERO; layout.squares() * layout.planes],
            globals: vec![0.0; layout.globals],
        };
        slot.list();
        slot
    }

    /// Begins a new game at a FEN, or at the start without a FEN.
    ///
    /// # Errors
    /// The FEN is invalid, or the game is over there. The error is a message.
    fn restarted(&self, fen: Option<&str>) -> Result<Slot, String> {
        let mut slot = Slot::new(self.start.clone(), self.most_plies);
        if let Some(fen) = fen {
            slot.game = self.start.variant().game(Some(fen)).map_err(|error| error.to_string())?;
            slot.list();
        }
        match slot.game.outcome() {
            None => Ok(slot),
            Some(outcome) => Err(format!("{} is over: {outcome}", slot.game.fen())),
        }
    }

    /// Lists the legal moves of the position and their actions.
    fn list(&mut self) {
        self.moves.clear();
        with_legal(&*self.game, |moves| self.moves.extend_from_slice(moves));
        self.actions = actions_of(&*self.game, &self.moves);
    }

    /// Plays the legal move with this index. Begins a new game if the game ends, or if a turn ends
    /// at or after the maximum number of plies. Returns the reward of the side that has moved, and
    /// `info["outcome"]`.
    fn step(&mut self, index: u32) -> (f32, i8) {
        let mover = self.game.side_to_move();
        self.game.push(self.moves[index as usize]);
        let (reward, outcome) = match self.game.outcome() {
            Some(outcome) => {
                let reward = match outcome.winner(self.game.side_to_move()) {
                    Some(winner) if winner == mover => 1.0,
                    Some(_) => -1.0,
                    None => 0.0,
                };
                (
                    reward,
                    OUTCOMES.iter().position(|known| *known == outcome).map_or(TRUNCATED, |at| at as i8 + 1),
                )
            }
            None if self.game.moves().len() >= self.most_plies as usize && self.game.is_turn_start() => {
                (0.0, TRUNCATED)
            }
            None => (0.0, 0),
        };
        if outcome != 0 {
            self.game = self.start.copied();
        }
        self.list();
        (reward, outcome)
    }

    /// Writes the parts of the arrays that belong to this game. `observation` may be empty.
    fn write(&mut self, observation: &mut [f32], mask: &mut [i8], turn: &mut bool) {
        mask.fill(0);
        for action in &self.actions {
            mask[*action as usize] = 1;
        }
        *turn = self.game.side_to_move() == Color::White;
        if !observation.is_empty() {
            inputs_into(&*self.game, &mut self.planes, &mut self.globals);
            widened(&layout(self.game.variant()), &self.planes, &self.globals, observation);
        }
    }
}

/// Returns the index of each action among the legal moves of its game.
///
/// # Errors
/// The number of actions is wrong, or an action is illegal. The text names the first such game.
fn find(games: &[Slot], asked: &[i64]) -> Result<Vec<u32>, String> {
    if asked.len() != games.len() {
        return Err(format!("{} actions for {} games", asked.len(), games.len()));
    }
    let find = |(game, (slot, asked)): (usize, (&Slot, &i64))| {
        let found = slot.actions.iter().position(|action| i64::from(*action) == *asked);
        let illegal = || format!("game {game}: action {asked} is not legal in {}", slot.game.fen());
        found.map(|index| index as u32).ok_or_else(illegal)
    };
    games.iter().zip(asked).enumerate().map(find).collect()
}

/// Minimum number of games in a parallel task.
const AT_ONCE: usize = 16;

/// Applies `work` to all items. Without a pool, the calling thread does all of it.
fn run<T: Send, R: Send>(
    pool: Option<&rayon::ThreadPool>,
    items: Vec<T>,
    work: impl Fn(T) -> R + Send + Sync,
) -> Vec<R> {
    match pool {
        Some(pool) => pool.install(|| items.into_par_iter().with_min_len(AT_ONCE).map(work).collect()),
        None => items.into_iter().map(work).collect(),
    }
}

/// Many games at once, for `catapult.envs.VectorEnv`.
#[pyclass(module = "catapult._catapult")]
pub struct VectorGames {
    games: Vec<Slot>,
    layout: Layout,
    /// Threads that do the work. `None` if the calling thread does it.
    pool: Option<rayon::ThreadPool>,
    rng: Pcg64Mcg,
}

/// Arrays that `VectorGames.write` fills: observations (if any), masks and turns.
type Arrays<'py> = (Option<Bound<'py, PyArray4<f32>>>, Bound<'py, PyArray2<i8>>, Bound<'py, PyArray1<bool>>);

#[pymethods]
impl VectorGames {
    #[new]
    fn new(
        variant: &str,
        count: i128,
        fen: Option<&str>,
        max_plies: Option<i128>,
        threads: i128,
    ) -> PyResult<VectorGames> {
        let variant: Variant = crate::errors::variant(variant)?;
        check_actions(variant)?;
        let count: u32 = whole("num_envs", count, 1..=1 << 20)?;
        let most_plies = max_plies.map_or(Ok(u32::MAX), |plies| whole("max_plies", plies, 1..=u32::MAX))?;
        let threads = whole("threads", threads, 1..=1024)?;
        let start: Arc<dyn AnyGame> = Arc::from(variant.game(fen).map_err(value_error)?);
        let first = Slot::new(start, most_plies);
        let games =
            (0..count).map(|_| first.restarted(None)).collect::<Result<_, _>>().map_err(value_error)?;
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(value_error)?;
        Ok(VectorGames { games, layout: layout(variant), pool, rng: Pcg64Mcg::seed_from_u64(0) })
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
        let restart = |(number, slot): (usize, &Slot)| {
            let fen = fens.as_ref().map(|fens| fens[number].as_str());
            slot.restarted(fen).map_err(|error| format!("game {number}: {error}"))
        };
        let numbered: Vec<_> = games.iter().enumerate().collect();
        let games: Result<_, String> = py.detach(|| run(pool, numbered, restart).into_iter().collect());
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
            return Err(value_error(format!("expected arrays for {} games", self.games.len())));
        }
        let (games, pool) = (&mut self.games, self.pool.as_ref());
        let found = py.detach(|| find(games, actions)).map_err(value_error)?;
        let chosen: Vec<(&mut Slot, u32)> = games.iter_mut().zip(found).collect();
        let results = py.detach(|| run(pool, chosen, |(slot, index)| slot.step(index)));
        for (game, (reward, outcome)) in results.into_iter().enumerate() {
            rewards[game] = reward;
            terminated[game] = !matches!(outcome, 0 | TRUNCATED);
            truncated[game] = outcome == TRUNCATED;
            outcomes[game] = outcome;
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
            return Err(value_error(format!("expected arrays for {count} games")));
        }
        let pool = self.pool.as_ref();
        // Without observations, each game gets an empty slice.
        let observations: Vec<&mut [f32]> = match observations.is_empty() {
            true => (0..count).map(|_| &mut [][..]).collect(),
            false => observations.chunks_exact_mut(size).collect(),
        };
        let rows = masks.chunks_exact_mut(actions).zip(turns).zip(observations);
        let all: Vec<_> = self.games.iter_mut().zip(rows).collect();
        py.detach(|| {
            run(pool, all, |(slot, ((mask, turn), observation))| slot.write(observation, mask, turn))
        });
        Ok(())
    }

    /// Returns the FEN of each game's position.
    fn fens(&self) -> Vec<String> {
        self.games.iter().map(|slot| slot.game.fen()).collect()
    }

    /// Returns the number of legal moves of each game: uint32 [games].
    fn move_counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_vec(py, self.games.iter().map(|slot| slot.actions.len() as u32).collect())
    }

    /// Sets the seed for `sample`.
    fn seed(&mut self, seed: i128) -> PyResult<()> {
        self.rng = Pcg64Mcg::seed_from_u64(whole("seed", seed, 0..=u64::MAX)?);
        Ok(())
    }

    /// Returns one legal action per game, drawn with equal probability: int64 [games].
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let rng = &mut self.rng;
        let draw = |slot: &Slot| {
            let actions = &slot.actions;
            i64::from(actions[rng.random_range(0..actions.len())])
        };
        PyArray1::from_vec(py, self.games.iter().map(draw).collect())
    }
}
