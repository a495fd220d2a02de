//! The search: a value that asks for evaluations and takes the answers until it has its own.

use crate::algorithm::Algorithm;
use crate::config::SearchConfig;
use crate::gumbel::Halving;
use crate::mask::{Mask, allowed_moves};
use crate::math::{Prior, softmax};
use crate::node::{Status, WhiteValue};
use crate::root::{Root, RootMoves};
use crate::scratch::Scratch;
use crate::tree::{ROOT, Tree};
use crate::{Batch, Value};
use catapult_rules::{Color, Game, Move, MoveList, Outcome, Position};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

mod kept;

/// One search. It does no evaluation itself, so one thread can hold hundreds and answer them together:
/// [`start`](Self::start), then [`gather`](Self::gather) and [`apply`](Self::apply) in turns until
/// [`is_done`](Self::is_done), then [`result`](Self::result). Started again, it reuses its memory.
///
/// The result depends on nothing but the settings, the game, the number of simulations, the seed and the answers.
#[derive(Clone, Debug)]
pub struct Search<P> {
    pub(crate) config: SearchConfig,
    pub(crate) tree: Tree,
    pub(crate) root_moves: RootMoves,
    pub(crate) raw_value: Value,
    pub(crate) position: Option<P>,
    pub(crate) mask: Option<Mask<P>>,
    repetitions: u8,
    /// Keys of the game's positions since its last irreversible move, the root's included, then those of the path.
    keys: Vec<u64>,
    root_keys: usize,
    stage: Stage,
    /// Simulations that wait for [`Search::apply`], in the order they were made.
    waiting: Vec<Visit>,
    /// Their paths, one after the other: child numbers from the root.
    paths: Vec<u16>,
    asked: usize,
    pub(crate) simulations: u32,
    /// Simulations after which the search is done, and how many of them the halving under way has for itself.
    budget: u32,
    share: u32,
    pub(crate) halving: Halving,
    /// Memory is full, or all moves are settled: the search ends with what it has.
    full: bool,
    /// Whether the root was searched before it was the root.
    is_kept: bool,
    /// The root's moves, where not all are searched.
    only: Option<Vec<Move>>,
    rng: Pcg64Mcg,
    scratch: Scratch,
    numbers: Vec<f32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The root's evaluation has not been asked for.
    Root,
    Running,
    Done,
}

/// A simulation under way: its part of the paths, and whether an evaluation was asked for.
#[derive(Clone, Copy, Debug)]
struct Visit {
    start: u32,
    end: u32,
    asked: bool,
}

/// How a way down the tree ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Descent {
    /// At a new leaf, now in the batch.
    Asked,
    /// At a node whose value is known.
    Known,
    /// At a leaf that another simulation is waiting for.
    Collision,
    /// Memory is full.
    Full,
}

impl<P: Position> Search<P> {
    /// A search with nothing to do yet. The settings are taken as they are: see [`SearchConfig::validate`].
    pub fn new(config: SearchConfig) -> Search<P> {
        Search {
            tree: Tree::new(config.memory_limit),
            config,
            root_moves: RootMoves::default(),
            raw_value: Value::default(),
            position: None,
            mask: None,
            repetitions: 0,
            keys: Vec::new(),
            root_keys: 0,
            stage: Stage::Done,
            waiting: Vec::new(),
            paths: Vec::new(),
            asked: 0,
            simulations: 0,
            budget: 0,
            share: 0,
            halving: Halving::default(),
            full: false,
            is_kept: false,
            only: None,
            rng: Pcg64Mcg::seed_from_u64(0),
            scratch: Scratch::default(),
            numbers: Vec::new(),
        }
    }

    /// The settings.
    pub fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Settings for the next [`start`](Self::start); a search under way ends here.
    pub fn set_config(&mut self, config: SearchConfig) {
        self.config = config;
        self.stage = Stage::Done;
    }

    /// The moves that nobody, or one side, makes from the next [`start`](Self::start) on, at the root and below. A search under way
    /// ends here.
    pub fn set_mask(&mut self, mask: Option<Mask<P>>) {
        self.mask = mask;
        self.stage = Stage::Done;
        // What was found under other rules is not kept.
        self.tree.nodes.clear();
    }

    /// Begins a search from the game's current position, of so many simulations; the evaluation of the root does not count, and 0 plays
    /// the raw policy. The seed decides the noise. A position without legal moves is done at once; whether the game is over by
    /// repetition or the clock is not asked.
    pub fn start(&mut self, game: &Game<P>, simulations: u32, seed: u64) {
        let repetitions = game.repetitions().min(u8::MAX as usize) as u8;
        self.start_at(*game.position(), repetitions, game.repetition_keys(), simulations, seed);
    }

    /// [`start`](Self::start) for those who keep no [`Game`]: a position that has occurred `repetitions` times before, `earlier` being the keys of the
    /// game's positions since its last irreversible move, the position itself not among them.
    pub fn start_at(&mut self, position: P, repetitions: u8, earlier: &[u64], simulations: u32, seed: u64) {
        self.tree.reset(position.side_to_move(), self.config.memory_limit);
        self.is_kept = false;
        self.begin(position, repetitions, earlier, simulations, seed);
    }

    /// Who is to move after a move of the root, and whether that is an end.
    fn child(&self, root: P, mv: Move) -> (Color, Status) {
        let mut position = root;
        position.play(mv);
        let since = if position.forgets_history() { self.keys.len() } else { 0 };
        (position.side_to_move(), judge(&position, &self.keys[since..]))
    }

    fn begin(&mut self, position: P, repetitions: u8, earlier: &[u64], simulations: u32, seed: u64) {
        self.root_moves.clear();
        self.raw_value = Value::default();
        self.position = Some(position);
        self.repetitions = repetitions;
        self.keys.clear();
        self.keys.extend_from_slice(earlier);
        if position.is_turn_start() {
            self.keys.push(position.key());
        }
        self.root_keys = self.keys.len();
        self.waiting.clear();
        self.paths.clear();
        self.asked = 0;
        self.simulations = 0;
        (self.budget, self.share) = (simulations, simulations);
        self.halving.reset(None);
        self.full = false;
        self.rng = Pcg64Mcg::seed_from_u64(seed);
        self.stage = if position.has_legal_move() {
            Stage::Root
        } else {
            let status = settled(position.outcome(), position.side_to_move());
            self.tree.nodes[ROOT as usize].settle(status, 0);
            Stage::Done
        };
    }

    /// Whether [`result`](Self::result) is final.
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// Appends requests to the batch and says how many. None only if the search is done, or still waits for answers.
    /// Gumbel asks for a whole halving row at once, PUCT for up to `parallel_leaves`.
    pub fn gather(&mut self, batch: &mut Batch<P>) -> usize {
        self.gather_at_most(batch, usize::MAX)
    }

    /// As [`gather`](Self::gather), with at most `limit` (at least 1) requests.
    pub fn gather_at_most(&mut self, batch: &mut Batch<P>, limit: usize) -> usize {
        let Some(position) = self.position else { return 0 };
        if self.asked > 0 || self.stage == Stage::Done {
            return 0;
        }
        if self.stage == Stage::Root {
            let mut moves = allowed_moves(&position, self.mask.as_ref());
            if let Some(only) = &self.only {
                moves.retain(|mv| only.contains(mv));
            }
            // The root's edges always fit: the least memory limit has room for them.
            let fits = self.is_kept || !moves.is_empty() && self.tree.add_edges(ROOT, &moves);
            if !fits {
                self.stage = Stage::Done;
                return 0;
            }
            batch.push(position, self.repetitions, &moves);
            self.waiting.push(Visit { start: 0, end: 0, asked: true });
            self.asked = 1;
            return 1;
        }
        loop {
            self.full |= self.simulate(position, batch, limit.max(1));
            if self.asked > 0 {
                return self.asked;
            }
            self.settle_waiting(batch, 0);
            if self.stage == Stage::Done {
                return 0;
            }
        }
    }

    /// Takes the answers to the requests that the last [`gather`](Self::gather) appended: `first` is the index in
    /// the batch of the first of them.
    pub fn apply(&mut self, batch: &Batch<P>, first: usize) {
        if self.asked > 0 {
            self.settle_waiting(batch, first);
        }
    }

    pub(crate) fn root(&self) -> Root<'_> {
        let (tree, moves, utility) = (&self.tree, &self.root_moves, &self.config.utility);
        Root { tree, moves, raw_value: self.raw_value, utility }
    }

    /// Makes simulations until the algorithm wants answers: Gumbel to the end of a row, PUCT as many as may be under way at once.
    /// True if memory is full or there is no more to find out.
    fn simulate(&mut self, position: P, batch: &mut Batch<P>, limit: usize) -> bool {
        let left = self.budget - self.simulations;
        match &self.config.algorithm {
            Algorithm::Gumbel(gumbel) => {
                if self.halving.has_finished_row() {
                    let (tree, moves, utility) = (&self.tree, &self.root_moves, &self.config.utility);
                    let root = Root { tree, moves, raw_value: self.raw_value, utility };
                    if !self.halving.begin_row(gumbel, root, self.share, left) {
                        return true;
                    }
                }
                while self.asked < limit
                    && let Some(child) = self.halving.next_of_row()
                {
                    if self.descend(position, Some(child), batch) == Descent::Full {
                        return true;
                    }
                }
            }
            Algorithm::Puct(puct) => {
                let at_once = puct.at_once(limit, left);
                while self.waiting.len() < at_once {
                    match self.descend(position, None, batch) {
                        // A known end may decide the whole: it is counted before the next way down.
                        Descent::Known if self.asked == 0 => break,
                        Descent::Asked | Descent::Known => {}
                        Descent::Collision => break,
                        Descent::Full => return true,
                    }
                }
            }
        }
        false
    }

    /// One simulation's way down, by way of the root's child `first` or the one that is selected.
    fn descend(&mut self, root: P, first: Option<u16>, batch: &mut Batch<P>) -> Descent {
        let start = self.paths.len() as u32;
        let mut position = root;
        self.keys.truncate(self.root_keys);
        // Where the positions begin that can occur again.
        let mut since = 0;
        let mut index = ROOT;
        let mut first = first;
        loop {
            let node = &self.tree.nodes[index as usize];
            let choice = match first.take() {
                Some(child) => child,
                None if node.child_count == 0 => {
                    self.tree.bring_next(index);
                    0
                }
                None => {
                    let SearchConfig { algorithm, utility, .. } = &self.config;
                    algorithm.select(&self.tree, node, utility, &mut self.scratch)
                }
            };
            let node = &self.tree.nodes[index as usize];
            position.play(self.tree.moves[node.first_edge as usize + choice as usize]);
            self.paths.push(choice);
            if position.forgets_history() {
                since = self.keys.len();
            }
            let fresh = choice == node.child_count;
            index = if fresh {
                let status = judge(&position, &self.keys[since..]);
                let Some(child) = self.tree.add_child(index, position.side_to_move(), status) else {
                    self.paths.truncate(start as usize);
                    return Descent::Full;
                };
                self.tree.bring_next(index);
                child
            } else {
                node.first_child + choice as u32
            };
            let node = &self.tree.nodes[index as usize];
            if node.status != Status::Open {
                self.wait_for(start, false);
                return Descent::Known;
            }
            if node.edge_count == 0 && self.narrow(index, &position) {
                // On to where the turn has ended.
                continue;
            }
            let node = &self.tree.nodes[index as usize];
            if node.edge_count == 0 {
                let mut moves = MoveList::new();
                position.legal_moves_into(&mut moves);
                if let Some(mask) = &self.mask {
                    mask.apply(&position, &mut moves);
                }
                if moves.is_empty() {
                    // Not an end by the game's own word, but nothing to go on with.
                    self.tree.nodes[index as usize].settle(Status::Drawn, 0);
                    self.wait_for(start, false);
                    return Descent::Known;
                }
                if !self.tree.add_edges(index, &moves) {
                    // The node stays, without edges: whoever comes here again finds memory full too.
                    self.paths.truncate(start as usize);
                    return Descent::Full;
                }
                batch.push(position, 0, &moves);
                self.asked += 1;
                self.wait_for(start, true);
                return Descent::Asked;
            }
            if node.visits == 0 {
                self.paths.truncate(start as usize);
                return Descent::Collision;
            }
            if position.is_turn_start() {
                self.keys.push(position.key());
            }
        }
    }

    /// Leaves a new node within a turn no move but the one that ends it, if there is one and memory has room.
    fn narrow(&mut self, index: u32, position: &P) -> bool {
        let Some(end) = position.turn_end().filter(|_| self.config.finish_turns) else { return false };
        let forbidden = self.mask.as_ref().is_some_and(|mask| mask.forbids_here(position, end));
        if forbidden || !self.tree.add_edges(index, &[end]) {
            return false;
        }
        let node = &mut self.tree.nodes[index as usize];
        node.narrowed = true;
        self.tree.priors[node.first_edge as usize] = Prior::new(1.0);
        true
    }

    /// Puts the path that ends the list among the simulations under way.
    fn wait_for(&mut self, start: u32, asked: bool) {
        let end = self.paths.len() as u32;
        self.waiting.push(Visit { start, end, asked });
        if self.config.algorithm.counts_in_flight() {
            let mut node = ROOT;
            self.tree.nodes[node as usize].in_flight += 1;
            for &child in &self.paths[start as usize..] {
                node = self.tree.nodes[node as usize].first_child + child as u32;
                self.tree.nodes[node as usize].in_flight += 1;
            }
        }
    }

    /// Counts the simulations under way, in the order they were made.
    fn settle_waiting(&mut self, batch: &Batch<P>, first: usize) {
        let mut leaf = first;
        let waiting = std::mem::take(&mut self.waiting);
        for &Visit { start, end, asked } in &waiting {
            let path = &self.paths[start as usize..end as usize];
            if self.config.algorithm.counts_in_flight() && !path.is_empty() {
                let mut node = ROOT;
                self.tree.nodes[node as usize].in_flight -= 1;
                for &child in path {
                    node = self.tree.nodes[node as usize].first_child + child as u32;
                    self.tree.nodes[node as usize].in_flight -= 1;
                }
            }
            let index = self.tree.at(path);
            let mover = self.tree.nodes[index as usize].mover;
            let mut value = self.tree.nodes[index as usize].value();
            if asked {
                let logits = &batch.logits[batch.leaves[leaf].range()];
                value = WhiteValue::new(&batch.values[leaf], mover);
                let node = &mut self.tree.nodes[index as usize];
                node.raw_q = value.q;
                let first_edge = node.first_edge as usize;
                self.numbers.clear();
                self.numbers.extend_from_slice(logits);
                if path.is_empty() {
                    self.raw_value = value.of(mover);
                    let temperature = self.config.root_temperature;
                    self.numbers.iter_mut().for_each(|logit| *logit /= temperature);
                    self.root_moves.set_logits(&self.numbers);
                }
                softmax(&mut self.numbers);
                for (prior, &p) in self.tree.priors[first_edge..].iter_mut().zip(&self.numbers) {
                    *prior = Prior::new(p);
                }
                leaf += 1;
            }
            // A root that was searched before has its own evaluation among its visits.
            if end > 0 || !self.is_kept {
                self.tree.back_up(path, value);
            }
            if end > 0 {
                self.simulations += 1;
            }
        }
        self.waiting = waiting;
        self.waiting.clear();
        self.paths.clear();
        self.asked = 0;
        if self.stage == Stage::Root {
            self.open_root();
        }
        let root = &self.tree.nodes[ROOT as usize];
        let row_finished = self.halving.has_finished_row();
        if self.full || root.status.is_proven() || self.simulations >= self.budget && row_finished {
            self.stage = Stage::Done;
        }
    }

    /// Makes all children of the root, each looked at for an end of the game, and mixes in the noise.
    fn open_root(&mut self) {
        self.stage = Stage::Running;
        let Some(root) = self.position else { return };
        let count = self.tree.nodes[ROOT as usize].edge_count;
        let first_edge = self.tree.nodes[ROOT as usize].first_edge as usize;
        if !self.is_kept {
            for edge in first_edge..first_edge + count as usize {
                let (mover, status) = self.child(root, self.tree.moves[edge]);
                if self.tree.add_child(ROOT, mover, status).is_none() {
                    // Below the least memory limit.
                    self.stage = Stage::Done;
                    return;
                }
            }
        }
        self.tree.prove(ROOT);
        self.config.algorithm.draw_noise(&mut self.tree, &mut self.root_moves, &mut self.rng);
    }
}

/// What an outcome means for a node where `mover` is to move.
fn settled(outcome: Option<Outcome>, mover: Color) -> Status {
    match outcome {
        None => Status::Open,
        Some(Outcome::Checkmate) => Status::win_of(!mover),
        Some(Outcome::Stalemate | Outcome::Dead) => Status::ProvenDraw,
        // A position alone is neither ended by a table nor given up nor cut.
        Some(
            Outcome::HundredPlies
            | Outcome::Repetition
            | Outcome::Tablebase
            | Outcome::Resignation
            | Outcome::Capped
            | Outcome::TimeForfeit
            | Outcome::IllegalMove
            | Outcome::Crash,
        ) => Status::Drawn,
    }
}

/// The status of a new node; `earlier` are the keys of the positions before it, in the game and on the path, that can
/// occur again. A second occurrence counts as a draw.
fn judge<P: Position>(position: &P, earlier: &[u64]) -> Status {
    let outcome = position.outcome();
    if outcome.is_some() {
        return settled(outcome, position.side_to_move());
    }
    let repeated = !earlier.is_empty() && position.is_turn_start() && earlier.contains(&position.key());
    if repeated { Status::Drawn } else { Status::Open }
}
